// Decides a whole batch of writes: duplicate ids, unique fields, and ids that the store assigns. Both engines use it.

import type { Problem } from "../../core/contract/problems.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { isSame, type Value } from "../../core/dictionary/kinds.ts";
import { titlesOf, type Unique, uniquesOf, uniqueValue } from "../../core/dictionary/unique-keys.ts";
import type { Numbers } from "./auto-numbers.ts";
import { decide, deletionVersion, namedBy, type OpWithId, type Origin, type Stamp } from "./decide.ts";
import { withFileItems } from "./file-items.ts";
import { type NamedPeople, wrongPeople } from "./people-named.ts";
import type { Relations } from "./relations.ts";
import type { RowCheck } from "./row-rights.ts";
import type { Batch, Decision } from "./store.ts";

/** The rows that the engine has read for the ids and unique values of a batch. planWrite updates it from op to op. */
export interface Known {
  records: Map<number, WireRecord>;
  tombstones: Map<number, number>;
  /** Id of a deleted record → when, ms since 1970. */
  deletions: ReadonlyMap<number, number>;
  /** Id of a deleted record that the batch brings back → when and by whom it was made. */
  origins?: ReadonlyMap<number, Origin> | undefined;
  /** Name of what is unique → value, as it is compared → id of the record that has it. */
  holders: Map<string, Map<Value, number>>;
  /** Is undefined where the collection neither refers to others nor is referred to. */
  relations?: Relations | undefined;
  /** Is undefined where no field names people, or nobody has to be known. */
  people?: NamedPeople | undefined;
  /** Is undefined where the batch may make no record that the service numbers. */
  numbers?: Numbers | undefined;
  /** Is undefined where the rights of who writes are about all records. */
  rows?: RowCheck | undefined;
  /** Id of a record that is part of another one → the id of that one. */
  merged?: ReadonlyMap<number, number> | undefined;
}

/** Lists the values that records would have after the ops, as they are compared. `stored`: the records of the ops, as they are before. */
export function valuesOf(ops: readonly OpWithId[], unique: Unique, stored: ReadonlyMap<number, Record<string, unknown>>): Value[] {
  if (unique.fields.length === 1) return ops.flatMap((op) => (op.verb === "delete" ? [] : (uniqueValue(unique, op.given) ?? [])));
  const records = new Map<number, Record<string, unknown>>(); // an op may give some of the values only
  return ops.flatMap((op) => {
    const before = records.get(op.id) ?? stored.get(op.id); // also of a put: it lacks fields that who writes may not see
    const record = op.verb === "delete" ? {} : { ...before, ...op.given };
    records.set(op.id, record);
    return uniqueValue(unique, record) ?? [];
  });
}

/**
 * Makes one decision for each op, in order, each seeing the effect of those before it. The second op with the same id in one
 * batch fails, unless the batch is a sequence: there is no telling which one is meant.
 */
export function planWrite(
  collection: Collection,
  ops: readonly OpWithId[],
  read: Known,
  stamp: Stamp,
  { isSequence = false, unlessChangedSince }: Pick<Batch, "isSequence" | "unlessChangedSince"> = {},
): Decision[] {
  const unique = uniquesOf(collection);
  const seen = new Set<number>();
  const maxId = Number(collection.key.maximum ?? Number.MAX_SAFE_INTEGER);
  // It is a copy, because the relations look at what was stored before.
  const known = isSequence ? { ...read, records: new Map(read.records), tombstones: new Map(read.tombstones) } : read;
  const decideOne = (asked: OpWithId): Decision => {
    if (!isSequence && seen.has(asked.id)) return { outcome: "failed", failure: { code: "DUPLICATE_IN_REQUEST", ...namedBy(asked) } };
    seen.add(asked.id);
    const stands = known.records.get(asked.id);
    // A record that may not be seen is written to as if it were not there.
    const isUnseen = stands !== undefined && known.rows?.allows("read", collection, stands) === false;
    const current = isUnseen ? undefined : stands;
    const op = withFileItems(collection, asked, current);
    if (op.verb === "delete" && known.rows?.unseenDeleted.has(op.id)) return { outcome: "failed", failure: { code: "NOT_FOUND" } };
    const survivor = known.merged?.get(op.id);
    if (survivor !== undefined && op.verb !== "delete") {
      const isLimited = known.rows?.isLimited("read", collection) ?? false;
      return { outcome: "failed", failure: { code: "MERGED", ...(!isLimited && { holder: survivor }) } };
    }
    const sent = op.problems?.filter((problem) => !isAsStored(op, current, problem)) ?? [];
    const ofComputed = sent.filter((problem) => isOfComputed(collection, problem));
    const standing = sent.filter((problem) => !ofComputed.includes(problem));
    if (standing.length > 0) return { outcome: "failed", failure: { code: "VALIDATION", problems: standing } };
    if (op.id > maxId && !current) return { outcome: "failed", failure: { code: "VALIDATION", problems: [noFreeId(collection.key)] } };
    const stored = { current, tombstone: known.tombstones.get(op.id), origin: known.origins?.get(op.id) };
    const numbers = current || op.verb === "patch" || stamp.isRestore ? undefined : known.numbers;
    const decision = decide(collection, numbers?.withNumbers(op) ?? op, stored, stamp);
    const differing = ofComputed.filter((problem) => !isAsComputed(op, decision, problem));
    if (differing.length > 0) return { outcome: "failed", failure: { code: "VALIDATION", problems: differing } };
    if (decision.outcome === "failed" && decision.failure.code === "PRECONDITION_FAILED" && current)
      return { outcome: "failed", failure: { ...decision.failure, current } };
    if (unlessChangedSince !== undefined && rowChangeOf(decision)) {
      const deletedAt = isSequence ? 0 : (known.deletions.get(op.id) ?? 0); // a sequence may have deleted it itself
      const isLate = current ? isOfOthersSince(unlessChangedSince, current, stamp) : deletedAt > Date.parse(unlessChangedSince);
      if (isLate) return { outcome: "failed", failure: { code: "CHANGED_BY_OTHERS", ...namedBy(op), ...(current && { current }) } };
    }
    const change = rowChangeOf(decision);
    if (!change) return decision;
    const renumbered = stamp.isRestore ? [] : changedNumbers(collection, change);
    if (renumbered.length > 0) return { outcome: "failed", failure: { code: "VALIDATION", problems: renumbered } };
    const why = known.rows && whyNot(collection, change, current, known.rows);
    if (why !== undefined) return { outcome: "failed", failure: { code: "INSUFFICIENT_SCOPE", why } };
    if (unique.length === 0 && !known.relations && !known.people && !isSequence && !isUnseen) return decision;
    const next = change.outcome === "deleted" ? undefined : change.record;
    const problems = next ? takenValues(unique, op.id, next, known) : [];
    const changes = "changes" in change ? change.changes : undefined;
    if (next) problems.push(...(known.relations?.wrongReferences(next, changes) ?? []));
    if (next && known.people) problems.push(...wrongPeople(collection, next, changes, known.people));
    if (problems.length > 0) return { outcome: "failed", failure: { code: "VALIDATION", problems } };
    // There it is after all. The answer says no more of it than that its key is taken.
    if (isUnseen) return { outcome: "failed", failure: { code: "ALREADY_EXISTS" } };
    const inUse = next ? undefined : known.relations?.remove(op.id);
    if (inUse) return { outcome: "failed", failure: { code: "IN_USE", inUse } };
    moveValues(unique, op.id, current, next, known);
    if (next) known.relations?.keep(next);
    if (next) known.numbers?.keep(next);
    if (isSequence) keepState(op.id, change, known);
    return decision;
  };
  const decisions = new Map((isSequence ? ops : parentsFirst(collection, ops)).map((op) => [op, decideOne(op)]));
  return ops.map((op) => decisions.get(op) as Decision);
}

/** Where the collection refers to itself, a record comes after the one that it names, in whatever order they were sent. */
function parentsFirst({ name, references }: Collection, ops: readonly OpWithId[]): readonly OpWithId[] {
  const own = references.filter(({ reference }) => reference.collection === name);
  if (own.length === 0 || ops.length < 2) return ops;
  const byId = new Map<number, OpWithId>();
  for (const op of ops) if (!byId.has(op.id)) byId.set(op.id, op);
  const ordered = new Set<OpWithId>();
  for (const op of ops) {
    const chain: OpWithId[] = [];
    const waiting: OpWithId[] = [op];
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      if (ordered.has(one) || chain.includes(one)) continue;
      chain.push(one);
      const { verb } = one;
      if (verb === "delete") continue;
      for (const field of own) {
        const above = byId.get(Number(one.given[field.name] ?? Number.NaN));
        if (above && above.verb !== "delete") waiting.push(above);
      }
    }
    for (const one of chain.reverse()) ordered.add(one);
  }
  return [...ordered];
}

/** A number that was given stays. */
function changedNumbers({ fields }: Collection, change: RowChange): Problem[] {
  if (change.outcome !== "updated") return [];
  const given = fields.filter(({ name, autoNumber }) => autoNumber !== undefined && (change.changes[name]?.[0] ?? null) !== null);
  return given.map(({ name, title }) => ({
    field: name,
    code: "READ_ONLY",
    message: `${title} is given once, and never changes. Leave it out.`,
  }));
}

/** Before and after a change the record must be one that the right is about, and who sees records must not lose sight of it. */
function whyNot(collection: Collection, change: RowChange, current: WireRecord | undefined, rows: RowCheck): string | undefined {
  const { outcome, record } = change;
  const right = { created: "create", updated: "update", deleted: "delete" } as const;
  const isAllowed = [current, record].every((one) => !one || rows.allows(right[outcome], collection, one));
  if (!isAllowed) return rows.why(right[outcome], collection);
  return outcome === "deleted" || rows.allows("read", collection, record) ? undefined : rows.why("read", collection);
}

/**
 * Says whether the record has this value already, which then breaks a rule that was narrowed since. Whoever sends it along has not changed it.
 * That is the one rule for all ways to write (decision 0209).
 */
function isAsStored({ refused }: OpWithId, current: WireRecord | undefined, { field, code }: Problem): boolean {
  const isStored = refused?.[field] !== undefined && isSame(refused[field], current?.[field] ?? null);
  return isStored && code !== "ID_MISMATCH" && (current !== undefined || code === "READ_ONLY"); // nothing in a new record changes nothing
}

/** Nobody may set what is computed. Only the decision tells whether somebody did. */
function isOfComputed({ byName }: Collection, { field, code }: Problem): boolean {
  return code === "READ_ONLY" && byName.get(field)?.computed !== undefined;
}

/** Says whether the value that was sent is the one that is computed, as of a record that is copied. One that stands for a mask is not compared. */
function isAsComputed({ refused }: OpWithId, decision: Decision, { field }: Problem): boolean {
  if (decision.outcome !== "created" && decision.outcome !== "updated" && decision.outcome !== "unchanged") return true;
  return refused?.[field] !== undefined && isSame(refused[field], decision.record[field] ?? null);
}

/** Is true where somebody else than who writes now has made or changed the record after this time. */
function isOfOthersSince(time: string, { updatedAt, updatedBy }: WireRecord, { by }: Stamp): boolean {
  return updatedAt > time && (updatedBy?.type !== by.type || updatedBy.id !== by.id);
}

/** Keeps the state that the next op with this id meets. */
function keepState(id: number, change: RowChange, { records, tombstones }: Known): void {
  if (change.outcome === "deleted") {
    records.delete(id);
    tombstones.set(id, deletionVersion(change.record));
  } else {
    records.set(id, change.record);
    tombstones.delete(id);
  }
}

/**
 * Returns the changes of a batch in parts that an engine may each apply as a whole: in no part an id comes twice, nor a unique value that
 * an earlier change has set or given up. One part where the batch is no sequence.
 */
export function partsOf(
  { collection, isSequence }: Pick<Batch, "collection" | "isSequence">,
  decisions: readonly Decision[],
): RowChange[][] {
  const changes = decisions.flatMap((decision) => rowChangeOf(decision) ?? []);
  if (!isSequence) return changes.length > 0 ? [changes] : [];
  const unique = uniquesOf(collection);
  const lastPart = new Map<string, number>();
  const parts: RowChange[][] = [];
  for (const change of changes) {
    const touched = [`${change.record[collection.key.name]}`, ...unique.flatMap((one) => valuesTouched(change, one))];
    const part = Math.max(...touched.map((name) => (lastPart.get(name) ?? -1) + 1));
    for (const name of touched) lastPart.set(name, part);
    const own = parts[part] ?? [];
    own.push(change);
    parts[part] = own;
  }
  return parts;
}

function valuesTouched(change: RowChange, unique: Unique): string[] {
  const before = change.outcome === "updated" ? recordBefore(change) : change.record;
  const values = [uniqueValue(unique, before), uniqueValue(unique, change.record)];
  if (change.outcome === "updated" && values[0] === values[1]) return [];
  return values.filter((value) => value !== null).map((value) => `${unique.name} ${value}`);
}

export function recordBefore({ record, changes }: Extract<Decision, { outcome: "updated" }>): WireRecord {
  return { ...record, ...Object.fromEntries(Object.entries(changes).map(([name, [old]]) => [name, old])) };
}

/** A decision that changes the row under its id. */
export type RowChange = Extract<Decision, { outcome: "created" | "updated" | "deleted" }>;

/** Returns the decision itself where it changes a row, null where it leaves the table as it is. */
export function rowChangeOf(decision: Decision): RowChange | null {
  switch (decision.outcome) {
    case "created":
    case "updated":
    case "deleted":
      return decision;
    case "unchanged":
    case "skipped":
    case "gone":
    case "failed":
      return null; // not undefined: then the compiler would not miss an outcome that is left out here
  }
}

/** Only an assigned id can be above the key's maximum; ids in requests are checked before. */
function noFreeId(key: Field): Problem {
  return { field: key.name, code: "REQUIRED", message: `No free ${key.title} is left to give; send one.` };
}

function takenValues(uniques: readonly Unique[], id: number, next: WireRecord, known: Known): Problem[] {
  return uniques.flatMap((unique) => {
    const value = uniqueValue(unique, next);
    const holder = value === null ? undefined : known.holders.get(unique.name)?.get(value);
    return holder === undefined || holder === id ? [] : isTaken(unique);
  });
}

/** Says that another record has the values. Of several fields the first one has the problem, and its sentence names all. */
function isTaken({ fields }: Unique): Problem {
  const [{ name: field = "", title = "" } = {}, ...others] = fields;
  if (others.length === 0) return { field, code: "UNIQUE", message: `${title} must be unique; another record has this value.` };
  const message = `${titlesOf(fields)} must be unique together; another record has these values.`;
  return { field, code: "UNIQUE", message };
}

function moveValues(uniques: readonly Unique[], id: number, old: WireRecord | undefined, next: WireRecord | undefined, known: Known): void {
  for (const unique of uniques) {
    const holders = known.holders.get(unique.name);
    const before = old ? uniqueValue(unique, old) : null;
    const after = next ? uniqueValue(unique, next) : null;
    if (before !== null && holders?.get(before) === id) holders.delete(before);
    if (after !== null) holders?.set(after, id);
  }
}

/** The first id that the service assigns where the key's rules allow it: above the ids that older systems use. */
export const FIRST_ASSIGNED_ID = 1_000_000_001;

export function firstAssignedId(key: Field): number {
  const least = Number(key.minimum ?? 1);
  return Number(key.maximum ?? FIRST_ASSIGNED_ID) >= FIRST_ASSIGNED_ID ? Math.max(least, FIRST_ASSIGNED_ID) : least;
}

/**
 * `count` free ids from `next` on, and where the next call goes on. `taken` answers which ids of a range are in use, have a
 * tombstone or occur in this batch. While whole ranges are taken it skips ahead twice as far each time, so that a million
 * ids that a client has chosen cost twenty queries instead of a thousand.
 */
export function assignIds(
  count: number,
  next: number,
  taken: (from: number, to: number) => ReadonlySet<number>,
): { ids: number[]; next: number } {
  const ids: number[] = [];
  let from = next;
  let skip = Math.max(count, 64);
  while (ids.length < count) {
    const size = Math.max(count - ids.length, 64);
    const used = taken(from, from + size - 1);
    let id = from;
    for (; id < from + size && ids.length < count; id++) if (!used.has(id)) ids.push(id);
    from = used.size === size ? from + size + skip : id;
    if (used.size === size) skip *= 2;
  }
  return { ids, next: from };
}
