// One page of a collection from SQLite: order, place and search as SQL. Decides nothing about who may see what.

import type { Database, Statement } from "libsql";
import type { Collection } from "../../dictionary/collections.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { type Cell, columnsOf, quoted, searchTableOf, sortColumn, stringFields, tableOf, toRecord } from "./columns.ts";
import { type KeysetTerm, orderBy, type Segment, segmentsAfter } from "./keyset.ts";
import type { Page } from "./store.ts";

const MAX_STATEMENTS = 200; // prepared and kept; orders come from outside, so their number must end somewhere

/** Answers up to `limit` records and whether there are more. */
export function createLister(db: Database): (collection: Collection, page: Page) => { records: WireRecord[]; more: boolean } {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statement = db.prepare(sql).raw();
      statements.set(sql, statement);
    }
    return statement;
  };
  return (collection, page) => {
    const hasText = stringFields(collection).length > 0;
    if (page.words.length > 0 && !hasText) return { records: [], more: false };
    const terms = page.sort.map((term) => toTerm(collection, term.name, term.descending));
    // The search table gives its ids in order by itself, so in the key's order it leads; otherwise they are gathered first.
    const [first] = terms;
    const bySearch = page.words.length > 0 && terms.length === 1;
    if (bySearch && first) first.column = `${searchTableOf(collection)}.rowid`;
    const segments: Segment[] = page.after ? segmentsAfter(terms, page.after) : [{ where: "", params: [] }];
    const rows: Cell[][] = [];
    for (const segment of segments) {
      const wanted = page.limit + 1 - rows.length;
      if (wanted <= 0) break;
      const found = searched(collection, segment, page.words, bySearch);
      const sql = `SELECT ${columnsOf(collection)} FROM ${found.from}${found.where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      rows.push(...(prepare(sql).all(...found.params, wanted) as Cell[][]));
    }
    return { records: rows.slice(0, page.limit).map((row) => toRecord(collection, row)), more: rows.length > page.limit };
  };
}

function toTerm(collection: Collection, name: string, descending: boolean): KeysetTerm {
  const field = collection.byName.get(name);
  if (!field) return { column: quoted(name), descending, nullable: false };
  return { column: sortColumn(field), descending, nullable: field.kind !== "string" && field !== collection.key };
}

function searched(collection: Collection, segment: Segment, words: readonly string[], bySearch: boolean) {
  const table = tableOf(collection);
  const own = segment.where ? [segment.where] : [];
  if (words.length === 0) return { from: table, where: clause(own), params: segment.params };
  const search = searchTableOf(collection);
  const key = quoted(collection.key.name);
  const match = words.map((word) => `"${word}"*`).join(" "); // words are letters and digits only; a space is AND
  if (bySearch) {
    const from = `${search} CROSS JOIN ${table} ON ${key} = ${search}.rowid`;
    return { from, where: clause([`${search} MATCH ?`, ...own]), params: [match, ...segment.params] };
  }
  const ids = `${key} IN (SELECT rowid FROM ${search} WHERE ${search} MATCH ?)`;
  return { from: table, where: clause([...own, ids]), params: [...segment.params, match] };
}

function clause(conditions: string[]): string {
  return conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
}
