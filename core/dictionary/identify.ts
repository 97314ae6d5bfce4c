// Finds which parts of a data package are those of the version before: by their ids and by all their names.

import type { Mistake } from "./collections.ts";
import { withRenamedRules } from "./package-rules.ts";
import {
  isPackage,
  keyOf,
  ORDERS,
  type Package,
  type PackageField,
  type PackageKey,
  type PackageResource,
  withUniqueKeys,
} from "./packages.ts";
import { usualName } from "./references.ts";

export type Identified = { dataPackage: unknown } | { mistakes: Mistake[] };

const MOST_FORMER_NAMES = 20;

interface Known {
  id?: string;
  name: string;
  formerNames?: readonly string[];
}

/**
 * Returns the package in which every collection and field has its id. What `base` has and `next` lacks follows, retired, so that nothing
 * stored is lost; what has another name keeps its former ones, the first of which names its column for ever. Orders and references that
 * name a field by a former name get the new one. Roles that `next` brings are none of the dictionary, which everybody reads. `base` is a version of a store, or undefined for the first. `next` may have mistakes: they
 * stay in it for the check. Returns mistakes, with JSON pointers into `next`, for what cannot follow `base`.
 */
export function identify(next: unknown, base: unknown, newId: () => string): Identified {
  if (!isPackage(next) || next.resources.length === 0) return { dataPackage: next };
  const before: readonly PackageResource[] = isPackage(base) ? base.resources : [];
  const isFirst = base === undefined;
  const mistakes: Mistake[] = [];
  const found = match(next.resources, before, { isFirst, what: "collection", path: (i) => `/resources/${i}` }, mistakes);
  const singularOf = (name: string) => String(before.find((one) => one.name === name)?.singular ?? name.replace(/s$/, ""));
  const resources = next.resources.map((resource, i) => {
    const old = found[i];
    const path = `/resources/${i}`;
    if (old && old.name !== resource.name) {
      const message = `"${old.name}" keeps its name, which stands in addresses and rights; change its title instead`;
      mistakes.push({ path: `${path}/name`, message });
    }
    return identifyFields(resource, old, { path, isFirst, newId, singularOf }, mistakes);
  });
  if (mistakes.length > 0) return { mistakes };
  const lost = before.filter((old) => !found.includes(old)).map((old) => ({ ...old, retired: true }));
  const { roles: _, ...others } = next;
  if (typeof others.version === "number") delete others.version; // the service sent the package with it
  return { dataPackage: withRenamedReferences({ ...others, resources: [...resources.map((one) => withRenamedRules(one)), ...lost] }) };
}

interface Place {
  path: string;
  isFirst: boolean;
  newId(): string;
  /** Returns the singular of a collection of the version before. */
  singularOf(name: string): string;
}

function identifyFields(
  resource: PackageResource,
  old: PackageResource | undefined,
  { path, isFirst, newId, singularOf }: Place,
  mistakes: Mistake[],
): PackageResource {
  const { fields } = resource.schema;
  const before = old?.schema.fields ?? [];
  const at = (i: number) => `${path}/schema/fields/${i}`;
  const found = match(fields, before, { isFirst, what: "field", path: at }, mistakes);
  const own = fields.map((field, i) => identified(field, found[i], { isFirst, newId }));
  const lost = before.filter((one) => !found.includes(one)).map((one) => ({ ...one, retired: true }));
  mistakes.push(...clashes([...own, ...lost], found, at));
  const renamed = new Map(
    own.flatMap((field, i) => (found[i] && found[i].name !== field.name ? [[found[i].name, field.name] as const] : [])),
  );
  const primaryKey = [resource.schema.primaryKey].flat().map((name) => renamed.get(name) ?? name);
  const key = old && before.find(({ name }) => name === keyOf(old));
  const now = own.find(({ name }) => name === primaryKey[0]);
  if (now?.retired || (key && now?.id !== key.id)) {
    const message = `the key stays "${key?.name ?? primaryKey[0]}": every record is known by it`;
    mistakes.push({ path: `${path}/schema/primaryKey`, message });
  }
  const isLost = ({ fields: names }: PackageKey) => lost.some(({ name }) => [names].flat().includes(name));
  const lostKeys = old?.schema.foreignKeys?.filter(isLost) ?? [];
  const { foreignKeys } = resource.schema;
  const follow = (key: PackageKey): PackageKey => {
    const [name = ""] = [key.fields].flat().map((one) => renamed.get(one) ?? one);
    const oldName = found[own.findIndex((one) => one.name === name)]?.name ?? name;
    const [was, is] = [oldName, name].map((one) => usualName(one, singularOf(key.reference.resource)));
    // Clients know the parent by a name that is made of the field's, which another name of the field must not change.
    return { ...key, fields: [name], ...(key.as === undefined && was !== is && { as: was }) };
  };
  return {
    ...withRenamedOrders(resource, renamed),
    id: old?.id ?? (isFirst ? resource.id : undefined) ?? newId(),
    schema: {
      ...withUniqueKeys(resource.schema, (name) => renamed.get(name) ?? name),
      fields: [...own, ...lost],
      primaryKey,
      ...((foreignKeys || lostKeys.length > 0) && {
        foreignKeys: [...(foreignKeys ?? []).map((one) => ([one.fields].flat().length === 1 ? follow(one) : one)), ...lostKeys],
      }),
    },
  };
}

interface Matching {
  isFirst: boolean;
  what: string;
  path(index: number): string;
}

/** Returns for each of `next` that of `before` which it was. Each is found once. */
function match<One extends Known>(
  next: readonly One[],
  before: readonly One[],
  { isFirst, what, path }: Matching,
  mistakes: Mistake[],
): (One | undefined)[] {
  const found: (One | undefined)[] = next.map(() => undefined);
  const isFree = (old: One) => !found.includes(old);
  const ids = new Set<string>();
  for (const [i, { id }] of next.entries()) {
    if (id === undefined) continue;
    const old = before.find((one) => one.id === id);
    if (ids.has(id)) mistakes.push({ path: `${path(i)}/id`, message: `another ${what} has this id; leave it out for something new` });
    else if (old) found[i] = old;
    else if (!isFirst) mistakes.push({ path: `${path(i)}/id`, message: `no ${what} has this id; leave it out for something new` });
    ids.add(id);
  }
  const isUnknown = (i: number) => !found[i] && next[i]?.id === undefined;
  for (const [i, { name }] of next.entries()) if (isUnknown(i)) found[i] = before.find((one) => isFree(one) && one.name === name);
  for (const [i, { formerNames = [] }] of next.entries())
    if (isUnknown(i) && formerNames.length > 0) {
      found[i] = before.find((one) => isFree(one) && [one.name, ...(one.formerNames ?? [])].some((name) => formerNames.includes(name)));
      const message = `no ${what} that the file lacks otherwise was called ${formerNames.join(" or ")}; leave formerNames out for something new`;
      if (!found[i] && !isFirst) mistakes.push({ path: `${path(i)}/formerNames`, message });
    }
  return found;
}

function identified(
  field: PackageField,
  old: PackageField | undefined,
  { isFirst, newId }: Pick<Place, "isFirst" | "newId">,
): PackageField {
  const { id, formerNames = [], withdrawnNames = [], convertedFrom: _, ...rest } = field;
  if (!old) {
    const former = isFirst ? formerNames : []; // in a store that has values, a name would be taken for a column
    return { id: (isFirst ? id : undefined) ?? newId(), ...rest, ...(former.length > 0 && { formerNames: former }) };
  }
  const former = formerNamesOf(field.name, old);
  const withdrawn = withdrawnNames.filter((name) => former.includes(name) && name !== field.name);
  return {
    ...{ id: old.id ?? newId(), ...rest },
    ...(former.length > 0 && { formerNames: former }),
    ...(withdrawn.length > 0 && { withdrawnNames: withdrawn }),
    ...(old.convertedFrom !== undefined && { convertedFrom: old.convertedFrom }), // only the service sets it
  };
}

/** The first name stays for ever: it is the column's, also when the field has it again. */
export function formerNamesOf(name: string, old: Pick<PackageField, "name" | "formerNames">): string[] {
  const all = [...new Set([...(old.formerNames ?? []), old.name])];
  const [first, ...others] = all;
  const later = others.filter((one) => one !== name).slice(1 - MOST_FORMER_NAMES);
  return first === undefined || (first === name && later.length === 0) ? [] : [first, ...later];
}

/** A name that stands for two fields would be taken for the wrong one by clients and files. `fields`: those of the package, then those that are lost. */
function clashes(
  fields: readonly PackageField[],
  before: readonly (PackageField | undefined)[],
  path: (index: number) => string,
): Mistake[] {
  const namesOf = ({ name, formerNames = [] }: PackageField) => [name, ...formerNames].map((one) => one.toLowerCase());
  return before.flatMap((old, i) => {
    const field = fields[i] as PackageField;
    if (old?.name === field.name) return []; // its names are those of the version before
    const had = old ? namesOf(old) : [];
    const own = namesOf(field).filter((name) => !had.includes(name)); // those that it had stand for it already
    for (const [k, other] of fields.entries()) {
      const [theirs, ...formers] = namesOf(other);
      const shared = own.find((one) => formers.includes(one) || (one === theirs && (other.retired === true || one !== own[0])));
      if (k === i || shared === undefined) continue;
      const why =
        shared === theirs && other.retired
          ? `"${other.name}" is retired: bring it back, or choose another name`
          : `"${shared === own[0] ? field.name : shared}" was the name of "${other.name}" and still stands for it${isWithdrawn(other, shared) ? " in what is stored" : ""}; choose another name`;
      return [{ path: `${path(i)}/name`, message: why }];
    }
    return [];
  });
}

function isWithdrawn({ withdrawnNames = [] }: PackageField, name: string): boolean {
  return withdrawnNames.some((one) => one.toLowerCase() === name);
}

function withRenamedOrders(resource: PackageResource, renamed: ReadonlyMap<string, string>): PackageResource {
  const names = new Set(resource.schema.fields.map(({ name }) => name));
  const orders = ORDERS.flatMap((order) => {
    const own = resource[order];
    return own ? [[order, own.map((name) => (names.has(name) ? name : (renamed.get(name) ?? name)))] as const] : [];
  });
  return { ...resource, ...Object.fromEntries(orders) };
}

/** References of other collections name a key, or fields that must agree, by the names of today. */
function withRenamedReferences(all: Package): Package {
  const current = new Map(
    all.resources.map((resource) => {
      const names = new Set(resource.schema.fields.map(({ name }) => name));
      const pairs = resource.schema.fields.flatMap(({ name, formerNames = [] }) => formerNames.map((former) => [former, name] as const));
      return [resource.name, new Map(pairs.filter(([former]) => !names.has(former)))] as const;
    }),
  );
  const resources = all.resources.map((resource) => {
    const { foreignKeys } = resource.schema;
    if (!foreignKeys) return resource;
    const keys = foreignKeys.map((key) => {
      const { fields } = key.reference;
      const parent = current.get(key.reference.resource);
      const renamed = (name: string) => parent?.get(name) ?? name;
      const own = (name: string) => current.get(resource.name)?.get(name) ?? name;
      return {
        ...key,
        reference: { ...key.reference, ...(fields !== undefined && { fields: [fields].flat().map(renamed) }) },
        ...(key.where && { where: Object.fromEntries(Object.entries(key.where).map(([theirs, ours]) => [renamed(theirs), own(ours)])) }),
      };
    });
    return { ...resource, schema: { ...resource.schema, foreignKeys: keys } };
  });
  return { ...all, resources };
}
