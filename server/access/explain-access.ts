// Explains what roles together allow with a collection or one of its records, by the same conditions that decide it.

import {
  type FieldAccess,
  type FieldShown,
  type GivingRole,
  type RightAccess,
  sentenceOfField,
  sentenceOfRight,
} from "../../core/contract/explained-access.ts";
import { FIELD_CONDITIONS } from "../../core/contract/field-conditions.ts";
import { allows, RIGHTS, type Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { keyOf, type PackageResource } from "../../core/dictionary/packages.ts";
import { type CheckedRecord, meets } from "../engine/row-rights.ts";
import type { Store } from "../engine/store.ts";
import type { HiddenFields } from "../people/auth/access-tokens.ts";
import type { RoleRights } from "../people/store/role-rights.ts";
import type { Access } from "./access.ts";
import { idOf, narrowedBy, readStored, readStoredWhere, resourcesOf, type Stored } from "./role-conditions.ts";
import { type Asker, whereFor } from "./row-conditions.ts";
import { readMetParents } from "./row-store.ts";

/** Says whose access is explained, and to whom. */
export interface Explained {
  roles: readonly RoleRights[];
  asker: Asker;
  collection: Collection;
  /** Undefined: the collection as a whole. */
  record: CheckedRecord | undefined;
  /** All of it. */
  dictionary: Access;
  store: Pick<Store, "list">;
  /** Fields that the one who asks may not know. */
  hidden: HiddenFields;
}

interface OwnRole {
  name: string;
  scope: string;
  own: Stored[string];
}

export async function explainAccess(explained: Explained): Promise<{ rights: RightAccess[]; fields: FieldAccess[] }> {
  const { roles, collection, dictionary } = explained;
  const resource = resourcesOf(dictionary.dataPackage).find(({ name }) => name === collection.name) as PackageResource;
  const all = roles.map(({ name, scope, conditions }): OwnRole => {
    const stored = allows(scope, "admin") ? {} : readStored(conditions);
    return { name, scope, own: stored[idOf(resource)] ?? {} };
  });
  const having = (right: Right) => all.filter(({ scope }) => allows(scope, `${collection.name}:${right}`));
  const rights: RightAccess[] = [];
  for (const right of RIGHTS) {
    const giving = await Promise.all(having(right).map((role) => givingRole(explained, resource, role, right)));
    const isMet = giving.some((role) => role.isMet !== false);
    const read = rights.find((one) => one.right === "read");
    const isUnseen = (right === "update" || right === "delete") && having("read").length > 0 && read?.isAllowed === false;
    rights.push(withSentence({ right, isAllowed: isMet && !isUnseen, roles: giving, ...(isUnseen && { isUnseen }) }));
  }
  const exporting = having("read").filter(({ own }) => own.export !== false);
  rights.push(withSentence({ right: "export", isAllowed: exporting.length > 0, roles: exporting.map(({ name }) => ({ name })) }));
  return { rights, fields: fieldsOf(explained, { resource, all, rights }) };
}

function withSentence(access: Omit<RightAccess, "sentence">): RightAccess {
  return { ...access, sentence: sentenceOfRight(access) };
}

async function givingRole(
  { asker, collection, record, dictionary, store, hidden }: Explained,
  resource: PackageResource,
  { name, own }: OwnRole,
  right: Right,
): Promise<GivingRole> {
  const stored = own[right];
  if (stored === undefined) return { name };
  const { where, named = "" } = readStoredWhere(stored, { resource, collection, dictionary, hidden });
  if (!record) return { name, where: named };
  const filters = where && whereFor(where, asker);
  if (!filters) return { name, where: named, isMet: false };
  const byName = new Map(dictionary.collections.map((one) => [one.name, one]));
  const parents = await readMetParents(store, byName, filters, [record]);
  return { name, where: named, isMet: meets(collection, filters, record, parents) };
}

interface OfResource {
  resource: PackageResource;
  all: readonly OwnRole[];
  rights: readonly RightAccess[];
}

/** Explains all fields but the key, which everybody sees who sees the record. What is hidden from the one who asks is left out. */
function fieldsOf({ roles, collection, record, dictionary, hidden }: Explained, { resource, all, rights }: OfResource): FieldAccess[] {
  const { name } = collection;
  const narrowed = narrowedBy(roles, dictionary.dataPackage);
  const [unseen, readOnly] = [narrowed.hidden.get(name), narrowed.readOnly.get(name)];
  const isAllowed = (right: Right) => rights.find((one) => one.right === right)?.isAllowed ?? false;
  const mayWrite = isAllowed("update") || (!record && isAllowed("create"));
  const having = (...some: Right[]) => all.filter(({ scope }) => some.some((right) => allows(scope, `${name}:${right}`)));
  const readers = having("read");
  const knowing = readers.length > 0 ? readers : having("create", "update", "delete");
  if (knowing.length === 0) return [];
  const fields = resource.schema.fields.filter((field) => !field.retired && field.name !== keyOf(resource));
  return fields
    .filter((field) => hidden.get(name)?.get(field.name) !== "hidden")
    .map((field) => {
      const how = unseen?.get(field.name);
      const isFixed = !mayWrite || readOnly?.has(field.name);
      const shown: FieldShown = how === "hidden" ? how : how ? "masked" : isFixed ? "readOnly" : "changeable";
      const ofRoles = knowing.map(({ name: role, own }) => ({
        name: role,
        shown: FIELD_CONDITIONS.find((word) => own[word]?.includes(idOf(field))) ?? ("changeable" as const),
      }));
      const access = { field: field.name, shown, roles: ofRoles };
      return { ...access, sentence: sentenceOfField(access, mayWrite) };
    });
}
