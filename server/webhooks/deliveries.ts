// Says what a webhook has sent: to be read, sent again, or tried out.

import { API_ROOT, WEBHOOKS_PATH } from "../../core/contract/paths.ts";
import { DELIVERY_DAYS } from "../../core/contract/webhooks.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object } from "../http/json-schemas.ts";
import { clampedCount, readParameters, text } from "../http/query-parameters.ts";
import { line, readFields } from "../http/read-fields.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import { createQueue, QueueFull } from "../people/auth/bounded-queue.ts";
import { newDeliveryId } from "./sending/delivery-id.ts";
import type { Post } from "./sending/post.ts";
import { createSendDelivery, isNotKept } from "./sending/send-delivery.ts";
import { ConditionLost } from "./sending/wanted-feed.ts";
import type { StoredDelivery } from "./store/deliveries.ts";
import { wantedFeeds } from "./wanted-changes.ts";
import { toDelivery, type WebhookParts, webhookOf } from "./wire.ts";

const MOST_DELIVERIES = 100; // on a page
const DEFAULT_DELIVERIES = 50;
const DAY = 86_400_000; // ms
const NEWEST = "~"; // after every id
const AT_ONCE = 4; // attempts that wait for a receiver while a request waits for them
const MOST_WAITING = 4;
const DELIVERY = named("IntakeDelivery");

export function deliveryRoutes({ store, whole, log, audit }: WebhookParts, post: Post): Route[] {
  const sendDelivery = createSendDelivery({ store, ...wantedFeeds(() => whole), post, log, audit });
  const inTurn = createQueue(AT_ONCE, MOST_WAITING);
  const attempt: typeof sendDelivery = (webhook, delivery) =>
    inTurn(() => sendDelivery(webhook, delivery)).catch((error) => {
      throw error instanceof QueueFull ? httpErrors.unavailable() : error;
    });
  return [listRoute(store), testRoute(store, attempt), sendAgainRoute(store, attempt)];
}

type Webhooks = Pick<WebhookParts["store"], "webhooks">;
type SendDelivery = ReturnType<typeof createSendDelivery>;

function listRoute({ webhooks }: Webhooks): Route {
  const parameters = { limit: clampedCount(MOST_DELIVERIES), before: text(100) };
  return {
    url: `${API_ROOT}${WEBHOOKS_PATH}/:id/deliveries`,
    GET: {
      scope: "admin",
      doc: {
        id: "list_webhook_deliveries",
        summary: `What a webhook sent in the last ${DELIVERY_DAYS} days, newest first, with every attempt`,
        parameters,
        responses: { 200: object({ deliveries: listOf(DELIVERY), next: nullable({ type: "string" }) }) },
        errors: [404],
      },
      async handle(request) {
        const { limit = DEFAULT_DELIVERIES, before = NEWEST } = readParameters(request.query, parameters);
        const { id } = await webhookOf(webhooks, request);
        const found = await webhooks.listDeliveries(id, Date.now() - DELIVERY_DAYS * DAY, before, limit + 1);
        const page = found.slice(0, limit);
        const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
        return jsonAnswer(200, { deliveries: page.map(toDelivery), next }, NO_STORE);
      },
    },
  };
}

function testRoute({ webhooks }: Webhooks, sendDelivery: SendDelivery): Route {
  return {
    url: `${API_ROOT}${WEBHOOKS_PATH}/:id/test`,
    POST: {
      scope: "admin",
      doc: {
        id: "test_webhook",
        summary: "Sends a message without changes, now, and answers what became of it; also while the webhook is switched off",
        responses: { 200: DELIVERY },
        errors: [404],
      },
      async handle(request) {
        const webhook = await webhookOf(webhooks, request);
        const now = Date.now();
        const test: StoredDelivery = {
          ...{ webhookId: webhook.id, id: newDeliveryId(now), kind: "test", state: "open", createdAt: now, size: 0 },
          ...{ collections: [], operations: [], conditions: "", begins: null, ends: null, attempts: [] },
        };
        const { attempt } = await sendDelivery(webhook, test);
        if (!attempt) throw new Error("a test has no changes that could be missing");
        const state = attempt.problem === null ? "delivered" : "failed";
        const sent: StoredDelivery = { ...test, state, attempts: [attempt] };
        await webhooks.addTestDelivery(sent);
        return jsonAnswer(200, { ...toDelivery(sent) }, NO_STORE);
      },
    },
  };
}

function sendAgainRoute({ webhooks }: Webhooks, sendDelivery: SendDelivery): Route {
  return {
    url: `${API_ROOT}${WEBHOOKS_PATH}/:id/redeliveries`,
    POST: {
      scope: "admin",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "send_webhook_delivery_again",
        summary: "Sends one delivery again, now, under the same id, and answers what became of it",
        body: { ...object({ delivery: { type: "string" } }), additionalProperties: false },
        responses: { 200: DELIVERY },
        errors: [404, 422],
      },
      async handle(request) {
        const { delivery: id } = readFields(request.body, { delivery: line("delivery", 100) });
        const webhook = await webhookOf(webhooks, request);
        const delivery = await webhooks.readDelivery(webhook.id, id);
        if (!delivery) throw httpErrors.notFound("This webhook has no delivery with this id.");
        const { attempt } = await sendDelivery(webhook, delivery).catch((error) => {
          if (isNotKept(error) || error instanceof ConditionLost) return { attempt: undefined };
          throw error;
        });
        if (!attempt) throw httpErrors.notFound("The changes of this delivery are not kept any more.");
        const after = await webhooks.addAttempt(webhook.id, id, attempt);
        if (!after) throw httpErrors.notFound("This webhook has no delivery with this id.");
        return jsonAnswer(200, { ...toDelivery(after) }, NO_STORE);
      },
    },
  };
}
