// A collection as files have it: also with fields of the parents that its references lead to.

import type { Collection, FileParent } from "./collections.ts";
import type { Field, ReferenceField } from "./fields.ts";
import type { Lookup } from "./references.ts";

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
  if (!references[0] || ((collection.parents || !known) && [...lookups.keys()].every((name) => byName.has(name)))) return collection;
  const own = collection.fields.filter(({ name }) => !lookups.has(name));
  const fields = own.flatMap((field) => [field, ...[...lookups.values()].filter(({ fills }) => fills === field.name)]);
  const parents = new Map<string, FileParent>();
  const parentFields = new Map<string, Lookup>();
  for (const field of known ? references : []) {
    const parent = known?.collections.find(({ name }) => name === field.reference.collection);
    if (!parent || !known) continue;
    // A new parent has nothing yet in which both must agree.
    const mayCreate = !field.reference.where?.length && known.mayCreate(parent.name);
    parents.set(field.name, { collection: parent, mayCreate });
    if (mayCreate) for (const one of fieldsOfParent(field, parent)) parentFields.set(one.name, one);
  }
  fields.push(...parentFields.values());
  return { ...collection, fields, byName: new Map(fields.map((field) => [field.name, field])), ...(known && { parents, parentFields }) };
}

/** Lists what a file may say of a parent besides what names it: nothing that the service gives or computes, and not whom the parent refers to. */
function fieldsOfParent({ name: fills, title, reference: { as } }: ReferenceField, { key, fields }: Collection): Lookup[] {
  return fields
    .filter((one) => one !== key && !(one.unique || one.reference || one.readOnly || one.autoNumber || one.computed))
    .map((one) => ({
      ...one,
      ...{ name: `${as}.${one.name}`, title: `${title}: ${one.title}`, fills, by: one.name },
      ...{ aliases: [], formerNames: [], required: false, unique: false },
    }));
}
