// Requests of webhooks for the answers that the OpenAPI document promises.

import { randomId } from "../people/auth/random-codes.ts";
import { newDeliveryId } from "../webhooks/sending/delivery-id.ts";
import { createWebhookSecrets } from "../webhooks/sending/secrets.ts";
import type { StoredWebhook } from "../webhooks/store/webhooks.ts";
import type { TestService } from "./service.ts";

const MANY = 1_000;
let lastWebhook = "";

/** Its address is refused without being called. */
export async function newWebhook({ store }: TestService): Promise<string> {
  lastWebhook = randomId();
  const { sealed } = createWebhookSecrets(store.secrets).create(lastWebhook);
  const webhook: StoredWebhook = {
    ...{
      id: lastWebhook,
      url: "http://127.0.0.1:1/",
      collections: [],
      operations: [],
      conditions: "",
      secret: sealed,
      oldSecret: null,
      oldUntil: 0,
    },
    ...{ cursor: await store.feed.now(), delivery: null, isEnabled: false, offReason: "administrator", since: Date.now(), failures: 0 },
    ...{ nextAt: 0, createdAt: Date.now(), createdBy: { type: "key", id: "ab", name: "ab" } },
  };
  await store.webhooks.addWebhook(webhook, MANY);
  return lastWebhook;
}

/** A body that is accepted. */
export async function bodyOfWebhook({ store }: TestService, template: string): Promise<unknown> {
  switch (template) {
    case "/v1/webhooks":
      return { url: "https://example.org/intake" };
    case "/v1/webhooks/{id}":
      return { operations: ["deleted"] };
    case "/v1/webhooks/{id}/redeliveries": {
      const id = newDeliveryId(Date.now());
      await store.webhooks.addTestDelivery({
        ...{ webhookId: lastWebhook, id, kind: "test", state: "failed", createdAt: Date.now(), size: 0 },
        ...{ collections: [], operations: [], conditions: "", begins: null, ends: null, attempts: [] },
      });
      return { delivery: id };
    }
    default:
      return undefined;
  }
}

/** After it no more can be made by requests. */
export async function fillWebhooks(service: TestService, most: number): Promise<void> {
  for (let i = 0; i < most; i++) await newWebhook(service);
}
