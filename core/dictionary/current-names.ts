// Brings records to the names that their fields have now.

import { kept, type NamedFields, workingNames } from "./column-name.ts";

/** Former names with those of today, also of the fields of parents that stand for a reference. A name that a field has now stands for that field alone. */
export const formerNamesOf = kept(workingNames);

/** Returns the values under the names of today; the same object where it has none of before. With both names of a field the former one stays, and is unknown. */
export function withCurrentNames<Value>(
  collection: NamedFields,
  values: Readonly<Record<string, Value>>,
  namesOf = formerNamesOf,
): Record<string, Value> {
  const former = namesOf(collection);
  const isFormer = (name: string) => former.has(name) && !Object.hasOwn(values, former.get(name) as string);
  if (former.size === 0 || !Object.keys(values).some(isFormer)) return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [(isFormer(name) && former.get(name)) || name, value]));
}
