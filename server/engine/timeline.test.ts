// Cursors of the change feed after a store was restored from a copy, or moved to another server.

import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { CursorExpired, type FeedPage } from "../history/store/feed.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import type { StoredDelivery } from "../webhooks/store/deliveries.ts";
import type { StoredWebhook } from "../webhooks/store/webhooks.ts";
import type { Store } from "./store.ts";

const fields = [{ name: "id", type: "integer" }];
const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
if ("mistakes" in read) throw new Error("package");
const { collections } = read;
const things = collections[0] as Collection;
const isPostgres = Boolean(inject("postgres"));

let database: TestDatabase;
let store: Store;
beforeEach(async () => {
  database = await createTestDatabase();
  store = await database.open(collections);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

const put = (...ids: number[]) =>
  writeEach(
    store,
    things,
    ids.map((id) => ({ verb: "put", id, given: { id } })),
  );
const readFrom = (cursor: string | undefined, limit = 100) => store.feed.read(cursor, { collections: ["things"] }, limit);

/** The first changes after a cursor, of which there must be so many. On PostgreSQL other transactions on the server hold the feed up. */
async function follow(after: string | undefined, count: number, limit = 100) {
  const entries: { id: number; cursor: string }[] = [];
  for (let cursor = after; entries.length < count; ) {
    const page = await nextPage(cursor, limit);
    entries.push(...page.entries);
    cursor = page.next;
  }
  return entries;
}

/** The first page after a cursor that is not empty. */
async function nextPage(after: string | undefined, limit: number): Promise<FeedPage> {
  let cursor = after;
  for (let tries = 0; tries < 3_000; tries++) {
    const page = await readFrom(cursor, limit);
    if (page.entries.length > 0) return page;
    cursor = page.next;
    if (!page.more) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the feed stood still");
}

const idsOf = (entries: readonly { id: number }[]) => entries.map(({ id }) => id);

/** The end of the feed once these changes can be read. */
async function endAfter(count: number): Promise<string> {
  await follow(undefined, count);
  return store.feed.now();
}

/** A cursor of PostgreSQL as of a server that has given many more ids of transactions than other tests use up meanwhile. */
const fromAfar = (cursor: string) => cursor.replace(/^p\.(\d+)\.(\d+)/, (_, from, to) => `p.${+from + 1e9}.${+to + 1e9}`);

/** Closes the store, does something to what it has stored, and opens it again. */
async function reopen(...statements: string[]): Promise<void> {
  await store.close();
  await database.run(statements);
  store = await database.open(collections);
}

const MARK = `INSERT INTO settings (name, value) VALUES ('restored', ${isPostgres ? "''" : "x''"})`;

function webhookAt(cursor: string): StoredWebhook {
  const own = { id: "hook", url: "http://127.0.0.1:1/", secret: "sealed", oldSecret: null, oldUntil: 0, cursor, delivery: null };
  const state = { isEnabled: true, offReason: null, since: null, failures: 0, nextAt: 0, createdAt: 1, createdBy: null };
  return { ...own, ...state, collections: [], operations: [], conditions: "" };
}

function deliveryOf(begins: string, ends: string): StoredDelivery {
  const own = { webhookId: "hook", id: "msg", kind: "changes", state: "open", createdAt: 1, size: 1, attempts: [] } as const;
  return { ...own, collections: [], operations: [], conditions: "", begins, ends, attempts: [] };
}

test("a cursor beyond the newest change has expired", async () => {
  await put(1, 2);
  const end = await endAfter(2);
  expect((await readFrom(end)).entries).toEqual([]);
  const beyond = isPostgres ? fromAfar(end) : end.replace(/\d+/, "999");
  await expect(readFrom(beyond)).rejects.toThrow(CursorExpired);
});

test("a start leaves cursors as they are", async () => {
  await put(1, 2, 3);
  const [first] = await follow(undefined, 3, 1);
  await reopen();
  expect(idsOf(await follow(first?.cursor, 2))).toEqual([2, 3]);
});

test("a cursor of another store has expired", async () => {
  await put(1, 2);
  const [, second] = await follow(undefined, 2, 1);
  const others = await createTestDatabase();
  const other = await others.open(collections);
  try {
    for (let id = 1; id <= 5; id++) await writeEach(other, things, [{ verb: "put", id, given: { id } }]);
    await expect(other.feed.read(second?.cursor, { collections: ["things"] }, 1)).rejects.toThrow(CursorExpired);
  } finally {
    await other.close();
    await others.drop();
  }
});

test("a restored store gives no changes after cursors from before, however much is written, and its webhooks go on", async () => {
  await put(1);
  await put(2, 3);
  const [first, second] = await follow(undefined, 3, 1);
  const { begins, entries } = await nextPage(first?.cursor, 1);
  await store.webhooks.addWebhook(webhookAt(String(first?.cursor)), 10);
  await store.webhooks.addTestDelivery(deliveryOf(begins, String(entries[0]?.cursor)));
  for (let round = 0; round < 2; round++) {
    const end = await store.feed.now();
    await reopen(MARK);
    await put(10 + round);
    for (const cursor of [first?.cursor, second?.cursor, end]) await expect(readFrom(cursor)).rejects.toThrow(CursorExpired);
    const hook = await store.webhooks.readWebhook("hook");
    expect(idsOf(await follow(hook?.cursor, 3 + round)).slice(0, 2)).toEqual([2, 3]);
    const delivery = await store.webhooks.readDelivery("hook", "msg");
    const sent = await store.feed.readAgain(String(delivery?.begins), String(delivery?.ends), { collections: ["things"] }, 100);
    expect(idsOf(sent)).toEqual([2]);
  }
});

test("after a restore no version and no assigned id of the lost time comes again", async () => {
  const post = async () => {
    const [made] = await writeEach(store, things, [{ verb: "post", id: null, given: {}, onConflict: "error", onMissing: "create" }]);
    return Number((made as { id?: number } | undefined)?.id);
  };
  const versionOf = async (id: number) => (await store.read(things, id))?.version ?? 0;
  const made = await post();
  await put(7, 8);
  await writeEach(store, things, [{ verb: "delete", id: 8 }]);
  await reopen(MARK);
  expect(await post()).toBeGreaterThan(made + 1_000);
  expect(await versionOf(7)).toBeGreaterThan(1_000);
  expect((await store.history.listEntries("things", 7, Number.MAX_SAFE_INTEGER, 1))[0]?.version).toBe(await versionOf(7));
  expect(idsOf((await store.history.listDeletions("things", null, 10)).entries)).toEqual([8]);
  await put(8);
  expect(await versionOf(8)).toBeGreaterThan(1_000);
  await put(9);
  const last = await versionOf(7);
  await reopen();
  expect(await versionOf(7)).toBe(last);
});

test("versions rise also where somebody's own view reads them", async () => {
  await put(7);
  await reopen("CREATE VIEW report AS SELECT version FROM c_things", MARK);
  expect((await store.read(things, 7))?.version).toBe(100_001);
  await put(7, 8);
  expect((await store.read(things, 8))?.version).toBe(1);
  expect((await store.history.listEntries("things", 7, Number.MAX_SAFE_INTEGER, 1))[0]?.version).toBe(100_001);
});

test("a webhook that begins with the oldest change still does after a restore", async () => {
  await put(1);
  await store.webhooks.addWebhook(webhookAt(""), 10);
  await reopen(MARK);
  expect((await store.webhooks.readWebhook("hook"))?.cursor).toBe("");
});

// As a dump brings it along from a server that has given many more ids of transactions.
const FROM_AFAR = "UPDATE writes SET xid = xid + 1000000000";
const webhookFromAfar = (cursor: string) => `UPDATE webhooks SET cursor = '${fromAfar(cursor)}'`;

test.runIf(isPostgres)("on a server whose ids of transactions are lower, nothing is lost of a store", async () => {
  await put(1, 2);
  await put(3);
  const end = await endAfter(3);
  await store.webhooks.addWebhook(webhookAt(end), 10);
  await reopen(FROM_AFAR, webhookFromAfar(end));
  expect(idsOf(await follow(undefined, 3))).toEqual([1, 2, 3]);
  const now = await store.feed.now();
  await put(4);
  await put(1, 5);
  expect(idsOf(await follow(undefined, 5))).toEqual([1, 2, 3, 4, 5]);
  expect(idsOf(await follow(now, 2))).toEqual([4, 5]);
  const hook = await store.webhooks.readWebhook("hook");
  expect(idsOf(await follow(hook?.cursor, 2))).toEqual([4, 5]);
  await expect(readFrom(end)).rejects.toThrow(CursorExpired);
  // Again on another server, and with a second process.
  const second = await database.open(collections);
  await writeEach(second, things, [{ verb: "put", id: 6, given: { id: 6 } }]);
  await second.close();
  expect(idsOf(await follow(hook?.cursor, 3))).toEqual([4, 5, 6]);
  await reopen(FROM_AFAR);
  await put(7);
  expect(idsOf(await follow(undefined, 7))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await expect(readFrom(now)).rejects.toThrow(CursorExpired);
});

test.runIf(isPostgres)("what came from another server is swept when it is old", async () => {
  await put(1);
  await put(2);
  await put(3);
  await reopen(FROM_AFAR);
  await put(4);
  await follow(undefined, 4);
  const cutoff = Date.now() + 60_000;
  while (await store.sweepHistory({ values: cutoff, changes: cutoff }));
  expect(idsOf(await follow(undefined, 1))).toEqual([4]);
  await put(5);
  expect(idsOf(await follow(undefined, 2))).toEqual([4, 5]);
});

test.runIf(isPostgres)("an erasure on such a server stays on record", async () => {
  await put(1, 2);
  await reopen(FROM_AFAR);
  await store.erase(things, 1, { type: "key", id: "k", name: "k" }, { type: "api", run: null });
  expect((await follow(undefined, 2)).map(({ id }) => id).sort()).toEqual([1, 2]);
});

test.runIf(isPostgres)("a copy of the database has a timeline of its own, also where ids go on", async () => {
  await put(1, 2);
  const end = await endAfter(2);
  await reopen(
    "ALTER TABLE writes RENAME TO given",
    "CREATE TABLE writes (LIKE given INCLUDING ALL)",
    "INSERT INTO writes SELECT * FROM given",
  );
  await expect(readFrom(end)).rejects.toThrow(CursorExpired);
  expect(idsOf(await follow(undefined, 2))).toEqual([1, 2]);
});
