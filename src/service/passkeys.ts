// Passkeys: what the service knows of them, and the browser's own dialogs that make and use them (WebAuthn).

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { Passkey, PasskeyAssertion, PasskeyCreation, PasskeyRequest } from "../../core/contract/passkeys.ts";
import { ME_PATH, PASSKEYS_PATH, SESSIONS_PATH, USERS_PATH } from "../../core/contract/paths.ts";
import type { ProofWay } from "../../core/contract/people.ts";
import { t } from "../../core/i18n/translate.ts";
import type { TabSession } from "./session.ts";
import { startSession } from "./sign-in.ts";

const OWN_PATH = `${ME_PATH}${PASSKEYS_PATH}`;
const PROOF_PATH = `${ME_PATH}/proof`;

/** It is loaded with the first passkey. */
const webauthn = () => import("@simplewebauthn/browser");

/** Says in a sentence why this browser cannot use passkeys on this page; undefined if it can. */
export function whyNoPasskeys(): string | undefined {
  if (!isSecureContext) return t("Browsers use passkeys on https pages only.");
  if (!globalThis.PublicKeyCredential) return t("This browser cannot use passkeys.");
  const isAddress = /^[\d.]+$|:/.test(location.hostname.replace(/^\[|\]$/g, ""));
  return isAddress
    ? t("Passkeys need a host name. Open this page under its name, not under {address}.", { address: location.hostname })
    : undefined;
}

export function ownPasskeysQuery(client: Client) {
  return queryOptions({
    queryKey: ["people", "own passkeys"],
    retry: false,
    queryFn: async ({ signal }) => ((await client.request("GET", OWN_PATH, { signal })).json as { passkeys: Passkey[] }).passkeys,
  });
}

/** Returns undefined when the user cancels. Throws ApiError with code PROOF_NEEDED when the user gives no proof. */
export async function addPasskey(client: Client): Promise<Passkey | undefined> {
  const optionsJSON = (await client.request("POST", `${OWN_PATH}/options`)).json as PasskeyCreation;
  const { startRegistration } = await webauthn();
  const passkey = await unlessCancelled(() => startRegistration({ optionsJSON: optionsJSON as never }));
  return passkey && ((await client.request("POST", OWN_PATH, { body: { passkey } })).json as Passkey);
}

const at = (id: string) => `${OWN_PATH}/${encodeURIComponent(id)}`;

export async function renamePasskey(client: Client, id: string, name: string): Promise<void> {
  await client.request("PATCH", at(id), { body: { name } });
}

/** Removes it and ends what else gives access, unless its id is in `keep`. Throws ApiError with code PROOF_NEEDED or LAST_PASSKEY. */
export async function removePasskey(client: Client, id: string, keep: readonly string[]): Promise<void> {
  await client.request("DELETE", at(id), { query: { keep: keep.join(",") } });
}

/** Serves a person who has lost a device. What else gives access ends, too, unless its id is in `keep`. */
export async function removeUserPasskeys(client: Client, userId: string, keep: readonly string[]): Promise<void> {
  await client.request("DELETE", `${USERS_PATH}/${encodeURIComponent(userId)}${PASSKEYS_PATH}`, { query: { keep: keep.join(",") } });
}

export async function proveWithPassword(client: Client, password: string): Promise<void> {
  await client.request("POST", PROOF_PATH, { body: { password } });
}

/** Proves it with the code of a sign-in at the organisation's own provider, and its verifier (oidc.ts). */
export async function proveWithCode(client: Client, code: string, code_verifier: string): Promise<void> {
  await client.request("POST", PROOF_PATH, { body: { code, code_verifier } });
}

/** Asks with what one can prove again who one is. */
export function proofWaysQuery(client: Client) {
  return queryOptions({
    queryKey: ["people", "proof ways"],
    retry: false,
    queryFn: async ({ signal }) => ((await client.request("GET", PROOF_PATH, { signal })).json as { ways: ProofWay[] }).ways,
  });
}

/** Returns false when the user cancels. */
export async function proveWithPasskey(client: Client): Promise<boolean> {
  const passkey = await askForPasskey(client);
  if (passkey) await client.request("POST", PROOF_PATH, { body: { passkey } });
  return passkey !== undefined;
}

/** Returns false when the user cancels. Throws ApiError with code PASSKEY_REFUSED. */
export async function signInWithPasskey(client: Client, session: TabSession, storeForTab: boolean): Promise<boolean> {
  const passkey = await askForPasskey(client);
  if (passkey) await startSession(client, session, SESSIONS_PATH, { passkey }, storeForTab);
  return passkey !== undefined;
}

/** Says whether the browser offers passkeys among its suggestions for an input with autocomplete "webauthn". */
export async function hasSuggestions(): Promise<boolean> {
  return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;
}

/** Waits until the user takes a passkey from the suggestions, and signs in with it. Without suggestions nothing is said: the button says why. */
export async function signInBySuggestion(
  client: Client,
  session: TabSession,
  storeForTab: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const passkey = await askForPasskey(client, signal).catch(() => undefined);
  if (passkey) await startSession(client, session, SESSIONS_PATH, { passkey }, storeForTab());
}

/** With `signal` it waits among the browser's suggestions, without a dialog. */
async function askForPasskey(client: Client, signal?: AbortSignal): Promise<PasskeyAssertion | undefined> {
  const path = `${SESSIONS_PATH}/passkey-options`;
  const optionsJSON = (await client.request("POST", path, { open: true, ...(signal && { signal }) })).json as PasskeyRequest;
  const { startAuthentication, WebAuthnAbortService } = await webauthn();
  if (signal?.aborted) return undefined;
  signal?.addEventListener("abort", () => WebAuthnAbortService.cancelCeremony(), { once: true });
  return unlessCancelled(() => startAuthentication({ optionsJSON, useBrowserAutofill: signal !== undefined }));
}

/** Browsers do not tell a dialog that the user closed from one that ran out of time. Neither is an error. */
async function unlessCancelled<T>(ceremony: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ceremony();
  } catch (error) {
    const { name } = error as Error;
    if (name === "NotAllowedError" || name === "AbortError") return undefined;
    if (name === "InvalidStateError") throw new Error(t("There is a passkey for your account on this device already."), { cause: error });
    throw new Error(t("The browser could not do this. Use another browser or device, or sign in another way."), { cause: error });
  }
}
