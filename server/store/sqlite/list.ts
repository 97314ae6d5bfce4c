// One page of a collection from SQLite: order, place and search as SQL. Decides nothing about who may see what.

import type { Database, Statement } from "libsql";
import type { Collection } from "../../../core/dictionary/collections.ts";
import {
  type Cell,
  columnsOf,
  MAX_SORT_KEY,
  quoted,
  searchedFields,
  searchTableOf,
  searchWord,
  sortColumn,
  tableOf,
  toRecord,
} from "../columns.ts";
import { toCondition } from "../filter-sql.ts";
import { orderBy, type Segment, segmentsAfter, toTerm } from "../keyset.ts";
import { type Found, hasWords, type Met, scanAlong, scanInOrder } from "../scan-in-order.ts";
import type { Filter, Page, Selection } from "../store.ts";

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
    const isChosen = isFiltered(page);
    // Searched in the key's order, the search table gives its ids by itself.
    const isWalked = isChosen || (page.words.length > 0 && page.sort.length > 1);
    const met = isWalked ? await scanInOrder(page, (within) => near(collection, page, within)) : undefined;
    if (met) return met;
    const few = isChosen ? page.filters?.find((filter) => !isMetByMany(collection, filter)) : undefined;
    return few ? gathered(collection, page, few) : asked(collection, page);
  }

  /**
   * Read in the order's own index, which the outer SELECT keeps. Left to itself SQLite guesses whether to walk along the
   * order or to gather what the filters find, and a wrong guess reads all there is.
   */
  function near(collection: Collection, page: Page, within: number): Promise<Met> {
    const order = orderBy(page.sort.map((term) => toTerm(collection, term)));
    const { filters = [], words } = page;
    // Filters on what is sorted by cut the order short; the others are only asked of each record.
    const isOrder = ({ name }: Filter) => name === page.sort[0]?.name;
    const own = filterSegments(collection, filters.filter(isOrder));
    const others = filterSegments(
      collection,
      filters.filter((filter) => !isOrder(filter)),
    );
    if (words.length > 0) others.push(mayHave(collection, words));
    const asks = others.flatMap(({ params }) => params);
    return scanAlong(placesOf(collection, page), page.limit, (place, wanted) => {
      const most = words.length > 0 ? 2 * wanted : wanted; // what SQL lets through is looked at once more
      const { from, where, params } = searched(collection, [...own, place], [], false);
      const sql = `SELECT ${columnsOf(collection)} FROM (SELECT * FROM ${from}${where} ORDER BY ${order} LIMIT ?)${clause(others.map(({ where }) => where))} LIMIT ?`;
      const rows = prepare(sql).all(...params, within, ...asks, most) as Cell[][];
      const read = rows.map((row) => toRecord(collection, row));
      const records = words.length > 0 ? read.filter((record) => hasWords(collection, record, words)) : read;
      const isCut = () => prepare(`SELECT 1 FROM ${from}${where} LIMIT 1 OFFSET ?`).get(...params, within) !== undefined;
      return { records: records.slice(0, wanted), isEnd: rows.length < most && !isCut() };
    });
  }

  function asked(collection: Collection, page: Page): Found {
    const terms = page.sort.map((term) => toTerm(collection, term));
    // The search table gives its ids in order by itself, so in the key's order it leads; otherwise they are gathered first.
    const [first] = terms;
    const bySearch = page.words.length > 0 && terms.length === 1;
    if (bySearch && first) first.column = FOUND;
    const filters = filterSegments(collection, page.filters);
    const rows = inOrder(collection, page, (segment, wanted) => {
      const found = searched(collection, [...filters, segment], page.words, bySearch);
      const sql = `SELECT ${columnsOf(collection)} FROM ${found.from}${found.where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      return prepare(sql).all(...found.params, wanted) as Cell[][];
    });
    return foundOf(collection, page, rows);
  }

  /** All that meet `few`, then the rest of what is asked; the plus keeps the engine from walking along the order all the same. */
  function gathered(collection: Collection, page: Page, few: Filter): Found {
    const terms = page.sort.map((term) => toTerm(collection, term));
    const order = orderBy(terms.map((term) => ({ ...term, column: `+${term.column}` })));
    const [table, key] = [tableOf(collection), quoted(collection.key.name)];
    const { where: fewWhere, params: fewParams } = toCondition(collection, few);
    const from = `(SELECT ${key} AS ${FOUND} FROM ${table} WHERE ${fewWhere}) CROSS JOIN ${table} ON ${key} = ${FOUND}`;
    const others = filterSegments(
      collection,
      page.filters?.filter((filter) => filter !== few),
    );
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

  function count(collection: Collection, selection: Selection): number {
    if (findsNothing(collection, selection)) return 0;
    const { words, filters = [] } = selection;
    if (words.length > 0 && filters.length === 0) {
      const search = searchTableOf(collection); // alone it counts ten times as fast as with the table beside it
      const [hits] = prepare(`SELECT count(*) FROM ${search} WHERE ${search} MATCH ?`).get([toMatch(words)]) as [number];
      return hits;
    }
    // Without a filter that few records meet, what the words find is the shorter way; SQLite would guess.
    const bySearch = words.length > 0 && filters.every((filter) => isMetByMany(collection, filter));
    const found = searched(collection, filterSegments(collection, filters), words, bySearch);
    const [n] = prepare(`SELECT count(*) FROM ${found.from}${found.where}`).get(...found.params) as [number];
    return n;
  }
  return { list, count };
}

/** The page's rows and one more, if there is one, from one run of the order after the other. */
function inOrder(collection: Collection, page: Page, ask: (segment: Segment, wanted: number) => Cell[][]): Cell[][] {
  const rows: Cell[][] = [];
  for (const segment of placesOf(collection, page)) {
    const wanted = page.limit + 1 - rows.length;
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
  return words.length > 0 && searchedFields(collection).length === 0;
}

/** The runs of the order in which the page may lie. */
function placesOf(collection: Collection, { sort, after }: Page): Segment[] {
  const terms = sort.map((term) => toTerm(collection, term));
  return after ? segmentsAfter(terms, after) : [{ where: "", params: [] }];
}

/**
 * What every record with these words passes, and few others, by the sort keys that stand in the table: the word stands
 * there, after something that no ASCII word has in it. A key that was cut (MAX_SORT_KEY) may have lost the word.
 */
function mayHave(collection: Collection, words: readonly string[]): Segment {
  const keys = searchedFields(collection).map(sortColumn);
  const text = keys.map((key) => `' ' || ${key}`).join(" || ");
  const some = keys.map((key) => `instr(${key}, ?)`).join(" OR ");
  const cut = keys.map((key) => `length(${key}) >= ${MAX_SORT_KEY / 2}`).join(" OR "); // characters: two units each at most
  const asked = words.map(searchWord);
  return {
    where: `(${cut} OR ${asked.map(() => `(${some}) AND (${text}) GLOB ?`).join(" AND ")})`,
    params: asked.flatMap((word) => [...keys.map(() => word), `*[^a-z0-9]${word}*`]),
  };
}

function filterSegments(collection: Collection, filters: readonly Filter[] = []): Segment[] {
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
