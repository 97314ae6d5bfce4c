// Sessions of people: a short access token, and a refresh token that is used once (RFC 9700 section 4.14).

import type { SignInMethod } from "../../../core/contract/people.ts";
import type { Language } from "../../../core/i18n/languages.ts";
import { NO_REPORT, unattended } from "../../engine/background.ts";
import type { StoredNotice } from "../store/notices.ts";
import type { People } from "../store/people.ts";
import type { LiveSession, StoredSession } from "../store/sessions.ts";
import type { StoredUser } from "../store/users.ts";
import { markOfBrowser, newNotice } from "./notices.ts";
import { hashCode, randomCode, randomId } from "./random-codes.ts";

export interface SessionSettings {
  /** Minutes after which a session ends that is not used. */
  idleMinutes: number;
  /** Hours after which every session ends. */
  hours: number;
}

export const DEFAULT_SESSIONS: SessionSettings = { idleMinutes: 60, hours: 12 };

/** Says what is noted of the browser, for the person who looks through their sessions. */
export interface SignedInFrom {
  method: SignInMethod;
  agent: string;
  source: string;
  /** Is the language in which the person reads; undefined if the browser says none that the service has. */
  language?: Language | undefined;
  /** The random text that the app keeps in the browser, if it sends one. */
  browser?: string | undefined;
}

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  /** Seconds without use after which the session ends. */
  idleSeconds: number;
  user: StoredUser;
  /** Says for how long the access token holds, if nobody ends it before: never longer than its session. */
  accessSeconds: number;
  /** Bounds the session, however much it is used. */
  sessionSeconds: number;
}

export interface StartedSession extends IssuedTokens {
  /** Says what the person is told of a browser that they have not used before. */
  notice: StoredNotice | undefined;
}

/** A session as a request has it. Times in ms since 1970. */
export interface VerifiedSession extends LiveSession {
  expiresAt: number;
}

/** Says when a session was last used, as a remembered token knows it: in ms since 1970. */
export interface SessionUse {
  id: string;
  userId: string;
  seenAt: number;
}

export interface Sessions {
  /** Returns undefined when the person may not sign in any more. */
  start(user: StoredUser, from: SignedInFrom): Promise<StartedSession | undefined>;
  /**
   * Gives new tokens for a refresh token, which is then used up. Undefined for one that is not valid; an old one ends its session.
   * `isUse`: whether the person has done something.
   */
  refresh(refreshToken: string, isUse: boolean): Promise<IssuedTokens | undefined>;
  /** Returns the session of an access token. Asking for it is no use of the session. */
  verify(accessToken: string): Promise<VerifiedSession | undefined>;
  /** Returns false once nobody has used it for too long. */
  isLive(use: SessionUse): boolean;
  /** Notes in `use` that the person does something now, and tells the store as often as it needs to know. */
  touch(use: SessionUse): void;
  list(userId: string): Promise<StoredSession[]>;
  /** Makes a token with which the person of a session looks at the app as another. Undefined when the session has ended. */
  view(sessionId: string, viewed: string): Promise<{ token: string; seconds: number } | undefined>;
  endView(sessionId: string, viewed: string): Promise<boolean>;
  /** Milliseconds after which a session ends that is not used. */
  idleMs: number;
  /** Returns false when the person has no such session. */
  end(id: string, userId: string): Promise<boolean>;
}

const ACCESS_SECONDS = 900;
const VIEW_SECONDS = 3_600; // nobody renews it
export const ACCESS_PREFIX = "ins_";
const REFRESH_PREFIX = "inr_";
const REFRESH = /^inr_([0-9a-f]{16})\.[A-Za-z0-9_-]{43}$/;
const MOST_SESSIONS = 50; // of one person; with one more the oldest ends
const MAX_AGENT = 300; // characters
const MOST_BETWEEN_TOUCHES = 60_000; // ms
const TOUCHES_PER_IDLE_TIME = 10;

export function createSessions(people: People, { idleMinutes, hours }: SessionSettings = DEFAULT_SESSIONS, report = NO_REPORT): Sessions {
  const idle = idleMinutes * 60_000;
  const touchEvery = Math.min(MOST_BETWEEN_TOUCHES, idle / TOUCHES_PER_IDLE_TIME);
  const idleSeconds = idle / 1_000;
  const newToken = (sessionId: string, now: number) => {
    const accessToken = ACCESS_PREFIX + randomCode();
    return { accessToken, stored: { hash: hashCode(accessToken), sessionId, expiresAt: now + ACCESS_SECONDS * 1_000 } };
  };
  return {
    idleMs: idle,
    async start(user, { method, agent, source, language, browser }) {
      const now = Date.now();
      const id = randomId();
      const refreshToken = `${REFRESH_PREFIX}${id}.${randomCode()}`;
      const { accessToken, stored } = newToken(id, now);
      const times = { createdAt: now, seenAt: now, expiresAt: now + hours * 3_600_000, provedAt: now };
      const session = { id, userId: user.id, refresh: hashCode(refreshToken), method, agent: agent.slice(0, MAX_AGENT), source, ...times };
      const notice = newNotice("device", user.id, source, agent);
      const mark = markOfBrowser({ browser, agent, source });
      const started = await people.addSession(session, stored, idle, MOST_SESSIONS, language ?? null, { mark, notice });
      if (!started) return undefined;
      const issued = { accessToken, refreshToken, idleSeconds, user: { ...user, lastSeenAt: now }, ...secondsLeft(session, now) };
      return { ...issued, notice: started.isNewBrowser ? notice : undefined };
    },
    async refresh(refreshToken, isUse) {
      const [, id] = REFRESH.exec(refreshToken) ?? [];
      if (id === undefined) return undefined;
      const now = Date.now();
      // Anybody may send a token with an id of their own, and a transaction is dearer than a read.
      if (!(await people.readSession(id, now, idle))) return undefined;
      const next = `${REFRESH_PREFIX}${id}.${randomCode()}`;
      const { accessToken, stored } = newToken(id, now);
      const hashes = { before: hashCode(refreshToken), after: hashCode(next) };
      const rotation = await people.rotateSession(id, hashes, stored, now, idle, isUse);
      if (rotation === undefined || rotation === "used") return undefined;
      return { accessToken, refreshToken: next, idleSeconds, user: rotation.user, ...secondsLeft(rotation.session, now) };
    },
    verify: (accessToken) => people.readSessionToken(hashCode(accessToken), Date.now(), idle),
    isLive: ({ seenAt }) => Date.now() - seenAt < idle,
    touch(use) {
      const now = Date.now();
      const { id, userId, seenAt } = use;
      if (now - seenAt < touchEvery) return;
      use.seenAt = now;
      // Nobody waits for it, and a request that could be answered must not fail because of it. After a failure the next request tells it.
      const touching = unattended("session use", report, () => people.touchSession(id, userId, now, idle).then(() => true));
      void touching.then((isNoted) => {
        if (!isNoted) use.seenAt = seenAt;
      });
    },
    async view(sessionId, viewed) {
      const now = Date.now();
      const token = ACCESS_PREFIX + randomCode();
      const stored = { hash: hashCode(token), sessionId, viewed, expiresAt: now + VIEW_SECONDS * 1_000 };
      return (await people.addView(stored, now, idle)) ? { token, seconds: VIEW_SECONDS } : undefined;
    },
    endView: (sessionId, viewed) => people.endView(sessionId, viewed),
    list: (userId) => people.listSessions(userId, Date.now(), idle),
    end: (id, userId) => people.endSession(id, userId),
  };
}

function secondsLeft({ expiresAt }: StoredSession, now: number): Pick<IssuedTokens, "accessSeconds" | "sessionSeconds"> {
  const sessionSeconds = Math.floor((expiresAt - now) / 1_000);
  return { accessSeconds: Math.min(ACCESS_SECONDS, sessionSeconds), sessionSeconds };
}
