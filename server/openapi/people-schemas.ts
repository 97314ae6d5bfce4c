// What the API answers of people as JSON Schema. Collections may have their plain names, so these begin with Intake.

import { OFFERED_LANGUAGES } from "../http/content-negotiation.ts";
import { listOf, named, nullable, object, SCOPE, type Schema, TIME } from "../http/json-schemas.ts";

const TEXT: Schema = { type: "string" };

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
  }),
  IntakeAccessRequest: object({ id: TEXT, email: TEXT, name: TEXT, message: TEXT, askedAt: TIME, hasAccount: { type: "boolean" } }),
  IntakeRole: object({ id: TEXT, name: TEXT, scope: SCOPE, isBuiltIn: { type: "boolean" } }),
  IntakeLink: object({ url: TEXT, expiresAt: TIME, mail: { enum: ["sent", "failed", "off"] } }),
  IntakeLinkInfo: object({
    purpose: { enum: ["set-up", "invitation", "password"] },
    email: nullable(TEXT),
    name: nullable(TEXT),
    expiresAt: TIME,
  }),
  IntakeSession: object(
    {
      access_token: TEXT,
      token_type: { const: "Bearer" },
      expires_in: { type: "integer" },
      refresh_token: { type: "string", description: "Not with `cookie`." },
      user: named("IntakeUser"),
    },
    ["access_token", "token_type", "expires_in", "user"],
  ),
  IntakeSessionInfo: object({
    id: TEXT,
    isCurrent: { type: "boolean" },
    method: { enum: ["password", "oidc"] },
    agent: TEXT,
    source: TEXT,
    createdAt: TIME,
    lastSeenAt: TIME,
    expiresAt: TIME,
  }),
  IntakeMe: object({
    principal: named("Principal"),
    email: nullable(TEXT),
    roles: listOf(named("IntakeRole")),
    scope: SCOPE,
  }),
};
