// Declares what a collection is, and reads all of a Frictionless data package.

import { checkRules } from "./check-rules.ts";
import type { CollectionColor } from "./collection-colors.ts";
import type { Field, ReferenceField } from "./fields.ts";
import { checkMatches, type Match } from "./match.ts";
import { readCollections } from "./read-collections.ts";
import { readFile } from "./read-files.ts";
import { READ_PARTS } from "./read-parts.ts";
import type { FormPart } from "./read-sections.ts";
import type { Lookup } from "./references.ts";
import { reservedNames } from "./reserved-names.ts";
import type { Rule } from "./rule.ts";

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
  /** The form in its sections, in order; left out where there are none. */
  formParts?: readonly FormPart[];
  /** The name of a picture of src/ui/collection-icons.ts. */
  icon?: string;
  color?: CollectionColor;
  /** The heading under which the sidebar has it. */
  group?: string;
  byName: ReadonlyMap<string, Field>;
  /** The fields that another one is being converted into. Each write converts along. */
  converting: readonly Field[];
  /** Fields of which no two records have the same values together; each list has two or more. A single one is `unique` itself. */
  uniqueKeys: readonly (readonly Field[])[];
  /** The fields that refer to other collections, in the order of `foreignKeys`. */
  references: readonly ReferenceField[];
  /** Unique fields of parents, by names such as `customer.accountNumber`, that stand for a reference in files and JSON. */
  lookups: ReadonlyMap<string, Lookup>;
  /** Holds, in files, the collections of the parents, by the names of the fields that refer to them; left out where nobody asked for them. */
  parents?: ReadonlyMap<string, FileParent>;
  /** Holds, in files, fields of parents by names such as `customer.city`. Their columns say what a parent gets that the file creates. */
  parentFields?: ReadonlyMap<string, Lookup>;
  /** Rules that look at several fields at once, as the data package has them; left out where there are none. */
  rules?: readonly Rule[];
  /** Its records are asked expressions: by rules, conditions of fields, defaults or formulas. */
  hasRules?: boolean;
  /** Says how records are compared to find those that are stored twice, as the data package has it; left out where none are. */
  match?: Match;
  /** Says where a day of these rules begins and ends; UTC where it is left out. */
  timeZone?: string | undefined;
}

/** The collection to which a reference leads, as whoever uploads a file knows it. */
export interface FileParent {
  collection: Collection;
  /** Whoever uploads may create records there. */
  mayCreate: boolean;
}

/** `path` is a JSON pointer (RFC 6901) into the data package. */
export interface Mistake {
  path: string;
  message: string;
}

export type ReadDictionary = { title: string; collections: Collection[] } | { mistakes: Mistake[] };

/**
 * Reads the whole data package (parsed JSON, Data Package v2 with Table Schema).
 * `language` is a BCP 47 tag: titles are in it where the package has translations, otherwise in the package's own language.
 * Never throws: the result has either `collections` or all `mistakes`.
 *
 * @example
 * const read = readDataPackage(await response.json(), "de");
 * if ("mistakes" in read) throw new Error(read.mistakes[0].message);
 */
export function readDataPackage(input: unknown, language = ""): ReadDictionary {
  const read = readCollections(input, language, { ...READ_PARTS, readFile });
  const ofRules = "mistakes" in read ? [] : [...checkRules(input, read.collections), ...checkMatches(input, read.collections)]; // else a rule would be blamed for a field that could not be read
  const reserved = [...reservedNames(input), ...ofRules];
  return reserved.length > 0 ? { mistakes: [...reserved, ...("mistakes" in read ? read.mistakes : [])] } : read;
}
