// Pages and counts of a collection from PostgreSQL: order, place, filters and search as SQL. Decides nothing about who may see what.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { type Cell, columnsOf, searchWord, tableOf, toRecord } from "../columns.ts";
import { toCondition } from "../filter-sql.ts";
import { orderBy, segmentsAfter, toTerm } from "../keyset.ts";
import { type Found, type Met, scanAlong, scanInOrder } from "../scan-in-order.ts";
import type { Page, Selection, Store } from "../store.ts";
import type { Connections } from "./pool.ts";
import { WORDS } from "./schema.ts";

const LARGEST_READ = 400; // records; larger pages are an export's

type Part = { where: string; params: Cell[] };

export function createLister({ read }: Connections): Pick<Store, "list" | "count"> {
  async function asked(collection: Collection, page: Page): Promise<Found> {
    const terms = page.sort.map((term) => toTerm(collection, term));
    const chosen = partsOf(collection, page);
    const segments = page.after ? segmentsAfter(terms, page.after) : [undefined];
    const isGathered = page.words.length > 0 && !isPlanned(page);
    const rows: Cell[][] = [];
    for (const segment of segments) {
      const wanted = page.limit + 1 - rows.length;
      if (wanted <= 0) break;
      const after = segment ? [segment as Part] : [];
      const from = isGathered ? found(collection, chosen) : plain(collection, [...chosen, ...after]);
      const place = isGathered ? joined(after) : joined([]);
      const sql = `${from.sql}${place.where} ORDER BY ${orderBy(terms)} LIMIT ?`;
      rows.push(...((await read(numbered(sql), [...from.params, ...place.params, wanted])).rows as Cell[][]));
    }
    return { records: rows.slice(0, page.limit).map((row) => toRecord(collection, row)), more: rows.length > page.limit };
  }

  /** Read in the order's own index, which the outer SELECT keeps. */
  function near(collection: Collection, page: Page, within: number): Promise<Met> {
    const terms = page.sort.map((term) => toTerm(collection, term));
    const words = joined(partsOf(collection, page));
    return scanAlong(page.after ? segmentsAfter(terms, page.after) : [undefined], page.limit, async (run, wanted) => {
      const place = joined(run ? [run as Part] : []);
      const from = `FROM ${tableOf(collection)}${place.where} ORDER BY ${orderBy(terms)}`;
      const sql = `SELECT ${columnsOf(collection)} FROM (SELECT * ${from} LIMIT ?) AS near${words.where} LIMIT ?`;
      const { rows } = await read(numbered(sql), [...place.params, within, ...words.params, wanted]);
      const records = (rows as Cell[][]).map((row) => toRecord(collection, row));
      if (records.length === wanted) return { records, isEnd: false };
      const beyond = await read(numbered(`SELECT 1 ${from} LIMIT 1 OFFSET ?`), [...place.params, within]);
      return { records, isEnd: beyond.rows.length === 0 };
    });
  }
  return {
    async list(collection, page) {
      const isWalked = page.words.length > 0 && !page.filters?.length && !isPlanned(page); // filters choose the records by themselves
      const met = isWalked ? await scanInOrder(page, (within) => near(collection, page, within)) : undefined;
      return met ?? asked(collection, page);
    },
    async count(collection, selection) {
      const { where, params } = joined(partsOf(collection, selection));
      const { rows } = await read(numbered(`SELECT count(*) FROM ${tableOf(collection)}${where}`), params);
      return Number(rows[0]?.[0]);
    },
  };
}

/**
 * Whether the planner may choose between the words' index and the order's. It takes every word for a common one, whatever
 * ANALYZE has told it, and walks over the whole table for the three records that have it: good for an export by key, which
 * reads on to the end anyway. What no walk has met is gathered by its words otherwise.
 */
function isPlanned({ sort, filters, limit }: Page): boolean {
  return sort.length === 1 && (limit > LARGEST_READ || (filters ?? []).length > 0);
}

function partsOf(collection: Collection, { words, filters = [] }: Selection): Part[] {
  const search = words.length > 0 ? [{ where: `${WORDS} @@ ?::text::tsquery`, params: [toQuery(words)] }] : [];
  return [...filters.map((filter) => toCondition(collection, filter)), ...search];
}

function plain(collection: Collection, parts: readonly Part[]) {
  const { where, params } = joined(parts);
  return { sql: `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)}${where}`, params };
}

function found(collection: Collection, parts: readonly Part[]) {
  const { where, params } = joined(parts);
  const gather = `WITH found AS MATERIALIZED (SELECT * FROM ${tableOf(collection)}${where})`;
  return { sql: `${gather} SELECT ${columnsOf(collection)} FROM found`, params };
}

function joined(parts: readonly Part[]): Part {
  const where = parts.length > 0 ? ` WHERE ${parts.map((part) => part.where).join(" AND ")}` : "";
  return { where, params: parts.flatMap((part) => part.params) };
}

/** Every word is the beginning of some word. Words are letters and digits only, so nothing in them is an operator. */
function toQuery(words: readonly string[]): string {
  return words.map((word) => `'${searchWord(word)}':*`).join(" & ");
}

/** The shared pieces of SQL have ? for a parameter; PostgreSQL numbers them. */
function numbered(sql: string): string {
  let n = 0;
  return sql.replace(/\?/g, () => `$${++n}`);
}
