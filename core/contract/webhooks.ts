import { type Change, OPERATIONS } from "./history.ts";
import type { Principal } from "./principals.ts";
import type { ViolationCount } from "./violations.ts";

/** `retrying`: the last attempt failed, and it tries again. `off`: nothing is sent. */
export const WEBHOOK_STATES = ["working", "retrying", "off"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/**
 * Names who switched a webhook off: an administrator, the receiver by 410 (Gone), the service after a day without success, or the service because
 * the changes that come next are not kept any more, or because its condition is about fields that are not there any more.
 */
export const OFF_REASONS = ["administrator", "gone", "failing", "expired", "condition"] as const;
export type OffReason = (typeof OFF_REASONS)[number];

/** Names what a webhook may send: changes by their operation, and that more records break a rule than on the day before. */
export const WEBHOOK_EVENTS = [...OPERATIONS, "violations"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Names what stands with each change: the values before and after, and the record as it is when it is sent. */
export const WEBHOOK_INCLUDES = ["record", "changes"] as const;
export type WebhookInclude = (typeof WEBHOOK_INCLUDES)[number];

/** An address to which changes are sent. Times are RFC 3339 UTC with ms. */
export interface Webhook {
  id: string;
  url: string;
  /** Empty: all of them. */
  collections: string[];
  /** Empty: all changes. "violations" is sent only where it is named. */
  operations: WebhookEvent[];
  /** A filter of the one collection, as in the address of a list; null: all records, or its fields are not there any more. */
  where: string | null;
  /** Lets only changes of these fields of the one collection through. Empty: of all. */
  fields: string[];
  include: WebhookInclude[];
  enabled: boolean;
  state: WebhookState;
  /** Says since when it retries, or is off; null while it works. */
  since: string | null;
  offReason: OffReason | null;
  /** Is null when nothing waits for its next attempt. */
  nextAttemptAt: string | null;
  /** Marks a place in the change feed: everything before it was delivered. */
  cursor: string;
  createdAt: string;
  createdBy: Principal | null;
}

/** The secret is shown once, as Standard Webhooks writes it: `whsec_` and base64. */
export interface NewWebhook extends Webhook {
  secret: string;
}

/** Says why an attempt failed. `status`: the receiver's answer was no 2xx. */
export const ATTEMPT_PROBLEMS = ["status", "redirect", "address", "name", "unreachable", "tls", "timeout", "protocol"] as const;
export type AttemptProblem = (typeof ATTEMPT_PROBLEMS)[number];

export interface Attempt {
  at: string;
  milliseconds: number;
  /** Holds the status of the receiver's answer; null if none came. */
  status: number | null;
  /** Null: it was delivered. */
  problem: AttemptProblem | null;
  /** The beginning of a refusal as plain text; empty if there was none. */
  excerpt: string;
}

/** `open`: it will be sent, perhaps again. `dropped`: an administrator let the webhook go on from another place. */
export const DELIVERY_STATES = ["open", "delivered", "failed", "dropped"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const DELIVERY_KINDS = ["changes", "violations", "test"] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

export interface Delivery {
  /** The same for every attempt (`webhook-id`). */
  id: string;
  kind: DeliveryKind;
  state: DeliveryState;
  createdAt: string;
  /** Counts its changes, or the rules that more records break. */
  changes: number;
  /** Cursor before its first change; null for what has none. */
  after: string | null;
  /** The oldest first; the last 50. */
  attempts: Attempt[];
}

/** Newest first. `next` goes into `before`; null: there are no more. */
export interface DeliveryPage {
  deliveries: Delivery[];
  next: string | null;
}

/** The body that a receiver gets. `next`: the cursor of the feed after these changes. */
export type WebhookBody =
  | { type: "changes"; timestamp: string; data: { changes: Change[]; next: string } }
  | { type: "violations"; timestamp: string; data: { collection: string; day: string; rules: RisenCount[] } }
  | { type: "test"; timestamp: string; data: Record<string, never> };

/** `before`: how many it were when they were counted last. */
export type RisenCount = ViolationCount & { before: number };

export const MOST_WEBHOOKS = 50;
export const MOST_WEBHOOK_CHANGES = 100; // in one POST
export const DELIVERY_DAYS = 7;
export const OLD_SECRET_HOURS = 24; // for which the secret before also signs
