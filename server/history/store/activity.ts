// Reads who did what, newest first: a line a write, or a line for what somebody wrote in a run; counts the changes.

import type { Operation, SourceType } from "../../../core/contract/history.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";
import { ENTRY, OPERATION_BITS, type StoredEntry, toEntry, WITH_NAMES } from "./reads.ts";

/** Says which writes are wanted. Undefined: all of them. Times in ms since 1970. */
export interface ActivityFilter {
  collections: readonly string[];
  /** The number of a person or a key. */
  by?: number | undefined;
  source?: SourceType | undefined;
  /** Writes with at least one such change. */
  operation?: Operation | undefined;
  from?: number | undefined;
  /** Is exclusive. */
  to?: number | undefined;
}

/** Stands after a write, in descending order of time; `id`: and after a record within it. */
export interface ActivityPlace {
  at: number;
  write: number;
  id: number;
}

export interface ActivityLine extends StoredEntry {
  /** Changes of the write, or of what the same person or key wrote in the run in the time that is asked for. */
  size: number;
}

export interface ActivityLines {
  lines: ActivityLine[];
  /** Says where to go on; null: there is no more. */
  rest: ActivityPlace | null;
}

/** Writes that one read looks through at most, so that a filter that few of them meet holds nobody up. */
const MOST_SCANNED = 5_000;

/** Is met after the place $1, $2, and from the time $3. */
const RANGE = "w.at <= $1 AND (w.at < $1 OR w.number < $2) AND w.at >= $3";

/** Somebody's writes of a run: what others write under its id is not theirs. Of those that are wanted the last stands for all. */
const SAME_RUN = "n.run = w.run AND n.source = w.source AND n.collection = w.collection AND n.by = w.by";

/** Conditions on a write `w`, with their parameters. */
class Conditions {
  readonly parameters: Cell[];

  constructor(parameters: readonly Cell[]) {
    this.parameters = [...parameters];
  }

  place(value: Cell): string {
    return `$${this.parameters.push(value)}`;
  }

  of({ collections, source }: ActivityFilter): string {
    const among = collections.map((name) => this.place(name)).join(", ");
    const own = collections.length === 0 ? "1 = 0" : `w.collection IN (${among})`;
    return source === undefined ? own : `${own} AND w.source = ${this.place(source)}`;
  }
}

/** Returns one line for each write or run. Rather few lines, or none, than a long search: `rest` says where to go on. */
export function* listActivity(filter: ActivityFilter, before: ActivityPlace, limit: number): Script<ActivityLines> {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
  const range = before.at < to ? [before.at, before.write, from] : [to - 1, Number.MAX_SAFE_INTEGER, from];
  const whose = filter.by === undefined ? "" : "AND w.by = $4";
  const given = filter.by === undefined ? range : [...range, filter.by];
  const scan = `SELECT w.at, w.number FROM writes w WHERE ${RANGE} ${whose} ORDER BY w.at DESC, w.number DESC LIMIT 1 OFFSET ${MOST_SCANNED - 1}`;
  const [end] = (yield* ask(scan, ...given)).rows;
  const rest = end ? { at: Number(end[0]), write: Number(end[1]), id: 0 } : null;

  const conditions = new Conditions(given);
  const wanted = conditions.of(filter);
  const [at, write] = [conditions.place(rest?.at ?? 0), conditions.place(rest?.write ?? 0)];
  const bits = filter.operation && conditions.place(OPERATION_BITS[filter.operation]);
  const operation = filter.operation && conditions.place(filter.operation);
  const byWhom = filter.by === undefined ? "" : "AND n.by = $4";
  const until = filter.to === undefined ? "" : `AND n.at < ${conditions.place(to)}`;
  const ofRun = `${SAME_RUN} AND n.at >= $3 ${byWhom} ${until}`;
  // The bits are quick, but an erasure leaves them as they are.
  const has = (alias: string) =>
    bits
      ? `AND (${alias}.operations & ${bits}) <> 0 AND EXISTS (SELECT 1 FROM history x WHERE x.write = ${alias}.number AND x.operation = ${operation})`
      : "";
  const writes = `SELECT w.number, w.collection, w.at, w.by, w.source, w.run, w.size FROM writes w
    WHERE ${RANGE} ${whose} AND (w.at > ${at} OR (w.at = ${at} AND w.number >= ${write})) AND ${wanted} ${has("w")}
      AND (w.run IS NULL OR NOT EXISTS (SELECT 1 FROM writes n WHERE ${ofRun} AND n.number > w.number ${has("n")}))
    ORDER BY w.at DESC, w.number DESC LIMIT ${conditions.place(limit)}`;
  const size = `CASE WHEN w.run IS NULL THEN w.size ELSE (SELECT sum(n.size) FROM writes n WHERE ${ofRun}) END`;
  const last = `SELECT x.id FROM history x WHERE x.write = w.number ${operation ? `AND x.operation = ${operation}` : ""}
    ORDER BY x.write DESC, x.id DESC LIMIT 1`;
  const sql = `SELECT ${ENTRY}, ${size} FROM (${writes}) w JOIN history h ON h.write = w.number AND h.id = (${last}) ${WITH_NAMES}
    ORDER BY w.at DESC, w.number DESC`;
  const { rows } = yield* ask(sql, ...conditions.parameters);
  const lines = rows.map((cells) => ({ ...toEntry(cells), size: Number(cells.at(-1)) }));
  const full = lines.length === limit ? lines.at(-1) : undefined;
  return { lines, rest: full ? placeOf(full) : rest };
}

/** Lists each change of a run or of a write, the last first. */
export function* listChanges(
  filter: ActivityFilter,
  of: { run: string } | { write: number },
  before: ActivityPlace,
  limit: number,
): Script<ActivityLines> {
  const conditions = new Conditions([before.write]);
  const wanted = [
    "w.number <= $1",
    "run" in of ? `w.run = ${conditions.place(of.run)}` : `w.number = ${conditions.place(of.write)}`,
    conditions.of(filter),
    ...(filter.by === undefined ? [] : [`w.by = ${conditions.place(filter.by)}`]),
    ...(filter.from === undefined ? [] : [`w.at >= ${conditions.place(filter.from)}`]),
    ...(filter.to === undefined ? [] : [`w.at < ${conditions.place(filter.to)}`]),
    ...(filter.operation === undefined ? [] : [`(w.operations & ${conditions.place(OPERATION_BITS[filter.operation])}) <> 0`]),
  ].join(" AND ");
  const { last, more } = yield* findLast(wanted, conditions.parameters, before.write, limit);
  const operation = filter.operation === undefined ? "1 = 1" : `h.operation = ${conditions.place(filter.operation)}`;
  const sql = `SELECT ${ENTRY} FROM writes w JOIN history h ON h.write = w.number ${WITH_NAMES}
    WHERE ${wanted} AND w.number >= ${conditions.place(last)} AND (h.write < $1 OR h.id < ${conditions.place(before.id)}) AND ${operation}
    ORDER BY w.number DESC, h.id DESC LIMIT ${conditions.place(limit)}`;
  const lines = (yield* ask(sql, ...conditions.parameters)).rows.map((cells) => ({ ...toEntry(cells), size: 1 }));
  const full = lines.length === limit ? lines.at(-1) : undefined;
  return { lines, rest: full ? placeOf(full) : more ? { at: 0, write: last, id: 0 } : null };
}

/**
 * Finds the last of the writes (the latest first) that together have `limit` changes, so that a page does not read a whole run. `conditions`:
 * on the writes `w`. Of the write `first` a part may have been read already.
 */
export function* findLast(
  conditions: string,
  parameters: readonly Cell[],
  first: number,
  limit: number,
): Script<{ last: number; more: boolean }> {
  const sql = `SELECT w.number, w.size FROM writes w WHERE ${conditions} ORDER BY w.number DESC LIMIT $${parameters.length + 1}`;
  const { rows } = yield* ask(sql, ...parameters, limit + 1);
  let left = limit;
  for (const [number, size] of rows) {
    if (Number(number) !== first) left -= Number(size);
    if (left <= 0) return { last: Number(number), more: true };
  }
  return { last: Number(rows.at(-1)?.[0] ?? 0), more: false };
}

function placeOf({ at, write, id }: StoredEntry): ActivityPlace {
  return { at: Date.parse(at), write, id };
}

/** Finds the number of a person or a key, by its id; -1 for one that has never written anything. */
export function* findPrincipal(id: string): Script<number> {
  const { rows } = yield* ask("SELECT number FROM principals WHERE id = $1 ORDER BY number LIMIT 1", id);
  return Number(rows[0]?.[0] ?? -1);
}

/** Counts the changes between two times, by how they came in. Its index holds all that it reads. */
export function* countChanges(
  filter: Omit<ActivityFilter, "operation">,
  run: string | undefined,
): Script<Partial<Record<SourceType, number>>> {
  const conditions = new Conditions([filter.from ?? 0, filter.to ?? Number.MAX_SAFE_INTEGER]);
  const wanted = [
    "w.at >= $1 AND w.at < $2",
    conditions.of(filter),
    ...(filter.by === undefined ? [] : [`w.by = ${conditions.place(filter.by)}`]),
    ...(run === undefined ? [] : [`w.run = ${conditions.place(run)}`]),
  ];
  const sql = `SELECT w.source, sum(w.size) FROM writes w WHERE ${wanted.join(" AND ")} GROUP BY w.source ORDER BY w.source`;
  const { rows } = yield* ask(sql, ...conditions.parameters);
  return Object.fromEntries(rows.map(([source, size]) => [source as SourceType, Number(size)]));
}
