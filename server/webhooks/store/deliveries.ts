// Says what webhooks have sent, and what became of it. Times in ms since 1970.

import type { Attempt, DeliveryKind, DeliveryState, OffReason } from "../../../core/contract/webhooks.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";
import { fromWords, listWebhooks, NEXT_COUNTS, readWebhook, type StoredWebhook, switchOff, type WebhookFilter } from "./webhooks.ts";

export interface StoredDelivery extends WebhookFilter {
  webhookId: string;
  id: string;
  kind: DeliveryKind;
  state: DeliveryState;
  createdAt: number;
  /** Says how many changes it has. */
  size: number;
  /**
   * The feed after `begins` up to and with the change at `ends`, as the filter was then: always the same changes. Of counts `begins` is their
   * day, and `ends` null. Both are null for a test.
   */
  begins: string | null;
  ends: string | null;
  attempts: Attempt[];
}

const MOST_ATTEMPTS = 50; // that are kept; within a day there are fewer
const SWEPT_AT_ONCE = 200;
const COLUMNS = "webhook_id, id, kind, state, created_at, size, collections, operations, begins, ends, attempts, conditions";

function toDelivery(cells: readonly Cell[]): StoredDelivery {
  const [webhookId, id, kind, state, createdAt, size, collections, operations, begins, ends, attempts, conditions] = cells;
  return {
    webhookId: String(webhookId),
    id: String(id),
    kind: kind as DeliveryKind,
    state: state as DeliveryState,
    createdAt: Number(createdAt),
    size: Number(size),
    collections: fromWords(collections),
    operations: fromWords(operations) as StoredDelivery["operations"],
    conditions: String(conditions),
    begins: begins as string | null,
    ends: ends as string | null,
    attempts: JSON.parse(String(attempts)) as Attempt[],
  };
}

/** Lists the newest first: those from `since` on with an id below `before`. */
function* listDeliveries(webhookId: string, since: number, before: string, limit: number): Script<StoredDelivery[]> {
  const sql = `SELECT ${COLUMNS} FROM webhook_deliveries WHERE webhook_id = $1 AND id < $2 AND created_at >= $3 ORDER BY id DESC LIMIT $4`;
  return (yield* ask(sql, webhookId, before, since, limit)).rows.map(toDelivery);
}

function* readDelivery(webhookId: string, id: string): Script<StoredDelivery | undefined> {
  const { rows } = yield* ask(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2`, webhookId, id);
  return rows[0] && toDelivery(rows[0]);
}

export function* insertDelivery(delivery: StoredDelivery): Script<unknown> {
  const { webhookId, id, kind, state, createdAt, size, collections, operations, conditions, begins, ends, attempts } = delivery;
  const words = [collections.join(" "), operations.join(" ")];
  const values = [webhookId, id, kind, state, createdAt, size, ...words, begins, ends, JSON.stringify(attempts), conditions];
  return yield* ask(`INSERT INTO webhook_deliveries (${COLUMNS}) VALUES (${values.map((_, i) => `$${i + 1}`).join(", ")})`, ...values);
}

/** Adds a test, once it has been sent. Nothing happens when its webhook is gone. */
function* addTestDelivery(delivery: StoredDelivery): Script<unknown> {
  return (yield* readWebhook(delivery.webhookId)) && (yield* insertDelivery(delivery));
}

/** Has each webhook that asked for it tell that more records of the collection break rules; it is sent after what has begun. */
export function* addCountDeliveries(given: { id: string; collection: string; day: number; size: number; createdAt: number }): Script<void> {
  const { id, collection, day, size, createdAt } = given;
  for (const webhook of yield* listWebhooks()) {
    const wants = webhook.collections.length === 0 || webhook.collections.includes(collection);
    if (!webhook.isEnabled || !wants || !webhook.operations.includes("violations")) continue;
    yield* insertDelivery({
      ...{ webhookId: webhook.id, id, kind: "violations", state: "open", createdAt, size, collections: [collection] },
      ...{ operations: webhook.operations, conditions: "", begins: String(day), ends: null, attempts: [] },
    });
    yield* ask("UPDATE webhooks SET delivery = coalesce(delivery, $1) WHERE id = $2", id, webhook.id);
  }
}

/**
 * Runs before its first attempt, so that every attempt has the same id and changes. Returns the webhook as it is then; undefined when the
 * right to send is lost.
 */
function* beginDelivery(delivery: StoredDelivery, holder: string): Script<StoredWebhook | undefined> {
  const sql = "UPDATE webhooks SET delivery = $1 WHERE id = $2 AND lease_holder = $3 AND delivery IS NULL";
  const { count } = yield* ask(sql, delivery.id, delivery.webhookId, holder);
  if (count === 0) return undefined;
  yield* insertDelivery(delivery);
  return yield* readWebhook(delivery.webhookId);
}

/** Says what follows from an attempt: on to the next, again at `nextAt`, or no more. */
export type Consequence = { do: "go on" } | { do: "try again"; nextAt: number } | { do: "switch off"; reason: OffReason };

interface Note {
  webhookId: string;
  id: string;
  holder: string;
  /** Null: none of its changes is kept any more, so nothing was sent. */
  attempt: Attempt | null;
  consequence: Consequence;
  now: number;
  /** Says until when the right to send is prolonged. */
  leaseUntil: number;
}

/** Returns undefined when the right to send was lost, or ended with it. */
function* noteAttempt({ webhookId, id, holder, attempt, consequence, now, leaseUntil }: Note): Script<StoredWebhook | undefined> {
  const held = "UPDATE webhooks SET lease_until = $1 WHERE id = $2 AND lease_holder = $3 AND delivery = $4";
  if ((yield* ask(held, leaseUntil, webhookId, holder, id)).count === 0) return undefined;
  if (attempt) yield* addAttempt(webhookId, id, attempt);
  else yield* ask("UPDATE webhook_deliveries SET state = 'dropped' WHERE webhook_id = $1 AND id = $2", webhookId, id);
  switch (consequence.do) {
    case "go on":
      yield* ask(
        `UPDATE webhooks SET cursor = coalesce((SELECT d.ends FROM webhook_deliveries d WHERE d.webhook_id = $1 AND d.id = $2), cursor),
           delivery = ${NEXT_COUNTS("$1", "$2")},
           failures = 0, since = CASE WHEN is_enabled = 1 THEN NULL ELSE since END WHERE id = $1`,
        webhookId,
        id,
      );
      break;
    case "try again":
      yield* ask(
        `UPDATE webhooks SET failures = failures + 1, since = coalesce(since, $1), next_at = $2, lease_holder = NULL, lease_until = 0
           WHERE id = $3`,
        now,
        consequence.nextAt,
        webhookId,
      );
      break;
    case "switch off":
      yield* ask("UPDATE webhooks SET lease_holder = NULL, lease_until = 0 WHERE id = $1", webhookId);
      yield* switchOff(webhookId, consequence.reason, now);
  }
  const after = yield* readWebhook(webhookId);
  return consequence.do === "go on" && after?.isEnabled ? after : undefined;
}

/** Notes one more attempt. Whatever was delivered once stays delivered. */
function* addAttempt(webhookId: string, id: string, attempt: Attempt): Script<StoredDelivery | undefined> {
  const before = yield* readDelivery(webhookId, id);
  if (!before) return undefined;
  const attempts = [...before.attempts, attempt].slice(-MOST_ATTEMPTS);
  const state = attempt.problem === null ? "delivered" : before.state;
  const sql = "UPDATE webhook_deliveries SET attempts = $1, state = $2 WHERE webhook_id = $3 AND id = $4";
  yield* ask(sql, JSON.stringify(attempts), state, webhookId, id);
  return { ...before, attempts, state };
}

/**
 * Takes one small step of deleting those that are older than `before` (ms since 1970), but none that is still to be sent. False when
 * nothing is left to do.
 */
function* sweepDeliveries(before: number): Script<boolean> {
  const sql = `SELECT webhook_id, id FROM webhook_deliveries WHERE created_at < $1 AND state <> 'open' LIMIT $2`;
  const { rows } = yield* ask(sql, before, SWEPT_AT_ONCE);
  for (const [webhookId = null, id = null] of rows)
    yield* ask("DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2", webhookId, id);
  return rows.length === SWEPT_AT_ONCE;
}

export const DELIVERY_READS = { listDeliveries, readDelivery };
export const DELIVERY_WRITES = { addTestDelivery, beginDelivery, noteAttempt, addAttempt, sweepDeliveries };
