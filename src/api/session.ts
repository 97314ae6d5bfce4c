// The session of this tab: the token, in memory only unless the user stays signed in until the tab closes.

import { createClient, type Session } from "../../client/http-client.ts";
import { exchangeKey, keyIdOf, NO_SESSION } from "../../client/token-exchange.ts";
import { REVOKE_PATH } from "../../core/contract/paths.ts";
import { translatedMessages } from "../../core/i18n/client-messages.ts";
import { t } from "../../core/i18n/translate.ts";

/** "expired": the token ended while someone worked. The page stays, and requests wait for a new sign-in. */
export type SessionState = "signedOut" | "signedIn" | "expired";

export interface TabSession extends Session {
  state(): SessionState;
  /** The id of the API key that signed in. Drafts are offered only to the same owner. */
  owner(): string;
  subscribe(listener: () => void): () => void;
  /** Exchanges an API key for a token (RFC 6749 section 4.4). Throws ApiError when the key is invalid. */
  signIn(apiKey: string, storeForTab: boolean): Promise<void>;
  signOut(): void;
  /** Revokes a token at the service (RFC 7009). Never throws: an unreachable service lets the token expire within the hour. */
  revoke(token: string): Promise<void>;
}

const STORED = "intake.token";
const STORED_AT = "intake.token.at"; // epoch milliseconds
const STORED_FOR = "intake.token.for"; // the address of the service
const STORED_OWNER = "intake.token.owner";

/**
 * `storage` is the tab's. A stored token is ignored if it is older than `signedOutAt`, because someone has signed out in another
 * tab since, or if it belongs to another service: one host may serve this app twice.
 */
export function createSession(baseUrl: string, storage: TabStorage, signedOutAt = 0): TabSession {
  let token = readStoredSession(storage, baseUrl, signedOutAt);
  let owner = (token && storage.getItem(STORED_OWNER)) || "";
  let state: SessionState = token ? "signedIn" : "signedOut";
  const listeners = new Set<() => void>();
  const waiting = new Set<(token: string) => void>();
  const client = createClient({ baseUrl, session: NO_SESSION, messages: translatedMessages });

  function setState(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  return {
    token: () => token,
    state: () => state,
    owner: () => owner,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    renew(stale) {
      if (token && token !== stale) return Promise.resolve(token); // another request has renewed it already
      if (state === "signedOut") return new Promise(() => {}); // nobody will sign in for it
      storage.removeItem(STORED);
      setState("expired");
      return new Promise((resolve) => waiting.add(resolve));
    },
    async signIn(apiKey, storeForTab) {
      const wrongService = t("No Intake service answers at {address}. The address is set in config.json.", {
        address: baseUrl,
      });
      const { access_token: renewed } = await exchangeKey(client, apiKey, wrongService);
      token = renewed;
      owner = keyIdOf(apiKey);
      if (storeForTab) {
        storage.setItem(STORED, renewed);
        storage.setItem(STORED_AT, String(Date.now()));
        storage.setItem(STORED_FOR, baseUrl);
        storage.setItem(STORED_OWNER, owner);
      }
      setState("signedIn");
      for (const resolve of waiting) resolve(renewed);
      waiting.clear();
    },
    signOut() {
      token = undefined;
      storage.removeItem(STORED);
      waiting.clear(); // requests that waited for this user never resolve
      setState("signedOut");
    },
    async revoke(revoked) {
      const body = new URLSearchParams({ token: revoked });
      const request = client.request("POST", REVOKE_PATH, { body, headers: { Authorization: `Bearer ${revoked}` }, open: true });
      await request.catch(() => undefined);
    },
  };
}

type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function readStoredSession(storage: TabStorage, baseUrl: string, signedOutAt: number): string | undefined {
  if ((storage.getItem(STORED_FOR) ?? baseUrl) !== baseUrl) return undefined;
  if (Number(storage.getItem(STORED_AT)) < signedOutAt) storage.removeItem(STORED);
  return storage.getItem(STORED) ?? undefined;
}
