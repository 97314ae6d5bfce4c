// Pages and counts of a collection from SQLite.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Value } from "../../../core/dictionary/kinds.ts";
import {
  type Cell,
  columnOf,
  columnsOf,
  foldedFields,
  isFolded,
  MAX_SORT_KEY,
  PRINCIPAL_COLUMNS,
  quoted,
  searchTableOf,
  sortColumn,
  tableOf,
  toRecord,
} from "../columns.ts";
import { type Condition, indexedCondition, isInKeyOrder, shortensScan, toCondition } from "../filter-sql.ts";
import {
  isByParent,
  orderBy,
  type Segment,
  segmentsAfter,
  segmentsByParent,
  segmentsWithParents,
  toTerm,
  withFirst,
  withoutFirst,
} from "../keyset.ts";
import { type NearGroup, type NearQuery, nearSearches, withoutCovered } from "../near-search.ts";
import { type Found, hasWords, type Scanned, scanInOrder, scanSegments } from "../scan-in-order.ts";
import { isDate, searchedFields, searchWord, valuesWithLabel } from "../search-words.ts";
import type { CountedSelection, Filter, Page, Selection } from "../store.ts";
import type { SummarySql } from "../summary.ts";
import { orderIndexOf } from "./schema.ts";

const MANY_HITS = 20_000; // records; sorting that many takes as long as scanning the order

const FOUND = quoted("$found"); // $ cannot occur in a field's name

export interface Lister {
  /** Returns up to `limit` records, and whether there are more. */
  list(collection: Collection, page: Page): Promise<Found>;
  count(collection: Collection, selection: CountedSelection): Promise<number>;
  /** Lists other searches that find something. */
  near(collection: Collection, query: NearQuery): Promise<string[]>;
}

/** All rows of a query, whose parameters stand as `?`. */
export type QueryRows = (sql: string, params: readonly unknown[]) => Promise<Cell[][]>;

export function createLister(query: QueryRows): Lister {
  async function list(collection: Collection, page: Page): Promise<Found> {
    return withoutFirst(page, await listFrom(collection, withFirst(page)));
  }

  async function listFrom(collection: Collection, page: Page): Promise<Found> {
    if (findsNothing(collection, page)) return { records: [], more: false };
    if (page.sort.some(({ through }) => through)) return listByParent(collection, page);
    const hasOtherFilter = filtersBesidesSort(page);
    // In the key's order a search needs no scan: the search table is in that order itself.
    const isScanned = hasOtherFilter || (page.words.length > 0 && page.sort.length > 1);
    const scanned = isScanned ? await scanInOrder(page, (within) => scan(collection, page, within)) : undefined;
    if (scanned) return scanned;
    const few = hasOtherFilter ? await findRare(collection, page.filters) : undefined;
    return few ? listByFilter(collection, page, few) : listByIndex(collection, page);
  }

  /**
   * Reads `within` records in the index of the order and filters them; the outer SELECT keeps their order. Without the inner
   * SELECT SQLite guesses between scanning the order and using a filter's index, and a wrong guess reads the whole table.
   */
  function scan(collection: Collection, page: Page, within: number): Promise<Scanned> {
    const order = orderBy(page.sort.map((term) => toTerm(collection, term)));
    const { filters = [], words } = page;
    // Filters on the sorted field shorten the scan; the others are checked on each record.
    const isOnSort = (filter: Filter) => shortensScan(filter, page);
    const own = filterSegments(collection, filters.filter(isOnSort));
    const others = filterSegments(
      collection,
      filters.filter((filter) => !isOnSort(filter)),
    );
    if (words.length > 0) others.push(mayHaveWords(collection, words));
    const otherParams = others.flatMap(({ params }) => params);
    return scanSegments(pageSegments(collection, page), page.limit, async (segment, wanted) => {
      const most = words.length > 0 ? 2 * wanted : wanted; // the condition in SQL is only approximate (mayHaveWords)
      const { from, where, params } = searched(collection, [...own, segment], [], false);
      const sql = `SELECT ${columnsOf(collection)} FROM (SELECT * FROM ${from}${where} ORDER BY ${order} LIMIT ?)${clause(others.map(({ where }) => where))} LIMIT ?`;
      const rows = await query(sql, [...params, within, ...otherParams, most]);
      const found = rows.map((row) => toRecord(collection, row));
      const records = words.length > 0 ? found.filter((record) => hasWords(collection, record, words)) : found;
      const hasMore = async () => (await query(`SELECT 1 FROM ${from}${where} LIMIT 1 OFFSET ?`, [...params, within])).length > 0;
      return { records: records.slice(0, wanted), isEnd: rows.length < most && !(await hasMore()) };
    });
  }

  /** Reads the page by the indexes that SQLite chooses. */
  async function listByIndex(collection: Collection, page: Page): Promise<Found> {
    const terms = page.sort.map((term) => toTerm(collection, term));
    // The search table is in the key's order, so for that order it comes first; otherwise its hits are sorted.
    const [first] = terms;
    const bySearch = page.words.length > 0 && terms.length === 1;
    if (bySearch && first) first.column = FOUND;
    const filters = filterSegments(collection, page.filters);
    const rows = await inOrder(page, pageSegments(collection, page), (segment, wanted) => {
      const source = searched(collection, [...filters, segment], page.words, bySearch);
      const sql = `SELECT ${columnsOf(collection)} FROM ${source.from}${source.where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      return query(sql, [...source.params, wanted]);
    });
    return foundOf(collection, page, rows);
  }

  /** Reads all records that meet `few`, then checks the rest. The plus in ORDER BY keeps SQLite from scanning the order instead. */
  async function listByFilter(collection: Collection, page: Page, few: Filter): Promise<Found> {
    const terms = page.sort.map((term) => toTerm(collection, term));
    const order = orderBy(terms.map((term) => ({ ...term, column: `+${term.column}` })));
    const [table, key] = [tableOf(collection), columnOf(collection.key)];
    const { where: fewWhere, params: fewParams } = toCondition(collection, few);
    const from = `(SELECT ${key} AS ${FOUND} FROM ${table} WHERE ${fewWhere}) CROSS JOIN ${table} ON ${key} = ${FOUND}`;
    const others = filterSegments(
      collection,
      page.filters?.filter((filter) => filter !== few),
    );
    // Words are searched in the records themselves, because their index would be read whole.
    const { words } = page;
    if (words.length > 0) others.push(mayHaveWords(collection, words));
    const rows = await inOrder(page, pageSegments(collection, page), async (segment, wanted) => {
      const { where, params } = searched(collection, [...others, segment], [], false);
      const sql = `SELECT ${columnsOf(collection)} FROM ${from}${where} ORDER BY ${order} LIMIT ?`;
      const read = (most: number) => query(sql, [...fewParams, ...params, most]);
      if (words.length === 0) return read(wanted);
      const have = (row: Cell[]) => hasWords(collection, toRecord(collection, row), words);
      const first = await read(2 * wanted); // the condition in SQL is only approximate (mayHaveWords)
      const found = first.filter(have);
      return found.length >= wanted || first.length < 2 * wanted ? found.slice(0, wanted) : (await read(-1)).filter(have);
    });
    return foundOf(collection, page, rows);
  }

  /** Sorts by values of parents: few matches are sorted, and for many the parents are walked in their own order. */
  async function listByParent(collection: Collection, page: Page): Promise<Found> {
    const isWalked = isByParent(page) && (await hasMany(collection, page));
    const segments = isWalked ? segmentsByParent(collection, page) : segmentsWithParents(collection, page);
    const filters = filterSegments(collection, page.filters);
    const rows = await inOrder(page, segments, (segment, wanted) => {
      const { from: table, where, params } = searched(collection, [...filters, segment], page.words, false);
      const { walked, joins, terms } = segment;
      // SQLite would guess the index, and for each parent read all that meet a filter.
      const from = walked
        ? `${walked.parents} CROSS JOIN ${table} INDEXED BY ${indexOfParent(collection, page)} ON ${walked.isOwn}`
        : table;
      const sql = `SELECT ${columnsOf(collection)} FROM ${from}${joins}${where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      return query(sql, [...params, wanted]);
    });
    return foundOf(collection, page, rows);
  }

  /** Is true where so many records match that sorting them takes longer than reading them in an order. */
  async function hasMany(collection: Collection, { words, filters = [] }: Selection): Promise<boolean> {
    if (await findRare(collection, filters)) return false;
    if (filters.length > 0 && words.length === 0) return true;
    const search = searchTableOf(collection);
    const [source, params] = words.length > 0 ? [`${search} WHERE ${search} MATCH ?`, [toMatch(words)]] : [tableOf(collection), []];
    return (await query(`SELECT 1 FROM ${source} LIMIT 1 OFFSET ${MANY_HITS}`, params)).length > 0;
  }

  /** Returns the first filter that few records meet, if there is one. */
  async function findRare(collection: Collection, filters: readonly Filter[] = []): Promise<Filter | undefined> {
    for (const filter of filters) if (!(await isCommon(collection, filter))) return filter;
    return undefined;
  }

  async function isCommon(collection: Collection, filter: Filter): Promise<boolean> {
    const { where, params } = indexedCondition(collection, filter);
    const sql = `SELECT 1 FROM ${tableOf(collection)} WHERE ${where} LIMIT 1 OFFSET ${MANY_HITS}`;
    return (await query(sql, params)).length > 0;
  }

  async function count(collection: Collection, selection: CountedSelection): Promise<number> {
    if (findsNothing(collection, selection)) return 0;
    const { words, filters = [], most } = selection;
    // SQLite counts a whole table faster than its first million rows.
    const limit = most === undefined || words.length + filters.length === 0 ? "" : ` LIMIT ${most + 1}`;
    const counting = (source: string) => `SELECT count(*) FROM (SELECT 1 FROM ${source}${limit})`;
    if (words.length > 0 && filters.length === 0) {
      const search = searchTableOf(collection); // alone it counts ten times as fast as joined with the table
      return counted(await query(counting(`${search} WHERE ${search} MATCH ?`), [toMatch(words)]));
    }
    if (words.length + filters.length === 0) return counted(await query(`SELECT count(*) FROM ${tableOf(collection)}`, []));
    // If every filter is common, starting from the search is faster; SQLite itself would guess.
    const bySearch = words.length > 0 && !(await findRare(collection, filters));
    const source = searched(collection, filterSegments(collection, filters), words, bySearch);
    return counted(await query(counting(`${source.from}${source.where}`), source.params));
  }

  /**
   * Whole words come first, if there are enough of them: FTS5 reads a beginning to its end, however few records are wanted, and each
   * beginning takes its time. The words of a record stand in its table alone: the search table has no contents.
   */
  async function findNear(collection: Collection, groups: readonly NearGroup[], most: number) {
    const [table, search, key] = [tableOf(collection), searchTableOf(collection), columnOf(collection.key)];
    const hits = `SELECT rowid AS ${FOUND} FROM ${search} WHERE ${search} MATCH ? LIMIT ?`;
    const sql = `SELECT ${columnsOf(collection)} FROM (${hits}) CROSS JOIN ${table} ON ${key} = ${FOUND}`;
    const whole = await query(sql, [toNearMatch(groups, false), most]);
    const hasBegins = groups.flat(2).some(({ isBegin }) => isBegin);
    const rows = whole.length === most || !hasBegins ? whole : await query(sql, [toNearMatch(groups.map(withoutCovered)), most]);
    return rows.map((row) => toRecord(collection, row));
  }
  return {
    list,
    count,
    near: (collection, asked) => nearSearches(collection, asked, (groups, most) => findNear(collection, groups, most)),
  };
}

/** Returns the page's rows and one more, if there is one, read segment by segment. */
async function inOrder<Part extends Segment>(
  { limit }: Page,
  segments: readonly Part[],
  read: (segment: Part, wanted: number) => Promise<Cell[][]>,
): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const segment of segments) {
    const wanted = limit + 1 - rows.length;
    if (wanted <= 0) break;
    rows.push(...(await read(segment, wanted)));
  }
  return rows;
}

/** Returns the index by which the records of a parent are found. */
function indexOfParent(collection: Collection, { sort: [first] }: Page): string {
  return orderIndexOf(collection, collection.byName.get(first?.through?.field ?? "") as Field);
}

function counted([row]: Cell[][]): number {
  return Number(row?.[0]);
}

function foundOf(collection: Collection, { limit }: Page, rows: readonly Cell[][]): Found {
  return { records: rows.slice(0, limit).map((row) => toRecord(collection, row)), more: rows.length > limit };
}

/** Is true where there is a filter that the index of the page's order does not answer, or there are words as well. */
function filtersBesidesSort(page: Page): boolean {
  const { filters = [], words, sort } = page;
  const [only] = filters;
  const isOne = words.length === 0 && sort.length === 1 && filters.length === 1;
  if (isOne && only && isInKeyOrder(only) && !PRINCIPAL_COLUMNS.includes(only.name)) return false; // principals may have several numbers
  return filters.some((filter) => words.length > 0 || !shortensScan(filter, page));
}

function findsNothing(collection: Collection, { words }: Selection): boolean {
  return words.length > 0 && searchedFields(collection).length === 0;
}

/** Returns the segments of the order in which the page lies. */
function pageSegments(collection: Collection, { sort, after }: Page): Segment[] {
  const terms = sort.map((term) => toTerm(collection, term));
  return after ? segmentsAfter(terms, after) : [{ where: "", params: [] }];
}

const MOST_WORDS = 50; // a statement may have 32,766 variables: one for each field and word

/**
 * Writes a condition on the sort keys that every record with these words meets, and few others: the word follows a character that
 * no ASCII word contains. A sort key that was cut (MAX_SORT_KEY) may have lost the word, so it always meets the condition; so does a
 * value with the word in a label, and any phone number or date if the word is of digits, which are found however they are grouped.
 */
function mayHaveWords(collection: Collection, words: readonly string[]): Segment {
  const keys = foldedFields(collection).map(sortColumn);
  const text = keys.map((key) => `' ' || ${key}`).join(" || ");
  const some = keys.map((key) => `instr(${key}, ?)`).join(" OR ");
  const numbers = collection.fields.filter((field) => field.format === "phone" || isDate(field)).map(columnOf);
  const texts = collection.fields.filter(({ item }) => item && isFolded(item)).map((field) => `${columnOf(field)} IS NOT NULL`); // they have no sort key
  const cut = keys.map((key) => `length(${key}) >= ${MAX_SORT_KEY / 2}`); // characters: two units each at most
  const each = words
    .slice(0, MOST_WORDS)
    .map(searchWord)
    .map((word): Segment => {
      const labelled = withLabel(collection, word);
      const dialled = /^d?[0-9]+$/.test(word) ? numbers.map((name) => `${name} IS NOT NULL`) : [];
      const inText = keys.length > 0 ? [`(${some}) AND (${text}) GLOB ?`] : [];
      return {
        where: `(${[...inText, ...texts, ...labelled.map(({ where }) => where), ...dialled, "0"].join(" OR ")})`,
        params: [
          ...(keys.length > 0 ? [...keys.map(() => word), `*[^a-z0-9]${/^[1-9]/.test(word) ? "*" : ""}${word}*`] : []),
          ...labelled.flatMap(({ params }) => params as Value[]),
        ],
      };
    });
  return {
    where: `(${[...cut, each.map(({ where }) => where).join(" AND ")].join(" OR ")})`,
    params: each.flatMap(({ params }) => params),
  };
}

/** Returns the values of closed lists with a label of which a word begins with this one. */
function withLabel(collection: Collection, word: string): Condition[] {
  return collection.fields.flatMap((field) => {
    const { kind } = field.item ?? field;
    const values = valuesWithLabel(field.item ?? field, word).map((value) => KIND_TRAITS[kind].fromText(value) ?? value);
    if (values.length === 0) return [];
    if (field.item) return toCondition(collection, { name: field.name, operator: "hasAny", values });
    const cells = values as Cell[];
    return { where: `${columnOf(field)} IN (${values.map(() => "?").join(", ")})`, params: cells };
  });
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
  const key = columnOf(collection.key);
  const match = toMatch(words);
  if (bySearch) {
    // Only the id is selected: a field may have the name of a column of the search table (words, rank).
    const from = `(SELECT rowid AS ${FOUND} FROM ${search} WHERE ${search} MATCH ?) CROSS JOIN ${table} ON ${key} = ${FOUND}`;
    return { from, where: clause(own), params: [match, ...params] };
  }
  return { from: table, where: clause([...own, foundBySearch(collection)]), params: [...params, match] };
}

export const SUMMARY_SQL: SummarySql = {
  engine: "sqlite",
  search: (collection, words) =>
    findsNothing(collection, { words }) ? { where: "1 = 0", params: [] } : { where: foundBySearch(collection), params: [toMatch(words)] },
};

function foundBySearch(collection: Collection): string {
  const search = searchTableOf(collection);
  return `${columnOf(collection.key)} IN (SELECT rowid FROM ${search} WHERE ${search} MATCH ?)`;
}

/** Writes an FTS5 query: every word is a prefix, a space means AND. Words are letters and digits only. */
function toMatch(words: readonly string[]): string {
  return words.map((word) => `"${searchWord(word)}"*`).join(" ");
}

function toNearMatch(groups: readonly NearGroup[], hasBegins = true): string {
  const oneOf = (group: NearGroup) =>
    group.map((terms) => `(${terms.map(({ word, isBegin }) => `"${word}"${isBegin && hasBegins ? "*" : ""}`).join(" AND ")})`).join(" OR ");
  return groups.map((group) => `(${oneOf(group)})`).join(" AND ");
}

function clause(conditions: string[]): string {
  return conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
}
