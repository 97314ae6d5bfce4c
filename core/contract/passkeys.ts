// Passkeys (WebAuthn level 3) on the wire. All bytes are base64url without padding, as browsers' toJSON() writes them.

/** One of the caller's own passkeys. */
export interface Passkey {
  id: string;
  name: string;
  /** Says whether a provider keeps copies of it, so that it outlives the device. */
  isSynced: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}

/** PublicKeyCredentialRequestOptionsJSON, as far as the service uses it. */
export interface PasskeyRequest {
  challenge: string;
  /** Milliseconds. */
  timeout: number;
  rpId: string;
  userVerification: "required";
}

/** PublicKeyCredentialCreationOptionsJSON, as far as the service uses it. */
export interface PasskeyCreation {
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  /** Milliseconds. */
  timeout: number;
  excludeCredentials: { type: "public-key"; id: string; transports: string[] }[];
  authenticatorSelection: { residentKey: "required"; requireResidentKey: true; userVerification: "required" };
  attestation: "none";
}

/** Holds how the browser answers a PasskeyRequest: AuthenticationResponseJSON. What the service does not use may be there as well. */
export interface PasskeyAssertion {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string };
}

/** Holds how the browser answers a PasskeyCreation: RegistrationResponseJSON. */
export interface PasskeyAttestation {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

export const MOST_PASSKEYS = 20; // of one person
