// Tells the names apart that a field has and had: a new one changes nothing that is stored or written down.

/** The name that the field had first, so that a new name changes no stored byte. */
export function columnName({ name, formerNames }: { name: string; formerNames?: readonly string[] }): string {
  return formerNames?.[0] ?? name;
}

/** All names under which a value of the field may have been sent or stored. */
export function allNames({ name, formerNames = [] }: { name: string; formerNames?: readonly string[] }): string[] {
  return [...new Set([name, ...formerNames])];
}

interface NamedFields {
  fields: readonly { name: string; formerNames?: readonly string[] }[];
  byName: { has(name: string): boolean };
}

/** The name of today for one that somebody wrote down before, such as a recipe; null where no field has or had it. */
export function currentName({ fields, byName }: NamedFields, name: string | null | undefined): string | null {
  if (!name) return null;
  return byName.has(name) ? name : (fields.find(({ formerNames }) => formerNames?.includes(name))?.name ?? null);
}
