// Reads the sections of a collection's form, and puts its fields into them.

import type { Collection } from "./collections.ts";
import { type Field, inLanguage, isObject, type ReportMistake } from "./fields.ts";

/** A part of a form with a heading of its own. */
export interface Section {
  name: string;
  title: string;
  description: string;
  /** Says whether the form begins with its fields out of sight. */
  isCollapsed: boolean;
}

/** Says which fields stand together. `section`: undefined for those of no section, which stand before the sections. */
export interface FormPart {
  section: Section | undefined;
  fields: readonly Field[];
}

/** Sets the sections of a collection, and the order of its form, in which the fields of a section stand together. */
export function addSections(
  input: Readonly<Record<string, unknown>>,
  collection: Collection,
  language: string,
  path: string,
  report: ReportMistake,
): void {
  const given = Array.isArray(input.sections) ? input.sections : []; // dictionary.schema.json says what is wrong there
  const sections = given.flatMap((one, i) => {
    if (!isObject(one) || typeof one.name !== "string") return [];
    const { name, title, description, collapsed } = inLanguage(one, language, `${path}/sections/${i}`, report);
    if (given.findIndex((other) => isObject(other) && other.name === name) < i)
      report(`${path}/sections/${i}/name`, `a second section is named "${name}"; choose another name`);
    const words = { title: typeof title === "string" && title !== "" ? title : String(name), description: String(description ?? "") };
    return [{ name: String(name), ...words, isCollapsed: collapsed === true }];
  });
  const schema = isObject(input.schema) ? input.schema : {};
  const sectionOf = new Map<string, string>();
  for (const [i, field] of (Array.isArray(schema.fields) ? schema.fields : []).entries()) {
    if (!isObject(field) || typeof field.section !== "string") continue;
    if (sections.some(({ name }) => name === field.section)) sectionOf.set(String(field.name), field.section);
    else report(`${path}/schema/fields/${i}/section`, `there is no section "${field.section}"`);
  }
  if (sections.length === 0) return;
  // The service gives the key, and hardly anybody types it.
  if (!sectionOf.has(collection.key.name)) sectionOf.set(collection.key.name, sections.at(-1)?.name ?? "");
  const placeOf = ({ name }: Field) => sections.findIndex((section) => section.name === sectionOf.get(name));
  collection.form = [...collection.form].sort((a, b) => placeOf(a) - placeOf(b));
  collection.formParts = [undefined, ...sections]
    .map((section, i) => ({ section, fields: collection.form.filter((field) => placeOf(field) === i - 1) }))
    .filter(({ fields }) => fields.length > 0);
}
