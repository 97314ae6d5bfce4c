// Stores who people are at the organisation's own sign-in (OpenID Connect), and the codes for the app's session.

import { type Attributes, MAX_ATTRIBUTES } from "../../../core/contract/people.ts";
import { BUILT_IN_ROLES, isRoleCalled } from "../../../core/contract/roles.ts";
import { ask, lockByName, type Script } from "../../engine/script/script.ts";
import { isSameAddress } from "./addresses.ts";
import { changeUser, insertUser, listRoles, NO_ATTRIBUTES, readUser, readUserByEmail, type StoredUser, withAttributes } from "./users.ts";

/** Somebody as their organisation's sign-in says who they are. */
export interface Identity {
  issuer: string;
  /** Is never given to somebody else, unlike an address. */
  subject: string;
  /** Is undefined unless the address was verified. */
  email: string | undefined;
  name: string;
  /** Ids or names of the roles that their groups give them. */
  roles: readonly string[];
  /** Holds all that claims say here, also those that say nothing of this person. */
  attributes: Attributes;
}

/** Says why nobody signed in, for the log. The app is told less. `unknown role`: groups give roles, but none that there is. */
export type Rejection =
  | "no role"
  | "unknown role"
  | "no verified address"
  | "account disabled"
  | "account of another person"
  | "address written differently"
  | "no account";

/** Says who signed in; or why nobody did, and whose account that concerns. */
export type Recognized =
  | { user: StoredUser; is: "known" | "changed" | "made" }
  | { refused: "no_access" | "no_email"; reason: Rejection; userId?: string };

/**
 * Finds the person of an identity: by issuer and subject, or the first time by a verified address, to which the subject is then bound. For
 * anybody else an account with the roles of their groups is made (`newId`). Only the roles of such an account follow the groups.
 * The attributes of everybody follow the claims.
 */
function* recognize(identity: Identity, newId: string, now: number): Script<Recognized> {
  yield* lockByName("people");
  const found = yield* find(identity, newId, now);
  return "refused" in found ? found : yield* followClaims(found, identity);
}

function* find(identity: Identity, newId: string, now: number): Script<Recognized> {
  const { issuer, subject } = identity;
  const { rows } = yield* ask("SELECT user_id, is_made FROM identities WHERE issuer = $1 AND subject = $2", issuer, subject);
  const roles = yield* rolesOf(identity);
  if (rows[0]) {
    const user = yield* readUser(String(rows[0][0]));
    if (!user) return { refused: "no_access", reason: "no account" };
    return yield* rows[0][1] === 1 && user.status !== "disabled" ? followGroups(user, roles, identity) : admit(user);
  }
  if (identity.email === undefined) return { refused: "no_email", reason: "no verified address" };
  const invited = yield* readUserByEmail(identity.email);
  if (invited && !isSameAddress(invited.email, identity.email))
    return { refused: "no_access", reason: "address written differently", userId: invited.id };
  if (invited) return yield* bind(invited, identity);
  if (roles.length === 0) return { refused: "no_access", reason: whyNoRole(identity) };
  const { email, name } = identity;
  const rest = { password: null, passkeys: 0, createdAt: now, lastSeenAt: null, language: "en", ...NO_ATTRIBUTES } as const; // the session brings the browser's language
  const user: StoredUser = { id: newId, email, name, roles, status: "active", ...rest };
  yield* insertUser(user);
  yield* addIdentity(identity, user.id, 1);
  return { user, is: "made" };
}

/** Ids of roles that there are. */
function* rolesOf({ roles }: Identity): Script<string[]> {
  const known = [...BUILT_IN_ROLES, ...(yield* listRoles())];
  return known.filter((role) => roles.some((word) => isRoleCalled(role, word))).map(({ id }) => id);
}

function whyNoRole({ roles }: Identity): Rejection {
  return roles.length === 0 ? "no role" : "unknown role";
}

/** An account belongs to one subject of an issuer: who is given a former colleague's address does not get their account. */
function* bind(user: StoredUser, identity: Identity): Script<Recognized> {
  const { count } = yield* ask("SELECT 1 FROM identities WHERE user_id = $1 AND issuer = $2", user.id, identity.issuer);
  if (count > 0) return { refused: "no_access", reason: "account of another person", userId: user.id };
  if (user.status === "disabled") return { refused: "no_access", reason: "account disabled", userId: user.id };
  yield* addIdentity(identity, user.id, 0);
  return yield* admit(user);
}

function* addIdentity({ issuer, subject }: Identity, userId: string, isMade: number): Script<unknown> {
  const sql = "INSERT INTO identities (issuer, subject, user_id, is_made) VALUES ($1, $2, $3, $4)";
  return yield* ask(sql, issuer, subject, userId, isMade);
}

/** Somebody invited has now come; their invitation ends. */
function* admit(user: StoredUser): Script<Recognized> {
  if (user.status === "disabled") return { refused: "no_access", reason: "account disabled", userId: user.id };
  if (user.status === "active") return { user, is: "known" };
  yield* ask("UPDATE users SET status = 'active' WHERE id = $1", user.id);
  yield* ask("DELETE FROM links WHERE user_id = $1", user.id);
  return { user: { ...user, status: "active" }, is: "changed" };
}

/** The last active administrator keeps the roles, whatever the groups are. Who has no role left does not come in. */
function* followGroups(user: StoredUser, roles: string[], identity: Identity): Script<Recognized> {
  const isSame = roles.length === user.roles.length && roles.every((id) => user.roles.includes(id));
  const changed = isSame ? user : yield* changeUser(user.id, { roles });
  if (changed === "last") return { user, is: "known" };
  if (!changed || typeof changed === "string" || changed.roles.length === 0)
    return { refused: "no_access", reason: whyNoRole(identity), userId: user.id };
  const admitted = yield* admit(changed);
  return isSame || "refused" in admitted ? admitted : { ...admitted, is: "changed" };
}

/** Takes away what a sign-in has said and says no more. What administrators wrote by the same name gives way. */
function* followClaims(found: Extract<Recognized, { user: unknown }>, identity: Identity): Script<Recognized> {
  const { id, attributes: before, claimed: former } = found.user;
  const claimed = Object.keys(identity.attributes).sort();
  const own = Object.entries(before).filter(([name]) => !former.includes(name) && !claimed.includes(name));
  const kept = own.slice(0, MAX_ATTRIBUTES - claimed.length);
  const attributes = withAttributes(Object.fromEntries(kept), identity.attributes);
  const values = [JSON.stringify(attributes), claimed.join(" ")];
  const isSame = values[0] === JSON.stringify(before) && values[1] === former.join(" ");
  if (isSame) return found;
  yield* ask("UPDATE users SET attributes = $1, claimed = $2 WHERE id = $3", ...values, id);
  return { user: { ...found.user, attributes, claimed }, is: found.is === "made" ? "made" : "changed" };
}

/** `hash`: SHA-256 of the code. `challenge`: only who knows its verifier may use the code (RFC 7636, S256). */
export interface SignInCode {
  hash: Uint8Array;
  userId: string;
  challenge: string;
  expiresAt: number;
}

function* addSignInCode({ hash, userId, challenge, expiresAt }: SignInCode): Script<unknown> {
  const sql = "INSERT INTO sign_in_codes (hash, user_id, challenge, expires_at) VALUES ($1, $2, $3, $4)";
  return yield* ask(sql, hash, userId, challenge, expiresAt);
}

/** Uses a code up, also when the challenge is another one. Of two who use one at once one gets undefined. */
function* takeSignInCode(hash: Uint8Array, challenge: string, now: number): Script<StoredUser | undefined> {
  const { rows } = yield* ask("SELECT user_id, challenge, expires_at FROM sign_in_codes WHERE hash = $1", hash);
  const { count } = yield* ask("DELETE FROM sign_in_codes WHERE hash = $1", hash);
  const [userId, stored, expiresAt] = rows[0] ?? [];
  if (count === 0 || stored !== challenge || Number(expiresAt) <= now) return undefined;
  return yield* readUser(String(userId));
}

/** Is true of a person who can sign in with the organisation's own sign-in. */
function* hasIdentity(userId: string): Script<boolean> {
  return (yield* ask("SELECT 1 FROM identities WHERE user_id = $1", userId)).count > 0;
}

export const IDENTITY_READS = { hasIdentity };
export const IDENTITY_WRITES = { recognize };
/** Writes after which nothing that is remembered of tokens is wrong. */
export const CODE_WRITES = { addSignInCode, takeSignInCode };
