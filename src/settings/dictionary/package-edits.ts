// Changes of a data package, as the editor makes them. Each leaves the package as it is and returns another.

import { freeName, nameFrom } from "../../../core/dictionary/name-from-title.ts";
import {
  ORDERS,
  type Package,
  type PackageField,
  type PackageKey,
  type PackageResource,
  type PackageRole,
  withComparisons,
  withUniqueKeys,
} from "../../../core/dictionary/packages.ts";
import { usualName } from "../../../core/dictionary/references.ts";
import { currentCatalogue } from "../../../core/i18n/translate.ts";
import type { ReadyRole } from "./gallery/ready-packages.ts";

/** Holds properties to set; those that are undefined or empty are removed. */
export type Words = Readonly<Record<string, unknown>>;

/** Changes one collection. `at`: its place in the package. */
export function changeResource(all: Package, at: number, change: (resource: PackageResource) => PackageResource): Package {
  return { ...all, resources: all.resources.map((one, i) => (i === at ? change(one) : one)) };
}

/** Sets properties, and removes those that are undefined or empty. */
export function withWords<Thing extends object>(thing: Thing, words: Words): Thing {
  const all = Object.entries({ ...thing, ...words });
  return Object.fromEntries(all.filter(([name, value]) => !(name in words) || (value !== undefined && value !== ""))) as Thing;
}

/** Returns undefined for an object without properties, which a package leaves out. */
export function orNothing<Thing extends object>(thing: Thing): Thing | undefined {
  return Object.keys(thing).length > 0 ? thing : undefined;
}

/** Changes one field. With another name, everything in the package that names it follows. */
export function changeField(all: Package, at: number, fieldAt: number, words: Words): Package {
  const old = all.resources[at]?.schema.fields[fieldAt];
  if (!old) return all;
  const changed = changeResource(all, at, (resource) => ({
    ...resource,
    schema: { ...resource.schema, fields: resource.schema.fields.map((one, i) => (i === fieldAt ? withWords(one, words) : one)) },
  }));
  return typeof words.name === "string" && words.name !== old.name ? renamed(changed, at, old.name, words.name) : changed;
}

function renamed(all: Package, at: number, from: string, to: string): Package {
  const rename = (name: string) => (name === from ? to : name);
  const parent = all.resources[at]?.name;
  const renameAll = (names: string | readonly string[]) => (typeof names === "string" ? rename(names) : names.map(rename));
  const keyOf = (key: PackageKey, isOwn: boolean): PackageKey => {
    const isParent = key.reference.resource === parent;
    const { fields } = key.reference;
    return {
      ...key,
      fields: isOwn ? renameAll(key.fields) : key.fields,
      reference: { ...key.reference, ...(isParent && fields !== undefined && { fields: renameAll(fields) }) },
      ...(key.where && {
        where: Object.fromEntries(
          Object.entries(key.where).map(([theirs, own]) => [isParent ? rename(theirs) : theirs, isOwn ? rename(own) : own]),
        ),
      }),
    };
  };
  const resources = all.resources.map((resource, i) => {
    const isOwn = i === at;
    const { foreignKeys, primaryKey } = resource.schema;
    return {
      ...(isOwn ? withComparisons(resource, rename) : resource),
      ...(isOwn && Object.fromEntries(ORDERS.flatMap((order) => (resource[order] ? [[order, resource[order].map(rename)]] : [])))),
      schema: {
        ...(isOwn ? withUniqueKeys(resource.schema, rename) : resource.schema),
        primaryKey: isOwn ? renameAll(primaryKey) : primaryKey,
        ...(foreignKeys && { foreignKeys: foreignKeys.map((key) => keyOf(key, isOwn)) }),
      },
    };
  });
  return { ...all, resources };
}

/** Moves a field in the schema and in the form, which has an order of its own where the package gives it one. */
export function moveField(all: Package, at: number, from: number, to: number): Package {
  return changeResource(all, at, (resource) => {
    const fields = moved(resource.schema.fields, from, to);
    const shown = fields.filter(({ retired }) => !retired).map(({ name }) => name);
    return { ...resource, ...(resource.form && { form: shown }), schema: { ...resource.schema, fields } };
  });
}

export function moved<One>(list: readonly One[], from: number, to: number): One[] {
  const rest = list.filter((_, i) => i !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}

/** Returns the place of what stood at `place` before one of its list was moved. */
export function placeAfterMove(place: number, from: number, to: number): number {
  if (place === from) return to;
  const rest = place - (from < place ? 1 : 0); // without the one that is moved
  return rest + (to <= rest ? 1 : 0);
}

/** Adds a field at the end. */
export function addField(all: Package, at: number, field: PackageField): Package {
  return changeResource(all, at, (resource) => ({
    ...resource,
    schema: { ...resource.schema, fields: [...resource.schema.fields, field] },
  }));
}

/** Takes a field out that no version has yet, with what names it. */
export function removeField(all: Package, at: number, fieldAt: number): Package {
  return changeResource(all, at, (resource) => {
    const name = resource.schema.fields[fieldAt]?.name;
    const others = resource.schema.fields.filter((_, i) => i !== fieldAt);
    const orders = ORDERS.flatMap((order) => {
      const left = resource[order]?.filter((one) => one !== name);
      return left ? [[order, left.length > 0 ? left : undefined]] : [];
    });
    const { foreignKeys, ...schema } = withUniqueKeys(resource.schema, (one) => (one === name ? undefined : one));
    const keys = foreignKeys?.filter((key) => [key.fields].flat()[0] !== name) ?? [];
    return {
      ...withWords(
        withComparisons(resource, (one) => (one === name ? undefined : one)),
        Object.fromEntries(orders),
      ),
      schema: { ...schema, fields: others, ...(keys.length > 0 && { foreignKeys: keys }) },
    };
  });
}

/** Returns the name of a field that refers: answers have the parent's key under it, and under the same without "Id" the parent. */
export function referenceName(name: string): string {
  return usualName(name, "") === "" ? `${name}Id` : name;
}

function singularOf({ name, singular }: PackageResource): string {
  return String(singular ?? name.replace(/s$/, ""));
}

/** Makes a field refer to a collection, or to none. A new field gets a name that leaves one for the parent. */
export function referTo(all: Package, at: number, fieldAt: number, parent: PackageResource | undefined): Package {
  const before = all.resources[at];
  const field = before?.schema.fields[fieldAt];
  if (!before || !field) return all;
  const taken = takenNames(before, field);
  const name = parent && field.id === undefined ? freeName(referenceName(field.name), taken) : field.name;
  return changeResource(changeField(all, at, fieldAt, { name }), at, (resource) => {
    const { foreignKeys = [], ...schema } = resource.schema;
    const others = foreignKeys.filter((key) => [key.fields].flat()[0] !== name);
    const named = [...taken, name, resource.name, singularOf(resource), ...others.map(({ as }) => String(as ?? ""))];
    const isTaken = (as: string) => named.some((other) => other.toLowerCase() === as.toLowerCase());
    const as = parent && isTaken(usualName(name, singularOf(parent))) ? freeName(`${name}Record`, named) : undefined;
    const own = parent && {
      fields: [name],
      reference: { resource: parent.name, fields: [parent.schema.primaryKey].flat() },
      ...(as !== undefined && { as }),
    };
    const keys = own ? [...others, own] : others;
    return { ...resource, schema: { ...schema, ...(keys.length > 0 && { foreignKeys: keys }) } };
  });
}

export interface NewCollection {
  title: string;
  noun: string;
  icon: string;
  color: string;
  firstField: string;
}

/** Adds a collection with a number as its key, and one field that names its records. */
export function addCollection(all: Package, { title, noun, icon, color, firstField }: NewCollection): Package {
  const name = freeName(
    nameFrom(title),
    all.resources.map((one) => one.name),
  );
  const singular = freeName(nameFrom(noun), [name, ...all.resources.map((one) => String(one.singular ?? ""))]);
  const first = freeName(nameFrom(firstField), ["id"]);
  const resource: PackageResource = withWords(
    {
      name,
      label: [first],
      schema: {
        fields: [
          { name: "id", title: "ID", type: "integer" },
          { name: first, title: firstField.trim(), type: "string", constraints: { required: true, maxLength: 200 } },
        ],
        primaryKey: ["id"],
      },
    },
    { title: title.trim(), singular, noun: noun.trim(), icon, color },
  );
  return { ...all, resources: [...all.resources, resource] };
}

/** Collections to be added to others: where a name is taken, all that refers to it follows. */
export function withFreeNames(added: readonly PackageResource[], others: readonly PackageResource[]): PackageResource[] {
  const names = new Map<string, string>();
  for (const { name } of added) names.set(name, freeName(name, [...others.map((one) => one.name), ...names.values()]));
  const singulars = others.map((one) => String(one.singular ?? ""));
  return added.map((resource) => {
    const singular = freeName(String(resource.singular ?? `${resource.name}Record`), singulars);
    singulars.push(singular);
    const keys = resource.schema.foreignKeys?.map((key) => {
      const { resource: parent } = key.reference;
      return { ...key, reference: { ...key.reference, resource: names.get(parent) ?? parent } };
    });
    const schema = { ...resource.schema, ...(keys && { foreignKeys: keys }) };
    return { ...resource, name: names.get(resource.name) ?? resource.name, singular, schema };
  });
}

/** Roles of a ready package in the reader's language, for its collections as they are called now. `names`: before → now. */
export function withNamesOf(roles: readonly ReadyRole[], names: ReadonlyMap<string, string>): PackageRole[] {
  const named = (name: string) => names.get(name) ?? name;
  return roles.map(({ translations, name, scope, conditions }) => ({
    name: translations[currentCatalogue().language]?.name ?? name,
    scope: scope.replace(/[^\s:]+(?=:)/g, named),
    ...(conditions && { conditions: Object.fromEntries(Object.entries(conditions).map(([of, own]) => [named(of), own])) }),
  }));
}

/** Returns all names that a new field of the collection may not have: those of today and of before. */
export function takenNames({ schema }: PackageResource, except?: PackageField): string[] {
  return schema.fields.flatMap((field) => (field === except ? [] : [field.name, ...(field.formerNames ?? [])]));
}

/** Brings back the field or collection with this id. */
export function broughtBack(all: Package, id: string): Package {
  const back = <One extends { id?: string; retired?: boolean }>(one: One): One =>
    one.id === id ? withWords(one, { retired: undefined }) : one;
  return {
    ...all,
    resources: all.resources.map((one) => back({ ...one, schema: { ...one.schema, fields: one.schema.fields.map(back) } })),
  };
}

/** Speaks the reader's language where the package has it, as everywhere in the app. */
export function titleOf({ title, name, translations }: { title?: unknown; name: string; translations?: unknown }): string {
  const own = (translations as Readonly<Record<string, { title?: string } | undefined>> | undefined)?.[currentCatalogue().language]?.title;
  if (own) return own;
  return typeof title === "string" && title.trim() !== "" ? title : name;
}

/** Returns the foreign key by which a field refers; undefined for a field that does not. */
export function keyBy(resource: PackageResource | undefined, { name }: PackageField): PackageKey | undefined {
  return resource?.schema.foreignKeys?.find((key) => [key.fields].flat()[0] === name);
}

/** Changes words of the foreign key by which a field refers. */
export function changeKey(all: Package, at: number, field: PackageField, words: Words): Package {
  return changeResource(all, at, (resource) => {
    const own = keyBy(resource, field);
    const foreignKeys = resource.schema.foreignKeys?.map((key) => (key === own ? withWords(key, words) : key));
    return { ...resource, schema: { ...resource.schema, ...(foreignKeys && { foreignKeys }) } };
  });
}
