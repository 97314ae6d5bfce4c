// An authenticator in software: it makes real passkeys and real signatures (ES256), as WebAuthn level 3 says it.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { PasskeyAssertion, PasskeyAttestation } from "../../core/contract/passkeys.ts";

export interface MadePasskey {
  id: string;
  userHandle: string;
  key: KeyObject;
}

/** Says what a test bends. */
export interface Bent {
  /** The page, as the browser writes it into what is signed. */
  origin?: string;
  rpId?: string;
  /** A signature by another key. */
  key?: KeyObject;
  counter?: number;
  userHandle?: string;
  isVerified?: boolean;
  isSynced?: boolean;
  /** The id of a passkey that is there already. */
  credential?: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const SYNCED = 0x18; // may be synced, and is
const HAS_CREDENTIAL = 0x40;

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

/** CBOR (RFC 8949) of what an attestation holds. */
function encode(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap((pair) => pair.map(encode))]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256 ? Buffer.from([(major << 5) | 24, length]) : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

function clientData(type: "create" | "get", challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
}

function authenticatorData(rpId: string, counter: number, more: number, { isVerified = true, isSynced = false }: Bent): Buffer {
  const fixed = Buffer.alloc(5);
  fixed.writeUInt8(PRESENT | (isVerified ? VERIFIED : 0) | (isSynced ? SYNCED : 0) | more);
  fixed.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), fixed]);
}

/** Returns what `navigator.credentials.create` would answer to these options on a page of `origin`. */
export function makePasskey(
  options: { challenge: string; rp: { id: string }; user: { id: string } },
  origin: string,
  bent: Bent = {},
): { passkey: MadePasskey; answer: PasskeyAttestation } {
  const { privateKey: key, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credential = bent.credential ? Buffer.from(bent.credential, "base64url") : randomBytes(16);
  const cose = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  const length = Buffer.from([0, credential.length]);
  const known = authenticatorData(bent.rpId ?? options.rp.id, bent.counter ?? 0, HAS_CREDENTIAL, bent);
  const authData = Buffer.concat([known, Buffer.alloc(16), length, credential, encode(cose)]);
  const attestation = new Map<string, Cbor>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]);
  const id = base64(credential);
  const response = {
    clientDataJSON: base64(clientData("create", options.challenge, bent.origin ?? origin)),
    attestationObject: base64(encode(attestation)),
    transports: ["internal"],
  };
  return { passkey: { id, userHandle: options.user.id, key }, answer: { id, rawId: id, type: "public-key", response } };
}

/** Returns what `navigator.credentials.get` would answer to these options on a page of `origin`. */
export function signWithPasskey(
  { id, userHandle, key }: MadePasskey,
  options: { challenge: string; rpId: string },
  origin: string,
  bent: Bent = {},
): PasskeyAssertion {
  const data = clientData("get", options.challenge, bent.origin ?? origin);
  const signed = authenticatorData(bent.rpId ?? options.rpId, bent.counter ?? 0, 0, bent);
  const signature = sign("sha256", Buffer.concat([signed, sha256(data)]), bent.key ?? key);
  const response = { clientDataJSON: base64(data), authenticatorData: base64(signed), signature: base64(signature) };
  return { id, rawId: id, type: "public-key", response: { ...response, userHandle: bent.userHandle ?? userHandle } };
}
