// Reads `uniqueKeys` of a Table Schema: the fields of which no two records have the same values together.

import { type Field, isObject, type ReportMistake } from "./fields.ts";

/** Reads the keys of several fields. A key of one field makes that one unique. */
export function readUniqueKeys(schema: unknown, fields: readonly Field[], key: Field, path: string, report: ReportMistake): Field[][] {
  const keys = isObject(schema) && Array.isArray(schema.uniqueKeys) ? schema.uniqueKeys : [];
  return keys.flatMap((names: unknown, i) => {
    const own = [names].flat().flatMap((name, k) => {
      const field = fields.find((one) => one.name === name);
      if (!field) report(`${path}/${i}/${k}`, `there is no field "${name}"`);
      if (field === key || field?.computed !== undefined || field?.default !== undefined)
        report(`${path}/${i}/${k}`, `"${name}" is the key, computed, or has a default, and cannot be part of it`);
      return field ?? [];
    });
    const whateverTheCase = own.find(({ caseless }) => caseless);
    if (whateverTheCase && own.length > 1) report(`${path}/${i}`, `"${whateverTheCase.name}" is unique by itself, whatever the case`);
    const several = own.find(({ item, file }) => item || file);
    if (several)
      report(`${path}/${i}`, `"${several.name}" ${several.item ? "has several values" : "holds files"}, and cannot be part of it`);
    if (own.length > 1) return [own];
    for (const field of own) field.unique = true;
    return [];
  });
}
