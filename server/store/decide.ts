// What one write does to one record: a pure function that both engines ask, so that they cannot differ. Knows no SQL.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type Fields, validateComplete } from "../../core/dictionary/validate.ts";
import type { Changes, Decision, FailureCode, Match, WriteOp } from "./store.ts";

/** What the store holds under the op's id. `tombstone` is the version that a deleted record had. */
export interface Held {
  current: WireRecord | undefined;
  tombstone: number | undefined;
}

/** An op whose id is known: the engine draws one where the request gave none. */
export type AimedOp = WriteOp & { id: number };

/** `now` is RFC 3339 UTC with ms. Uniqueness of other fields than the key is planWrite's. */
export function decide(collection: Collection, op: AimedOp, held: Held, now: string): Decision {
  const { current } = held;
  switch (op.verb) {
    case "post":
      return decidePost(collection, op, held, now);
    case "put":
      if (!current) return op.ifMatch ? failed("PRECONDITION_FAILED") : create(collection, op, held, now);
      if (!meets(op.ifMatch, current) || (op.ifNoneMatch && meets(op.ifNoneMatch, current))) return failed("PRECONDITION_FAILED");
      return change(collection, op, current, now);
    case "patch":
      if (!current) return failed("NOT_FOUND");
      return meets(op.ifMatch, current) ? change(collection, op, current, now) : failed("PRECONDITION_FAILED");
    case "delete":
      if (!current) return held.tombstone === undefined ? failed("NOT_FOUND") : { outcome: "gone" };
      return meets(op.ifMatch, current) ? { outcome: "deleted", record: current } : failed("PRECONDITION_FAILED");
  }
}

function decidePost(collection: Collection, op: AimedOp & { verb: "post" }, held: Held, now: string): Decision {
  const { current } = held;
  if (!current) {
    if (op.ifMatch) return failed("PRECONDITION_FAILED");
    if (op.onConflict !== "update") return create(collection, op, held, now);
    if (op.onMissing === "error") return failed("NOT_FOUND");
    const problems = validateComplete(collection, op.given);
    return problems.length > 0 ? { outcome: "failed", failure: { code: "VALIDATION", problems } } : create(collection, op, held, now);
  }
  if (op.onConflict === "error") return { outcome: "failed", failure: { code: "ALREADY_EXISTS", holder: op.id } };
  if (op.onConflict === "skip") return { outcome: "skipped", record: current };
  return meets(op.ifMatch, current) ? change(collection, op, current, now) : failed("PRECONDITION_FAILED");
}

/** A deleted id may come back; its version goes on above the tombstone's, so that no old ETag ever matches. */
function create(collection: Collection, op: { id: number; given: Fields }, held: Held, now: string): Decision {
  const record = { ...op.given, createdAt: now, updatedAt: now, version: (held.tombstone ?? 0) + 1 } as WireRecord;
  for (const field of collection.fields) record[field.name] ??= null;
  record[collection.key.name] = op.id;
  return { outcome: "created", record };
}

/** The given fields replace, absent ones stay. Without a real change the record, its version and its ETag stay. */
function change(collection: Collection, op: { given: Fields }, current: WireRecord, now: string): Decision {
  const changes: Changes = {};
  let changed = false;
  for (const field of collection.fields) {
    const given = op.given[field.name];
    const old = current[field.name] ?? null;
    if (given === undefined || given === old || field === collection.key) continue;
    changes[field.name] = [old, given];
    changed = true;
  }
  if (!changed) return { outcome: "unchanged", record: current };
  const record: WireRecord = { ...current, updatedAt: now, version: current.version + 1 };
  for (const [name, [, value]] of Object.entries(changes)) record[name] = value;
  return { outcome: "updated", record, changes };
}

function meets(match: Match | undefined, current: WireRecord): boolean {
  return match === undefined || match === "any" || match.includes(current.version);
}

function failed(code: FailureCode): Decision {
  return { outcome: "failed", failure: { code } };
}
