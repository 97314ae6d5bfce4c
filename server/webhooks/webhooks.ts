// Webhooks, for administrators. The secret is only in the answers that make it.

import { API_ROOT, WEBHOOKS_PATH } from "../../core/contract/paths.ts";
import { MOST_WEBHOOKS, OLD_SECRET_HOURS, WEBHOOK_EVENTS, WEBHOOK_INCLUDES } from "../../core/contract/webhooks.ts";
import type { Answer, Store } from "../engine/store.ts";
import { CursorExpired, CursorUnknown } from "../history/store/feed.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object, oneOfWords, type Schema } from "../http/json-schemas.ts";
import { ifMatchTags } from "../http/preconditions.ts";
import { flag, optional, readFields, text } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import { randomId } from "../people/auth/random-codes.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { conditionFields, storedConditions } from "./conditions.ts";
import { deliveryRoutes } from "./deliveries.ts";
import { createPost } from "./sending/post.ts";
import { createWebhookSecrets } from "./sending/secrets.ts";
import { type StoredWebhook, webhookTag } from "./store/webhooks.ts";
import { collectionsField, operationsField, toWebhook, urlField, type WebhookParts, webhookNotFound, webhookOf } from "./wire.ts";

const HOUR = 3_600_000; // ms
const WEBHOOK = named("IntakeWebhook");
const EVENTS_HELP = "None: all changes. `violations` only where it is named: that more records break a rule than on the day before.";
const WHERE_HELP =
  "A filter as in the address of a list, such as `region=north`, of the one collection that is named: a record that comes to meet it is `created`, and one that does no more `deleted`. Null: none.";
const FIELDS_HELP = "Only changes of one of these fields of the one collection that is named. None: of all.";
const INCLUDE_HELP = "`changes` adds the values before and after, `record` the record as it is when the message is sent.";
const SECRET = { type: "string", pattern: "^whsec_", description: "Shown here and never again." };

export function webhookRoutes(parts: WebhookParts): Route[] {
  return [
    { url: API_ROOT + WEBHOOKS_PATH, GET: listHandler(parts), POST: createHandler(parts) },
    { url: `${API_ROOT}${WEBHOOKS_PATH}/:id`, GET: readHandler(parts), PATCH: changeHandler(parts), DELETE: deleteHandler(parts) },
    { url: `${API_ROOT}${WEBHOOKS_PATH}/:id/secret`, POST: secretHandler(parts) },
    ...deliveryRoutes(parts, createPost(parts.settings)),
  ];
}

function fieldsOf({ collections, settings }: WebhookParts) {
  return {
    url: urlField(settings.allowsPrivate),
    collections: optional(collectionsField(collections.map(({ name }) => name))),
    operations: optional(operationsField),
    ...conditionFields,
    enabled: optional(flag),
  };
}

function bodySchema({ collections }: WebhookParts, required: readonly string[], more: Record<string, Schema> = {}): Schema {
  const some = (names: readonly string[]) => ({ ...listOf(oneOfWords(names)), description: "None: all." });
  const properties = {
    url: { type: "string", description: "https; private addresses only with WEBHOOK_PRIVATE." },
    collections: some(collections.map(({ name }) => name)),
    operations: { ...some(WEBHOOK_EVENTS), description: EVENTS_HELP },
    where: { ...nullable({ type: "string", maxLength: 2_000 }), description: WHERE_HELP },
    fields: { ...listOf({ type: "string" }), maxItems: 100, description: FIELDS_HELP },
    include: { ...listOf(oneOfWords(WEBHOOK_INCLUDES)), description: INCLUDE_HELP },
    enabled: { type: "boolean" },
    ...more,
  };
  return { ...object(properties, required), additionalProperties: false };
}

function listHandler({ store, whole }: WebhookParts): RouteHandler {
  return {
    scope: "admin",
    doc: { id: "list_webhooks", summary: "All webhooks, without their secrets", responses: { 200: object({ webhooks: listOf(WEBHOOK) }) } },
    async handle() {
      return jsonAnswer(200, { webhooks: (await store.webhooks.listWebhooks()).map((one) => toWebhook(one, whole)) }, NO_STORE);
    },
  };
}

function createHandler(parts: WebhookParts): RouteHandler {
  const { store, checkProof, collections: known, whole } = parts;
  const fields = fieldsOf(parts);
  const secrets = createWebhookSecrets(store.secrets);
  return {
    scope: "admin",
    acceptedTypes: [JSON_TYPE],
    doc: {
      id: "create_webhook",
      summary: "A new webhook: it sends what changes from now on. Its secret is in this answer and nowhere else. It needs a proof",
      body: bodySchema(parts, ["url"]),
      responses: { 201: named("IntakeNewWebhook") },
      sentHeaders: { 201: ["ETag", "Location"] },
      errors: [409, 422],
    },
    async handle(request, session) {
      const { url, collections = [], operations = [], enabled = true, ...given } = readFields(request.body, fields);
      const conditions = storedConditions(given, { collections }, { known, whole });
      await checkProof(session);
      const { principal, sessionId } = session;
      const now = Date.now();
      const id = randomId();
      const { secret, sealed } = secrets.create(id);
      const webhook: StoredWebhook = {
        ...{ id, url, collections, operations, conditions, secret: sealed, oldSecret: null, oldUntil: 0 },
        ...{ cursor: await store.feed.now(), delivery: null, failures: 0, nextAt: 0, createdAt: now, createdBy: principal },
        ...{ isEnabled: enabled, offReason: enabled ? null : "administrator", since: enabled ? null : now },
      };
      const maker = { sessionId, keyId: principal.type === "key" ? principal.id : undefined };
      const added = await store.webhooks.addWebhook(webhook, MOST_WEBHOOKS, maker);
      if (added === "ended") throw httpErrors.invalidToken();
      if (added === "many") throw httpErrors.tooManyWebhooks();
      logSecurityEvent(request, "webhook made", { principal, target: id });
      const headers = { ...NO_STORE, location: `${API_ROOT}${WEBHOOKS_PATH}/${id}`, etag: webhookTag(webhook) };
      return jsonAnswer(201, { ...toWebhook(webhook, whole), secret }, headers);
    },
  };
}

function readHandler({ store, whole }: WebhookParts): RouteHandler {
  return {
    scope: "admin",
    doc: {
      id: "read_webhook",
      summary: "One webhook, without its secret",
      responses: { 200: WEBHOOK },
      sentHeaders: { 200: ["ETag"] },
      errors: [404],
    },
    async handle(request) {
      return webhookAnswer(await webhookOf(store.webhooks, request), whole);
    },
  };
}

function webhookAnswer(webhook: StoredWebhook, whole: WebhookParts["whole"]): Answer {
  return jsonAnswer(200, toWebhook(webhook, whole), { ...NO_STORE, etag: webhookTag(webhook) });
}

function changeHandler(parts: WebhookParts): RouteHandler {
  const { store, checkProof, collections: known, whole } = parts;
  const { url, ...others } = fieldsOf(parts);
  const fields = { url: optional(url), ...others, cursor: optional(text("cursor", 100)) };
  const cursor = {
    type: "string",
    description: "Goes on after this cursor of the change feed, in place of what waits; `now`: with what comes.",
  };
  return {
    scope: "admin",
    acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
    doc: {
      id: "change_webhook",
      summary:
        "Changes a webhook, or sends again from a cursor on; switched on again it sends what has waited. All but switching it off needs a proof",
      headers: ["If-Match"],
      body: bodySchema(parts, [], { cursor }),
      responses: { 200: WEBHOOK },
      sentHeaders: { 200: ["ETag"] },
      errors: [404, 412, 422],
    },
    async handle(request, session) {
      const given = readFields(request.body, fields);
      const { enabled: isEnabled, cursor: from, where, fields: names, include, ...change } = given;
      if (Object.entries(given).some(([name, value]) => value !== undefined && !(name === "enabled" && !value))) await checkProof(session);
      const { principal } = session;
      const tags = ifMatchTags(request);
      const isAnyAllowed = tags === undefined || tags === "any";
      const place = from === undefined ? {} : { cursor: await placeOf(store, from) };
      // The conditions follow from those that it has: of two people at once the later one begins anew.
      const changeOnce = async () => {
        const before = await webhookOf(store.webhooks, request);
        const { collections = before.collections } = change;
        const of = { collections, before: before.conditions, isMoved: collections.join(" ") !== before.collections.join(" ") };
        const isAsked = [where, names, include, change.collections].some((one) => one !== undefined); // otherwise it is switched off, whatever they say
        const conditions = isAsked ? storedConditions({ where, fields: names, include }, of, { known, whole }) : undefined;
        const allowed = isAnyAllowed ? [webhookTag(before)] : tags;
        return store.webhooks.changeWebhook(before.id, { ...change, conditions, isEnabled, ...place }, Date.now(), allowed);
      };
      let webhook = await changeOnce();
      while (isAnyAllowed && webhook === "stale") webhook = await changeOnce();
      if (webhook === "stale") throw httpErrors.changedMeanwhile("webhook");
      if (!webhook) throw webhookNotFound();
      const { id } = webhook;
      logSecurityEvent(request, "webhook changed", { principal, target: id });
      return webhookAnswer(webhook, whole);
    },
  };
}

async function placeOf({ feed }: Store, cursor: string): Promise<string> {
  if (cursor === "now") return feed.now();
  try {
    await feed.read(cursor, { collections: [] }, 1);
    return cursor;
  } catch (error) {
    if (!(error instanceof CursorUnknown || error instanceof CursorExpired)) throw error;
    throw httpErrors.validation([
      {
        pointer: "/cursor",
        code: "KIND",
        detail: "This is no cursor of this service's change feed, or what comes after it is no longer kept.",
      },
    ]);
  }
}

function deleteHandler({ store }: WebhookParts): RouteHandler {
  return {
    scope: "admin",
    doc: {
      id: "delete_webhook",
      summary: "Deletes a webhook and the list of its deliveries",
      headers: ["If-Match"],
      responses: { 204: null },
      errors: [404, 412],
    },
    async handle(request, { principal }) {
      const { id } = await webhookOf(store.webhooks, request);
      const isDeleted = await store.webhooks.deleteWebhook(id, ifMatchTags(request));
      if (isDeleted === "stale") throw httpErrors.changedMeanwhile("webhook");
      if (!isDeleted) throw webhookNotFound();
      logSecurityEvent(request, "webhook deleted", { principal, target: id });
      return emptyAnswer(204);
    },
  };
}

function secretHandler({ store, checkProof }: WebhookParts): RouteHandler {
  const secrets = createWebhookSecrets(store.secrets);
  return {
    scope: "admin",
    doc: {
      id: "change_webhook_secret",
      summary: `A new secret; for ${OLD_SECRET_HOURS} hours the one before signs, too. It needs a proof`,
      responses: { 200: object({ secret: SECRET }) },
      errors: [404],
    },
    async handle(request, session) {
      const { id } = await webhookOf(store.webhooks, request);
      await checkProof(session);
      const { principal } = session;
      const { secret, sealed } = secrets.create(id);
      const isStored = await store.webhooks.rotateWebhookSecret(id, sealed, Date.now() + OLD_SECRET_HOURS * HOUR);
      if (!isStored) throw webhookNotFound();
      logSecurityEvent(request, "webhook secret changed", { principal, target: id });
      return jsonAnswer(200, { secret }, NO_STORE);
    },
  };
}
