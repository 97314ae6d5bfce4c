// Passkeys (WebAuthn level 3): how one is made, and how one proves who somebody is.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { PasskeyAssertion, PasskeyAttestation, PasskeyCreation, PasskeyRequest } from "../../../../core/contract/passkeys.ts";
import type { MasterSecrets } from "../../../engine/secrets/master-secrets.ts";
import type { StoredNotice } from "../../store/notices.ts";
import type { PasskeyUse, StoredPasskey, UsedPasskey } from "../../store/passkeys.ts";
import type { People } from "../../store/people.ts";
import type { StoredUser } from "../../store/users.ts";
import { newNotice } from "../notices.ts";
import { randomId } from "../random-codes.ts";
import { authenticatorName } from "./authenticator-names.ts";
import { CHALLENGE_MS, createChallenges, usedChallenge } from "./challenges.ts";

/** The page that asks for a passkey: its origin, and the host name that the passkey belongs to (RP ID). */
export interface RelyingParty {
  origin: string;
  rpId: string;
}

/** Says why a passkey was refused: for the log, never for whoever sent it. `invalid`: signature, challenge, origin or host are wrong. */
export type WhyRefused = Exclude<UsedPasskey, StoredUser> | "invalid";

export type PasskeyProof = { user: StoredUser; passkeyId: string } | { refused: WhyRefused; passkeyId?: string };

export interface Passkeys {
  /** Says what the browser needs to sign in: no names, so it offers every passkey that it has for this host. */
  request(party: RelyingParty): PasskeyRequest;
  /** Says whose passkey this is. The answer is used up. */
  verify(answer: PasskeyAssertion, party: RelyingParty): Promise<PasskeyProof>;
  /** Says what the browser needs to make a passkey. It is for this session, and only while the person has the passkeys of now. */
  creation(user: StoredUser, session: string, party: RelyingParty): Promise<PasskeyCreation>;
  /**
   * Adds the passkey that the browser made, from the session that asked for it, and what its owner is told of it. `by`: the session and
   * the network that it is added from.
   */
  add(
    user: StoredUser,
    by: { session: string; source: string },
    answer: PasskeyAttestation,
    party: RelyingParty,
    name?: string,
  ): Promise<NewPasskey>;
}

/** `ended`: the session has ended meanwhile. */
export type NewPasskey = { passkey: StoredPasskey; notice: StoredNotice } | "refused" | "ended";

const SERVICE = "Intake";
const ALGORITHMS = [-8, -7, -257]; // EdDSA, ES256, RS256 (RFC 8152, RFC 8812): between them, every authenticator
const NO_EXTENSIONS = { clientExtensionResults: {} };

/** It is loaded with the first passkey: a service without one does without. */
const webauthn = () => import("@simplewebauthn/server");

export function createPasskeys(people: People, secrets: MasterSecrets): Passkeys {
  const challenges = createChallenges(secrets);
  return {
    request: ({ rpId }) => ({ challenge: challenges.create(["use", rpId]), timeout: CHALLENGE_MS, rpId, userVerification: "required" }),
    async verify(answer, party) {
      const passkey = await people.readPasskey(answer.id);
      if (!passkey || passkey.rpId !== party.rpId || !isOf(passkey.userId, answer)) return { refused: "unknown" };
      const passkeyId = passkey.id;
      const signed = await readAssertion(answer, passkey, party, (challenge) => challenges.isValid(challenge, ["use", party.rpId]));
      if (!signed) return { refused: "invalid", passkeyId };
      const user = await people.takePasskey(signed.use, usedChallenge(signed.challenge), Date.now());
      return typeof user === "string" ? { refused: user, passkeyId } : { user, passkeyId };
    },
    async creation(user, session, { rpId }) {
      const all = await people.listPasskeys(user.id);
      const own = all.filter((passkey) => passkey.rpId === rpId);
      return {
        rp: { id: rpId, name: SERVICE },
        user: { id: toBase64(user.id), name: user.email, displayName: user.name },
        challenge: challenges.create(purposeOf(rpId, user, session, all)),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
        timeout: CHALLENGE_MS,
        excludeCredentials: own.map(({ credential, transports }) => ({ type: "public-key", id: credential, transports })),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        attestation: "none",
      };
    },
    async add(user, { session, source }, answer, party, name) {
      const all = await people.listPasskeys(user.id);
      const purpose = purposeOf(party.rpId, user, session, all);
      const made = await readAttestation(answer, party, (challenge) => challenges.isValid(challenge, purpose));
      if (!made) return "refused";
      const now = Date.now();
      const shown = name ?? made.name ?? `Passkey ${new Date(now).toISOString().slice(0, 10)}`;
      const passkey = { ...made.passkey, id: randomId(), userId: user.id, name: shown, createdAt: now, lastUsedAt: null };
      const notice = newNotice("passkey", user.id, source, shown);
      const known = all.map(({ id }) => id);
      const outcome = await people.addPasskey(passkey, session, usedChallenge(made.challenge), known, notice);
      return outcome === "done" ? { passkey, notice } : outcome;
    },
  };
}

/**
 * Returns what a challenge for a new passkey is good for. Once the person has another passkey, or one less, nobody can use what was asked
 * for before: where passkeys are compulsory, a session without one must not add a second.
 */
function purposeOf(rpId: string, { id }: StoredUser, session: string, own: readonly StoredPasskey[]): string[] {
  return ["add", rpId, id, session, ...own.map((passkey) => passkey.id).sort()];
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** A passkey says whose it is; the specification wants it compared (section 7.2, step 6). */
function isOf(userId: string, { response: { userHandle } }: PasskeyAssertion): boolean {
  return userHandle === undefined || userHandle === toBase64(userId);
}

/** Returns undefined for an answer that is not right. The counter is compared by the store, so that two answers at once cannot both pass. */
async function readAssertion(
  answer: PasskeyAssertion,
  { credential, publicKey }: StoredPasskey,
  { origin, rpId }: RelyingParty,
  isValid: (challenge: string) => boolean,
): Promise<{ use: PasskeyUse; challenge: string } | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  let challenge = "";
  const expectedChallenge = (given: string) => {
    challenge = given;
    return isValid(given);
  };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, ...NO_EXTENSIONS } as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credential, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    if (!verified) return undefined;
    const { newCounter: counter, credentialBackedUp: isSynced } = authenticationInfo;
    return { use: { credential, counter, isSynced }, challenge };
  } catch {
    return undefined; // the library throws for every answer that it does not take
  }
}

/** Says what the authenticator says of a new passkey. */
interface MadePasskey {
  passkey: Pick<StoredPasskey, "credential" | "rpId" | "publicKey" | "counter" | "transports" | "isSynced">;
  challenge: string;
  /** Names the authenticator, if it is a known one. */
  name: string | undefined;
}

/** Returns undefined for an answer that is not right. */
async function readAttestation(
  answer: PasskeyAttestation,
  { origin, rpId }: RelyingParty,
  isValid: (challenge: string) => boolean,
): Promise<MadePasskey | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  let challenge = "";
  const expectedChallenge = (given: string) => {
    challenge = given;
    return isValid(given);
  };
  try {
    const { verified, registrationInfo: made } = await verifyRegistrationResponse({
      response: { ...answer, ...NO_EXTENSIONS } as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return undefined;
    const { id: credential, publicKey, counter } = made.credential;
    const transports = answer.response.transports ?? [];
    const passkey = { credential, rpId, publicKey, counter, transports, isSynced: made.credentialBackedUp };
    return { passkey, challenge, name: authenticatorName(made.aaguid) };
  } catch {
    return undefined; // as above
  }
}
