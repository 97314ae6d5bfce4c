// Holds what one caller may know of the records: the data dictionary as their rights leave it.

import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { withoutRulesOn } from "../../core/dictionary/package-rules.ts";
import {
  ORDERS,
  type Package,
  type PackageField,
  type PackageKey,
  type PackageResource,
  withUniqueKeys,
} from "../../core/dictionary/packages.ts";
import type { HiddenFields, Narrowed } from "../people/auth/access-tokens.ts";

/** A data dictionary as some callers may know it. */
export interface Access {
  dataPackage: unknown;
  collections: readonly Collection[];
}

/**
 * Returns the dictionary without the hidden fields, in which those that the caller may not change are `readOnly`. It is read anew, so that
 * nothing in it tells of them: no label, lookup, reference or column. A field that is masked is a text without rules, and names no record.
 * `dataPackage`: a data package that `readDataPackage` has read without
 * mistakes.
 */
export function narrowDictionary(dataPackage: unknown, { hidden, readOnly }: Pick<Narrowed, "hidden" | "readOnly">): Access {
  const { resources } = dataPackage as Package;
  const left = resources.filter(({ retired }) => !retired);
  const names = new Set(left.map(({ name }) => name));
  const marked = left.map((resource) => withReadOnly(resource, readOnly.get(resource.name)));
  const shown = { ...(dataPackage as object), resources: marked.map((resource) => withoutFields(resource, hidden, names)) };
  const read = readDataPackage(shown);
  if ("mistakes" in read) throw new Error(`the dictionary without its hidden fields cannot be read: ${JSON.stringify(read.mistakes)}`);
  return { dataPackage: shown, collections: read.collections };
}

function withReadOnly(resource: PackageResource, readOnly: ReadonlySet<string> | undefined): PackageResource {
  if (!readOnly) return resource;
  const fields = resource.schema.fields.map((field) => (readOnly.has(field.name) ? { ...field, readOnly: true } : field));
  return { ...resource, schema: { ...resource.schema, fields } };
}

/** `collections`: the names of those that are left. */
function withoutFields(resource: PackageResource, hidden: HiddenFields, collections: ReadonlySet<string>): PackageResource {
  const unseen = hidden.get(resource.name);
  const own = new Set(unseen?.keys());
  const known = withoutRulesOn(resource, own);
  const shown: PackageResource = {
    ...known,
    schema: {
      ...withUniqueKeys(known.schema, (name) => (own.has(name) ? undefined : name)),
      fields: known.schema.fields.flatMap((field) => {
        const how = unseen?.get(field.name);
        return how === "hidden" ? [] : how ? maskedField(field) : field;
      }),
      ...(known.schema.foreignKeys && { foreignKeys: shownKeys(known.schema.foreignKeys, { own, hidden, collections }) }),
    },
  };
  if (Array.isArray(known.sections))
    // The title of a section may say what its fields are.
    shown.sections = known.sections.filter((one) => shown.schema.fields.some(({ section }) => isObject(one) && section === one.name));
  for (const order of ORDERS) {
    const isShown = (name: string) => (order === "label" ? !own.has(name) : unseen?.get(name) !== "hidden");
    const names = resource[order]?.filter(isShown);
    if (names && names.length > 0) shown[order] = names;
    else delete shown[order]; // then the reader's default holds, which has only fields that are there
  }
  return shown;
}

/** Its kind, its rules and its example would narrow down what a mask covers. */
function maskedField(field: PackageField): PackageField {
  const { name } = field;
  const kept = KEPT.flatMap((word) => (field[word] === undefined ? [] : [[word, field[word]]]));
  return { name, ...Object.fromEntries(kept), type: "string", readOnly: true, masked: true };
}

const KEPT = ["id", "formerNames", "withdrawnNames", "title", "description", "translations", "aliases", "section"];

/** A pair of `where` with a hidden field goes. The store holds references to each other by the whole dictionary all the same. */
function shownKeys(
  keys: readonly PackageKey[],
  { own, hidden, collections }: { own: ReadonlySet<string>; hidden: HiddenFields; collections: ReadonlySet<string> },
): PackageKey[] {
  return keys
    .filter(({ fields, reference }) => collections.has(reference.resource) && ![fields].flat().some((name) => own.has(name)))
    .map((key) => {
      if (!isObject(key.where)) return key;
      const theirs = hidden.get(key.reference.resource);
      return {
        ...key,
        where: Object.fromEntries(Object.entries(key.where).filter(([name, value]) => !theirs?.has(name) && !own.has(value))),
      };
    });
}
