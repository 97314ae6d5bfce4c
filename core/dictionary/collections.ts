// Reads a Frictionless data package into collections, or names every mistake in it. Judges no record.

import { type Field, inLanguage, isObject, type ReportMistake, readField } from "./fields.ts";

export interface Collection {
  /** The plural name: path segment and wrapper key, "customers". */
  name: string;
  /** The singular wrapper key, "customer". */
  singular: string;
  title: string;
  /** The singular in a sentence, "customer": "New customer". */
  noun: string;
  description: string;
  fields: readonly Field[];
  /** The primary key: one field of kind integer. */
  key: Field;
  /** The fields that together name a record for people, in order. */
  label: readonly Field[];
  /** The order of columns in lists. Its first field is the link to the record. */
  list: readonly Field[];
  /** The order of inputs in the form. */
  form: readonly Field[];
  byName: ReadonlyMap<string, Field>;
}

/** Where in the data package something is wrong (a JSON pointer, RFC 6901) and what. */
export interface Mistake {
  path: string;
  message: string;
}

export type ReadDictionary = { title: string; collections: Collection[] } | { mistakes: Mistake[] };

const NAME = /^[a-z][A-Za-z0-9_]{0,62}$/;
// Path segments that the service or the app uses beside collections.
const RESERVED_COLLECTIONS = new Set([
  "dictionary",
  "oauth",
  "keys",
  "limits",
  "backup",
  "docs",
  "uploads",
  "about",
  "new",
  "settings",
  "assets",
]);

// The key stands in each result of a batch under its own name, beside these.
const RESULT_NAMES = new Set(["index", "outcome", "status", "changes", "problem"]);

/**
 * Reads the whole data package (parsed JSON, Data Package v2 with Table Schema).
 * `language`: whose words are taken where the package has them (a BCP 47 tag); otherwise its own.
 * Never throws: what is wrong comes back as `mistakes`, each with its JSON pointer, all of them at once.
 */
export function readDataPackage(input: unknown, language = ""): ReadDictionary {
  const mistakes: Mistake[] = [];
  const say: ReportMistake = (path, message) => {
    mistakes.push({ path, message });
  };
  const collections: Collection[] = [];
  if (!isObject(input)) {
    say("", "a data package is a JSON object");
  } else if (!Array.isArray(input.resources) || input.resources.length === 0) {
    say("/resources", "a data package lists at least one resource");
  } else {
    for (const [i, resource] of input.resources.entries()) {
      const collection = readCollection(resource, `/resources/${i}`, say, language);
      if (!collection) continue;
      if (collections.some((other) => other.name.toLowerCase() === collection.name.toLowerCase())) {
        say(`/resources/${i}/name`, `a second resource is named "${collection.name}"`);
      }
      if (collections.some((other) => other.singular.toLowerCase() === collection.singular.toLowerCase())) {
        say(`/resources/${i}/singular`, `a second resource has the singular "${collection.singular}"`);
      }
      collections.push(collection);
    }
  }
  if (mistakes.length > 0) return { mistakes };
  const title = isObject(input) && typeof input.title === "string" ? input.title : "Intake";
  return { title, collections };
}

function readCollection(given: unknown, path: string, say: ReportMistake, language: string): Collection | undefined {
  if (!isObject(given)) return void say(path, "a resource is an object");
  const input = inLanguage(given, language, path, say);
  const name = input.name;
  if (typeof name !== "string" || !NAME.test(name)) {
    return void say(
      `${path}/name`,
      'a name is at most 63 letters (a to z), digits and _, and begins with a small letter, such as "customers"',
    );
  }
  if (RESERVED_COLLECTIONS.has(name)) return void say(`${path}/name`, `"${name}" is used by the service itself`);
  const singular = input.singular ?? (name.endsWith("s") ? name.slice(0, -1) : undefined);
  if (typeof singular !== "string" || !NAME.test(singular) || singular === name) {
    return void say(`${path}/singular`, `the singular of "${name}", such as "customer", is needed and must differ from it`);
  }
  if (!isObject(input.schema)) return void say(`${path}/schema`, "a Table Schema is needed here");
  const fields = readFields(input.schema, `${path}/schema`, say, language);
  const key = readKey(input.schema, fields, `${path}/schema/primaryKey`, say);
  if (!key) return undefined;
  const order = (property: string, fallback: Field[]) => readOrder(input[property], fields, `${path}/${property}`, fallback, say);
  const label = order("label", [fields.find((f) => f.kind === "string" && f.required) ?? key]);
  return {
    name,
    singular,
    title: typeof input.title === "string" ? input.title : name,
    noun: typeof input.noun === "string" ? input.noun : singular,
    description: typeof input.description === "string" ? input.description : "",
    fields,
    key,
    label,
    list: order("list", [...new Set([...label, ...fields])]),
    form: completed(order("form", fields), fields),
    byName: new Map(fields.map((field) => [field.name, field])),
  };
}

function readFields(schema: Record<string, unknown>, path: string, say: ReportMistake, language: string): Field[] {
  for (const property of ["foreignKeys", "uniqueKeys"]) {
    if (schema[property] !== undefined) say(`${path}/${property}`, `${property} are not supported`);
  }
  if (schema.missingValues !== undefined && JSON.stringify(schema.missingValues) !== '[""]') {
    say(`${path}/missingValues`, 'only the default [""] is supported: an empty cell means no value');
  }
  if (!Array.isArray(schema.fields) || schema.fields.length === 0) {
    say(`${path}/fields`, "a Table Schema lists at least one field");
    return [];
  }
  const fields: Field[] = [];
  for (const [i, input] of schema.fields.entries()) {
    const field = readField(input, `${path}/fields/${i}`, say, language);
    if (!field) continue;
    if (fields.some((other) => other.name.toLowerCase() === field.name.toLowerCase())) {
      say(`${path}/fields/${i}/name`, `a second field is named "${field.name}"`);
    }
    fields.push(field);
  }
  return fields;
}

/** Table Schema lets `primaryKey` be a name or a list of names; here it is exactly one field of kind integer. */
function readKey(schema: Record<string, unknown>, fields: Field[], path: string, say: ReportMistake): Field | undefined {
  const names = typeof schema.primaryKey === "string" ? [schema.primaryKey] : schema.primaryKey;
  if (!Array.isArray(names) || names.length !== 1) return void say(path, 'exactly one field is the key, such as ["objectId"]');
  const key = fields.find((field) => field.name === names[0]);
  if (!key) return void say(path, `there is no field "${names[0]}"`);
  if (RESULT_NAMES.has(key.name)) return void say(path, `"${key.name}" is used in the results of a batch; the key needs another name`);
  if (key.kind !== "integer") return void say(path, `the key must be of type integer; "${key.name}" is ${key.kind}`);
  // Section 1 of the interface: an id is 1 … 2^53−1, and the service assigns it when it is left out.
  key.minimum = Math.max(1, Number(key.minimum ?? 1));
  key.maximum ??= Number.MAX_SAFE_INTEGER;
  key.required = false;
  key.unique = true;
  return key;
}

function readOrder(input: unknown, fields: Field[], path: string, fallback: Field[], say: ReportMistake): Field[] {
  if (input === undefined) return fallback;
  if (!Array.isArray(input) || input.length === 0) {
    say(path, "a list of field names is needed");
    return fallback;
  }
  return input.flatMap((name, i) => {
    const field = fields.find((candidate) => candidate.name === name);
    if (!field) say(`${path}/${i}`, `there is no field "${name}"`);
    return field ?? [];
  });
}

/** A form without one of the fields could not show its problems, so the ones left out come last. */
function completed(order: Field[], fields: Field[]): Field[] {
  return [...new Set([...order, ...fields])];
}
