// Names the column of a field, which the field keeps when it gets another name.

/** The name that the field had first, so that a new name changes no stored byte. */
export function columnName({ name, formerNames }: { name: string; formerNames?: readonly string[] }): string {
  return formerNames?.[0] ?? name;
}
