// Webhooks with conditions: a filter, fields, and values that stand with the changes.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Change } from "../../../core/contract/history.ts";
import { createLivingDictionary, type LivingDictionary } from "../../access/living-dictionary.ts";
import { createApp } from "../../app.ts";
import { type BackgroundWork, createBackgroundWork } from "../../background-work.ts";
import { nextVersion } from "../../dictionary/start-dictionary.ts";
import type { Store } from "../../engine/store.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { type Receiver, startReceiver } from "../../testing/servers/webhook-receiver.ts";
import { NO_RATE_LIMIT, ORDERS, readCollections } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";
import { createPost } from "../../webhooks/sending/post.ts";
import { createSender } from "../../webhooks/sending/sender.ts";
import { wantedFeeds } from "../../webhooks/wanted-changes.ts";

const SETTINGS = { allowsPrivate: true, within: 20_000 };
const SOON = { timeout: 50_000, interval: 20 };

let database: TestDatabase;
let store: Store;
let living: LivingDictionary;
let app: Awaited<ReturnType<typeof createApp>>;
let receiver: Receiver;
let sender: BackgroundWork;
let token: string;
beforeEach(async () => {
  database = await createTestDatabase();
  const file = { dataPackage: readCollections(ORDERS).dataPackage, placeOf: (place: string) => place };
  let first = nextVersion(file, undefined);
  store = await database.open((kept) => {
    first = nextVersion(file, kept);
    return { collections: first.collections, text: JSON.stringify(first.dataPackage) };
  });
  living = createLivingDictionary({ ...first, store }, () => undefined);
  const keys = createKeys(store);
  app = await createApp({ ...first, store, keys, limits: NO_RATE_LIMIT, living, webhooks: SETTINGS });
  token = await keys.create("admin");
  receiver = await startReceiver();
  const log = { warn: () => undefined, error: () => undefined };
  const timing = { checkEvery: 20, restFor: 20, lease: 10_000 };
  sender = createBackgroundWork(createSender({ store, ...wantedFeeds(() => living.served()), post: createPost(SETTINGS), log, timing }));
  sender.start();
});
afterEach(async () => {
  await sender.stop();
  await receiver.close();
  await app.close();
  await store.close();
  await database.drop();
});

async function call(method: string, url: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const reply = await app.inject({ method: method as "GET", url, headers, ...(body && { payload: JSON.stringify(body) }) });
  return { status: reply.statusCode, headers: reply.headers, json: reply.payload === "" ? undefined : JSON.parse(reply.payload) };
}

const create = async (more: object) => call("POST", "/v1/webhooks", { url: receiver.url, collections: ["customers"], ...more });
const customer = (objectId: number, city: string | null) => ({ objectId, name: `C${objectId}`, accountNumber: `A${objectId}`, city });
const sent = (): Change[] => receiver.received.flatMap(({ body }) => (body.type === "changes" ? body.data.changes : []));

/** All that was sent until a last change, of a customer of which every webhook of these tests is told. */
async function sentBefore(last: { city: string | null }): Promise<Change[]> {
  await call("POST", "/v1/customers", { objectId: 999, name: "Last", accountNumber: "Last", ...last });
  await expect.poll(() => sent().some(({ objectId }) => objectId === 999), SOON).toBe(true);
  return sent().filter(({ objectId }) => objectId !== 999);
}

/**
 * Waits until the feed shows the customer, so that a webhook made next begins after it. On PostgreSQL the feed lets no change pass
 * while an older transaction of the whole server runs, and other tests use the same server.
 */
async function fed(objectId: number): Promise<void> {
  const shown = async (): Promise<Change[]> => (await call("GET", "/v1/changes")).json.changes;
  await expect.poll(async () => (await shown()).some((change) => change.objectId === objectId), SOON).toBe(true);
}

test("a filter tells what comes to meet it as new, and what meets it no more as gone", async () => {
  await call("POST", "/v1/customers", customer(1, "Ulm"));
  await fed(1);
  const made = await create({ where: "city=Bonn" });
  expect([made.status, made.json.where, made.json.fields, made.json.include]).toEqual([201, "city=Bonn", [], []]);
  await call("PATCH", "/v1/customers/1", { name: "Not told" });
  await call("PATCH", "/v1/customers/1", { city: "Bonn" });
  await call("PATCH", "/v1/customers/1", { name: "Told" });
  await call("PATCH", "/v1/customers/1", { city: "Ulm" });
  await call("POST", "/v1/customers", [customer(2, "Bonn"), customer(3, "Ulm")]);
  await call("DELETE", "/v1/customers/2");
  const sentOnes = await sentBefore({ city: "Bonn" });
  expect(sentOnes.map(({ objectId, operation }) => [objectId, operation])).toEqual([
    [1, "created"],
    [1, "updated"],
    [1, "deleted"],
    [2, "created"],
    [2, "deleted"],
  ]);
  expect(sentOnes.every((change) => !("record" in change) && !("changes" in change))).toBe(true);
});

test("fields tell only what has changed one of them, and values stand with it where they are asked for", async () => {
  await call("POST", "/v1/customers", [customer(1, "Ulm"), customer(2, null)]);
  await fed(2);
  const made = await create({ fields: ["city"], include: ["changes", "record"] });
  expect([made.status, made.json.fields, made.json.include]).toEqual([201, ["city"], ["record", "changes"]]);
  await call("PATCH", "/v1/customers/1", { name: "Not told" });
  await call("PATCH", "/v1/customers/1", { city: "Bonn", name: "Told" });
  await call("POST", "/v1/customers", [customer(3, null), customer(4, "Jena")]);
  await call("DELETE", "/v1/customers/2");
  await call("DELETE", "/v1/customers/4");
  const sentOnes = await sentBefore({ city: "Ulm" });
  expect(sentOnes.map(({ objectId, operation, changes }) => [objectId, operation, changes])).toEqual([
    [1, "updated", { city: ["Ulm", "Bonn"], name: ["Not told", "Told"] }],
    [4, "created", { city: [null, "Jena"], name: [null, "C4"], accountNumber: [null, "A4"] }],
    [4, "deleted", expect.objectContaining({ city: ["Jena", null] })],
  ]);
  expect(sentOnes.at(-1)?.record).toBeNull(); // what it was is in its changes
  expect(sentOnes[0]?.record).toMatchObject({ objectId: 1, name: "Told", version: 3 });
});

test("a filter may lead through a parent, and values stand with the changes of all collections", async () => {
  await call("POST", "/v1/customers", [customer(1, "Ulm"), customer(2, "Bonn")]);
  await create({ collections: ["contacts"], where: "customer.city=Ulm" });
  await create({ collections: [], include: ["record"], operations: ["created"] });
  await call("POST", "/v1/contacts", [
    { objectId: 1, customerId: 1, name: "In Ulm" },
    { objectId: 2, customerId: 2, name: "In Bonn" },
  ]);
  const of = (has: boolean) => sent().filter((change) => "record" in change === has && change.collection === "contacts");
  await expect.poll(() => [of(true).length, of(false).length], SOON).toEqual([2, 1]);
  expect(of(false)[0]?.objectId).toBe(1);
  expect(of(true).map(({ record }) => record?.name)).toEqual(["In Ulm", "In Bonn"]);
});

test("what is wrong with conditions is said where it stands, and an unknown field is told from none that is hidden", async () => {
  for (const [body, pointer, words] of [
    [{ where: "nonsense=1" }, "/where", "There is no parameter of this name here"],
    [{ where: "city=", collections: [] }, "/where", "about one collection"],
    [{ where: "city=Bonn", collections: ["customers", "contacts"] }, "/where", "about one collection"],
    [{ where: "or[0].city=Bonn&or[1].city=Ulm" }, "/where", "one way alone"],
    [{ where: "createdBy={me}" }, "/where", "a webhook has no {me}"],
    [{ where: "updatedAt[gt]=2026-01-01T00:00:00Z" }, "/where", "changes with each write"],
    [{ where: "createdAt[gt]=today-7d" }, "/where", "give a fixed time"],
    [{ where: 7 }, "/where", "must be a filter"],
    [{ fields: ["town"] }, "/fields", 'there is no field "town"'],
    [{ fields: ["city"], collections: [] }, "/fields", "about one collection"],
    [{ fields: ["objectId"] }, "/fields", "is the key"],
    [{ include: ["all"] }, "/include", "must be a list of some of record, changes"],
  ] as const) {
    const { status, json } = await create(body);
    expect([body, status, json.errors?.[0]?.pointer]).toEqual([body, 422, pointer]);
    expect(json.errors[0].detail).toContain(words);
  }
});

test("conditions are changed and taken away, with an ETag that changes with them", async () => {
  const { json } = await create({ where: "city=Bonn", fields: ["name"] });
  const path = `/v1/webhooks/${json.id}`;
  const { etag } = (await call("GET", path)).headers;
  const moved = await call("PATCH", path, { collections: ["contacts"] });
  expect([moved.status, moved.json.errors[0].pointer]).toEqual([422, "/where"]);
  expect((await call("PATCH", path, { include: ["changes"] })).json).toMatchObject({
    where: "city=Bonn",
    fields: ["name"],
    include: ["changes"],
  });
  expect((await call("GET", path)).headers.etag).not.toBe(etag);
  const cleared = await call("PATCH", path, { where: null, fields: [], collections: [] });
  expect(cleared.json).toMatchObject({ where: null, fields: [], include: ["changes"], collections: [] });
});

test("two who change a webhook at once keep what the other one has changed", async () => {
  const { json } = await create({});
  const path = `/v1/webhooks/${json.id}`;
  const { readWebhook } = store.webhooks;
  const spy = vi.spyOn(store.webhooks, "readWebhook").mockImplementationOnce(async (id) => {
    const before = await readWebhook(id);
    await call("PATCH", path, { where: "city=Bonn", fields: ["city"] });
    return before;
  });
  const changed = await call("PATCH", path, { operations: ["created"] });
  spy.mockRestore();
  expect([changed.status, changed.json]).toMatchObject([200, { operations: ["created"], where: "city=Bonn", fields: ["city"] }]);
});

/** Applies the dictionary with changed fields of customers. */
async function applyFields(change: (fields: { name: string }[]) => object[]): Promise<void> {
  const draft = (await call("POST", "/v1/dictionary/drafts", { title: "Other" })).json;
  const customers = draft.package.resources.find(({ name }: { name: string }) => name === "customers");
  customers.schema.fields = change(customers.schema.fields);
  await call("PATCH", `/v1/dictionary/drafts/${draft.id}`, { package: draft.package });
  const { status, json } = await call("POST", `/v1/dictionary/drafts/${draft.id}/apply`);
  if (status >= 300) throw new Error(JSON.stringify(json));
}

test("a field with another name is the same one, and of one that is gone the webhook is switched off until it is changed", async () => {
  const { json } = await create({ where: "city=Bonn", fields: ["city"], include: ["changes"] });
  const path = `/v1/webhooks/${json.id}`;
  await applyFields((fields) => fields.map((field) => (field.name === "city" ? { ...field, name: "town" } : field)));
  expect((await call("GET", path)).json).toMatchObject({ where: "town=Bonn", fields: ["town"], enabled: true });
  await call("POST", "/v1/customers", [{ objectId: 1, name: "C1", accountNumber: "A1", town: "Bonn" }]);
  await expect.poll(() => sent().length, SOON).toBe(1);
  expect(sent()[0]?.changes).toMatchObject({ town: [null, "Bonn"] });
  await applyFields((fields) => fields.filter(({ name }) => name !== "town"));
  await call("POST", "/v1/customers", [{ objectId: 2, name: "C2", accountNumber: "A2" }]);
  await expect.poll(async () => (await call("GET", path)).json.offReason, SOON).toBe("condition");
  expect((await call("GET", path)).json).toMatchObject({ where: null, fields: [], enabled: false, state: "off" });
  expect((await call("PATCH", path, { url: receiver.url, enabled: false })).status).toBe(200);
  expect((await call("POST", `${path}/test`)).json).toMatchObject({ state: "delivered" });
  // What has waited is sent then.
  await call("PATCH", path, { where: "name=C2", fields: [], enabled: true });
  await expect.poll(() => sent().some(({ objectId }) => objectId === 2), SOON).toBe(true);
  expect(JSON.stringify(sent())).not.toContain('town":["');
});

test("a delivery is sent again with the conditions under which it began", async () => {
  const { json } = await create({ where: "city=Bonn" });
  await call("POST", "/v1/customers", [customer(1, "Bonn"), customer(2, "Ulm")]);
  await expect.poll(() => sent().length, SOON).toBe(1);
  await call("PATCH", `/v1/webhooks/${json.id}`, { where: "city=Ulm" });
  const { deliveries } = (await call("GET", `/v1/webhooks/${json.id}/deliveries`)).json;
  expect(deliveries[0]).toMatchObject({ changes: 1 });
  await call("POST", `/v1/webhooks/${json.id}/redeliveries`, { delivery: deliveries[0].id });
  expect(sent().map(({ objectId }) => objectId)).toEqual([1, 1]);
});
