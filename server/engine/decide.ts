// Decides what one write does to one record. Both engines use it, so that they cannot differ.

import type { Principal } from "../../core/contract/principals.ts";
import type { Problem } from "../../core/contract/problems.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { compute } from "../../core/dictionary/computed.ts";
import { isSame, type Value } from "../../core/dictionary/kinds.ts";
import { unconfirmed } from "../../core/dictionary/rule.ts";
import { leftBehind, problemsOfRules, withDefaults } from "../../core/dictionary/rules.ts";
import { type Fields, validateComplete } from "../../core/dictionary/validate.ts";
import { convertedValue } from "../../core/forms/conversion.ts";
import { dayIn } from "../../core/forms/time-zones.ts";
import type { Batch, Changes, Decision, FailureCode, Match, WriteOp } from "./store.ts";

/** The record that is stored under the op's id. `tombstone` is the version that a deleted record had. */
export interface StoredState {
  current: WireRecord | undefined;
  tombstone: number | undefined;
  /** Says when and by whom the deleted record was made that the op brings back. */
  origin?: Origin | undefined;
}

export type Origin = Pick<WireRecord, "createdAt" | "createdBy">;

/** The marks that a write puts on each record that it changes. `at`: RFC 3339 UTC with ms. */
export interface Stamp {
  at: string;
  by: Principal;
  /** What was accepted once comes back, whatever the rules of today are. */
  isRestore?: boolean | undefined;
  /** The service computes values anew, and changes nothing else. */
  isComputation?: boolean | undefined;
}

/** Makes the stamp of a batch that is written at this time, in ms since 1970. */
export function stampOf({ by, isRestore, source }: Batch, now: number): Stamp {
  return { at: new Date(now).toISOString(), by, isRestore, isComputation: source.type === "computation" };
}

/** An op with its id: the engine assigns one where the request had none. */
export type OpWithId = WriteOp & { id: number };

type Writing = Pick<OpWithId & { given: Fields }, "id" | "given" | "acknowledge" | "duplicates">;

/** Unique fields besides the key are checked by planWrite. */
export function decide(collection: Collection, op: OpWithId, stored: StoredState, stamp: Stamp): Decision {
  const { current } = stored;
  switch (op.verb) {
    case "post":
      return decidePost(collection, op, stored, stamp);
    case "put":
      if (op.ifDeletion !== undefined && (current || stored.tombstone !== op.ifDeletion)) return failed("PRECONDITION_FAILED");
      if (!current) return op.ifMatch ? failed("PRECONDITION_FAILED") : create(collection, op, stored, stamp);
      if (!matches(op.ifMatch, current) || (op.ifNoneMatch && matches(op.ifNoneMatch, current))) return failed("PRECONDITION_FAILED");
      return change(collection, op, current, stamp);
    case "patch":
      if (!current) return failed("NOT_FOUND");
      return matches(op.ifMatch, current) ? change(collection, op, current, stamp) : failed("PRECONDITION_FAILED");
    case "delete":
      if (!current) return stored.tombstone === undefined ? failed("NOT_FOUND") : { outcome: "gone" };
      return matches(op.ifMatch, current) ? { outcome: "deleted", record: current } : failed("PRECONDITION_FAILED");
  }
}

function decidePost(collection: Collection, op: OpWithId & { verb: "post" }, stored: StoredState, stamp: Stamp): Decision {
  const { current } = stored;
  if (!current) {
    if (op.ifMatch) return failed("PRECONDITION_FAILED");
    if (op.onConflict === "update" && op.onMissing === "error")
      return { outcome: "failed", failure: { code: "NOT_FOUND", ...(op.match && { field: op.match.field }) } };
    const scope = { record: op.given, old: null, me: stamp.by, today: todayOf(collection, stamp.at) };
    const { record: given, problems } = collection.hasRules ? withDefaults(collection, scope) : { record: op.given, problems: [] };
    if (collection.hasRules && stamp.by.type !== "user")
      for (const { name, isPerson } of collection.fields) if (isPerson && given[name] === stamp.by.id) given[name] = null; // a program is no person
    const isChecked = op.onConflict !== "update"; // and fields with a default alone are left out of it
    problems.push(...validateComplete(collection, given).filter(({ field }) => !isChecked || collection.byName.get(field)?.default));
    return problems.length > 0 ? invalid(problems) : create(collection, { ...op, given }, stored, stamp);
  }
  if (op.onConflict === "error" || op.match?.isNew)
    return { outcome: "failed", failure: { code: "ALREADY_EXISTS", holder: op.id, ...namedBy(op) } };
  if (op.onConflict === "skip") return { outcome: "skipped", record: current };
  return matches(op.ifMatch, current) ? change(collection, op, current, stamp) : failed("PRECONDITION_FAILED");
}

function todayOf({ timeZone = "UTC" }: Collection, at: string): string {
  return dayIn(timeZone, Date.parse(at));
}

/** A deleted id may be used again. Its version continues above the tombstone's, so that no old ETag matches. */
function create(collection: Collection, op: Writing, stored: StoredState, stamp: Stamp): Decision {
  const { at, by } = stamp;
  const record: Record<string, WireRecord[string]> = {}; // every record with its members in one order, which engines handle fastest
  for (const { name } of collection.fields) record[name] = op.given[name] ?? null;
  record[collection.key.name] = op.id;
  for (const field of collection.converting) record[field.name] = convertedValue(collection, field, record);
  const broken = [...computedIn(collection, record, stamp), ...problemsOf(collection, record, null, stamp)];
  const refused = unconfirmed(broken, op.acknowledge);
  if (refused.length > 0) return invalid(refused);
  const { similar = [], areRefused = false } = op.duplicates ?? {};
  const same = areRefused ? similar.filter(({ level }) => level === "same") : [];
  if (same.length > 0) return { outcome: "failed", failure: { code: "DUPLICATE", similar: same } };
  const version = (stored.tombstone ?? 0) + 1;
  const { createdAt, createdBy } = stored.origin ?? { createdAt: at, createdBy: by };
  const created = Object.assign(record, { createdAt, updatedAt: at, createdBy, updatedBy: by, version });
  const left = leftIn(collection, created, null, stamp);
  return { outcome: "created", record: created, ...warned(broken), ...left, ...(similar.length > 0 && { similar }) };
}

/** Replaces the given fields. If none differs, the record, its version and its ETag stay as they are. */
function change(collection: Collection, op: Writing & Pick<OpWithId, "verb">, current: WireRecord, stamp: Stamp): Decision {
  const { at, by } = stamp;
  const changes: Changes = {};
  let changed = false;
  for (const field of collection.fields) {
    const given = op.given[field.name];
    const old = (current[field.name] ?? null) as Value | null;
    if (given === undefined || isSame(given, old) || field === collection.key || field.computed !== undefined) continue;
    changes[field.name] = [old, given];
    changed = true;
  }
  for (const field of collection.converting) {
    const old = (current[field.name] ?? null) as Value | null;
    const value = convertedValue(collection, field, { ...current, ...op.given, [field.name]: old });
    delete changes[field.name];
    if (isSame(value, old)) continue;
    changes[field.name] = [old, value];
    changed = true;
  }
  if (!changed && !stamp.isComputation) return { outcome: "unchanged", record: current };
  const record: WireRecord = { ...current, updatedAt: at, updatedBy: by, version: current.version + 1 };
  for (const [name, [, value]] of Object.entries(changes)) record[name] = value;
  const broken = recompute(collection, record, current, changes, stamp);
  if (stamp.isComputation && Object.keys(changes).length === 0) return { outcome: "unchanged", record: current };
  const changedNames = new Set(Object.keys(changes));
  broken.push(...problemsOf(collection, record, current, stamp, { changed: changedNames, isWhole: op.verb === "put" }));
  const refused = unconfirmed(broken, op.acknowledge);
  if (refused.length > 0) return invalid(refused);
  return { outcome: "updated", record, changes, ...warned(broken), ...leftIn(collection, record, current, stamp, changedNames) };
}

function warned(warnings: readonly Problem[]): { warnings?: readonly Problem[] } {
  return warnings.length > 0 ? { warnings } : {};
}

/** Names the fields that keep a value although they are hidden. Nothing is cleared unseen. */
function leftIn(
  collection: Collection,
  record: WireRecord,
  old: WireRecord | null,
  { at, by, isRestore, isComputation }: Stamp,
  changed?: ReadonlySet<string>,
): { left?: readonly string[] } {
  if (!collection.hasRules || isRestore || isComputation) return {};
  const left = leftBehind(collection, { record, old, me: by, today: todayOf(collection, at) }, changed);
  return left.length > 0 ? { left } : {};
}

/** Computes what follows from changes of a record, and adds it to them. */
export function recompute(collection: Collection, record: WireRecord, current: WireRecord, changes: Changes, stamp: Stamp): Problem[] {
  const problems = computedIn(collection, record, stamp, new Set(Object.keys(changes)));
  for (const { name, computed } of collection.fields) {
    if (computed === undefined) continue;
    const [old, value] = [current, record].map((one) => (one[name] ?? null) as Value | null) as [Value | null, Value | null];
    if (!isSame(value, old)) changes[name] = [old, value];
    else delete changes[name];
  }
  return problems;
}

/** Sets what is computed in a record, and returns what it breaks. The service is held to nothing when it computes or brings back. */
function computedIn(
  collection: Collection,
  record: Record<string, unknown>,
  { at, isRestore, isComputation }: Stamp,
  changed?: ReadonlySet<string>,
): Problem[] {
  if (!collection.hasRules) return [];
  const problems = compute(collection, record, todayOf(collection, at), changed);
  return isRestore || isComputation ? [] : problems;
}

/** Returns what a record breaks of the rules over several fields. One that comes back is held to none: it was accepted once. */
function problemsOf(
  collection: Collection,
  record: WireRecord | Record<string, WireRecord[string]>,
  old: WireRecord | null,
  { at, by, isRestore, isComputation }: Stamp,
  { changed, isWhole }: { changed?: ReadonlySet<string>; isWhole?: boolean } = {},
): Problem[] {
  if (!collection.hasRules || isRestore || isComputation) return [];
  return problemsOfRules(collection, { record, old, me: by, today: todayOf(collection, at) }, changed, isWhole);
}

/** A deletion is a version of its own, so that whoever follows the changes knows that it came later. */
export function deletionVersion({ version }: WireRecord): number {
  return version + 1;
}

function matches(match: Match | undefined, current: WireRecord): boolean {
  return match === undefined || match === "any" || match.includes(current.version);
}

/** Returns the field by whose value the record was found; without it, it was named by its key. */
export function namedBy(op: WriteOp): { field?: string } {
  return op.verb === "post" && op.match && !op.match.isNew ? { field: op.match.field } : {};
}

function invalid(problems: Problem[]): Decision {
  return { outcome: "failed", failure: { code: "VALIDATION", problems } };
}

function failed(code: FailureCode): Decision {
  return { outcome: "failed", failure: { code } };
}
