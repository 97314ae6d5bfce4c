// Checks that somebody has just shown who they are, before they get anything that outlives their session.

import type { ProofWay } from "../../../core/contract/people.ts";
import type { People } from "../store/people.ts";
import type { StoredUser } from "../store/users.ts";
import type { Session } from "./access-tokens.ts";
import type { Sessions } from "./sessions.ts";

const PROOF_MS = 600_000;

/**
 * Throws 403 PROOF_NEEDED unless the person signed in, or proved who they are, in the last ten minutes. Every route calls it that gives
 * lasting access: a key, a passkey, a webhook, a role, an account, a link or an address. A sign-in with the organisation's own sign-in
 * counts as any other.
 *
 * `more`: so many ms longer, for what was asked for while the proof held.
 *
 * A program passes: it has nothing to prove with besides its key, and that key is the lasting access already.
 */
export type CheckProof = (session: Session, more?: number) => Promise<void>;

export interface ProofParts {
  people: People;
  sessions: Sessions;
  /** REQUIRE_PASSKEY */
  isRequired: boolean;
  /** Makes what is thrown. */
  proofNeeded: () => Error;
}

export function createProofCheck({ people, sessions, isRequired, proofNeeded }: ProofParts): CheckProof {
  return async ({ principal, sessionId }, more = 0) => {
    if (principal.type === "key") return;
    const session = (await sessions.list(principal.id)).find(({ id }) => id === sessionId);
    const isRecent = session !== undefined && Date.now() - session.provedAt <= PROOF_MS + more;
    const user = await people.readUser(principal.id);
    if (!isRecent || !user || (session.method === "password" && isPasswordTooWeak(user, isRequired))) throw proofNeeded();
  };
}

/** Where passkeys are compulsory, a password proves nothing about somebody who has one. */
export function isPasswordTooWeak({ passkeys }: StoredUser, isRequired: boolean): boolean {
  return isRequired && passkeys > 0;
}

/** Lists with what the person can prove who they are; none where only signing out and in again does. */
export function proofWaysOf(user: StoredUser, isRequired: boolean, canUseOidc: boolean): ProofWay[] {
  const can: Record<ProofWay, boolean> = {
    password: user.password !== null && !isPasswordTooWeak(user, isRequired),
    passkey: user.passkeys > 0,
    oidc: canUseOidc,
  };
  return (Object.keys(can) as ProofWay[]).filter((way) => can[way]);
}
