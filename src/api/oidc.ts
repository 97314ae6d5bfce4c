// Sign-in with the organisation's own sign-in: what the app keeps while the person is at the provider (PKCE, RFC 7636).

import type { Client } from "../../client/http-client.ts";
import { OIDC_PATH, SESSIONS_PATH } from "../../core/contract/paths.ts";
import { OIDC_ERRORS, type OidcError } from "../../core/contract/people.ts";
import { openStorage } from "../storage/browser-storage.ts";
import type { TabSession } from "./session.ts";
import { startSession } from "./sign-in.ts";

export interface OidcAttempt {
  /** Only who has it can use the code that comes back. */
  verifier: string;
  /** Where the browser goes. */
  url: string;
}

/** What a tab keeps while it is at the provider itself. */
interface Pending {
  verifier: string;
  /** The address in this app to which the person wanted. */
  path: string;
  storeForTab: boolean;
}

/** What comes back behind the #: for this tab, or with `state` for another one, in which the person goes on. */
export type OidcOutcome = ({ code: string } | { error: OidcError }) & { state?: string };

const PENDING = "intake.oidc";

/** `state` comes back with the outcome. Needs a page with TLS, or on this computer itself: others have no crypto.subtle. */
export async function newAttempt(client: Client, state?: string): Promise<OidcAttempt> {
  const verifier = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
  const challenge = toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
  const parameters = new URLSearchParams({ return_to: `${document.baseURI}welcome`, code_challenge: challenge, ...(state && { state }) });
  return { verifier, url: `${client.baseUrl}${OIDC_PATH}/start?${parameters}` };
}

function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

const tabStorage = () => openStorage(() => sessionStorage);

/** Before this tab itself goes to the provider. */
export function keepPending(pending: Pending): void {
  tabStorage().setItem(PENDING, JSON.stringify(pending));
}

/** What was kept, once. Undefined in a tab that did not begin a sign-in. */
export function takePending(): Pending | undefined {
  const storage = tabStorage();
  const text = storage.getItem(PENDING);
  storage.removeItem(PENDING);
  return text === null ? undefined : (JSON.parse(text) as Pending);
}

/** The outcome in a fragment; undefined for one that is something else, such as the code of a one-time link. */
export function readOutcome(fragment: string): OidcOutcome | undefined {
  const given = new URLSearchParams(fragment);
  const code = given.get("code");
  const state = given.get("state");
  const error = OIDC_ERRORS.find((one) => one === given.get("error"));
  const outcome = code ? { code } : error && { error };
  return outcome && { ...outcome, ...(state && { state }) };
}

/** Between the tab in which somebody works and the one in which they sign in: of one origin, and for this sign-in alone. */
export function openHandOver(state: string): BroadcastChannel {
  return new BroadcastChannel(`intake.oidc ${state}`);
}

/** Throws ApiError with code CODE_INVALID for a code that is too old or was used. */
export function signInWithCode(client: Client, session: TabSession, code: string, verifier: string, storeForTab: boolean): Promise<void> {
  return startSession(client, session, SESSIONS_PATH, { code, code_verifier: verifier }, storeForTab);
}
