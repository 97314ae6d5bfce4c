// Imports in real processes: kill −9 in the middle, two processes at once, and rights that are taken away meanwhile.

import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
const dropped: TestDatabase[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  dropped.push(database);
});
afterEach(killProcesses);
afterAll(async () => {
  for (const one of dropped) await one.drop();
});

const ROWS = 14_000; // fourteen requests, of which the limit lets few through at a time
const FILE = `lastName,accountID\n${Array.from({ length: ROWS }, (_, i) => `Name ${i},${i}`).join("\n")}\n`;

interface Service extends Started {
  headers: Record<string, string>;
}

/** `perSecond`: how many requests a person may send. */
async function start(perSecond: number): Promise<Service> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const files = { FILES: join(database.folder, "files") };
  const rate = { RATE_PER_SECOND: String(perSecond), RATE_BURST: "5" };
  const started = await startProcess({ ...store, ...files, ...rate, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  return { ...started, headers: await authorize(started.url, "preset", ADMIN_SECRET) };
}

/** A key of its own, so that its requests are counted apart from those that look on. */
async function newKey(service: Service): Promise<{ id: string; authorization: string }> {
  const body = JSON.stringify({ scope: "customers:read customers:create" });
  const made = await ask(service, "/v1/keys", { method: "POST", body });
  const { id, key } = (await made.json()) as { id: string; key: string };
  return { id, authorization: `Bearer ${key}` };
}

async function begin({ url }: Service, { authorization }: { authorization: string }): Promise<string> {
  const headers = { authorization, "content-type": "text/csv", "idempotency-key": "nightly" };
  const reply = await fetch(`${url}/v1/customers/imports?name=nightly.csv`, { method: "POST", headers, body: FILE });
  expect(reply.status).toBe(202);
  return ((await reply.json()) as { id: string }).id;
}

/** Asks with the administrator's key unless another is given, again and again where there were too many requests. */
async function ask({ url, headers }: Service, path: string, more: RequestInit = {}): Promise<Response> {
  for (;;) {
    const reply = await fetch(url + path, { headers, ...more });
    if (reply.status !== 429) return reply;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(reply.headers.get("retry-after") ?? 1)));
  }
}

async function runOf(service: Service, id: string) {
  const reply = await ask(service, `/v1/runs/${id}`);
  return (reply.ok ? await reply.json() : { state: "none" }) as {
    state: string;
    counts: Record<string, number> | null;
    why: string | null;
  };
}

async function countOf(service: Service): Promise<number> {
  return ((await (await ask(service, "/v1/customers?limit=1&count=exact")).json()) as { total: number }).total;
}

const PATIENCE = { timeout: 55_000, interval: 300 };

async function expectAllOnce(service: Service): Promise<void> {
  const reply = await ask(service, "/v1/customers/summary?measure=count,distinct:accountID");
  expect(((await reply.json()) as { total: object }).total).toMatchObject({ count: ROWS, "distinct:accountID": ROWS });
}

test("kill −9 in the middle: the import goes on after the next start, and each row is stored once", { timeout: 170_000 }, async () => {
  const first = await start(2);
  const key = await newKey(first);
  const id = await begin(first, key);
  await expect.poll(() => countOf(first), PATIENCE).toBeGreaterThanOrEqual(2_000);
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await start(2);
  const before = await countOf(second);
  expect(before).toBeLessThan(ROWS);
  await expect.poll(() => countOf(second), PATIENCE).toBeGreaterThan(before);
  second.child.kill("SIGKILL");
  await second.ended;
  const third = await start(20);
  await expect.poll(async () => (await runOf(third, id)).state, PATIENCE).toBe("done");
  expect((await runOf(third, id)).counts).toMatchObject({ created: ROWS, failed: 0, inDoubt: 0, notSent: 0 });
  // Its run is reported a moment before the import itself ends.
  const own = async () =>
    (await ask(third, `/v1/runs/${id}/import`, { headers: { authorization: key.authorization } })).json() as Promise<{ state: string }>;
  await expect.poll(async () => (await own()).state, PATIENCE).toBe("done");
  expect(await own()).toMatchObject({ rowsTotal: ROWS, rowsDone: ROWS, why: null });
  await expectAllOnce(third);
});

test("a key that is revoked in the middle ends the import with a sentence, and the report adds up", { timeout: 110_000 }, async () => {
  const service = await start(2);
  const key = await newKey(service);
  const id = await begin(service, key);
  await expect.poll(() => countOf(service), PATIENCE).toBeGreaterThanOrEqual(1_000);
  expect((await ask(service, `/v1/keys/${key.id}`, { method: "DELETE" })).status).toBe(204);
  await expect.poll(async () => (await runOf(service, id)).state, PATIENCE).toBe("cancelled");
  const { counts, why } = await runOf(service, id);
  const sum = Object.values(counts ?? {}).reduce((all, one) => all + one, 0);
  expect([sum, why]).toEqual([ROWS, "Whoever began this import may not store records here any more. Nothing more was stored."]);
  expect(counts?.created).toBe(await countOf(service));
  expect(counts?.created).toBeLessThan(ROWS);
});

test("two processes share the imports, and one goes on with that of the other when it is killed", { timeout: 110_000 }, async (context) => {
  if (!database.url) return context.skip("SQLite has one process");
  const [one, other] = [await start(2), await start(20)];
  const key = await newKey(one);
  const [id, again] = await Promise.all([begin(one, key), begin(one, key)]);
  expect(again).toBe(id);
  await expect.poll(() => countOf(other), PATIENCE).toBeGreaterThanOrEqual(1_000);
  one.child.kill("SIGKILL");
  await one.ended;
  await expect.poll(async () => (await runOf(other, id)).state, PATIENCE).toBe("done");
  expect((await runOf(other, id)).counts).toMatchObject({ created: ROWS });
  await expectAllOnce(other);
});
