// Keeps how many stored records broke which rules on each day. Both engines use the same statements.

import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { addCountDeliveries } from "../webhooks/store/deliveries.ts";
import { ask, type Script } from "./script/script.ts";
import { type BrokenCount, isHeld } from "./violations.ts";

/** `day`: in days since 1970. Fields stand under the names of their columns. */
export interface CountsOfDay {
  day: number;
  counts: readonly BrokenCount[];
}

/** Returns the count as a collection of today names it; undefined for what it does not hold its records to. */
export function countedToday(collection: Collection, one: BrokenCount, parents: readonly Collection[]): BrokenCount | undefined {
  const field = collection.fields.find((own) => columnName(own) === one.field);
  const named = field && withField(one, field.name);
  return named && isHeld(collection, named, parents) ? named : undefined;
}

export function withField(one: BrokenCount, field: string): BrokenCount {
  return { ...one, field };
}

/** @example dateOfDay(0) // "1970-01-01" */
export function dateOfDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** Returns what more records break than before. */
export function risenCounts(before: CountsOfDay, now: CountsOfDay): (BrokenCount & { before: number })[] {
  return now.counts.flatMap((one) => {
    const same = before.counts.find(
      ({ rule, constraint, field }) => rule === one.rule && constraint === one.constraint && field === one.field,
    );
    const known = same?.count ?? 0;
    return one.count > known ? [{ ...one, before: known }] : [];
  });
}

/** Returns true to one process alone, which is to count. */
function* claimDay(collection: string, day: number): Script<boolean> {
  const sql = "INSERT INTO violation_counts (collection, day, counts) VALUES ($1, $2, '') ON CONFLICT DO NOTHING";
  return (yield* ask(sql, collection, day)).count > 0;
}

/** Keeps what was counted, forgets the days before `since`, and has webhooks tell of what has risen by a delivery with this id. */
function* keepCounts(collection: string, kept: CountsOfDay, since: number, deliveryId: string): Script<void> {
  const { day, counts } = kept;
  yield* ask("UPDATE violation_counts SET counts = $3 WHERE collection = $1 AND day = $2", collection, day, JSON.stringify(counts));
  yield* ask("DELETE FROM violation_counts WHERE collection = $1 AND day < $2", collection, since);
  const before = (yield* listCounts(collection, since)).findLast((one) => one.day < day);
  const size = before ? risenCounts(before, kept).length : 0;
  if (size > 0) yield* addCountDeliveries({ id: deliveryId, collection, day, size, createdAt: Date.now() });
}

/** Lets another process, or this one later, count. */
function* releaseDay(collection: string, day: number): Script<void> {
  yield* ask("DELETE FROM violation_counts WHERE collection = $1 AND day = $2 AND counts = ''", collection, day);
}

/** Lists the earliest first. */
function* listCounts(collection: string, since: number): Script<CountsOfDay[]> {
  const sql = "SELECT day, counts FROM violation_counts WHERE collection = $1 AND day >= $2 AND counts <> '' ORDER BY day";
  return (yield* ask(sql, collection, since)).rows.map(([day, counts]) => ({ day: Number(day), counts: JSON.parse(String(counts)) }));
}

export const COUNT_SCRIPTS = { reads: { listCounts }, writes: { claimDay, keepCounts, releaseDay } };
