// A collection as files have it, with the parents that its rows may name and that a file may create.

import type { Collection, FileParent } from "./collections.ts";
import type { ReferenceField } from "./fields.ts";
import { lookupName } from "./lookup-name.ts";
import { withLookups } from "./lookups.ts";
import type { Lookup } from "./references.ts";

/** All collections that whoever uploads may see, and those of them in which they may create records. */
export interface KnownParents {
  collections: readonly Collection[];
  mayCreate(collection: string): boolean;
}

/** Adds lookups, parents, and at the end the fields of parents that the file may create. Called again it changes nothing. */
export function withFileParents(given: Collection, known: KnownParents): Collection {
  const collection = withLookups(given);
  const { references } = collection;
  if (!references[0] || collection.parents) return collection;
  const parents = new Map<string, FileParent>();
  const parentFields = new Map<string, Lookup>();
  for (const field of references) {
    const parent = known.collections.find(({ name }) => name === field.reference.collection);
    if (!parent || parent.name === collection.name) continue; // in a tree, the file itself may have the parent
    // A new parent has nothing yet in which both must agree.
    const mayCreate = !field.readOnly && !field.reference.where?.length && known.mayCreate(parent.name);
    parents.set(field.name, { collection: parent, mayCreate });
    if (mayCreate) for (const one of fieldsOfParent(field, parent)) parentFields.set(one.name, one);
  }
  const fields = [...collection.fields, ...parentFields.values()];
  return { ...collection, fields, byName: new Map(fields.map((field) => [field.name, field])), parents, parentFields };
}

/** Lists what a file may say of a parent besides what names it: nothing that the service gives or computes, and not whom the parent refers to. */
function fieldsOfParent({ name: fills, title, reference: { as } }: ReferenceField, { key, fields }: Collection): Lookup[] {
  return fields
    .filter((one) => one !== key && !(one.unique || one.reference || one.readOnly || one.autoNumber || one.computed))
    .map((one) => ({
      ...one,
      ...{ name: lookupName(as, one.name), title: `${title}: ${one.title}`, fills, by: one.name },
      ...{ aliases: one.aliases.map((alias) => `${title} ${alias}`), formerNames: [], withdrawnNames: [], required: false, unique: false },
    }));
}
