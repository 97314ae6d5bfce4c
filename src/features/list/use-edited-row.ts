// Keeps the row that is edited on the page, also when a newer page no longer has it: its text would go with it.

import { useEffect, useRef } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { idOf } from "../../api/records.ts";
import type { ListState } from "../../state/list-url.ts";
import type { ListPage } from "./use-list.ts";

/**
 * The records to show: those found, and the edited one where it stood before. Somebody may have moved or deleted it; saving finds
 * that out. Another address has its own rows.
 */
export function useEditedRow(
  collection: Collection,
  { shown, isStale }: Pick<ListPage, "shown" | "isStale">,
  state: ListState,
  id: number | undefined,
): readonly WireRecord[] | undefined {
  const records = shown?.records;
  const index = records?.findIndex((record) => idOf(collection, record) === id) ?? -1;
  const seen = useRef<{ state: ListState; record: WireRecord; index: number }>(undefined);
  useEffect(() => {
    const record = records?.[index];
    if (record && !isStale) seen.current = { state, record, index };
  }, [records, index, isStale, state]);
  const kept = seen.current;
  if (!records || index !== -1 || kept?.state !== state || idOf(collection, kept.record) !== id) return records;
  return [...records.slice(0, kept.index), kept.record, ...records.slice(kept.index)];
}
