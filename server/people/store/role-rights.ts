// Reads what the roles of a person allow together, and what the rights of each leave out.

import { BUILT_IN_ROLES } from "../../../core/contract/roles.ts";

/** `name`: that of the role. `conditions`: as the store keeps them (role-conditions.ts), or empty. */
export interface RoleRights {
  name: string;
  scope: string;
  conditions: string;
}

/** Returns the rights of these roles one by one; undefined where none of them leaves anything out. Ids of roles that do not exist allow nothing. */
export function narrowRights(ids: readonly string[], custom: readonly (RoleRights & { id: string })[]): readonly RoleRights[] | undefined {
  const own = custom.filter(({ id }) => ids.includes(id));
  return own.every(({ conditions }) => conditions === "") ? undefined : rightsOf(ids, custom);
}

/** Returns the rights of these roles one by one. */
export function rightsOf(ids: readonly string[], custom: readonly (RoleRights & { id: string })[]): readonly RoleRights[] {
  const builtIn = BUILT_IN_ROLES.filter(({ id }) => ids.includes(id)).map(({ name, scope }) => ({ name, scope, conditions: "" }));
  const own = custom.filter(({ id }) => ids.includes(id));
  return [...builtIn, ...own.map(({ name, scope, conditions }) => ({ name, scope, conditions }))];
}

/** Reads ids or names that are stored with spaces between. */
export function wordsOf(text: string): string[] {
  return text.split(" ").filter(Boolean);
}
