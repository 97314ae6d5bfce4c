// What the service should do, on a plain Map: what becomes of each write, and the versions. For tests only.

import type { DeletionOutcome, OnConflict, OnMissing, WriteOutcome } from "../../core/contract/records.ts";

export interface CustomerFields {
  firstName: string | null;
  lastName: string;
  accountID: string;
}
/** What a write brings; null where it clears. */
export type Given = { [Name in keyof CustomerFields]?: string | null };

export interface Model {
  records: Map<number, { fields: CustomerFields; version: number }>;
  /** Deleted id → the version it had. */
  tombstones: Map<number, number>;
}

export interface Outcome {
  outcome: WriteOutcome | DeletionOutcome;
  status: number;
  version?: number;
  changes?: Record<string, [old: unknown, now: unknown]>;
}

/** The versions that If-Match allows; undefined: all. */
export type Guard = number | "any" | undefined;

export interface Item {
  /** null: the service gives one. */
  id: number | null;
  given: Given;
  version: number | undefined;
}

export interface How {
  onConflict: OnConflict;
  onMissing: OnMissing;
  isMatched: boolean;
}

export function newModel(): Model {
  return { records: new Map(), tombstones: new Map() };
}

export function copyModel({ records, tombstones }: Model): Model {
  return { records: new Map(records), tombstones: new Map(tombstones) };
}

const failed = (status: number): Outcome => ({ outcome: "failed", status });

export function put(model: Model, id: number, given: Given, guard: Guard, isOnlyNew: boolean): Outcome {
  if (!isComplete(given)) return failed(422);
  const held = model.records.get(id);
  if (!held) return guard === undefined ? create(model, id, given) : failed(412);
  if (isOnlyNew || !meets(guard, held.version)) return failed(412);
  return change(model, id, { firstName: null, ...given });
}

export function patch(model: Model, id: number, given: Given, guard: Guard): Outcome {
  if (!isPossible(given)) return failed(422);
  const held = model.records.get(id);
  if (!held) return failed(404);
  return meets(guard, held.version) ? change(model, id, given) : failed(412);
}

/** Deleting again is no failure; with many it counts as `unchanged`. */
export function remove(model: Model, id: number, guard: Guard): Outcome {
  const held = model.records.get(id);
  if (!held) return model.tombstones.has(id) ? { outcome: "unchanged", status: 200 } : failed(404);
  if (!meets(guard, held.version)) return failed(412);
  model.records.delete(id);
  model.tombstones.set(id, held.version);
  return { outcome: "deleted", status: 200, version: held.version };
}

/** One of many. `seen`: the ids of those before it. `givenId`: the one that the service chose where none was sent. */
export function post(model: Model, item: Item, how: How, seen: Set<number>, givenId: number): Outcome {
  const id = item.id ?? givenId;
  if (seen.has(id)) return failed(422);
  seen.add(id);
  const guard = how.isMatched ? item.version : undefined;
  const held = model.records.get(id);
  if (!held) {
    if (guard !== undefined) return failed(412);
    if (how.onConflict === "update" && how.onMissing === "error") return failed(404);
    return isComplete(item.given) ? create(model, id, item.given) : failed(422);
  }
  if (how.onConflict === "error") return failed(409);
  if (how.onConflict === "skip") return { outcome: "skipped", status: 200, version: held.version };
  return meets(guard, held.version) ? change(model, id, item.given) : failed(412);
}

/** Refused whatever the store holds. */
export function isRefused({ id, given, version }: Item, { onConflict, onMissing, isMatched }: How): boolean {
  if (onConflict === "update" ? !isPossible(given) : !isComplete(given)) return true;
  if (id === null) return onMissing === "error";
  return isMatched && onConflict === "update" && version === undefined;
}

/** The status of all or nothing: that of the failures if they share one. */
export function statusOfAll(outcomes: readonly Outcome[]): number {
  const statuses = new Set(outcomes.filter(({ outcome }) => outcome === "failed").map(({ status }) => status));
  const [first = 200] = statuses;
  if (statuses.size > 0) return statuses.size === 1 ? first : 422;
  return outcomes.some(({ outcome }) => outcome === "created") ? 201 : 200;
}

function isPossible({ lastName, accountID }: Given): boolean {
  return lastName !== null && accountID !== null;
}

function isComplete(given: Given): given is Given & Pick<CustomerFields, "lastName" | "accountID"> {
  return isPossible(given) && given.lastName !== undefined && given.accountID !== undefined;
}

function meets(guard: Guard, version: number): boolean {
  return guard === undefined || guard === "any" || guard === version;
}

/** What was deleted comes back above the version it had. */
function create(model: Model, id: number, given: Given & Pick<CustomerFields, "lastName" | "accountID">): Outcome {
  const version = (model.tombstones.get(id) ?? 0) + 1;
  model.records.set(id, { fields: { firstName: null, ...given }, version });
  model.tombstones.delete(id);
  return { outcome: "created", status: 201, version };
}

/** A version rises only with a real change. */
function change(model: Model, id: number, given: Given): Outcome {
  const held = model.records.get(id);
  if (!held) throw new Error("nothing to change");
  const changes: Outcome["changes"] = {};
  for (const [name, value] of Object.entries(given) as [keyof CustomerFields, string | null][]) {
    if (held.fields[name] !== value) changes[name] = [held.fields[name], value];
  }
  if (Object.keys(changes).length === 0) return { outcome: "unchanged", status: 200, version: held.version };
  const version = held.version + 1;
  model.records.set(id, { fields: { ...held.fields, ...given } as CustomerFields, version });
  return { outcome: "updated", status: 200, version, changes };
}
