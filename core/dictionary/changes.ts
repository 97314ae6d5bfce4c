// Lists what one version of a dictionary changes of another, property by property.

import type { ChangeEffect, DictionaryChange } from "../contract/dictionary.ts";
import { canonical } from "./canonical.ts";
import { workingNames } from "./column-name.ts";
import { isObject } from "./fields.ts";
import { withRenamedRules } from "./package-rules.ts";
import { isPackage, kindIn, ORDERS, type Package, type PackageField, type PackageKey, type PackageResource } from "./packages.ts";

/** Properties that people and programs read, and that no value is held to. */
const TEXTS = new Set(["title", "description", "example", "aliases", "translations", "noun", "singular", "categoriesOrdered"]);
const ORDER_NAMES: ReadonlySet<string> = new Set(ORDERS);
const IDENTITY = new Set(["id", "name", "formerNames", "withdrawnNames", "retired"]); // of which `identify` has made renamed, retired and revived
const SHAPE = new Set(["type", "decimals", "format", "itemType"]);

type Kinds = Readonly<Record<string, ChangeEffect>>;

/** The kinds of changes, each with its effect unless stored records say otherwise. */
const EFFECTS: Kinds = {
  added: "at once",
  renamed: "at once",
  retired: "at once",
  revived: "at once",
  withdrawn: "at once",
  reinstated: "at once",
  text: "at once",
  appearance: "at once",
  order: "at once",
  loosened: "at once",
  narrowed: "stands",
  required: "stands",
  unique: "refused",
  reference: "refused",
  converted: "refused",
  computed: "at once",
  other: "at once",
};

function change(kind: string, path: string, from?: unknown, to?: unknown): DictionaryChange {
  return { kind, path, ...(from !== undefined && { from }), ...(to !== undefined && { to }), effect: EFFECTS[kind] ?? "at once" };
}

/** `base` and `next`: data packages in which everything has its id, as `identify` returns them. */
export function changesOf(base: unknown, next: unknown): DictionaryChange[] {
  if (!isPackage(base) || !isPackage(next)) return [];
  const { resources: _, ...before } = base;
  const { resources: __, ...now } = next;
  const own = differing(before, now).map((name) => change("text", name, before[name], now[name]));
  const changed = next.resources.flatMap((resource) => {
    const old = base.resources.find(({ id }) => id === resource.id);
    return old
      ? [...changesOfResource(old, resource), ...changesOfUniqueKeys(old, resource), ...changesOfKeys(old, resource, base, next)]
      : [change("added", resource.name)];
  });
  const isReordered = orderOf(base.resources, next.resources) !== orderOf(next.resources, base.resources);
  return [...own, ...changed, ...(isReordered ? [change("order", "resources")] : [])];
}

function changesOfResource(old: PackageResource, now: PackageResource): DictionaryChange[] {
  const path = now.name;
  const state = stateOf(path, old, now);
  const before = withRenamedRules(old, now.schema.fields); // a condition that only follows the new name of a field has not changed
  const fields = now.schema.fields.flatMap((field) => {
    const known = before.schema.fields.find(({ id }) => id === field.id);
    return known ? changesOfField(`${path}.${field.name}`, known, field) : [change("added", `${path}.${field.name}`)];
  });
  const isReordered = orderOf(old.schema.fields, now.schema.fields) !== orderOf(now.schema.fields, old.schema.fields);
  const properties = differing(before, now)
    .filter((name) => name !== "schema" && name !== "rules" && !IDENTITY.has(name))
    .flatMap((name) => {
      const isRenamedOnly = ORDER_NAMES.has(name) && sameNames(old, now, name);
      return isRenamedOnly ? [] : [change(kindOfProperty(name), path, { [name]: before[name] }, { [name]: now[name] })];
    });
  return [...state, ...properties, ...changesOfRules(before, now), ...fields, ...(isReordered ? [change("order", `${path}.fields`)] : [])];
}

function changesOfRules(old: PackageResource, now: PackageResource): DictionaryChange[] {
  const rulesOf = (resource: PackageResource) => (Array.isArray(resource.rules) ? resource.rules.filter(isObject) : []);
  const [before, after] = [rulesOf(old), rulesOf(now)];
  const changed = after.flatMap((rule) => {
    const known = before.find(({ name }) => name === rule.name);
    if (canonical(known) === canonical(rule)) return [];
    return [change(known ? kindOfRuleChange(known, rule) : "narrowed", now.name, known && { rule: known }, { rule })];
  });
  const gone = before.filter(({ name }) => !after.some((rule) => rule.name === name));
  const namesIn = (one: typeof before, other: typeof before) =>
    canonical(one.flatMap(({ name }) => (other.some((rule) => rule.name === name) ? name : [])));
  const isReordered = namesIn(before, after) !== namesIn(after, before);
  return [
    ...changed,
    ...gone.map((rule) => change("loosened", now.name, { rule }, {})),
    ...(isReordered ? [change("order", `${now.name}.rules`)] : []),
  ];
}

/** A rule that only warns from now on allows what it refused. */
function kindOfRuleChange(old: Record<string, unknown>, now: Record<string, unknown>): string {
  if (canonical([old.when, old.must]) !== canonical([now.when, now.must])) return "narrowed";
  const [warned, warns] = [old, now].map(({ severity }) => severity === "warning");
  return warned === warns ? "text" : warns ? "loosened" : "narrowed";
}

function kindOfProperty(name: string): string {
  if (TEXTS.has(name)) return "text";
  if (ORDER_NAMES.has(name)) return "order";
  return ["icon", "color", "group", "sections"].includes(name) ? "appearance" : "other";
}

/** An order that names the same fields by other names is the same order. */
function sameNames(old: PackageResource, now: PackageResource, order: string): boolean {
  const ids = (resource: PackageResource) =>
    (resource[order] as readonly string[] | undefined)?.map((name) => resource.schema.fields.find((field) => field.name === name)?.id);
  return JSON.stringify(ids(old)) === JSON.stringify(ids(now));
}

function stateOf(path: string, old: { retired?: boolean }, now: { retired?: boolean }): DictionaryChange[] {
  if ((old.retired ?? false) === (now.retired ?? false)) return [];
  return [change(now.retired ? "retired" : "revived", path)];
}

function changesOfField(path: string, old: PackageField, now: PackageField): DictionaryChange[] {
  const renamed = old.name === now.name ? [] : [change("renamed", path, old.name, now.name)];
  const isConverted = differing(old, now).some((name) => SHAPE.has(name) && kindOf(old) !== kindOf(now));
  const converted = isConverted ? [change("converted", path, kindOf(old), kindOf(now))] : [];
  const properties = differing(old, now)
    .filter((name) => !IDENTITY.has(name) && name !== "constraints" && !(SHAPE.has(name) && isConverted))
    .map((name) => change(kindOfFieldProperty(name, old[name], now[name]), path, { [name]: old[name] }, { [name]: now[name] }));
  const [worked, works] = [workingNames(old), workingNames(now)];
  const withdrawn = worked.filter((name) => !works.includes(name) && name !== now.name).map((name) => change("withdrawn", path, name));
  const reinstated = works
    .filter((name) => !worked.includes(name) && name !== old.name)
    .map((name) => change("reinstated", path, undefined, name));
  return [
    ...stateOf(path, old, now),
    ...renamed,
    ...withdrawn,
    ...reinstated,
    ...converted,
    ...properties,
    ...changesOfConstraints(path, old, now),
  ];
}

function kindOf(field: PackageField): string {
  return field.itemType === undefined ? kindIn(field) : `${kindIn(field)} of ${String(field.itemType)}`;
}

function kindOfFieldProperty(name: string, from: unknown, to: unknown): string {
  if (TEXTS.has(name)) return "text";
  if (name === "format") return to === undefined || to === "default" || to === "multiline" ? "loosened" : "narrowed";
  if (name === "categories" && canonical(valuesOf(from)) === canonical(valuesOf(to))) return "text";
  if (name === "categories") return lacksSome(valuesOf(from), valuesOf(to)) ? "narrowed" : "loosened";
  if (name === "requiredIf" || name === "choicesIf" || name === "autoNumber") return to === undefined ? "loosened" : "narrowed";
  if (name === "visibleIf" || name === "default" || name === "sticky" || name === "section") return "appearance";
  if (name === "computed") return "computed";
  if (name === "decimals") return Number(to) < Number(from) ? "narrowed" : "loosened";
  return "other";
}

/** Returns the values of `categories`: each is a value, or an object with a value and a label. */
function valuesOf(categories: unknown): unknown[] | undefined {
  if (!Array.isArray(categories)) return undefined;
  return categories.map((one: unknown) => (typeof one === "object" && one !== null && "value" in one ? one.value : one));
}

/** Says whether a list of all that is allowed allows less than before. No list allows everything. */
function lacksSome(before: unknown, now: unknown): boolean {
  if (!Array.isArray(now)) return false;
  return !Array.isArray(before) || before.some((value) => !now.includes(value));
}

/** Says whether a constraint allows less than before; of one that is not known here, that it may. Undefined: it does not hold. */
function isNarrower(constraint: string, from: unknown, to: unknown): boolean {
  return NARROWS[constraint]?.(from, to) ?? true;
}

const NARROWS: Readonly<Record<string, (from: unknown, to: unknown) => boolean>> = {
  minLength: (from, to) => to !== undefined && (from === undefined || Number(to) > Number(from)),
  maxLength: (from, to) => to !== undefined && (from === undefined || Number(to) < Number(from)),
  // Bounds of dates and times are text, which sorts as time.
  minimum: (from, to) => to !== undefined && (from === undefined || isAfter(to, from)),
  maximum: (from, to) => to !== undefined && (from === undefined || isAfter(from, to)),
  pattern: (_, to) => to !== undefined,
  enum: lacksSome,
};

/** Says whether a rule of a field allows less than before, such as `maxLength` or `format`. */
export function allowsLess(name: string, from: unknown, to: unknown): boolean {
  return NARROWS[name]?.(from, to) ?? kindOfFieldProperty(name, from, to) === "narrowed";
}

function isAfter(one: unknown, other: unknown): boolean {
  const [a, b] = [Number(one), Number(other)];
  return Number.isNaN(a) || Number.isNaN(b) ? String(one) > String(other) : a > b;
}

function changesOfConstraints(
  path: string,
  { constraints: old = {} }: PackageField,
  { constraints: now = {} }: PackageField,
): DictionaryChange[] {
  const [before, after] = [old, now] as Record<string, unknown>[] as [Record<string, unknown>, Record<string, unknown>];
  return differing(before, after).flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    if (name === "required" || name === "unique") {
      if (Boolean(from) === Boolean(to)) return [];
      if (name === "unique" && to && after.caseless) return []; // said of caseless
      return [change(to ? name : "loosened", path, { [name]: Boolean(from) }, { [name]: Boolean(to) })];
    }
    if (name === "caseless")
      return Boolean(from) === Boolean(to)
        ? []
        : [change(to ? "unique" : "loosened", path, { caseless: Boolean(from) }, { caseless: Boolean(to) })];
    return [change(isNarrower(name, from, to) ? "narrowed" : "loosened", path, { [name]: from }, { [name]: to })];
  });
}

/** Returns one change for all keys of several fields. A key that is new, or has fewer fields, may be refused. */
function changesOfUniqueKeys(old: PackageResource, now: PackageResource): DictionaryChange[] {
  const idsOf = ({ schema }: PackageResource) =>
    (schema.uniqueKeys ?? []).map((key) => key.map((one) => schema.fields.find(({ name }) => name === one)?.id ?? one).join());
  const [before, after] = [idsOf(old), idsOf(now)];
  if (canonical(before) === canonical(after)) return [];
  const kind = after.some((key) => !before.includes(key)) ? "unique" : "loosened";
  return [change(kind, now.name, { uniqueKeys: old.schema.uniqueKeys ?? [] }, { uniqueKeys: now.schema.uniqueKeys ?? [] })];
}

function changesOfKeys(old: PackageResource, now: PackageResource, base: Package, next: Package): DictionaryChange[] {
  const path = now.name;
  const idOf = (resource: PackageResource, { fields }: PackageKey) =>
    resource.schema.fields.find(({ name }) => name === [fields].flat()[0])?.id;
  const [before, after] = [old.schema.foreignKeys ?? [], now.schema.foreignKeys ?? []];
  const pathOf = (key: PackageKey) => `${path}.${[key.fields].flat()[0] ?? ""}`;
  const changed = after.flatMap((key) => {
    const known = before.find((one) => idOf(old, one) === idOf(now, key));
    if (!known) return [change("reference", pathOf(key), undefined, key.reference.resource)];
    if (known.reference.resource !== key.reference.resource)
      return [change("reference", pathOf(key), known.reference.resource, key.reference.resource)];
    const { fields: _, reference: __, ...ofOld } = known;
    const { fields: ___, reference: ____, ...ofNow } = key;
    const isKept = (name: string) => name === "as" && ofOld.as === undefined && String(known.fields) !== String(key.fields); // by `identify`
    const [heldOld, heldNow] = [heldPairs(known, old, base), heldPairs(key, now, next)];
    const held =
      canonical(heldOld) === canonical(heldNow) ? [] : [heldNow.every((pair) => heldOld.includes(pair)) ? "loosened" : "narrowed"];
    const others = differing(ofOld, ofNow).filter((name) => name !== "where" && name !== "acyclic" && !isKept(name));
    const tree = ofOld.acyclic === ofNow.acyclic ? [] : [[ofNow.acyclic ? "reference" : "loosened", "acyclic"] as const];
    return [...held.map((kind) => [kind, "where"] as const), ...tree, ...others.map((name) => ["other", name] as const)].map(
      ([kind, name]) => change(kind, pathOf(key), { [name]: ofOld[name] }, { [name]: ofNow[name] }),
    );
  });
  const gone = before.filter((key) => !after.some((one) => idOf(now, one) === idOf(old, key)));
  return [...changed, ...gone.map((key) => change("loosened", pathOf(key), { reference: key.reference.resource }, {}))];
}

/** Returns the fields in which a record must agree with its parent, by their ids: the parent's, then its own. One more pair allows fewer parents. */
function heldPairs({ where = {}, reference }: PackageKey, own: PackageResource, all: Package): string[] {
  const parent = all.resources.find(({ name }) => name === reference.resource);
  const idIn = (resource: PackageResource | undefined, field: string) => resource?.schema.fields.find(({ name }) => name === field)?.id;
  return Object.entries(where)
    .map(([theirs, mine]) => `${idIn(parent, theirs)} ${idIn(own, mine)}`)
    .sort();
}

interface Placed {
  id?: string;
  retired?: boolean;
}

/** Returns the ids that both have, in the order of `one`. What is retired has no place. */
function orderOf(one: readonly Placed[], other: readonly Placed[]): string {
  const isShown = (id: string | undefined) => other.some((their) => their.id === id && !their.retired);
  return one.flatMap(({ id, retired }) => (!retired && isShown(id) ? id : [])).join(" ");
}

/** Returns the names of the properties that differ. */
function differing(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => canonical(one[name]) !== canonical(other[name]));
}
