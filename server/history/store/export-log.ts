// Notes the lists that left as files: who took what, when, and how many rows. Both engines use the same statements.

import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";

/** Times in ms since 1970. */
export interface StoredExport {
  id: string;
  at: number;
  /** Is null for a principal that the service does not know any more. */
  by: Principal | null;
  collection: string;
  /** Other collections of which it has labels. */
  expanded: string[];
  /** The names of the fields by which it was filtered, and `q` for a search. */
  filter: string[];
  /** Search and filters with their values, as the query of an address; null: there were none, or they are forgotten. */
  query: string | null;
  /** Is null while it is under way, and for ever if the service ended before it did. */
  rows: number | null;
  isComplete: boolean;
}

export interface ExportFilter {
  collections: readonly string[];
  /** The id of a person or a key. */
  by?: string | undefined;
  from?: number | undefined;
  /** Is exclusive. */
  to?: number | undefined;
}

/** Stands after an export, in descending order of time. */
export interface ExportPlace {
  at: number;
  id: string;
}

const SWEPT_AT_ONCE = 1_000;

const NAME = "coalesce(u.name, nullif(k.name, ''), t.by_id)";
const SELECT = `SELECT t.id, t.at, t.by_type, t.by_id, ${NAME}, t.collection, t.expanded, t.filter, t.query, t.row_count, t.is_complete FROM exports t
  LEFT JOIN users u ON t.by_type = 'user' AND u.id = t.by_id LEFT JOIN keys k ON t.by_type = 'key' AND k.id = t.by_id`;

function toExport([id, at, type, who, name, collection, expanded, filter, query, rows, isComplete]: readonly Cell[]): StoredExport {
  return {
    id: String(id),
    at: Number(at),
    by: { type, id: who, name } as Principal,
    collection: String(collection),
    expanded: wordsOf(expanded),
    filter: wordsOf(filter),
    query: query as string | null,
    rows: rows === null ? null : Number(rows),
    isComplete: Number(isComplete) === 1,
  };
}

/** Names of fields and collections have no spaces. */
function wordsOf(cell: Cell | undefined): string[] {
  return String(cell).split(" ").filter(Boolean);
}

/** Lists the newest first. */
function* listExports({ collections, by, from = 0, to }: ExportFilter, before: ExportPlace, limit: number): Script<StoredExport[]> {
  if (collections.length === 0) return [];
  const parameters: Cell[] = [];
  const place = (value: Cell) => `$${parameters.push(value)}`;
  const at = place(before.at);
  const conditions = [
    `(t.at < ${at} OR (t.at = ${at} AND t.id < ${place(before.id)}))`,
    `t.at >= ${place(from)}`,
    ...(to === undefined ? [] : [`t.at < ${place(to)}`]),
    `t.collection IN (${collections.map(place).join(", ")})`,
    ...(by === undefined ? [] : [`t.by_id = ${place(by)}`]),
  ];
  const sql = `${SELECT} WHERE ${conditions.join(" AND ")} ORDER BY t.at DESC, t.id DESC LIMIT ${place(limit)}`;
  return (yield* ask(sql, ...parameters)).rows.map(toExport);
}

type NewExport = Pick<StoredExport, "id" | "at" | "collection" | "expanded" | "filter" | "query"> & { by: Pick<Principal, "type" | "id"> };

/** Notes that an export begins. Of whoever has more than `most` the oldest are forgotten, so that nobody fills the store with them. */
function* beginExport({ id, at, by, collection, expanded, filter, query }: NewExport, most: number): Script<void> {
  const columns = "id, at, by_type, by_id, collection, expanded, filter, query, row_count, is_complete";
  const values = [id, at, by.type, by.id, collection, expanded.join(" "), filter.join(" "), query];
  yield* ask(`INSERT INTO exports (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL, 0)`, ...values);
  const oldest = "SELECT at FROM exports WHERE by_id = $1 ORDER BY at DESC LIMIT 1 OFFSET $2";
  const [last] = (yield* ask(oldest, by.id, most)).rows;
  if (last?.[0] !== undefined) yield* ask("DELETE FROM exports WHERE by_id = $1 AND at <= $2", by.id, last[0]);
}

/** Notes what became of it. */
function* endExport(id: string, rows: number, isComplete: boolean): Script<void> {
  yield* ask("UPDATE exports SET row_count = $1, is_complete = $2 WHERE id = $3", rows, isComplete ? 1 : 0, id);
}

/**
 * Takes one small step of forgetting: the values that were searched for before one time, and whole exports before another. False when
 * nothing is left to do.
 */
function* sweepExports(queriesBefore: number, before: number): Script<boolean> {
  const old = `SELECT id FROM exports WHERE at < $1 ORDER BY at LIMIT ${SWEPT_AT_ONCE}`;
  const gone = (yield* ask(`DELETE FROM exports WHERE id IN (${old})`, before)).count;
  const open = `SELECT id FROM exports WHERE at < $1 AND query IS NOT NULL ORDER BY at LIMIT ${SWEPT_AT_ONCE}`;
  const forgotten = (yield* ask(`UPDATE exports SET query = NULL WHERE id IN (${open})`, queriesBefore)).count;
  return gone === SWEPT_AT_ONCE || forgotten === SWEPT_AT_ONCE;
}

/** Serves an erasure: nobody can tell in which searches the record's values stand, so all values are forgotten. */
export function* forgetQueries(): Script<void> {
  yield* ask("UPDATE exports SET query = NULL WHERE query IS NOT NULL");
}

export const EXPORT_SCRIPTS = { reads: { listExports }, writes: { beginExport, endExport, sweepExports } };
