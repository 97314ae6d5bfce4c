// Finds what names the collections and fields that a draft changes, so that it is known before the draft is applied.

import { type DictionaryChange, type DictionaryUse, MOST_NAMED_USES } from "../../core/contract/dictionary.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { allNames } from "../../core/dictionary/column-name.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { isPackage, type Package, type PackageField, type PackageResource } from "../../core/dictionary/packages.ts";
import { renameQuery } from "../access/former-names.ts";
import type { Store } from "../engine/store.ts";

/** These changes of a field concern whoever names it; others give more, or change what people read. */
const OF_FIELD = new Set(["retired", "renamed", "withdrawn", "narrowed", "required", "unique", "reference", "converted", "computed"]);
const OF_COLLECTION = new Set(["retired", "renamed"]);

/** `field`: undefined where the whole collection is meant. `names`: all that the field has, and had. */
interface Target {
  resource: PackageResource;
  field: PackageField | undefined;
  names: readonly string[];
}

type Found = Awaited<ReturnType<typeof readAll>>;

/** `search`: of a view. `texts`: all that stand in the content of a recipe. */
type NamingItem = Awaited<ReturnType<Store["saved"]["listNaming"]>>[number] & { search: unknown; texts: ReadonlySet<string> };

const ASKED_AT_ONCE = 200; // names

/** Returns the changes with what names their fields and collections. `next`: the data package of the draft; `served`: that of now. */
export async function withNamingParts(
  store: Store,
  changes: readonly DictionaryChange[],
  next: unknown,
  served: { dataPackage: unknown; collections: readonly Collection[] },
): Promise<DictionaryChange[]> {
  if (!isPackage(next) || !isPackage(served.dataPackage)) return [...changes];
  const before = served.dataPackage;
  const targets = new Map(changes.flatMap((change) => targetOf(change, next, before).map((target) => [change, target] as const)));
  if (targets.size === 0) return [...changes];
  const found = await readAll(store, [...targets.values()]);
  return changes.map((change) => {
    const target = targets.get(change);
    const uses = target ? usesOf(target, found, before, served.collections) : [];
    return uses.length > 0 ? { ...change, uses: uses.slice(0, MOST_NAMED_USES) } : change;
  });
}

function targetOf({ kind, path }: DictionaryChange, next: Package, before: Package): Target[] {
  const [of, name] = path.split(".");
  const now = next.resources.find((one) => one.name === of);
  const resource = before.resources.find(({ id }) => id !== undefined && id === now?.id);
  if (!resource || !now) return [];
  if (name === undefined) return OF_COLLECTION.has(kind) ? [{ resource, field: undefined, names: [resource.name] }] : [];
  const id = now.schema.fields.find((field) => field.name === name)?.id;
  const field = resource.schema.fields.find((one) => one.id !== undefined && one.id === id);
  return field && OF_FIELD.has(kind) ? [{ resource, field, names: allNames(field) }] : [];
}

async function readAll(store: Store, targets: readonly Target[]) {
  const texts = targets.flatMap(({ field, names }) => (field ? names : []));
  const whole = targets.flatMap(({ field, resource }) => (field ? [] : resource.name));
  const all = new Map<string, NamingItem>();
  const names = [...new Set(texts)];
  for (let from = 0; from === 0 || from < names.length; from += ASKED_AT_ONCE)
    for (const item of await store.saved.listNaming(names.slice(from, from + ASKED_AT_ONCE), from === 0 ? whole : []))
      if (!all.has(item.id))
        all.set(item.id, { ...item, search: item.kind === "view" ? JSON.parse(item.brief) : undefined, texts: textsIn(item.content) });
  const saved = [...all.values()];
  const [roles, webhooks, keys] = await Promise.all([store.people.listRoles(), store.webhooks.listWebhooks(), store.listKeys()]);
  const now = Date.now();
  const isAlive = ({ revokedAt, expiresAt }: (typeof keys)[number]) => revokedAt === null && (expiresAt ?? now + 1) > now;
  return { saved, roles, webhooks, keys: keys.filter(isAlive) };
}

function usesOf(
  target: Target,
  { saved, roles, webhooks, keys }: Found,
  before: Package,
  collections: readonly Collection[],
): DictionaryUse[] {
  const { resource, field } = target;
  const id = String((field ?? resource).id);
  const isMeant = field
    ? (item: NamingItem) => (item.kind === "view" ? isInView(target, item, collections) : isInRecipe(target, item, collections))
    : (item: NamingItem) => item.collection === resource.name;
  const names = (scope: string) => !field && scope.split(" ").some((word) => word.startsWith(`${resource.name}:`));
  return [
    ...(field ? [] : referencesTo(resource, before)),
    ...saved.filter(isMeant).map((item) => ({ type: typeOf(item), id: item.id, name: item.isShared ? item.name : "" })),
    ...roles
      .filter(({ scope, conditions }) => names(scope) || conditions.split(/\W+/).includes(id))
      .map((role) => ({ type: "role" as const, id: role.id, name: role.name })),
    ...webhooks
      .filter((one) => (field ? one.conditions.split(/\W+/).includes(id) : one.collections.includes(resource.name)))
      .map((one) => ({ type: "webhook" as const, id: one.id, name: new URL(one.url).host })), // the rest of an address may be a secret
    ...keys.filter(({ scope }) => names(scope)).map((key) => ({ type: "key" as const, id: key.id, name: key.name || key.id })),
  ];
}

function typeOf({ kind, content }: NamingItem): "view" | "recipe" | "layout" {
  if (kind === "view") return "view";
  return isObject((JSON.parse(content) as Record<string, unknown>).layout) ? "layout" : "recipe";
}

/** The parameters of a view are those of a list, so they are read as the service reads them, with the fields of parents. */
function isInView({ resource, names }: Target, { collection: name, search }: NamingItem, collections: readonly Collection[]): boolean {
  const collection = collections.find((one) => one.name === name);
  const target = collections.find((one) => one.name === resource.name);
  const marked = new Map(names.map((one) => [one, one]));
  const namesOf = (one: unknown) => (one === target ? marked : new Map<string, string>());
  return collection !== undefined && renameQuery(search, collection, collections, namesOf) !== undefined;
}

/** A recipe names a field by its name, and one of a parent by `customer.email`. */
function isInRecipe({ resource, names }: Target, { collection: name, texts }: NamingItem, collections: readonly Collection[]): boolean {
  const collection = collections.find((one) => one.name === name);
  const parents = collection?.references.filter(({ reference }) => reference.collection === resource.name) ?? [];
  const paths = parents.flatMap(({ reference }) => names.map((one) => `${reference.as}.${one}`));
  const meant = new Set([...(name === resource.name ? names : []), ...paths]);
  for (const one of meant) if (texts.has(one)) return true;
  return false;
}

/** Lists the texts in JSON, and the names in a list of those that are unique together. A view has no content, and so none. */
function textsIn(json: string): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (given: unknown): void => {
    if (typeof given === "string") for (const one of given.split(",")) found.add(one);
    else if (isObject(given) || Array.isArray(given)) for (const one of Object.values(given)) collect(one);
  };
  if (json !== "") collect(JSON.parse(json));
  return found;
}

function referencesTo({ name }: PackageResource, { resources }: Package): DictionaryUse[] {
  return resources.flatMap((other) => {
    if (other.retired || other.name === name) return [];
    const fields = (other.schema.foreignKeys ?? []).flatMap((key) => (key.reference.resource === name ? [key.fields].flat() : []));
    const own = other.schema.fields.filter((field) => !field.retired && fields.includes(field.name));
    return own.map((field) => ({ type: "reference" as const, id: String(field.id), name: `${other.name}.${field.name}` }));
  });
}
