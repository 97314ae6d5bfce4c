// Reads what browsers send of passkeys from a body. Only its form is checked here; what is inside, later.

import type { PasskeyAssertion, PasskeyAttestation } from "../../core/contract/passkeys.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { listOf, object, type Schema } from "../http/json-schemas.ts";
import type { FieldReader } from "../http/read-fields.ts";

const MOST_CHARACTERS = 40_000; // of one field; with the attestation of a security key some thousand
const BYTES: Schema = { type: "string", description: "base64url without padding" };
const COMMON = { id: BYTES, rawId: BYTES, type: { const: "public-key" } };

export const ASSERTION: Schema = {
  ...object(
    {
      ...COMMON,
      response: object({ clientDataJSON: BYTES, authenticatorData: BYTES, signature: BYTES, userHandle: BYTES }, [
        "clientDataJSON",
        "authenticatorData",
        "signature",
      ]),
    },
    ["id", "rawId", "type", "response"],
  ),
  description: "What the browser answered, as its toJSON() says it (AuthenticationResponseJSON).",
};

export const ATTESTATION: Schema = {
  ...object(
    {
      ...COMMON,
      response: object({ clientDataJSON: BYTES, attestationObject: BYTES, transports: listOf({ type: "string" }) }, [
        "clientDataJSON",
        "attestationObject",
      ]),
    },
    ["id", "rawId", "type", "response"],
  ),
  description: "What the browser answered, as its toJSON() says it (RegistrationResponseJSON).",
};

export const assertion: FieldReader<PasskeyAssertion> = (given) => {
  const { id, rawId, response } = partsOf(given);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const isWhole =
    [id, rawId, clientDataJSON, authenticatorData, signature].every(isBytes) && (userHandle === undefined || isBytes(userHandle));
  if (!isWhole) return { problem: "This must be what the browser answered to the options: an AuthenticationResponseJSON." };
  return {
    value: { id, rawId, type: "public-key", response: { clientDataJSON, authenticatorData, signature, userHandle } } as PasskeyAssertion,
  };
};

export const attestation: FieldReader<PasskeyAttestation> = (given) => {
  const { id, rawId, response } = partsOf(given);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const isWhole = [id, rawId, clientDataJSON, attestationObject].every(isBytes) && isTransports(transports);
  if (!isWhole) return { problem: "This must be what the browser answered to the options: a RegistrationResponseJSON." };
  return { value: { id, rawId, type: "public-key", response: { clientDataJSON, attestationObject, transports } } as PasskeyAttestation };
};

function partsOf(given: unknown): { id: unknown; rawId: unknown; response: Record<string, unknown> } {
  const { id, rawId, type, response } = isObject(given) ? given : {};
  return { id: type === "public-key" ? id : undefined, rawId, response: isObject(response) ? response : {} };
}

function isBytes(value: unknown): value is string {
  return typeof value === "string" && value.length <= MOST_CHARACTERS && /^[\w-]+$/.test(value);
}

function isTransports(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 10 && value.every((one) => typeof one === "string" && /^[a-z-]{1,20}$/.test(one));
}
