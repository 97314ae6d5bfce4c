// Reads the collections of a Frictionless data package, or lists every mistake in it.

import { isLanguage, LANGUAGES } from "../i18n/languages.ts";
import { COLLECTION_COLORS, type CollectionColor } from "./collection-colors.ts";
import type { Collection, Mistake, ReadDictionary } from "./collections.ts";
import {
  type Field,
  inLanguage,
  isObject,
  type ReadCategories,
  type ReadConditions,
  type ReadFile,
  type ReportMistake,
  readField,
} from "./fields.ts";
import { KIND_TRAITS } from "./kinds.ts";
import type { Match } from "./match.ts";
import { keepTogether } from "./parent-fields.ts";

/** Sets what collections know of each other, once all are read. `resources`: as the data package has them. */
type AddReferences = (resources: readonly unknown[], collections: readonly Collection[], report: ReportMistake) => void;

/** Puts the fields of a collection into the sections of its form. */
type AddSections = (
  resource: Readonly<Record<string, unknown>>,
  collection: Collection,
  language: string,
  path: string,
  report: ReportMistake,
) => void;
type ReadUniqueKeys = (schema: unknown, fields: readonly Field[], key: Field, path: string, report: ReportMistake) => Field[][];

const NAME = /^[a-z][A-Za-z0-9_]{0,62}$/;

/** Reads what not every package has. */
export interface ReadParts {
  addReferences?: AddReferences | undefined;
  readCategories?: ReadCategories | undefined;
  readConditions?: ReadConditions | undefined;
  addSections?: AddSections | undefined;
  readUniqueKeys?: ReadUniqueKeys | undefined;
  readFile?: ReadFile | undefined;
}

/** Does as readDataPackage, for callers that load the reading of references and lists only with packages that have some. Words that it does not know are passed over. */
export function readCollections(input: unknown, language: string, { addReferences, ...parts }: ReadParts): ReadDictionary {
  const mistakes: Mistake[] = [];
  const report: ReportMistake = (path, message) => {
    mistakes.push({ path, message });
  };
  const collections: Collection[] = [];
  if (!isObject(input)) {
    report("", "a data package is a JSON object");
  } else if (!Array.isArray(input.resources) || input.resources.length === 0) {
    report("/resources", "a data package lists at least one resource");
  } else {
    for (const [i, resource] of input.resources.entries()) {
      const collection = readCollection(resource, `/resources/${i}`, report, {
        ...parts,
        language,
        timeZone: input.timeZone as string,
      });
      if (!collection) continue;
      if (collections.some((other) => other.name.toLowerCase() === collection.name.toLowerCase())) {
        report(`/resources/${i}/name`, `a second resource is named "${collection.name}"`);
      }
      if (collections.some((other) => other.singular.toLowerCase() === collection.singular.toLowerCase())) {
        report(`/resources/${i}/singular`, `a second resource has the singular "${collection.singular}"`);
      }
      collections.push(collection);
    }
    addReferences?.(input.resources, collections, report);
    keepTogether(collections);
  }
  if (mistakes.length > 0) return { mistakes };
  const title = isObject(input) && typeof input.title === "string" ? input.title : "Intake";
  return { title, collections };
}

interface Reading extends Omit<ReadParts, "addReferences"> {
  language: string;
  timeZone: string | undefined;
}

function readCollection(given: unknown, path: string, report: ReportMistake, reading: Reading): Collection | undefined {
  if (!isObject(given)) return void report(path, "a resource is an object");
  const { language, timeZone, readConditions, addSections } = reading;
  const input = inLanguage(given, language, path, report);
  const name = input.name;
  if (typeof name !== "string" || !NAME.test(name)) {
    return void report(
      `${path}/name`,
      'a name is at most 63 letters (a to z), digits and _, and begins with a small letter, such as "customers"',
    );
  }
  const singular = input.singular ?? (name.endsWith("s") ? name.slice(0, -1) : undefined);
  if (typeof singular !== "string" || !NAME.test(singular) || singular === name) {
    return void report(`${path}/singular`, `the singular of "${name}", such as "customer", is needed and must differ from it`);
  }
  if (!isObject(input.schema)) return void report(`${path}/schema`, "a Table Schema is needed here");
  const fields = readFields(input.schema, `${path}/schema`, report, reading);
  const hasConditions = readConditions?.(fields, input.schema, `${path}/schema`, report) ?? false;
  const key = readKey(input.schema, fields, `${path}/schema/primaryKey`, report);
  if (!key) return undefined;
  const order = (property: string, fallback: Field[]) => readOrder(input[property], fields, `${path}/${property}`, fallback, report);
  const color: CollectionColor | undefined = COLLECTION_COLORS.find((one) => one === input.color);
  if (input.color !== undefined && !color) report(`${path}/color`, `must be one of ${COLLECTION_COLORS.join(", ")}`);
  const noun = typeof input.noun === "string" ? input.noun : singular;
  const label = order("label", [fields.find((f) => KIND_TRAITS[f.kind].isText && f.required) ?? key]);
  for (const [i, { name, item, isPerson, file }] of label.entries())
    if (item || isPerson || file) {
      const what = item ? "has several values" : file ? "holds files" : "names a person";
      report(`${path}/label/${i}`, `"${name}" ${what}, by which no record is named`);
    }
  const collection: Collection = {
    name,
    singular,
    title: typeof input.title === "string" ? input.title : name,
    noun: input.noun === given.noun ? untranslated(noun, language) : noun,
    description: typeof input.description === "string" ? input.description : "",
    fields,
    key,
    label,
    list: order("list", [...new Set([...label, ...fields])]),
    // The service gives the key, and hardly anybody types it.
    form: completed(order("form", [...fields.filter((one) => one !== key), key]), fields),
    ...(typeof input.icon === "string" && { icon: input.icon }),
    ...(color && { color }),
    ...(typeof input.group === "string" && { group: input.group }),
    ...(Array.isArray(input.rules) && { rules: input.rules }), // dictionary.schema.json and checkRules say what is wrong there
    ...(isObject(input.match) && { match: input.match as unknown as Match }), // checkMatches says what is wrong there
    ...((hasConditions || Array.isArray(input.rules)) && { hasRules: true, timeZone }),
    byName: new Map(fields.map((field) => [field.name, field])),
    uniqueKeys: reading.readUniqueKeys?.(input.schema, fields, key, `${path}/schema/uniqueKeys`, report) ?? [],
    converting: [],
    references: [],
    lookups: new Map(),
  };
  addSections?.(input, collection, language, path, report);
  return collection;
}

/** Returns a noun that has no translation, as the language writes nouns. */
function untranslated(noun: string, language: string): string {
  const isCapitalized = isLanguage(language) && LANGUAGES[language].capitalizesNouns;
  return isCapitalized ? noun.charAt(0).toUpperCase() + noun.slice(1) : noun;
}

function readFields(schema: Record<string, unknown>, path: string, report: ReportMistake, { language, ...parts }: Reading): Field[] {
  if (!Array.isArray(schema.fields) || schema.fields.length === 0) {
    report(`${path}/fields`, "a Table Schema lists at least one field");
    return [];
  }
  const fields: Field[] = [];
  for (const [i, input] of schema.fields.entries()) {
    const field = readField(input, `${path}/fields/${i}`, report, language, parts);
    if (!field) continue;
    if (fields.some((other) => other.name.toLowerCase() === field.name.toLowerCase())) {
      report(`${path}/fields/${i}/name`, `a second field is named "${field.name}"`);
    }
    fields.push(field);
  }
  return fields;
}

/** Table Schema lets `primaryKey` be a name or a list of names; here it is exactly one field of kind integer. */
function readKey(schema: Record<string, unknown>, fields: Field[], path: string, report: ReportMistake): Field | undefined {
  const names = typeof schema.primaryKey === "string" ? [schema.primaryKey] : schema.primaryKey;
  if (!Array.isArray(names) || names.length !== 1) return void report(path, 'exactly one field is the key, such as ["objectId"]');
  const key = fields.find((field) => field.name === names[0]);
  if (!key) return void report(path, `there is no field "${names[0]}"`);
  if (!KIND_TRAITS[key.kind].isWhole) return void report(path, `the key must be of type integer; "${key.name}" is ${key.kind}`);
  // An id is 1 … 2^53−1, and the service assigns it when it is left out.
  key.minimum = Math.max(1, Number(key.minimum ?? 1));
  key.maximum ??= Number.MAX_SAFE_INTEGER;
  key.required = false;
  key.unique = true;
  return key;
}

function readOrder(input: unknown, fields: Field[], path: string, fallback: Field[], report: ReportMistake): Field[] {
  if (input === undefined) return fallback;
  if (!Array.isArray(input) || input.length === 0) {
    report(path, "a list of field names is needed");
    return fallback;
  }
  return input.flatMap((name, i) => {
    const field = fields.find((candidate) => candidate.name === name);
    if (!field) report(`${path}/${i}`, `there is no field "${name}"`);
    return field ?? [];
  });
}

/** The form has every field, because it must show the problems of each: fields that `order` leaves out come last. */
function completed(order: Field[], fields: Field[]): Field[] {
  return [...new Set([...order, ...fields])];
}
