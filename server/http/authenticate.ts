import type { FastifyReply, FastifyRequest } from "fastify";
import { ACTIVITY_HEADER } from "../../core/contract/people.ts";
import { allows, type Needed } from "../../core/contract/scopes.ts";
import { type Awaitable, whenThere } from "../engine/script/awaitable.ts";
import { actorOf, type Session, type Tokens } from "../people/auth/access-tokens.ts";
import { bareId, type Keys, MAX_ID } from "../people/auth/api-keys.ts";
import { createAttempts, MOST_OF_SOURCE, WINDOW_SECONDS } from "../people/auth/login-attempts.ts";
import { createRateLimiter, type RateLimiter } from "../people/auth/rate-limit.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { sourceOf } from "../people/auth/source-address.ts";
import { type HttpError, httpErrors, WRONG_KEY } from "./errors.ts";
import { limitErrors } from "./limits.ts";

export interface Authenticator {
  /**
   * Returns the session of the request's bearer token. Throws as RFC 6750 demands: 401 without a token or with a bad one, 403 when
   * its scope is too small; and 429 when its key sends too many requests. Sets the RateLimit header fields of the reply
   * (draft-ietf-httpapi-ratelimit-headers). `isUse`: whether it shows that a person is there; no, unless given.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply, needed: readonly Needed[], isUse?: boolean): Awaitable<Session>;
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i; // RFC 6750 section 2.1; the scheme in upper or lower case (RFC 9110 section 11.1)

/** Makes a 403, and writes a line in the log. */
export function scopeError(request: FastifyRequest, session: Session, missing: readonly Needed[]): HttpError {
  logSecurityEvent(request, "access refused", { principal: actorOf(session), missing: missing.join(" ") });
  return httpErrors.insufficientScope(missing.join(" "));
}

/** Throws 403 with all that the session's scope lacks of `needed`. */
export function requireScopes(request: FastifyRequest, session: Session, needed: readonly Needed[]): void {
  const missing = needed.filter((one) => !allows(session.scope, one));
  if (missing.length > 0) throw scopeError(request, session, missing);
}

/**
 * Says whether a request shows that a person does something, as its client says. Throws 400 for an Intake-Activity that means nothing. A
 * client that leaves it out keeps its own session alive with each request: the limit protects people who have left, not against clients.
 */
export function showsUse({ headers }: FastifyRequest): boolean {
  const given = headers[ACTIVITY_HEADER.toLowerCase()];
  if (given !== undefined && given !== "background") throw httpErrors.badHeader(ACTIVITY_HEADER, "It is background, or left out.");
  return given === undefined;
}

/** Returns the session of a request's bearer token at this moment; undefined when it has none that is valid. */
export async function currentSession(tokens: Tokens, request: FastifyRequest): Promise<Session | undefined> {
  const token = tokenIn(request);
  return token ? (tokens.recall(token) ?? (await tokens.verify(token))) : undefined;
}

/** Returns undefined without bearer authorization, empty for one that is malformed. */
function tokenIn({ headers: { authorization = "" } }: FastifyRequest): string | undefined {
  return /^Bearer(?: |$)/i.test(authorization) ? (BEARER.exec(authorization)?.[1] ?? "") : undefined;
}

export function createAuthenticator(tokens: Tokens, rate: RateLimiter, keys: Pick<Keys, "touch">): Authenticator {
  const reject = createKeyRejection();
  const window = Math.max(1, Math.ceil(rate.burst / rate.perSecond)); // seconds in which an empty bucket fills
  const policy = `"key";q=${rate.burst};w=${window}`;
  function allowed(request: FastifyRequest, reply: FastifyReply, session: Session, needed: readonly Needed[]): Session {
    const { left, wait } = rate.take(session.limitedAs);
    const full = wait || Math.ceil((rate.burst - left) / rate.perSecond);
    reply.header("RateLimit-Policy", policy).header("RateLimit", `"key";r=${left};t=${full}`);
    if (wait > 0) throw limitErrors.tooManyRequests(wait, rate.perSecond);
    requireScopes(request, session, needed);
    return session;
  }
  /** Notes it also for a token that is remembered, and for what is refused then: whoever has stolen it shows where. */
  function noteUse({ principal, isLent }: Session, request: FastifyRequest): void {
    if (!isLent && principal.type === "key") keys.touch(principal.id, sourceOf(request.ip));
  }
  return {
    authenticate(request, reply, needed, isUse = false) {
      const token = tokenIn(request);
      if (token === undefined) throw httpErrors.unauthenticated();
      const found = token === "" ? undefined : (tokens.recall(token) ?? tokens.verify(token)); // most are remembered
      return whenThere(found, (session) => {
        if (!session) throw reject(request, token);
        noteUse(session, request);
        if (isUse) tokens.touch(session);
        return allowed(request, reply, session, needed);
      });
    },
  };
}

/**
 * Makes the answer to a token that means nothing. Whole API keys that are wrong are counted by source and id, and logged once a minute for
 * each source. They were verified before, so nobody can lock out a right one (decision 201).
 */
function createKeyRejection(): (request: FastifyRequest, token: string) => HttpError {
  const bySource = createAttempts(undefined, MOST_OF_SOURCE);
  const byKey = createAttempts();
  const lines = createRateLimiter(1 / WINDOW_SECONDS, 1);
  return (request, token) => {
    if (!token.startsWith("ink_")) return httpErrors.invalidToken();
    const source = sourceOf(request.ip);
    if (lines.take(source).wait === 0) logSecurityEvent(request, "key refused");
    const wait = Math.max(bySource.fail([source]), byKey.fail([`${source} ${bareId(token).slice(0, MAX_ID)}`]));
    return wait > 0 ? httpErrors.tooManyAttempts(wait) : httpErrors.invalidToken(WRONG_KEY);
  };
}
