// Signing in with a passkey.

import type { FastifyRequest } from "fastify";
import type { PasskeyAssertion } from "../../core/contract/passkeys.ts";
import type { Answer } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { readFields } from "../http/read-fields.ts";
import { type Guesses, limitOfName, limitOfSource } from "./auth/guesses.ts";
import type { PasskeyProof, Passkeys } from "./auth/passkeys/passkeys.ts";
import type { RelyingPartyOf } from "./auth/passkeys/relying-party.ts";
import { hashCode } from "./auth/random-codes.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import { assertion } from "./passkey-fields.ts";
import type { StartSession } from "./sessions.ts";
import { SIGN_IN_OPTIONS } from "./sign-in-options.ts";
import type { StoredUser } from "./store/users.ts";

export interface PasskeyCheck {
  passkeys: Passkeys;
  relyingPartyOf: RelyingPartyOf;
}

/** Says whose passkey this is; undefined if it is refused, or not that of `owner`. The log says which. */
export async function checkPasskey(
  { passkeys, relyingPartyOf }: PasskeyCheck,
  request: FastifyRequest,
  answer: PasskeyAssertion,
  owner?: string,
): Promise<StoredUser | undefined> {
  const party = relyingPartyOf(request);
  const proof: PasskeyProof = party ? await passkeys.verify(answer, party) : { refused: "invalid" };
  const user = "user" in proof && (owner === undefined || proof.user.id === owner) ? proof.user : undefined;
  logSecurityEvent(request, user ? "passkey used" : "passkey refused", {
    ...(user && { principal: { type: "user", id: user.id } }),
    ...(proof.passkeyId && { target: proof.passkeyId }),
    ...("refused" in proof && { reason: proof.refused }),
  });
  return user;
}

/** Refused passkeys count for their source like wrong passwords, and each for itself. */
export function createPasskeySignIn(
  check: PasskeyCheck & { guesses: Guesses },
  startSession: StartSession,
): (request: FastifyRequest) => Promise<Answer> {
  return async (request) => {
    const { passkey, ...options } = readFields(request.body, { passkey: assertion, ...SIGN_IN_OPTIONS });
    const source = sourceOf(request.ip);
    const limits = [limitOfName("passkey", source, hashCode(passkey.id).toString("hex")), limitOfSource(source)];
    const user = await check.guesses.run(limits, () => checkPasskey(check, request, passkey));
    if (user) return startSession(request, user, "passkey", options);
    throw httpErrors.passkeyRefused();
  };
}
