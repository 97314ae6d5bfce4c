import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Notice, PageTitle } from "../../ui/primitives.tsx";
import { nounsOf } from "../../values/record-name.ts";
import { useMay } from "../services/permissions.ts";
import { BackToList } from "./back-to-list.tsx";

/** Replaces a page that writes. `title` is that page's title. */
export function MayNotWrite({ collection, title }: { collection: Collection; title: string }) {
  const may = useMay(collection);
  const isReadOnly = may("read") && !may("create") && !may("update") && !may("delete"); // otherwise other rights are there, only not this one
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{title}</PageTitle>
      </div>
      <Notice>
        {isReadOnly && <b>{t("You have read-only access.")}</b>}{" "}
        {t("Ask an administrator if you need to enter {nouns}.", nounsOf(collection))}
        <div className={noticeStyles.actions}>
          <BackToList collection={collection} />
        </div>
      </Notice>
    </main>
  );
}
