// Tells the names apart that a field has and had: a new one changes nothing that is stored or written down.

/** The name that the field had first, so that a new name changes no stored byte. */
export function columnName({ name, formerNames }: { name: string; formerNames?: readonly string[] }): string {
  return formerNames?.[0] ?? name;
}

/** All names under which a value of the field may have been sent or stored. */
export function allNames({ name, formerNames = [] }: { name: string; formerNames?: readonly string[] }): string[] {
  return [...new Set([name, ...formerNames])];
}

interface NamedField {
  name: string;
  formerNames?: readonly string[];
}

interface NamedFields {
  fields: readonly NamedField[];
  byName: { has(name: string): boolean };
  lookups: ReadonlyMap<string, NamedField>;
}

const known = new WeakMap<NamedFields, ReadonlyMap<string, string>>();

/** Former names with those of today, also of the fields of parents that stand for a reference. A name that a field has now stands for that field alone. */
export function formerNamesOf(collection: NamedFields): ReadonlyMap<string, string> {
  const found = known.get(collection);
  if (found) return found;
  const { fields, byName, lookups } = collection;
  const pairs = [...fields, ...lookups.values()].flatMap(({ name, formerNames = [] }) =>
    formerNames.map((former) => [former, name] as const),
  );
  const names = new Map(pairs.filter(([former]) => !byName.has(former) && !lookups.has(former)));
  known.set(collection, names);
  return names;
}

/** The name of today for one that somebody wrote down before, such as a recipe; null where no field has or had it. */
export function currentName(collection: NamedFields, name: string | null | undefined): string | null {
  if (!name) return null;
  if (collection.byName.has(name) || collection.lookups.has(name)) return name;
  return formerNamesOf(collection).get(name) ?? null;
}

/** Returns the values under the names of today; the same object where it has none of before. With both names of a field the former one stays, and is unknown. */
export function withCurrentNames<Value>(collection: NamedFields, values: Readonly<Record<string, Value>>): Record<string, Value> {
  const former = formerNamesOf(collection);
  const isFormer = (name: string) => former.has(name) && !Object.hasOwn(values, former.get(name) as string);
  if (former.size === 0 || !Object.keys(values).some(isFormer)) return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [(isFormer(name) && former.get(name)) || name, value]));
}
