// The requests of a person's session: sign-in, the organisation's own sign-in (PKCE, RFC 7636), renewal and end.

import { OIDC_PATH, REVOKE_PATH, SESSIONS_PATH } from "../core/contract/paths.ts";
import { ACTIVITY_HEADER, OIDC_ERRORS, type OidcError, type SessionReply } from "../core/contract/people.ts";
import { ApiError } from "./errors.ts";
import type { Client } from "./http-client.ts";

/** With the cookie goes what the service asks for beside it: no other site can send that. */
const WITH_COOKIE = { open: true, credentials: "same-origin", headers: { "Intake-Session": "1" } } as const;

/** Says whether the refresh token can be a cookie, which no script can read: on the service's own host. Browsers keep it with TLS only. */
export function hasCookie(client: Client): boolean {
  return globalThis.isSecureContext === true && new URL(client.baseUrl).origin === globalThis.location?.origin;
}

/** Signs a person in at `path`, which takes `form`. Throws ApiError, with code WRONG_PASSWORD whichever of address and password is wrong. */
export async function requestSession(
  client: Client,
  form: object,
  headers: Record<string, string> = {},
  path = SESSIONS_PATH,
): Promise<SessionReply> {
  const cookie = hasCookie(client);
  const body = { ...form, ...(cookie && { cookie }) };
  const options = { open: true, body, headers, ...(cookie && { credentials: "same-origin" as const }) };
  return (await client.request("POST", path, options)).json as SessionReply;
}

/** `refreshToken`: empty where a cookie has it. It works once; the reply has the next one. `isBackground`: this is no use of the session. */
export async function requestRefresh(client: Client, refreshToken: string, isBackground: boolean): Promise<SessionReply> {
  const given = refreshToken
    ? { open: true, headers: {}, body: { refresh_token: refreshToken } }
    : { ...WITH_COOKIE, body: { cookie: true } };
  const options = { ...given, headers: { ...given.headers, ...(isBackground && { [ACTIVITY_HEADER]: "background" }) } };
  return (await client.request("POST", `${SESSIONS_PATH}/refresh`, options)).json as SessionReply;
}

/**
 * Ends it at the service: of an API key (RFC 7009), or of a person, whose access token may be too old for that. Never throws: a session
 * that cannot be ended ends by itself.
 */
export async function endSession(client: Client, token: string | undefined, refreshToken: string | undefined): Promise<void> {
  if (refreshToken === undefined) {
    if (!token) return;
    const options = { body: new URLSearchParams({ token }), headers: bearer(token), open: true };
    return void (await client.request("POST", REVOKE_PATH, options).catch(() => {}));
  }
  const end = (of: string | undefined) => client.request("DELETE", `${SESSIONS_PATH}/current`, { ...WITH_COOKIE, headers: bearer(of) });
  await end(token)
    .catch(async () => end((await requestRefresh(client, refreshToken, true)).access_token))
    .catch(() => {});
}

export function bearer(token: string | undefined): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** Says whether the service said that there is no such session, or that this is no token; anything else may pass, as a proxy's 404 does. */
export function isOver(error: unknown): boolean {
  return error instanceof ApiError && [400, 401, 422].includes(error.status);
}

/** Tabs that share a cookie take turns. Pages without TLS have no locks, and no cookie of which several could use one refresh token. */
export async function withRefreshLock<T>(baseUrl: string, run: () => Promise<T>): Promise<T> {
  const { locks } = globalThis.navigator ?? {};
  return locks ? locks.request(`intake.refresh ${baseUrl}`, run) : run();
}

export interface OidcAttempt {
  /** Only who has it can use the code that comes back. */
  verifier: string;
  /** The address to which the browser goes. */
  url: string;
}

/** Holds what comes back behind the #: for this tab, or with `state` for another one, in which the person goes on. */
export type OidcOutcome = ({ code: string } | { error: OidcError }) & { state?: string };

/** `state` comes back with the outcome. Needs a page with TLS, or on this computer itself: others have no crypto.subtle. */
export async function newOidcAttempt(client: Client, returnTo: string, state?: string): Promise<OidcAttempt> {
  const verifier = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
  const challenge = toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
  const parameters = new URLSearchParams({ return_to: returnTo, code_challenge: challenge, ...(state && { state }) });
  return { verifier, url: `${client.baseUrl}${OIDC_PATH}/start?${parameters}` };
}

function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Returns the outcome in a fragment; undefined for one that is something else, such as the code of a one-time link. */
export function readOidcOutcome(fragment: string): OidcOutcome | undefined {
  const given = new URLSearchParams(fragment);
  const code = given.get("code");
  const state = given.get("state");
  const error = OIDC_ERRORS.find((one) => one === given.get("error"));
  const outcome = code ? { code } : error && { error };
  return outcome && { ...outcome, ...(state && { state }) };
}
