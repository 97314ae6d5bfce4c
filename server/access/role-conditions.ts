// Reads what a role's rights leave out: names of today on the wire, ids in the store, so that no rename shows a field.

import { FIELD_CONDITIONS, type FieldCondition } from "../../core/contract/field-conditions.ts";
import type { CollectionConditions, RoleConditions, RowCondition } from "../../core/contract/people.ts";
import { allows, RIGHTS, type Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { FILE, isObject, PERSON } from "../../core/dictionary/fields.ts";
import { SERVICE_PRINCIPALS, SERVICE_TIMES } from "../../core/dictionary/filters.ts";
import { namesInExpressions, withComputedOf } from "../../core/dictionary/package-rules.ts";
import { isPackage, keyOf, type PackageField, type PackageResource } from "../../core/dictionary/packages.ts";
import { closest } from "../../core/text/similarity.ts";
import type { AllRowRights, RowRights } from "../engine/row-rights.ts";
import { object, type Schema } from "../http/json-schemas.ts";
import type { FieldReader } from "../http/read-fields.ts";
import type { HiddenFields, Narrowed, Unseen, UnseenFields } from "../people/auth/access-tokens.ts";
import type { People } from "../people/store/people.ts";
import type { RoleRights } from "../people/store/role-rights.ts";
import type { Access } from "./access.ts";
import { type Asker, anyOf, type FieldPath, readWhere, renameWhere, type Where, whereFor } from "./row-conditions.ts";

/** Holds the condition of each right, with ids in place of the names of fields. */
type Wheres = Partial<Record<Right, string>>;
export type FieldLists = Partial<Record<FieldCondition, string[]>>;
export type Stored = Record<string, { export?: false } & FieldLists & Wheres>;

const MAX_WHERE = 2_000; // characters

const NAMES: Schema = { type: "array", items: { type: "string" } };
const WHERE: Schema = { ...object({ where: { type: "string", minLength: 1, maxLength: MAX_WHERE } }), additionalProperties: false };
export const CONDITIONS: Schema = {
  type: "object",
  description:
    "By collection: for each right the records that it is about, fields that are hidden, fields of which masks are shown, fields that are seen and cannot be changed, and whether lists may leave as files. Of several roles of a person a field is hidden only if all that read hide it, masked only if none shows it as it is, and a record is seen if one shows it. `where` is a filter as in the address of a list; in it `{me}` is the id of the caller, as `createdBy` has it, and `{me.regions}` an attribute of the person.",
  additionalProperties: {
    ...object(
      {
        ...Object.fromEntries(RIGHTS.map((right) => [right, WHERE])),
        fields: { ...object(Object.fromEntries(FIELD_CONDITIONS.map((word) => [word, NAMES])), []), additionalProperties: false },
        export: { const: false },
      },
      [],
    ),
    additionalProperties: false,
  },
};

/** Reads conditions of the wire, and returns them as they are stored: with ids, and empty where they leave nothing out. */
export function conditionsField(dictionary: Access): FieldReader<string> {
  const { dataPackage } = dictionary;
  return (given) => {
    if (given === null) return { value: "" };
    if (!isObject(given)) return { problem: `conditions are by collection, such as ${EXAMPLE}.` };
    const stored: Record<string, Stored[string]> = {};
    for (const [name, own] of Object.entries(given)) {
      const resource = resourcesOf(dataPackage).find((one) => one.name === name);
      if (!resource) return { problem: `conditions: ${unknown("collection", name, resourcesOf(dataPackage))}` };
      const read = readOwn(own, resource, dictionary);
      if (typeof read === "string") return { problem: `conditions, ${name}: ${read}` };
      if (Object.keys(read).length > 0) stored[idOf(resource)] = read;
    }
    return { value: Object.keys(stored).length > 0 ? JSON.stringify(stored) : "" };
  };
}

const EXAMPLE =
  '{ "customers": { "read": { "where": "city=Bonn" }, "fields": { "hidden": ["iban"], "readOnly": ["status"] }, "export": false } }';

function readOwn(given: unknown, resource: PackageResource, dictionary: Access): Stored[string] | string {
  if (!isObject(given)) return `an object is needed, such as ${EXAMPLE}.`;
  const { fields = {}, export: mayLeave, read, create, update, delete: remove, ...others } = given;
  const isRight = isObject(fields) && Object.keys(others).length === 0 && (mayLeave === undefined || mayLeave === false);
  if (!isRight) return `there are ${RIGHTS.join(", ")}, "fields", and "export" with false, such as ${EXAMPLE}.`;
  const wheres = wheresOf({ read, create, update, delete: remove }, resource, dictionary);
  if (typeof wheres === "string") return wheres;
  const lists = fieldListsOf(fields, resource);
  if (typeof lists === "string") return lists;
  return { ...wheres, ...lists, ...(mayLeave === false && { export: false as const }) };
}

/** Returns a sentence where a field stands in two lists, of which one says all that the other does. */
function fieldListsOf(given: Record<string, unknown>, resource: PackageResource): FieldLists | string {
  const strange = Object.keys(given).find((word) => !(FIELD_CONDITIONS as readonly string[]).includes(word));
  if (strange !== undefined) return `"${strange}" is none of ${FIELD_CONDITIONS.join(", ")}.`;
  const before = new Map<string, FieldCondition>();
  const lists: FieldLists = {};
  for (const word of FIELD_CONDITIONS) {
    const ids = idsOf(given[word] ?? [], resource);
    if (typeof ids === "string") return ids;
    const both = ids.find((id) => before.has(id));
    if (both !== undefined) {
      const then = word === "readOnly" ? "it cannot be changed anyway" : "no mask of it is shown";
      return `"${nameOf(resource, both)}" is ${before.get(both)}, and so ${then}; take it out of ${word}.`;
    }
    for (const id of ids) before.set(id, word);
    if (ids.length > 0) lists[word] = ids;
  }
  return lists;
}

function wheresOf(given: Partial<Record<Right, unknown>>, resource: PackageResource, dictionary: Access): Wheres | string {
  const { collections } = dictionary;
  const collection = collections.find(({ name }) => name === resource.name);
  const stored: Wheres = {};
  for (const right of RIGHTS) {
    if (given[right] === undefined) continue;
    const read = collection ? readWhere(given[right], collection, collections) : "its records cannot be chosen.";
    if (typeof read === "string") return `${right}: ${read}`;
    const { where } = given[right] as RowCondition;
    if (where.length > MAX_WHERE) return `${right}: a condition has at most ${MAX_WHERE} characters.`;
    const ids = renameWhere(where, (path) => idsOfPath(path, resource, dictionary));
    if (ids !== undefined) stored[right] = ids;
  }
  return stored;
}

/** Returns the ids of the fields. A member that the service sets, such as `createdBy`, has none and keeps its name. */
export function idsOfPath([own, ofParent]: FieldPath, resource: PackageResource, dictionary: Access): string[] {
  const named = (of: PackageResource | undefined, name: string) => idOf(of?.schema.fields.find((field) => field.name === name) ?? { name });
  const reference = referencesOf(resource, dictionary).find(({ as }) => as === own);
  if (!reference || ofParent === undefined) return [named(resource, own)];
  return [named(resource, reference.field), named(reference.parent, ofParent)];
}

/** Returns undefined where the dictionary has such a field no more. */
export function namesOfPath([own, ofParent]: FieldPath, resource: PackageResource, dictionary: Access): string[] | undefined {
  const nameIn = (of: PackageResource | undefined, id: string) =>
    of?.schema.fields.find((field) => idOf(field) === id)?.name ?? OF_SERVICE.find((name) => name === id);
  const name = nameIn(resource, own);
  const reference = referencesOf(resource, dictionary).find(({ field }) => field === name);
  const theirs = reference && ofParent !== undefined ? nameIn(reference.parent, ofParent) : undefined;
  if (reference && theirs !== undefined) return [reference.as, theirs];
  return name === undefined ? undefined : [name];
}

const OF_SERVICE = [...SERVICE_TIMES, ...SERVICE_PRINCIPALS].map(({ name }) => name);

function referencesOf({ name }: PackageResource, { dataPackage, collections }: Access) {
  const references = collections.find((one) => one.name === name)?.references ?? [];
  const resources = resourcesOf(dataPackage);
  return references.map(({ name: field, reference: { as, collection } }) => ({
    field,
    as,
    parent: resources.find((one) => one.name === collection),
  }));
}

/** Returns a sentence where a name is none of the fields, or the key's: every answer names records by it. */
export function idsOf(given: unknown, resource: PackageResource): string[] | string {
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
export function wireConditions(stored: string, dictionary: Access): RoleConditions | undefined {
  const all = readStored(stored);
  const own = resourcesOf(dictionary.dataPackage).flatMap((resource) => {
    const conditions = all[idOf(resource)];
    if (!conditions) return [];
    const fields = fieldsWhere(conditions, (id) => nameOf(resource, id));
    const wire: CollectionConditions = {
      ...wireWheres(conditions, resource, dictionary),
      ...(Object.keys(fields).length > 0 && { fields }),
      ...(conditions.export === false && { export: false }),
    };
    return Object.keys(wire).length > 0 ? [[resource.name, wire] as const] : [];
  });
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}

/** Returns the lists of fields with another word for each id. `wordFor`: undefined for one that is left out. */
function fieldsWhere(own: FieldLists, wordFor: (id: string) => string | undefined): FieldLists {
  const lists = FIELD_CONDITIONS.map((word) => [word, (own[word] ?? []).flatMap((id) => wordFor(id) ?? [])] as const);
  return Object.fromEntries(lists.filter(([, words]) => words.length > 0));
}

function wireWheres(stored: Wheres, resource: PackageResource, dictionary: Access): Partial<Record<Right, RowCondition>> {
  const named = RIGHTS.flatMap((right) => {
    const where = stored[right] === undefined ? undefined : renameWhere(stored[right], (path) => namesOfPath(path, resource, dictionary));
    return where === undefined ? [] : [[right, { where }] as const];
  });
  return Object.fromEntries(named);
}

/** Adds what `before` leaves out and the wire cannot name, because it is retired: it must not show once it is brought back. */
export function withUnnamed(stored: string, before: string, dictionary: Access): string {
  const [all, kept] = [readStored(stored), readStored(before)];
  for (const [id, own] of Object.entries(kept)) {
    const resource = resourcesOf(dictionary.dataPackage).find((one) => idOf(one) === id);
    const isUnnamed = (field: string) => !resource || nameOf(resource, field) === undefined;
    const unnamed = fieldsWhere(own, (field) => (isUnnamed(field) ? field : undefined));
    if (!resource) {
      all[id] = own;
      continue;
    }
    const shown = wireWheres(own, resource, dictionary);
    const wheres = RIGHTS.filter((right) => own[right] !== undefined && !shown[right]).map((right) => [right, own[right]] as const);
    if (Object.keys(unnamed).length + wheres.length === 0) continue;
    const now = all[id] ?? {};
    const lists = FIELD_CONDITIONS.map((word) => [word, [...(now[word] ?? []), ...(unnamed[word] ?? [])]]);
    all[id] = { ...Object.fromEntries(wheres), ...now, ...Object.fromEntries(lists) };
  }
  return Object.keys(all).length > 0 ? JSON.stringify(all) : "";
}

/** Leaves out `to` wherever `from` is left out: a field that takes the place of another one shows no more than that did. */
export async function narrowAlso(people: Pick<People, "listRoles" | "changeRole">, from: string, to: string): Promise<void> {
  const withBoth = (ids: string[] | undefined) => (ids?.includes(from) && !ids.includes(to) ? [...ids, to] : ids);
  for (const { id, conditions } of await people.listRoles()) {
    const both = Object.entries(readStored(conditions)).map(([collection, own]) => [
      collection,
      { ...own, ...Object.fromEntries(FIELD_CONDITIONS.map((word) => [word, withBoth(own[word])])) },
    ]);
    const next = both.length > 0 ? JSON.stringify(Object.fromEntries(both)) : "";
    if (next !== conditions) await people.changeRole(id, { conditions: next }, []);
  }
}

/** Finds the names of the roles whose conditions choose records by a field. */
export function rolesChoosingBy(roles: readonly { name: string; conditions: string }[], field: string): string[] {
  const isNamed = (own: Stored[string]) => RIGHTS.some((right) => own[right]?.split(/[^A-Za-z0-9_]+/).includes(field));
  return roles.filter(({ conditions }) => Object.values(readStored(conditions)).some(isNamed)).map(({ name }) => name);
}

/**
 * Returns the records that the roles are about, all together, for one caller: a record is among them if one role says so. `dictionary`: all
 * of it. `hidden`: fields that the caller may not know, of which no refusal tells.
 */
export function rowsBy(roles: readonly RoleRights[], dictionary: Access, asker: Asker, hidden: HiddenFields): AllRowRights {
  const all = roles.map((role) => ({ ...role, stored: allows(role.scope, "admin") ? {} : readStored(role.conditions) }));
  const rows = new Map<string, RowRights>();
  for (const resource of resourcesOf(dictionary.dataPackage)) {
    const collection = dictionary.collections.find(({ name }) => name === resource.name);
    if (!collection) continue;
    const own: RowRights = { why: {} };
    for (const right of RIGHTS) {
      const having = all.filter(({ scope }) => allows(scope, `${resource.name}:${right}`));
      const wheres = having.map(({ name, stored }) => ({ name, where: stored[idOf(resource)]?.[right] }));
      if (wheres.length === 0 || wheres.some(({ where }) => where === undefined)) continue;
      const known = wheres.map(({ name, where = "" }) => ({
        name,
        ...readStoredWhere(where, { resource, collection, dictionary, hidden }),
      }));
      own[right] = anyOf(known.map(({ where }) => where && whereFor(where, asker)).filter((way) => way !== undefined));
      own.why[right] = whyNot(right, known);
    }
    if (Object.keys(own).length > 1) rows.set(resource.name, own);
  }
  return rows;
}

/** `where`: undefined for a condition that cannot be read any more, because its field has another kind: no record meets it. */
export function readStoredWhere(
  stored: string,
  {
    resource,
    collection,
    dictionary,
    hidden,
  }: { resource: PackageResource; collection: Collection; dictionary: Access; hidden: HiddenFields },
): { where: Where | undefined; named: string | undefined } {
  let isNamed = true;
  const wire = renameWhere(stored, (path) => {
    const names = namesOfPath(path, resource, dictionary);
    const [own = "", theirs = ""] = names ?? [];
    const reference = theirs === "" ? undefined : referencesOf(resource, dictionary).find(({ as }) => as === own);
    if (hidden.get(resource.name)?.has(reference?.field ?? own) || hidden.get(reference?.parent?.name ?? "")?.has(theirs)) isNamed = false;
    return names;
  });
  const where = wire === undefined ? undefined : readWhere({ where: wire }, collection, dictionary.collections);
  return typeof where === "object" ? { where, named: isNamed ? wire : undefined } : { where: undefined, named: undefined };
}

const DOING: Record<Right, string> = { read: "see", create: "enter", update: "change", delete: "delete" };

/** Names the conditions, but for those on fields that the caller may not know. */
function whyNot(right: Right, roles: readonly { name: string; named: string | undefined }[]): string {
  const only = ({ named }: { named: string | undefined }) =>
    named === undefined ? "only some of these records" : `only records with ${named}`;
  const each = roles.map((role) => `your role “${role.name}” lets you ${DOING[right]} ${only(role)}`).join(", and ");
  const end = right === "read" ? "; you would not see this one any more" : "";
  return `${each[0]?.toUpperCase()}${each.slice(1)}${end}.`;
}

export function readStored(conditions: string): Stored {
  return conditions === "" ? {} : JSON.parse(conditions);
}

/**
 * Adds up what several roles leave out: a field is hidden if all that read hide it, masked if none of them shows it as it is, and unchangeable if
 * all that write forbid it.
 */
export function narrowedBy(roles: readonly RoleRights[], dataPackage: unknown): Narrowed {
  // An administrator has the copy of all records, and leaves nothing out.
  const all = roles.map(({ scope, conditions }) => ({ scope, stored: allows(scope, "admin") ? {} : readStored(conditions) }));
  const hidden = new Map<string, UnseenFields>();
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
    const fields = resource.schema.fields.filter((field) => field.name !== keyOf(resource));
    const leaveOut = (own: FieldLists, field: PackageField, words: readonly FieldCondition[]) =>
      words.some((word) => own[word]?.includes(idOf(field)));
    const unseen = new Map<string, Unseen>();
    for (const field of fields.filter((one) => knowing.every((own) => leaveOut(own, one, ["hidden", "masked"])))) {
      const isHidden = knowing.every((own) => leaveOut(own, field, ["hidden"]));
      unseen.set(field.name, isHidden ? "hidden" : isFreeText(field) ? "maskedText" : "masked");
    }
    const telling = withComputedOf(resource, new Set(unseen.keys()));
    for (const field of fields) // what is computed would tell of what it is computed of
      if (field.computed !== undefined && namesInExpressions(field).some((one) => telling.has(one))) unseen.set(field.name, "hidden");
    const fixed = writers.length === 0 ? [] : fields.filter((one) => writers.every((own) => leaveOut(own, one, FIELD_CONDITIONS)));
    const fixedNames = fixed.map((field) => field.name).filter((field) => !unseen.has(field));
    if (unseen.size > 0) hidden.set(name, unseen);
    if (fixedNames.length > 0) readOnly.set(name, new Set(fixedNames));
    if (readers.length > 0 && readers.every((own) => own.export === false)) unexported.add(name);
  }
  return { hidden, readOnly, unexported, hidesFields: hidden.size > 0 };
}

/** Says whether the end of a value may be shown. The last characters of a closed list, or of an id, would often say which value it is. */
function isFreeText({ type = "string", format, categories, constraints }: PackageField): boolean {
  return (
    type === "string" &&
    format !== PERSON &&
    format !== FILE &&
    categories === undefined &&
    !(isObject(constraints) && constraints.enum !== undefined)
  );
}

export function resourcesOf(dataPackage: unknown): PackageResource[] {
  return isPackage(dataPackage) ? dataPackage.resources.filter(({ retired }) => !retired) : [];
}

/** A dictionary that no store has given ids knows its parts by their names. */
export function idOf({ id, name }: { id?: string; name: string }): string {
  return id ?? name;
}

function nameOf(resource: PackageResource, id: string): string | undefined {
  return resource.schema.fields.find((field) => idOf(field) === id && !field.retired)?.name;
}
