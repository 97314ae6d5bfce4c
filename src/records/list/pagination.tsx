import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { type Counted, countQuery, type Page } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { takeFocus } from "../../ui/focus/restore-focus.ts";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import { countOf, nounsOf } from "../../values/record-name.ts";
import { type ChangeList, type ListState, matchQuery, PAGE_SIZES } from "../query/list-url.ts";
import * as styles from "./pagination.module.css";

interface PaginationProps {
  collection: Collection;
  state: ListState;
  go: ChangeList;
  page: Page;
  /** The page belongs to the previous query, so its cursors must not be used. */
  isStale: boolean;
}

export function Pagination({ collection, state, go, page, isStale }: PaginationProps) {
  const turn = (cursor: string | undefined) => {
    if (isStale) return;
    go({ cursor });
    window.scrollTo({ top: 0 });
  };
  const isOnly = !page.next && !page.prev;
  return (
    <footer className={styles.foot}>
      <Total collection={collection} state={state} page={page} isStale={isStale} />
      {!(isOnly && page.records.length <= PAGE_SIZES[0]) && (
        <label className={styles.pageSize}>
          {t("Rows per page")}
          <select value={state.limit} onChange={({ target }) => go({ limit: Number(target.value) })}>
            {[...new Set([...PAGE_SIZES, state.limit])]
              .sort((a, b) => a - b)
              .map((size) => (
                <option key={size}>{size}</option>
              ))}
          </select>
        </label>
      )}
      {!isOnly && (
        <nav aria-label={t("Pages")}>
          {/* Disabled, not hidden, so that the buttons stay under the pointer. */}
          <button type="button" className={buttonStyles.quiet} aria-disabled={!page.prev} onClick={() => page.prev && turn(undefined)}>
            {t("First page")}
          </button>
          <button type="button" className={buttonStyles.quiet} aria-disabled={!page.prev} onClick={() => page.prev && turn(page.prev)}>
            {t("← Previous")}
          </button>
          <button type="button" className={buttonStyles.quiet} aria-disabled={!page.next} onClick={() => page.next && turn(page.next)}>
            {t("Next →")}
          </button>
        </nav>
      )}
    </footer>
  );
}

/** Counts by itself as long as that takes no time, and to the end on request. */
function Total({ collection, state, page, isStale }: Omit<PaginationProps, "go">) {
  const { client } = useServices();
  const query = matchQuery(collection, state);
  const [countedFor, setCountedFor] = useState<string>();
  const isCounted = countedFor === JSON.stringify(query);
  const { data, isFetching, error } = useQuery({ ...countQuery(client, collection, query, "exact"), enabled: isCounted });
  const isOnly = !page.next && !page.prev;
  const { data: quick } = useQuery({ ...countQuery(client, collection, query), enabled: !isOnly && !isStale });
  const known = isOnly ? { total: page.records.length } : isCounted ? data : quick && !quick.totalIsAtLeast ? quick : undefined;
  return (
    <span className={styles.total} role="status">
      {known ? (
        <span ref={isCounted ? takeFocus : undefined} tabIndex={-1}>
          {inWords(collection, known)}
        </span>
      ) : (
        <>
          <span>
            {quick
              ? inWords(collection, quick)
              : count(page.records.length, "{n} {noun} on this page", "{n} {nouns} on this page", nounsOf(collection))}
          </span>{" "}
          <button
            type="button"
            className={buttonStyles.link}
            aria-disabled={isFetching}
            onClick={() => setCountedFor(JSON.stringify(query))}
          >
            {isFetching ? t("Counting…") : t("Count all")}
          </button>
          {error && isCounted && <span className={textStyles.error}> {error.message}</span>}
        </>
      )}
    </span>
  );
}

function inWords(collection: Collection, { total, totalIsAtLeast }: Counted): string {
  const text = countOf(collection, total);
  return totalIsAtLeast ? t("At least {count}", { count: text }) : text;
}
