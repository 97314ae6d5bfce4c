// Reads the fields of a collection of a draft, as far as they are without mistakes, for expressions and for trying rules.

import { type Field, readField } from "../../../core/dictionary/fields.ts";
import type { PackageResource } from "../../../core/dictionary/packages.ts";
import { readCategories } from "../../../core/dictionary/read-categories.ts";
import { readConditions } from "../../../core/dictionary/read-conditions.ts";
import { currentCatalogue } from "../../../core/i18n/translate.ts";

const known = new WeakMap<PackageResource["schema"]["fields"], Map<string, readonly Field[]>>();

/** Reads them in the reader's language, or in another one. Returns the same list for the same fields, so that it can be compared. */
export function fieldsOf({ schema }: PackageResource, language = currentCatalogue().language): readonly Field[] {
  const byLanguage = known.get(schema.fields) ?? new Map<string, readonly Field[]>();
  known.set(schema.fields, byLanguage);
  const read = byLanguage.get(language) ?? readAll(schema, language);
  byLanguage.set(language, read);
  return read;
}

function readAll(schema: PackageResource["schema"], language: string): readonly Field[] {
  const fields = schema.fields.flatMap((field) => (field.retired ? [] : readOne(field, language)));
  readConditions(fields, schema, "", () => undefined);
  return fields;
}

/** The review says what is wrong with a field; here it only cannot be read. */
function readOne(given: unknown, language: string): Field | [] {
  const mistakes: string[] = [];
  const report = (path: string) => void mistakes.push(path);
  const field = readField(given, "", report, language, { readCategories });
  return field && mistakes.length === 0 ? field : [];
}
