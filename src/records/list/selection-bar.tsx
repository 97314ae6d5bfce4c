// Actions for the selected records, at the bottom of the screen.

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { MOST_MERGED } from "../../../core/contract/merges.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { openedPart } from "../../app/code/lazy-page.tsx";
import { Link } from "../../app/router/link.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { idOf, type Page, requestList } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { type ListState, matchQuery } from "../query/list-url.ts";
import { type Selection, select } from "../query/selection.ts";
import * as styles from "./selection-bar.module.css";

const BulkDialog = openedPart(() => import("../bulk/bulk-dialog.tsx"), "BulkDialog");

const MAX_SELECTED = 100_000; // records whose outcomes are held in memory

interface SelectionBarProps {
  collection: Collection;
  state: ListState;
  page: Page;
  selection: Selection;
  onSelect: (selection: Selection) => void;
}

export function SelectionBar({ collection, state, page, selection, onSelect }: SelectionBarProps) {
  const [verb, setVerb] = useState<"change" | "delete">();
  const may = useMay(collection);
  useFocusFallback();
  useShortcuts(useServices().keys, {
    changeSelected: may("update") ? () => setVerb("change") : undefined,
    deleteSelected: may("delete") ? () => setVerb("delete") : undefined,
  });
  const { selectAll, stop, isCounting, message, chosen, end } = useMatching(collection, state, { page, selection, onSelect });
  const size = chosen?.total ?? selection.size;
  const here = page.records.filter((record) => selection.has(record[collection.key.name] as number)).length;
  const elsewhere = size - here;
  const isMore = page.next !== undefined || page.prev !== undefined;
  return (
    <section className={styles.bar} data-selection-bar="" aria-label={t("Selection")}>
      <span role="status">
        <b>{count(size, "{n} selected", "{n} selected")}</b>
        {elsewhere > 0 && <span className={textStyles.dim}>{count(elsewhere, ", {n} not on this page", ", {n} not on this page")}</span>}
        {message && <span className={textStyles.error}> {message}</span>}
      </span>
      {here < page.records.length && <PickPage onPick={() => onSelect(select(collection, selection, page.records))} />}
      {isMore && !chosen && (
        <button type="button" className={buttonStyles.quiet} onClick={isCounting ? stop : selectAll}>
          {isCounting ? t("Stop") : t("Select all that match")}
        </button>
      )}
      <span className={styles.actions}>
        {may("update") && (
          <button type="button" onPointerEnter={BulkDialog.preload} onFocus={BulkDialog.preload} onClick={() => setVerb("change")}>
            {t("Change…")}
          </button>
        )}
        {may("update") && may("delete") && !chosen && selection.size > 1 && selection.size <= MOST_MERGED && (
          <Link
            className="button"
            to="/$collection/merge"
            params={{ collection: collection.name }}
            search={{ ids: [...selection.keys()].join() }}
          >
            {t("Merge…")}
          </Link>
        )}
        {may("delete") && (
          <button
            type="button"
            className={buttonStyles.danger}
            onPointerEnter={BulkDialog.preload}
            onFocus={BulkDialog.preload}
            onClick={() => setVerb("delete")}
          >
            {t("Delete")}
          </button>
        )}
        <button type="button" className={buttonStyles.quiet} onClick={() => onSelect(new Map())}>
          {t("Clear")}
        </button>
      </span>
      {verb && (
        <BulkDialog
          collection={collection}
          verb={verb}
          selection={selection}
          chosen={chosen}
          onSelect={end}
          onClose={() => setVerb(undefined)}
        />
      )}
    </section>
  );
}

/** Serves phones, where the table has no heading with a box for that. */
function PickPage({ onPick }: { onPick: () => void }) {
  useFocusFallback("[data-selection-bar] button");
  return (
    <button type="button" className={`${buttonStyles.quiet} ${styles.page}`} onClick={onPick}>
      {t("Select this page")}
    </button>
  );
}

/** Selects all that the list has, without reading them: the service chooses them by the list's filters. Rows that are shown then are ticked. */
function useMatching(
  collection: Collection,
  state: ListState,
  { page, selection, onSelect }: Pick<SelectionBarProps, "page" | "selection" | "onSelect">,
) {
  const { client, selections } = useServices();
  const [counting, setCounting] = useState<AbortController>();
  const [message, setMessage] = useState<string>();
  const known = useSyncExternalStore(selections.subscribe, () => selections.matchingOf(collection));
  const query = matchQuery(collection, state);
  const matching = known && JSON.stringify(known.query) === JSON.stringify(query) ? known : undefined;
  const latestCounting = useRef(counting);
  latestCounting.current = counting;
  useEffect(() => () => latestCounting.current?.abort(), []);
  useEffect(() => {
    const unseen = matching ? page.records.filter((record) => !matching.shown.has(idOf(collection, record))) : [];
    if (!matching || unseen.length === 0) return;
    const shown = new Set([...matching.shown, ...unseen.map((record) => idOf(collection, record))]);
    selections.put(collection, select(collection, selection, unseen), { ...matching, shown });
  });

  async function selectAll(): Promise<void> {
    const control = new AbortController();
    setCounting(control);
    setMessage(undefined);
    try {
      const answer = await requestList(client, collection, { ...query, limit: "1", count: String(MAX_SELECTED) }, control.signal, []);
      const { total, totalIsAtLeast } = answer as { total: number; totalIsAtLeast?: true };
      if (totalIsAtLeast) setMessage(t("More than {n} match. Choose fewer by a filter.", { n: formatNumber(MAX_SELECTED) }));
      else {
        const shown = new Set(page.records.map((record) => idOf(collection, record)));
        selections.put(collection, select(collection, new Map(), page.records), { query, total, shown });
      }
    } catch (error) {
      if (!control.signal.aborted) setMessage((error as Error).message);
    }
    setCounting(undefined);
  }

  const without = matching ? [...matching.shown].filter((id) => !selection.has(id)) : [];
  return {
    selectAll,
    stop: () => counting?.abort(),
    isCounting: counting !== undefined,
    message,
    chosen: matching && { query, without, total: Math.max(0, matching.total - without.length) },
    /** Only the records that are shown stay selected. */
    end: (next: Selection) => (matching ? selections.put(collection, next, "none") : onSelect(next)),
  };
}
