// Sign-in with the organisation's own sign-in: what the app keeps while the person is at the provider (PKCE, RFC 7636).

import type { Client } from "../../client/http-client.ts";
import { newOidcAttempt, type OidcAttempt } from "../../client/sessions.ts";
import { SESSIONS_PATH } from "../../core/contract/paths.ts";
import { openStorage } from "../browser/browser-storage.ts";
import type { TabSession } from "./session.ts";
import { startSession } from "./sign-in.ts";

/** Holds what a tab keeps while it is at the provider itself. */
interface Pending {
  verifier: string;
  /** The address in this app to which the person wanted. */
  path: string;
  storeForTab: boolean;
}

const PENDING = "intake.oidc";

/** `state` comes back with the outcome. */
export function newAttempt(client: Client, state?: string): Promise<OidcAttempt> {
  return newOidcAttempt(client, `${document.baseURI}welcome`, state);
}

const tabStorage = () => openStorage(() => sessionStorage);

/** Runs before this tab itself goes to the provider. */
export function keepPending(pending: Pending): void {
  tabStorage().setItem(PENDING, JSON.stringify(pending));
}

/** Returns what was kept, once. Undefined in a tab that did not begin a sign-in. */
export function takePending(): Pending | undefined {
  const storage = tabStorage();
  const text = storage.getItem(PENDING);
  storage.removeItem(PENDING);
  return text === null ? undefined : (JSON.parse(text) as Pending);
}

/** Connects the tab in which somebody works with the one in which they sign in: of one origin, and for this sign-in alone. */
export function openHandOver(state: string): BroadcastChannel {
  return new BroadcastChannel(`intake.oidc ${state}`);
}

/** Throws ApiError with code CODE_INVALID for a code that is too old or was used. */
export function signInWithCode(client: Client, session: TabSession, code: string, verifier: string, storeForTab: boolean): Promise<void> {
  return startSession(client, session, SESSIONS_PATH, { code, code_verifier: verifier }, storeForTab);
}
