// Records named by a unique value instead of their key: parents, and with `matchBy` the record itself.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { RelationSql } from "./find-relations.ts";
import { type AllRowRights, findSeen } from "./row-rights.ts";
import type { Script } from "./script/script.ts";
import type { MatchBy, WriteOp } from "./store.ts";

/** Values of a unique field whose records the write must know. */
export interface Wanted {
  collection: string;
  field: string;
  values: Value[];
}

/** Collection and field → value → key of the record that has it, or "unseen" where who writes may not see it. */
export type FoundKeys = ReadonlyMap<string, ReadonlyMap<Value, number | "unseen">>;

export function wantedKey({ collection, field }: Omit<Wanted, "values">): string {
  return `${collection}.${field}`;
}

/** Empty for almost all writes. */
export function wantedOf(collection: Collection, ops: readonly WriteOp[]): Wanted[] {
  const wanted = new Map<string, { collection: string; field: string; values: Set<Value> }>();
  const add = (name: string, field: string, value: Value | null | undefined) => {
    if (value === null || value === undefined) return;
    const key = wantedKey({ collection: name, field });
    const one = wanted.get(key) ?? { collection: name, field, values: new Set() };
    one.values.add(value);
    wanted.set(key, one);
  };
  for (const op of ops) {
    if (op.verb === "delete") continue;
    for (const { name, fills, by } of collection.lookups.values()) add(parentOf(collection, fills), by, op.given[name]);
    if (op.verb === "post" && op.match) add(collection.name, op.match.field, matchedBy(op, op.match));
  }
  return [...wanted.values()].map((one) => ({ ...one, values: [...one.values] }));
}

/** The ops with keys in the place of what was looked up. */
export function withFound(collection: Collection, ops: readonly WriteOp[], found: FoundKeys): WriteOp[] {
  return ops.map((op) => {
    if (op.verb === "delete") return op;
    const filled = fillReferences(collection, op, found);
    return filled.verb === "post" && filled.match ? matchRecord(collection, filled, filled.match, found) : filled;
  });
}

function fillReferences<Op extends Exclude<WriteOp, { verb: "delete" }>>(collection: Collection, op: Op, found: FoundKeys): Op {
  const given = { ...op.given };
  const problems = [...(op.problems ?? [])];
  for (const { name, title, fills, by } of collection.lookups.values()) {
    const value = given[name] ?? null;
    if (value === null) continue;
    delete given[name];
    const id = found.get(wantedKey({ collection: parentOf(collection, fills), field: by }))?.get(value);
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
  const value = matchedBy(op, { field });
  const id = value === null ? undefined : found.get(wantedKey({ collection: collection.name, field }))?.get(value);
  if (typeof id !== "number") return { ...op, match: { field, isNew: true, ...(id && { isUnseen: true }) } };
  if (op.id === null || op.id === id) return { ...op, id };
  const { key, noun, byName } = collection;
  const message = `The ${noun} with this ${byName.get(field)?.title} has another ${key.title}, which never changes.`;
  return { ...op, problems: [...(op.problems ?? []), { field: key.name, code: "ID_MISMATCH", message }] };
}

/** The value that says which record is meant. It may break a rule that was narrowed since the record was stored. */
function matchedBy({ given, refused }: Extract<WriteOp, { verb: "post" }>, { field }: MatchBy): Value | null {
  return given[field] ?? refused?.[field] ?? null;
}

/** Takes from what was found the keys of records that may not be seen. */
export function* withoutUnseen(
  found: ReadonlyMap<Value, number>,
  { collection: name }: Pick<Wanted, "collection">,
  rows: AllRowRights,
  collections: readonly Collection[],
  sql: RelationSql,
): Script<ReadonlyMap<Value, number | "unseen">> {
  const filters = rows.get(name)?.read;
  const collection = collections.find((one) => one.name === name);
  if (!filters || !collection) return found; // it is asked also where nothing was found: the answer takes the same time
  const seen = new Set(yield* findSeen(collection, filters, [...found.values()], sql));
  return new Map([...found].map(([value, id]) => [value, seen.has(id) ? id : "unseen"]));
}

function parentOf({ byName }: Collection, fills: string): string {
  return byName.get(fills)?.reference?.collection ?? "";
}
