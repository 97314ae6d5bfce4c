// A list as CSV, read page by page as the client reads, with one page in memory.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { BOM, csvLine, guardFormula } from "../../../core/text/csv.ts";
import { sortValue } from "../../store/columns.ts";
import type { Page, Store } from "../../store/store.ts";

const CHUNK = 1_000; // records; one page from the store

export interface ExportQuery {
  collection: Collection;
  page: Omit<Page, "limit">;
  fields: readonly string[];
  /** Undefined: all. */
  maxRows: number | undefined;
}

/** The lines of the file. The header row has the fields' names, which an upload recognises in every language. */
export async function* exportLines(store: Store, { collection, page, fields, maxRows = Number.POSITIVE_INFINITY }: ExportQuery) {
  yield BOM + csvLine(fields);
  let after = page.after;
  for (let left = maxRows; left > 0; ) {
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
