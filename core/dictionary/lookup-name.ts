// Names a field of a parent beside a reference.

/** Returns the heading, and the parameter of a list, for a field of the parent. */
export function lookupName(as: string, field: string): string {
  return `${as}.${field}`;
}
