// Pages and counts of a collection from PostgreSQL.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { type Cell, columnOf, columnsOf, PRINCIPAL_COLUMNS, quoted, tableOf, toRecord, VERSION_AT } from "../columns.ts";
import { isInKeyOrder, shortensScan, toCondition } from "../filter-sql.ts";
import {
  isByParent,
  orderBy,
  type ParentSegment,
  segmentsAfter,
  segmentsByParent,
  segmentsWithParents,
  toTerm,
  withFirst,
  withoutFirst,
} from "../keyset.ts";
import { type NearGroup, type NearQuery, type NearTerm, nearSearches } from "../near-search.ts";
import { type Found, type Scanned, scanInOrder, scanSegments } from "../scan-in-order.ts";
import { searchWord } from "../search-words.ts";
import type { CountedSelection, Filter, Page, ReadOptions, Selection } from "../store.ts";
import type { SummarySql } from "../summary.ts";
import type { Query } from "./pool.ts";
import { WORDS } from "./schema.ts";

const COUNTED = quoted("$counted"); // $ cannot occur in a field's name
const LARGEST_PAGE = 400; // records; larger pages are read by exports

type Part = { where: string; params: Cell[] };

export interface Lister {
  list(collection: Collection, page: Page, options?: ReadOptions): Promise<Found>;
  count(collection: Collection, selection: CountedSelection, options?: ReadOptions): Promise<number>;
  near(collection: Collection, query: NearQuery, options?: ReadOptions): Promise<string[]>;
}

type Begin = (signal?: AbortSignal) => Query;

/**
 * `read` gives a query whose statements share the time that one list or count may take, `search` one for many hits of words, `near` one that
 * uses the indexes.
 */
export function createLister(begin: { read: Begin; search: Begin; near: Begin }): Lister {
  const beginFor = ({ words }: Selection, options?: ReadOptions) => (words.length > 0 ? begin.search : begin.read)(options?.signal);

  /** Reads the page segment by segment; gathers the hits of a search first where the planner would choose badly. */
  async function listByIndex(read: Query, collection: Collection, page: Page): Promise<Found> {
    const terms = page.sort.map((term) => toTerm(collection, term));
    const conditions = partsOf(collection, page);
    const segments = page.after ? segmentsAfter(terms, page.after) : [undefined];
    const isGathered = page.words.length > 0 && !usesPlanner(page);
    const rows: Cell[][] = [];
    for (const segment of segments) {
      const wanted = page.limit + 1 - rows.length;
      if (wanted <= 0) break;
      const after = segment ? [segment as Part] : [];
      const from = isGathered ? gatherSql(collection, conditions) : selectSql(collection, [...conditions, ...after]);
      const place = isGathered ? joined(after) : joined([]);
      const sql = `${from.sql}${place.where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      rows.push(...((await read(numbered(sql), [...from.params, ...place.params, wanted])).rows as Cell[][]));
    }
    return { records: rows.slice(0, page.limit).map((row) => toRecord(collection, row)), more: rows.length > page.limit };
  }

  /**
   * Reads `within` records in the index of the order and asks them for words and filters. The outer order costs nothing while the planner asks
   * them one by one, and puts them in order again where it joins them with the parents that a filter names. Filters on what is sorted by shorten
   * the scan.
   */
  function scan(read: Query, collection: Collection, page: Page, within: number): Promise<Scanned> {
    const terms = page.sort.map((term) => toTerm(collection, term));
    const { words, filters = [] } = page;
    const isOnSort = (filter: Filter) => shortensScan(filter, page);
    const own = filters.filter(isOnSort).map((filter) => toCondition(collection, filter));
    const others = joined(partsOf(collection, { words, filters: filters.filter((filter) => !isOnSort(filter)) }));
    const order = `ORDER BY ${orderBy(terms)}`;
    return scanSegments(page.after ? segmentsAfter(terms, page.after) : [undefined], page.limit, async (segment, wanted) => {
      const place = joined([...own, ...(segment ? [segment as Part] : [])]);
      const from = `FROM ${tableOf(collection)}${place.where} ${order}`;
      const sql = `SELECT ${columnsOf(collection)} FROM (SELECT * ${from} LIMIT ?) AS near${others.where} ${order} LIMIT ?`;
      const { rows } = await read(numbered(sql), [...place.params, within, ...others.params, wanted]);
      const records = (rows as Cell[][]).map((row) => toRecord(collection, row));
      if (records.length === wanted) return { records, isEnd: false };
      const beyond = await read(numbered(`SELECT 1 ${from} LIMIT 1 OFFSET ?`), [...place.params, within]);
      return { records, isEnd: beyond.rows.length === 0 };
    });
  }
  return {
    async list(collection, asked, options) {
      const page = await withNumbers(begin.read(options?.signal), withFirst(asked));
      const gather = beginFor(page, options);
      if (page.sort.some(({ through }) => through)) return withoutFirst(asked, await listByParent(gather, collection, page));
      const isSorted = isSortedBesides(page);
      const isScanned = isSorted || (page.words.length > 0 && !page.filters?.length && !usesPlanner(page)); // with filters their indexes are better
      const read = begin.read(options?.signal);
      const scanned = isScanned ? await scanInOrder(page, (within) => scan(read, collection, page, within)) : undefined;
      const few = isSorted && !scanned ? await listFew(read, collection, page) : undefined;
      return withoutFirst(asked, scanned ?? few ?? (await listByIndex(gather, collection, page)));
    },
    async count(collection, asked, options) {
      const selection = await withNumbers(begin.read(options?.signal), asked);
      const { where, params } = joined(partsOf(collection, selection));
      const { rows } = await beginFor(selection, options)(numbered(countOf(`${tableOf(collection)}${where}`, selection.most)), params);
      return Number(rows[0]?.[0]);
    },
    near(collection, query, options) {
      const read = begin.near(options?.signal);
      return nearSearches(collection, query, (groups, most) => findNear(read, collection, groups, most));
    },
  };
}

/** Names principals by their numbers, of which the planner knows how many records each has made. */
async function withNumbers<Chosen extends Selection>(read: Query, chosen: Chosen): Promise<Chosen> {
  const ids = idsIn(chosen.filters ?? []);
  if (ids.length === 0) return chosen;
  const { rows } = await read("SELECT id, number FROM principals WHERE id = ANY($1)", [ids]);
  const numbered = (filter: Filter): Filter => {
    if (filter.anyOf) return { ...filter, anyOf: filter.anyOf.map((filters) => filters.map(numbered)) };
    if (!isOfPrincipal(filter)) return filter;
    return { ...filter, values: rows.flatMap(([id, number]) => (filter.values.includes(String(id)) ? Number(number) : [])) };
  };
  return { ...chosen, filters: chosen.filters?.map(numbered) };
}

function idsIn(filters: readonly Filter[]): Filter["values"][number][] {
  return filters.flatMap((filter) => (filter.anyOf ? filter.anyOf.flatMap(idsIn) : isOfPrincipal(filter) ? filter.values : []));
}

/** `null` asks for records that nobody has made. */
function isOfPrincipal({ name, through, values }: Filter): boolean {
  return PRINCIPAL_COLUMNS.includes(name) && !through && values[0] !== null;
}

/**
 * Is true where the planner might walk the index of the order to find what meets the filters: it takes them for independent of the order, and
 * reads the whole table where what is met lies at the order's other end. For equal values in the order of the key, their index has both.
 */
function isSortedBesides(page: Page): boolean {
  const { words, filters = [], sort, limit } = page;
  if (words.length > 0 || limit > LARGEST_PAGE || filters.every((filter) => shortensScan(filter, page))) return false;
  const isOfKey = sort.length === 1;
  return !isOfKey || !filters.some(isInKeyOrder);
}

const FEW_HITS = 20_000; // records; sorting more takes longer than walking the order

/** Sorts what meets the filters. Undefined where that is too much. */
async function listFew(read: Query, collection: Collection, page: Page): Promise<Found | undefined> {
  const terms = page.sort.map((term) => toTerm(collection, term));
  const order = orderBy(terms);
  const selected = joined(partsOf(collection, page));
  const after = page.after ? segmentsAfter(terms, page.after) : [];
  const place = after.length > 0 ? ` WHERE ${after.map(({ where }) => `(${where})`).join(" OR ")}` : "";
  const sql = `WITH found AS MATERIALIZED (SELECT * FROM ${tableOf(collection)}${selected.where} LIMIT ?)
    SELECT ${COUNTED}, ${columnsOf(collection)} FROM (SELECT count(*) AS ${COUNTED} FROM found) AS counted
    LEFT JOIN (SELECT * FROM found${place} ORDER BY ${order} LIMIT ?) AS page ON ${COUNTED} <= ? ORDER BY ${order}`;
  const params = [...selected.params, FEW_HITS + 1, ...after.flatMap((one) => one.params as Cell[]), page.limit + 1, FEW_HITS];
  const rows = (await read(numbered(sql), params)).rows as Cell[][];
  if (Number(rows[0]?.[0]) > FEW_HITS) return undefined;
  const version = collection.fields.length + VERSION_AT; // no record is without one; the row of the count alone is
  const records = rows.map(([, ...cells]) => cells).filter((cells) => cells[version] !== null);
  return { records: records.slice(0, page.limit).map((row) => toRecord(collection, row)), more: records.length > page.limit };
}

/** Sorts by values of parents: few matches, and the hits of a search, are sorted; for many the parents are walked in their own order. */
async function listByParent(read: Query, collection: Collection, page: Page): Promise<Found> {
  const selected = partsOf(collection, page);
  const isWalked = isByParent(page) && page.words.length === 0 && (await hasMany(read, collection, selected));
  const rows: Cell[][] = [];
  for (const segment of isWalked ? segmentsByParent(collection, page) : segmentsWithParents(collection, page)) {
    const wanted = page.limit + 1 - rows.length;
    if (wanted <= 0) break;
    const source = page.words.length > 0 ? gatherSql(collection, selected) : sourceSql(collection, selected);
    const from = segment.walked ? walkSql(collection, selected, segment, wanted) : source;
    const place = joined(segment.where ? [segment as Part] : []);
    const sql = `${from.sql}${segment.joins}${place.where} ORDER BY ${orderBy(segment.terms)} LIMIT ?`;
    rows.push(...((await read(numbered(sql), [...from.params, ...place.params, wanted])).rows as Cell[][]));
  }
  return { records: rows.slice(0, page.limit).map((row) => toRecord(collection, row)), more: rows.length > page.limit };
}

/**
 * Each parent with its own records, of which no more are read than are wanted. OFFSET 0 keeps the planner from sorting everything
 * instead, and from asking for each parent the indexes of the filters, too.
 */
function walkSql(collection: Collection, selected: readonly Part[], segment: ParentSegment, wanted: number) {
  const { parents, isOwn, own } = segment.walked as NonNullable<ParentSegment["walked"]>;
  const place = own && segment.where ? [segment as Part] : [];
  const all = joined([{ where: isOwn, params: [] }, ...place]);
  const chosen = joined(selected);
  const order = own ? ` ORDER BY ${orderBy(own)}` : "";
  const children = `SELECT * FROM (SELECT * FROM ${tableOf(collection)}${all.where}${order} OFFSET 0) AS own${chosen.where}${order}`;
  return {
    sql: `SELECT ${columnsOf(collection)} FROM ${parents} JOIN LATERAL (${children}${own ? " LIMIT ?" : ""}) AS found ON TRUE`,
    params: [...all.params, ...chosen.params, ...(own ? [wanted] : [])],
  };
}

const MANY = 5_000; // records; fewer are sorted faster than parents are walked

/** Counts in the order of the key where there are no conditions: so the planner stops there. */
async function hasMany(read: Query, collection: Collection, selected: readonly Part[]): Promise<boolean> {
  const { where, params } = joined(selected);
  const order = selected.length === 0 ? ` ORDER BY ${columnOf(collection.key)}` : "";
  return (await read(numbered(`SELECT 1 FROM ${tableOf(collection)}${where}${order} LIMIT 1 OFFSET ${MANY}`), params)).rows.length > 0;
}

const FEW = 8; // ways; PostgreSQL asks all ways for each hit, and gathers all hits of each part, so those without any are left out before

const FIRST = 200; // records; frequent words are among theirs

/**
 * Materialized, the hits come from the index of the words, but only as many are read as the outer LIMIT wants. The index gathers all hits of a
 * beginning before the first is read, which takes long for frequent words: whether there is one is seen from the first records, and as many as
 * are wanted are first looked for by whole words.
 */
async function findNear(read: Query, collection: Collection, groups: readonly NearGroup[], most: number) {
  const met = groups.length > 1 || groups.some((group) => group.length > FEW) ? await onlyMet(read, collection, groups) : groups;
  if (met.some((group) => group.length === 0)) return [];
  const [columns, table] = [columnsOf(collection), tableOf(collection)];
  const byIndex = `WITH found AS MATERIALIZED (SELECT ${columns} FROM ${table} WHERE ${WORDS} @@ $1::text::tsquery) SELECT * FROM found LIMIT $2`;
  const amongFirst = `SELECT ${columns} FROM (${firstOf(collection)}) AS beginning WHERE ${WORDS} @@ $1::text::tsquery LIMIT $2`;
  const quick = await (most === 1 ? read(amongFirst, [queryOf(met), most]) : read(byIndex, [queryOf(met, false), most]));
  const { rows } = quick.rows.length === most ? quick : await read(byIndex, [queryOf(met), most]);
  return (rows as Cell[][]).map((row) => toRecord(collection, row));
}

function firstOf(collection: Collection): string {
  return `SELECT * FROM ${tableOf(collection)} ORDER BY ${columnOf(collection.key)} LIMIT ${FIRST}`;
}

function queryOf(groups: readonly NearGroup[], hasBegins = true): string {
  return groups.map((group) => `(${group.map((terms) => toNearQuery(terms, hasBegins)).join(" | ")})`).join(" & ");
}

/** Returns the ways that some record meets. Those of rare words are looked up in the index, each by itself. */
async function onlyMet(read: Query, collection: Collection, groups: readonly NearGroup[]): Promise<NearGroup[]> {
  const isAmongFirst = await readFirstWords(read, collection);
  const met = new Set(groups.flat().filter((terms) => terms.length === 1 && terms.every(isAmongFirst)));
  const others = groups.flat().filter((terms) => !met.has(terms));
  const hits = `SELECT 1 FROM ${tableOf(collection)} WHERE ${WORDS} @@ way::tsquery`;
  const sql = `SELECT at FROM unnest($1::text[]) WITH ORDINALITY AS ways (way, at)
    CROSS JOIN LATERAL (WITH found AS MATERIALIZED (${hits}) SELECT 1 FROM found LIMIT 1) AS one`;
  const { rows } = await read(sql, [others.map((terms) => toNearQuery(terms))]);
  for (const [at] of rows) met.add(others[Number(at) - 1] as NearGroup[number]);
  return groups.map((group) => group.filter((terms) => met.has(terms)));
}

/** Returns a function that says whether one of the first records has a word. */
async function readFirstWords(read: Query, collection: Collection): Promise<(term: NearTerm) => boolean> {
  const { rows } = await read(`SELECT ${WORDS}::text FROM (${firstOf(collection)}) AS beginning`);
  const words = new Set(rows.flatMap(([lexemes]) => String(lexemes).slice(1, -1).split("' '")));
  const begins = new Set([...words].flatMap((word) => Array.from({ length: word.length }, (_, at) => word.slice(0, at + 1))));
  return ({ word, isBegin }) => (isBegin ? begins : words).has(word);
}

/**
 * Is true where PostgreSQL's planner chooses between the index of the words and that of the order. It takes every word for a
 * common one, whatever ANALYZE found, and scans the whole order for a rare word. That is fine for an export by key, which
 * reads to the end anyway, and with filters. Otherwise the hits are gathered by the index of the words.
 */
function usesPlanner({ sort, filters, limit }: Page): boolean {
  return sort.length === 1 && (limit > LARGEST_PAGE || (filters ?? []).length > 0);
}

function partsOf(collection: Collection, { words, filters = [] }: Selection): Part[] {
  const search = words.length > 0 ? [searchPart(words)] : [];
  return [...filters.map((filter) => toCondition(collection, filter)), ...search];
}

export const SUMMARY_SQL: SummarySql = {
  engine: "postgres",
  search: (_collection, words) => searchPart(words),
};

function searchPart(words: readonly string[]): Part {
  return { where: `${WORDS} @@ ?::text::tsquery`, params: [toQuery(words)] };
}

function selectSql(collection: Collection, parts: readonly Part[]) {
  const { where, params } = joined(parts);
  return { sql: `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)}${where}`, params };
}

/** Tables that are joined have columns of the same names, which the conditions do not mean. */
function sourceSql(collection: Collection, parts: readonly Part[]) {
  const { where, params } = joined(parts);
  return { sql: `SELECT ${columnsOf(collection)} FROM (SELECT * FROM ${tableOf(collection)}${where}) AS found`, params };
}

/** Writes it as MATERIALIZED: the planner must evaluate the conditions first. */
function gatherSql(collection: Collection, parts: readonly Part[]) {
  const { where, params } = joined(parts);
  const gather = `WITH found AS MATERIALIZED (SELECT * FROM ${tableOf(collection)}${where})`;
  return { sql: `${gather} SELECT ${columnsOf(collection)} FROM found`, params };
}

function joined(parts: readonly Part[]): Part {
  const where = parts.length > 0 ? ` WHERE ${parts.map((part) => part.where).join(" AND ")}` : "";
  return { where, params: parts.flatMap((part) => part.params) };
}

/** Writes a tsquery: every word is a prefix. Words are letters and digits only, so none contains an operator. */
function toQuery(words: readonly string[]): string {
  return words.map((word) => `'${searchWord(word)}':*`).join(" & ");
}

function toNearQuery(terms: NearGroup[number], hasBegins = true): string {
  return `(${terms.map(({ word, isBegin }) => `'${word}'${isBegin && hasBegins ? ":*" : ""}`).join(" & ")})`;
}

/** Replaces the `?` of the SQL that both engines share by $1, $2 … */
function numbered(sql: string): string {
  let n = 0;
  return sql.replace(/\?/g, () => `$${++n}`);
}

/** Counts the rows there are, at most one more than `most`. */
function countOf(source: string, most?: number): string {
  return most === undefined ? `SELECT count(*) FROM ${source}` : `SELECT count(*) FROM (SELECT 1 FROM ${source} LIMIT ${most + 1}) counted`;
}
