// Who sends this request, and may they: the bearer token of RFC 6750 to a session. Knows no collection.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Session, Tokens } from "../auth/access-tokens.ts";
import type { Rate } from "../auth/rate-limit.ts";
import { mayDo, type Scope } from "../auth/scopes.ts";
import { httpErrors } from "./errors.ts";

export interface Authenticator {
  /**
   * Throws the refusal that RFC 6750 asks for: 401 without or with a bad token, 403 when its scope is too little; and 429
   * when its key asks too often. Says on the reply how often it may still ask (draft-ietf-httpapi-ratelimit-headers).
   */
  authenticate(request: FastifyRequest, reply: FastifyReply, scope: Scope): Promise<Session>;
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i; // RFC 6750 section 2.1; the scheme in any case (RFC 9110 section 11.1)

export function createAuthenticator(tokens: Tokens, rate: Rate): Authenticator {
  const window = Math.max(1, Math.ceil(rate.burst / rate.perSecond)); // seconds in which an empty bucket fills
  const policy = `"key";q=${rate.burst};w=${window}`;
  return {
    async authenticate(request, reply, scope) {
      const { authorization } = request.headers;
      if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) throw httpErrors.unauthenticated();
      const token = BEARER.exec(authorization)?.[1];
      const session = token === undefined ? undefined : (tokens.recall(token) ?? (await tokens.verify(token)));
      if (!session) throw httpErrors.invalidToken();
      const { left, wait } = rate.take(session.keyId);
      const full = wait || Math.ceil((rate.burst - left) / rate.perSecond);
      reply.header("RateLimit-Policy", policy).header("RateLimit", `"key";r=${left};t=${full}`);
      if (wait > 0) throw httpErrors.tooManyRequests(wait, rate.perSecond);
      if (!mayDo(session.scope, scope)) throw httpErrors.insufficientScope(scope);
      return session;
    },
  };
}
