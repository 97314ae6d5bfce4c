// The ways into a session: an API key, e-mail and password, a one-time link. Loaded when somebody is to sign in.

import type { Client } from "../../client/http-client.ts";
import { requestSession } from "../../client/sessions.ts";
import { exchangeKey, keyIdOf } from "../../client/token-exchange.ts";
import { ACCESS_REQUESTS_PATH, LINKS_PATH, PASSWORD_RESETS_PATH, SESSIONS_PATH } from "../../core/contract/paths.ts";
import type { AccessRequest, LinkInfo } from "../../core/contract/people.ts";
import { currentCatalogue, t } from "../../core/i18n/translate.ts";
import { openStorage } from "../browser/browser-storage.ts";
import type { TabSession } from "./session.ts";

/** Exchanges an API key for a token (RFC 6749 section 4.4). Throws ApiError when the key is invalid. */
export async function signInWithKey(client: Client, session: TabSession, apiKey: string, storeForTab: boolean): Promise<void> {
  const wrongService = t("No Intake service answers at {address}. The address is set in config.json.", { address: client.baseUrl });
  const { access_token: token } = await exchangeKey(client, apiKey, wrongService);
  session.begin({ token, owner: keyIdOf(apiKey) }, storeForTab);
}

/** Throws ApiError with code WRONG_PASSWORD, whichever of both is wrong. */
export function signInWithPassword(
  client: Client,
  session: TabSession,
  given: { email: string; password: string },
  storeForTab: boolean,
): Promise<void> {
  return startSession(client, session, SESSIONS_PATH, given, storeForTab);
}

/** The language of the app may differ from the browser's. Mails come in this one. */
const inOwnLanguage = () => ({ "Accept-Language": currentCatalogue().language });

/** Asks for access. The service never says whether the address has an account. */
export async function askForAccess(client: Client, body: Pick<AccessRequest, "email" | "name" | "message">): Promise<void> {
  await client.request("POST", ACCESS_REQUESTS_PATH, { open: true, body, headers: inOwnLanguage() });
}

/** Asks for a link for a new password, which goes by mail to whoever has this address and a password. */
export async function resetPassword(client: Client, email: string): Promise<void> {
  await client.request("POST", PASSWORD_RESETS_PATH, { open: true, body: { email }, headers: inOwnLanguage() });
}

/** Says what a one-time link is for. Throws ApiError with code LINK_INVALID once it is used or its time is over. */
export async function lookUpLink(client: Client, code: string): Promise<LinkInfo> {
  return (await client.request("POST", `${LINKS_PATH}/lookup`, { open: true, body: { code } })).json as LinkInfo;
}

export interface LinkForm {
  code: string;
  password: string;
  /** Only a set-up link takes both. */
  email?: string;
  name?: string;
  /** Ids of what does not end with it. */
  keep?: readonly string[];
}

/** Uses the link up and signs in. Throws ApiError; its `problems` are about the form. */
export function openWithLink(client: Client, session: TabSession, form: LinkForm): Promise<void> {
  return startSession(client, session, `${LINKS_PATH}/use`, form, false);
}

const BROWSER = "intake.browser";

/** Returns a random text that stays in this browser, by which the service tells people of a sign-in with another one. It opens nothing. */
function browserMark(): string {
  const storage = openStorage(() => localStorage);
  const known = storage.getItem(BROWSER);
  if (known) return known;
  const mark = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  storage.setItem(BROWSER, mark);
  return mark;
}

/** Signs a person in at `path` with `form`. Throws ApiError. */
export async function startSession(client: Client, session: TabSession, path: string, form: object, storeForTab: boolean): Promise<void> {
  const reply = await requestSession(client, { ...form, browser: browserMark() }, inOwnLanguage(), path);
  const { access_token: token, expires_in: expiresIn, idle_seconds: idleSeconds, refresh_token: refreshToken = "", user } = reply;
  session.begin({ token, owner: user.id, refreshToken, expiresIn, idleSeconds }, storeForTab);
}
