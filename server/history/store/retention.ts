// Says how long the history is kept. It is swept from its beginning, in small steps.

import { ask, type Script } from "../../engine/script/script.ts";
import { FORGOTTEN } from "./reads.ts";

/** Times in ms since 1970; undefined: kept for ever. `values` is never before `changes`. */
export interface Cutoffs {
  /** Old and new values of changes before it are removed. */
  values: number | undefined;
  /** Changes before it are removed, but for erasures. */
  changes: number | undefined;
}

/**
 * Says how far the sweep has come: the numbers of the last writes it dealt with. `xid` is the highest id of their transactions, on
 * PostgreSQL.
 */
export interface Swept {
  values: number;
  changes: number;
  xid: number;
}

const NAME = "retention";
const NOTHING: Swept = { values: 0, changes: 0, xid: 0 };

const MOST_WRITES = 500; // of one step
const MOST_ENTRIES = 5_000; // after which it ends, so that nobody waits for long

export function* readSwept(): Script<Swept> {
  const value = (yield* ask("SELECT value FROM settings WHERE name = $1", NAME)).rows[0]?.[0] as Uint8Array | undefined;
  return value ? { ...NOTHING, ...(JSON.parse(new TextDecoder().decode(value)) as Swept) } : NOTHING;
}

/** Says what an engine knows about the transaction of a write, in SQL. */
interface TransactionOfWrite {
  /** Its id, or 0. */
  xid: "xid" | "0";
  /** 1 when no transaction with a lower id is running, and 0 otherwise. Only then can the feed be past the write. */
  isReadable: string;
}

export const OF_SQLITE: TransactionOfWrite = { xid: "0", isReadable: "1" };

/** Takes one step, in a transaction of its own. False when nothing is left to do. */
export function* sweepHistory({ values, changes }: Cutoffs, engine: TransactionOfWrite): Script<boolean> {
  const swept = yield* readSwept();
  const old = yield* oldWrites(swept.values, values, engine);
  if (old)
    yield* ask("UPDATE history SET changes = $1 WHERE write > $2 AND write <= $3 AND changes <> $1", FORGOTTEN, swept.values, old.last);
  const gone = yield* oldWrites(swept.changes, changes, engine);
  if (gone) {
    yield* ask("DELETE FROM history WHERE write > $1 AND write <= $2 AND operation <> 'erased'", swept.changes, gone.last);
    const kept = "SELECT write FROM history WHERE write > $1 AND write <= $2";
    yield* ask(`DELETE FROM writes WHERE number > $1 AND number <= $2 AND number NOT IN (${kept})`, swept.changes, gone.last);
  }
  if (!old && !gone) return false;
  const now: Swept = {
    values: old?.last ?? swept.values,
    changes: gone?.last ?? swept.changes,
    xid: Math.max(swept.xid, gone?.xid ?? 0),
  };
  yield* ask("DELETE FROM settings WHERE name = $1", NAME);
  yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", NAME, new TextEncoder().encode(JSON.stringify(now)));
  return true;
}

/** Finds the next writes after a number that are all before the cutoff. The newest write always stays, so that no number comes again. */
function* oldWrites(
  after: number,
  before: number | undefined,
  { xid, isReadable }: TransactionOfWrite,
): Script<{ last: number; xid: number } | undefined> {
  if (before === undefined) return undefined;
  const sql = `SELECT number, at, size, ${xid}, ${isReadable} FROM writes
    WHERE number > $1 AND number < (SELECT max(number) FROM writes) ORDER BY number LIMIT $2`;
  const { rows } = yield* ask(sql, after, MOST_WRITES);
  let found: { last: number; xid: number } | undefined;
  let entries = 0;
  // No write is later than one after it: the clock may have been ahead for a while.
  const times = rows.map(([, at]) => Number(at));
  for (let i = times.length - 2; i >= 0; i--) times[i] = Math.min(times[i] as number, times[i + 1] as number);
  for (const [i, [number, , size, transaction, readable]] of rows.entries()) {
    entries += Number(size);
    if ((times[i] as number) >= before || Number(readable) === 0 || (found && entries > MOST_ENTRIES)) break;
    found = { last: Number(number), xid: Math.max(found?.xid ?? 0, Number(transaction)) };
  }
  return found;
}
