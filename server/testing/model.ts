// A model of the service on a Map: the outcomes and versions that writes should have.

import type { DeletionOutcome, OnConflict, OnMissing, WriteOutcome } from "../../core/contract/records.ts";

export interface CustomerFields {
  firstName: string | null;
  lastName: string;
  accountID: string;
}
/** The fields of a write; null clears one. */
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
  /** null: the service assigns one. */
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
  const stored = model.records.get(id);
  if (!stored) return guard === undefined ? create(model, id, given) : failed(412);
  if (isOnlyNew || !matches(guard, stored.version)) return failed(412);
  return change(model, id, { firstName: null, ...given });
}

export function patch(model: Model, id: number, given: Given, guard: Guard): Outcome {
  if (!isPossible(given)) return failed(422);
  const stored = model.records.get(id);
  if (!stored) return failed(404);
  return matches(guard, stored.version) ? change(model, id, given) : failed(412);
}

/** Deleting again is no failure; with many it counts as `unchanged`. */
export function remove(model: Model, id: number, guard: Guard): Outcome {
  const stored = model.records.get(id);
  if (!stored) return model.tombstones.has(id) ? { outcome: "unchanged", status: 200 } : failed(404);
  if (!matches(guard, stored.version)) return failed(412);
  model.records.delete(id);
  model.tombstones.set(id, stored.version + 1); // a deletion is a version of its own
  return { outcome: "deleted", status: 200, version: stored.version };
}

/** One item of a POST. `seen`: the ids before it. `assignedId`: the id that the service assigned where none was sent. */
export function post(model: Model, item: Item, how: How, seen: Set<number>, assignedId: number): Outcome {
  const id = item.id ?? assignedId;
  if (seen.has(id)) return failed(422);
  seen.add(id);
  const guard = how.isMatched ? item.version : undefined;
  const stored = model.records.get(id);
  if (!stored) {
    if (guard !== undefined) return failed(412);
    if (how.onConflict === "update" && how.onMissing === "error") return failed(404);
    return isComplete(item.given) ? create(model, id, item.given) : failed(422);
  }
  if (how.onConflict === "error") return failed(409);
  if (how.onConflict === "skip") return { outcome: "skipped", status: 200, version: stored.version };
  return matches(guard, stored.version) ? change(model, id, item.given) : failed(412);
}

/** Says whether the item is rejected, whatever is stored. */
export function isRejected({ id, given, version }: Item, { onConflict, onMissing, isMatched }: How): boolean {
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

function matches(guard: Guard, version: number): boolean {
  return guard === undefined || guard === "any" || guard === version;
}

/** A deleted id continues above the version that it had. */
function create(model: Model, id: number, given: Given & Pick<CustomerFields, "lastName" | "accountID">): Outcome {
  const version = (model.tombstones.get(id) ?? 0) + 1;
  model.records.set(id, { fields: { firstName: null, ...given }, version });
  model.tombstones.delete(id);
  return { outcome: "created", status: 201, version };
}

/** The version rises only with a real change. */
function change(model: Model, id: number, given: Given): Outcome {
  const stored = model.records.get(id);
  if (!stored) throw new Error("nothing to change");
  const changes: Outcome["changes"] = {};
  for (const [name, value] of Object.entries(given) as [keyof CustomerFields, string | null][]) {
    if (stored.fields[name] !== value) changes[name] = [stored.fields[name], value];
  }
  if (Object.keys(changes).length === 0) return { outcome: "unchanged", status: 200, version: stored.version };
  const version = stored.version + 1;
  model.records.set(id, { fields: { ...stored.fields, ...given } as CustomerFields, version });
  return { outcome: "updated", status: 200, version, changes };
}
