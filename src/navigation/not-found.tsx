import { t } from "../../core/i18n/translate.ts";
import { PageTitle } from "../components/primitives.tsx";
import * as textStyles from "../components/text.module.css";
import { Link } from "../router/link.tsx";

export function NotFound({ what = t("This page does not exist") }: { what?: string }) {
  return (
    <main id="main">
      <PageTitle>{what}</PageTitle>
      <p className={textStyles.dim}>{t("The address may be wrong, or its content was deleted.")}</p>
      <p>
        <Link className="button" to="/">
          {t("Go to the start page")}
        </Link>
      </p>
    </main>
  );
}
