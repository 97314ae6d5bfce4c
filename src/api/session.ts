// The session of this tab. Its tokens are in memory, unless the user stays signed in until the tab closes.

import { ApiError } from "../../client/errors.ts";
import { createClient, NO_SESSION, type Session } from "../../client/http-client.ts";
import { REVOKE_PATH, SESSIONS_PATH } from "../../core/contract/paths.ts";
import type { SessionReply } from "../../core/contract/people.ts";
import { translatedMessages } from "../../core/i18n/client-messages.ts";
import { t } from "../../core/i18n/translate.ts";
import { createProofs, type Proofs } from "./proofs.ts";
import type { TabChannel } from "./tab-channel.ts";

/** "expired": the session ended while someone worked. The page stays, and requests wait for a new sign-in. */
export type SessionState = "signedOut" | "signedIn" | "expired";

/** What a sign-in brings: see sign-in.ts. */
export interface SignedIn {
  token: string;
  /** The id of the person or of the API key. */
  owner: string;
  /** Of the person. */
  name?: string;
  /** Gets the next token without a new sign-in; empty if a cookie does. An API key has none. */
  refreshToken?: string | undefined;
  /** Seconds until `token` ends. */
  expiresIn?: number;
}

export interface TabSession extends Omit<Session, "prove">, Proofs {
  state(): SessionState;
  /** The id of the person or API key that signed in. Drafts are offered only to the same owner. */
  owner(): string;
  /** Whether the token ends within a minute and can be renewed without the user. */
  isOld(): boolean;
  subscribe(listener: () => void): () => void;
  /** Lets the requests go on that wait for a sign-in. If somebody else has signed in, those that write reject with SignedInAsOther. */
  begin(given: SignedIn, storeForTab: boolean): void;
  /** Signs in with what an earlier page of this browser left: a stored refresh token, or the cookie. Never throws. */
  restore(): Promise<void>;
  /**
   * Forgets the tokens at once. The function that it returns ends them at the service, too, and never throws: one that cannot be
   * reached lets them expire.
   */
  signOut(): () => Promise<void>;
}

/** Somebody else signed in while a write waited. What one person typed is not stored under the name of another without a word. */
export class SignedInAsOther extends ApiError {
  constructor({ name }: Pick<SignedIn, "name">) {
    const who = name ?? t("Somebody else");
    super(401, { detail: t("{name} is signed in now. What is stored from here on is stored under this name.", { name: who }) });
  }
}

const STORED = "intake.token";
const STORED_REFRESH = "intake.refresh";
const STORED_AT = "intake.token.at"; // signedOutAt of then
const STORED_FOR = "intake.token.for"; // the address of the service
const STORED_OWNER = "intake.token.owner";
const OLD_MS = 60_000;

type Tabs = Pick<TabChannel, "signedOutAt" | "postToken" | "onToken" | "hasCookie" | "setCookie">;

/** What a session holds at the moment. */
interface Held {
  state: SessionState;
  token: string | undefined;
  refreshToken: string | undefined;
  owner: string;
  /** Epoch milliseconds. */
  endsAt: number;
}

interface Parts {
  baseUrl: string;
  storage: TabStorage;
  tabs: Partial<Tabs>;
  client: Client;
}

/**
 * `storage` is the tab's. A stored token is ignored if it is older than the last sign-out in another tab, or if it belongs to
 * another service: one host may serve this app twice.
 */
export function createSession(baseUrl: string, storage: TabStorage, tabs: Partial<Tabs> = {}): TabSession {
  const held = readHeld(baseUrl, storage, tabs);
  const parts = { baseUrl, storage, tabs, client: createClient({ baseUrl, session: NO_SESSION, messages: translatedMessages }) };
  const [refresh, waiting] = [createRefresh(held, parts), createWaiting()];
  const listeners = createListeners();
  const proofs = createProofs(listeners.notify);

  function setState(next: SessionState): void {
    held.state = next;
    if (next === "signedOut") proofs.endProof(false);
    listeners.notify();
  }

  function enter(given: SignedIn): void {
    waiting.meet(given, held);
    take(held, given);
    setState("signedIn");
    waiting.end(given.token);
  }

  tabs.onToken?.(({ isSignIn, ...other }) => {
    const given = { ...other, refreshToken: "" };
    if (other.owner !== held.owner) return;
    if (held.state === "signedIn" && held.refreshToken === "") take(held, given);
    // The same person has signed in again elsewhere. A token that was only renewed may be of the session that has just ended.
    if (held.state !== "signedIn" && isSignIn) enter(given);
  });

  return {
    ...proofs,
    token: () => held.token,
    state: () => held.state,
    owner: () => held.owner,
    isOld: () => held.refreshToken !== undefined && held.endsAt - Date.now() < OLD_MS,
    subscribe: listeners.subscribe,
    async renew(stale, isWrite = false) {
      if (isWrite) waiting.refuseLate(stale);
      if (held.token && held.token !== stale) return held.token; // another request has renewed it already
      if (held.state === "signedIn" && held.refreshToken !== undefined) {
        try {
          return await refresh(stale);
        } catch (error) {
          if (!isOver(error)) throw error;
        }
      }
      if (held.state === "signedOut") return new Promise(() => {}); // nobody will sign in for it
      forget(held, parts);
      if (held.state === "signedIn") setState("expired");
      return waiting.add(isWrite);
    },
    begin(given, storeForTab) {
      enter(given);
      if (held.refreshToken === "") {
        tabs.setCookie?.(true);
        tabs.postToken?.({ token: given.token, owner: given.owner, expiresIn: given.expiresIn ?? 0, isSignIn: true });
      } else if (storeForTab) store(held, parts);
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
      held.token = undefined;
      forget(held, parts);
      waiting.clear(); // requests that waited for this user never resolve
      setState("signedOut");
      return () => endAtService(parts.client, token, refreshToken);
    },
  };
}

function createListeners() {
  const listeners = new Set<() => void>();
  return {
    notify(): void {
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The requests that wait for a sign-in. */
function createWaiting() {
  const requests = new Set<{ isWrite: boolean; goOn(token: string): void; refuse(error: Error): void }>();
  let other: { before: string | undefined; error: SignedInAsOther } | undefined;
  return {
    add: (isWrite: boolean) => new Promise<string>((goOn, refuse) => requests.add({ isWrite, goOn, refuse })),
    /** `before`: what the session held until this sign-in. */
    meet(given: SignedIn, before: Held): void {
      const isOther = before.owner !== "" && before.owner !== given.owner;
      other = isOther ? { before: before.token, error: new SignedInAsOther(given) } : undefined;
    },
    end(token: string): void {
      for (const { isWrite, goOn, refuse } of requests) {
        if (isWrite && other) refuse(other.error);
        else goOn(token);
      }
      requests.clear();
    },
    /** For a write that was sent with the token of before, and is answered only now. */
    refuseLate(stale: string | undefined): void {
      if (other && other.before === stale) throw other.error;
    },
    /** Then they never resolve. */
    clear: () => requests.clear(),
  };
}

function readHeld(baseUrl: string, storage: TabStorage, { signedOutAt, hasCookie }: Partial<Tabs>): Held {
  const isUsable = isStored(storage, baseUrl, signedOutAt?.() ?? 0);
  const read = (name: string) => (isUsable && storage.getItem(name)) || undefined;
  const token = read(STORED);
  const refreshToken = read(STORED_REFRESH) ?? (token === undefined && hasCookie?.() ? "" : undefined);
  const state = token ? "signedIn" : "signedOut";
  return { state, token, refreshToken, owner: read(STORED_OWNER) ?? "", endsAt: Number.POSITIVE_INFINITY };
}

function take(held: Held, { token, owner, refreshToken, expiresIn = Number.POSITIVE_INFINITY }: SignedIn): void {
  Object.assign(held, { token, owner, refreshToken, endsAt: Date.now() + expiresIn * 1_000 });
}

function store({ token = "", refreshToken, owner }: Held, { storage, baseUrl, tabs }: Parts): void {
  if (refreshToken) storage.setItem(STORED_REFRESH, refreshToken);
  else storage.setItem(STORED, token);
  storage.setItem(STORED_AT, String(tabs.signedOutAt?.() ?? 0));
  storage.setItem(STORED_FOR, baseUrl);
  storage.setItem(STORED_OWNER, owner);
}

function forget(held: Held, { storage, tabs }: Parts): void {
  storage.removeItem(STORED);
  storage.removeItem(STORED_REFRESH);
  if (held.refreshToken === "") tabs.setCookie?.(false);
  held.refreshToken = undefined;
}

/**
 * A refresh token works once. So all requests of a tab share one refresh, the tabs that share a cookie take turns, and the first
 * gives its token to the others. Rejects when the service refuses or does not answer.
 */
function createRefresh(held: Held, { baseUrl, storage, tabs, client }: Parts): (stale: string | undefined) => Promise<string> {
  let running: Promise<string> | undefined;
  async function refresh(stale: string | undefined): Promise<string> {
    if (held.token && held.token !== stale) return held.token;
    const reply = await requestRefresh(client, held.refreshToken ?? "");
    const { access_token: token, expires_in: expiresIn, refresh_token: refreshToken = "", user } = reply;
    if (held.refreshToken === undefined) throw new ApiError(401); // signed out meanwhile
    if (held.owner && user.id !== held.owner) throw new ApiError(401); // someone else has signed in in another tab
    take(held, { token, owner: user.id, refreshToken, expiresIn });
    if (refreshToken === "") tabs.postToken?.({ token, owner: user.id, expiresIn });
    else if (storage.getItem(STORED_REFRESH)) storage.setItem(STORED_REFRESH, refreshToken);
    return token;
  }
  return (stale) => {
    running ??= withLock(`intake.refresh ${baseUrl}`, () => refresh(stale)).finally(() => {
      running = undefined;
    });
    return running;
  };
}

type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;
type Client = ReturnType<typeof createClient>;

/** With the cookie goes what the service asks for beside it: no other site can send that. */
const WITH_COOKIE = { open: true, credentials: "same-origin", headers: { "Intake-Session": "1" } } as const;

async function requestRefresh(client: Client, refreshToken: string): Promise<SessionReply> {
  const options = refreshToken ? { open: true, body: { refresh_token: refreshToken } } : { ...WITH_COOKIE, body: { cookie: true } };
  return (await client.request("POST", `${SESSIONS_PATH}/refresh`, options)).json as SessionReply;
}

/** Of an API key (RFC 7009), or of a person, whose access token may be too old to end the session. */
async function endAtService(client: Client, token: string | undefined, refreshToken: string | undefined): Promise<void> {
  const bearer = (of: string | undefined) => ({ Authorization: `Bearer ${of}` });
  if (refreshToken === undefined) {
    if (!token) return;
    const options = { body: new URLSearchParams({ token }), headers: bearer(token), open: true };
    return void (await client.request("POST", REVOKE_PATH, options).catch(() => {}));
  }
  const end = (of: string | undefined) => client.request("DELETE", `${SESSIONS_PATH}/current`, { ...WITH_COOKIE, headers: bearer(of) });
  await end(token)
    .catch(async () => end((await requestRefresh(client, refreshToken)).access_token))
    .catch(() => {});
}

/** Whether the service said that there is no such session; anything else may pass. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

function isStored(storage: TabStorage, baseUrl: string, signedOutAt: number): boolean {
  if ((storage.getItem(STORED_FOR) ?? baseUrl) !== baseUrl) return false;
  if (Number(storage.getItem(STORED_AT)) >= signedOutAt) return true;
  storage.removeItem(STORED);
  storage.removeItem(STORED_REFRESH);
  return false;
}

/** Pages without TLS have no locks, and no cookie of which several tabs could use one refresh token. */
async function withLock<T>(name: string, run: () => Promise<T>): Promise<T> {
  const { locks } = globalThis.navigator ?? {};
  return locks ? locks.request(name, run) : run();
}
