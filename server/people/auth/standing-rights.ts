// Says whether a caller still has the rights with which a long answer was begun.

import type { Awaitable } from "../../engine/script/awaitable.ts";
import type { Credentials } from "../../engine/store.ts";
import type { People } from "../store/people.ts";
import { rightsOf } from "../store/role-rights.ts";
import { attributesOf, type Session } from "./access-tokens.ts";
import type { Sessions } from "./sessions.ts";

/**
 * Returns what says whether the rights of a session are what they were when this was called. That its token runs out meanwhile does not
 * matter: a download may take longer.
 */
export type WatchRights = (session: Session) => Promise<() => Awaitable<boolean>>;

export function createRightsWatch(credentials: Credentials & { people: People }, { idleMs }: Pick<Sessions, "idleMs">): WatchRights {
  return async (session) => {
    const read = () => readRights(credentials, session, idleMs);
    let generation = credentials.generation();
    const first = await read();
    return () => first !== undefined && (generation === credentials.generation() || isSame());
    async function isSame(): Promise<boolean> {
      const current = credentials.generation();
      if ((await read()) !== first) return false;
      generation = current;
      return true;
    }
  };
}

/** Says as text what a key, the person whose it is, and the session of a person may do now. Undefined where one of them may do nothing any more. */
async function readRights(
  credentials: Credentials & { people: People },
  { principal, sessionId, userId }: Session,
  idleMs: number,
): Promise<string | undefined> {
  const { people } = credentials;
  const now = Date.now();
  const [custom, user, live, key] = await Promise.all([
    people.listRoles(),
    userId === undefined ? undefined : people.readUser(userId),
    sessionId === undefined ? undefined : people.readSession(sessionId, now, idleMs),
    principal.type === "key" ? credentials.readKey(principal.id) : undefined,
  ]);
  if (userId !== undefined && user?.status !== "active") return undefined;
  if (sessionId !== undefined && !live) return undefined;
  if (principal.type === "key" && (!key || key.revokedAt !== null || (key.expiresAt ?? now + 1) <= now)) return undefined;
  return JSON.stringify([
    user && [rightsOf(user.roles, custom), attributesOf(user)],
    live && [live.scope, live.roles], // of an administrator who looks with the eyes of that person
    key && [key.scope, rightsOf(key.roles, custom)],
  ]);
}
