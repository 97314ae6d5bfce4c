import type { ReactNode } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { Link } from "../router/link.tsx";

/** `children`: a nearer way out than the start page. */
export function NotFound({ what = t("This page does not exist"), children }: { what?: string; children?: ReactNode }) {
  return (
    <main id="main">
      <PageTitle>{what}</PageTitle>
      <p className={textStyles.dim}>{t("The address may be wrong, or its content was deleted.")}</p>
      <p>
        {children}
        <Link className="button" to="/">
          {t("Go to the start page")}
        </Link>
      </p>
    </main>
  );
}
