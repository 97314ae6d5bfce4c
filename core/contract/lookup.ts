// Holds what the API says of records that are looked up by unique values.

export const MOST_LOOKUP_VALUES = 1_000; // values

/** The record that has a value. `mergedFrom`: the key of the one that had it, and has become part of this one. */
export interface ValueHolder {
  value: unknown;
  id: number;
  mergedFrom?: number;
}

/** Says which records have given values of a unique field. */
export function lookupPath(collection: string): string {
  return `/${collection}/lookup`;
}
