// Access tokens: opaque, made from an API key or a sign-in. Only their SHA-256 is stored.

import { createHmac } from "node:crypto";
import { TOKEN_SECONDS } from "../../../core/contract/limits.ts";
import type { Attributes } from "../../../core/contract/people.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import { isAdministrator, scopeOfRoles } from "../../../core/contract/roles.ts";
import { commonScope } from "../../../core/contract/scopes.ts";
import type { AllRowRights } from "../../engine/row-rights.ts";
import type { Credentials } from "../../engine/store.ts";
import type { ReadToken, StoredKey } from "../store/keys.ts";
import type { People } from "../store/people.ts";
import { narrowRights, type RoleRights } from "../store/role-rights.ts";
import type { StoredRole, StoredUser } from "../store/users.ts";
import { KEY, type Keys } from "./api-keys.ts";
import { LENT_PREFIX, type Lender, type LentTokens } from "./lent-tokens.ts";
import { hashCode, randomCode } from "./random-codes.ts";
import { ACCESS_PREFIX, type Sessions, type SessionUse, type VerifiedSession } from "./sessions.ts";

/**
 * Says what a caller gets in place of the values of a field: nothing at all, a mask, or a mask with the end of the text. Whoever only
 * asks whether a field is among them treats one that is masked as if it were hidden.
 */
export type Unseen = "hidden" | "masked" | "maskedText";
export type UnseenFields = ReadonlyMap<string, Unseen>;

/** The fields whose values a caller may not know, by collection. A key is never among them: every answer names records by it. */
export type HiddenFields = ReadonlyMap<string, UnseenFields>;

/** Says what the rights of a caller leave out, in the words of one dictionary. */
export interface Narrowed {
  hidden: HiddenFields;
  /** The fields that the caller sees and may not change, by collection. */
  readOnly: ReadonlyMap<string, ReadonlySet<string>>;
  /** The collections whose lists may not leave as files. */
  unexported: ReadonlySet<string>;
  /** The records that the rights are about. Undefined: all. */
  rows?: AllRowRights;
  /** The rights hide or mask fields, besides those that are retired for all. */
  hidesFields: boolean;
}

/** Says whose token a request has, and what it allows. */
export interface Session {
  principal: Principal;
  /** Says whose idempotency keys its requests use: the id of an API key, `user <id>` for a person. No key's id has a space. */
  owner: string;
  /**
   * The one name under which its requests, bytes, reads, exports and streams are counted, so that nobody gets more by having more keys:
   * `user <id>` for a person and all their API keys, the key's id where the key belongs to the organisation (`limitedAs`).
   */
  limitedAs: string;
  scope: string;
  /** The rights of the caller's roles one by one, where some of them leave something out. */
  roles?: readonly RoleRights[];
  /** The attributes of the person, by which conditions of roles choose records (`{me.regions}`). One that is not there chooses nothing. */
  attributes?: Attributes;
  /** Changes once the rights do, in whatever way. Clients then forget what they have read. */
  rightsTag?: string;
  /** Says what they leave out of the dictionary that is served: the same object for all from whom it is the same. Set when the request is admitted. */
  narrowed?: Narrowed;
  /** The fields that the caller may not know, as `narrowed` has them. Undefined: none. */
  hidden?: HiddenFields;
  /** The person who is signed in, or whose key it is; undefined for a key of the organisation. What is made with it is theirs. */
  userId?: string;
  /** Is there where a person asks. */
  sessionId?: string;
  /** Is there where a person asks. */
  use?: SessionUse;
  /** The administrator who looks at the app with the eyes of `principal`, and changes nothing meanwhile. What is logged is theirs. */
  viewer?: Principal;
  /** Is true with REQUIRE_PASSKEY: the session began with a password, and may only add or show a passkey. */
  mustAddPasskey?: boolean;
  /** The service itself asks, in work that somebody has given it: it shows no use of a key. */
  isLent?: true;
}

/** Says who does what is logged. */
export function actorOf({ principal, viewer }: Pick<Session, "principal" | "viewer">): Principal {
  return viewer ?? principal;
}

/** Returns the fields of a collection that the caller may not change. */
export function unwritableFields({ narrowed }: Pick<Session, "narrowed">, collection: string): ReadonlySet<string> {
  return new Set([...(narrowed?.hidden.get(collection)?.keys() ?? []), ...(narrowed?.readOnly.get(collection) ?? [])]);
}

export interface Tokens {
  /**
   * Issues a token, and says for how many seconds it holds: never longer than its key. Undefined when the person whose key it is may not sign in.
   * `from`: the network that asks (source-address.ts).
   */
  issue(key: StoredKey, scope: string, from: string): Promise<{ token: string; seconds: number } | undefined>;
  /** Returns the session of a token that is remembered, without waiting for the store. Undefined once nobody has used it for too long. */
  recall(token: string): Session | undefined;
  /** Returns undefined for a token that is unknown, expired, or whose key is revoked or expired. */
  verify(token: string): Promise<Session | undefined>;
  /** Notes that the person whose session it is does something. */
  touch(session: Session): void;
  /** Ends a token; nothing happens for one that is unknown. */
  end(token: string): Promise<void>;
  /** Ends a token that was made from this key; otherwise silently nothing happens (RFC 7009 section 2.2). */
  revoke(token: string, keyId: string): Promise<void>;
}

export interface TokenSettings {
  requirePasskey?: boolean;
  /** Makes tags of rights, from which nobody guesses conditions. Without it there are none. */
  rightsKey?: Uint8Array;
  /** The tokens of work that the service does for somebody. */
  lent?: LentTokens | undefined;
}

/** Expires in ms since 1970. */
interface Verified {
  session: Session;
  expiresAt: number;
}

const MAX_REMEMBERED = 1_000; // tokens
export const MAX_LIVE = 1_000; // tokens of one key; with one more its oldest ends

/** Verified tokens are remembered for one generation of the credentials, so that a revoked key's tokens still end at once. */
export function createTokens(
  credentials: Credentials & { people: People },
  keys: Keys,
  sessions: Sessions,
  { requirePasskey = false, rightsKey, lent }: TokenSettings = {},
): Tokens {
  const remembered = new Map<string, Verified>();
  let generation = credentials.generation();
  async function readToken(token: string): Promise<Verified | undefined> {
    const read = await credentials.readToken(hashCode(token), Date.now());
    if (!read) return undefined;
    const { keyId: id, keyName: name, userId, scope, roles, expiresAt } = read;
    return toVerified({ id, name, userId, scope, roles }, expiresAt);
  }
  /** A key has no more rights than the person whose key it is, and none when they may not sign in. */
  async function toVerified(key: KeyRights, expiresAt: number): Promise<Verified | undefined> {
    if (key.userId === null && key.roles.length === 0) return { session: toSession(key), expiresAt };
    const owner = key.userId === null ? undefined : await credentials.people.readUser(key.userId);
    if (key.userId !== null && owner?.status !== "active") return undefined;
    const custom = await credentials.people.listRoles();
    const ids = rolesOfKey(key, owner, custom);
    const scope = commonScope(key.scope, scopeOfRoles(ids, custom));
    const own = { ...toSession({ ...key, scope }), ...(owner && { attributes: attributesOf(owner) }) };
    return { session: withRoles(own, narrowRights(ids, custom)), expiresAt };
  }
  async function readSession(token: string): Promise<Verified | undefined> {
    const read = await sessions.verify(token);
    return read && { session: sessionOf(read, requirePasskey), expiresAt: read.expiresAt };
  }
  function verified(token: string): Promise<Verified | undefined> {
    if (token.startsWith(LENT_PREFIX)) return readLent(lent?.lenderOf(token), { keys, people: credentials.people, toVerified });
    if (token.startsWith(ACCESS_PREFIX)) return readSession(token);
    return token.startsWith("ink_") ? readKey(token) : readToken(token);
  }
  /** A whole API key may be sent as a token by tools that cannot exchange it. */
  async function readKey(token: string): Promise<Verified | undefined> {
    const [, id = "", secret = ""] = KEY.exec(token) ?? [];
    const key = await keys.verify(id, secret);
    if (!key) return undefined;
    return toVerified(key, key.expiresAt ?? Number.POSITIVE_INFINITY);
  }
  // Reads the token first: anybody may send one, and ending one makes all others be read again.
  async function end(token: string, isAllowed: (stored: ReadToken) => boolean = () => true): Promise<void> {
    const hash = hashCode(token);
    const stored = await credentials.readToken(hash, Date.now());
    if (!stored || !isAllowed(stored)) return;
    await credentials.endToken(hash);
    remembered.delete(token);
  }
  return {
    async issue(key, scope, from) {
      const { now, expiresAt, seconds } = lifeOfToken(key);
      if (!(await toVerified(key, expiresAt))) return undefined;
      const token = randomCode();
      await credentials.addToken({ hash: hashCode(token), keyId: key.id, scope, expiresAt }, now, MAX_LIVE, from);
      return { token, seconds };
    },
    recall(token) {
      const current = credentials.generation();
      if (generation !== current) remembered.clear();
      generation = current;
      return hasEnded(token, lent) ? undefined : liveSession(remembered.get(token), sessions);
    },
    async verify(token) {
      const before = credentials.generation();
      const found = await verified(token);
      const read = found && rightsKey ? { ...found, session: { ...found.session, rightsTag: rightsTag(found.session, rightsKey) } } : found;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const isCurrent = generation === before && before === credentials.generation(); // otherwise what was read may be old
      if (read && isCurrent) remembered.set(token, read);
      return read?.session;
    },
    touch: ({ use }) => use && sessions.touch(use),
    end: (token) => end(token),
    revoke: (token, keyId) => end(token, (stored) => stored.keyId === keyId),
  };
}

/** Begins now and ends no later than its key; `seconds` are whole, rounded down. */
function lifeOfToken({ expiresAt: keyEnds }: StoredKey): { now: number; expiresAt: number; seconds: number } {
  const now = Date.now();
  const expiresAt = Math.min(now + TOKEN_SECONDS * 1_000, keyEnds ?? Number.POSITIVE_INFINITY);
  return { now, expiresAt, seconds: Math.max(0, Math.floor((expiresAt - now) / 1_000)) };
}

function hasEnded(token: string, lent: LentTokens | undefined): boolean {
  return token.startsWith(LENT_PREFIX) && !lent?.lenderOf(token);
}

interface LentParts {
  keys: Keys;
  people: People;
  toVerified(key: KeyRights, expiresAt: number): Promise<Verified | undefined>;
}

/** Has the rights of whoever has lent it at this moment. Undefined where its work has ended, and where they may not sign in any more. */
async function readLent(lender: Lender | undefined, { keys, people, toVerified }: LentParts): Promise<Verified | undefined> {
  if (!lender) return undefined;
  const asLent = (read: Verified | undefined) => read && { ...read, session: { ...read.session, isLent: true as const } };
  if (lender.type === "key") {
    const key = await keys.read(lender.id);
    const { expiresAt = 0 } = key ?? {};
    const ends = expiresAt ?? Number.POSITIVE_INFINITY;
    if (!key || key.revokedAt !== null || ends <= Date.now()) return undefined;
    return asLent(await toVerified({ ...key, scope: commonScope(lender.scope, key.scope) }, ends));
  }
  const user = await people.readUser(lender.id);
  if (user?.status !== "active") return undefined;
  const custom = await people.listRoles();
  const scope = commonScope(lender.scope, scopeOfRoles(user.roles, custom));
  const session = withRoles({ ...ofPerson(user), attributes: attributesOf(user), scope }, narrowRights(user.roles, custom));
  return asLent({ session, expiresAt: Number.POSITIVE_INFINITY });
}

/** Says what an API key, or a token made from it, may do. */
type KeyRights = Pick<StoredKey, "id" | "name" | "userId" | "scope" | "roles">;

/** Returns those roles of a person's key that the person has, too; an administrator may give any. */
function rolesOfKey({ roles }: KeyRights, owner: StoredUser | undefined, custom: readonly StoredRole[]): readonly string[] {
  if (!owner) return roles;
  if (roles.length === 0) return owner.roles;
  return isAdministrator(owner.roles, custom) ? roles : roles.filter((id) => owner.roles.includes(id));
}

function toSession(key: Pick<StoredKey, "id" | "name" | "userId" | "scope">): Session {
  const { id, name, userId, scope } = key;
  const principal = { type: "key", id, name: name || id } as const;
  return { principal, owner: id, limitedAs: limitedAs(key), scope, ...(userId !== null && { userId }) };
}

function rightsTag({ scope, roles = [], attributes = {} }: Session, key: Uint8Array): string {
  const rights = [scope, roles.map(({ scope, conditions }) => [scope, conditions]), attributes];
  return createHmac("sha256", key).update(JSON.stringify(rights)).digest("base64url").slice(0, 16);
}

function withRoles(session: Session, roles: Session["roles"]): Session {
  return roles ? { ...session, roles } : session;
}

function sessionOf({ user, scope, roles, session, viewer }: VerifiedSession, requirePasskey: boolean): Session {
  const { id: sessionId, userId, seenAt, method } = session;
  const mustAddPasskey = requirePasskey && method === "password";
  const own = {
    ...ofPerson(user),
    attributes: attributesOf(user),
    scope,
    sessionId,
    use: { id: sessionId, userId, seenAt },
    mustAddPasskey,
  };
  const viewing = viewer && { viewer: ofPerson(viewer).principal, limitedAs: personOwner(viewer.id) };
  return withRoles({ ...own, ...viewing }, roles);
}

/** Also returns undefined for a session that another process may know to be in use: the store tells. */
function liveSession(known: Verified | undefined, sessions: Sessions): Session | undefined {
  if (!known || known.expiresAt <= Date.now()) return undefined;
  const { use } = known.session;
  return use && !sessions.isLive(use) ? undefined : known.session;
}

/** Everybody has one more: the address of their account. */
export function attributesOf({ email, attributes }: { email: string; attributes: Attributes }): Attributes {
  return { ...attributes, email: [email] };
}

function ofPerson({ id, name }: { id: string; name: string }): Pick<Session, "principal" | "owner" | "limitedAs" | "userId"> {
  return { principal: { type: "user", id, name }, owner: personOwner(id), limitedAs: personOwner(id), userId: id };
}

function personOwner(userId: string): string {
  return `user ${userId}`;
}

/**
 * Says under which name limits count what is done with an API key: that of the person whose key it is, or the key's own id where it
 * belongs to the organisation. Only administrators make keys of the organisation, each for a program of its own, so these are counted one
 * by one.
 */
export function limitedAs({ id, userId }: Pick<StoredKey, "id" | "userId">): string {
  return userId === null ? id : personOwner(userId);
}
