// People, roles, links and sessions as the API answers them.

import type { NewLink, Role, SignUp, User } from "../../core/contract/people.ts";
import { BUILT_IN_ROLES } from "../../core/contract/roles.ts";
import { object } from "../http/json-schemas.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { People } from "./store/people.ts";
import type { StoredUser } from "./store/users.ts";

export const SIGN_UPS = ["invite", "request", "open"] as const satisfies readonly SignUp[];

/** The answer to whoever may not learn what becomes of their request. */
export const ACCEPTED = jsonAnswer(202, { accepted: true }, NO_STORE);
export const ACCEPTED_SCHEMA = object({ accepted: { const: true } });

export function toWireUser(user: StoredUser): User {
  const { id, email, name, roles, status, createdAt, lastSeenAt, language, passkeys, attributes, claimed } = user;
  const times = { createdAt: timeOf(createdAt), lastSeenAt: timeOrNull(lastSeenAt) };
  return { id, email, name, roles, status, ...times, language, passkeys, attributes, claimed };
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeOf(ms);
}

/** Lists built-in roles first, without their conditions, which name what their people may not know. */
export async function allRoles(people: People): Promise<Role[]> {
  return [...BUILT_IN_ROLES, ...(await people.listRoles()).map(({ id, name, scope }) => ({ id, name, scope, isBuiltIn: false }))];
}

/** `base`: where people find the app; without it the address is relative. The code stands after #, which no server sees. */
export function toLink(code: string, expiresAt: number, base: string, mail: NewLink["mail"]): NewLink {
  return { url: `${base}/welcome#${code}`, expiresAt: timeOf(expiresAt), mail };
}
