// Four services merge, write, delete, upload and take apart the same records. Nothing is lost, and all agree.

import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { ORDERS } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(killProcesses);
afterAll(() => database.drop());

const ROUNDS = Number(process.env.MERGE_ROUNDS ?? rounds(2, 200));
const PROCESSES = inject("postgres") ? 4 : 1; // a SQLite file belongs to one service
const PARENTS = 6; // few, so that writers meet
const WRITERS = 3; // on each service
const STEPS = 15; // of each writer in a round

const RUN = "race_of_four";

type Headers = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
type Wire = any;

function start(): Promise<Started> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const limits = { RATE_PER_SECOND: "100000", RATE_BURST: "100000" };
  return startProcess({ ...store, ...limits, DICTIONARY: ORDERS, ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
}

const parent = () => 1 + randomInt(PARENTS);
const child = () => 1 + randomInt(PARENTS * 4);
const code = () => `${Math.random()}`;

async function send(url: string, headers: Headers, method: string, path: string, body?: unknown): Promise<{ status: number; json: Wire }> {
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(`${url}/v1/${path}`, { method, headers, redirect: "manual", ...payload });
  const text = await reply.text();
  return { status: reply.status, json: text === "" ? undefined : JSON.parse(text) };
}

/** A merge of what is there, in the versions that are read before: some of them are changed until it arrives. */
async function merge(url: string, headers: Headers): Promise<number> {
  const { json } = await send(url, headers, "GET", "customers?limit=100");
  const records = (json.customers as Wire[]).sort(() => Math.random() - 0.5).slice(0, 2 + randomInt(2));
  if (records.length < 2) return 0;
  const [survivor, ...others] = records.map(({ objectId }) => objectId);
  const versions = Object.fromEntries(records.map(({ objectId, version }) => [objectId, version]));
  const values = randomInt(2) === 0 ? { name: records[1].name, accountNumber: records[1].accountNumber } : {};
  const run = randomInt(2) === 0 ? { run: RUN } : {};
  return (await send(url, headers, "POST", "customers/merges", { survivor, others, values, versions, ...run })).status;
}

async function takeApart(url: string, headers: Headers): Promise<number> {
  const { merges } = (await send(url, headers, "GET", `customers/merges${randomInt(2) === 0 ? `?run=${RUN}` : ""}`)).json;
  const one = merges[randomInt(merges.length)];
  return one ? (await send(url, headers, "DELETE", `customers/merges/${one.id}?values=name:none,accountNumber:none`)).status : 0;
}

const BUSY = 503; // the service gave up after it had tried several times, and changed nothing

/** Returns a status that the service may give while others write the same records. */
async function step(url: string, headers: Headers): Promise<number> {
  const own = (...request: [string, string, unknown?]) => send(url, headers, ...request).then(({ status }) => status);
  const order = () => ({ objectId: child(), customerId: parent(), orderNumber: code() });
  const several = <T>(make: () => T) => Array.from({ length: 1 + randomInt(5) }, make);
  const steps = [
    () => merge(url, headers),
    () => merge(url, headers),
    () => takeApart(url, headers),
    () => takeApart(url, headers),
    () => own("PATCH", `customers/${parent()}`, { name: `Ek ${code()}` }),
    () => own("PUT", `customers/${parent()}`, { name: "Ek", accountNumber: code() }),
    () => own("DELETE", `customers/${parent()}`),
    // Rows of a file that look like stored records.
    () => {
      const row = () => ({ action: "update", record: { objectId: parent(), version: 1 + randomInt(9), name: `Row ${code()}` } });
      return own("POST", "customers/batch?onError=continue&match=version", { operations: several(row) });
    },
    () =>
      own(
        "POST",
        "customers?onError=continue&onConflict=update",
        several(() => ({ objectId: parent(), name: "Up", accountNumber: code() })),
      ),
    () => own("POST", "orders?onError=continue&onConflict=update", several(order)),
    () => own("DELETE", `orders/${child()}`),
  ];
  const status = await (steps[randomInt(steps.length)] as (typeof steps)[number])();
  expect([0, 200, 201, 204, 207, 308, 404, 409, 412, 422, BUSY]).toContain(status);
  return status;
}

async function all(url: string, headers: Headers, name: string): Promise<Wire[]> {
  return (await send(url, headers, "GET", `${name}?limit=1000`)).json[name];
}

const NAMES = [
  ...Array.from({ length: PARENTS }, (_, i) => `customers/${i + 1}`),
  ...Array.from({ length: PARENTS * 4 }, (_, i) => `orders/${i + 1}`),
];

/** Says what became of each record, the oldest first, as its history and as the feed have it. `after`: the feed is read up to this cursor. */
interface Known {
  history: Map<string, string[]>;
  feed: Map<string, string[]>;
  after: string;
}

function knowNothing(): Known {
  return { history: new Map(NAMES.map((name) => [name, []])), feed: new Map(NAMES.map((name) => [name, []])), after: "" };
}

const toLine = ({ version, operation, source }: Wire) => `${version} ${operation} by ${source.type} ${source.run}`;

/**
 * Every service has the same records, and none refers to one that is not there. The versions of each record rise by one with each entry, the
 * last one is that of the record, and the feed has the same entries. It reads what is new since `known`, which it adds to.
 */
async function expectAgreement(services: readonly Started[], headers: Headers, known: Known): Promise<void> {
  const { url } = services[0] as Started;
  const [customers, orders] = [await all(url, headers, "customers"), await all(url, headers, "orders")];
  const there = new Set(customers.map(({ objectId }) => objectId));
  for (const one of orders) expect([one.objectId, there.has(one.customerId)]).toEqual([one.objectId, true]);
  for (const other of services.slice(1)) {
    expect(await all(other.url, headers, "customers")).toEqual(customers);
    expect(await all(other.url, headers, "orders")).toEqual(orders);
  }
  const versions = new Map<string, number>([
    ...customers.map(({ objectId, version }) => [`customers/${objectId}`, version] as const),
    ...orders.map(({ objectId, version }) => [`orders/${objectId}`, version] as const),
  ]);
  const checked = new Map([...known.history].map(([name, lines]) => [name, lines.length]));
  for (const name of NAMES) await readHistory(url, headers, name, known.history.get(name) as string[], versions.get(name));
  await readFeed((services[randomInt(services.length)] as Started).url, headers, known);
  for (const name of NAMES) {
    const from = checked.get(name);
    expect([name, known.feed.get(name)?.slice(from)]).toEqual([name, known.history.get(name)?.slice(from)]);
  }
  const { merges } = (await send(url, headers, "GET", "customers/merges")).json;
  const parts = merges.flatMap(({ others }: Wire) => others);
  expect(new Set(parts).size).toBe(parts.length);
  for (const id of parts) expect([id, there.has(id)]).toEqual([id, false]);
}

/** Reads back to the entry that is known, which is as it was. Those of records that are part of it stand at their own addresses, too. */
async function readHistory(url: string, headers: Headers, name: string, lines: string[], version: number | undefined): Promise<void> {
  const found: Wire[] = [];
  const isKnown = () => found.some((one) => one.version <= lines.length);
  for (let before: number | null | undefined; before !== null && !isKnown(); ) {
    const { json } = await send(url, headers, "GET", `${name}/history?limit=100${before ? `&before=${before}` : ""}`);
    found.push(...(json.history ?? []).filter(({ mergedFrom }: Wire) => mergedFrom === undefined));
    before = json.next ?? null;
  }
  const [last] = found;
  expect([name, version]).toEqual([name, last && last.operation !== "deleted" ? last.version : undefined]);
  const again = found.filter((one) => one.version <= lines.length).reverse();
  expect([name, again.map(toLine)]).toEqual([name, lines.slice(lines.length - Math.max(1, again.length))]);
  const added = found.filter((one) => one.version > lines.length).reverse();
  expect([name, added.map((one) => one.version)]).toEqual([name, added.map((_, i) => lines.length + i + 1)]);
  lines.push(...added.map(toLine));
}

/** Reads on until the feed has as many entries as the histories. */
async function readFeed(url: string, headers: Headers, known: Known): Promise<void> {
  const isBehind = () => NAMES.some((name) => (known.feed.get(name)?.length ?? 0) < (known.history.get(name)?.length ?? 0));
  for (let quiet = 0; isBehind() && quiet < 3; ) {
    const { json } = await send(url, headers, "GET", `changes?limit=1000&wait=1${known.after && `&after=${known.after}`}`);
    for (const change of json.changes) (known.feed.get(`${change.collection}/${change.objectId}`) as string[]).push(toLine(change));
    quiet = json.changes.length === 0 ? quiet + 1 : 0;
    known.after = json.next;
  }
}

test(`in ${ROUNDS} rounds ${PROCESSES} services merge and take apart without losing anything`, { timeout: 3_600_000 }, async () => {
  const services = await Promise.all(Array.from({ length: PROCESSES }, start));
  const headers = await authorize((services[0] as Started).url, "preset", ADMIN_SECRET);
  const known = knowNothing();
  let busy = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { url } = services[round % PROCESSES] as Started;
    const customers = Array.from({ length: PARENTS }, (_, i) => ({ objectId: i + 1, name: "Ek", accountNumber: code() }));
    await send(url, headers, "POST", "customers?onError=continue&onConflict=update", customers);
    const orders = Array.from({ length: PARENTS * 4 }, (_, i) => ({ objectId: i + 1, customerId: parent(), orderNumber: code() }));
    await send(url, headers, "POST", "orders?onError=continue&onConflict=update", orders);
    const write = async ({ url: own }: Started) => {
      for (let i = 0; i < STEPS; i++) if ((await step(own, headers)) === BUSY) busy += 1;
    };
    await Promise.all(services.flatMap((service) => Array.from({ length: WRITERS }, () => write(service))));
    await expectAgreement(services, headers, known);
  }
  // What was read in parts is the same as a whole, and the feed has nothing more.
  const whole = knowNothing();
  await expectAgreement(services, headers, whole);
  expect(whole.history).toEqual(known.history);
  expect(whole.feed).toEqual(known.feed);
  const more = await send((services[0] as Started).url, headers, "GET", `changes?wait=1&after=${whole.after}`);
  expect(more.json.changes).toEqual([]);
  const entries = [...whole.history.values()].flat().length;
  expect(entries).toBeGreaterThan(PARENTS * 5);
  const steps = ROUNDS * PROCESSES * WRITERS * STEPS;
  if (process.env.DEEP) process.stdout.write(`${ROUNDS} rounds, ${entries} versions, ${busy} of ${steps} steps were refused as busy\n`);
  expect(busy).toBeLessThan(steps / 50);
});
