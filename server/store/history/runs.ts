// What an undo needs to know of a run: its changes, the last first, and who changed the same records after it.

import type { Operation, SourceType } from "../../../core/contract/history.ts";
import { ask, type Script } from "../people/script.ts";
import { findLast } from "./activity.ts";
import { ENTRY, OPERATION_BITS, PRINCIPAL, type StoredEntry, toEntry, toPrincipal, WITH_NAMES } from "./reads.ts";

export interface RunEntry extends StoredEntry {
  /** Whose the record's next change is: the run's own, its undo's that nobody changed since, or another; null: there is none. */
  next: "run" | "undo" | "other" | null;
  /** The record's change before this one is the run's, too. */
  isAfterOwn: boolean;
}

/** After the record `id` of a write, in descending order. */
export interface RunPlace {
  write: number;
  id: number;
}

export const RUN_END: RunPlace = { write: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

const NEXT = `(SELECT CASE WHEN nw.run = $1 THEN CASE nw.source WHEN 'undo' THEN 'undo' ELSE 'run' END ELSE 'other' END
  FROM history n JOIN writes nw ON nw.number = n.write
  WHERE n.id = h.id AND n.write > h.write AND nw.collection = $2 ORDER BY n.write LIMIT 1)`;

const IS_AFTER_OWN = `(SELECT CASE WHEN pw.run = $1 AND pw.source <> 'undo' THEN 1 ELSE 0 END
  FROM history b JOIN writes pw ON pw.number = b.write
  WHERE b.id = h.id AND b.write < h.write AND pw.collection = $2 ORDER BY b.write DESC LIMIT 1)`;

const IS_LAST_OTHER = `(SELECT CASE WHEN lw.run = $1 THEN 0 ELSE 1 END
  FROM history l JOIN writes lw ON lw.number = l.write
  WHERE l.id = h.id AND l.write > h.write AND lw.collection = $2 ORDER BY l.write DESC LIMIT 1)`;

/** The changes that a run made in a collection, the last first, after a place; `rest`: where to go on. */
export function* listRunEntries(
  collection: string,
  run: string,
  { write, id }: RunPlace,
  limit: number,
): Script<{ entries: RunEntry[]; rest: RunPlace | null }> {
  const wanted = "w.run = $1 AND w.collection = $2 AND w.source <> 'undo' AND w.number <= $3";
  const { last, more } = yield* findLast(wanted, [run, collection, write], write, limit);
  const sql = `SELECT ${ENTRY}, ${NEXT}, ${IS_LAST_OTHER}, ${IS_AFTER_OWN} FROM writes w JOIN history h ON h.write = w.number ${WITH_NAMES}
    WHERE ${wanted} AND w.number >= $5 AND (w.number < $3 OR h.id < $4) ORDER BY w.number DESC, h.id DESC LIMIT $6`;
  const { rows } = yield* ask(sql, run, collection, write, id, last, limit);
  const entries = rows.map((cells) => {
    const [next, isLastOther, isAfterOwn] = cells.slice(-3);
    const isChangedSince = next === "undo" && Number(isLastOther) === 1;
    return { ...toEntry(cells), next: isChangedSince ? "other" : (next as RunEntry["next"]), isAfterOwn: Number(isAfterOwn) === 1 };
  });
  const full = entries.length === limit ? entries.at(-1) : undefined;
  return { entries, rest: full ? { write: full.write, id: full.id } : more ? { write: last, id: 0 } : null };
}

/** How many changes a run made in a collection. */
export function* sizeOfRun(collection: string, run: string): Script<number> {
  const sql = "SELECT coalesce(sum(size), 0) FROM writes WHERE run = $1 AND collection = $2 AND source <> 'undo'";
  return Number((yield* ask(sql, run, collection)).rows[0]?.[0]);
}

/** Whether a run made such a change. */
export function* hasOperation(collection: string, run: string, operation: Operation): Script<boolean> {
  const sql = "SELECT 1 FROM writes WHERE run = $1 AND collection = $2 AND source <> 'undo' AND (operations & $3) <> 0 LIMIT 1";
  return (yield* ask(sql, run, collection, OPERATION_BITS[operation])).count > 0;
}

/** What a run and its undo changed in each collection. Times in ms since 1970. */
export interface StoredRunPart extends Pick<StoredEntry, "by" | "source" | "collection"> {
  from: number;
  to: number;
  size: number;
}

export function* summarizeRun(run: string): Script<StoredRunPart[]> {
  const parts =
    "SELECT min(at) AS first_at, max(at) AS last_at, sum(size) AS size, max(number) AS number FROM writes WHERE run = $1 GROUP BY collection, source";
  const sql = `SELECT ${PRINCIPAL}, w.collection, w.source, g.first_at, g.last_at, g.size FROM (${parts}) g
    JOIN writes w ON w.number = g.number ${WITH_NAMES} ORDER BY g.number`;
  return (yield* ask(sql, run)).rows.map((cells) => {
    const [collection, source, from, to, size] = cells.slice(3);
    return {
      by: toPrincipal(cells),
      collection: String(collection),
      source: { type: source as SourceType, run },
      from: Number(from),
      to: Number(to),
      size: Number(size),
    };
  });
}
