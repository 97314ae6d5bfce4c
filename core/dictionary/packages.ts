// The parts of a data package that the living dictionary looks at. Everything else in it is carried along as it is.

import { FILE, isObject, PERSON } from "./fields.ts";
import { type NameOf, withComparedFields } from "./match.ts";

export interface PackageField {
  id?: string;
  name: string;
  formerNames?: readonly string[];
  /** Says which of them requests and files may not use any more. */
  withdrawnNames?: readonly string[];
  retired?: boolean;
  [word: string]: unknown;
}

export interface PackageKey {
  fields: string | readonly string[];
  reference: { resource: string; fields?: string | readonly string[] };
  where?: Readonly<Record<string, string>>;
  [word: string]: unknown;
}

export interface PackageResource {
  id?: string;
  name: string;
  retired?: boolean;
  label?: readonly string[];
  list?: readonly string[];
  form?: readonly string[];
  schema: {
    fields: readonly PackageField[];
    primaryKey: string | readonly string[];
    foreignKeys?: readonly PackageKey[];
    uniqueKeys?: readonly (readonly string[])[];
    [word: string]: unknown;
  };
  [word: string]: unknown;
}

/** A role that a package brings. Only a draft has some: they are no part of the dictionary. */
export interface PackageRole {
  name: string;
  scope: string;
  conditions?: Readonly<Record<string, unknown>>;
}

export interface Package {
  resources: readonly PackageResource[];
  roles?: readonly PackageRole[];
  [word: string]: unknown;
}

/** The properties of a resource that list names of its fields. */
export const ORDERS = ["label", "list", "form"] as const;

/** Is true where a data package has the parts that are named here. Whether they are right is said elsewhere. */
export function isPackage(given: unknown): given is Package {
  return isObject(given) && Array.isArray(given.resources) && given.resources.every(isResource);
}

function isResource(given: unknown): boolean {
  if (!isObject(given) || !isObject(given.schema) || !Array.isArray(given.schema.fields)) return false;
  const { fields, primaryKey, foreignKeys = [], uniqueKeys = [] } = given.schema;
  const isNames = (names: unknown) => [names].flat().every((name) => typeof name === "string");
  const isKey = (key: unknown) => isObject(key) && isNames(key.fields) && isObject(key.reference);
  return (
    typeof given.name === "string" &&
    (fields as unknown[]).every(
      (field) =>
        isObject(field) && typeof field.name === "string" && isNames(field.formerNames ?? []) && isNames(field.withdrawnNames ?? []),
    ) &&
    isNames(primaryKey) &&
    Array.isArray(foreignKeys) &&
    foreignKeys.every(isKey) &&
    Array.isArray(uniqueKeys) &&
    uniqueKeys.every((key) => Array.isArray(key) && isNames(key)) &&
    ORDERS.every((order) => given[order] === undefined || (Array.isArray(given[order]) && isNames(given[order])))
  );
}

/** Returns the schema with its unique keys by other names; without those of which a field has none (undefined) any more. */
export function withUniqueKeys<Schema extends { uniqueKeys?: PackageResource["schema"]["uniqueKeys"] }>(
  schema: Schema,
  nameOf: (name: string) => string | undefined,
): Schema {
  const { uniqueKeys, ...others } = schema;
  const kept = uniqueKeys?.map((key) => key.map(nameOf)).filter((key) => !key.includes(undefined)) ?? [];
  return { ...others, ...(kept.length > 0 && { uniqueKeys: kept }) } as unknown as Schema;
}

/** Returns the resource that compares the fields that have another name by that one, and those that have none (undefined) not at all. */
export function withComparisons(resource: PackageResource, nameOf: NameOf): PackageResource {
  if (resource.match === undefined) return resource;
  const { match, ...others } = resource;
  const left = withComparedFields(match, nameOf);
  return left === undefined ? (others as PackageResource) : { ...others, match: left };
}

/** Returns the name of the field that is the key. */
export function keyOf({ schema }: PackageResource): string | undefined {
  return [schema.primaryKey].flat()[0];
}

/**
 * Returns the kind of the field's values. A person is another one than a text: what was typed is nobody's id. So is a file: what was typed
 * names no content. A number with decimals that are kept, and a whole number of any size, are exact.
 */
export function kindIn({ type = "string", decimals, format }: PackageField): string {
  if (type === "string" && (format === PERSON || format === FILE)) return format;
  if (type === "list" && format === FILE) return "files";
  return decimals !== undefined || (type === "integer" && format === "big") ? "decimal" : String(type);
}
