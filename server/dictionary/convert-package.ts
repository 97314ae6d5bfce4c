// Makes the versions of the dictionary between which the values of a field are converted.

import { canonical } from "../../core/dictionary/canonical.ts";
import type { ConvertedFrom } from "../../core/dictionary/fields.ts";
import { formerNamesOf } from "../../core/dictionary/identify.ts";
import { comparesType } from "../../core/dictionary/match.ts";
import {
  isPackage,
  kindIn,
  type Package,
  type PackageField,
  type PackageResource,
  withComparisons,
  withUniqueKeys,
} from "../../core/dictionary/packages.ts";
import type { Pair } from "./store/conversions.ts";

type Fields = readonly PackageField[];

/** Words that mean something for values of one kind alone: those of the new kind are given with it. */
const OF_KIND = new Set(["type", "decimals", "format", "categories", "categoriesOrdered", "constraints", "example"]);

/** These are for people and files; nothing else may have them while the field is there. */
const WORDS = ["title", "description", "translations", "aliases"];

/** Adds the field into which `from` is converted: hidden, as what is retired is, until it takes the name. */
export function withNewField(
  dataPackage: unknown,
  { collection, from, to }: Pair,
  given: Readonly<Record<string, unknown>>,
  reads: Omit<ConvertedFrom, "field">,
): Package {
  return withFields(dataPackage, collection, (fields) =>
    fields.flatMap((field) => {
      if (field.id !== from) return field;
      const { id: _, formerNames: __, ...words } = Object.fromEntries(Object.entries(field).filter(([word]) => !OF_KIND.has(word)));
      const made: PackageField = { ...words, ...given, id: to, name: "", retired: true, convertedFrom: { field: field.name, ...reads } };
      return [field, { ...made, name: freeName(field.name, kindIn(made), fields) }];
    }),
  );
}

/** Lets the field take back what it was converted into. */
export function withWayBack(dataPackage: unknown, { collection, from, to }: Pair, reads: Omit<ConvertedFrom, "field">): Package {
  return withFields(dataPackage, collection, (fields) => {
    const source = fields.find(({ id }) => id === from);
    return fields.map((field) =>
      field.id === to && source ? { ...field, retired: true, convertedFrom: { field: source.name, ...reads, isBack: true } } : field,
    );
  });
}

/** The field `to` takes the place, the names and the words of `from`, which retires with its values and can be brought back beside it. */
export function withTakenName(dataPackage: unknown, { collection, from, to }: Pair): Package {
  const taken = withFields(dataPackage, collection, (fields) => {
    const [old, made] = [from, to].map((id) => fields.find((field) => field.id === id)) as [PackageField, PackageField];
    const { convertedFrom: _, retired: __, ...taking } = made;
    const isRequired = (old.constraints as { required?: boolean } | undefined)?.required === true;
    const known = { name: made.name, formerNames: [...new Set([...(made.formerNames ?? []), made.name, ...(old.formerNames ?? [])])] };
    const now: PackageField = {
      ...taking,
      ...Object.fromEntries(WORDS.flatMap((word) => (old[word] === undefined ? [] : [[word, old[word]]]))),
      name: old.name,
      ...formers(formerNamesOf(old.name, known)),
      ...(isRequired && { constraints: { ...(made.constraints as object | undefined), required: true } }),
    };
    const name = freeName(
      old.name,
      kindIn(old),
      fields.filter((field) => field !== old && field !== made),
      made.name,
    );
    const { formerNames: ___, title = old.name, aliases: ____, translations: _____, ...rest } = old;
    const retired: PackageField = {
      ...rest,
      name,
      title: `${title} (${kindIn(old)})`,
      retired: true,
      ...formers(formerNamesOf(name, old)),
    };
    return fields.map((field) => (field === old ? now : field === made ? retired : field));
  });
  return { ...taken, resources: taken.resources.map((one) => (one.name === collection ? withFitting(one, to) : one)) };
}

/** Drops the comparisons of records that values of the field's new kind do not take. */
function withFitting(resource: PackageResource, id: string): PackageResource {
  const field = resource.schema.fields.find((one) => one.id === id);
  return withComparisons(resource, (one, as) => (one === field?.name && !comparesType(as, field.type ?? "string") ? undefined : one));
}

/** Ends a conversion that was cancelled: the new field stays retired. */
export function withoutConversion(dataPackage: unknown, { collection, to }: Pair): Package {
  return withFields(dataPackage, collection, (fields) =>
    fields.map((field) => {
      if (field.id !== to) return field;
      const { convertedFrom: _, ...rest } = field;
      return rest;
    }),
  );
}

/** The words of the fields that are converted may not change meanwhile. Returns the path of the first that does. */
export function changedWhileConverted(before: unknown, next: unknown): string | undefined {
  if (!isPackage(before) || !isPackage(next)) return undefined;
  for (const resource of before.resources) {
    const now = next.resources.find(({ id }) => id === resource.id);
    for (const field of resource.schema.fields) {
      if (!field.convertedFrom) continue;
      const source = resource.schema.fields.find(({ name }) => name === (field.convertedFrom as ConvertedFrom).field);
      const isSame = (one: PackageField | undefined) => canonical(one) === canonical(now?.schema.fields.find(({ id }) => id === one?.id));
      if (now?.retired !== resource.retired || !isSame(field) || !isSame(source)) return `${resource.name}.${source?.name}`;
    }
  }
  return undefined;
}

/** Leaves out a retired field or collection, and the references that it had or that led to it. */
export function withoutRetired(dataPackage: unknown, id: string): Package {
  const own = dataPackage as Package;
  const gone = own.resources.find((one) => one.id === id)?.name;
  const resources = own.resources
    .filter((one) => one.id !== id)
    .map((resource) => {
      const { fields, foreignKeys } = resource.schema;
      const name = fields.find((field) => field.id === id)?.name;
      const keys = foreignKeys?.filter(
        (key) => key.reference.resource !== gone && !(name !== undefined && [key.fields].flat().includes(name)),
      );
      const known = withUniqueKeys(resource.schema, (one) => (one === name ? undefined : one));
      const schema = { ...known, fields: fields.filter((field) => field.id !== id), ...(keys && { foreignKeys: keys }) };
      return { ...withComparisons(resource, (one) => (one === name ? undefined : one)), schema };
    });
  return { ...own, resources };
}

function formers(names: readonly string[]): { formerNames?: readonly string[] } {
  return names.length > 0 ? { formerNames: names } : {};
}

/** Returns a name such as birthday_date. `own`: a name that is free although a field has it now. */
function freeName(name: string, kind: string, fields: Fields, own?: string): string {
  const taken = new Set(fields.flatMap((field) => [field.name, ...(field.formerNames ?? [])]).map((one) => one.toLowerCase()));
  const begin = `${name.slice(0, 50)}_${kind}`;
  for (let n = 1; ; n++) {
    const free = n === 1 ? begin : `${begin}${n}`;
    if (free === own || !taken.has(free.toLowerCase())) return free;
  }
}

function withFields(dataPackage: unknown, collection: string, change: (fields: Fields) => Fields): Package {
  const own = dataPackage as Package;
  const changed = (resource: PackageResource) =>
    resource.name === collection ? { ...resource, schema: { ...resource.schema, fields: change(resource.schema.fields) } } : resource;
  return { ...own, resources: own.resources.map(changed) };
}
