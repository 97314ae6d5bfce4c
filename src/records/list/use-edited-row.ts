// Keeps edited rows on the page when a newer page no longer has them: text and focus would go with them.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { idOf, keys } from "../../service/records.ts";
import type { ListState } from "../query/list-url.ts";
import type { ListPage } from "./use-list.ts";

interface Place {
  record: WireRecord;
  index: number;
  /** The page that had it. */
  page: readonly WireRecord[];
}

interface ShownRows {
  records: readonly WireRecord[] | undefined;
  /** Rows that were saved and no longer belong to the page, as they are now. They stay until another address is shown. */
  left: ReadonlySet<number>;
}

/**
 * Returns the records to show: those found, and those that were edited where they stood before. Somebody may have moved or deleted the one
 * that is edited; saving finds that out. Another address has its own rows.
 */
export function useEditedRow(
  collection: Collection,
  { shown, isStale }: Pick<ListPage, "shown" | "isStale">,
  state: ListState,
  id: number | undefined,
): ShownRows {
  const queries = useQueryClient();
  const kept = useRef<{ state: ListState; places: Map<number, Place> }>({ state, places: new Map() });
  const page = shown?.records;
  useEffect(() => {
    if (kept.current.state !== state) kept.current = { state, places: new Map() };
    const { places } = kept.current;
    if (!page || isStale) return;
    for (const [index, record] of page.entries()) {
      const one = idOf(collection, record);
      if (one === id) places.set(one, { record, index, page });
      else if (places.get(one)?.page !== page) places.delete(one); // it was saved, and is still there
    }
  }, [collection, page, isStale, state, id]);
  const left = new Set<number>();
  if (!page || kept.current.state !== state) return { records: page, left };
  const there = new Set(page.map((record) => idOf(collection, record)));
  const records = [...page];
  for (const [one, { record, index }] of kept.current.places) {
    if (there.has(one)) continue;
    const now = queries.getQueryData<WireRecord | null>(keys.record(collection, one));
    const isSaved = now && now.version > record.version; // since the page was read
    if (isSaved || one === id) records.splice(index, 0, isSaved ? now : record);
    if (isSaved && one !== id) left.add(one);
  }
  return { records: records.length > page.length ? records : page, left };
}
