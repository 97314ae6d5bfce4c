// Proving again who one is, before one's own passkeys are changed.

import type { FastifyRequest } from "fastify";
import type { PasskeyAssertion } from "../../../core/contract/passkeys.ts";
import { API_ROOT, ME_PATH } from "../../../core/contract/paths.ts";
import type { ProblemDetail } from "../../../core/contract/problems.ts";
import type { Session } from "../../auth/access-tokens.ts";
import { limitOfPerson } from "../../auth/guesses.ts";
import { verifyPassword } from "../../auth/passwords.ts";
import { logSecurityEvent } from "../../auth/security-events.ts";
import { httpErrors } from "../../http/errors.ts";
import { object } from "../../http/json-schemas.ts";
import { readParameters } from "../../http/query-parameters.ts";
import { emptyAnswer } from "../../http/responses.ts";
import { JSON_TYPE, type Route } from "../../http/route.ts";
import type { StoredUser } from "../../store/people/users.ts";
import { optional, readFields, text } from "../read-fields.ts";
import { personOf } from "./me.ts";
import { ASSERTION, assertion } from "./passkey-fields.ts";
import { checkPasskey } from "./passkey-sign-in.ts";
import type { PasskeyParts } from "./passkeys.ts";

const PROOF_MS = 600_000;

type ProofParts = Pick<PasskeyParts, "sessions" | "isRequired">;

/** Where passkeys are compulsory, a password proves nothing about somebody who has one. */
const isTooWeak = ({ isRequired }: ProofParts, { passkeys }: StoredUser) => isRequired && passkeys > 0;

/** Throws 403 unless the person signed in, or proved who they are, in the last ten minutes and `more` ms. */
export async function rejectWithoutProof(parts: ProofParts, user: StoredUser, { sessionId }: Session, more = 0): Promise<void> {
  const session = (await parts.sessions.list(user.id)).find(({ id }) => id === sessionId);
  const isRecent = session !== undefined && Date.now() - session.provedAt <= PROOF_MS + more;
  if (!isRecent || (session.method === "password" && isTooWeak(parts, user))) throw httpErrors.proofNeeded();
}

export function proofRoute(parts: PasskeyParts): Route {
  const { people, guesses, limits } = parts;
  return {
    url: `${API_ROOT}${ME_PATH}/proof`,
    POST: {
      scope: "person",
      isBeforePasskey: true,
      acceptedTypes: [JSON_TYPE],
      bodyLimit: limits.recordBytes,
      doc: {
        id: "prove_me",
        summary: "Proves again who one is, by password or passkey: for ten minutes one may then change one's own passkeys",
        headers: ["Origin"],
        body: { ...object({ password: { type: "string" }, passkey: ASSERTION }, []), additionalProperties: false },
        responses: { 204: null },
        errors: [422],
      },
      async handle(request, session) {
        readParameters(request.query, {});
        const given = readFields(request.body, { password: optional(text("password", 1_000)), passkey: optional(assertion) });
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
  { password = "", passkey }: { password: string | undefined; passkey: PasskeyAssertion | undefined },
  rank: number,
): Promise<ProblemDetail | undefined> {
  if (passkey) {
    const detail = "This passkey is not yours, or cannot be used here.";
    return (await checkPasskey(parts, request, passkey, user.id)) ? undefined : { pointer: "/passkey", code: "PASSKEY_REFUSED", detail };
  }
  if (isTooWeak(parts, user))
    return { pointer: "/password", code: "PASSKEY_NEEDED", detail: "Here your passkey is needed, not your password." };
  const isRight = await verifyPassword(user.password ?? undefined, password, rank);
  return isRight ? undefined : { pointer: "/password", code: "WRONG_PASSWORD", detail: "This is not your current password." };
}
