// One attempt to deliver: the body from the change feed, its signatures, and the POST.

import type { Change } from "../../../core/contract/history.ts";
import { type Attempt, MOST_WEBHOOK_CHANGES, type WebhookBody } from "../../../core/contract/webhooks.ts";
import { parentsOf } from "../../../core/dictionary/children.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Store } from "../../engine/store.ts";
import { countedToday, dateOfDay, risenCounts } from "../../engine/violation-counts.ts";
import { CursorExpired, CursorUnknown, type FeedPage } from "../../history/store/feed.ts";
import type { ReadAudit, Shown } from "../../people/auth/read-audit.ts";
import type { ServiceLog } from "../../people/auth/security-events.ts";
import type { StoredDelivery } from "../store/deliveries.ts";
import type { StoredWebhook } from "../store/webhooks.ts";
import { newDeliveryId } from "./delivery-id.ts";
import type { Post, Posted } from "./post.ts";
import { createWebhookSecrets } from "./secrets.ts";
import type { FindWanted, WantedFeed } from "./wanted-feed.ts";

export interface SendParts {
  store: Store;
  /** Returns the collections of the dictionary that is served now. */
  collections(): readonly Collection[];
  findWanted: FindWanted;
  post: Post;
  log: ServiceLog;
  /** Where reads are logged, it notes which records a webhook was told of. */
  audit?: ReadAudit | undefined;
}

/** `attempt` is undefined when nothing was sent: all its changes were erased, or `isStopped`. */
export type Delivered = { attempt: Attempt; posted: Posted } | { attempt: undefined; isStopped?: true };

/**
 * Asks `mayGo` when the message is ready, so that what is written after its answer does not go out. Throws an error that isNotKept knows when the
 * changes are older than the feed keeps, and ConditionLost.
 */
export type SendDelivery = (webhook: StoredWebhook, delivery: StoredDelivery, mayGo?: () => Promise<boolean>) => Promise<Delivered>;

export function createSendDelivery({ store, collections, findWanted, post, log, audit }: SendParts): SendDelivery {
  const secrets = createWebhookSecrets(store.secrets);
  return async (webhook, delivery, mayGo) => {
    const isOfCounts = delivery.kind === "violations";
    const body = isOfCounts ? await bodyOfCounts(store, collections(), delivery) : await bodyOf(findWanted, delivery);
    if (!body) return { attempt: undefined };
    if (mayGo && !(await mayGo())) return { attempt: undefined, isStopped: true };
    const now = Date.now();
    const sealed = webhook.oldSecret !== null && webhook.oldUntil > now ? [webhook.secret, webhook.oldSecret] : [webhook.secret];
    const message = { id: delivery.id, timestamp: Math.floor(now / 1_000), body: JSON.stringify(body) };
    const begun = performance.now();
    const posted = await post(webhook.url, secrets.sign(webhook.id, sealed, message), message.body);
    const milliseconds = Math.round(performance.now() - begun);
    if (body.type === "changes") audit?.noteDelivery(log, webhook.id, body.data.changes.map(toShown));
    const { status, problem, excerpt } = posted;
    return { attempt: { at: new Date(now).toISOString(), milliseconds, status, problem, excerpt }, posted };
  };
}

/** Returns the same text for each attempt, but for names that were changed meanwhile, and records that stand with their changes. */
async function bodyOf(findWanted: FindWanted, delivery: StoredDelivery): Promise<WebhookBody | undefined> {
  const timestamp = new Date(delivery.createdAt).toISOString();
  const { begins, ends } = delivery;
  if (begins === null || ends === null) return { type: "test", timestamp, data: {} };
  const wanted = findWanted(delivery);
  const entries = await wanted.feed.readAgain(begins, ends, { collections: delivery.collections }, MOST_WEBHOOK_CHANGES);
  const changes = await wanted.toChanges(await wanted.choose(entries));
  return changes.length > 0 ? { type: "changes", timestamp, data: { changes, next: ends } } : undefined;
}

/**
 * Returns the counts of the day that the delivery is about, as the dictionary of today names them. Undefined once they are not kept, or
 * mean nothing any more.
 */
async function bodyOfCounts(store: Store, all: readonly Collection[], { collections: [name], begins, createdAt }: StoredDelivery) {
  const collection = all.find((one) => one.name === name);
  const kept = collection ? await store.violationCounts.listCounts(collection.name, 0) : [];
  const at = kept.findIndex(({ day }) => day === Number(begins));
  const [before, now] = [kept[at - 1], kept[at]];
  if (!collection || !before || !now) return undefined;
  const parents = parentsOf(collection, all).map(({ parent }) => parent);
  const rules = risenCounts(before, now).flatMap((one) => {
    const today = countedToday(collection, one, parents);
    return today ? [{ ...today, before: one.before }] : [];
  });
  const data = { collection: collection.name, day: dateOfDay(now.day), rules };
  return rules.length > 0 ? { type: "violations" as const, timestamp: new Date(createdAt).toISOString(), data } : undefined;
}

function toShown({ collection, objectId }: Change): Shown {
  return { collection, ids: [objectId] };
}

/** Makes a delivery of the changes on the page; undefined if the webhook wants none of them. `names`: of all collections. */
export async function deliveryOf(
  webhook: StoredWebhook,
  { entries, begins }: FeedPage,
  { wanted, names }: { wanted: WantedFeed; names: readonly string[] },
): Promise<StoredDelivery | undefined> {
  const changes = await wanted.choose(entries);
  if (changes.length === 0) return undefined;
  const now = Date.now();
  return {
    webhookId: webhook.id,
    id: newDeliveryId(now),
    kind: "changes",
    state: "open",
    createdAt: now,
    size: changes.length,
    collections: webhook.collections.length > 0 ? webhook.collections : [...names],
    operations: webhook.operations,
    conditions: webhook.conditions,
    begins,
    ends: entries.at(-1)?.cursor ?? begins,
    attempts: [],
  };
}

/** Says whether a read of the feed failed because what comes next is not kept any more. */
export function isNotKept(error: unknown): boolean {
  return error instanceof CursorExpired || error instanceof CursorUnknown;
}
