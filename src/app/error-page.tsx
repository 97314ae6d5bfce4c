import { t } from "../../core/i18n/translate.ts";
import { Failure, PageTitle } from "../ui/primitives.tsx";
import * as textStyles from "../ui/text.module.css";
import type { ErrorPageProps } from "./router/router.ts";

/** Stands in the place of a page that an error has ended. */
export function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main id="main">
      <PageTitle>{t("This page stopped working")}</PageTitle>
      <Failure error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
      <p className={textStyles.dim}>{t("Saved data is safe. If it happens again, tell your administrator what you did.")}</p>
    </main>
  );
}
