// What is retired stays in the data package and in the store, and is hidden from everybody until it is brought back.

import { type ReadDictionary, readDataPackage } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import type { HiddenFields } from "../people/auth/access-tokens.ts";

interface Field {
  name: string;
  constraints?: { required?: boolean };
  retired?: boolean;
}

interface Resource {
  name: string;
  retired?: boolean;
  label?: readonly string[];
  list?: readonly string[];
  form?: readonly string[];
  schema: {
    fields: readonly Field[];
    primaryKey: string | readonly string[];
    foreignKeys?: readonly { fields: string | readonly string[]; reference: { resource: string } }[];
  };
}

/**
 * Reads a data package for the store, with what is retired in it: no record needs a value there, and nothing is held to a reference of it.
 * Without anything retired it does as `readDataPackage`.
 */
export function readWithRetired(dataPackage: unknown): ReadDictionary {
  const resources = isObject(dataPackage) && Array.isArray(dataPackage.resources) ? (dataPackage.resources as unknown[]) : [];
  if (!resources.some(hasRetired)) return readDataPackage(dataPackage);
  const gone = new Set(resources.filter(isResource).flatMap(({ name, retired }) => (retired ? name : [])));
  return readDataPackage({ ...(dataPackage as object), resources: resources.map((one) => (isResource(one) ? kept(one, gone) : one)) });
}

/** Returns the fields that are retired, by collection; undefined where none is. Of a retired collection it is all but the key. */
export function retiredIn(dataPackage: unknown): HiddenFields | undefined {
  const { resources } = dataPackage as { resources: readonly Resource[] };
  const found = resources.filter(hasRetired).map(({ name, retired, schema }) => {
    const fields = schema.fields.filter((field) => (retired ? field.name !== [schema.primaryKey].flat()[0] : field.retired));
    return [name, new Set(fields.map((field) => field.name))] as const;
  });
  return found.length > 0 ? new Map(found) : undefined;
}

function isResource(one: unknown): one is Resource {
  return isObject(one) && isObject(one.schema) && Array.isArray(one.schema.fields);
}

function hasRetired(one: unknown): one is Resource {
  return isResource(one) && (one.retired === true || one.schema.fields.some((field) => isObject(field) && field.retired === true));
}

function kept(resource: Resource, gone: ReadonlySet<string>): Resource {
  const { fields, foreignKeys } = resource.schema;
  const names = new Set(fields.filter((field) => resource.retired || field.retired).map(({ name }) => name));
  const orders = (["label", "list", "form"] as const).flatMap((order) => {
    const shown = resource[order]?.filter((name) => resource.retired || !names.has(name));
    return shown ? [[order, shown.length > 0 ? shown : undefined] as const] : [];
  });
  const others = foreignKeys?.filter((key) => ![key.fields].flat().some((name) => names.has(name)) && !gone.has(key.reference.resource));
  return {
    ...resource,
    ...Object.fromEntries(orders),
    schema: {
      ...resource.schema,
      fields: fields.map((field) => (names.has(field.name) ? optional(field) : field)),
      ...(others && { foreignKeys: others }),
    },
  };
}

function optional({ retired: _, constraints, ...field }: Field): Field {
  const { required: __, ...others } = constraints ?? {};
  return { ...field, ...(constraints && { constraints: others }) };
}
