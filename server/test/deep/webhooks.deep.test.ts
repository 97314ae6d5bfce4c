// kill −9 of the process that sends, between delivery and note: all changes arrive in order, now and then one twice.

import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import type { ChangePage } from "../../../core/contract/history.ts";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { changesIn, type Receiver, startReceiver } from "../../testing/servers/webhook-receiver.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
});
afterEach(killProcesses);
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

const PROCESSES = inject("postgres") ? 4 : 1; // a SQLite file belongs to one service
const ROUNDS = rounds(2, 25);
const BATCHES = 12; // in a round
const SOON = { timeout: 120_000, interval: 50 };

function start(): Promise<Started> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const limits = { RATE_PER_SECOND: "100000", RATE_BURST: "100000" };
  return startProcess({ ...store, ...limits, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}`, WEBHOOK_PRIVATE: "true" });
}

let services: Started[];
const alive = () => services.filter(({ child }) => child.exitCode === null && child.signalCode === null);

/** Whoever holds the lease is sending: the name of a holder begins with the id of its process. */
async function senderOf(database: pg.Client | undefined): Promise<Started | undefined> {
  if (!database) return alive()[0];
  const { rows } = await database.query("SELECT lease_holder FROM webhooks");
  return alive().find(({ child }) => child.pid === Number.parseInt(rows[0]?.lease_holder ?? "", 10));
}

/** All changes of the feed, as changesIn names them. */
async function allChanges(url: string, headers: Record<string, string>): Promise<string[]> {
  const all: string[] = [];
  for (let after = ""; ; ) {
    const reply = await fetch(`${url}/v1/changes?limit=1000${after && `&after=${after}`}`, { headers });
    const { changes, next } = (await reply.json()) as ChangePage;
    all.push(...changes.map(({ objectId, version }) => `${objectId}.${version}`));
    if (changes.length === 0 && next === after) return all;
    after = next;
  }
}

test(`in ${ROUNDS} rounds of kill −9 everything arrives in order`, { timeout: 1_800_000 }, async () => {
  services = await Promise.all(Array.from({ length: PROCESSES }, start));
  const client = database.url ? new pg.Client({ connectionString: database.url }) : undefined;
  await client?.connect();
  const headers = await authorize(services[0]?.url ?? "", "preset", ADMIN_SECRET);
  const call = async (method: string, path: string, body: unknown) => {
    const [service] = alive();
    const reply = await fetch(`${service?.url}${path}`, { method, headers, body: JSON.stringify(body) });
    expect([path, reply.ok]).toEqual([path, true]);
    return reply.json();
  };
  await call("POST", "/v1/webhooks", { url: receiver.url });
  let kills = 0;
  let written = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let left = randomInt(4);
    receiver.answerWith(async (_, response) => {
      if (left-- === 0) {
        if (randomInt(2) === 0) response.writeHead(204).end(); // its answer may still arrive before the end
        if ((await senderOf(client))?.child.kill("SIGKILL")) kills += 1;
      }
      if (!response.headersSent) response.writeHead(204).end();
    });
    for (let i = 0; i < BATCHES && alive().length === PROCESSES; i++) {
      const size = 1 + randomInt(150);
      const isWritten = await call(
        "POST",
        "/v1/customers",
        Array.from({ length: size }, () => ({ lastName: "Ek", accountID: "1" })),
      ).then(
        () => true,
        (error) => {
          if (!(error instanceof TypeError)) throw error;
          return false; // its process was killed meanwhile
        },
      );
      if (isWritten) written += size;
      await new Promise((resolve) => setTimeout(resolve, randomInt(300)));
    }
    await expect.poll(() => alive().length, SOON).toBe(PROCESSES - 1);
    await Promise.all(services.filter((one) => !alive().includes(one)).map(({ ended }) => ended));
    services = [...alive(), ...(await Promise.all(Array.from({ length: PROCESSES - alive().length }, start)))];
  }
  receiver.answerWith((_, response) => void response.writeHead(204).end());
  const all = await allChanges(services[0]?.url ?? "", headers);
  expect(all.length).toBeGreaterThanOrEqual(written);
  await expect.poll(() => new Set(changesIn(receiver.received)).size, SOON).toBe(all.length);
  await client?.end();
  expectOrder(all);
  const twice = receiver.received.length - new Set(receiver.received.map(({ id }) => id)).size;
  process.stdout.write(`${ROUNDS} rounds, ${kills} kills, ${receiver.received.length} messages, ${all.length} changes; twice: ${twice}\n`);
  expect(twice).toBeLessThanOrEqual(kills);
});

/** A message may come again, under its id and with the same text; without the repetitions the order is the feed's. */
function expectOrder(all: readonly string[]): void {
  const texts = new Map<string, string>();
  for (const { id, text } of receiver.received) {
    expect(texts.get(id) ?? text).toBe(text);
    texts.set(id, text);
  }
  const first = receiver.received.filter(({ id }, i) => receiver.received.findIndex((one) => one.id === id) === i);
  expect(changesIn(first)).toEqual(all);
}
