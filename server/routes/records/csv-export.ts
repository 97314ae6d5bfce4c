// A list as CSV, page after page as the reader takes it. Asks the store for pages only and holds no more than one.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { BOM, csvLine, guardFormula } from "../../../core/text/csv.ts";
import { sortValue } from "../../store/columns.ts";
import type { Page, Store } from "../../store/store.ts";

const CHUNK = 1_000; // records; one page from the store

export interface ExportOf {
  collection: Collection;
  page: Omit<Page, "limit">;
  fields: readonly string[];
  /** Rows at most; undefined: all. */
  most: number | undefined;
}

/** The header row first, the fields' names: they match on upload whatever the titles are. */
export async function* exportLines(store: Store, { collection, page, fields, most = Number.POSITIVE_INFINITY }: ExportOf) {
  yield BOM + csvLine(fields);
  let after = page.after;
  for (let left = most; left > 0; ) {
    const limit = Math.min(left, CHUNK);
    const { records, more } = await store.list(collection, { ...page, limit, ...(after && { after }) });
    if (records.length > 0) yield records.map((record) => csvLine(fields.map((name) => toCell(record, name)))).join("");
    const last = records.at(-1);
    if (!more || !last) return;
    left -= records.length;
    after = page.sort.map(({ name }) => sortValue(collection, last, name));
  }
}

function toCell(record: WireRecord, name: string): string {
  const value = record[name] ?? null;
  return value === null ? "" : guardFormula(String(value));
}
