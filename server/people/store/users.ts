// Accounts, roles and one-time links. Times in ms since 1970.

import { type Attributes, type LinkPurpose, MAX_ATTRIBUTES, type UserStatus } from "../../../core/contract/people.ts";
import { ADMINISTRATOR, isAdministrator } from "../../../core/contract/roles.ts";
import type { Language } from "../../../core/i18n/languages.ts";
import { compareNames } from "../../../core/text/compare-names.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { type EndedAccess, endAccess, type Kept } from "./access.ts";
import { foldEmail } from "./addresses.ts";
import { type Confusable, conflictOf } from "./confusable-names.ts";
import { type AllowedTags, allowsTag, etagOfValues } from "./etags.ts";
import { addNotice, type StoredNotice } from "./notices.ts";
import { wordsOf } from "./role-rights.ts";

export interface StoredUser {
  id: string;
  email: string;
  name: string;
  /** Ids of roles. */
  roles: string[];
  status: UserStatus;
  /** The hash (passwords.ts); null for who signs in another way. */
  password: string | null;
  createdAt: number;
  lastSeenAt: number | null;
  /** Is the language in which they read mails. */
  language: Language;
  /** Says how many passkeys they have. */
  passkeys: number;
  attributes: Attributes;
  /** Names of the attributes that the organisation's own sign-in said last. */
  claimed: string[];
}

/** Nobody has said anything of a new person yet. */
export const NO_ATTRIBUTES = { attributes: {}, claimed: [] };

export interface StoredRole {
  id: string;
  name: string;
  scope: string;
  /** Says what its rights leave out (role-conditions.ts); empty: nothing. */
  conditions: string;
}

/** `hash`: SHA-256 of the code in the link. */
export interface StoredLink {
  hash: Uint8Array;
  purpose: LinkPurpose;
  /** Is null for the link that makes the first administrator. */
  userId: string | null;
  expiresAt: number;
}

export function userTag({ id, email, name, roles, status, attributes }: StoredUser): string {
  return etagOfValues(id, email, name, roles, status, JSON.stringify(attributes));
}

export function roleTag({ id, name, scope, conditions }: StoredRole): string {
  return etagOfValues(id, name, scope, conditions);
}

const USER = "id, email, name, roles, status, password, created_at, last_seen_at, language, attributes, claimed";
const READ_USER = `${USER}, (SELECT count(*) FROM passkeys WHERE user_id = users.id)`;

export function toUser(cells: readonly Cell[]): StoredUser {
  const [id, email, name, roles, status, password, createdAt, lastSeenAt, language, attributes, claimed, passkeys] = cells as [
    string,
    string,
    string,
    string,
    UserStatus,
    string | null,
    number,
    number | null,
    Language,
    string,
    string,
    number,
  ];
  const known = { attributes: JSON.parse(attributes) as Attributes, claimed: wordsOf(claimed) };
  return { id, email, name, roles: wordsOf(roles), status, password, createdAt, lastSeenAt, language, passkeys, ...known };
}

export function* readUser(id: string): Script<StoredUser | undefined> {
  const { rows } = yield* ask(`SELECT ${READ_USER} FROM users WHERE id = $1`, id);
  return rows[0] && toUser(rows[0]);
}

export function* readUserByEmail(email: string): Script<StoredUser | undefined> {
  const { rows } = yield* ask("SELECT user_id FROM emails WHERE email = $1", foldEmail(email));
  return rows[0] && (yield* readUser(String(rows[0][0])));
}

function* listUsers(): Script<StoredUser[]> {
  return (yield* ask(`SELECT ${READ_USER} FROM users ORDER BY created_at, id`)).rows.map(toUser);
}

function* hasUsers(): Script<boolean> {
  return (yield* ask("SELECT 1 FROM users LIMIT 1")).count > 0;
}

/** Sorts by name as people do: the database's own order depends on its collation. */
export function* listRoles(): Script<StoredRole[]> {
  const { rows } = yield* ask("SELECT id, name, scope, conditions FROM roles ORDER BY id");
  const roles = (rows as [string, string, string, string][]).map(([id, name, scope, conditions]) => ({ id, name, scope, conditions }));
  return roles.sort((one, other) => compareNames(one.name, other.name, "en"));
}

/** Says whether some active person is an administrator. */
function* hasAdministrator(): Script<boolean> {
  const roles = yield* listRoles();
  const { rows } = yield* ask("SELECT roles FROM users WHERE status = 'active'");
  return rows.some(([ids]) => isAdministrator(String(ids).split(" "), roles));
}

/** A request for access from there, if there is one, is answered with it. False when the address belongs to somebody already. */
function* takeAddress(email: string, userId: string): Script<boolean> {
  const address = foldEmail(email);
  const { count } = yield* ask("INSERT INTO emails (email, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", address, userId);
  if (count > 0) yield* ask("DELETE FROM access_requests WHERE address = $1", address);
  return count > 0;
}

/** Returns false when the address belongs to somebody already. */
export function* insertUser(user: StoredUser): Script<boolean> {
  if (!(yield* takeAddress(user.email, user.id))) return false;
  const { id, email, name, roles, status, password, createdAt, lastSeenAt, language, attributes, claimed } = user;
  const values = [id, email, name, roles.join(" "), status, password, createdAt, lastSeenAt, language];
  const known = [JSON.stringify(attributes), claimed.join(" ")];
  yield* ask(`INSERT INTO users (${USER}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, ...values, ...known);
  return true;
}

/** Returns false when the address belongs to somebody already. */
function* addUser(user: StoredUser, link: StoredLink): Script<boolean> {
  if (!(yield* insertUser(user))) return false;
  yield* addLink(link);
  return true;
}

export interface UserChange {
  email?: string;
  name?: string;
  roles?: readonly string[];
  status?: UserStatus;
  /** Changes only those that are named; one without values is taken away. */
  attributes?: Attributes;
}

/** Says what comes with a change of a person. */
export interface ChangeOptions {
  /** The ETags of which the stored person must have one. */
  allowed?: AllowedTags | undefined;
  /** Ids of what does not end when the person is disabled. */
  keep?: readonly string[] | undefined;
  /** Is told to the person if their address changes. */
  notice?: StoredNotice | undefined;
  /** Names of attributes that stay as they are where the organisation's own sign-in has said them. */
  claims?: readonly string[] | undefined;
}

/**
 * `last`: nothing is changed, because no active administrator would be left; `taken`: the address belongs to somebody else; `stale`:
 * the stored person has none of the ETags that are `allowed`; `claimed`: an attribute is one of `claims`; `many`: there would be more
 * attributes than a person has. Who is disabled has no sessions and no links any more, and no keys and
 * webhooks but those that are kept: enabling the account again must not bring back what somebody else made. The password and the passkeys
 * stay for that day, because neither opens anything before. Whose address changes has no links: they were sent to the one before.
 */
export function* changeUser(
  id: string,
  change: UserChange,
  { allowed, keep = [], notice, claims = [] }: ChangeOptions = {},
): Script<StoredUser | "last" | "taken" | "stale" | "claimed" | "many" | undefined> {
  yield* lockByName("people");
  const before = yield* readUser(id);
  if (!before) return undefined;
  if (!allowsTag(allowed, userTag(before))) return "stale";
  const { email, name, roles, status } = { ...before, ...change };
  if (Object.keys(change.attributes ?? {}).some((one) => claims.includes(one) && before.claimed.includes(one))) return "claimed";
  const attributes = withAttributes(before.attributes, change.attributes);
  if (Object.keys(attributes).length > MAX_ATTRIBUTES) return "many";
  const custom = yield* listRoles();
  const isNoMore =
    before.status === "active" && isAdministrator(before.roles, custom) && !(status === "active" && isAdministrator(roles, custom));
  if (isNoMore) {
    const { rows } = yield* ask("SELECT roles FROM users WHERE status = 'active' AND id <> $1", id);
    if (!rows.some(([ids]) => isAdministrator(String(ids).split(" "), custom))) return "last";
  }
  const isMoved = foldEmail(email) !== foldEmail(before.email);
  if (isMoved) {
    if (!(yield* takeAddress(email, id))) return "taken";
    yield* ask("DELETE FROM emails WHERE user_id = $1 AND email <> $2", id, foldEmail(email));
  }
  const values = [email, name, roles.join(" "), status, JSON.stringify(attributes)];
  yield* ask("UPDATE users SET email = $1, name = $2, roles = $3, status = $4, attributes = $5 WHERE id = $6", ...values, id);
  if (status === "disabled" && before.status !== "disabled") {
    yield* endAccess(id, { ids: keep, hasPasskeys: true }, Date.now());
    yield* endSessions(id);
  }
  if (isMoved && notice) yield* addNotice(notice);
  if (status === "disabled" || isMoved) yield* ask("DELETE FROM links WHERE user_id = $1", id);
  return yield* readUser(id);
}

/** Sorts them by name, so that the same ones have the same ETag. */
export function withAttributes(before: Attributes, change: Attributes = {}): Attributes {
  const all = Object.entries({ ...before, ...change }).filter(([, values]) => values.length > 0);
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Ends sessions, and what is on its way to become one: codes of the organisation's own sign-in. */
function* endSessions(userId: string): Script<unknown> {
  yield* ask("DELETE FROM sign_in_codes WHERE user_id = $1", userId);
  yield* ask("DELETE FROM session_tokens WHERE viewed = '' AND session_id IN (SELECT id FROM sessions WHERE user_id = $1)", userId);
  return yield* ask("DELETE FROM sessions WHERE user_id = $1", userId);
}

/** Sets the password, and ends all that is not kept, and the links that would set another one. */
function* setPassword(userId: string, password: string, kept: Kept, now: number, notice?: StoredNotice): Script<EndedAccess> {
  yield* lockByName("people");
  yield* ask("UPDATE users SET password = $1 WHERE id = $2", password, userId);
  yield* ask("DELETE FROM links WHERE user_id = $1", userId);
  if (notice) yield* addNotice(notice);
  return yield* endAccess(userId, kept, now);
}

/** Runs after a sign-in, for a hash that was made with older parameters. Nothing ends. */
function* replacePasswordHash(userId: string, before: string, now: string): Script<unknown> {
  return yield* ask("UPDATE users SET password = $1 WHERE id = $2 AND password = $3", now, userId, before);
}

/** A person has one link at most: a new one ends the one before. */
export function* addLink({ hash, purpose, userId, expiresAt }: StoredLink): Script<unknown> {
  if (userId !== null) yield* ask("DELETE FROM links WHERE user_id = $1", userId);
  return yield* ask("INSERT INTO links (hash, purpose, user_id, expires_at) VALUES ($1, $2, $3, $4)", hash, purpose, userId, expiresAt);
}

const NOBODY = ""; // no person's id

/**
 * Adds a link for whoever has this address: for a new password, or the invitation again. The statements are the same for an address that
 * nobody has; nobody can use that link. Undefined when the person cannot sign in with a password.
 */
function* addLinkForEmail(email: string, link: Pick<StoredLink, "hash" | "expiresAt">): Script<StoredUser | undefined> {
  const { rows } = yield* ask("SELECT user_id FROM emails WHERE email = $1", foldEmail(email));
  const user = yield* readUser(String(rows[0]?.[0] ?? NOBODY));
  const isInvited = user?.status === "invited";
  const mayHave = isInvited || (user?.status === "active" && user.password !== null);
  yield* addLink({ ...link, purpose: isInvited ? "invitation" : "password", userId: mayHave ? user.id : NOBODY });
  return mayHave ? user : undefined;
}

/** Returns a link that can still be used, and whose it is. */
function* readLink(hash: Uint8Array, now: number): Script<{ link: StoredLink; user: StoredUser | undefined } | undefined> {
  const { rows } = yield* ask("SELECT purpose, user_id, expires_at FROM links WHERE hash = $1 AND expires_at > $2", hash, now);
  if (!rows[0]) return undefined;
  const [purpose, userId, expiresAt] = rows[0] as [LinkPurpose, string | null, number];
  const user = userId === null ? undefined : yield* readUser(userId);
  const needed: Record<LinkPurpose, boolean> = {
    "set-up": userId === null && !(yield* hasUsers()),
    invitation: user?.status === "invited",
    password: user?.status === "active",
  };
  return needed[purpose] ? { link: { hash, purpose, userId, expiresAt }, user } : undefined;
}

/**
 * Uses a link up: makes the first administrator (`user`, which is then `set-up`), or sets the password and, of somebody invited, the
 * name. Undefined for a link that cannot be used; of two who use one at once one gets undefined.
 */
function* takeLink(
  hash: Uint8Array,
  now: number,
  user: Pick<StoredUser, "id" | "email" | "name" | "language">,
  password: string,
  { kept, notice }: { kept: Kept; notice: Omit<StoredNotice, "userId"> },
): Script<{ user: StoredUser; ended: EndedAccess } | undefined> {
  yield* lockByName("people");
  const found = yield* readLink(hash, now);
  if (!found || (yield* ask("DELETE FROM links WHERE hash = $1", hash)).count === 0) return undefined;
  if (found.link.purpose === "set-up") {
    const none = { lastSeenAt: null, passkeys: 0, ...NO_ATTRIBUTES };
    const first: StoredUser = { ...user, roles: [ADMINISTRATOR], status: "active", password, createdAt: now, ...none };
    return (yield* insertUser(first)) ? { user: first, ended: [] } : undefined;
  }
  const { id, name } = found.user as StoredUser;
  const chosen = found.link.purpose === "invitation" && user.name ? user.name : name;
  yield* ask("UPDATE users SET name = $1, status = 'active' WHERE id = $2", chosen, id);
  const isChange = found.link.purpose === "password"; // whoever comes by an invitation knows that they choose one
  const ended = yield* setPassword(id, password, kept, now, isChange ? { ...notice, userId: id } : undefined);
  return { user: (yield* readUser(id)) as StoredUser, ended };
}

/** `reserved`: names that no role may have or look like, besides those of the other roles. */
function* addRole({ id, name, scope, conditions }: StoredRole, reserved: readonly string[]): Script<"added" | "taken" | Confusable> {
  yield* lockByName("people");
  const conflict = conflictOf(name, [...reserved, ...(yield* listRoles()).map((role) => role.name)]);
  if (conflict) return conflict;
  yield* ask("INSERT INTO roles (id, name, scope, conditions) VALUES ($1, $2, $3, $4)", id, name, scope, conditions);
  return "added";
}

/**
 * Says why a role is not changed or deleted. `last`: no active administrator would be left; `used`: a person or an API key has it;
 * `stale`: the stored role has none of the ETags that are allowed; `taken`: another role has the name.
 */
export type RoleFailure = "unknown" | "last" | "used" | "stale" | "taken";

function* changeRole(
  id: string,
  change: Partial<Omit<StoredRole, "id">>,
  reserved: readonly string[],
  allowed?: AllowedTags,
): Script<StoredRole | RoleFailure | Confusable> {
  yield* lockByName("people");
  const roles = yield* listRoles();
  const before = roles.find((role) => role.id === id);
  if (!before) return "unknown";
  if (!allowsTag(allowed, roleTag(before))) return "stale";
  const role = { ...before, ...change };
  const others = roles.filter((one) => one !== before).map(({ name }) => name);
  const conflict = role.name === before.name ? undefined : conflictOf(role.name, [...reserved, ...others]);
  if (conflict) return conflict;
  const hadOne = yield* hasAdministrator();
  const put = ({ name, scope, conditions }: StoredRole) =>
    ask("UPDATE roles SET name = $1, scope = $2, conditions = $3 WHERE id = $4", name, scope, conditions, id);
  yield* put(role);
  if (!hadOne || (yield* hasAdministrator())) return role;
  yield* put(before);
  return "last";
}

function* deleteRole(id: string, allowed?: AllowedTags): Script<"done" | RoleFailure> {
  yield* lockByName("people");
  const role = (yield* listRoles()).find((one) => one.id === id);
  if (role && !allowsTag(allowed, roleTag(role))) return "stale";
  const { rows } = yield* ask("SELECT roles FROM users");
  const keys = yield* ask("SELECT roles FROM keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)", Date.now());
  if ([...rows, ...keys.rows].some(([ids]) => String(ids).split(" ").includes(id))) return "used";
  return (yield* ask("DELETE FROM roles WHERE id = $1", id)).count > 0 ? "done" : "unknown";
}

export const USER_READS = { readUser, readUserByEmail, listUsers, hasUsers, listRoles, readLink };
export const USER_WRITES = {
  addUser,
  changeUser,
  setPassword,
  replacePasswordHash,
  addLink,
  addLinkForEmail,
  takeLink,
  addRole,
  changeRole,
  deleteRole,
};
