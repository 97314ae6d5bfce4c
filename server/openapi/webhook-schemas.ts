// Has JSON Schemas of what the API answers of webhooks. Collections may have the plain names: these begin with Intake.

import {
  ATTEMPT_PROBLEMS,
  DELIVERY_KINDS,
  DELIVERY_STATES,
  OFF_REASONS,
  OLD_SECRET_HOURS,
  WEBHOOK_EVENTS,
  WEBHOOK_INCLUDES,
  WEBHOOK_STATES,
} from "../../core/contract/webhooks.ts";
import { listOf, named, nullable, object, type Schema, TIME } from "../http/json-schemas.ts";

const TEXT: Schema = { type: "string" };

const WEBHOOK: Record<string, Schema> = {
  id: TEXT,
  url: TEXT,
  collections: { ...listOf(TEXT), description: "None: all." },
  operations: { ...listOf({ enum: [...WEBHOOK_EVENTS] }), description: "None: all changes." },
  where: { ...nullable(TEXT), description: "A filter of the one collection; null: none, or its fields are not there any more." },
  fields: { ...listOf(TEXT), description: "Only changes of these. None: of all." },
  include: listOf({ enum: [...WEBHOOK_INCLUDES] }),
  enabled: { type: "boolean" },
  state: { enum: [...WEBHOOK_STATES] },
  since: { ...nullable(TIME), description: "Since when it retries or is off; null while it works." },
  offReason: { ...nullable({ enum: [...OFF_REASONS] }), description: "Who or what switched it off." },
  nextAttemptAt: { ...nullable(TIME), description: "While it retries." },
  cursor: { type: "string", description: "Of the change feed: everything before it was delivered." },
  createdAt: TIME,
  createdBy: nullable(named("Principal")),
};

const ATTEMPT: Schema = object({
  at: TIME,
  milliseconds: { type: "integer" },
  status: { ...nullable({ type: "integer" }), description: "Of the receiver's answer; null: none came." },
  problem: { ...nullable({ enum: [...ATTEMPT_PROBLEMS] }), description: "Null: it was delivered." },
  excerpt: { type: "string", description: "The beginning of a refusal, as plain text." },
});

export const WEBHOOK_SCHEMAS: Record<string, Schema> = {
  IntakeWebhook: object(WEBHOOK),
  IntakeNewWebhook: object({
    ...WEBHOOK,
    secret: {
      type: "string",
      pattern: "^whsec_",
      description: `Signs every message; shown here and never again. After a change the one before signs for ${OLD_SECRET_HOURS} hours, too.`,
    },
  }),
  IntakeDelivery: object({
    id: { type: "string", description: "`webhook-id`: the same for every attempt." },
    kind: { enum: [...DELIVERY_KINDS] },
    state: {
      enum: [...DELIVERY_STATES],
      description: "`open`: it will be sent, perhaps again. `dropped`: an administrator went on from elsewhere.",
    },
    createdAt: TIME,
    changes: { type: "integer", description: "How many changes it has, or rules that more records break." },
    after: { ...nullable(TEXT), description: "The cursor before its first change." },
    attempts: { ...listOf(ATTEMPT), description: "The oldest first." },
  }),
};
