// One page of a collection from SQLite: order, place and search as SQL. Decides nothing about who may see what.

import type { Database, Statement } from "libsql";
import type { Collection } from "../../dictionary/collections.ts";
import { type Cell, columnsOf, quoted, searchTableOf, searchWord, stringFields, tableOf, toRecord } from "./columns.ts";
import { toCondition } from "./filters.ts";
import { orderBy, type Segment, segmentsAfter, toTerm } from "./keyset.ts";
import type { Page, Selection } from "./store.ts";
import { type Found, walk } from "./walk.ts";

const MANY_HITS = 20_000; // records; gathering them takes as long as a walk
const MAX_STATEMENTS = 200; // prepared and kept; orders come from outside, so their number must end somewhere

const FOUND = quoted("$found"); // $ cannot occur in a field's name

export interface Lister {
  /** Answers up to `limit` records and whether there are more. */
  list(collection: Collection, page: Page): Promise<Found>;
  count(collection: Collection, selection: Selection): number;
}

export function createLister(db: Database): Lister {
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
  async function list(collection: Collection, page: Page): Promise<Found> {
    if (findsNothing(collection, page)) return { records: [], more: false };
    const isWalked = page.sort.length > 1 && page.words.every((word) => isCommon(collection, word));
    const met = isWalked ? await walk(collection, page, async (step) => asked(collection, step)) : undefined;
    return met ?? asked(collection, page);
  }

  function asked(collection: Collection, page: Page): Found {
    const terms = page.sort.map((term) => toTerm(collection, term));
    // The search table gives its ids in order by itself, so in the key's order it leads; otherwise they are gathered first.
    const [first] = terms;
    const bySearch = page.words.length > 0 && terms.length === 1;
    if (bySearch && first) first.column = FOUND;
    const filters = filterSegments(collection, page);
    const segments: Segment[] = page.after ? segmentsAfter(terms, page.after) : [{ where: "", params: [] }];
    const rows: Cell[][] = [];
    for (const segment of segments) {
      const wanted = page.limit + 1 - rows.length;
      if (wanted <= 0) break;
      const found = searched(collection, [...filters, segment], page.words, bySearch);
      const sql = `SELECT ${columnsOf(collection)} FROM ${found.from}${found.where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      rows.push(...(prepare(sql).all(...found.params, wanted) as Cell[][]));
    }
    return { records: rows.slice(0, page.limit).map((row) => toRecord(collection, row)), more: rows.length > page.limit };
  }
  function isCommon(collection: Collection, word: string): boolean {
    const search = searchTableOf(collection);
    const sql = `SELECT rowid FROM ${search} WHERE ${search} MATCH ? LIMIT 1 OFFSET ${MANY_HITS}`;
    return prepare(sql).get([toMatch([word])]) !== undefined;
  }

  function count(collection: Collection, selection: Selection): number {
    if (findsNothing(collection, selection)) return 0;
    const { words, filters = [] } = selection;
    if (words.length > 0 && filters.length === 0) {
      const search = searchTableOf(collection); // alone it counts ten times as fast as with the table beside it
      const [hits] = prepare(`SELECT count(*) FROM ${search} WHERE ${search} MATCH ?`).get([toMatch(words)]) as [number];
      return hits;
    }
    const found = searched(collection, filterSegments(collection, selection), selection.words, false);
    const [n] = prepare(`SELECT count(*) FROM ${found.from}${found.where}`).get(...found.params) as [number];
    return n;
  }
  return { list, count };
}

function findsNothing(collection: Collection, { words }: Selection): boolean {
  return words.length > 0 && stringFields(collection).length === 0;
}

function filterSegments(collection: Collection, { filters = [] }: Selection): Segment[] {
  return filters.map((filter) => toCondition(collection, filter)) as Segment[];
}

function searched(collection: Collection, segments: readonly Segment[], words: readonly string[], bySearch: boolean) {
  const table = tableOf(collection);
  const own = segments.flatMap(({ where }) => (where ? [where] : []));
  const params = segments.flatMap((segment) => segment.params);
  if (words.length === 0) return { from: table, where: clause(own), params };
  const search = searchTableOf(collection);
  const key = quoted(collection.key.name);
  const match = toMatch(words);
  if (bySearch) {
    // Only the id comes out of the search table: a field may be named as one of its columns (words, rank).
    const from = `(SELECT rowid AS ${FOUND} FROM ${search} WHERE ${search} MATCH ?) CROSS JOIN ${table} ON ${key} = ${FOUND}`;
    return { from, where: clause(own), params: [match, ...params] };
  }
  const ids = `${key} IN (SELECT rowid FROM ${search} WHERE ${search} MATCH ?)`;
  return { from: table, where: clause([...own, ids]), params: [...params, match] };
}

/** Words are letters and digits only; a space is AND. */
function toMatch(words: readonly string[]): string {
  return words.map((word) => `"${searchWord(word)}"*`).join(" ");
}

function clause(conditions: string[]): string {
  return conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
}
