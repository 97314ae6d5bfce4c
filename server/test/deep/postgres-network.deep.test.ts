// PostgreSQL behind a bad network: connections that fall silent, too few of them, locks, and reads that take too long.

import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AppParts } from "../../app.ts";
import { openPostgres } from "../../engine/postgres/store.ts";
import { type Batch, DEFAULT_SETTINGS, type StoreSettings, StoreTooCostly, type ToAnswer } from "../../engine/store.ts";
import { toAnswer } from "../../records/answers.ts";
import { openPostgresProxy, type PostgresProxy } from "../../testing/postgres/postgres-proxy.ts";
import { rounds } from "../../testing/rounds.ts";
import { DICTIONARY, NO_RATE_LIMIT, openTestService, readCollections, type TestService } from "../../testing/service.ts";
import { createTestDatabase, SOMEBODY, type TestDatabase } from "../../testing/store.ts";

const FORM = "application/x-www-form-urlencoded";
const SETTINGS = DEFAULT_SETTINGS;
const ROUNDS = Array.from({ length: rounds(1, 20) }, (_, i) => i);
const BACK_WITHIN = 15_000; // ms, as docs/postgresql.md promises
const SLACK = 10_000; // ms for a busy machine

let database: TestDatabase;
let proxy: PostgresProxy;
let closing: (() => Promise<unknown>)[];
beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await openPostgresProxy(database.url ?? "");
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  await proxy.cut();
  await database.drop();
});

const { collections } = readCollections(DICTIONARY);
const [customers] = collections as [(typeof collections)[0]];

async function openService(url = proxy.url, settings = SETTINGS, parts: Partial<AppParts> = {}): Promise<TestService> {
  const open: TestDatabase["open"] = (all) => openPostgres(url, all, toAnswer, settings);
  const service = await openTestService(DICTIONARY, parts, { ...database, open });
  closing.push(() => service.close());
  return service;
}

/** `answer` runs between the change and COMMIT. */
async function openStore({ settings = SETTINGS, answer = () => DONE }: { settings?: StoreSettings; answer?: ToAnswer } = {}) {
  const store = await openPostgres(proxy.url, collections, answer, settings);
  closing.push(() => store.close());
  return store;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  client.on("error", () => undefined);
  await client.connect();
  closing.push(() => client.end());
  return client;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const putOf = (id: number): Batch => ({
  collection: customers,
  by: SOMEBODY,
  source: { type: "api", run: null },
  ops: [{ verb: "put", id, given: { objectId: id, lastName: "Ek", accountID: "1" } }],
  atomic: true,
  form: { kind: "record", pointer: "", isMany: false, instance: "", requestId: "" },
});
const DONE = { status: 200, headers: {}, body: "" };

test.each(ROUNDS)("after a silent cut of every connection the service is back without a restart", { timeout: 120_000 }, async () => {
  const service = await openService();
  await service.call("PUT", "/v1/customers/1", { lastName: "Ek", accountID: "1" });
  const tokens = await Promise.all(numbers(10).map(() => service.tokenFor("read")));
  await Promise.all(numbers(20).map((i) => service.call("PATCH", "/v1/customers/1", { lastName: `Ek ${i}` })));
  proxy.silence();
  const from = performance.now();
  const requests = [
    ...tokens.map((token) => service.raw("GET", "/v1/customers/1", { authorization: `Bearer ${token}` })),
    ...numbers(10).map((i) => service.call("PATCH", "/v1/customers/1", { lastName: `Ek ${i}` })),
    ...numbers(3).map(() => service.raw("GET", "/readyz")),
  ];
  for (const { status, json } of await Promise.all(requests)) {
    if (status !== 200) expect([status, json.code]).toEqual([503, "UNAVAILABLE"]);
  }
  for (const path of ["/v1/customers/1", "/v1/customers?count=exact", "/readyz"])
    expect((await service.call("GET", path)).status).toBe(200);
  expect((await service.call("PATCH", "/v1/customers/1", { lastName: "Back" })).status).toBe(200);
  const taken = performance.now() - from;

  expect(taken).toBeLessThan(BACK_WITHIN + SLACK);
});

test.each(ROUNDS)("a transaction whose connections fall silent midway is found out and run again", { timeout: 120_000 }, async () => {
  let isFirst = true;
  const answer = () => {
    if (isFirst) proxy.silence();
    isFirst = false;
    return DONE;
  };
  const store = await openStore({ answer });
  const from = performance.now();
  const written = await store.write(putOf(1));
  expect([written, await store.read(customers, 1)]).toEqual([{ answer: DONE, replayed: false }, expect.objectContaining({ version: 1 })]);
  const taken = performance.now() - from;

  expect(taken).toBeLessThan(BACK_WITHIN + SLACK);
});

test("a transaction in which the server works on for long is left alone", { timeout: 120_000 }, async () => {
  let attempts = 0;
  const answer = () => {
    attempts++;
    return DONE;
  };
  const store = await openStore({ answer });
  const slow = await connect();
  await slow.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(9); RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE INSERT ON c_customers FOR EACH ROW EXECUTE FUNCTION slow()`);
  await store.write(putOf(1));
  expect(attempts).toBe(1);
});

test("a lock on one table delays neither sign-in nor /readyz", { timeout: 120_000 }, async () => {
  const service = await openService(database.url);
  const other = await connect();
  await other.query("BEGIN; LOCK TABLE c_customers IN ACCESS EXCLUSIVE MODE");
  const write = (i: number) => service.call("PUT", `/v1/customers/${i + 1}`, { lastName: "Ek", accountID: "1" });
  const waiting = numbers(30).map(write);
  // Those that hold the records' connections wait for the lock longer than anybody waits for a connection.
  expect([await service.tokenFor("read"), await service.raw("GET", "/readyz")]).toEqual([
    expect.any(String),
    expect.objectContaining({ status: 200 }),
  ]);
  await other.query("ROLLBACK");
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(10);
});

test.each(ROUNDS)("with the database frozen every request ends in its time, and /readyz says no", { timeout: 120_000 }, async () => {
  const service = await openService(proxy.url, SETTINGS, { limits: { ...NO_RATE_LIMIT, handlingSeconds: 1 } });
  const token = await service.tokenFor("admin");
  proxy.silence(true);
  const from = performance.now();
  const record = { lastName: "Ek", accountID: "1" };
  const requests = [
    ...["/v1/customers", "/v1/customers/1", "/v1/keys"].map((path) => service.call("GET", path)),
    service.call("POST", "/v1/customers", record),
    service.call("PUT", "/v1/customers/1", record),
    service.call("DELETE", "/v1/customers/1"),
    service.raw("GET", "/readyz"),
    service.raw("POST", "/v1/oauth/revoke", { authorization: `Bearer ${token}`, "content-type": FORM }, `token=${token}`),
  ];
  for (const { status } of await Promise.all(requests)) expect(status).toBe(503);
  expect(performance.now() - from).toBeLessThan(2_000 + SLACK);
  expect((await service.raw("GET", "/livez")).status).toBe(200);
  proxy.restore();
  await expect.poll(async () => (await service.raw("GET", "/readyz")).status, { timeout: 60_000 }).toBe(200);
});

test("a write that goes on after its time is not said to be undone", { timeout: 120_000 }, async () => {
  const service = await openService(database.url, SETTINGS, { limits: { ...NO_RATE_LIMIT, handlingSeconds: 1 } });
  const other = await connect();
  await other.query("BEGIN; LOCK TABLE c_customers IN EXCLUSIVE MODE");
  const { status, json } = await service.call("PUT", "/v1/customers/1", { lastName: "Late", accountID: "1" });
  expect([status, json.code]).toEqual([503, "OUTCOME_UNKNOWN"]);
  await other.query("ROLLBACK");
  await expect.poll(async () => (await service.call("GET", "/v1/customers/1")).json.lastName, { timeout: 30_000 }).toBe("Late");
});

test("/readyz says no while the database is read-only", async () => {
  const service = await openService(database.url);
  const other = await connect();
  const schema = /search_path=(\w+)/.exec(decodeURIComponent(database.url ?? ""))?.[1];
  const role = `readonly_${schema}`;
  await other.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'read'`);
  const url = Object.assign(new URL(database.url ?? ""), { username: role, password: "read" });
  const own = await openService(url.href);
  expect([(await service.raw("GET", "/readyz")).status, (await own.raw("GET", "/readyz")).status]).toEqual([200, 200]);
  await other.query(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
  await database.cutConnections(); // so that new ones have the setting
  expect((await own.raw("GET", "/readyz")).status).toBe(503);
  expect((await service.raw("GET", "/readyz")).status).toBe(200);
  await own.close();
  closing.splice(closing.length - 1, 1);
  await (await connect()).query(`REASSIGN OWNED BY ${role} TO intake; DROP OWNED BY ${role}; DROP ROLE ${role}`);
});

test.each(ROUNDS)("requests wait in turn when the server has fewer connections than the pool wants", { timeout: 120_000 }, async () => {
  const role = `few_${Date.now()}`;
  const admin = await connect();
  const schema = /search_path=(\w+)/.exec(decodeURIComponent(database.url ?? ""))?.[1];
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 6; GRANT ALL ON SCHEMA ${schema} TO ${role}`);
  const url = Object.assign(new URL(database.url ?? ""), { username: role, password: "few" });
  const service = await openService(url.href, { readSeconds: 5, connections: 20 });
  const responses = await Promise.all(
    numbers(40).map((i) => service.call("PUT", `/v1/customers/${i + 1}`, { lastName: "Ek", accountID: "1" })),
  );
  expect(responses.map(({ status }) => status)).toEqual(numbers(40).map(() => 201));
  const { text } = await service.raw("GET", "/metrics");
  expect(text).toMatch(/^db_pool_connections\{pool="records",state="(idle|busy)"\} \d+$/m);
  await service.close();
  closing.splice(1, 1);
  await admin.query(`REASSIGN OWNED BY ${role} TO intake; DROP OWNED BY ${role}; DROP ROLE ${role}`);
});

test("a list or count over its time ends with an error of its own, and the store goes on", { timeout: 120_000 }, async () => {
  const store = await openStore({ settings: { ...SETTINGS, readSeconds: 0.02 } });
  const admin = await connect();
  await admin.query(`INSERT INTO c_customers ("objectId", "lastName", "accountID", "createdAt", "updatedAt", "version")
    SELECT i, 'n' || i, 'a' || i, 0, 0, 1 FROM generate_series(1, 300000) AS i`);
  const filter = { name: "accountID", operator: "gte" as const, values: ["a1"] };
  await expect(store.count(customers, { words: [], filters: [filter] })).rejects.toBeInstanceOf(StoreTooCostly);
  expect(await store.read(customers, 7)).toMatchObject({ lastName: "n7" });
});
