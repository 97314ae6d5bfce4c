// Tells the names apart that a field has and had: a new one changes nothing that is stored or written down.

/** Returns the name that the field had first, so that a new name changes no stored byte. */
export function columnName({ name, formerNames }: { name: string; formerNames?: readonly string[] }): string {
  return formerNames?.[0] ?? name;
}

/** Returns all names under which a value of the field may have been sent or stored. */
export function allNames({ name, formerNames = [] }: { name: string; formerNames?: readonly string[] }): string[] {
  return [...new Set([name, ...formerNames])];
}

interface NamedField {
  name: string;
  formerNames?: readonly string[];
  withdrawnNames?: readonly string[];
}

export interface NamedFields {
  fields: readonly NamedField[];
  byName: { has(name: string): boolean };
  lookups: ReadonlyMap<string, NamedField>;
}

type Names = ReadonlyMap<string, string>;

/** Returns the former names of a field that a steward has not taken back. */
export function workingNames({ formerNames = [], withdrawnNames = [] }: Omit<NamedField, "name">): string[] {
  return formerNames.filter((former) => !withdrawnNames.includes(former));
}

/** Former names with those of today, also those that were taken back: what people keep in Intake itself goes on to mean the field. */
export const allFormerNamesOf = kept(({ formerNames = [] }) => formerNames);

/** Finds the names of a collection once. `formersOf`: the former names of a field that count. */
export function kept(formersOf: (field: NamedField) => readonly string[]): (collection: NamedFields) => Names {
  const known = new WeakMap<NamedFields, Names>();
  return (collection) => {
    const found = known.get(collection);
    if (found) return found;
    const { fields, byName, lookups } = collection;
    const pairs = [...fields, ...lookups.values()].flatMap((field) => formersOf(field).map((former) => [former, field.name] as const));
    const names = new Map(pairs.filter(([former]) => !byName.has(former) && !lookups.has(former)));
    known.set(collection, names);
    return names;
  };
}

/** Returns the name of today for one that somebody wrote down before, such as a recipe; null where no field has or had it. */
export function currentName(collection: NamedFields, name: string | null | undefined): string | null {
  if (!name) return null;
  if (collection.byName.has(name) || collection.lookups.has(name)) return name;
  return allFormerNamesOf(collection).get(name) ?? null;
}
