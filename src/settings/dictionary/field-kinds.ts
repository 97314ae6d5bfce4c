// The sorts of fields that the editor offers: a kind, a format of text, a list of values, or a reference.

import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import type { PackageField } from "../../../core/dictionary/packages.ts";
import { FORMATS } from "../../../core/dictionary/text-formats.ts";
import { message } from "../../../core/i18n/translate.ts";

export interface Sort {
  title: string;
  /** The properties of a field that make it this sort. Those that are undefined are left out. */
  words: Readonly<{
    type: string;
    format?: string | undefined;
    decimals?: number | undefined;
    itemType?: string | undefined;
    autoNumber?: string;
  }>;
}

const text = (format?: keyof typeof FORMATS): Sort => ({
  title: format ? FORMATS[format].title : KIND_TRAITS.string.title,
  words: { type: "string", format },
});
const of = (type: "integer" | "number" | "boolean" | "date" | "datetime" | "time" | "year"): Sort => ({
  title: KIND_TRAITS[type].title,
  words: { type },
});

/** Lists sorts by the name that the select has for them. "choice", "choices" and "reference" are more than a type. */
export const SORTS: Readonly<Record<string, Sort>> = {
  text: text(),
  multiline: text("multiline"),
  choice: { title: message("Choice from a list"), words: { type: "string" } },
  autoNumber: { title: message("Automatic number"), words: { type: "string", autoNumber: "{00000}" } },
  integer: of("integer"),
  big: { title: message("Large whole number"), words: { type: "integer", format: "big" } },
  decimal: { title: KIND_TRAITS.decimal.title, words: { type: "number", decimals: 2 } },
  number: of("number"),
  boolean: of("boolean"),
  date: of("date"),
  datetime: of("datetime"),
  time: of("time"),
  year: of("year"),
  email: text("email"),
  phone: text("phone"),
  uri: text("uri"),
  person: { title: message("Person"), words: { type: "string", format: "person" } },
  file: { title: KIND_TRAITS.file.title, words: { type: "string", format: "file" } },
  files: { title: KIND_TRAITS.files.title, words: { type: "list", format: "file" } },
  choices: { title: message("Several from a list"), words: { type: "list" } },
  texts: { title: message("Several texts"), words: { type: "list" } },
  numbers: { title: message("Several numbers"), words: { type: "list", itemType: "number" } },
  reference: { title: message("Reference to another collection"), words: { type: "integer" } },
};

/** A list of an old field of numbers is none of those that are offered, but a number with a list. */
export function sortOf({ type = "string", format, decimals, itemType = "string", ...field }: PackageField, isReference: boolean): string {
  if (isReference) return "reference";
  if (type === "number") return decimals === undefined ? "number" : "decimal";
  if (type === "integer" && format === "big") return "big";
  if (type === "list" && format === "file") return "files";
  if (type === "list") return itemType !== "string" ? "numbers" : field.categories ? "choices" : "texts";
  if (type !== "string") return String(type);
  if (field.autoNumber !== undefined) return "autoNumber";
  if (field.categories || constraintsOf(field as PackageField).enum) return "choice";
  return typeof format === "string" && format !== "default" ? (format === "uri" ? "uri" : format) : "text";
}

export interface Constraints {
  required?: boolean;
  unique?: boolean;
  /** Stands beside unique: the case of letters does not matter. */
  caseless?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number | string;
  maximum?: number | string;
  pattern?: string;
  enum?: readonly (string | number)[];
}

export function constraintsOf(field: PackageField): Constraints {
  return (field.constraints ?? {}) as Constraints;
}

export interface Choice {
  value: string | number;
  label: string;
  translations?: unknown;
}

/** Returns the values of a closed list with their labels. */
export function choicesOf(field: PackageField): Choice[] {
  const given = (field.categories ?? constraintsOf(field).enum ?? []) as readonly (string | number | Partial<Choice>)[];
  return given.map((one) =>
    typeof one === "object"
      ? { ...one, value: one.value ?? "", label: one.label ?? String(one.value) }
      : { value: one, label: String(one) },
  );
}

/** Writes a list as categories; one that was an `enum` stays one until a value is called otherwise than it is stored. */
export function choiceWords(field: PackageField, choices: readonly Choice[]): Readonly<Record<string, unknown>> {
  const { enum: old, ...constraints } = constraintsOf(field);
  const plain = choices.map((one) => (one.label === String(one.value) && !one.translations ? one.value : one));
  if (!old || field.categories) return { categories: choices.length > 0 ? plain : undefined };
  if (plain.length > 0 && plain.every((one) => typeof one !== "object")) return { constraints: { ...constraints, enum: plain } };
  const others = Object.keys(constraints).length > 0 ? constraints : undefined;
  return { constraints: others, categories: plain.length > 0 ? plain : undefined };
}
