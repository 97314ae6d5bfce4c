// Lets clients send names that fields had before: in bodies, filters, sorts and columns.

import type { Collection } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";

/** Former name → name. */
export type FormerNames = ReadonlyMap<string, string>;

const known = new WeakMap<Collection, FormerNames>();

/** A name that a field has now stands for that field, whatever it was before. */
export function formerNamesOf(collection: Collection): FormerNames {
  const found = known.get(collection);
  if (found) return found;
  const pairs = collection.fields.flatMap(({ name, formerNames }) => formerNames.map((former) => [former, name] as const));
  const names = new Map(pairs.filter(([former]) => !collection.byName.has(former)));
  known.set(collection, names);
  return names;
}

/** Returns the record with the names of today; the same object where it has none of before. With both names of a field the former one stays, and is unknown. */
export function withCurrentNames(collection: Collection, record: Record<string, unknown>): Record<string, unknown> {
  const former = formerNamesOf(collection);
  const isFormer = (name: string) => former.has(name) && !Object.hasOwn(record, former.get(name) as string);
  if (former.size === 0 || !Object.keys(record).some(isFormer)) return record;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [isFormer(name) ? former.get(name) : name, value]));
}

const LISTS_OF_NAMES = new Set(["sort", "fields", "matchBy"]); // parameters whose values are names of fields

export interface Renamed {
  query: Record<string, unknown>;
  /** The former names that occurred, with the names of today. */
  renamed: FormerNames;
}

/** Reads the query of a request about a collection. Undefined where it has no former name. */
export function renameQuery(query: unknown, collection: Collection, collections: readonly Collection[]): Renamed | undefined {
  const renamed = new Map<string, string>();
  const rename = (of: Collection, name: string): string => {
    const now = formerNamesOf(of).get(name);
    if (now !== undefined) renamed.set(name, now);
    return now ?? name;
  };
  /** `name`: a field, or one of a parent such as `customer.city`. */
  const renamePath = (name: string): string => {
    const [as = "", own] = name.split(".");
    if (own === undefined) return rename(collection, name);
    const reference = collection.references.find((field) => field.reference.as === as)?.reference;
    const parent = collections.find((one) => one.name === reference?.collection);
    return parent ? `${as}.${rename(parent, own)}` : name;
  };
  const entries = Object.entries(query as Record<string, unknown>).map(([name, value]) => {
    if (LISTS_OF_NAMES.has(name) && typeof value === "string") return [name, value.split(",").map(renameTerm).join(",")];
    const [path = "", ...operator] = name.split(/(?=\[)/);
    return [renamePath(path) + operator.join(""), value];
  });
  function renameTerm(term: string): string {
    return term.startsWith("-") ? `-${renamePath(term.slice(1))}` : renamePath(term);
  }
  return renamed.size > 0 ? { query: Object.fromEntries(entries), renamed } : undefined;
}

/** Finds the former names that the records of a body have, as `withCurrentNames` reads them. */
export function renamedInBody(body: unknown, collection: Collection): FormerNames {
  const former = formerNamesOf(collection);
  const found = new Map<string, string>();
  if (former.size === 0) return found;
  for (const record of recordsIn(body, collection)) {
    for (const [name, now] of former) if (Object.hasOwn(record, name)) found.set(name, now);
    if (found.size === former.size) break;
  }
  return found;
}

/** Yields all that may be a record: the body itself, what it wraps, and the items of its arrays. */
function* recordsIn(body: unknown, collection: Collection, depth = 0): Generator<object> {
  if (Array.isArray(body)) for (const item of body) yield* recordsIn(item, collection, depth + 1);
  else if (isObject(body)) {
    yield body;
    if (depth < 3) for (const inner of [body[collection.name], body[collection.singular]]) yield* recordsIn(inner, collection, depth + 1);
  }
}

/** The value of the header field that says which former names were understood. */
export function renamedHeader(renamed: FormerNames): string {
  return [...renamed].map(([former, now]) => `${former}=${now}`).join(", ");
}
