// One page of a collection from SQLite: order, place and search as SQL. Decides nothing about who may see what.

import type { Database, Statement } from "libsql";
import type { Collection } from "../../dictionary/collections.ts";
import { type Cell, columnsOf, quoted, searchTableOf, searchWord, stringFields, tableOf, toRecord } from "./columns.ts";
import { toCondition } from "./filters.ts";
import { orderBy, type Segment, segmentsAfter, toTerm } from "./keyset.ts";
import type { Filter, Page, Selection } from "./store.ts";
import { type Found, hasWords, type Stride, walk } from "./walk.ts";

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
    if (isFiltered(page)) return filtered(collection, page);
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
    const rows = inOrder(collection, page, (segment, wanted) => {
      const found = searched(collection, [...filters, segment], page.words, bySearch);
      const sql = `SELECT ${columnsOf(collection)} FROM ${found.from}${found.where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      return prepare(sql).all(...found.params, wanted) as Cell[][];
    });
    return foundOf(collection, page, rows);
  }

  /**
   * SQLite guesses which is shorter: to walk along the order or to gather what the filters find, and a wrong guess reads all
   * there is. So the walk is tried as far as it is cheap; then a filter that few records meet, if there is one, gathers them.
   */
  async function filtered(collection: Collection, page: Page): Promise<Found> {
    const met = await walk(collection, page, async (step) => strided(collection, step));
    if (met) return met;
    const few = page.filters?.find((filter) => !isMetByMany(collection, filter));
    return few ? gathered(collection, page, few) : asked(collection, page);
  }

  /** Filters on what is sorted by cut the order short; the others are only asked of each record. */
  function strided(collection: Collection, page: Page): Stride {
    const terms = page.sort.map((term) => toTerm(collection, term));
    const [first] = page.sort;
    const isOrder = ({ name }: Filter) => name === first?.name;
    const { filters = [] } = page;
    const own = filterSegments(collection, { words: [], filters: filters.filter(isOrder) });
    const others = filterSegments(collection, { words: [], filters: filters.filter((filter) => !isOrder(filter)) });
    const met = others.map(({ where }) => where).join(" AND ") || "1";
    const asks = others.flatMap(({ params }) => params);
    const rows = inOrder(collection, page, (segment, wanted) => {
      const { where, params } = searched(collection, [...own, segment], [], false);
      const sql = `SELECT ${columnsOf(collection)}, ${met} FROM ${tableOf(collection)}${where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      return prepare(sql).all(...asks, ...params, wanted) as Cell[][];
    });
    return { ...foundOf(collection, page, rows), isMet: rows.slice(0, page.limit).map((row) => row.at(-1) === 1) };
  }

  /** All that meet `few`, then the rest of what is asked; the plus keeps the engine from walking along the order all the same. */
  function gathered(collection: Collection, page: Page, few: Filter): Found {
    const terms = page.sort.map((term) => toTerm(collection, term));
    const order = orderBy(terms.map((term) => ({ ...term, column: `+${term.column}` })));
    const [table, key] = [tableOf(collection), quoted(collection.key.name)];
    const { where: fewWhere, params: fewParams } = toCondition(collection, few);
    const from = `(SELECT ${key} AS ${FOUND} FROM ${table} WHERE ${fewWhere}) CROSS JOIN ${table} ON ${key} = ${FOUND}`;
    const others = filterSegments(collection, { words: [], filters: page.filters?.filter((filter) => filter !== few) ?? [] });
    const isAll = page.words.length > 0; // words are looked for in the records themselves: their index would be read whole
    const rows = inOrder(collection, page, (segment, wanted) => {
      const { where, params } = searched(collection, [...others, segment], [], false);
      const sql = `SELECT ${columnsOf(collection)} FROM ${from}${where} ORDER BY ${order} LIMIT ?`;
      const found = prepare(sql).all(...fewParams, ...params, isAll ? -1 : wanted) as Cell[][];
      return found.filter((row) => !isAll || hasWords(collection, toRecord(collection, row), page.words));
    });
    return foundOf(collection, page, rows);
  }

  function isMetByMany(collection: Collection, filter: Filter): boolean {
    const { where, params } = toCondition(collection, filter);
    const sql = `SELECT 1 FROM ${tableOf(collection)} WHERE ${where} LIMIT 1 OFFSET ${MANY_HITS}`;
    return prepare(sql).get(...params) !== undefined;
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

/** The page's rows and one more, if there is one, from one run of the order after the other. */
function inOrder(collection: Collection, { sort, after, limit }: Page, ask: (segment: Segment, wanted: number) => Cell[][]): Cell[][] {
  const terms = sort.map((term) => toTerm(collection, term));
  const segments: Segment[] = after ? segmentsAfter(terms, after) : [{ where: "", params: [] }];
  const rows: Cell[][] = [];
  for (const segment of segments) {
    const wanted = limit + 1 - rows.length;
    if (wanted <= 0) break;
    rows.push(...ask(segment, wanted));
  }
  return rows;
}

function foundOf(collection: Collection, { limit }: Page, rows: readonly Cell[][]): Found {
  return { records: rows.slice(0, limit).map((row) => toRecord(collection, row)), more: rows.length > limit };
}

/** Whether a filter is about something else than what the page is sorted by, or there are words besides. */
function isFiltered({ filters = [], sort, words }: Page): boolean {
  return filters.some(({ name }) => words.length > 0 || name !== sort[0]?.name);
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
