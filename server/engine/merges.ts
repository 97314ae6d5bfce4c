// Knows which records have become part of others: the same statements on both engines.

import type { Principal } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { padded, placesFor, toPrincipal } from "../history/store/reads.ts";
import type { OpWithId } from "./decide.ts";
import type { RelationSql } from "./find-relations.ts";
import type { Known } from "./plan-write.ts";
import { type AllRowRights, type CheckedRecord, findDeleted, findMetParents, findSeen, meets } from "./row-rights.ts";
import { ask, type Cell, type Script } from "./script/script.ts";
import type { WriteOp } from "./store.ts";

/** A merge that holds. `others` became part of `survivor` at `at`, in ms since 1970. */
export interface StoredMerge {
  id: string;
  survivor: number;
  others: number[];
  at: number;
  by: Principal | null;
}

const MOST_STEPS = 100; // from a record to the one that it is part of today

/** Says of which record each of these is part today; those that are no part of another one are left out. */
export function* findSurvivors(collection: string, ids: readonly number[]): Script<Map<number, number>> {
  const found = new Map<number, number>();
  let open = new Map(ids.map((id) => [id, [id]])); // where a way leads so far → from where it began
  for (let step = 0; step < MOST_STEPS && open.size > 0; step++) {
    const places = [...open.keys()];
    const sql = `SELECT id, survivor FROM merges WHERE collection = $1 AND apart_at IS NULL AND id IN (${placesFor(places, 2)})`;
    const { rows } = yield* ask(sql, collection, ...padded(places));
    const next = new Map<number, number[]>();
    for (const [id, survivor] of rows) {
      const begun = open.get(Number(id)) ?? [];
      for (const one of begun) found.set(one, Number(survivor));
      next.set(Number(survivor), [...(next.get(Number(survivor)) ?? []), ...begun]);
    }
    open = next;
  }
  return found;
}

/**
 * Leaves out what whoever writes may not know: that a record which they did not see has become part of one, or that one has become part of a
 * record which they do not see. `survivors`: the key of a record → that of the one of which it is part, or which it is itself.
 */
export function* shownSurvivors(
  collection: Collection,
  survivors: ReadonlyMap<number, number>,
  { rows, collections, sql }: { rows: AllRowRights | undefined; collections: readonly Collection[]; sql: RelationSql },
): Script<ReadonlyMap<number, number>> {
  const filters = rows?.get(collection.name)?.read;
  if (!filters || survivors.size === 0) return survivors;
  const seen = new Set(yield* findSeen(collection, filters, [...new Set(survivors.values())], sql));
  const past = yield* findDeleted(collection, [...survivors.keys()]);
  const parents = yield* findMetParents([{ collection, filters, records: [...past.values()] }], collections, sql);
  const wasSeen = (id: number) => past.has(id) && meets(collection, filters, past.get(id) as CheckedRecord, parents);
  return new Map([...survivors].filter(([id, survivor]) => seen.has(survivor) && (id === survivor || wasSeen(id))));
}

/** Lists the merges that hold, the latest first: of a collection, of one survivor, or of one run, whose ids begin with it and a hyphen. */
function* listMerges(
  collection: string,
  { survivor, run, limit }: { survivor?: number; run?: string; limit: number },
): Script<StoredMerge[]> {
  const given: Cell[] = [...(survivor === undefined ? [] : [survivor]), ...(run === undefined ? [] : [`${run}-`, `${run}.`])];
  const bySurvivor = survivor === undefined ? "" : "AND m.survivor = $2";
  const byRun = run === undefined ? "" : `AND m.merge > $${given.length} AND m.merge < $${given.length + 1}`; // "." comes after "-"
  const sql = `SELECT m.merge, m.survivor, m.at, m.id, m.by_type, m.by_id, coalesce(u.name, nullif(k.name, ''), m.by_id) FROM merges m
    LEFT JOIN users u ON m.by_type = 'user' AND u.id = m.by_id LEFT JOIN keys k ON m.by_type = 'key' AND k.id = m.by_id
    WHERE m.collection = $1 AND m.apart_at IS NULL ${bySurvivor} ${byRun} ORDER BY m.at DESC, m.merge, m.id LIMIT ${limit}`;
  const { rows } = yield* ask(sql, collection, ...given);
  const merges = new Map<string, StoredMerge>();
  for (const [id, into, at, other, ...by] of rows) {
    const merge = merges.get(String(id)) ?? {
      id: String(id),
      survivor: Number(into),
      others: [],
      at: Number(at),
      by: toPrincipal(by),
    };
    merge.others.push(Number(other));
    merges.set(merge.id, merge);
  }
  return [...merges.values()];
}

export const MERGE_SCRIPTS = { reads: { findSurvivors, listMerges }, writes: {} };

/** Returns the ops of a POST that name a record which is part of another one, as ops on that one. `merged`: as findSurvivors has it. */
export function redirected(ops: readonly OpWithId[], merged: ReadonlyMap<number, number>): OpWithId[] {
  return ops.map((op) => {
    const survivor = op.verb === "post" ? merged.get(op.id) : undefined;
    // The version that was sent is one of the record that is gone.
    return survivor === undefined ? op : { ...op, id: survivor, ...(op.ifMatch && op.ifMatch !== "any" && { ifMatch: [] }) };
  });
}

/** Finds of which records those are part today that a batch names and that are gone. */
export function* findMerged(
  { name }: Collection,
  ops: readonly OpWithId[],
  { records, tombstones }: Pick<Known, "records" | "tombstones">,
): Script<ReadonlyMap<number, number>> {
  const gone = ops.filter((op) => op.verb !== "delete" && !records.has(op.id) && tombstones.has(op.id)).map(({ id }) => id);
  return gone.length > 0 ? yield* findSurvivors(name, gone) : new Map<number, number>();
}

/** Returns the ops with references to what records have become part of; the same ops where no parent is missing. `parents`: those that are there. */
export function* withSurvivingParents<Op extends WriteOp>(
  { references }: Collection,
  ops: readonly Op[],
  parents: ReadonlyMap<string, ReadonlyMap<number, unknown>> | undefined,
  about: { rows: AllRowRights | undefined; collections: readonly Collection[]; sql: RelationSql },
): Script<readonly Op[]> {
  let filled = ops;
  for (const { name, reference } of references) {
    const known = parents?.get(name);
    const values = filled.flatMap((op) => (op.verb === "delete" ? [] : (op.given[name] ?? [])));
    const missing = [...new Set(values.filter((value) => typeof value === "number" && !known?.has(value)))] as number[];
    const parent = about.collections.find((one) => one.name === reference.collection);
    if (missing.length === 0 || !parent) continue;
    const merged = yield* shownSurvivors(parent, yield* findSurvivors(parent.name, missing), about);
    if (merged.size === 0) continue;
    filled = filled.map((op) => {
      const survivor = op.verb === "delete" ? undefined : merged.get(op.given[name] as number);
      return survivor === undefined || op.verb === "delete" ? op : { ...op, given: { ...op.given, [name]: survivor } };
    });
  }
  return filled;
}
