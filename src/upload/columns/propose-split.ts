// Proposes to split a column of names such as "Smith, Jo" into the fields for both parts.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { ColumnProfile } from "../../../pipeline/inspection/column-profile.ts";
import { matchHeader } from "../../../pipeline/mapping/match-columns.ts";

const NEARLY_ALL = 0.9; // of the cells that are not empty

/**
 * Returns the titles of the two fields, as the dialog has names of new columns. Undefined where the column is a field already, another column is one
 * of the two, or most cells have no comma between two parts.
 */
export function proposeSplit(
  collection: Collection,
  columns: readonly (string | null)[],
  at: number,
  profile: ColumnProfile | undefined,
): string | undefined {
  if (!profile || profile.filled === 0 || profile.inTwo < NEARLY_ALL * profile.filled || columns[at] !== null) return undefined;
  const fields = matchHeader(collection, ["Last name", "First name"]);
  if (fields.some((name) => name === null || columns.includes(name))) return undefined;
  return fields.map((name) => collection.byName.get(name ?? "")?.title).join(", ");
}
