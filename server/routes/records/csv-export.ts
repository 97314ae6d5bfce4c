// A list as CSV, read page by page as the client reads, with one page in memory.

import { Readable } from "node:stream";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { textOfValue } from "../../../core/dictionary/kinds.ts";
import { BOM, csvLine, guardFormula } from "../../../core/text/csv.ts";
import { httpErrors } from "../../http/errors.ts";
import { sortValue } from "../../store/columns.ts";
import type { Page, ReadOptions, Store } from "../../store/store.ts";

const CHUNK = 500; // records; one page from the store. Larger ones would keep other requests waiting while they become text

/** The exports that are under way. */
export interface Exports {
  /** The lines as a stream, which counts as an export of `owner` until it is closed. Throws 429 when `owner` has too many. */
  begin(owner: string, lines: AsyncIterable<string>): Readable;
}

export function createExports(mostPerOwner: number): Exports {
  const running = new Map<string, number>();
  return {
    begin(owner, lines) {
      const before = running.get(owner) ?? 0;
      if (before >= mostPerOwner) throw httpErrors.tooManyExports(mostPerOwner);
      running.set(owner, before + 1);
      const stream = Readable.from(lines);
      stream.once("close", () => {
        const left = (running.get(owner) ?? 1) - 1;
        if (left > 0) running.set(owner, left);
        else running.delete(owner);
      });
      return stream;
    },
  };
}

export interface ExportQuery {
  collection: Collection;
  page: Omit<Page, "limit">;
  fields: readonly string[];
  /** Undefined: all. */
  maxRows: number | undefined;
  options: ReadOptions;
}

/** The lines of the file. The header row has the fields' names, which an upload recognises in every language. */
export async function* exportLines(store: Store, { collection, page, fields, maxRows = Number.POSITIVE_INFINITY, options }: ExportQuery) {
  yield BOM + csvLine(fields);
  let after = page.after;
  for (let left = maxRows; left > 0; ) {
    const limit = Math.min(left, CHUNK);
    const { records, more } = await store.list(collection, { ...page, limit, ...(after && { after }) }, options);
    if (records.length > 0) yield records.map((record) => csvLine(fields.map((name) => csvCell(collection, record, name)))).join("");
    const last = records.at(-1);
    if (!more || !last) return;
    left -= records.length;
    after = page.sort.map(({ name }) => sortValue(collection, last, name));
  }
}

function csvCell({ byName }: Collection, record: WireRecord, name: string): string {
  const value = record[name] ?? null;
  if (value === null) return "";
  if (typeof value === "object") return guardFormula(value.name);
  const field = byName.get(name);
  return guardFormula(field ? textOfValue(field.kind, value) : String(value));
}
