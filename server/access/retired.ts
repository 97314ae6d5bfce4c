// Keeps what is retired in the data package and in the store, hidden from everybody until it is brought back.

import { type Collection, type ReadDictionary, readDataPackage } from "../../core/dictionary/collections.ts";
import { type ConvertedFrom, isObject } from "../../core/dictionary/fields.ts";
import {
  isPackage,
  keyOf,
  ORDERS,
  type PackageField,
  type PackageResource,
  withComparisons,
  withUniqueKeys,
} from "../../core/dictionary/packages.ts";
import type { HiddenFields } from "../people/auth/access-tokens.ts";

/**
 * Reads a data package for the store, with what is retired in it: no record needs a value there, and nothing is held to a reference of it.
 * Without anything retired it does as `readDataPackage`.
 */
export function readWithRetired(dataPackage: unknown): ReadDictionary {
  if (!isPackage(dataPackage) || !dataPackage.resources.some(hasRetired)) return readDataPackage(dataPackage);
  const { resources } = dataPackage;
  const gone = new Set(resources.flatMap(({ name, retired }) => (retired ? name : [])));
  const read = readDataPackage({ ...dataPackage, resources: resources.map((one) => kept(one, gone)) });
  if ("collections" in read) for (const [i, collection] of read.collections.entries()) noteConversions(collection, resources[i]);
  return read;
}

/** Sets which fields are made of others. The app need not know: they are retired while they are being made. */
function noteConversions(collection: Collection, resource: PackageResource | undefined): void {
  collection.converting = (resource?.schema.fields ?? []).flatMap(({ name, convertedFrom }) => {
    const field = isObject(convertedFrom) ? collection.byName.get(name) : undefined;
    return field ? [Object.assign(field, { convertedFrom: convertedFrom as unknown as ConvertedFrom })] : [];
  });
}

/** Returns the fields that are retired, by collection; undefined where none is. Of a retired collection it is all but the key. */
export function retiredIn(dataPackage: unknown): HiddenFields | undefined {
  if (!isPackage(dataPackage)) return undefined;
  const found = dataPackage.resources.filter(hasRetired).map((resource) => {
    const { name, retired, schema } = resource;
    const fields = schema.fields.filter((field) => (retired ? field.name !== keyOf(resource) : field.retired));
    return [name, new Map(fields.map((field) => [field.name, "hidden" as const]))] as const;
  });
  return found.length > 0 ? new Map(found) : undefined;
}

function hasRetired({ retired, schema }: PackageResource): boolean {
  return retired === true || schema.fields.some((field) => field.retired === true);
}

function kept(resource: PackageResource, gone: ReadonlySet<string>): PackageResource {
  const { fields, foreignKeys } = resource.schema;
  const names = new Set(fields.filter((field) => resource.retired || field.retired).map(({ name }) => name));
  const orders = ORDERS.flatMap((order) => {
    const shown = resource[order]?.filter((name) => resource.retired || !names.has(name));
    return shown ? [[order, shown.length > 0 ? shown : undefined] as const] : [];
  });
  const others = foreignKeys?.filter((key) => ![key.fields].flat().some((name) => names.has(name)) && !gone.has(key.reference.resource));
  return {
    ...withComparisons(resource, (name) => (names.has(name) ? undefined : name)),
    ...Object.fromEntries(orders),
    schema: {
      ...withUniqueKeys(resource.schema, (name) => (names.has(name) ? undefined : name)),
      fields: fields.map((field) => (names.has(field.name) ? optional(field) : field)),
      ...(others && { foreignKeys: others }),
    },
  };
}

/** Nothing is asked of it any more, what was computed stays as it is, and its section may be gone. */
function optional({ retired: _, computed: __, section: ___, constraints, ...field }: PackageField): PackageField {
  if (!isObject(constraints)) return field;
  const { required: ____, ...others } = constraints;
  return { ...field, constraints: others };
}
