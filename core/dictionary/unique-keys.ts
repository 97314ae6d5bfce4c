// Names what no two records of a collection may have alike.

import type { Field } from "./fields.ts";
import type { Value } from "./kinds.ts";
import { uniqueValue as comparedValue } from "./unique-value.ts";

export interface Unique {
  /** The names of its fields with commas between, as `matchBy` has them. */
  name: string;
  fields: readonly Field[];
}

interface WithUniqueKeys {
  fields: readonly Field[];
  key: Field;
  uniqueKeys: readonly (readonly Field[])[];
}

/** Lists the unique fields besides the key, then the fields that are unique together. */
export function uniquesOf({ fields, key, uniqueKeys }: WithUniqueKeys): Unique[] {
  const alone = fields.filter((field) => field.unique && field !== key).map((field) => [field]);
  return [...alone, ...uniqueKeys].map((own) => ({ name: own.map(({ name }) => name).join(), fields: own }));
}

/** Returns one value for those of all fields, as it is compared; for several it is a text. Null where a field has none, because then nothing is compared. */
export function uniqueValue({ fields }: Unique, record: Readonly<Record<string, unknown>>): Value | null {
  const values = fields.map(({ name }) => (record[name] ?? null) as Value | null);
  if (values.includes(null)) return null;
  return values.length === 1 ? comparedValue(fields[0] as Field, values[0] as Value) : JSON.stringify(values);
}

/** Returns the values that are asked for, as they are compared, and what was found by those under the values that were asked for. */
export function comparing(unique: Unique, asked: readonly Value[]) {
  const [field, ...others] = unique.fields;
  const compare = (value: Value) => (field && others.length === 0 ? comparedValue(field, value) : value); // of several it is compared already
  return {
    values: [...new Set(asked.map(compare))],
    underAsked: <Found>(found: ReadonlyMap<Value, Found>) =>
      new Map(asked.flatMap((value) => (found.has(compare(value)) ? [[value, found.get(compare(value)) as Found]] : []))),
  };
}

/** Returns the values of the fields again. */
export function valuesOfUnique({ fields }: Unique, value: Value): Value[] {
  return fields.length === 1 ? [value] : (JSON.parse(String(value)) as Value[]);
}

export function titlesOf(fields: readonly Field[]): string {
  return fields.map(({ title }) => title).join(" + ");
}

/** Returns the title of the field that a problem is about; where its values are unique together with those of others, their titles, too. */
export function titleOfProblem(
  { byName, uniqueKeys }: Pick<WithUniqueKeys, "uniqueKeys"> & { byName: ReadonlyMap<string, Field> },
  { code, field: name }: { code: string; field: string },
): string | undefined {
  const field = byName.get(name);
  const together = code === "UNIQUE" && !field?.unique ? uniqueKeys.find(([first]) => first === field) : undefined;
  return together ? titlesOf(together) : field?.title;
}
