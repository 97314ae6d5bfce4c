// Says what an undo needs to know of a run: its changes, the last first, and who changed the same records after it.

import type { Operation, SourceType } from "../../../core/contract/history.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Script } from "../../engine/script/script.ts";
import { findLast } from "./activity.ts";
import { ENTRY, OPERATION_BITS, PRINCIPAL, type StoredEntry, toEntry, toPrincipal, WITH_NAMES } from "./reads.ts";

export interface RunEntry extends StoredEntry {
  /** Says whose the record's next change is: the run's own, its undo's that nobody changed since, or another; null: there is none. */
  next: "run" | "undo" | "other" | null;
  /** The record's change before this one is the run's, too. */
  isAfterOwn: boolean;
  /** Counts the versions that the service has added since by computing values anew, which is nobody's change. */
  computedSince: number;
}

/** Stands after the record `id` of a write, in descending order. */
export interface RunPlace {
  write: number;
  id: number;
}

export const RUN_END: RunPlace = { write: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

const NEXT = `(SELECT CASE WHEN nw.run = $1 THEN CASE nw.source WHEN 'undo' THEN 'undo' ELSE 'run' END ELSE 'other' END
  FROM history n JOIN writes nw ON nw.number = n.write
  WHERE n.id = h.id AND n.write > h.write AND nw.collection = $2 AND nw.source <> 'computation' ORDER BY n.write LIMIT 1)`;

const IS_AFTER_OWN = `(SELECT CASE WHEN pw.run = $1 AND pw.source <> 'undo' THEN 1 ELSE 0 END
  FROM history b JOIN writes pw ON pw.number = b.write
  WHERE b.id = h.id AND b.write < h.write AND pw.collection = $2 AND pw.source <> 'computation' ORDER BY b.write DESC LIMIT 1)`;

const IS_LAST_OTHER = `(SELECT CASE WHEN lw.run = $1 THEN 0 ELSE 1 END
  FROM history l JOIN writes lw ON lw.number = l.write
  WHERE l.id = h.id AND l.write > h.write AND lw.collection = $2 AND lw.source <> 'computation' ORDER BY l.write DESC LIMIT 1)`;

const COMPUTED_SINCE = `(SELECT count(*) FROM history c JOIN writes cw ON cw.number = c.write
  WHERE c.id = h.id AND c.write > h.write AND cw.collection = $2 AND cw.source = 'computation')`;

/** Lists the changes that a run made in a collection, the last first, after a place; `rest`: where to go on. */
export function* listRunEntries(
  collection: string,
  run: string,
  { write, id }: RunPlace,
  limit: number,
): Script<{ entries: RunEntry[]; rest: RunPlace | null }> {
  const wanted = "w.run = $1 AND w.collection = $2 AND w.source <> 'undo' AND w.number <= $3";
  const { last, more } = yield* findLast(wanted, [run, collection, write], write, limit);
  const sql = `SELECT ${ENTRY}, ${NEXT}, ${IS_LAST_OTHER}, ${IS_AFTER_OWN}, ${COMPUTED_SINCE} FROM writes w JOIN history h ON h.write = w.number ${WITH_NAMES}
    WHERE ${wanted} AND w.number >= $5 AND (w.number < $3 OR h.id < $4) ORDER BY w.number DESC, h.id DESC LIMIT $6`;
  const { rows } = yield* ask(sql, run, collection, write, id, last, limit);
  const entries = rows.map((cells) => {
    const [next, isLastOther, isAfterOwn, computedSince] = cells.slice(-4);
    const isChangedSince = next === "undo" && Number(isLastOther) === 1;
    const seen = { next: isChangedSince ? "other" : (next as RunEntry["next"]), isAfterOwn: Number(isAfterOwn) === 1 };
    return { ...toEntry(cells), ...seen, computedSince: Number(computedSince) };
  });
  const full = entries.length === limit ? entries.at(-1) : undefined;
  return { entries, rest: full ? { write: full.write, id: full.id } : more ? { write: last, id: 0 } : null };
}

/** Counts how many changes a run made in a collection. */
export function* sizeOfRun(collection: string, run: string): Script<number> {
  const sql = "SELECT coalesce(sum(size), 0) FROM writes WHERE run = $1 AND collection = $2 AND source <> 'undo'";
  return Number((yield* ask(sql, run, collection)).rows[0]?.[0]);
}

/** Says whether a run made such a change. */
export function* hasOperation(collection: string, run: string, operation: Operation): Script<boolean> {
  const sql = "SELECT 1 FROM writes WHERE run = $1 AND collection = $2 AND source <> 'undo' AND (operations & $3) <> 0 LIMIT 1";
  return (yield* ask(sql, run, collection, OPERATION_BITS[operation])).count > 0;
}

/** Says what a run and its undo changed in each collection; `by` began it. Times in ms since 1970. */
export interface StoredRunPart extends Pick<StoredEntry, "by" | "source"> {
  collection: string;
  /** The others who wrote under its id, in the order in which they came. */
  others: Principal[];
  from: number;
  to: number;
  size: number;
}

export function* summarizeRun(run: string): Script<StoredRunPart[]> {
  const shares = `SELECT w.collection, w.source, w.by, min(w.at) AS first_at, max(w.at) AS last_at, sum(w.size) AS size, min(w.number) AS begins,
      max(w.number) AS ends FROM writes w WHERE w.run = $1 GROUP BY w.collection, w.source, w.by`;
  const sql = `SELECT ${PRINCIPAL}, w.collection, w.source, w.first_at, w.last_at, w.size, w.ends FROM (${shares}) w ${WITH_NAMES} ORDER BY w.begins`;
  const parts = new Map<string, StoredRunPart & { last: number }>();
  for (const cells of (yield* ask(sql, run)).rows) {
    const by = toPrincipal(cells);
    const [collection, source, from, to, size, last] = cells.slice(3);
    const key = `${source} ${collection}`;
    const part = parts.get(key);
    if (!part) {
      const own = { by, others: [], collection: String(collection), source: { type: source as SourceType, run } };
      parts.set(key, { ...own, from: Number(from), to: Number(to), size: Number(size), last: Number(last) });
      continue;
    }
    if (by) part.others.push(by);
    Object.assign(part, { to: Math.max(part.to, Number(to)), size: part.size + Number(size), last: Math.max(part.last, Number(last)) });
  }
  return [...parts.values()].sort((one, other) => one.last - other.last).map(({ last: _, ...part }) => part);
}
