// The session of this tab. Its tokens are in memory, unless the user stays signed in until the tab closes.

import { ApiError } from "../../client/errors.ts";
import { createClient, NO_SESSION, type Session } from "../../client/http-client.ts";
import { bearer, endSession, isOver, requestRefresh, withRefreshLock } from "../../client/sessions.ts";
import { SESSIONS_PATH } from "../../core/contract/paths.ts";
import { translatedMessages } from "../../core/i18n/client-messages.ts";
import { type Activity, reportEvery } from "./activity.ts";
import type { SharedToken, TabChannel } from "./tab-channel.ts";

/** "expired": the session ended by itself. The page stays, hidden, and requests wait until the same person signs in again. */
export type SessionState = "signedOut" | "signedIn" | "expired";

/** Holds what a sign-in brings: see sign-in.ts. */
export interface SignedIn {
  token: string;
  /** The id of the person or of the API key. */
  owner: string;
  /** Gets the next token without a new sign-in; empty if a cookie does. An API key has none. */
  refreshToken?: string | undefined;
  /** Seconds until `token` ends. */
  expiresIn?: number;
  /** Counts, for a person, the seconds without use after which the session ends. */
  idleSeconds?: number | undefined;
}

export interface TabSession extends Omit<Session, "prove">, Proofs {
  state(): SessionState;
  /** Returns the id of the person or API key that signed in, empty before. What a browser keeps is its owner's (browser/person.ts). */
  owner(): string;
  /** Says after how many ms without use the session ends; undefined for an API key, and while nobody is signed in. */
  idleMs(): number | undefined;
  isBackground(): boolean;
  /** Says whether the token ends within a minute and can be renewed without the user. */
  isOld(): boolean;
  subscribe(listener: () => void): () => void;
  /**
   * Lets the requests go on that wait for a sign-in. If it is somebody else's, nothing of this page is theirs: the app starts over, and
   * signs in there.
   */
  begin(given: SignedIn, storeForTab: boolean): void;
  /** Nobody has used it for too long: asks for a sign-in over the page, and ends it at the service. */
  expire(): void;
  /** Signs in with what an earlier page of this browser left: a stored refresh token, or the cookie. Never throws. */
  restore(): Promise<void>;
  /**
   * Forgets the tokens at once. The function that it returns ends them at the service, too, and never throws: one that cannot be
   * reached lets them expire.
   */
  signOut(): () => Promise<void>;
}

const STORED = "intake.token";
const STORED_REFRESH = "intake.refresh";
const STORED_OWN = "intake.refresh.own"; // of an administrator who looks at the app as somebody (view-as.ts)
const STORED_AT = "intake.token.at"; // signedOutAt of then
const STORED_FOR = "intake.token.for"; // the address of the service
const STORED_OWNER = "intake.token.owner";
const STORED_ONCE = "intake.token.once"; // it is for the next page of the tab alone
const OLD_MS = 60_000;

type Tabs = Pick<TabChannel, "signedOutAt" | "postToken" | "onToken" | "hasCookie" | "setCookie">;

/** Is the state of a session at the moment. */
interface Held {
  state: SessionState;
  token: string | undefined;
  refreshToken: string | undefined;
  owner: string;
  /** Epoch milliseconds. */
  endsAt: number;
  idleMs: number | undefined;
}

/** Holds what a page has besides. */
interface PageParts {
  activity?: Activity;
  /** Leaves this page, and all that is in memory with it, for the start of the app. */
  startOver?(): void;
}

interface Parts extends PageParts {
  baseUrl: string;
  storage: TabStorage;
  tabs: Partial<Tabs>;
  client: Client;
}

/**
 * `storage` is the tab's. A stored token is ignored if it is older than the last sign-out in another tab, or if it belongs to
 * another service: one host may serve this app twice.
 */
export function createSession(baseUrl: string, storage: TabStorage, tabs: Partial<Tabs> = {}, page: PageParts = {}): TabSession {
  const held = readHeld(baseUrl, storage, tabs);
  const parts = { ...page, baseUrl, storage, tabs, client: createClient({ baseUrl, session: NO_SESSION, messages: translatedMessages }) };
  const refresh = createRefresh(held, parts);
  const waiting = createWaiting();
  const changes = createChanges(held, parts, waiting);
  const { enter, expire, setState } = changes;
  const { isProving, prove, endProof } = changes.proofs;
  tabs.onToken?.((given) => followTab(given, held, changes));
  return {
    isProving,
    prove,
    endProof,
    token: () => held.token,
    state: () => held.state,
    owner: () => held.owner,
    idleMs: () => held.idleMs,
    isBackground: () => isBackground(held, parts),
    isOld: () => held.refreshToken !== undefined && held.endsAt - Date.now() < OLD_MS,
    subscribe: changes.subscribe,
    async renew(stale) {
      if (held.token && held.token !== stale) return held.token; // another request has renewed it already
      if (held.state === "signedIn" && held.refreshToken !== undefined) {
        try {
          return await refresh(stale);
        } catch (error) {
          if (!isOver(error)) throw error;
        }
      }
      if (held.state === "signedOut") return new Promise(() => {}); // nobody will sign in for it
      expire();
      return waiting.add();
    },
    begin(given, storeForTab) {
      page.activity?.note();
      const isOther = held.owner !== "" && held.owner !== given.owner;
      if (!isOther) enter(given);
      if (given.refreshToken === "") informTabs(given, tabs);
      else if (storeForTab || isOther) store(given, parts);
      if (!isOther) return;
      if (!storeForTab) storage.setItem(STORED_ONCE, "1");
      page.startOver?.();
    },
    expire() {
      const { token } = held;
      held.token = undefined;
      expire();
      // It is sent without its cookie, which may be that of somebody else by now. Where it fails, the service ends it by itself.
      parts.client.request("DELETE", `${SESSIONS_PATH}/current`, { open: true, headers: bearer(token) }).catch(() => {});
    },
    async restore() {
      if (held.state !== "signedOut" || held.refreshToken === undefined) return;
      try {
        await refresh(undefined);
        setState("signedIn");
      } catch (error) {
        if (isOver(error)) forget(held, parts);
      }
    },
    signOut() {
      const { token, refreshToken } = held;
      storage.removeItem(STORED_OWN);
      held.token = undefined;
      forget(held, parts);
      waiting.clear(); // requests that waited for this user never resolve
      setState("signedOut");
      return () => endSession(parts.client, token, refreshToken);
    },
  };
}

type Changes = ReturnType<typeof createChanges>;

/** Changes the state, and tells those who listen. */
function createChanges(held: Held, parts: Parts, waiting: ReturnType<typeof createWaiting>) {
  const listeners = new Set<() => void>();
  function notify(): void {
    for (const listener of listeners) listener();
  }
  const proofs = createProofs(notify);
  function setState(next: SessionState): void {
    held.state = next;
    if (next === "signedOut") proofs.endProof(false);
    notify();
  }
  return {
    proofs,
    setState,
    enter(given: SignedIn): void {
      take(held, given);
      setState("signedIn");
      waiting.end(given.token);
    },
    expire(): void {
      forget(held, parts);
      if (held.state === "signedIn") setState("expired");
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Does here what was done in another tab. */
function followTab({ isSignIn, ...other }: SharedToken, held: Held, { enter, expire }: Changes): void {
  const given = { ...other, refreshToken: "" };
  if (other.owner !== held.owner) {
    if (!isSignIn || held.refreshToken !== "") return;
    // The cookie is theirs now: nothing could renew this session, and what this page shows is not for their eyes.
    held.refreshToken = undefined;
    expire();
  } else if (held.state === "signedIn") {
    if (held.refreshToken === "") take(held, given);
  } else if (isSignIn) enter(given); // the same person again; a token that was only renewed may be of the session that has just ended
}

function informTabs({ token, owner, expiresIn = 0, idleSeconds }: SignedIn, tabs: Partial<Tabs>): void {
  tabs.setCookie?.(true);
  tabs.postToken?.({ token, owner, expiresIn, idleSeconds, isSignIn: true });
}

/** Holds the requests that wait for a sign-in. */
function createWaiting() {
  const requests = new Set<(token: string) => void>();
  return {
    add: () => new Promise<string>((goOn) => requests.add(goOn)),
    end(token: string): void {
      for (const goOn of requests) goOn(token);
      requests.clear();
    },
    /** Leaves them waiting: they never resolve. */
    clear: () => requests.clear(),
  };
}

function readHeld(baseUrl: string, storage: TabStorage, { signedOutAt, hasCookie }: Partial<Tabs>): Held {
  const isUsable = isStored(storage, baseUrl, signedOutAt?.() ?? 0);
  const read = (name: string) => (isUsable && storage.getItem(name)) || undefined;
  const token = read(STORED);
  const refreshToken = read(STORED_REFRESH) ?? (token === undefined && hasCookie?.() ? "" : undefined);
  const owner = read(STORED_OWNER) ?? "";
  if (read(STORED_ONCE)) for (const name of [STORED, STORED_REFRESH, STORED_OWNER, STORED_ONCE]) storage.removeItem(name);
  const state = token ? "signedIn" : "signedOut";
  return { state, token, refreshToken, owner, endsAt: Number.POSITIVE_INFINITY, idleMs: undefined };
}

/** Says whether a request comes by itself: nobody has done anything lately. */
function isBackground({ idleMs }: Held, { activity }: Parts): boolean {
  return activity !== undefined && !activity.wasWithin(reportEvery(idleMs));
}

function take(held: Held, { token, owner, refreshToken, expiresIn = Number.POSITIVE_INFINITY, idleSeconds }: SignedIn): void {
  const idleMs = idleSeconds === undefined ? undefined : idleSeconds * 1_000;
  Object.assign(held, { token, owner, refreshToken, endsAt: Date.now() + expiresIn * 1_000, idleMs });
}

function store({ token, refreshToken, owner }: SignedIn, { storage, baseUrl, tabs }: Parts): void {
  if (refreshToken) storage.setItem(STORED_REFRESH, refreshToken);
  else storage.setItem(STORED, token);
  storage.setItem(STORED_AT, String(tabs.signedOutAt?.() ?? 0));
  storage.setItem(STORED_FOR, baseUrl);
  storage.setItem(STORED_OWNER, owner);
}

/** Forgets also whose they were: the next page of the tab may come in by the cookie of somebody else. */
function forget(held: Held, { storage, tabs }: Parts): void {
  for (const name of [STORED, STORED_REFRESH, STORED_OWNER]) storage.removeItem(name);
  if (held.refreshToken === "") tabs.setCookie?.(false);
  held.refreshToken = undefined;
}

/**
 * A refresh token works once. So all requests of a tab share one refresh, the tabs that share a cookie take turns, and the first
 * gives its token to the others. Rejects when the service refuses or does not answer.
 */
function createRefresh(held: Held, parts: Parts): (stale: string | undefined) => Promise<string> {
  const { baseUrl, storage, tabs, client } = parts;
  let running: Promise<string> | undefined;
  async function refresh(stale: string | undefined): Promise<string> {
    if (held.token && held.token !== stale) return held.token;
    const reply = await requestRefresh(client, held.refreshToken ?? "", isBackground(held, parts));
    const { access_token: token, expires_in: expiresIn, idle_seconds: idleSeconds, refresh_token: refreshToken = "", user } = reply;
    if (held.owner && user.id !== held.owner) held.refreshToken = undefined; // someone else has signed in in another tab: the cookie is theirs, and stays
    if (held.refreshToken === undefined) throw new ApiError(401); // or signed out meanwhile
    take(held, { token, owner: user.id, refreshToken, expiresIn, idleSeconds });
    if (refreshToken === "") tabs.postToken?.({ token, owner: user.id, expiresIn, idleSeconds });
    else if (storage.getItem(STORED_REFRESH)) storage.setItem(STORED_REFRESH, refreshToken);
    return token;
  }
  return (stale) => {
    running ??= withRefreshLock(baseUrl, () => refresh(stale)).finally(() => {
      running = undefined;
    });
    return running;
  };
}

type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;
type Client = ReturnType<typeof createClient>;

function isStored(storage: TabStorage, baseUrl: string, signedOutAt: number): boolean {
  if ((storage.getItem(STORED_FOR) ?? baseUrl) !== baseUrl) return false;
  if (Number(storage.getItem(STORED_AT)) >= signedOutAt) return true;
  storage.removeItem(STORED);
  storage.removeItem(STORED_REFRESH);
  return false;
}

/** One question at a time, for all requests that wait for its answer. */
export interface Proofs {
  /** The dialog is to be shown. */
  isProving(): boolean;
  /** Resolves when the dialog has ended: whether the person has proved it. */
  prove(): Promise<boolean>;
  /** The dialog has ended. */
  endProof(isProved: boolean): void;
}

/** `onChange` is called when the dialog is to be shown, and when it has ended. */
function createProofs(onChange: () => void): Proofs {
  let asked: { answer: Promise<boolean>; resolve: (isProved: boolean) => void } | undefined;
  return {
    isProving: () => asked !== undefined,
    prove() {
      if (asked) return asked.answer;
      const { promise, resolve } = withResolvers();
      asked = { answer: promise, resolve };
      onChange();
      return promise;
    },
    endProof(isProved) {
      const ended = asked;
      asked = undefined;
      ended?.resolve(isProved);
      if (ended) onChange();
    },
  };
}

function withResolvers(): { promise: Promise<boolean>; resolve: (isProved: boolean) => void } {
  let resolve: (isProved: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
