// Sign-in of people, and their sessions.

import type { FastifyRequest } from "fastify";
import { API_ROOT, SESSIONS_PATH, SIGN_IN_PATH } from "../../../core/contract/paths.ts";
import { ACTIVITY_HEADER, type SessionReply, type SignInMethod, type SignInWays } from "../../../core/contract/people.ts";
import type { Accounts } from "../../auth/accounts.ts";
import { createAttempts, MOST_OF_SOURCE } from "../../auth/login-attempts.ts";
import type { Passkeys } from "../../auth/passkeys/passkeys.ts";
import type { RelyingPartyOf } from "../../auth/passkeys/relying-party.ts";
import { logSecurityEvent } from "../../auth/security-events.ts";
import { ACCESS_SECONDS, type IssuedTokens, type Sessions } from "../../auth/sessions.ts";
import { sourceOf } from "../../auth/source-address.ts";
import { showsUse } from "../../http/authenticate.ts";
import { preferredLanguage } from "../../http/content-negotiation.ts";
import { httpErrors } from "../../http/errors.ts";
import { named, nullable, object, type Schema } from "../../http/json-schemas.ts";
import type { Limits } from "../../http/limits.ts";
import { readParameters } from "../../http/query-parameters.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../../http/responses.ts";
import { JSON_TYPE, type Route } from "../../http/route.ts";
import type { People } from "../../store/people/people.ts";
import { foldEmail, type StoredUser } from "../../store/people/users.ts";
import type { Answer } from "../../store/store.ts";
import { flag, hasField, optional, readFields, text } from "../read-fields.ts";
import { takeCode } from "./oidc.ts";
import { ASSERTION } from "./passkey-fields.ts";
import { createPasskeySignIn } from "./passkey-sign-in.ts";
import { SIGN_UPS, secureFlag, toWireUser } from "./wire.ts";

/** Signs a person in and answers the tokens. */
export type StartSession = (request: FastifyRequest, user: StoredUser, method: SignInMethod, cookie: boolean) => Promise<Answer>;

const COOKIE = "intake_session";

export function createStartSession(sessions: Sessions, hours: number): StartSession {
  return async (request, user, method, cookie) => {
    const language = preferredLanguage(request.headers["accept-language"]);
    const from = { method, agent: request.headers["user-agent"] ?? "", source: sourceOf(request.ip), language };
    const issued = await sessions.start(user, from);
    if (!issued) throw httpErrors.wrongPassword();
    logSecurityEvent(request, "signed in", { principal: { type: "user", id: user.id }, method });
    return answer(request, issued, cookie, hours);
  };
}

/**
 * With a cookie no script can read the refresh token, and a reload stays signed in. It is sent to /v1/sessions alone, and never by
 * another site.
 */
function answer(
  request: FastifyRequest,
  { accessToken, refreshToken, idleSeconds, user }: IssuedTokens,
  cookie: boolean,
  hours: number,
): Answer {
  const reply: SessionReply = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: ACCESS_SECONDS,
    idle_seconds: idleSeconds,
    ...(!cookie && { refresh_token: refreshToken }),
    user: toWireUser(user),
  };
  return jsonAnswer(201, reply, { ...NO_STORE, ...(cookie && { "set-cookie": cookieOf(request, refreshToken, hours * 3_600) }) });
}

function cookieOf({ headers }: FastifyRequest, value: string, seconds: number): string {
  return `${COOKIE}=${value}; Path=${API_ROOT}${SESSIONS_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secureFlag(headers.host)}`;
}

/** A request with the cookie must also carry a field that no form and no other site can send without asking. */
function refreshTokenIn({ headers }: FastifyRequest): string {
  if (headers["intake-session"] !== "1") throw httpErrors.badHeader("Intake-Session", "Send Intake-Session: 1 with the cookie.");
  return new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(headers.cookie ?? "")?.[1] ?? "";
}

const TEXT: Schema = { type: "string" };
const COOKIE_FLAG: Schema = { type: "boolean", description: "The refresh token comes and goes as a cookie that no script can read." };

export interface SessionParts {
  people: People;
  accounts: Accounts;
  sessions: Sessions;
  startSession: StartSession;
  hours: number;
  limits: Limits;
  /** What else the sign-in page offers. */
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
      async handle(request) {
        readParameters(request.query, {});
        const [hasUsers, hasPasskeys] = [await people.hasUsers(), await people.hasPasskeys()];
        const offered: SignInWays = { hasUsers, hasPasskeys, ...offers };
        return jsonAnswer(200, offered, NO_STORE);
      },
    },
  };
}

const SIGN_IN: Schema = {
  ...object({ email: TEXT, password: TEXT, passkey: ASSERTION, code: TEXT, code_verifier: TEXT, cookie: COOKIE_FLAG }, []),
  additionalProperties: false,
};

function signInRoute(parts: SessionParts): Route {
  const { people, accounts, startSession, limits, isRequired } = parts;
  const bySource = createAttempts(undefined, MOST_OF_SOURCE);
  // By source and address together, so that nobody can lock a person out from elsewhere.
  const byAddress = createAttempts();
  const signInWithPasskey = createPasskeySignIn(parts, startSession, bySource);
  return {
    url: API_ROOT + SESSIONS_PATH,
    POST: {
      scope: "open",
      acceptedTypes: [JSON_TYPE],
      bodyLimit: limits.recordBytes,
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
        readParameters(request.query, {});
        if (hasField(request.body, "code")) return signInWithCode(request, people, startSession);
        if (hasField(request.body, "passkey")) return signInWithPasskey(request);
        const given = readFields(request.body, { email: text("email", 254), password: text("password", 1_000), cookie: optional(flag) });
        const source = sourceOf(request.ip);
        const address = `${source} ${foldEmail(given.email)}`;
        const wait = Math.max(bySource.wait([source]), byAddress.wait([address]));
        if (wait > 0) throw httpErrors.tooManySignIns(wait);
        const user = await accounts.signIn(given.email, given.password);
        if (user && isRequired && user.passkeys > 0) {
          logSecurityEvent(request, "sign-in refused", { target: user.id, reason: "password alone" });
          throw httpErrors.passkeyNeeded();
        }
        if (user) return startSession(request, user, "password", given.cookie ?? false);
        bySource.fail([source]);
        byAddress.fail([address]);
        logSecurityEvent(request, "sign-in refused");
        throw httpErrors.wrongPassword();
      },
    },
  };
}

async function signInWithCode(request: FastifyRequest, people: People, startSession: StartSession): Promise<Answer> {
  const fields = { code: text("code", 100), code_verifier: text("code_verifier", 128), cookie: optional(flag) };
  const { code, code_verifier, cookie = false } = readFields(request.body, fields);
  const user = await takeCode(people, code, code_verifier);
  if (user) return startSession(request, user, "oidc", cookie);
  logSecurityEvent(request, "sign-in refused");
  throw httpErrors.signInCodeInvalid();
}

function refreshRoute({ sessions, hours, limits }: SessionParts): Route {
  return {
    url: `${API_ROOT}${SESSIONS_PATH}/refresh`,
    POST: {
      scope: "open",
      acceptedTypes: [JSON_TYPE],
      bodyLimit: limits.recordBytes,
      doc: {
        id: "refresh_session",
        summary: "New tokens for a refresh token, which is then used up; one that was used before ends the session",
        headers: ["Intake-Session", ACTIVITY_HEADER],
        body: { ...object({ refresh_token: TEXT, cookie: COOKIE_FLAG }, []), additionalProperties: false },
        responses: { 201: named("IntakeSession") },
        sentHeaders: { 201: ["Set-Cookie?"] },
        errors: [401, 422],
      },
      async handle(request) {
        readParameters(request.query, {});
        const given = readFields(request.body, { refresh_token: optional(text("refresh_token", 200)), cookie: optional(flag) });
        const cookie = given.cookie ?? false;
        const issued = await sessions.refresh(cookie ? refreshTokenIn(request) : (given.refresh_token ?? ""), showsUse(request));
        if (!issued) {
          logSecurityEvent(request, "session refused");
          throw httpErrors.sessionEnded();
        }
        return answer(request, issued, cookie, hours);
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
      doc: {
        id: "sign_out",
        summary: "Ends the session of the access token",
        responses: { 204: null },
        sentHeaders: { 204: ["Set-Cookie"] },
      },
      async handle(request, { principal, sessionId }) {
        readParameters(request.query, {});
        if (sessionId !== undefined) await sessions.end(sessionId, principal.id);
        logSecurityEvent(request, "signed out", { principal });
        return emptyAnswer(204, { "set-cookie": cookieOf(request, "", 0) });
      },
    },
  };
}
