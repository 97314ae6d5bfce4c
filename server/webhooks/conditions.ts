// Reads the conditions of a webhook: a filter and fields of one collection, and what stands with a change.

import { WEBHOOK_INCLUDES, type Webhook, type WebhookInclude } from "../../core/contract/webhooks.ts";
import type { PackageResource } from "../../core/dictionary/packages.ts";
import type { Access } from "../access/access.ts";
import { retiredIn } from "../access/retired.ts";
import { idOf, idsOf, idsOfPath, namesOfPath, readStoredWhere, resourcesOf } from "../access/role-conditions.ts";
import { readWhere, renameWhere, type Where } from "../access/row-conditions.ts";
import { httpErrors } from "../http/errors.ts";
import type { FieldReader } from "../http/read-fields.ts";

const MOST_CHARACTERS = 2_000; // of a filter
const MOST_FIELDS = 100;

interface Stored {
  where?: string;
  fields?: string[];
  include?: WebhookInclude[];
}

/** Holds them as they are sent; undefined: they stay. */
export interface GivenConditions {
  where: string | null | undefined;
  fields: string[] | undefined;
  include: WebhookInclude[] | undefined;
}

export const conditionFields = {
  where: ((given) =>
    given === null || given === undefined || (typeof given === "string" && given.length <= MOST_CHARACTERS)
      ? { value: given === "" ? null : given }
      : {
          problem: `where must be a filter such as city=Bonn, with at most ${MOST_CHARACTERS} characters, or null.`,
        }) satisfies FieldReader<string | null | undefined>,
  fields: ((given) =>
    given === undefined || (Array.isArray(given) && given.length <= MOST_FIELDS && given.every((one) => typeof one === "string"))
      ? { value: given }
      : { problem: `fields must be a list of up to ${MOST_FIELDS} names; an empty one means all.` }) satisfies FieldReader<
    string[] | undefined
  >,
  include: ((given) =>
    given === undefined || (Array.isArray(given) && given.every((one) => WEBHOOK_INCLUDES.includes(one)))
      ? { value: given && [...new Set(given as WebhookInclude[])] }
      : { problem: `include must be a list of some of ${WEBHOOK_INCLUDES.join(", ")}.` }) satisfies FieldReader<
    WebhookInclude[] | undefined
  >,
};

/** A dictionary as a caller knows it, beside the whole one, in which the ids of fields stand. */
export interface KnownDictionary {
  known: Access["collections"];
  whole: Access;
}

/**
 * Returns the conditions as they are stored. `before`: those that the webhook has. Throws VALIDATION with a sentence, in which a field that the caller
 * may not know is an unknown one.
 */
export function storedConditions(
  { where, fields, include }: GivenConditions,
  { collections, before = "", isMoved = false }: { collections: readonly string[]; before?: string; isMoved?: boolean },
  { known, whole }: KnownDictionary,
): string {
  const kept = parse(before);
  const wanted = (given: unknown, stays: unknown) =>
    given === undefined ? stays : Array.isArray(given) ? given.length > 0 : given !== null;
  const [hasWhere, hasFields] = [Boolean(wanted(where, kept.where)), Boolean(wanted(fields, kept.fields))];
  const all = include ?? kept.include ?? [];
  const next: Stored = { ...(all.length > 0 && { include: WEBHOOK_INCLUDES.filter((one) => all.includes(one)) }) };
  if (hasWhere || hasFields) {
    const [name, more] = collections;
    const pointer = hasWhere ? "/where" : "/fields";
    const resource = more === undefined ? resourcesOf(whole.dataPackage).find((one) => one.name === name) : undefined;
    const collection = known.find((one) => one.name === resource?.name);
    if (!resource || !collection) throw wrong(pointer, "where and fields are about one collection. Name it alone in collections.");
    const isKept = (hasWhere && where === undefined) || (hasFields && fields === undefined);
    if (isMoved && isKept) throw wrong(pointer, "where and fields were about another collection. Send them anew, or empty.");
    if (hasWhere)
      next.where = where === undefined || where === null ? (kept.where ?? "") : whereIds(where, resource, { collection, known, whole });
    if (hasFields) next.fields = fields === undefined ? (kept.fields ?? []) : fieldIds(fields, resource, collection);
  }
  return Object.keys(next).length > 0 ? JSON.stringify(next) : "";
}

function whereIds(
  where: string,
  resource: PackageResource,
  { collection, known, whole }: KnownDictionary & { collection: Access["collections"][number] },
): string {
  const read = where.includes("{me")
    ? "a webhook has no {me}; name the value itself."
    : /(?:^|&)or(?:\[|%5b)/i.test(where)
      ? "a webhook has one way alone; make a second one for the other."
      : readWhere({ where: where.replace(/^\?/, "") }, collection, known);
  if (typeof read === "string") throw wrong("/where", `where: ${read}`);
  return renameWhere(where, (path) => idsOfPath(path, resource, whole)) ?? "";
}

function fieldIds(fields: readonly string[], resource: PackageResource, { byName }: Access["collections"][number]): string[] {
  const ids = idsOf(fields, {
    ...resource,
    schema: { ...resource.schema, fields: resource.schema.fields.filter(({ name }) => byName.has(name)) },
  });
  if (typeof ids === "string") throw wrong("/fields", `fields: ${ids}`);
  return ids;
}

function wrong(pointer: string, detail: string) {
  return httpErrors.validation([{ pointer, code: "KIND", detail }]);
}

function parse(conditions: string): Stored {
  return conditions === "" ? {} : (JSON.parse(conditions) as Stored);
}

/** Returns the conditions in the names of today. Of a field that is not there any more nothing is said. */
export function wireConditions(
  { collections: [name], conditions }: { collections: readonly string[]; conditions: string },
  whole: Access,
): Pick<Webhook, "where" | "fields" | "include"> {
  const { where, fields = [], include = [] } = parse(conditions);
  const resource = resourcesOf(whole.dataPackage).find((one) => one.name === name);
  const isLost = where !== undefined && resource && !whereOf(where, resource, whole);
  const named = where === undefined || !resource || isLost ? undefined : renameWhere(where, (path) => namesOfPath(path, resource, whole));
  return { where: named ?? null, fields: resource ? namesOf(fields, resource) : [], include };
}

/** Reads the filter; undefined where the dictionary has it no more, or has retired one of its fields. */
function whereOf(stored: string, resource: PackageResource, whole: Access): Where | undefined {
  const collection = whole.collections.find(({ name }) => name === resource.name);
  if (!collection) return undefined;
  const hidden = retiredIn(whole.dataPackage) ?? new Map();
  const { where, named } = readStoredWhere(stored, { resource, collection, dictionary: whole, hidden });
  return named === undefined ? undefined : where;
}

function namesOf(ids: readonly string[], resource: PackageResource): string[] {
  return resource.schema.fields.filter((field) => !field.retired && ids.includes(idOf(field))).map(({ name }) => name);
}

/** Says what a sender does by the conditions. A value is undefined where it has no such one. */
export interface KnownConditions {
  where: Where | undefined;
  fields: ReadonlySet<string> | undefined;
  include: readonly WebhookInclude[];
}

/** Returns undefined where nobody can tell any more what they are about, because all of it is gone from the dictionary. */
export function knownConditions(
  { collections: [name], conditions }: { collections: readonly string[]; conditions: string },
  whole: Access,
): KnownConditions | undefined {
  const { where, fields, include = [] } = parse(conditions);
  if (where === undefined && fields === undefined) return { where: undefined, fields: undefined, include };
  const resource = resourcesOf(whole.dataPackage).find((one) => one.name === name && !one.retired);
  if (!resource) return undefined;
  const known = where === undefined ? undefined : whereOf(where, resource, whole);
  const names = fields && namesOf(fields, resource);
  if ((where !== undefined && !known) || names?.length === 0) return undefined;
  return { where: known, fields: names && new Set(names), include };
}
