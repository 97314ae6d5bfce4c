// The organisation's own sign-in: to the provider, back, and to the app with a code that becomes a session.

import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { API_ROOT, OIDC_PATH } from "../../core/contract/paths.ts";
import { MAX_PERSON_NAME, type OidcError } from "../../core/contract/people.ts";
import type { MasterSecrets } from "../engine/secrets/master-secrets.ts";
import type { Answer } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { type Parameter, readParameters } from "../http/query-parameters.ts";
import { email as emailReader } from "../http/read-fields.ts";
import { NO_STORE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { type Guesses, limitOfProvider, TooManyGuesses } from "./auth/guesses.ts";
import { createLoginStates, type LoginState, type LoginStates } from "./auth/oidc/login-state.ts";
import { createOidcProvider, type OidcProvider, SignInFailed } from "./auth/oidc/oidc-provider.ts";
import { type OidcSettings, rolesOfGroups } from "./auth/oidc/oidc-settings.ts";
import { hashCode, randomCode, randomId } from "./auth/random-codes.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import { type Cookie, readCookie, setCookie } from "./cookies.ts";
import type { People } from "./store/people.ts";
import type { StoredUser } from "./store/users.ts";

export interface OidcParts {
  people: People;
  guesses: Guesses;
  /** Are the store's: what one process seals every other can open. */
  secrets: MasterSecrets;
  settings: OidcSettings | undefined;
  /** Origins of apps besides the service's own. */
  origins: readonly string[];
  /** Says where people find the app; may be empty. */
  publicUrl: string;
}

interface Context extends OidcParts {
  provider: OidcProvider | undefined;
  states: LoginStates;
}

/** Lax: the browser sends it when the provider's page leads back here, but with no request that another site makes by itself. */
const COOKIE: Cookie = { name: "intake_oidc", path: API_ROOT + OIDC_PATH, sameSite: "Lax" };
const CALLBACK = `${API_ROOT}${OIDC_PATH}/callback`;
const LOGIN_SECONDS = 600;
const CODE_SECONDS = 60;
const MOST_CHARACTERS = 1_000; // of return_to: the cookie has it, and browsers keep none above 4 KiB

export function oidcRoutes(parts: OidcParts): Route[] {
  const provider = parts.settings && createOidcProvider(parts.settings);
  const context = { ...parts, provider, states: createLoginStates(parts.secrets) };
  return [startRoute(context), callbackRoute(context)];
}

function startRoute({ provider, states, origins, publicUrl }: Context): Route {
  const parameters = {
    return_to: line(MOST_CHARACTERS, /^https?:\/\/[^\s\\#]+$/i, "the address of the app, without #"),
    code_challenge: line(43, /^[A-Za-z0-9_-]{43}$/, "the SHA-256 of a code_verifier as base64url (RFC 7636, S256)"),
    state: line(64, /^[A-Za-z0-9_-]+$/, "up to 64 letters, digits, - and _, which come back behind #"),
  };
  return {
    url: `${API_ROOT}${OIDC_PATH}/start`,
    GET: {
      scope: "open",
      doc: {
        id: "start_oidc",
        summary: "Sends the browser to the organisation's own sign-in; it comes back to return_to with #code= or #error=",
        parameters,
        responses: { 302: null },
        sentHeaders: { 302: ["Location", "Set-Cookie?"] },
      },
      async handle(request) {
        const { return_to = "", code_challenge = "", state: appState } = readParameters(request.query, parameters);
        const own = ownOrigin(request, publicUrl);
        const returnTo = readReturnTo(return_to, [own, ...publicOrigin(publicUrl), ...origins]);
        if (!returnTo || code_challenge === "") throw wrongParameters(returnTo === undefined, code_challenge === "");
        if (!provider) return backToApp(request, { returnTo, appState }, { error: "not_set_up" });
        try {
          // The provider sends the browser back to where it is: there is the cookie.
          const redirectUri = `${publicOrigin(publicUrl).find((one) => one === new URL(returnTo).origin) ?? own}${CALLBACK}`;
          const { url, state, nonce, verifier } = await provider.begin(redirectUri);
          const expiresAt = Date.now() + LOGIN_SECONDS * 1_000;
          const sealed = states.seal({ state, nonce, verifier, redirectUri, returnTo, challenge: code_challenge, appState, expiresAt });
          return redirect(url, setCookie(request, COOKIE, sealed, LOGIN_SECONDS));
        } catch (error) {
          return backToApp(request, { returnTo, appState }, { error: failed(request, error) });
        }
      },
    },
  };
}

function callbackRoute(context: Context): Route {
  const { provider, publicUrl } = context;
  return {
    url: CALLBACK,
    GET: {
      scope: "open",
      ignoresParameters: true,
      doc: {
        id: "finish_oidc",
        summary: "Where the organisation's own sign-in sends the browser back",
        responses: { 302: null },
        sentHeaders: { 302: ["Location", "Set-Cookie"] },
      },
      async handle(request) {
        const login = loginOf(request, context);
        // Without the cookie it is not known where the app is, so the browser goes to where people usually find it.
        if (!provider || !login) return backToApp(request, { returnTo: `${publicUrl}/welcome`, appState: undefined }, { error: "expired" });
        return backToApp(request, login, await finish(request, context, login));
      },
    },
  };
}

/** A source whose sign-ins fail again and again is told that the provider cannot be reached: each makes the service ask it. */
async function finish(request: FastifyRequest, context: Context, login: LoginState): Promise<{ code: string } | { error: OidcError }> {
  let error: OidcError = "unreachable";
  const sign = async () => {
    try {
      const callback = new URL(login.redirectUri);
      callback.search = request.url.slice(request.url.indexOf("?")); // there is one: it has the state
      return await newCode(context.people, await recognize(request, context, login, callback), login);
    } catch (thrown) {
      error = failed(request, thrown);
      return undefined;
    }
  };
  const code = await context.guesses.run([limitOfProvider(sourceOf(request.ip))], sign).catch((thrown) => {
    if (thrown instanceof TooManyGuesses) return undefined;
    throw thrown;
  });
  return code === undefined ? { error } : { code };
}

/** Returns the sign-in that this browser began: the provider's answer must have its state. */
function loginOf(request: FastifyRequest, { states }: Context): LoginState | undefined {
  const login = states.open(readCookie(request, COOKIE));
  const { state } = request.query as { state?: unknown };
  return login && typeof state === "string" && timingSafeEqual(hashCode(state), hashCode(login.state)) ? login : undefined;
}

/** Returns the person whom the provider names. Throws SignInFailed. */
async function recognize(
  request: FastifyRequest,
  { provider, people, settings }: Context,
  login: LoginState,
  callback: URL,
): Promise<StoredUser> {
  if (!provider || !settings) throw new SignInFailed("not_set_up");
  const { issuer, subject, email, name, groups, attributes } = await provider.finish(callback, login);
  const address = emailReader(email);
  const identity = {
    issuer,
    subject,
    email: "value" in address ? address.value : undefined,
    name: name.slice(0, MAX_PERSON_NAME),
    roles: rolesOfGroups(settings, groups),
    attributes,
  };
  const found = await people.recognize(identity, randomId(), Date.now());
  if ("refused" in found) {
    const { reason, userId } = found;
    logSecurityEvent(request, "sign-in refused", { reason, ...(userId !== undefined && { target: userId }) });
    throw new SignInFailed(found.refused);
  }
  if (found.is === "made") logSecurityEvent(request, "account made", { target: found.user.id });
  if (found.is === "changed") logSecurityEvent(request, "person changed", { target: found.user.id });
  return found.user;
}

async function newCode(people: People, { id: userId }: StoredUser, { challenge }: LoginState): Promise<string> {
  const code = randomCode();
  await people.addSignInCode({ hash: hashCode(code), userId, challenge, expiresAt: Date.now() + CODE_SECONDS * 1_000 });
  return code;
}

/** Returns the person of a code that the app got, undefined for every reason why it cannot be used. It is used up in any case. */
export function takeCode(people: People, code: string, verifier: string): Promise<StoredUser | undefined> {
  return people.takeSignInCode(hashCode(code), hashCode(verifier).toString("base64url"), Date.now());
}

/** Returns what the app is told. The log says more, without what came from outside. */
function failed(request: FastifyRequest, error: unknown): OidcError {
  if (!(error instanceof SignInFailed)) throw error;
  if (error.cause !== undefined && error.reason !== "cancelled") {
    request.log.warn({ err: error.cause, reason: error.reason, requestId: request.id }, "sign-in at the provider failed");
  }
  return error.reason;
}

/**
 * Returns the address in a text if it is on one of these origins. The browser is sent to the address that was read, not to the text, so that
 * it cannot read the text in another way.
 */
function readReturnTo(text: string, origins: readonly string[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && url.href.length <= MOST_CHARACTERS;
  return isUsable && origins.includes(url.origin) ? url.href : undefined;
}

/** Returns the service's own origin as the browser has it. PUBLIC_URL knows of TLS that ends at a proxy which is not in TRUSTED_PROXIES. */
export function ownOrigin(request: FastifyRequest, publicUrl: string): string {
  const host = request.headers.host ?? "";
  const known = publicUrl === "" ? undefined : new URL(publicUrl);
  const own = known?.host === host.toLowerCase() ? known.origin : `${request.protocol}://${host}`;
  if (!URL.canParse(own)) throw httpErrors.badRequest("The Host header is no name of a host.");
  return own;
}

/** It is the service's own whatever the Host header says: a proxy may pass that on without its port. */
function publicOrigin(publicUrl: string): string[] {
  return publicUrl === "" ? [] : [new URL(publicUrl).origin];
}

function backToApp(
  request: FastifyRequest,
  { returnTo, appState }: Pick<LoginState, "returnTo" | "appState">,
  outcome: { code: string } | { error: OidcError },
): Answer {
  const fragment = new URLSearchParams({ ...outcome, ...(appState !== undefined && { state: appState }) });
  return redirect(`${returnTo}#${fragment}`, setCookie(request, COOKIE, "", 0));
}

function redirect(location: string, cookie: string): Answer {
  return { status: 302, headers: { ...NO_STORE, location, "set-cookie": cookie }, body: "" };
}

function wrongParameters(isAddress: boolean, isChallenge: boolean) {
  const address = "return_to must be an address of the app: on this service's own origin, or on one of CORS_ORIGINS.";
  return httpErrors.badParameters([
    ...(isAddress ? [{ parameter: "return_to", code: "BAD_PARAMETER", detail: address }] : []),
    ...(isChallenge ? [{ parameter: "code_challenge", code: "BAD_PARAMETER", detail: "code_challenge is needed." }] : []),
  ]);
}

function line(maxLength: number, pattern: RegExp, expects: string): Parameter<string> {
  return {
    expects,
    schema: { type: "string", maxLength },
    read: (given) => (given.length <= maxLength && pattern.test(given) ? given : undefined),
    readSeveral: () => undefined, // two addresses would be one with a comma
  };
}
