// Webhooks through the API: who may, what is checked, the secret, tests, deliveries and sending again.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MOST_WEBHOOKS } from "../../../core/contract/webhooks.ts";
import { type BackgroundWork, createBackgroundWork } from "../../background-work.ts";
import { changesIn, isSignedWith, type Receiver, startReceiver } from "../../testing/servers/webhook-receiver.ts";
import { DICTIONARY, openTestService, readCollections, type TestService } from "../../testing/service.ts";
import { createPost } from "../../webhooks/sending/post.ts";
import { createSender } from "../../webhooks/sending/sender.ts";
import { wantedFeeds } from "../../webhooks/wanted-changes.ts";

const SETTINGS = { allowsPrivate: true, within: 20_000 };
const SOON = { timeout: 50_000, interval: 20 };

let service: TestService;
let guarded: TestService;
let receiver: Receiver;
let sender: BackgroundWork;
beforeAll(async () => {
  service = await openTestService(DICTIONARY, { webhooks: SETTINGS });
  guarded = await openTestService(DICTIONARY);
  receiver = await startReceiver();
  const { store, collections } = service;
  const log = { warn: () => undefined, error: () => undefined };
  const timing = { checkEvery: 20, restFor: 20, lease: 10_000 };
  sender = createBackgroundWork(
    createSender({
      store,
      ...wantedFeeds(() => ({ ...readCollections(DICTIONARY), collections, store })),
      post: createPost(SETTINGS),
      log,
      timing,
    }),
  );
  sender.start();
});
afterAll(async () => {
  await sender.stop();
  await receiver.close();
  await service.close();
  await guarded.close();
});
beforeEach(async () => {
  for (const { id } of (await service.call("GET", "/v1/webhooks")).json.webhooks) await service.call("DELETE", `/v1/webhooks/${id}`);
  receiver.received.length = 0;
  receiver.answerWith((_, response) => void response.writeHead(204).end());
});

const create = async (more: object = {}) => (await service.call("POST", "/v1/webhooks", { url: receiver.url, ...more })).json;
const customer = { lastName: "Ek", accountID: "1" };

test("a webhook can be made, read, listed, changed and deleted; its secret is shown once and stored sealed", async () => {
  const made = await service.call("POST", "/v1/webhooks", { url: receiver.url, collections: ["customers"], operations: ["deleted"] });
  expect(made.status).toBe(201);
  const { secret, ...webhook } = made.json;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(made.headers).toMatchObject({ location: `/v1/webhooks/${webhook.id}`, "cache-control": "no-store" });
  expect(webhook).toMatchObject({
    ...{ url: receiver.url, collections: ["customers"], operations: ["deleted"], enabled: true, state: "working", since: null },
    ...{ offReason: null, nextAttemptAt: null, createdBy: { type: "key" } },
  });
  expect((await service.call("GET", `/v1/webhooks/${webhook.id}`)).json).toEqual(webhook);
  expect((await service.call("GET", "/v1/webhooks")).json).toEqual({ webhooks: [webhook] });
  const changed = await service.call("PATCH", `/v1/webhooks/${webhook.id}`, { operations: [], enabled: false });
  expect(changed.json).toMatchObject({
    operations: [],
    collections: ["customers"],
    enabled: false,
    state: "off",
    offReason: "administrator",
  });
  expect(changed.json.since).toMatch(/Z$/);
  const stored = JSON.stringify(await service.store.webhooks.readWebhook(webhook.id));
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(secret.slice("whsec_".length));
  expect((await service.call("DELETE", `/v1/webhooks/${webhook.id}`)).status).toBe(204);
  expect((await service.call("GET", `/v1/webhooks/${webhook.id}`)).status).toBe(404);
});

test.each([
  ["no address", "intake"],
  ["another scheme", "ftp://example.org/"],
  ["a user name", "https://user@example.org/"],
  ["a password", "https://user:word@example.org/"],
  ["a fragment", "https://example.org/#a"],
  ["no TLS", "http://example.org/"],
  ["a private address", "https://10.0.0.1/"],
  ["a private address written otherwise", "https://0x7f.1/"],
  ["a private address of IPv6", "https://[::ffff:10.0.0.1]/"],
  ["too long an address", `https://example.org/${"x".repeat(2_000)}`],
])("an address with %s is refused", async (_, url) => {
  const refused = await guarded.call("POST", "/v1/webhooks", { url });
  expect([refused.status, refused.json.errors[0].pointer]).toEqual([422, "/url"]);
});

test("collections and operations must exist, and a cursor must be the feed's", async () => {
  const refused = await service.call("POST", "/v1/webhooks", { url: receiver.url, collections: ["nothing"], operations: ["read"] });
  expect(refused.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/collections", "/operations"]);
  const { id } = await create();
  expect((await service.call("PATCH", `/v1/webhooks/${id}`, { cursor: "elsewhere" })).json.errors[0].pointer).toBe("/cursor");
});

test("only administrators may", async () => {
  const { token } = await service.newPerson("editor");
  const headers = { authorization: `Bearer ${token}` };
  expect((await service.raw("GET", "/v1/webhooks", headers)).status).toBe(403);
  const admin = await service.newPerson("administrator");
  expect((await service.raw("GET", "/v1/webhooks", { authorization: `Bearer ${admin.token}` })).status).toBe(200);
});

test(`there are ${MOST_WEBHOOKS} webhooks at most`, async () => {
  for (let i = 0; i < MOST_WEBHOOKS; i++) await create({ enabled: false });
  expect(await create()).toMatchObject({ status: 409, code: "TOO_MANY_WEBHOOKS" });
});

test("a test is sent at once, also while the webhook is off, and stands among the deliveries", async () => {
  const { id, secret } = await create({ enabled: false });
  const passed = await service.call("POST", `/v1/webhooks/${id}/test`);
  expect(passed.json).toMatchObject({ kind: "test", state: "delivered", changes: 0, attempts: [{ status: 204, problem: null }] });
  const [received] = receiver.received;
  if (!received) throw new Error("nothing");
  expect(received.body).toEqual({ type: "test", timestamp: passed.json.createdAt, data: {} });
  expect(isSignedWith(secret, received)).toBe(true);
  receiver.answerWith((_, response) => void response.writeHead(500, { "content-type": "application/json" }).end('{"a":"no"}'));
  const failed = await service.call("POST", `/v1/webhooks/${id}/test`);
  expect(failed.json).toMatchObject({ state: "failed", attempts: [{ status: 500, problem: "status", excerpt: '{"a":"no"}' }] });
  const { deliveries, next } = (await service.call("GET", `/v1/webhooks/${id}/deliveries`)).json;
  expect([deliveries, next]).toEqual([[failed.json, passed.json], null]);
});

test("deliveries are read page by page, and one can be sent again under its id with the same text", async () => {
  const { id } = await create();
  for (let i = 0; i < 3; i++) {
    await service.call("POST", "/v1/customers", customer);
    await expect.poll(() => receiver.received.length, SOON).toBe(i + 1);
  }
  const path = `/v1/webhooks/${id}/deliveries`;
  await expect
    .poll(async () => (await service.call("GET", path)).json.deliveries.map((one: { state: string }) => one.state), SOON)
    .toEqual(["delivered", "delivered", "delivered"]);
  const first = (await service.call("GET", `${path}?limit=2`)).json;
  const second = (await service.call("GET", `${path}?limit=2&before=${first.next}`)).json;
  const ids = [...first.deliveries, ...second.deliveries].map((one: { id: string }) => one.id);
  expect([ids, second.next]).toEqual([receiver.received.map((one) => one.id).reverse(), null]);
  const again = await service.call("POST", `/v1/webhooks/${id}/redeliveries`, { delivery: ids[1] });
  expect(again.json).toMatchObject({ id: ids[1], state: "delivered", changes: 1, attempts: [{ status: 204 }, { status: 204 }] });
  const [, sent, , resent] = receiver.received;
  expect([resent?.id, resent?.text]).toEqual([sent?.id, sent?.text]);
  expect((await service.call("POST", `/v1/webhooks/${id}/redeliveries`, { delivery: "msg_none" })).status).toBe(404);
});

test("one whose changes are not kept any more goes on from the cursor with which it is switched on", async () => {
  const { id } = await create({ enabled: false });
  const { store } = guarded; // nobody sends for its webhooks
  const stored = (await service.store.webhooks.readWebhook(id)) ?? expect.fail();
  await store.webhooks.addWebhook({ ...stored, offReason: "expired", cursor: "x.1" }, MOST_WEBHOOKS);
  const cursor = await store.feed.now();
  const changed = await guarded.call("PATCH", `/v1/webhooks/${id}`, { enabled: true, cursor });
  expect(changed.json).toMatchObject({ enabled: true, offReason: null, cursor });
  await guarded.call("DELETE", `/v1/webhooks/${id}`);
});

test("everything from a cursor on can be sent again, under new ids", async () => {
  const { id } = await create();
  const { cursor } = (await service.call("GET", `/v1/webhooks/${id}`)).json;
  await service.call("POST", "/v1/customers", [customer, customer]);
  await expect.poll(() => changesIn(receiver.received).length, SOON).toBe(2);
  await expect.poll(async () => (await service.call("GET", `/v1/webhooks/${id}`)).json.cursor, SOON).not.toBe(cursor);
  expect((await service.call("PATCH", `/v1/webhooks/${id}`, { cursor })).status).toBe(200);
  await expect.poll(() => changesIn(receiver.received).length, SOON).toBe(4);
  const [before, after] = receiver.received;
  expect(changesIn(after ? [after] : [])).toEqual(changesIn(before ? [before] : []));
  expect(after?.id).not.toBe(before?.id);
});

test("a webhook that is refused says since when it retries, and when it does next", async () => {
  receiver.answerWith((_, response) => void response.writeHead(503, { "retry-after": "600" }).end());
  const { id } = await create();
  await service.call("POST", "/v1/customers", customer);
  const state = async () => (await service.call("GET", `/v1/webhooks/${id}`)).json;
  await expect.poll(async () => (await state()).state, SOON).toBe("retrying");
  const { since, nextAttemptAt, enabled } = await state();
  expect(enabled).toBe(true);
  expect(Date.parse(nextAttemptAt) - Date.parse(since)).toBe(600_000);
});

test("a new secret signs beside the old one", async () => {
  const { id, secret } = await create({ enabled: false });
  const next = (await service.call("POST", `/v1/webhooks/${id}/secret`)).json.secret;
  expect(next).not.toBe(secret);
  await service.call("POST", `/v1/webhooks/${id}/test`);
  const [received] = receiver.received;
  if (!received) throw new Error("nothing");
  expect([isSignedWith(secret, received), isSignedWith(next, received)]).toEqual([true, true]);
  const unsigned = { ...received, headers: { ...received.headers, "webhook-id": "msg_other" } };
  expect(isSignedWith(next, unsigned)).toBe(false);
});
