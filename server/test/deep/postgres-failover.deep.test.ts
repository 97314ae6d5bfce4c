// The primary is killed while clients write, and the standby takes over: no acknowledged write is lost or done twice.

import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { etagOf } from "../../../core/contract/records.ts";
import { openPostgres } from "../../engine/postgres/store.ts";
import { toAnswer } from "../../records/answers.ts";
import { type PostgresPair, startPostgresPair } from "../../testing/postgres/postgres-pair.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { DICTIONARY, NO_RATE_LIMIT, openTestService, type Reply, type TestService } from "../../testing/service.ts";

const CLIENTS = 8;
const ROUNDS = rounds(1, 20);

let pair: PostgresPair;
let service: TestService;
beforeEach(async () => {
  pair = await startPostgresPair();
  const open = (collections: Parameters<typeof openPostgres>[1]) => openPostgres(pair.url, collections, toAnswer);
  const limits = { ...NO_RATE_LIMIT, handlingSeconds: 20 };
  service = await openTestService(
    DICTIONARY,
    { limits },
    { folder: "", url: pair.url, open, run: unused, cutConnections: unused, drop: unused },
  );
});
afterEach(async () => {
  await service.close();
  await pair.stop();
});
const unused = async () => undefined;

const figures = { acknowledged: 0, refused: 0, unknown: 0, away: [] as number[] };
afterAll(() => {
  if (process.env.DEEP) process.stdout.write(`failover: ${JSON.stringify(figures)}\n`);
});

/** Says what the client was told about one write, and how often it may be stored. */
interface Sent {
  name: string;
  stored: readonly number[];
  text: string;
}

/** "done", or what the problem says. Everything else is a fault. */
function endOf({ status, json, text }: Reply): "done" | "refused" | "unknown" {
  if (status === 200 || status === 201 || status === 204) return "done";
  if (status === 503 && json.code === "UNAVAILABLE") return "refused";
  if (status === 503 && json.code === "OUTCOME_UNKNOWN") return "unknown";
  throw new Error(`answered ${status} ${text}`);
}

function count(end: "done" | "refused" | "unknown"): void {
  figures[end === "done" ? "acknowledged" : end]++;
}

const POSSIBLE = { done: [1], refused: [0], unknown: [0, 1] } as const;

/** Sent once. */
async function post(name: string): Promise<Sent> {
  const reply = await service.call("POST", "/v1/customers", { lastName: name, accountID: name });
  const end = endOf(reply);
  count(end);
  return { name, stored: POSSIBLE[end], text: reply.text };
}

/** Sent until it is done. 409 is the answer while the first of them is still running. */
async function postWithKey(name: string): Promise<Sent> {
  for (;;) {
    const reply = await service.call("POST", "/v1/customers", { lastName: name, accountID: name }, { "idempotency-key": name });
    const end = reply.json?.code === "IDEMPOTENCY_KEY_IN_PROGRESS" ? "unknown" : endOf(reply);
    count(end);
    if (end === "done") return { name, stored: [1], text: reply.text };
    await wait(50);
  }
}

/** A record and its versions; each change names the version that it is made on. */
async function change(known: Known): Promise<void> {
  const headers = known.version === 0 ? { "if-none-match": "*" } : { "if-match": etagOf(known.id, known.version) };
  const reply = await service.call("PUT", `/v1/customers/${known.id}`, { lastName: "Ek", accountID: `v${known.version + 1}` }, headers);
  const end = endOf(reply);
  count(end);
  if (end === "done") known.version++;
  if (end !== "unknown") return;
  const found = await readVersion(known.id);
  expect([known.version, known.version + 1]).toContain(found);
  known.version = found;
}

interface Known {
  id: number;
  version: number;
}

/** 0: there is no such record. */
async function readVersion(id: number): Promise<number> {
  for (;;) {
    const { status, json } = await service.call("GET", `/v1/customers/${id}`);
    if (status === 200 || status === 404) return status === 200 ? json.version : 0;
    expect([status, json.code]).toEqual([503, "UNAVAILABLE"]);
    await wait(50);
  }
}

async function countStored(name: string): Promise<number> {
  return (await service.call("GET", `/v1/customers?accountID=${name}`)).json.customers.length;
}

/** Writes until it is stopped. */
function startClient(round: number, number: number, known: Known, sent: Sent[]) {
  const state = { done: 0, isStopped: false };
  const run = async () => {
    for (let i = 0; !state.isStopped; i++) {
      const before = figures.acknowledged;
      const name = `r${round}-${number}-${i}`;
      if (number % 3 === 0) await change(known);
      else sent.push(await (number % 3 === 1 ? post(name) : postWithKey(name)));
      if (figures.acknowledged > before) state.done++;
      else await wait(20);
    }
  };
  return { state, ended: run() };
}

test(`in ${ROUNDS} failovers every write is stored as it was answered, and the service goes on`, { timeout: 3_600_000 }, async () => {
  const records = Array.from({ length: CLIENTS }, (_, i): Known => ({ id: 1_000_000 + i, version: 0 }));
  for (let round = 0; round < ROUNDS; round++) {
    const sent: Sent[] = [];
    const clients = records.map((known, number) => startClient(round, number, known, sent));
    const everyone = Promise.all(clients.map(({ ended }) => ended));
    const eachHas = async (more: number) => {
      const from = clients.map(({ state }) => state.done);
      const isSo = () => clients.every(({ state }, i) => state.done >= (from[i] as number) + more);
      await Promise.race([everyone, expect.poll(isSo, { timeout: 120_000, interval: 20 }).toBe(true)]);
    };
    await eachHas(5 + randomInt(20));
    if (round % 2 === 1) {
      await pair.stopReplication(); // what is committed now waits for the standby, and is lost with the primary
      await wait(randomInt(300));
    }
    const from = performance.now();
    await pair.killPrimary(randomInt(2) === 0 ? "SIGKILL" : "SIGQUIT");
    await wait(randomInt(1_500)); // as long as somebody needs to find out
    await pair.promote(randomInt(2) === 0 ? otherTransactions(200) : undefined);
    await eachHas(1);
    figures.away.push(Math.round(performance.now() - from));
    await eachHas(5);
    for (const { state } of clients) state.isStopped = true;
    await everyone;
    for (const { name, stored } of sent) expect(stored, name).toContain(await countStored(name));
    for (const { id, version } of records) expect(await readVersion(id)).toBe(version);
    await pair.addStandby();
  }
});

test("a write in doubt is found out at the new primary by a client that is alone", { timeout: 180_000 }, async () => {
  await pair.stopReplication();
  const write = service.call("POST", "/v1/customers", { lastName: "Alone", accountID: "alone" });
  await wait(500); // it waits for the standby
  await pair.killPrimary("SIGKILL");
  await pair.promote();
  expect([(await write).status, await countStored("alone")]).toEqual([201, 1]);
});

/** Gives ids of transactions that were lost to others, as writes of other processes do. */
function otherTransactions(count: number): string {
  return `DO $$ BEGIN FOR i IN 1..${count} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`;
}

test("what was lost with the primary is not taken for a later transaction with the same id", { timeout: 180_000 }, async () => {
  const { keyId } = await service.newCredentials("read");
  const record = { lastName: "Lost", accountID: "lost" };
  await service.call("PUT", "/v1/customers/3", record); // assigns its key's number, for which the others would wait
  await pair.stopReplication();
  const writes = [
    service.call("PUT", "/v1/customers/1", record, { "if-none-match": "*" }),
    service.call("PUT", "/v1/customers/2", record, { "if-none-match": "*", "idempotency-key": "lost" }),
    service.call("POST", "/v1/keys", { scope: "read" }),
    service.call("DELETE", `/v1/keys/${keyId}`),
  ];
  const waiting = "SELECT backend_xid::text AS xid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await expect.poll(async () => (await pair.query(waiting)).length, { timeout: 30_000 }).toBe(writes.length);
  await pair.killPrimary("SIGKILL");
  await pair.promote(otherTransactions(200));
  const [first, second, key, revoked] = (await Promise.all(writes)) as [Reply, Reply, Reply, Reply];
  for (const [reply, id] of [
    [first, 1],
    [second, 2],
  ] as const)
    expect([0, 1].slice(endOf(reply) === "done" ? 1 : 0)).toContain(await readVersion(id));
  const { json } = await service.call("GET", "/v1/keys");
  const keys = new Map<string, { revokedAt: string | null }>(json.keys.map((each: { id: string }) => [each.id, each]));
  if (endOf(key) === "done") expect(keys.has(key.json.id)).toBe(true);
  if (endOf(revoked) === "done") expect(keys.get(keyId)?.revokedAt).toEqual(expect.any(String));
});

test.runIf(process.env.DEEP)(
  "no write is acknowledged that the standby has not got, however long it is away",
  { timeout: 300_000 },
  async () => {
    await pair.stopReplication();
    const from = performance.now();
    let end = "";
    const send = () => service.call("PUT", "/v1/customers/1", { lastName: "Late", accountID: "late" }, { "idempotency-key": "late" });
    while (end !== "done" && performance.now() - from < 50_000) {
      const reply = await send();
      end = reply.status === 409 ? "running" : endOf(reply);
    }
    await pair.killPrimary("SIGKILL");
    await pair.promote();
    expect([end, await readVersion(1)]).not.toEqual(["done", 0]);
  },
);
