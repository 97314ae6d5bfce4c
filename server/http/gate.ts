// Who sends this request, and may they: the bearer token of RFC 6750 to a session. Knows no collection.

import type { FastifyRequest } from "fastify";
import { mayDo, type Scope } from "../auth/scopes.ts";
import type { Session, Tokens } from "../auth/tokens.ts";
import { insufficientScope, invalidToken, unauthenticated } from "./refusal.ts";

export interface Gate {
  /** Throws the refusal that RFC 6750 asks for: 401 without or with a bad token, 403 when its scope is too little. */
  admit(request: FastifyRequest, scope: Scope): Promise<Session>;
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i; // RFC 6750 section 2.1; the scheme in any case (RFC 9110 section 11.1)

export function createGate(tokens: Tokens): Gate {
  return {
    async admit(request, scope) {
      const { authorization } = request.headers;
      if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) throw unauthenticated();
      const token = BEARER.exec(authorization)?.[1];
      const session = token === undefined ? undefined : await tokens.verify(token);
      if (!session) throw invalidToken();
      if (!mayDo(session.scope, scope)) throw insufficientScope(scope);
      return session;
    },
  };
}
