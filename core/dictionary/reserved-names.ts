// Finds names that the service or its database uses itself. The app need not look for them: no service has them.

import type { Mistake } from "./collections.ts";
import { FIELD_NAME, FILE, isObject } from "./fields.ts";

// Path segments that the service or the app uses for something else, and what the answer to a list has beside the records.
const RESERVED_COLLECTIONS = new Set([
  "next",
  "prev",
  "warnings",
  "exceptions",
  "total",
  "totalIsAtLeast",
  "exact",
  "didYouMean",
  "dictionary",
  "access",
  "oauth",
  "keys",
  "users",
  "roles",
  "scim",
  "sessions",
  "links",
  "oidc",
  "me",
  "changes",
  "activity",
  "search",
  "recipes",
  "runs",
  "views",
  "webhooks",
  "organisation",
  "welcome",
  "limits",
  "backup",
  "rewrite",
  "docs",
  "uploads",
  "about",
  "new",
  "settings",
  "assets",
]);

// Each result of a batch has these properties besides the key under its own name.
const RESULT_NAMES = new Set(["index", "outcome", "status", "changes", "problem"]);

// Set by the service on every record, or parameters of the list (which filters by field name) and of its page in the app.
const RESERVED = new Set([
  "createdat",
  "updatedat",
  "createdby",
  "updatedby",
  "version",
  "warnings",
  "limit",
  "cursor",
  "sort",
  "q",
  "fields",
  "count",
  "expand",
  "offset",
  "hints",
  "deleted",
  "guard",
  "timeZone", // `timezone` in other letters may be a field
  "columns",
  "constructor",
  "tostring",
  "valueof",
  "hasownproperty",
  "isprototypeof",
]);
// PostgreSQL has these columns in every table (manual, section 5.6), in small letters only.
const SYSTEM_COLUMNS = new Set(["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]);

export function isFieldName(name: string): boolean {
  return FIELD_NAME.test(name) && !isReserved(name) && !SYSTEM_COLUMNS.has(name);
}

/** Says whether the service leaves the name to a collection. */
export function isCollectionName(name: string): boolean {
  return !RESERVED_COLLECTIONS.has(name);
}

/** Says whether a field of this name may be the key. */
export function isKeyName(name: string): boolean {
  return isFieldName(name) && !RESULT_NAMES.has(name);
}

function isReserved(name: string): boolean {
  return RESERVED.has(name) || RESERVED.has(name.toLowerCase());
}

/** `input`: a data package, of which nothing is known yet. The paths are JSON pointers into it. */
export function reservedNames(input: unknown): Mistake[] {
  const resources: unknown[] = isObject(input) && Array.isArray(input.resources) ? input.resources : [];
  return resources.flatMap((resource, i) => {
    if (!isObject(resource)) return [];
    const path = `/resources/${i}`;
    const name = String(resource.name);
    const own = RESERVED_COLLECTIONS.has(name) ? [{ path: `${path}/name`, message: usedByService(name) }] : [];
    return [...own, ...reservedFields(resource.schema, `${path}/schema`), ...takenAddresses(resource, resources, `${path}/schema`)];
  });
}

// These parts stand behind a record's address, as the name of a field with a file does.
const BEHIND_RECORDS = new Set(["history", "restore", "viewers", "erasure", "copy"]);

function takenAddresses({ name, schema }: Record<string, unknown>, resources: readonly unknown[], path: string): Mistake[] {
  if (!isObject(schema) || !Array.isArray(schema.fields)) return [];
  const children = new Set(resources.filter((one) => refersTo(one, name)).map((one) => (isObject(one) ? one.name : undefined)));
  return schema.fields.flatMap((field, i) => {
    if (!isObject(field) || field.format !== FILE) return [];
    const isTaken = BEHIND_RECORDS.has(String(field.name)) || children.has(field.name);
    return isTaken ? [{ path: `${path}/fields/${i}/name`, message: usedByService(String(field.name)) }] : [];
  });
}

function refersTo(resource: unknown, name: unknown): boolean {
  const keys = isObject(resource) && isObject(resource.schema) ? resource.schema.foreignKeys : [];
  return Array.isArray(keys) && keys.some((key) => isObject(key) && isObject(key.reference) && (key.reference.resource || name) === name);
}

function reservedFields(schema: unknown, path: string): Mistake[] {
  if (!isObject(schema)) return [];
  const fields: unknown[] = Array.isArray(schema.fields) ? schema.fields : [];
  const names = fields.map((field) => (isObject(field) ? String(field.name) : ""));
  const [key = ""] = [schema.primaryKey].flat();
  const ofFields = names.flatMap((name, i) => {
    const at = `${path}/fields/${i}/name`;
    if (isReserved(name)) return [{ path: at, message: usedByService(name) }];
    return SYSTEM_COLUMNS.has(name) ? [{ path: at, message: `"${name}" is a name that PostgreSQL keeps for itself` }] : [];
  });
  const ofFormer = fields.flatMap((field, i) => {
    const former = isObject(field) && Array.isArray(field.formerNames) ? field.formerNames.map(String) : [];
    const reserved = former.find((name) => isReserved(name) || SYSTEM_COLUMNS.has(name));
    return reserved === undefined ? [] : [{ path: `${path}/fields/${i}/formerNames`, message: usedByService(reserved) }];
  });
  const ofKey = RESULT_NAMES.has(String(key))
    ? [{ path: `${path}/primaryKey`, message: `"${String(key)}" is used in the results of a batch; the key needs another name` }]
    : [];
  return [...ofFields, ...ofFormer, ...ofKey];
}

function usedByService(name: string): string {
  return `"${name}" is used by the service itself`;
}
