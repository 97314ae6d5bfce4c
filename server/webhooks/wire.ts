// Webhooks and their deliveries as the API answers them, and the fields that it takes.

import type { FastifyRequest } from "fastify";
import { type Delivery, WEBHOOK_EVENTS, type Webhook, type WebhookEvent, type WebhookState } from "../../core/contract/webhooks.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Access } from "../access/access.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import type { FieldReader } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import type { CheckProof } from "../people/auth/proof-check.ts";
import type { ReadAudit } from "../people/auth/read-audit.ts";
import type { ServiceLog } from "../people/auth/security-events.ts";
import { wireConditions } from "./conditions.ts";
import { mayReach, type PostSettings } from "./sending/post.ts";
import type { StoredDelivery } from "./store/deliveries.ts";
import type { StoredWebhook } from "./store/webhooks.ts";
import type { ServedNow } from "./wanted-changes.ts";

export interface WebhookParts {
  store: Store;
  collections: readonly Collection[];
  /** The whole dictionary, with what is hidden from the caller and retired. */
  whole: ServedNow;
  settings: PostSettings;
  log: ServiceLog;
  audit: ReadAudit | undefined;
  checkProof: CheckProof;
}

const MAX_URL = 2_000; // characters

export function toWebhook(stored: StoredWebhook, whole: Access): Webhook {
  const { id, url, collections, operations, isEnabled, failures, since, offReason, nextAt, cursor, createdAt, createdBy } = stored;
  const state: WebhookState = isEnabled ? (failures > 0 ? "retrying" : "working") : "off";
  return {
    id,
    url,
    collections,
    operations,
    ...wireConditions(stored, whole),
    enabled: isEnabled,
    state,
    since: state === "working" ? null : timeOf(since),
    offReason,
    nextAttemptAt: state === "retrying" ? timeOf(nextAt) : null,
    cursor,
    createdAt: new Date(createdAt).toISOString(),
    createdBy,
  };
}

export function toDelivery({ id, kind, state, createdAt, size, begins, attempts }: StoredDelivery): Delivery {
  return {
    id,
    kind,
    state,
    createdAt: new Date(createdAt).toISOString(),
    changes: size,
    after: kind === "changes" ? begins : null,
    attempts,
  };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Throws NOT_FOUND. */
export async function webhookOf(webhooks: Store["webhooks"], request: FastifyRequest): Promise<StoredWebhook> {
  const webhook = await webhooks.readWebhook(idOf(request));
  if (!webhook) throw webhookNotFound();
  return webhook;
}

export function webhookNotFound() {
  return httpErrors.notFound("There is no webhook with this id.");
}

export function urlField(allowsPrivate: boolean): FieldReader<string> {
  return (given) => {
    const url = typeof given === "string" && given.length <= MAX_URL && URL.canParse(given) ? new URL(given) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.hash !== "")
      return { problem: `url must be an address such as https://example.org/intake, with at most ${MAX_URL} characters.` };
    if (url.username !== "" || url.password !== "")
      return { problem: "url must have no user name and no password. The signature shows who sent a message." };
    if (mayReach(url, allowsPrivate)) return { value: url.href };
    return { problem: "url must begin with https:// and name a public address. Others need the setting WEBHOOK_PRIVATE." };
  };
}

/** Names of collections that there are; none stands for all. */
export function collectionsField(names: readonly string[]): FieldReader<string[]> {
  return someOf("collections", names);
}

export const operationsField: FieldReader<WebhookEvent[]> = someOf("operations", WEBHOOK_EVENTS);

function someOf<T extends string>(what: string, names: readonly T[]): FieldReader<T[]> {
  return (given) => {
    const isList = Array.isArray(given) && given.every((one) => names.includes(one));
    return isList
      ? { value: [...new Set(given as T[])] }
      : { problem: `${what} must be a list of some of ${names.join(", ")}; an empty one means all.` };
  };
}
