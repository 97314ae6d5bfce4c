import type { Field } from "./fields.ts";
import type { Lookup } from "./references.ts";

interface WithLookups {
  fields: readonly Field[];
  byName: ReadonlyMap<string, Field>;
  lookups: ReadonlyMap<string, Lookup>;
}

/** Returns the collection as files have it: each lookup is a field, after the one that it fills. Called again it changes nothing. */
export function withLookups<Whole extends WithLookups>(collection: Whole): Whole {
  const { lookups, byName } = collection;
  if ([...lookups.keys()].every((name) => byName.has(name))) return collection;
  const fields = collection.fields.flatMap((field) => [field, ...[...lookups.values()].filter(({ fills }) => fills === field.name)]);
  return { ...collection, fields, byName: new Map(fields.map((field) => [field.name, field])) };
}
