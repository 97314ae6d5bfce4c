// A turn to send for one webhook, under a lease that one process at a time has.

import { setImmediate as nextTurn } from "node:timers/promises";
import { scopeOfRoles } from "../../../core/contract/roles.ts";
import { allows } from "../../../core/contract/scopes.ts";
import { MOST_WEBHOOK_CHANGES } from "../../../core/contract/webhooks.ts";
import type { Store } from "../../engine/store.ts";
import { randomId } from "../../people/auth/random-codes.ts";
import { logServiceEvent, type ServiceLog } from "../../people/auth/security-events.ts";
import type { StoredDelivery } from "../store/deliveries.ts";
import type { StoredWebhook } from "../store/webhooks.ts";
import { consequenceOf } from "./retries.ts";
import { createSendDelivery, deliveryOf, isNotKept, type SendParts } from "./send-delivery.ts";
import { ConditionLost } from "./wanted-feed.ts";

const MOST_IN_TURN = 100; // deliveries, until others that wait have their turn

export interface TurnParts extends SendParts {
  /** ms */
  lease: number;
}

export interface Turns {
  /** Sends for the webhook, unless another process does: until there is nothing more, it fails, others should have a turn, or `signal`. */
  take(webhook: StoredWebhook, state: string, signal: AbortSignal): Promise<void>;
  /** Says whether it is known that there is nothing to send as long as the feed is in this state. */
  hasNothing(webhook: StoredWebhook, state: string): boolean;
}

export function createTurns({ lease, ...parts }: TurnParts): Turns {
  const { store, collections, findWanted, log } = parts;
  const holder = `${process.pid}.${randomId()}`;
  const sendDelivery = createSendDelivery(parts);
  /** Maps a webhook to the state of the feed at which it had nothing to send, and its cursor then. */
  const nothingAt = new Map<string, string>();

  async function take(webhook: StoredWebhook, state: string, signal: AbortSignal): Promise<void> {
    const leased = await store.webhooks.leaseWebhook(webhook.id, holder, Date.now(), Date.now() + lease);
    if (!leased) return;
    const renewing = setInterval(() => void renew(webhook.id), lease / 3);
    let current: StoredWebhook | undefined = leased;
    try {
      for (let i = 0; current && i < MOST_IN_TURN && !signal.aborted; i++) current = await stepOrEnd(current, state);
    } finally {
      clearInterval(renewing);
      await store.webhooks.releaseLease(webhook.id, holder, Date.now());
    }
  }

  const renew = (id: string) =>
    store.webhooks.renewLease(id, holder, Date.now() + lease).catch((error) => log.error({ err: error }, "webhook lease"));

  /** Switches the webhook off when what comes next cannot be sent. */
  async function stepOrEnd(webhook: StoredWebhook, state: string): Promise<StoredWebhook | undefined> {
    try {
      return await step(webhook, state);
    } catch (error) {
      const reason = whyStuck(error);
      const isOff = await store.webhooks.switchOffStuck(webhook.id, holder, Date.now(), reason);
      if (isOff) logServiceEvent(log, "webhook switched off", { target: webhook.id, reason });
      return undefined;
    }
  }

  /** Sends one delivery, or looks at what comes next. Returns the webhook as it is then; undefined ends the turn. */
  async function step(webhook: StoredWebhook, state: string): Promise<StoredWebhook | undefined> {
    const begun = webhook.delivery === null ? undefined : await store.webhooks.readDelivery(webhook.id, webhook.delivery);
    if (begun) return send(webhook, begun);
    const names = collections().map(({ name }) => name);
    const wanted = findWanted(webhook);
    const filter = { collections: webhook.collections.length > 0 ? webhook.collections : names };
    const page = await wanted.feed.read(webhook.cursor || undefined, filter, MOST_WEBHOOK_CHANGES);
    const delivery = await deliveryOf(webhook, page, { wanted, names });
    if (delivery) {
      const current = await store.webhooks.beginDelivery(delivery, holder); // its secret may be another one by now
      return current && send(current, delivery);
    }
    const moved = { ...webhook, cursor: page.next };
    if (page.next !== webhook.cursor && !(await store.webhooks.skipTo(webhook.id, holder, page.next))) return undefined;
    if (!page.more) nothingAt.set(webhook.id, placeOf(moved, state));
    await nextTurn(); // with SQLite a read of the feed does not wait for anything
    return page.more ? moved : undefined;
  }

  /** Ends the turn where the maker of the webhook has lost the right. */
  async function send(webhook: StoredWebhook, delivery: StoredDelivery): Promise<StoredWebhook | undefined> {
    const delivered = await sendDelivery(webhook, delivery, async () => !(await endWithoutRight(store, webhook, log)));
    if (!delivered.attempt && delivered.isStopped) return undefined;
    const now = Date.now();
    const consequence = delivered.attempt ? consequenceOf(delivered.posted, webhook, now) : ({ do: "go on" } as const);
    const attempt = { attempt: delivered.attempt ?? null, consequence, now, leaseUntil: now + lease };
    const after = await store.webhooks.noteAttempt({ webhookId: webhook.id, id: delivery.id, holder, ...attempt });
    if (consequence.do === "switch off") logServiceEvent(log, "webhook switched off", { target: webhook.id, reason: consequence.reason });
    return after;
  }

  return {
    take,
    hasNothing: (webhook, state) => webhook.delivery === null && nothingAt.get(webhook.id) === placeOf(webhook, state),
  };
}

const placeOf = ({ cursor }: StoredWebhook, state: string) => `${state} ${cursor}`;

/** Says why what comes next cannot be sent. Throws what says nothing of that. */
function whyStuck(error: unknown): "expired" | "condition" {
  if (error instanceof ConditionLost) return "condition";
  if (!isNotKept(error)) throw error;
  return "expired";
}

/** A webhook learns of every record, as administrators alone do: it has no more rights than the person who made it, be it with a key of theirs. */
async function endWithoutRight(store: Store, { id, createdBy }: StoredWebhook, log: ServiceLog): Promise<boolean> {
  const { people, webhooks } = store;
  const makerId = createdBy?.type === "key" ? (await store.readKey(createdBy.id))?.userId : createdBy?.id;
  if (!makerId) return false; // a key of the organisation made it
  const maker = await people.readUser(makerId);
  if (maker && allows(scopeOfRoles(maker.roles, await people.listRoles()), "admin")) return false;
  await webhooks.changeWebhook(id, { isEnabled: false }, Date.now());
  logServiceEvent(log, "webhook switched off", { target: id, reason: "administrator" });
  return true;
}
