import { t } from "../../../core/i18n/translate.ts";
import { PageTitle } from "../../ui/primitives.tsx";

/** Is shown while the upload stops and local data is deleted. */
export function SigningOutPage() {
  return (
    <main className="starting">
      <div role="status">
        <PageTitle>{t("Signing out…")}</PageTitle>
        <p>{t("A running upload is stopped first. Rows already stored are kept.")}</p>
      </div>
    </main>
  );
}
