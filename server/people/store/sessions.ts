// Sessions of people: what a refresh token and its access tokens stand for. Times in ms since 1970.

import type { SignInMethod } from "../../../core/contract/people.ts";
import { isAdministrator, scopeOfRoles } from "../../../core/contract/roles.ts";
import { allows } from "../../../core/contract/scopes.ts";
import type { Language } from "../../../core/i18n/languages.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";
import { addNotice, isNewBrowser, type StoredNotice } from "./notices.ts";
import { narrowRights, type RoleRights } from "./role-rights.ts";
import { type StoredUser, USER_READS } from "./users.ts";

export interface StoredSession {
  id: string;
  userId: string;
  /** SHA-256 of the refresh token. */
  refresh: Uint8Array;
  method: SignInMethod;
  /** The User-Agent of the browser, cut. */
  agent: string;
  /** The client's address. */
  source: string;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
  /** Says when the person last proved who they are: at the sign-in, or later. */
  provedAt: number;
}

/** `hash`: SHA-256 of an access token. */
export interface StoredSessionToken {
  hash: Uint8Array;
  sessionId: string;
  expiresAt: number;
}

/** The token with which an administrator looks at the app as another person. */
export interface StoredView extends StoredSessionToken {
  viewed: string;
  viewer: string;
}

/** A look at the app as another person that is over: by whose ids, and why. */
export interface EndedView {
  viewer: string;
  viewed: string;
  reason: "expired" | "session or right ended";
}

/** A session that goes on, whose it is and what they may do at this moment. */
export interface LiveSession {
  session: StoredSession;
  user: StoredUser;
  scope: string;
  /** Is there where a role leaves something out. */
  roles?: readonly RoleRights[] | undefined;
  /** The administrator whose session it is, where `user` is the person as whom they look at the app. */
  viewer?: StoredUser;
}

const SESSION = "id, user_id, refresh, method, agent, source, created_at, seen_at, expires_at, proved_at";

function toSession(cells: readonly Cell[]): StoredSession {
  const [id, userId, refresh, method, agent, source, createdAt, seenAt, expiresAt, provedAt] = cells as [
    string,
    string,
    Uint8Array,
    SignInMethod,
    string,
    string,
    number,
    number,
    number,
    number,
  ];
  return { id, userId, refresh, method, agent, source, createdAt, seenAt, expiresAt, provedAt };
}

function* readSession(id: string, now: number, idle: number): Script<LiveSession | undefined> {
  const found = yield* ask(`SELECT ${SESSION} FROM sessions WHERE id = $1 AND expires_at > $2 AND seen_at > $3`, id, now, now - idle);
  if (!found.rows[0]) return undefined;
  const session = toSession(found.rows[0]);
  const user = yield* USER_READS.readUser(session.userId);
  if (user?.status !== "active") return undefined;
  const custom = yield* USER_READS.listRoles();
  return { session, user, scope: scopeOfRoles(user.roles, custom), roles: narrowRights(user.roles, custom) };
}

/** `idle`: ms after which a session ends that nobody used. `expiresAt` is the token's. */
function* readSessionToken(hash: Uint8Array, now: number, idle: number): Script<(LiveSession & { expiresAt: number }) | undefined> {
  const { rows } = yield* ask("SELECT session_id, expires_at, viewed FROM session_tokens WHERE hash = $1 AND expires_at > $2", hash, now);
  if (!rows[0]) return undefined;
  const [id, expiresAt, viewed] = rows[0];
  const live = yield* readSession(String(id), now, idle);
  const seen = live && viewed !== "" ? yield* asViewed(live, String(viewed)) : live;
  return seen && { ...seen, expiresAt: Number(expiresAt) };
}

/** Returns what a person may do, for an administrator who looks at the app as that person. Undefined once either has become the other. */
function* asViewed({ session, user: viewer, scope: own }: LiveSession, viewed: string): Script<LiveSession | undefined> {
  const user = yield* USER_READS.readUser(viewed);
  const custom = yield* USER_READS.listRoles();
  if (!user || !allows(own, "admin") || isAdministrator(user.roles, custom)) return undefined;
  return { session, viewer, user, scope: scopeOfRoles(user.roles, custom), roles: narrowRights(user.roles, custom) };
}

function* listSessions(userId: string, now: number, idle: number): Script<StoredSession[]> {
  const where = "user_id = $1 AND expires_at > $2 AND seen_at > $3";
  const { rows } = yield* ask(`SELECT ${SESSION} FROM sessions WHERE ${where} ORDER BY seen_at DESC, id`, userId, now, now - idle);
  return rows.map(toSession);
}

/** A token ends with its session at the latest. */
function* addToken(token: StoredSessionToken | StoredView, session: StoredSession): Script<unknown> {
  const [viewed, viewer] = "viewed" in token ? [token.viewed, token.viewer] : ["", ""];
  const values = [token.hash, token.sessionId, Math.min(token.expiresAt, session.expiresAt), viewed, viewer];
  return yield* ask("INSERT INTO session_tokens (hash, session_id, expires_at, viewed, viewer) VALUES ($1, $2, $3, $4, $5)", ...values);
}

/** Returns false when the session has ended meanwhile. */
function* addView(token: Omit<StoredView, "viewer">, now: number, idle: number): Script<boolean> {
  const live = yield* readSession(token.sessionId, now, idle);
  if (live) yield* addToken({ ...token, viewer: live.user.id }, live.session);
  return live !== undefined;
}

/** Ends what was begun to look at the app as this person. */
function* endView(sessionId: string, viewed: string): Script<boolean> {
  const { count } = yield* ask("DELETE FROM session_tokens WHERE session_id = $1 AND viewed = $2", sessionId, viewed);
  return count > 0;
}

/**
 * Forgets the views that nobody has ended and that show nothing any more, and returns them, each to one process alone. Whatever ends a session
 * leaves its views for this, so that each has an end in the log.
 */
function* takeEndedViews(now: number, idle: number): Script<EndedView[]> {
  const { rows } = yield* ask("SELECT hash, expires_at, viewed, viewer FROM session_tokens WHERE viewed <> ''");
  const ended: EndedView[] = [];
  for (const [hash = null, expiresAt, viewed, viewer] of rows) {
    if (yield* readSessionToken(hash as Uint8Array, now, idle)) continue;
    const { count } = yield* ask("DELETE FROM session_tokens WHERE hash = $1", hash);
    const reason = Number(expiresAt) <= now ? "expired" : "session or right ended";
    if (count > 0) ended.push({ viewer: String(viewer), viewed: String(viewed), reason });
  }
  return ended;
}

/**
 * Deletes what has ended, and the person's oldest sessions beyond `most`. `language`: of the browser, null if it says none that the
 * service has. `browser`: by which it is known again, and what the person is told if it is one they have not used before. Undefined
 * when the person may not sign in any more.
 */
function* addSession(
  session: StoredSession,
  token: StoredSessionToken,
  idle: number,
  most: number,
  language: Language | null,
  browser: { mark: string; notice: StoredNotice },
): Script<{ isNewBrowser: boolean } | undefined> {
  const { id, userId, refresh, method, agent, source, createdAt, seenAt, expiresAt, provedAt } = session;
  const { rows } = yield* ask("SELECT status FROM users WHERE id = $1", userId);
  if (rows[0]?.[0] !== "active") return undefined;
  yield* sweep(createdAt, idle);
  const all = yield* listSessions(userId, createdAt, idle);
  for (const old of all.slice(most - 1)) yield* endSession(old.id, userId);
  const values = [id, userId, refresh, method, agent, source, createdAt, seenAt, expiresAt, provedAt];
  yield* ask(`INSERT INTO sessions (${SESSION}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, ...values);
  yield* addToken(token, session);
  yield* ask("UPDATE users SET last_seen_at = $1, language = coalesce($2, language) WHERE id = $3", createdAt, language, userId);
  const isNew = yield* isNewBrowser(userId, browser.mark, createdAt);
  if (isNew) yield* addNotice(browser.notice);
  return { isNewBrowser: isNew };
}

function* sweep(now: number, idle: number): Script<unknown> {
  yield* ask("DELETE FROM session_tokens WHERE expires_at <= $1 AND viewed = ''", now);
  yield* ask("DELETE FROM links WHERE expires_at <= $1", now);
  yield* ask("DELETE FROM sign_in_codes WHERE expires_at <= $1", now);
  return yield* ask("DELETE FROM sessions WHERE expires_at <= $1 OR seen_at <= $2", now, now - idle);
}

/** `used`: the refresh token was another one, so a stolen or an old one is in use; the session has ended. */
export type Rotation = LiveSession | "used" | undefined;

/** `isUse`: whether the person has done something; otherwise the session ends when it would have ended without new tokens. */
function* rotateSession(
  id: string,
  hashes: { before: Uint8Array; after: Uint8Array },
  token: StoredSessionToken,
  now: number,
  idle: number,
  isUse: boolean,
): Script<Rotation> {
  const live = yield* readSession(id, now, idle);
  if (!live) return undefined;
  const { count } = yield* ask("UPDATE sessions SET refresh = $1 WHERE id = $2 AND refresh = $3", hashes.after, id, hashes.before);
  if (count === 0) {
    yield* endSession(id, live.user.id);
    return "used";
  }
  yield* ask("DELETE FROM session_tokens WHERE session_id = $1 AND expires_at <= $2 AND viewed = ''", id, now);
  yield* addToken(token, live.session);
  if (isUse) yield* touchSession(id, live.user.id, now, idle);
  return live;
}

/** Returns false when the person has no such session. */
function* endSession(id: string, userId: string): Script<boolean> {
  const { count } = yield* ask("DELETE FROM sessions WHERE id = $1 AND user_id = $2", id, userId);
  if (count > 0) yield* ask("DELETE FROM session_tokens WHERE session_id = $1 AND viewed = ''", id);
  return count > 0;
}

/** Notes that the session is in use. One that has ended stays so, and an earlier time than is known changes nothing. */
function* touchSession(id: string, userId: string, now: number, idle: number): Script<unknown> {
  const where = "id = $2 AND seen_at < $1 AND seen_at > $3 AND expires_at > $1";
  const { count } = yield* ask(`UPDATE sessions SET seen_at = $1 WHERE ${where}`, now, id, now - idle);
  return count > 0 && (yield* ask("UPDATE users SET last_seen_at = $1 WHERE id = $2", now, userId));
}

export const SESSION_READS = { readSession, readSessionToken, listSessions };
export const SESSION_WRITES = { addSession, rotateSession, endSession, addView, endView };
/** Writes after which nothing that is remembered of tokens is wrong. */
export const QUIET_SESSION_WRITES = { touchSession, takeEndedViews };
