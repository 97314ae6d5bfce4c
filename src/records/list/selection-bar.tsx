// Actions for the selected records, at the bottom of the screen.

import { useEffect, useRef, useState } from "react";
import { allRecords } from "../../../client/read-records.ts";
import { MOST_MERGED } from "../../../core/contract/merges.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { openedPart } from "../../app/code/lazy-page.tsx";
import { Link } from "../../app/router/link.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { idOf, type Page } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import { useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { type ListState, matchQuery } from "../query/list-url.ts";
import { type Selection, select } from "../query/selection.ts";
import * as styles from "./selection-bar.module.css";

const BulkDialog = openedPart(() => import("../bulk/bulk-dialog.tsx"), "BulkDialog");

const MAX_SELECTED = 100_000; // records held in memory

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
  const { readAll, stop, isReading, message } = useSelectMatching(collection, state, selection, onSelect);
  const here = page.records.filter((record) => selection.has(record[collection.key.name] as number)).length;
  const elsewhere = selection.size - here;
  const isMore = page.next !== undefined || page.prev !== undefined;
  return (
    <section className={styles.bar} data-selection-bar="" aria-label={t("Selection")}>
      <span role="status">
        <b>{count(selection.size, "{n} selected", "{n} selected")}</b>
        {elsewhere > 0 && <span className={textStyles.dim}>{count(elsewhere, ", {n} not on this page", ", {n} not on this page")}</span>}
        {message && <span className={textStyles.error}> {message}</span>}
      </span>
      {here < page.records.length && <PickPage onPick={() => onSelect(select(collection, selection, page.records))} />}
      {isMore && (
        <button type="button" className={buttonStyles.quiet} onClick={isReading ? stop : readAll}>
          {isReading ? t("Stop") : t("Select all that match")}
        </button>
      )}
      <span className={styles.actions}>
        {may("update") && (
          <button type="button" onPointerEnter={BulkDialog.preload} onFocus={BulkDialog.preload} onClick={() => setVerb("change")}>
            {t("Change…")}
          </button>
        )}
        {may("update") && may("delete") && selection.size > 1 && selection.size <= MOST_MERGED && (
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
        <BulkDialog collection={collection} verb={verb} selection={selection} onSelect={onSelect} onClose={() => setVerb(undefined)} />
      )}
    </section>
  );
}

/** On a phone, where the table has no heading with a box for that. */
function PickPage({ onPick }: { onPick: () => void }) {
  useFocusFallback("[data-selection-bar] button");
  return (
    <button type="button" className={`${buttonStyles.quiet} ${styles.page}`} onClick={onPick}>
      {t("Select this page")}
    </button>
  );
}

function useSelectMatching(collection: Collection, state: ListState, selection: Selection, onSelect: (selection: Selection) => void) {
  const { client } = useServices();
  const [reading, setReading] = useState<AbortController>();
  const [message, setAnnouncement] = useState<string>();
  const latestReading = useRef(reading);
  latestReading.current = reading;
  const latestSelection = useRef(selection); // rows can be picked and removed while all are read
  latestSelection.current = selection;
  useEffect(() => () => latestReading.current?.abort(), []);

  async function readAll(): Promise<void> {
    const control = new AbortController();
    setReading(control);
    setAnnouncement(undefined);
    let all = latestSelection.current;
    const takenOff = new Set<number>();
    try {
      // By key, which never changes: in another order a record that someone saves in the meantime could be missed.
      const query = { sort: collection.key.name, ...matchQuery(collection, state) };
      for await (const records of allRecords(client, collection.name, query, control.signal)) {
        for (const id of all.keys()) if (!latestSelection.current.has(id)) takenOff.add(id);
        all = select(
          collection,
          latestSelection.current,
          records.filter((record) => !takenOff.has(idOf(collection, record))),
        );
        onSelect(all);
        if (all.size <= MAX_SELECTED) continue;
        setAnnouncement(t("At most {n} records can be selected; these are the first.", { n: formatNumber(MAX_SELECTED) }));
        break;
      }
    } catch (error) {
      if (!control.signal.aborted) setAnnouncement((error as Error).message);
    }
    setReading(undefined);
  }
  return { readAll, stop: () => reading?.abort(), isReading: reading !== undefined, message };
}
