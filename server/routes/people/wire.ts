// People, roles, links and sessions as the API answers them.

import type { NewLink, Role, User } from "../../../core/contract/people.ts";
import { BUILT_IN_ROLES } from "../../../core/contract/roles.ts";
import type { People } from "../../store/people/people.ts";
import type { StoredUser } from "../../store/people/users.ts";

export const NO_STORE = { "cache-control": "no-store" };
export const MAX_NAME = 100; // characters

export function toWireUser({ id, email, name, roles, status, createdAt, lastSeenAt }: StoredUser): User {
  return { id, email, name, roles, status, createdAt: timeOf(createdAt), lastSeenAt: lastSeenAt === null ? null : timeOf(lastSeenAt) };
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Built-in roles first. */
export async function allRoles(people: People): Promise<Role[]> {
  return [...BUILT_IN_ROLES, ...(await people.listRoles()).map((role) => ({ ...role, isBuiltIn: false }))];
}

/** `base`: where people find the app; without it the address is relative. The code stands after #, which no server sees. */
export function toLink(code: string, expiresAt: number, base: string, mail: NewLink["mail"]): NewLink {
  return { url: `${base}/welcome#${code}`, expiresAt: timeOf(expiresAt), mail };
}
