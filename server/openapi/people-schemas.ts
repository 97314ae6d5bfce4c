// Has JSON Schemas of what the API answers of people. Collections may have the plain names: these begin with Intake.

import { NOTICE_KINDS } from "../../core/contract/people.ts";
import { CONDITIONS } from "../access/role-conditions.ts";
import { OFFERED_LANGUAGES } from "../http/content-negotiation.ts";
import { listOf, named, nullable, object, SCOPE, type Schema, TIME } from "../http/json-schemas.ts";

const TEXT: Schema = { type: "string" };
const ATTRIBUTES: Schema = {
  type: "object",
  description: "By name, such as `regions`. Conditions of roles compare fields with them.",
  additionalProperties: listOf(TEXT),
};
const BYTES: Schema = { type: "string", description: "base64url without padding" };

export const PEOPLE_SCHEMAS: Record<string, Schema> = {
  IntakeUser: object({
    id: TEXT,
    email: TEXT,
    name: TEXT,
    roles: listOf(TEXT),
    status: { enum: ["invited", "active", "disabled"] },
    createdAt: TIME,
    lastSeenAt: nullable(TIME),
    language: { enum: OFFERED_LANGUAGES, description: "In which they read mails." },
    passkeys: { type: "integer", description: "How many passkeys they have." },
    attributes: ATTRIBUTES,
    claimed: { ...listOf(TEXT), description: "The attributes that the organisation's own sign-in says; nobody changes them here." },
  }),
  IntakeAccessRequest: object({ id: TEXT, email: TEXT, name: TEXT, message: TEXT, askedAt: TIME, hasAccount: { type: "boolean" } }),
  IntakeRole: object({ id: TEXT, name: TEXT, scope: SCOPE, conditions: CONDITIONS, isBuiltIn: { type: "boolean" } }, [
    "id",
    "name",
    "scope",
    "isBuiltIn",
  ]),
  IntakeLink: object({ url: TEXT, expiresAt: TIME, mail: { enum: ["sent", "failed", "off"] } }),
  IntakeLinkInfo: object({
    purpose: { enum: ["set-up", "invitation", "password"] },
    email: nullable(TEXT),
    name: nullable(TEXT),
    expiresAt: TIME,
    access: { ...listOf(named("IntakeAccess")), description: "What ends when the link is used, but for what is kept." },
  }),
  IntakeAccess: object({
    kind: { enum: ["session", "key", "passkey", "webhook"] },
    id: { type: "string", description: "In `keep` it says that this one does not end." },
    name: { type: "string", description: "The browser of a session, the name of a key or passkey, the address of a webhook." },
    createdAt: TIME,
    lastUsedAt: nullable(TIME),
    lastUsedFrom: nullable(TEXT),
  }),
  IntakeNotice: object({
    id: TEXT,
    kind: { enum: NOTICE_KINDS, description: "`address`: another e-mail address. `device`: a sign-in from a browser not used before." },
    at: TIME,
    source: { type: "string", description: "The network from which it was done." },
    name: { type: "string", description: "Of the key or passkey, of the browser, or the address of before." },
  }),
  IntakeSession: object(
    {
      access_token: TEXT,
      token_type: { const: "Bearer" },
      expires_in: { type: "integer" },
      idle_seconds: { type: "integer", description: "The session ends when its person does nothing for so long." },
      refresh_token: { type: "string", description: "Not with `cookie`." },
      user: named("IntakeUser"),
    },
    ["access_token", "token_type", "expires_in", "idle_seconds", "user"],
  ),
  IntakeSessionInfo: object({
    id: TEXT,
    isCurrent: { type: "boolean" },
    method: { enum: ["password", "passkey", "oidc"] },
    agent: TEXT,
    source: TEXT,
    createdAt: TIME,
    lastSeenAt: TIME,
    expiresAt: TIME,
  }),
  IntakeMe: object(
    {
      principal: named("Principal"),
      email: nullable(TEXT),
      roles: listOf(named("IntakeRole")),
      scope: SCOPE,
      attributes: ATTRIBUTES,
      unexported: { ...listOf(TEXT), description: "The collections whose lists may not leave as files." },
      mustAddPasskey: { type: "boolean", description: "Until a passkey is added, this session may do nothing else." },
      viewer: named("Principal"),
    },
    ["principal", "email", "roles", "scope", "attributes", "unexported", "mustAddPasskey"],
  ),
  IntakePasskey: object({
    id: TEXT,
    name: TEXT,
    isSynced: { type: "boolean", description: "Whether a provider keeps copies, so that it outlives the device." },
    createdAt: TIME,
    lastUsedAt: nullable(TIME),
  }),
  IntakePasskeyRequest: object({
    challenge: BYTES,
    timeout: { type: "integer" },
    rpId: TEXT,
    userVerification: { const: "required" },
  }),
  IntakePasskeyCreation: object({
    rp: object({ id: TEXT, name: TEXT }),
    user: object({ id: BYTES, name: TEXT, displayName: TEXT }),
    challenge: BYTES,
    pubKeyCredParams: listOf(object({ type: { const: "public-key" }, alg: { type: "integer" } })),
    timeout: { type: "integer" },
    excludeCredentials: listOf(object({ type: { const: "public-key" }, id: BYTES, transports: listOf(TEXT) })),
    authenticatorSelection: object({
      residentKey: { const: "required" },
      requireResidentKey: { const: true },
      userVerification: { const: "required" },
    }),
    attestation: { const: "none" },
  }),
};
