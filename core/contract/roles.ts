// Roles are named scopes. Five are built in; administrators make others.

import { message } from "../i18n/translate.ts";
import type { Role } from "./people.ts";
import { allows } from "./scopes.ts";

export const ADMINISTRATOR = "administrator";

export const BUILT_IN_ROLES: readonly Role[] = [
  { id: "viewer", name: message("Viewer"), scope: "*:read", isBuiltIn: true },
  { id: "contributor", name: message("Contributor"), scope: "*:read *:create *:update", isBuiltIn: true },
  { id: "editor", name: message("Editor"), scope: "*:read *:create *:update *:delete", isBuiltIn: true },
  { id: "steward", name: message("Steward"), scope: "*:read *:create *:update *:delete dictionary", isBuiltIn: true },
  { id: ADMINISTRATOR, name: message("Administrator"), scope: "admin", isBuiltIn: true },
];

/** Says whether a word of OIDC_ROLES means this role: its id or its name. */
export function isRoleCalled({ id, name }: Pick<Role, "id" | "name">, word: string): boolean {
  return word === id || word === name;
}

/** Returns all that these roles allow together. Ids of roles that do not exist allow nothing. */
export function scopeOfRoles(ids: readonly string[], custom: readonly Pick<Role, "id" | "scope">[]): string {
  const scopes = [...BUILT_IN_ROLES, ...custom].filter(({ id }) => ids.includes(id)).map(({ scope }) => scope);
  return [...new Set(scopes.join(" ").split(" ").filter(Boolean))].join(" ");
}

export function isAdministrator(ids: readonly string[], custom: readonly Pick<Role, "id" | "scope">[]): boolean {
  return allows(scopeOfRoles(ids, custom), "admin");
}
