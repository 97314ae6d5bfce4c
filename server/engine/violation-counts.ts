// Keeps how many stored records broke which rules on each day. Both engines use the same statements.

import { ask, type Script } from "./script/script.ts";
import type { BrokenCount } from "./violations.ts";

/** `day`: in days since 1970. Fields stand under the names of their columns. */
export interface CountsOfDay {
  day: number;
  counts: readonly BrokenCount[];
}

/** True for one process alone, which is to count. */
function* claimDay(collection: string, day: number): Script<boolean> {
  const sql = "INSERT INTO violation_counts (collection, day, counts) VALUES ($1, $2, '') ON CONFLICT DO NOTHING";
  return (yield* ask(sql, collection, day)).count > 0;
}

/** Keeps what was counted, and forgets the days before `since`. */
function* keepCounts(collection: string, { day, counts }: CountsOfDay, since: number): Script<void> {
  yield* ask("UPDATE violation_counts SET counts = $3 WHERE collection = $1 AND day = $2", collection, day, JSON.stringify(counts));
  yield* ask("DELETE FROM violation_counts WHERE collection = $1 AND day < $2", collection, since);
}

/** Another process, or this one later, is to count. */
function* releaseDay(collection: string, day: number): Script<void> {
  yield* ask("DELETE FROM violation_counts WHERE collection = $1 AND day = $2 AND counts = ''", collection, day);
}

/** The earliest first. */
function* listCounts(collection: string, since: number): Script<CountsOfDay[]> {
  const sql = "SELECT day, counts FROM violation_counts WHERE collection = $1 AND day >= $2 AND counts <> '' ORDER BY day";
  return (yield* ask(sql, collection, since)).rows.map(([day, counts]) => ({ day: Number(day), counts: JSON.parse(String(counts)) }));
}

export const COUNT_SCRIPTS = { reads: { listCounts }, writes: { claimDay, keepCounts, releaseDay } };
