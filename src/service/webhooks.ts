// Webhooks, for administrators: where changes are sent, and what became of it.

import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { WEBHOOKS_PATH } from "../../core/contract/paths.ts";
import type { Delivery, DeliveryPage, NewWebhook, Webhook, WebhookEvent, WebhookInclude } from "../../core/contract/webhooks.ts";
import { type Current, ifMatch, readCurrent } from "./current.ts";

export interface WebhookOrder {
  url: string;
  /** Empty: all. */
  collections: string[];
  operations: WebhookEvent[];
  /** A filter of the one collection; null: none. */
  where: string | null;
  /** Names those of the one collection. Empty: all. */
  fields: string[];
  include: WebhookInclude[];
}

export const WEBHOOK_KEYS = ["webhooks"] as const;
const READ_EVERY = 5_000; // ms, while the page is looked at
const pathOf = (id: string, more = "") => `${WEBHOOKS_PATH}/${encodeURIComponent(id)}${more}`;

export function webhooksQuery(client: Client) {
  return queryOptions({
    queryKey: [...WEBHOOK_KEYS, "all"],
    retry: false,
    refetchInterval: READ_EVERY,
    queryFn: async ({ signal }) => ((await client.request("GET", WEBHOOKS_PATH, { signal })).json as { webhooks: Webhook[] }).webhooks,
  });
}

export function deliveriesQuery(client: Client, id: string) {
  return infiniteQueryOptions({
    queryKey: [...WEBHOOK_KEYS, "deliveries", id],
    retry: false,
    refetchInterval: READ_EVERY,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: DeliveryPage) => next ?? undefined,
    queryFn: async ({ signal, pageParam }) =>
      (await client.request("GET", pathOf(id, "/deliveries"), { query: { limit: "20", before: pageParam }, signal })).json as DeliveryPage,
  });
}

export async function createWebhook(client: Client, order: WebhookOrder): Promise<NewWebhook> {
  return (await client.request("POST", WEBHOOKS_PATH, { body: order })).json as NewWebhook;
}

export function readWebhook(client: Client, queries: QueryClient, id: string): Promise<Current<Webhook>> {
  return readCurrent(client, queries, pathOf(id), webhooksQuery(client).queryKey);
}

/** `cursor`: it goes on after this place of the change feed. With an ETag only that version is changed. */
export async function changeWebhook(
  client: Client,
  id: string,
  change: Partial<WebhookOrder> & { enabled?: boolean; cursor?: string },
  etag: string | null = null,
): Promise<void> {
  await client.request("PATCH", pathOf(id), { body: change, headers: ifMatch(etag) });
}

export async function deleteWebhook(client: Client, id: string): Promise<void> {
  await client.request("DELETE", pathOf(id));
}

export async function renewWebhookSecret(client: Client, id: string): Promise<string> {
  return ((await client.request("POST", pathOf(id, "/secret"))).json as { secret: string }).secret;
}

export async function testWebhook(client: Client, id: string): Promise<Delivery> {
  return (await client.request("POST", pathOf(id, "/test"))).json as Delivery;
}

export async function sendAgain(client: Client, id: string, delivery: string): Promise<Delivery> {
  return (await client.request("POST", pathOf(id, "/redeliveries"), { body: { delivery } })).json as Delivery;
}
