// Sign-in of people, and their sessions.

import type { FastifyRequest } from "fastify";
import { API_ROOT, SESSIONS_PATH, SIGN_IN_PATH } from "../../core/contract/paths.ts";
import { ACTIVITY_HEADER, type SessionReply, type SignInMethod, type SignInWays } from "../../core/contract/people.ts";
import type { Answer } from "../engine/store.ts";
import { showsUse } from "../http/authenticate.ts";
import { preferredLanguage } from "../http/content-negotiation.ts";
import { httpErrors } from "../http/errors.ts";
import { named, nullable, object, type Schema } from "../http/json-schemas.ts";
import { flag, hasField, optional, readFields, text } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { Accounts } from "./auth/accounts.ts";
import { type Guesses, limitOfName, limitOfSource } from "./auth/guesses.ts";
import { createAttempts, MOST_OF_SOURCE } from "./auth/login-attempts.ts";
import type { Notify } from "./auth/notices.ts";
import type { Passkeys } from "./auth/passkeys/passkeys.ts";
import type { RelyingPartyOf } from "./auth/passkeys/relying-party.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import type { IssuedTokens, Sessions } from "./auth/sessions.ts";
import { sourceOf } from "./auth/source-address.ts";
import { type Cookie, readCookie, setCookie } from "./cookies.ts";
import { takeCode } from "./oidc.ts";
import { ASSERTION } from "./passkey-fields.ts";
import { createPasskeySignIn } from "./passkey-sign-in.ts";
import { COOKIE_FLAG, SIGN_IN_OPTION_SCHEMAS, SIGN_IN_OPTIONS, type SignInOptions } from "./sign-in-options.ts";
import { foldEmail } from "./store/addresses.ts";
import type { People } from "./store/people.ts";
import type { StoredUser } from "./store/users.ts";
import { SIGN_UPS, toWireUser } from "./wire.ts";

/** Signs a person in and answers the tokens. */
export type StartSession = (request: FastifyRequest, user: StoredUser, method: SignInMethod, options: SignInOptions) => Promise<Answer>;

/**
 * With a cookie no script can read the refresh token, and a reload stays signed in. It is sent to /v1/sessions alone, and never by
 * another site.
 */
const COOKIE: Cookie = { name: "intake_session", path: API_ROOT + SESSIONS_PATH, sameSite: "Strict" };

export function createStartSession(sessions: Sessions, notify: Notify): StartSession {
  return async (request, user, method, { cookie = false, browser }) => {
    const language = preferredLanguage(request.headers["accept-language"]);
    const from = { method, agent: request.headers["user-agent"] ?? "", source: sourceOf(request.ip), language, browser };
    const issued = await sessions.start(user, from);
    if (!issued) throw httpErrors.wrongPassword();
    logSecurityEvent(request, "signed in", { principal: { type: "user", id: user.id }, method });
    notify(request, issued.user, issued.notice);
    return answer(request, issued, cookie);
  };
}

/** Neither the token nor the cookie is said to hold longer than it does. */
function answer(request: FastifyRequest, issued: IssuedTokens, cookie: boolean): Answer {
  const { accessToken, refreshToken, idleSeconds, user, accessSeconds, sessionSeconds } = issued;
  const reply: SessionReply = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: accessSeconds,
    idle_seconds: idleSeconds,
    ...(!cookie && { refresh_token: refreshToken }),
    user: toWireUser(user),
  };
  return jsonAnswer(201, reply, { ...NO_STORE, ...(cookie && { "set-cookie": setCookie(request, COOKIE, refreshToken, sessionSeconds) }) });
}

/** A request with the cookie must also carry a field that no form and no other site can send without asking. */
function refreshTokenIn(request: FastifyRequest): string {
  if (request.headers["intake-session"] !== "1") throw httpErrors.badHeader("Intake-Session", "Send Intake-Session: 1 with the cookie.");
  return readCookie(request, COOKIE);
}

const TEXT: Schema = { type: "string" };

export interface SessionParts {
  people: People;
  accounts: Accounts;
  guesses: Guesses;
  sessions: Sessions;
  startSession: StartSession;
  /** Says what else the sign-in page offers. */
  offers: Pick<SignInWays, "signUp" | "canMailLinks" | "oidc">;
  passkeys: Passkeys;
  relyingPartyOf: RelyingPartyOf;
  /** REQUIRE_PASSKEY */
  isRequired: boolean;
}

export function sessionRoutes(parts: SessionParts): Route[] {
  return [signInWaysRoute(parts), signInRoute(parts), refreshRoute(parts), signOutRoute(parts)];
}

function signInWaysRoute({ people, offers }: SessionParts): Route {
  const ways = object({
    hasUsers: { type: "boolean", description: "Whether a person has an account; if not, API keys are the only way." },
    hasPasskeys: { type: "boolean", description: "Whether anybody has a passkey." },
    signUp: { enum: SIGN_UPS, description: "Whether somebody may ask for access (POST /v1/access-requests), and gets it at once." },
    canMailLinks: { type: "boolean", description: "Whether POST /v1/password-resets sends mail." },
    oidc: { ...nullable(object({ name: TEXT })), description: "The organisation's own sign-in (OpenID Connect), see /v1/oidc/start." },
  });
  return {
    url: API_ROOT + SIGN_IN_PATH,
    GET: {
      scope: "open",
      doc: { id: "sign_in_ways", summary: "The ways to sign in", responses: { 200: ways } },
      async handle() {
        const [hasUsers, hasPasskeys] = [await people.hasUsers(), await people.hasPasskeys()];
        const offered: SignInWays = { hasUsers, hasPasskeys, ...offers };
        return jsonAnswer(200, offered, NO_STORE);
      },
    },
  };
}

const SIGN_IN: Schema = {
  ...object({ email: TEXT, password: TEXT, passkey: ASSERTION, code: TEXT, code_verifier: TEXT, ...SIGN_IN_OPTION_SCHEMAS }, []),
  additionalProperties: false,
};

function signInRoute(parts: SessionParts): Route {
  const { accounts, guesses, startSession, isRequired } = parts;
  const signInWithPasskey = createPasskeySignIn(parts, startSession);
  return {
    url: API_ROOT + SESSIONS_PATH,
    POST: {
      scope: "open",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "sign_in",
        summary: "Signs a person in: with email and password, with a passkey, or with the code from /v1/oidc/start and its code_verifier",
        headers: ["Origin"],
        body: SIGN_IN,
        responses: { 201: named("IntakeSession") },
        sentHeaders: { 201: ["Set-Cookie?"] },
        errors: [401, 422, 429],
      },
      async handle(request) {
        if (hasField(request.body, "code")) return signInWithCode(request, parts);
        if (hasField(request.body, "passkey")) return signInWithPasskey(request);
        const given = readFields(request.body, { email: text("email", 254), password: text("password", 1_000), ...SIGN_IN_OPTIONS });
        const source = sourceOf(request.ip);
        const own = [limitOfName("password", source, foldEmail(given.email)), limitOfSource(source)];
        const user = await guesses.run(own, (rank) => accounts.signIn(given.email, given.password, rank));
        if (user && isRequired && user.passkeys > 0) {
          logSecurityEvent(request, "sign-in refused", { target: user.id, reason: "password alone" });
          throw httpErrors.passkeyNeeded();
        }
        if (user) return startSession(request, user, "password", given);
        logSecurityEvent(request, "sign-in refused");
        throw httpErrors.wrongPassword();
      },
    },
  };
}

async function signInWithCode(request: FastifyRequest, { people, guesses, startSession }: SessionParts): Promise<Answer> {
  const fields = { code: text("code", 100), code_verifier: text("code_verifier", 128), ...SIGN_IN_OPTIONS };
  const { code, code_verifier, ...options } = readFields(request.body, fields);
  const user = await guesses.run([limitOfSource(sourceOf(request.ip))], () => takeCode(people, code, code_verifier));
  if (user) return startSession(request, user, "oidc", options);
  logSecurityEvent(request, "sign-in refused");
  throw httpErrors.signInCodeInvalid();
}

/**
 * A right token is never locked out, as with API keys (decision 201): it has 256 random bits, and a wrong one for a session that goes on
 * ends it, so there is nothing to guess. Wrong ones are counted by their source, against noise.
 */
function refreshRoute({ sessions }: SessionParts): Route {
  const bySource = createAttempts(undefined, MOST_OF_SOURCE);
  return {
    url: `${API_ROOT}${SESSIONS_PATH}/refresh`,
    POST: {
      scope: "open",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "refresh_session",
        summary: "New tokens for a refresh token, which is then used up; one that was used before ends the session",
        headers: ["Intake-Session", ACTIVITY_HEADER],
        body: { ...object({ refresh_token: TEXT, cookie: COOKIE_FLAG }, []), additionalProperties: false },
        responses: { 201: named("IntakeSession") },
        sentHeaders: { 201: ["Set-Cookie?"] },
        errors: [401, 422, 429],
      },
      async handle(request) {
        const given = readFields(request.body, { refresh_token: optional(text("refresh_token", 200)), cookie: optional(flag) });
        const cookie = given.cookie ?? false;
        const issued = await sessions.refresh(cookie ? refreshTokenIn(request) : (given.refresh_token ?? ""), showsUse(request));
        if (!issued) {
          const wait = bySource.fail([sourceOf(request.ip)]);
          if (wait > 0) throw httpErrors.tooManyFromSource(wait); // not logged: whoever sends them could fill the disk
          logSecurityEvent(request, "session refused");
          throw httpErrors.sessionEnded();
        }
        return answer(request, issued, cookie);
      },
    },
  };
}

function signOutRoute({ sessions }: SessionParts): Route {
  return {
    url: `${API_ROOT}${SESSIONS_PATH}/current`,
    DELETE: {
      scope: "person",
      isBeforePasskey: true,
      needsNoRight: true,
      endsView: true,
      doc: {
        id: "sign_out",
        summary: "Ends the session of the access token, or the look at the app as another person",
        responses: { 204: null },
        sentHeaders: { 204: ["Set-Cookie?"] },
      },
      async handle(request, { principal, sessionId, viewer }) {
        if (viewer) {
          const isEnded = await sessions.endView(sessionId ?? "", principal.id);
          if (isEnded) logSecurityEvent(request, "view ended", { principal: viewer, target: principal.id });
          return emptyAnswer(204);
        }
        if (sessionId !== undefined) await sessions.end(sessionId, principal.id);
        logSecurityEvent(request, "signed out", { principal });
        return emptyAnswer(204, { "set-cookie": setCookie(request, COOKIE, "", 0) });
      },
    },
  };
}
