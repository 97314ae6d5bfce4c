// Reads what a role's rights leave out: names of today on the wire, ids in the store, so that no rename shows a field.

import type { CollectionConditions, RoleConditions } from "../../core/contract/people.ts";
import { allows } from "../../core/contract/scopes.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { isPackage, keyOf, type PackageResource } from "../../core/dictionary/packages.ts";
import { closest } from "../../core/text/similarity.ts";
import { object, type Schema } from "../http/json-schemas.ts";
import type { FieldReader } from "../http/read-fields.ts";
import type { Narrowed } from "../people/auth/access-tokens.ts";
import type { People } from "../people/store/people.ts";
import type { RoleRights } from "../people/store/role-rights.ts";

type Stored = Record<string, { hidden?: string[]; readOnly?: string[]; export?: false }>;

const NAMES: Schema = { type: "array", items: { type: "string" } };
export const CONDITIONS: Schema = {
  type: "object",
  description:
    "By collection: fields that are hidden, fields that are seen and cannot be changed, and whether lists may leave as files. Of several roles of a person a field is hidden only if all that read hide it.",
  additionalProperties: {
    ...object({ fields: { ...object({ hidden: NAMES, readOnly: NAMES }, []), additionalProperties: false }, export: { const: false } }, []),
    additionalProperties: false,
  },
};

/** Reads conditions of the wire, and returns them as they are stored: with ids, and empty where they leave nothing out. */
export function conditionsField(dataPackage: unknown): FieldReader<string> {
  return (given) => {
    if (given === null) return { value: "" };
    if (!isObject(given)) return { problem: `conditions are by collection, such as ${EXAMPLE}.` };
    const stored: Record<string, Stored[string]> = {};
    for (const [name, own] of Object.entries(given)) {
      const resource = resourcesOf(dataPackage).find((one) => one.name === name);
      if (!resource) return { problem: `conditions: ${unknown("collection", name, resourcesOf(dataPackage))}` };
      const read = readOwn(own, resource);
      if (typeof read === "string") return { problem: `conditions, ${name}: ${read}` };
      if (Object.keys(read).length > 0) stored[idOf(resource)] = read;
    }
    return { value: Object.keys(stored).length > 0 ? JSON.stringify(stored) : "" };
  };
}

const EXAMPLE = '{ "customers": { "fields": { "hidden": ["iban"], "readOnly": ["status"] }, "export": false } }';

function readOwn(given: unknown, resource: PackageResource): Stored[string] | string {
  if (!isObject(given)) return `an object is needed, such as ${EXAMPLE}.`;
  const { fields = {}, export: mayLeave, ...others } = given;
  const isRight = isObject(fields) && Object.keys(others).length === 0 && (mayLeave === undefined || mayLeave === false);
  if (!isRight) return `there are "fields", and "export" with false, such as ${EXAMPLE}.`;
  const { hidden = [], readOnly = [], ...more } = fields;
  const [strange] = Object.keys(more);
  if (strange !== undefined) return `"${strange}" is none of hidden, readOnly.`;
  const lists = { hidden: idsOf(hidden, resource), readOnly: idsOf(readOnly, resource) };
  for (const ids of Object.values(lists)) if (typeof ids === "string") return ids;
  const both = (lists.hidden as string[]).find((id) => lists.readOnly.includes(id));
  if (both !== undefined) return `"${nameOf(resource, both)}" is hidden, and so it cannot be changed anyway; take it out of readOnly.`;
  return {
    ...(lists.hidden.length > 0 && { hidden: lists.hidden as string[] }),
    ...(lists.readOnly.length > 0 && { readOnly: lists.readOnly as string[] }),
    ...(mayLeave === false && { export: false as const }),
  };
}

/** Returns a sentence where a name is none of the fields, or the key's: every answer names records by it. */
function idsOf(given: unknown, resource: PackageResource): string[] | string {
  if (!Array.isArray(given)) return "a list of names of fields is needed.";
  const ids: string[] = [];
  for (const name of given) {
    const field = resource.schema.fields.find((one) => one.name === name && !one.retired);
    if (!field) return unknown("field", String(name), resource.schema.fields);
    if (name === keyOf(resource)) return `"${name}" is the key, by which every answer names a record.`;
    ids.push(idOf(field));
  }
  return [...new Set(ids)];
}

function unknown(what: string, name: string, all: readonly { name: string; retired?: boolean }[]): string {
  const meant = closest(
    name,
    all.filter(({ retired }) => !retired).map((one) => one.name),
  );
  return `there is no ${what} "${name}"${meant ? `; did you mean "${meant}"?` : "."}`;
}

/** Returns stored conditions by the names of today; undefined where they leave out nothing that the dictionary has. */
export function wireConditions(stored: string, dataPackage: unknown): RoleConditions | undefined {
  const all = readStored(stored);
  const own = resourcesOf(dataPackage).flatMap((resource) => {
    const conditions = all[idOf(resource)];
    if (!conditions) return [];
    const [hidden, readOnly] = [conditions.hidden ?? [], conditions.readOnly ?? []].map((ids) =>
      ids.flatMap((id) => nameOf(resource, id) ?? []),
    ) as [string[], string[]];
    const fields = { ...(hidden.length > 0 && { hidden }), ...(readOnly.length > 0 && { readOnly }) };
    const wire: CollectionConditions = {
      ...(hidden.length + readOnly.length > 0 && { fields }),
      ...(conditions.export === false && { export: false }),
    };
    return Object.keys(wire).length > 0 ? [[resource.name, wire] as const] : [];
  });
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}

/** Adds what `before` leaves out and the wire cannot name, because it is retired: it must not show once it is brought back. */
export function withUnnamed(stored: string, before: string, dataPackage: unknown): string {
  const [all, kept] = [readStored(stored), readStored(before)];
  for (const [id, { hidden = [], readOnly = [] }] of Object.entries(kept)) {
    const resource = resourcesOf(dataPackage).find((one) => idOf(one) === id);
    const isUnnamed = (field: string) => !resource || nameOf(resource, field) === undefined;
    const unnamed = { hidden: hidden.filter(isUnnamed), readOnly: readOnly.filter(isUnnamed) };
    if (!resource) all[id] = kept[id] as Stored[string];
    else if (unnamed.hidden.length + unnamed.readOnly.length > 0) {
      const now = all[id] ?? {};
      all[id] = { ...now, hidden: [...(now.hidden ?? []), ...unnamed.hidden], readOnly: [...(now.readOnly ?? []), ...unnamed.readOnly] };
    }
  }
  return Object.keys(all).length > 0 ? JSON.stringify(all) : "";
}

/** Leaves out `to` wherever `from` is left out: a field that takes the place of another one shows no more than that did. */
export async function narrowAlso(people: Pick<People, "listRoles" | "changeRole">, from: string, to: string): Promise<void> {
  const withBoth = (ids: string[] | undefined) => (ids?.includes(from) && !ids.includes(to) ? [...ids, to] : ids);
  for (const { id, conditions } of await people.listRoles()) {
    const both = Object.entries(readStored(conditions)).map(([collection, own]) => [
      collection,
      { ...own, hidden: withBoth(own.hidden), readOnly: withBoth(own.readOnly) },
    ]);
    const next = both.length > 0 ? JSON.stringify(Object.fromEntries(both)) : "";
    if (next !== conditions) await people.changeRole(id, { conditions: next }, []);
  }
}

function readStored(conditions: string): Stored {
  return conditions === "" ? {} : JSON.parse(conditions);
}

/** Adds up what several roles leave out: a field is hidden if all that read hide it, and unchangeable if all that write forbid it. */
export function narrowedBy(roles: readonly RoleRights[], dataPackage: unknown): Narrowed {
  // An administrator has the copy of all records, and leaves nothing out.
  const all = roles.map(({ scope, conditions }) => ({ scope, stored: allows(scope, "admin") ? {} : readStored(conditions) }));
  const hidden = new Map<string, ReadonlySet<string>>();
  const readOnly = new Map<string, ReadonlySet<string>>();
  const unexported = new Set<string>();
  for (const resource of resourcesOf(dataPackage)) {
    const { name } = resource;
    const having = (...rights: ("read" | "create" | "update" | "delete")[]) =>
      all
        .filter(({ scope }) => rights.some((right) => allows(scope, `${name}:${right}`)))
        .map(({ stored }) => stored[idOf(resource)] ?? {});
    const writers = having("create", "update");
    const readers = having("read");
    const knowing = readers.length > 0 ? readers : having("create", "update", "delete");
    if (knowing.length === 0) continue;
    const fields = resource.schema.fields
      .filter((field) => field.name !== keyOf(resource))
      .map((field) => [field.name, idOf(field)] as const);
    const unseen = fields.filter(([, id]) => knowing.every((own) => own.hidden?.includes(id)));
    const fixed = fields.filter(([, id]) => writers.every((own) => own.hidden?.includes(id) || own.readOnly?.includes(id)));
    const unseenNames = new Set(unseen.map(([field]) => field));
    const fixedNames = writers.length === 0 ? [] : fixed.map(([field]) => field).filter((field) => !unseenNames.has(field));
    if (unseenNames.size > 0) hidden.set(name, unseenNames);
    if (fixedNames.length > 0) readOnly.set(name, new Set(fixedNames));
    if (readers.length > 0 && readers.every((own) => own.export === false)) unexported.add(name);
  }
  return { hidden, readOnly, unexported, hidesFields: hidden.size > 0 };
}

function resourcesOf(dataPackage: unknown): PackageResource[] {
  return isPackage(dataPackage) ? dataPackage.resources.filter(({ retired }) => !retired) : [];
}

/** A dictionary that no store has given ids knows its parts by their names. */
function idOf({ id, name }: { id?: string; name: string }): string {
  return id ?? name;
}

function nameOf(resource: PackageResource, id: string): string | undefined {
  return resource.schema.fields.find((field) => idOf(field) === id && !field.retired)?.name;
}
