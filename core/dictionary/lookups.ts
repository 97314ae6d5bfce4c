// A collection as files have it: also with fields of the parents that its references lead to.

import type { Collection, FileParent } from "./collections.ts";
import type { Field, ReferenceField } from "./fields.ts";
import { type Lookup, lookupName } from "./references.ts";

interface WithLookups {
  fields: readonly Field[];
  byName: ReadonlyMap<string, Field>;
  references: readonly ReferenceField[];
  lookups: ReadonlyMap<string, Lookup>;
  parents?: ReadonlyMap<string, FileParent>;
  parentFields?: ReadonlyMap<string, Lookup>;
}

/** All collections that whoever uploads may see, and those of them in which they may create records. */
export interface KnownParents {
  collections: readonly Collection[];
  mayCreate(collection: string): boolean;
}

/**
 * The collection as files have it: each lookup is a field, after the one that it fills. With `known`, fields of parents that the file
 * may create stand at the end. Called again it changes nothing.
 */
export function withLookups<Whole extends WithLookups>(collection: Whole, known?: KnownParents): Whole {
  const { lookups, byName, references } = collection;
  const isWhole = [...lookups.keys()].every((name) => byName.has(name));
  if (references.length === 0 || (isWhole && (collection.parents || !known))) return collection;
  const own = collection.fields.filter(({ name }) => !lookups.has(name));
  const parents = known && parentsOf(references, known);
  const parentFields = new Map(
    references.flatMap((field) => fieldsOfParent(field, parents?.get(field.name)).map((one) => [one.name, one] as const)),
  );
  const fields = [
    ...own.flatMap((field) => [field, ...[...lookups.values()].filter(({ fills }) => fills === field.name)]),
    ...parentFields.values(),
  ];
  return { ...collection, fields, byName: new Map(fields.map((field) => [field.name, field])), ...(parents && { parents, parentFields }) };
}

function parentsOf(references: readonly ReferenceField[], { collections, mayCreate }: KnownParents): Map<string, FileParent> {
  const found = references.flatMap(({ name, reference, readOnly }) => {
    const parent = collections.find((one) => one.name === reference.collection);
    // A new parent has nothing yet in which both must agree.
    return parent
      ? [[name, { collection: parent, mayCreate: !readOnly && !reference.where?.length && mayCreate(parent.name) }] as const]
      : [];
  });
  return new Map(found);
}

/** What a file may say of a parent besides what names it. What the service gives or computes, and whom the parent refers to, is not said. */
function fieldsOfParent({ name: fills, title, reference: { as } }: ReferenceField, parent: FileParent | undefined): Lookup[] {
  if (!parent?.mayCreate) return [];
  const { key, fields } = parent.collection;
  return fields
    .filter(
      (one) =>
        one !== key && !(one.unique || one.reference || one.readOnly || one.autoNumber || one.convertedFrom) && one.computed === undefined,
    )
    .map((one) => ({
      ...one,
      ...{ name: lookupName(as, one.name), title: `${title}: ${one.title}`, aliases: one.aliases.map((alias) => `${title} ${alias}`) },
      ...{ formerNames: [], withdrawnNames: [], required: false, unique: false, fills, by: one.name },
    }));
}
