// Records named by a unique value instead of their key: parents, and with `matchBy` the record itself.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { titlesOf, type Unique, uniquesOf, uniqueValue } from "../../core/dictionary/unique-keys.ts";
import type { OpWithId } from "./decide.ts";
import type { RelationSql } from "./find-relations.ts";
import { findMergedHolders, type MergedHolder } from "./merged-values.ts";
import { findMerged, redirected, shownSurvivors } from "./merges.ts";
import { type AllRowRights, findSeen } from "./row-rights.ts";
import type { Script } from "./script/script.ts";
import type { MatchBy, WriteOp } from "./store.ts";

/** Values of a unique field whose records the write must know. */
export interface Wanted {
  collection: string;
  field: string;
  values: Value[];
}

/** Is the key of the record that has a value, "unseen" where who writes may not see it, or what had it before a merge. */
export type Found = number | "unseen" | MergedHolder;

/** Collection and field → value → what was found. */
export type FoundKeys = ReadonlyMap<string, ReadonlyMap<Value, Found>>;

export function wantedKey({ collection, field }: Omit<Wanted, "values">): string {
  return `${collection}.${field}`;
}

/** Returns the parents that are named by other values than their keys. Empty for almost all writes. */
export function wantedParents(collection: Collection, ops: readonly WriteOp[]): Wanted[] {
  const wanted = [...collection.lookups.values()].map(({ name, fills, by }) => {
    const values = ops.flatMap((op) => (op.verb === "delete" ? [] : (op.given[name] ?? [])));
    return { collection: parentOf(collection, fills), field: by, values };
  });
  const together = new Map<string, Wanted>(); // several references may lead to one collection
  for (const one of wanted) {
    const values = [...(together.get(wantedKey(one))?.values ?? []), ...one.values];
    if (values.length > 0) together.set(wantedKey(one), { ...one, values: [...new Set(values)] });
  }
  return [...together.values()];
}

/** Returns the ops with the keys of their parents. */
export function withParents(collection: Collection, ops: readonly WriteOp[], found: FoundKeys): WriteOp[] {
  return ops.map((op) => (op.verb === "delete" ? op : fillReferences(collection, op, found)));
}

/** Returns the records that are named by another value than their key, once the parents are known. */
export function wantedRecords(collection: Collection, ops: readonly WriteOp[]): Wanted[] {
  const wanted = new Map<string, Set<Value>>();
  for (const op of ops) {
    const value = op.verb === "post" ? matchedBy(collection, op) : null;
    if (op.verb !== "post" || !op.match || value === null) continue;
    wanted.set(op.match.field, (wanted.get(op.match.field) ?? new Set()).add(value));
  }
  return [...wanted].map(([field, values]) => ({ collection: collection.name, field, values: [...values] }));
}

/** Returns the ops with the keys of the records that they mean. */
export function withMatches(collection: Collection, ops: readonly WriteOp[], found: FoundKeys): WriteOp[] {
  return ops.map((op) => (op.verb === "post" && op.match ? matchRecord(collection, op, op.match, found) : op));
}

function fillReferences<Op extends Exclude<WriteOp, { verb: "delete" }>>(collection: Collection, op: Op, found: FoundKeys): Op {
  const given = { ...op.given };
  const problems = [...(op.problems ?? [])];
  for (const { name, title, fills, by } of collection.lookups.values()) {
    const value = given[name] ?? null;
    if (value === null) continue;
    delete given[name];
    const holder = found.get(wantedKey({ collection: parentOf(collection, fills), field: by }))?.get(value);
    const id = typeof holder === "object" ? holder.survivor : holder;
    if (typeof id !== "number") problems.push({ field: name, code: "REFERENCE_NOT_FOUND", message: `${title}: no record has this value.` });
    else given[fills] = id;
  }
  return { ...op, given, ...(problems.length > 0 && { problems }) };
}

function matchRecord<Op extends Extract<WriteOp, { verb: "post" }>>(
  collection: Collection,
  op: Op,
  { field }: MatchBy,
  found: FoundKeys,
): Op {
  const value = matchedBy(collection, op);
  const id = value === null ? undefined : found.get(wantedKey({ collection: collection.name, field }))?.get(value);
  if (typeof id === "object") return matchSurvivor(collection, op, field, id);
  if (typeof id !== "number") return { ...op, match: { field, isNew: true, ...(id && { isUnseen: true }) } };
  return op.id === null || op.id === id ? { ...op, id } : { ...op, match: { field, holder: id } };
}

/** Returns the ops on the records that they mean today, and which records have become part of others. `known`: what stands under their keys. */
export function* asMeant(
  collection: Collection,
  ops: readonly OpWithId[],
  known: Parameters<typeof findMerged>[2],
  about: Parameters<typeof shownSurvivors>[2],
): Script<{ meant: readonly OpWithId[]; merged: ReadonlyMap<number, number> }> {
  const merged = yield* findMerged(collection, ops, known);
  const led = merged.size > 0 ? redirected(ops, yield* shownSurvivors(collection, merged, about)) : ops;
  return { meant: withMismatches(collection, led), merged };
}

/** Refuses the ops whose key and value mean two records. A key that has become part of the holder means it, so this is asked when those are known. */
function withMismatches<Op extends WriteOp>(collection: Collection, ops: readonly Op[]): readonly Op[] {
  const isOther = (op: WriteOp) => op.verb === "post" && op.match?.holder !== undefined && op.match.holder !== op.id;
  if (!ops.some(isOther)) return ops;
  const { key, noun } = collection;
  return ops.map((op) => {
    if (op.verb !== "post" || !op.match || !isOther(op)) return op;
    const titles = titlesOf(uniqueOf(collection, op.match.field)?.fields ?? []);
    const message = `The ${noun} with this ${titles} has another ${key.title}, which never changes.`;
    return { ...op, problems: [...(op.problems ?? []), { field: key.name, code: "ID_MISMATCH", message }] };
  });
}

/** The value names the survivor, which keeps its own: the one that was chosen when it was merged. A version without its key is one of the past. */
function matchSurvivor<Op extends WriteOp & { verb: "post" }>(collection: Collection, op: Op, field: string, holder: MergedHolder): Op {
  const { survivor } = holder;
  const naming = new Set((uniqueOf(collection, field)?.fields ?? []).map(({ name }) => name));
  const given = Object.fromEntries(Object.entries(op.given).filter(([name]) => !naming.has(name)));
  const problems = op.problems?.filter((problem) => !naming.has(problem.field));
  const match: MatchBy = op.id === null || op.id === survivor ? (op.match ?? { field }) : { field, holder: survivor };
  return {
    ...op,
    id: op.id ?? survivor,
    match,
    given,
    ...(problems && { problems }),
    ...(op.id !== survivor && op.ifMatch && op.ifMatch !== "any" && { ifMatch: [] }),
  };
}

/** Returns the value that says which record is meant. It may break a rule that was narrowed since the record was stored. */
export function matchedBy(collection: Collection, { given, refused, match }: Extract<WriteOp, { verb: "post" }>): Value | null {
  const unique = match && uniqueOf(collection, match.field);
  return unique ? uniqueValue(unique, { ...given, ...refused }) : null;
}

function uniqueOf(collection: Collection, name: string): Unique | undefined {
  return uniquesOf(collection).find((one) => one.name === name);
}

/** Adds to the keys that were found those of records which had a value before a merge, and takes away those that may not be seen. */
export function* completeKeys(
  keys: ReadonlyMap<Value, number>,
  { collection: name, field, values }: Wanted,
  rows: AllRowRights,
  collections: readonly Collection[],
  sql: RelationSql,
): Script<ReadonlyMap<Value, Found>> {
  const filters = rows.get(name)?.read;
  const collection = collections.find((one) => one.name === name);
  if (!collection) return keys;
  const missing = values.filter((value) => !keys.has(value));
  const merged = yield* findMergedHolders(collection, field, missing, sql);
  if (!filters) return merged.size > 0 ? new Map<Value, Found>([...keys, ...merged]) : keys;
  const seen = new Set(yield* findSeen(collection, filters, [...keys.values()], sql)); // also where nothing was found: the answer takes the same time
  const found = new Map<Value, Found>([...keys].map(([value, id]) => [value, seen.has(id) ? id : "unseen"]));
  if (merged.size === 0) return found;
  const pairs = [...merged.values()].map(({ id, survivor }) => [id, survivor] as const);
  const shown = yield* shownSurvivors(collection, new Map(pairs), { rows, collections, sql });
  for (const [value, holder] of merged) if (shown.has(holder.id)) found.set(value, holder); // else nobody has the value, and it is free
  return found;
}

function parentOf({ byName }: Collection, fills: string): string {
  return byName.get(fills)?.reference?.collection ?? "";
}
