// Proving again who one is, before one gets what lasts longer than a session (proof-check.ts).

import type { FastifyRequest } from "fastify";
import type { PasskeyAssertion } from "../../core/contract/passkeys.ts";
import { API_ROOT, ME_PATH } from "../../core/contract/paths.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, object, type Schema } from "../http/json-schemas.ts";
import { optional, readFields, text } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import { limitOfPerson } from "./auth/guesses.ts";
import { verifyPassword } from "./auth/passwords.ts";
import { isPasswordTooWeak, proofWaysOf } from "./auth/proof-check.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { takeCode } from "./oidc.ts";
import { ASSERTION, assertion } from "./passkey-fields.ts";
import { checkPasskey } from "./passkey-sign-in.ts";
import type { PasskeyParts } from "./passkeys.ts";
import { personOf } from "./persons.ts";
import type { StoredUser } from "./store/users.ts";

export interface ProofRouteParts extends PasskeyParts {
  /** Says whether there is the organisation's own sign-in. */
  hasOidc: boolean;
}

/** One of the ways to prove it. */
interface GivenProof {
  password: string | undefined;
  passkey: PasskeyAssertion | undefined;
  code: string | undefined;
  code_verifier: string | undefined;
}

const TEXT: Schema = { type: "string" };

export function proofRoute(parts: ProofRouteParts): Route {
  const { people, guesses, isRequired, hasOidc } = parts;
  return {
    url: `${API_ROOT}${ME_PATH}/proof`,
    GET: {
      scope: "person",
      isBeforePasskey: true,
      doc: {
        id: "proof_ways",
        summary: "With what one can prove again who one is. None: only signing out and in again does",
        responses: { 200: object({ ways: listOf({ enum: ["password", "passkey", "oidc"] }) }) },
      },
      async handle(_, session) {
        const user = await personOf(people, session);
        const canUseOidc = hasOidc && (await people.hasIdentity(user.id));
        return jsonAnswer(200, { ways: proofWaysOf(user, isRequired, canUseOidc) }, NO_STORE);
      },
    },
    POST: {
      scope: "person",
      isBeforePasskey: true,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "prove_me",
        summary:
          "Proves again who one is, by password, passkey, or the code from /v1/oidc/start and its code_verifier: for ten minutes one may then get or give what lasts, such as an API key or a role",
        headers: ["Origin"],
        body: { ...object({ password: TEXT, passkey: ASSERTION, code: TEXT, code_verifier: TEXT }, []), additionalProperties: false },
        responses: { 204: null },
        errors: [422],
      },
      async handle(request, session) {
        const given = readFields(request.body, {
          password: optional(text("password", 1_000)),
          passkey: optional(assertion),
          code: optional(text("code", 100)),
          code_verifier: optional(text("code_verifier", 128)),
        });
        const user = await personOf(people, session);
        let wrong: ProblemDetail | undefined;
        const isProved = await guesses.run([limitOfPerson(user.id)], async (rank) => {
          wrong = await problemOf(parts, request, user, given, rank);
          return wrong ? undefined : true;
        });
        if (!isProved) {
          logSecurityEvent(request, "proof refused", { principal: session.principal });
          throw httpErrors.validation(wrong ? [wrong] : []);
        }
        await people.proveSession(session.sessionId ?? "", Date.now(), given.passkey !== undefined);
        return emptyAnswer(204);
      },
    },
  };
}

async function problemOf(
  parts: PasskeyParts,
  request: FastifyRequest,
  user: StoredUser,
  { password = "", passkey, code, code_verifier = "" }: GivenProof,
  rank: number,
): Promise<ProblemDetail | undefined> {
  if (code !== undefined) {
    const isOwn = (await takeCode(parts.people, code, code_verifier))?.id === user.id;
    const detail = "This sign-in was not yours, or its code was used or is too old.";
    return isOwn ? undefined : { pointer: "/code", code: "CODE_INVALID", detail };
  }
  if (passkey) {
    const detail = "This passkey is not yours, or cannot be used here.";
    return (await checkPasskey(parts, request, passkey, user.id)) ? undefined : { pointer: "/passkey", code: "PASSKEY_REFUSED", detail };
  }
  if (isPasswordTooWeak(user, parts.isRequired))
    return { pointer: "/password", code: "PASSKEY_NEEDED", detail: "Here your passkey is needed, not your password." };
  const isRight = await verifyPassword(user.password ?? undefined, password, rank);
  return isRight ? undefined : { pointer: "/password", code: "WRONG_PASSWORD", detail: "This is not your current password." };
}
