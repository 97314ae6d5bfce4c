import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { type BackgroundWork, createBackgroundWork } from "../../background-work.ts";
import { NO_REPORT } from "../../engine/background.ts";
import type { Store } from "../../engine/store.ts";
import { createAccounts } from "../../people/auth/accounts.ts";
import { bareId, createKeys } from "../../people/auth/api-keys.ts";
import { randomId } from "../../people/auth/random-codes.ts";
import { createSweeper } from "../../retention.ts";
import { changesIn, isSignedWith, type Receiver, startReceiver } from "../../testing/servers/webhook-receiver.ts";
import { createTestDatabase, SOMEBODY, type TestDatabase, writeEach } from "../../testing/store.ts";
import { newDeliveryId } from "../../webhooks/sending/delivery-id.ts";
import { createPost } from "../../webhooks/sending/post.ts";
import { createWebhookSecrets } from "../../webhooks/sending/secrets.ts";
import { createSender } from "../../webhooks/sending/sender.ts";
import type { FindWanted } from "../../webhooks/sending/wanted-feed.ts";
import type { StoredWebhook } from "../../webhooks/store/webhooks.ts";
import { wantedFeeds } from "../../webhooks/wanted-changes.ts";

const fields = [
  { name: "id", type: "integer" },
  { name: "rank", type: "integer" },
];
const resources = ["things", "others"].map((name) => ({ name, singular: name.slice(0, -1), schema: { fields, primaryKey: "id" } }));
const read = readDataPackage({ resources });
if ("mistakes" in read) throw new Error("package");
const { collections } = read;
const [things, others] = collections as [Collection, Collection];

const TIMING = { checkEvery: 20, restFor: 20, lease: 60_000 };
const SOON = { timeout: 50_000, interval: 20 };
const isPostgres = Boolean(inject("postgres"));

let database: TestDatabase;
let stores: Store[];
let store: Store;
let senders: BackgroundWork[];
let receiver: Receiver;
let lines: object[];

beforeEach(async () => {
  database = await createTestDatabase();
  stores = [await database.open(collections)];
  if (isPostgres) stores.push(await database.open(collections));
  store = stores[0] as Store;
  receiver = await startReceiver();
  lines = [];
  senders = [];
});
afterEach(async () => {
  for (const sender of senders) await sender.stop();
  await receiver.close();
  for (const one of stores) await one.close();
  await database.drop();
});

/** A sender in each process. Each waits for `beforeRead` when it is about to read what comes next. */
function startSenders(timing = TIMING, beforeRead = async () => {}): void {
  const log = { warn: (fields: object) => void lines.push(fields), error: (fields: object) => void lines.push(fields) };
  const post = createPost({ allowsPrivate: true, within: 20_000 });
  senders = stores.map((one) => {
    const parts = wantedFeeds(() => ({ dataPackage: {}, collections, store: one }));
    const findWanted: FindWanted = (filter) => {
      const wanted = parts.findWanted(filter);
      return { ...wanted, feed: { ...wanted.feed, read: (...asked) => beforeRead().then(() => wanted.feed.read(...asked)) } };
    };
    return createBackgroundWork(createSender({ store: one, ...parts, findWanted, post, log, timing }));
  });
  for (const sender of senders) sender.start();
}

async function addWebhook(more: Partial<StoredWebhook> = {}): Promise<{ id: string; secret: string }> {
  const id = randomId();
  const { secret, sealed } = createWebhookSecrets(store.secrets).create(id);
  const webhook: StoredWebhook = {
    ...{
      id,
      url: receiver.url,
      collections: [],
      operations: [],
      conditions: "",
      secret: sealed,
      oldSecret: null,
      oldUntil: 0,
      cursor: "",
      delivery: null,
    },
    ...{ isEnabled: true, offReason: null, since: null, failures: 0, nextAt: 0, createdAt: Date.now() },
    createdBy: { type: "key", id: "ab", name: "ab" },
  };
  await store.webhooks.addWebhook({ ...webhook, ...more }, 50);
  return { id, secret };
}

const put = (collection: Collection, from: number, to: number, rank = 1) =>
  writeEach(
    store,
    collection,
    Array.from({ length: to - from + 1 }, (_, i) => ({ verb: "put" as const, id: from + i, given: { id: from + i, rank } })),
  );
const idsOf = () => changesIn(receiver.received).map((one) => Number(one.split(".")[0]));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const webhookOf = async (id: string) => (await store.webhooks.readWebhook(id)) as StoredWebhook;
const deliveriesOf = (id: string) => store.webhooks.listDeliveries(id, 0, "~", 100);
const isSent = (id: string) => async () => {
  const { cursor, delivery } = await webhookOf(id);
  const { entries } = await store.feed.read(cursor || undefined, { collections: ["things", "others"] }, 1);
  return cursor !== "" && entries.length === 0 && delivery === null;
};

test("changes arrive in order, up to 100 in a message, signed, and each once", async () => {
  const { id, secret } = await addWebhook();
  await put(things, 1, 250);
  startSenders();
  await expect.poll(() => idsOf().length, SOON).toBe(250);
  await writeEach(store, things, [{ verb: "delete", id: 7 }]);
  await expect.poll(() => idsOf().length, SOON).toBe(251);
  await expect.poll(idsOf, SOON).toEqual([...range(1, 250), 7]);
  expect(receiver.received.map(({ body }) => body.type === "changes" && body.data.changes.length)).toEqual([100, 100, 50, 1]);
  expect(receiver.received.every((one) => isSignedWith(secret, one))).toBe(true);
  const last = receiver.received.at(-1);
  expect(last?.headers["content-type"]).toBe("application/json");
  expect(last?.body).toMatchObject({ type: "changes", data: { changes: [{ collection: "things", objectId: 7, operation: "deleted" }] } });
  expect(last?.text).not.toContain("rank");
  const notes = async () => (await deliveriesOf(id)).map(({ state, size, attempts }) => [state, size, attempts.length]);
  await expect.poll(notes, SOON).toEqual([
    ["delivered", 1, 1],
    ["delivered", 50, 1],
    ["delivered", 100, 1],
    ["delivered", 100, 1],
  ]);
  expect((await deliveriesOf(id)).map((one) => one.id)).toEqual(receiver.received.map((one) => one.id).reverse());
});

test("only the collections and operations that were chosen are sent", async () => {
  const { id } = await addWebhook({ collections: ["others"], operations: ["deleted"] });
  await put(things, 1, 150);
  await put(others, 1, 150);
  await writeEach(store, others, [{ verb: "delete", id: 9 }]);
  startSenders();
  await expect.poll(() => changesIn(receiver.received), SOON).toEqual(["9.2"]);
  await expect.poll(isSent(id), SOON).toBe(true);
  expect(receiver.received.length).toBe(1);
});

test("receivers that have failed and then hang hold up none that answers", async () => {
  const hanging: { end(): void }[] = [];
  const seen = new Set<string>();
  const first = await startReceiver();
  first.answerWith(({ id }, response) => {
    if (seen.has(id)) hanging.push(response.writeHead(204));
    else response.writeHead(503).end();
    seen.add(id);
  });
  try {
    for (let i = 0; i < 8; i++) await addWebhook({ url: first.url });
    await put(things, 1, 1);
    startSenders();
    await expect.poll(() => hanging.length, SOON).toBe(8);
    await addWebhook();
    await expect.poll(idsOf, SOON).toEqual([1]);
    expect(hanging.length).toBe(8); // they hang still
  } finally {
    for (const response of hanging) response.end();
    for (const sender of senders.splice(0)) await sender.stop();
    await first.close();
  }
});

test("what is refused comes again under the same id with the same text, and nothing overtakes it", async () => {
  const { id } = await addWebhook();
  let isUp = false;
  receiver.answerWith(
    (_, response) => void response.writeHead(isUp ? 200 : 503, { "content-type": "text/plain", "retry-after": "4" }).end("not now"),
  );
  await put(things, 1, 3);
  startSenders();
  await expect.poll(async () => (await webhookOf(id)).failures, SOON).toBe(1);
  await put(things, 4, 6);
  const retrying = await webhookOf(id);
  expect(retrying).toMatchObject({ isEnabled: true, delivery: receiver.received[0]?.id });
  expect(retrying.nextAt - (retrying.since ?? 0)).toBeGreaterThanOrEqual(4_000);
  isUp = true;
  await expect.poll(idsOf, SOON).toEqual([1, 2, 3, 1, 2, 3, 4, 5, 6]);
  const [first, second] = receiver.received;
  expect([second?.id, second?.text]).toEqual([first?.id, first?.text]);
  expect((await deliveriesOf(id)).at(-1)?.attempts).toMatchObject([
    { status: 503, problem: "status", excerpt: "not now" },
    { status: 200, problem: null },
  ]);
  expect(await webhookOf(id)).toMatchObject({ failures: 0, since: null });
});

test("410 switches it off at once; switched on again it sends what has waited", async () => {
  const { id } = await addWebhook();
  receiver.answerWith((_, response) => void response.writeHead(410).end());
  await put(things, 1, 2);
  startSenders();
  await expect.poll(async () => (await webhookOf(id)).isEnabled, SOON).toBe(false);
  expect(await webhookOf(id)).toMatchObject({ offReason: "gone" });
  await expect.poll(() => lines, SOON).toEqual([{ event: "webhook switched off", target: id, reason: "gone" }]);
  receiver.answerWith((_, response) => void response.writeHead(200).end());
  await store.webhooks.changeWebhook(id, { isEnabled: true }, Date.now());
  await expect.poll(idsOf, SOON).toEqual([1, 2, 1, 2]);
});

test("after a day without success it is switched off", async () => {
  const { id } = await addWebhook({ failures: 40, since: Date.now() - 86_400_000 });
  receiver.answerWith((_, response) => void response.writeHead(500).end());
  await put(things, 1, 1);
  startSenders();
  await expect.poll(async () => (await webhookOf(id)).offReason, SOON).toBe("failing");
  expect(receiver.received.length).toBe(1);
});

test("switched off, deleted or moved while a message is under way, nothing is lost or stuck", async () => {
  const { id } = await addWebhook();
  const begin = await store.feed.now();
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.answerWith(async (_, response) => {
    await isReleased;
    response.writeHead(200).end();
  });
  await put(things, 1, 2);
  startSenders();
  await expect.poll(() => receiver.received.length, SOON).toBe(1);
  await store.webhooks.changeWebhook(id, { isEnabled: false }, Date.now());
  await put(things, 3, 4);
  release();
  await expect.poll(async () => (await deliveriesOf(id))[0]?.state, SOON).toBe("delivered");
  expect(receiver.received.length).toBe(1);
  await store.webhooks.changeWebhook(id, { isEnabled: true }, Date.now());
  await expect.poll(idsOf, SOON).toEqual([1, 2, 3, 4]);
  await store.webhooks.changeWebhook(id, { cursor: begin }, Date.now());
  await expect.poll(() => idsOf().length, SOON).toBe(8);
  expect(idsOf().slice(4)).toEqual([1, 2, 3, 4]);
  expect(await store.webhooks.deleteWebhook(id)).toBe(true);
  expect(await deliveriesOf(id)).toEqual([]);
});

test("what was erased while a message waited is not sent, and a message of which nothing is left is dropped", async () => {
  const { id } = await addWebhook();
  receiver.answerWith((_, response) => void response.writeHead(503, { "retry-after": "3600" }).end());
  await put(things, 1, 3);
  startSenders();
  await expect.poll(async () => (await webhookOf(id)).failures, SOON).toBe(1);
  const source = { type: "api", run: null } as const;
  await store.erase(things, 2, SOMEBODY, source);
  receiver.answerWith((_, response) => void response.writeHead(200).end());
  await store.webhooks.changeWebhook(id, { isEnabled: false }, Date.now());
  await store.webhooks.changeWebhook(id, { isEnabled: true }, Date.now());
  await expect.poll(idsOf, SOON).toEqual([1, 2, 3, 1, 3, 2]);
  expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
  expect(receiver.received.at(-1)?.body).toMatchObject({ data: { changes: [{ objectId: 2, operation: "erased" }] } });
  await expect.poll(isSent(id), SOON).toBe(true);
  receiver.answerWith((_, response) => void response.writeHead(503, { "retry-after": "3600" }).end());
  await put(things, 4, 4);
  await expect.poll(async () => (await webhookOf(id)).failures, SOON).toBe(1);
  await store.erase(things, 4, SOMEBODY, source);
  receiver.answerWith((_, response) => void response.writeHead(200).end());
  await store.webhooks.changeWebhook(id, { isEnabled: false }, Date.now());
  await store.webhooks.changeWebhook(id, { isEnabled: true }, Date.now());
  await expect.poll(idsOf, SOON).toEqual([1, 2, 3, 1, 3, 2, 4, 4]);
  const states = async () => (await deliveriesOf(id)).map(({ state }) => state).sort();
  await expect.poll(states, SOON).toEqual(["delivered", "delivered", "delivered", "dropped"]);
});

test("both secrets sign until the old one ends", async () => {
  const { id, secret } = await addWebhook();
  const next = createWebhookSecrets(store.secrets).create(id);
  await store.webhooks.rotateWebhookSecret(id, next.sealed, Date.now() + 600_000);
  await put(things, 1, 1);
  startSenders();
  await expect.poll(() => receiver.received.length, SOON).toBe(1);
  const [received] = receiver.received;
  if (!received) throw new Error("nothing");
  expect([isSignedWith(secret, received), isSignedWith(next.secret, received)]).toEqual([true, true]);
  await expect.poll(isSent(id), SOON).toBe(true);
  const last = createWebhookSecrets(store.secrets).create(id);
  await store.webhooks.rotateWebhookSecret(id, last.sealed, Date.now() - 1);
  await put(things, 2, 2);
  await expect.poll(() => receiver.received.length, SOON).toBe(2);
  const again = receiver.received[1];
  if (!again) throw new Error("nothing");
  expect([secret, next.secret, last.secret].map((one) => isSignedWith(one, again))).toEqual([false, false, true]);
});

test("a cursor that the feed does not know any more switches it off, and it begins with what is kept", async () => {
  const { id } = await addWebhook({ cursor: "x.1" });
  await put(things, 1, 2);
  startSenders();
  await expect.poll(async () => (await webhookOf(id)).offReason, SOON).toBe("expired");
  expect(receiver.received.length).toBe(0);
  await store.webhooks.changeWebhook(id, { isEnabled: true }, Date.now());
  await expect.poll(idsOf, SOON).toEqual([1, 2]);
});

test("a message whose changes are not kept any more switches it off, too", async () => {
  const { id } = await addWebhook();
  await put(things, 1, 2);
  await store.webhooks.leaseWebhook(id, "before", Date.now(), Date.now() + 60_000);
  const lists = { collections: ["things"], operations: [], conditions: "", attempts: [] };
  const begun = { webhookId: id, id: "msg_begun", kind: "changes", state: "open", createdAt: Date.now(), size: 1 } as const;
  expect(await store.webhooks.beginDelivery({ ...begun, ...lists, begins: "x.1", ends: "x.2" }, "before")).toMatchObject({ id });
  await store.webhooks.releaseLease(id, "before", Date.now());
  startSenders();
  await expect.poll(async () => (await webhookOf(id)).offReason, SOON).toBe("expired");
  await store.webhooks.changeWebhook(id, { isEnabled: true }, Date.now());
  await expect.poll(idsOf, SOON).toEqual([1, 2]);
  await expect.poll(async () => (await deliveriesOf(id)).map(({ state }) => state).sort(), SOON).toEqual(["delivered", "dropped"]);
});

test("a stop waits for what is under way, and leaves nothing behind that holds others up", async () => {
  const { id } = await addWebhook();
  receiver.answerWith(async (_, response) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    response.writeHead(200).end();
  });
  await put(things, 1, 250);
  startSenders();
  await expect.poll(() => receiver.received.length, SOON).toBe(1);
  for (const sender of senders) await sender.stop();
  const sent = receiver.received.length;
  expect(sent).toBeLessThan(3);
  expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(Array.from({ length: sent }, () => "delivered"));
  startSenders(); // its lease of a minute is free
  await expect.poll(idsOf, SOON).toEqual(range(1, 250));
});

test("a clock that was ahead for a while and is right again holds no webhook up", async () => {
  const ahead = Date.now() + 7 * 86_400_000;
  const used = await addWebhook(); // a turn without an error ended then
  await store.webhooks.leaseWebhook(used.id, "before", ahead, ahead + 10_000);
  await store.webhooks.releaseLease(used.id, "before", ahead);
  const killed = await addWebhook(); // its process was killed then
  await store.webhooks.leaseWebhook(killed.id, "killed", ahead, ahead + 10_000);
  const [failing, waiting] = [await addWebhook(), await addWebhook()];
  await put(things, 1, 2);
  await failAt(failing.id, ahead);
  await failAt(waiting.id, Date.now());
  startSenders();
  for (const { id } of [used, killed, failing]) await expect.poll(isSent(id), SOON).toBe(true);
  expect(await webhookOf(waiting.id)).toMatchObject({ failures: 1, delivery: "msg_failed" }); // a pause of now is kept
});

/** Its first message has failed at this time, and is to come again an hour later. */
async function failAt(webhookId: string, now: number): Promise<void> {
  const holder = "failed";
  await store.webhooks.leaseWebhook(webhookId, holder, now, now + 10_000);
  const read = () => store.feed.read(undefined, { collections: ["things"] }, 100);
  // On PostgreSQL other transactions on the server hold the feed up.
  await expect.poll(async () => (await read()).entries.length, SOON).toBe(2);
  const { begins, entries } = await read();
  const begun = { webhookId, id: "msg_failed", kind: "changes", state: "open", createdAt: now, size: entries.length } as const;
  const ends = entries.at(-1)?.cursor ?? null;
  await store.webhooks.beginDelivery(
    { ...begun, begins, ends, collections: ["things"], operations: [], conditions: "", attempts: [] },
    holder,
  );
  const consequence = { do: "try again", nextAt: now + 3_600_000 } as const;
  const attempt = { at: new Date(now).toISOString(), milliseconds: 1, status: 500, problem: "status", excerpt: "" } as const;
  await store.webhooks.noteAttempt({ webhookId, id: begun.id, holder, attempt, consequence, now, leaseUntil: now + 10_000 });
}

test("deliveries older than a week are swept, but not one that waits", async () => {
  const { id } = await addWebhook({ isEnabled: false });
  const old = Date.now() - 8 * 86_400_000;
  const delivery = {
    webhookId: id,
    kind: "test",
    createdAt: old,
    size: 0,
    collections: [],
    operations: [],
    conditions: "",
    begins: null,
    ends: null,
  } as const;
  const lists = { collections: [], operations: [], conditions: "", attempts: [] };
  for (const state of ["delivered", "failed", "dropped", "open"] as const)
    await store.webhooks.addTestDelivery({ ...delivery, ...lists, state, id: `msg_${state}` });
  await store.webhooks.addTestDelivery({ ...delivery, ...lists, state: "delivered", id: "msg_new", createdAt: Date.now() });
  const retention = { historyDays: undefined, changesDays: undefined };
  const sweeper = createBackgroundWork(createSweeper(store, retention, NO_REPORT, { first: 0, every: 1e9, pause: 0 }));
  sweeper.start();
  await expect.poll(async () => (await deliveriesOf(id)).map((one) => one.id), SOON).toEqual(["msg_open", "msg_new"]);
  await sweeper.stop();
});

test("more webhooks than are sent for at once all have their turn", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push((await addWebhook()).id);
  await put(things, 1, 3);
  startSenders();
  await expect.poll(() => idsOf().length, SOON).toBe(60);
  for (const id of ids) await expect.poll(isSent(id), SOON).toBe(true);
});

test.each(["by themselves", "with an API key"])("a webhook that a person made %s sends as long as they administer", async (how) => {
  const invited = await createAccounts(store.people).invite({ email: "maker@example.org", name: "Maker", roles: ["administrator"] });
  const maker = { type: "user" as const, id: invited?.user.id ?? "", name: "Maker" };
  await store.people.changeUser(maker.id, { status: "active" });
  const key = how === "with an API key" ? bareId(await createKeys(store).create("admin", { userId: maker.id })) : undefined;
  const { id } = await addWebhook({ createdBy: key === undefined ? maker : { type: "key", id: key, name: "" } });
  // Another administrator is there, so that this one may stop to be one.
  const other = await createAccounts(store.people).invite({ email: "other@example.org", name: "Other", roles: ["administrator"] });
  await store.people.changeUser(other?.user.id ?? "", { status: "active" });
  let isLost = false;
  const loseRight = async () => {
    if (isLost || idsOf().length === 0) return;
    isLost = true;
    expect(await store.people.changeUser(maker.id, { roles: ["viewer"] })).toMatchObject({ roles: ["viewer"] });
    await put(things, 2, 2);
  };
  startSenders(TIMING, loseRight); // in the midst of a turn
  await put(things, 1, 1);
  await expect.poll(idsOf, SOON).toEqual([1]);
  await expect.poll(async () => (await webhookOf(id)).isEnabled, SOON).toBe(false);
  expect([(await webhookOf(id)).offReason, idsOf()]).toEqual(["administrator", [1]]);
});

const keepCount = async (day: number, count: number) => {
  const counts = [{ constraint: "minimum" as const, field: "rank", count }];
  expect(await store.violationCounts.claimDay("things", day)).toBe(true);
  await store.violationCounts.keepCounts("things", { day, counts }, 0, newDeliveryId(Date.now()));
};
const bodiesOf = (secret: string) => receiver.received.filter((one) => isSignedWith(secret, one)).map(({ body }) => body);

test("a count that rises is sent to those who asked for it, beside the changes, once and after a refusal again", async () => {
  const counts = await addWebhook({ operations: ["violations"] });
  const both = await addWebhook({ operations: ["created", "violations"], collections: ["things"] });
  const changes = await addWebhook();
  const others = await addWebhook({ operations: ["violations"], collections: ["others"] });
  await addWebhook({ operations: ["violations"], isEnabled: false });
  await put(things, 1, 3);
  await keepCount(20_000, 3); // the first count rises from nothing that is known
  await keepCount(20_001, 3);
  await keepCount(20_002, 5);
  await keepCount(20_003, 4);
  await keepCount(20_005, 6); // a day was left out
  let refuses = 2;
  receiver.answerWith((_, response) => void response.writeHead(refuses-- > 0 ? 500 : 204).end());
  startSenders();
  const rule = (count: number, before: number) => ({ constraint: "minimum", field: "rank", count, before });
  const expected = [
    { collection: "things", day: "2024-10-06", rules: [rule(5, 3)] },
    { collection: "things", day: "2024-10-09", rules: [rule(6, 4)] },
  ];
  const taken = async (id: string) =>
    (await deliveriesOf(id))
      .filter(({ state }) => state === "delivered")
      .map(({ kind, size }) => `${kind} ${size}`)
      .sort();
  await expect.poll(() => taken(counts.id), SOON).toEqual(["violations 1", "violations 1"]);
  await expect.poll(() => taken(both.id), SOON).toEqual(["changes 3", "violations 1", "violations 1"]);
  await expect.poll(() => taken(changes.id), SOON).toEqual(["changes 3"]);
  const dataOf = (secret: string) => bodiesOf(secret).flatMap(({ type, data }) => (type === "violations" ? [data] : []));
  expect(new Set(dataOf(counts.secret).map((data) => JSON.stringify(data)))).toEqual(new Set(expected.map((data) => JSON.stringify(data))));
  expect(bodiesOf(changes.secret).every(({ type }) => type === "changes")).toBe(true);
  expect(bodiesOf(others.secret)).toEqual([]);
  expect((await webhookOf(counts.id)).delivery).toBeNull();
});

test("a webhook that goes on from another place still tells of counts, and what means nothing any more is dropped", async () => {
  const { id, secret } = await addWebhook({ operations: ["violations"] });
  await keepCount(20_000, 1);
  await keepCount(20_001, 2);
  await store.webhooks.changeWebhook(id, { cursor: await store.feed.now() }, Date.now());
  startSenders();
  await expect.poll(() => bodiesOf(secret).length, SOON).toBe(1);
  await store.violationCounts.claimDay("things", 20_002);
  const gone = [{ constraint: "minimum" as const, field: "wasHere", count: 9 }];
  await store.violationCounts.keepCounts("things", { day: 20_002, counts: gone }, 0, newDeliveryId(Date.now()));
  await expect.poll(async () => (await deliveriesOf(id)).map(({ state }) => state), SOON).toEqual(["dropped", "delivered"]);
  expect(bodiesOf(secret)).toHaveLength(1);
});
