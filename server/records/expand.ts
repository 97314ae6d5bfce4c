// `expand=customer`: the parent's key and label fields beside the reference, on a record or a page.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Needed } from "../../core/contract/scopes.ts";
import { type Parent, shownFields } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { ReadOptions, Store, WriteOp } from "../engine/store.ts";
import { farParentsIn } from "../http/far-filters.ts";
import { type Parameter, parameterText, someOf } from "../http/query-parameters.ts";
import type { Shown } from "../people/auth/read-audit.ts";

/** A record with its parents under the names that the dictionary gives them; null where it refers to none. */
export type Expanded = Record<string, unknown>;

/** Returns the parameter, where the collection refers to others. */
export function expandParameter(parents: readonly Parent[]): { expand?: Parameter<string[]> } {
  return parents.length > 0 ? { expand: someOf(parents.map(({ field }) => field.reference.as)) } : {};
}

/** To see a parent, by `expand`, through a filter such as `customer.city` or in an order, takes the right to read it. */
export function scopesForParents(parents: readonly Parent[], query: unknown, collections: readonly Collection[] = []): Needed[] {
  if (parents.length === 0) return []; // most collections, at each of their requests
  const words = ["expand", "sort"].flatMap((name) => parameterText(query, name)?.split(",") ?? []).map((word) => word.replace(/^-/, ""));
  // However the filter is spelled: `customer.city`, `filter[customer][city]`.
  const filtered = Object.keys(query as object).flatMap((name) => (/[.[]/.test(name) ? name.split(/[.[\]]+/) : []));
  const named = new Set([...words, ...filtered]);
  const far = farParentsIn(query, parents, collections).map((one): Needed => `${one.far.parent.name}:read`);
  return [...parents.flatMap(({ field, parent }): Needed[] => (named.has(field.reference.as) ? [`${parent.name}:read`] : [])), ...far];
}

/** To name a parent by another value than its key takes the right to read it: the answer says which record has that value. */
export function scopesForLookups({ lookups, byName }: Collection, ops: readonly WriteOp[]): Needed[] {
  const used = [...lookups.values()].filter(({ name }) =>
    ops.some((op) => op.verb !== "delete" && op.given[name] !== undefined && op.given[name] !== null),
  );
  return used.flatMap(({ fills }): Needed[] => {
    const parent = byName.get(fills)?.reference?.collection;
    return parent === undefined ? [] : [`${parent}:read`];
  });
}

/** Returns the records with the parents that are asked for. Of each collection all are read at once. */
export async function expandRecords(
  store: Store,
  records: readonly WireRecord[],
  parents: readonly Parent[],
  options: ReadOptions,
): Promise<Expanded[]> {
  const found = await Promise.all(parents.map((parent) => readParentsOf(store, records, parent, options)));
  return records.map((record) => {
    const own = parents.map(({ field, parent }, i) => {
      const known = found[i]?.get(record[field.name] as number);
      return [field.reference.as, known ? shown(parent, known) : null];
    });
    return { ...record, ...Object.fromEntries(own) };
  });
}

/** Reads the records to which these refer, by their keys. */
export async function readParentsOf(
  store: Store,
  records: readonly WireRecord[],
  { field, parent }: Parent,
  options: ReadOptions,
): Promise<Map<number, WireRecord>> {
  const ids = [...new Set(records.flatMap((record) => (record[field.name] ?? []) as number | number[]))];
  if (ids.length === 0) return new Map();
  return readByKeys(store, parent, ids, options);
}

/** Reads the records of these keys that there are, read at once. */
export async function readByKeys(
  store: Store,
  collection: Collection,
  ids: readonly number[],
  options: ReadOptions,
): Promise<Map<number, WireRecord>> {
  const key = collection.key.name;
  const page = {
    limit: ids.length,
    sort: [{ name: key, descending: false }],
    words: [],
    filters: [{ name: key, operator: "in", values: ids }],
  } as const;
  const found = await store.list(collection, page, options);
  return new Map(found.records.map((record) => [record[key] as number, record]));
}

/** Returns the parents that these answers show. */
export function parentsIn(records: readonly Expanded[], parents: readonly Parent[]): Shown[] {
  return parents.map(({ field, parent }) => ({
    collection: parent.name,
    ids: records.flatMap((record) => {
      const known = record[field.reference.as] as Expanded | null | undefined;
      return known ? [known[parent.key.name] as number] : [];
    }),
  }));
}

function shown(parent: Collection, record: WireRecord): Record<string, unknown> {
  return Object.fromEntries(shownFields(parent).map(({ name }) => [name, record[name] ?? null]));
}
