// Who is signed in: holds the token, in memory only unless the user keeps it for this tab. Knows no page.

import { createClient, type Session } from "./client.ts";
import { exchangeKey } from "./key-exchange.ts";

/** "out": no one. "in": signed in. "ended": the token ended while someone worked; the page stays and waits. */
export type SessionState = "out" | "in" | "ended";

export interface TabSession extends Session {
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /** Exchanges an API key for a token (RFC 6749 section 4.4). Throws ApiError when the key is refused. */
  signIn(apiKey: string, keepForTab: boolean): Promise<void>;
  signOut(): void;
}

const STORED = "intake.token";
const STORED_AT = "intake.token.at"; // epoch milliseconds

/** `storage`: the tab's own. A token that was kept before `signedOutAt` is not taken up: someone signed out in another tab since. */
export function createSession(baseUrl: string, storage: TabStorage, signedOutAt = 0): TabSession {
  let token = readKept(storage, signedOutAt);
  let state: SessionState = token ? "in" : "out";
  const listeners = new Set<() => void>();
  const waiting = new Set<(token: string) => void>();
  const client = createClient({ baseUrl, session: { token: () => undefined, renew: () => Promise.reject(new Error("open")) } });

  function become(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  return {
    token: () => token,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    renew(stale) {
      if (token && token !== stale) return Promise.resolve(token); // another request has renewed it already
      if (state === "out") return new Promise(() => {}); // nobody is there to sign in for it
      storage.removeItem(STORED);
      become("ended");
      return new Promise((resolve) => waiting.add(resolve));
    },
    async signIn(apiKey, keepForTab) {
      const { access_token: renewed } = await exchangeKey(client, apiKey);
      token = renewed;
      if (keepForTab) {
        storage.setItem(STORED, renewed);
        storage.setItem(STORED_AT, String(Date.now()));
      }
      become("in");
      for (const resolve of waiting) resolve(renewed);
      waiting.clear();
    },
    signOut() {
      token = undefined;
      storage.removeItem(STORED);
      waiting.clear(); // requests that waited for this person's return are given up
      become("out");
    },
  };
}

type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function readKept(storage: TabStorage, signedOutAt: number): string | undefined {
  if (Number(storage.getItem(STORED_AT)) < signedOutAt) storage.removeItem(STORED);
  return storage.getItem(STORED) ?? undefined;
}
