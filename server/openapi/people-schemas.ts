// People, roles, links and sessions as JSON Schema.

import { listOf, named, nullable, object, SCOPE, type Schema, TIME } from "../http/json-schemas.ts";

const TEXT: Schema = { type: "string" };

export const PEOPLE_SCHEMAS: Record<string, Schema> = {
  User: object({
    id: TEXT,
    email: TEXT,
    name: TEXT,
    roles: listOf(TEXT),
    status: { enum: ["invited", "active", "disabled"] },
    createdAt: TIME,
    lastSeenAt: nullable(TIME),
  }),
  Role: object({ id: TEXT, name: TEXT, scope: SCOPE, isBuiltIn: { type: "boolean" } }),
  Link: object({ url: TEXT, expiresAt: TIME, mail: { enum: ["sent", "failed", "off"] } }),
  LinkInfo: object({
    purpose: { enum: ["set-up", "invitation", "password"] },
    email: nullable(TEXT),
    name: nullable(TEXT),
    expiresAt: TIME,
  }),
  Session: object(
    {
      access_token: TEXT,
      token_type: { const: "Bearer" },
      expires_in: { type: "integer" },
      refresh_token: { type: "string", description: "Not with `cookie`." },
      user: named("User"),
    },
    ["access_token", "token_type", "expires_in", "user"],
  ),
  SessionInfo: object({
    id: TEXT,
    isCurrent: { type: "boolean" },
    method: { enum: ["password", "passkey", "oidc"] },
    agent: TEXT,
    source: TEXT,
    createdAt: TIME,
    lastSeenAt: TIME,
    expiresAt: TIME,
  }),
  Me: object({
    principal: object({ type: { enum: ["user", "key"] }, id: TEXT, name: TEXT }),
    email: nullable(TEXT),
    roles: listOf(named("Role")),
    scope: SCOPE,
  }),
};
