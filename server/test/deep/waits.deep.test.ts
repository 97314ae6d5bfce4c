// Tests how long somebody who writes one record waits while each route is asked for the most that it can be asked for.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { MAX_BATCH } from "../../../core/contract/limits.ts";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { rounds } from "../../testing/rounds.ts";
import { ORDERS } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const RECORDS = rounds(2_000, 100_000); // of each collection; as many versions has one of them
const ALONG = Math.min(RECORDS / 4, 5_000); // records that may go or change along with one
const AT_ONCE = 1_000;
const MOST = rounds(1_000, MAX_BATCH);
const PAUSE = 15; // ms between two writes
const [IDLE, LONGEST_IDLE] = [1_500, 15_000]; // ms in which nothing else runs, after each route
const LONGEST = 250; // ms
const TIMES = rounds(1, 3); // for what can be repeated: a checkpoint, or somebody else's process, may come in between
const RUN = "run-with-many-versions";

/** Customers by what refers to them, and the one with the long history. */
const [WITH_CONTACTS, WITH_ORDERS, WITH_NOTHING, LONG] = [1, 2, 3, 4];
const CLEARED = RECORDS; // the contact that orders name

let database: TestDatabase;
let service: Started;
let headers: Record<string, string>;
const agent = new http.Agent({ keepAlive: true });
const table: string[] = [];

interface Reply {
  status: number;
  /** Empty unless it is wanted: an answer may have megabytes. */
  text: string;
}

function send(method: string, path: string, body?: unknown, more: Record<string, string> = {}, isWanted = false): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${service.url}/v1/${path}`, { method, agent, headers: { ...headers, ...more } }, (response) => {
      let text = "";
      response.on("data", (data: Buffer) => {
        if (isWanted) text += data;
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.once("error", reject);
    });
    request.once("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const dictionary = () => join(database.folder, "datapackage.json");

async function start(): Promise<void> {
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  const limits = { RATE_PER_SECOND: "100000", RATE_BURST: "100000", READ_SECONDS: "60" };
  service = await startProcess({ ...store, ...limits, DICTIONARY: dictionary(), ADMIN_KEY: `ink_preset.${ADMIN_SECRET}` });
  expect(service.url, service.output()).not.toBe("");
  headers = await authorize(service.url, "preset", ADMIN_SECRET);
}

async function stop(): Promise<void> {
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
}

const recordOf: Record<string, (id: number) => object> = {
  customers: (id) => ({ name: `Märta van den Berg ${id % 977} Nr ${id}`, accountNumber: `A-${id}`, city: `Stad ${id % 89}` }),
  contacts: (id) => ({
    customerId: id === CLEARED ? WITH_ORDERS : id <= ALONG ? WITH_CONTACTS : WITH_NOTHING,
    name: `Ek Holm ${id % 811}`,
    email: `c${id}@example.org`,
  }),
  orders: (id) => ({
    customerId: WITH_ORDERS,
    orderNumber: `O-${id}`,
    orderedOn: "2024-02-29",
    total: id,
    ...(id <= ALONG && { contactId: CLEARED }),
  }),
};

/** The versions are made by SQL: each has a write of its own, as a hundred thousand requests leave them. */
function longHistory(): string[] {
  const [column, xid] = database.url ? [", xid", ", pg_current_xact_id()::text::bigint"] : ["", ""];
  return [
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS})
      INSERT INTO writes (collection, at, by, source, run, size, operations${column})
      SELECT 'customers', 1700000000000 + i, (SELECT max(number) FROM principals), 'upload', '${RUN}', 1, 2${xid} FROM n`,
    `INSERT INTO history (write, id, version, operation, changes) SELECT number, ${LONG}, 1 + row_number() OVER (ORDER BY number), 'updated',
      '{"city":["Stad ' || number || '","Stad ' || (number + 1) || '"]}' FROM writes WHERE run = '${RUN}'`,
    `UPDATE c_customers SET version = ${RECORDS} + 1 WHERE "objectId" = ${LONG}`,
    ...(database.url ? ["ANALYZE"] : []),
  ];
}

beforeAll(async () => {
  database = await createTestDatabase();
  copyFileSync(ORDERS, dictionary());
  await start();
  for (const [name, make] of Object.entries(recordOf)) {
    for (let from = 1; from <= RECORDS; from += AT_ONCE) {
      const records = Array.from({ length: AT_ONCE }, (_, i) => ({ objectId: from + i, ...make(from + i) }));
      expect((await send("POST", name, records)).status).toBe(201);
    }
  }
  await stop();
  await database.run(longHistory());
  await start();
}, 1_800_000);
afterAll(async () => {
  console.log(
    [`ms that a POST waited at most on ${inject("postgres") ? "PostgreSQL" : "SQLite"}: idle · during (which took) · what`, ...table].join(
      "\n",
    ),
  );
  killProcesses();
  await database.drop();
});

let posts = 0;

/** Writes one record after the other until the work has ended, and returns the longest wait in ms. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let [isDone, longest] = [false, 0];
  void work.finally(() => {
    isDone = true;
  });
  do {
    posts += 1;
    const began = performance.now();
    const body = { customerId: WITH_NOTHING, orderNumber: `P-${posts}` };
    const reply = await send("POST", "orders", body, {}, true);
    longest = Math.max(longest, performance.now() - began);
    expect(reply.status, reply.text).toBe(201);
    await sleep(PAUSE);
  } while (!isDone);
  return longest;
}

interface Options {
  times?: number;
  /** One statement reads or indexes a whole collection, or one request is larger than is advised: how long that takes has no bound. */
  isOnlyMeasured?: boolean;
}

const REPEATED: Options = { times: TIMES };
const ONLY_MEASURED: Options = { isOnlyMeasured: true };
type Work = readonly [what: string, work: () => Promise<number>, wanted: number, options?: Options];
const get =
  (path: string, more: Record<string, string> = {}) =>
  async () =>
    (await send("GET", path, undefined, more)).status;
const post =
  (path: string, body?: unknown, more: Record<string, string> = {}) =>
  async () =>
    (await send("POST", path, body, more)).status;
const many = (from: number, make: (id: number) => object, count = AT_ONCE) =>
  Array.from({ length: count }, (_, i) => ({ objectId: from + i, ...make(from + i) }));
const renamed = (id: number) => ({ ...recordOf.customers?.(id), city: `Ort ${posts}` });

/** Goes through all pages of the feed or of an export of changes. */
async function readFeed(query: string): Promise<number> {
  for (let after = ""; ; ) {
    const { status, text } = await send("GET", `changes?limit=1000${query}${after}`, undefined, {}, true);
    const page = JSON.parse(text) as { changes: unknown[]; next: string };
    if (page.changes.length === 0) return status;
    after = `&after=${page.next}`;
  }
}

async function undoRun(): Promise<number> {
  for (let after: string | null | undefined; after !== null; ) {
    const reply = await send("POST", "customers/undo", { run: RUN, ...(after && { after }) }, {}, true);
    if (reply.status !== 200) return reply.status;
    after = (JSON.parse(reply.text) as { next: string | null }).next;
  }
  return 200;
}

/** Stored answers that hold the record which is erased, each with all that one answer can have. */
async function fillAnswers(): Promise<number> {
  for (let i = 0; i < rounds(3, 40); i++) {
    const { status } = await send("POST", "customers?onConflict=update", many(LONG, renamed), { "idempotency-key": `kept-${i}` });
    if (status !== 200) return status;
  }
  return 200;
}

type Resource = { name: string; schema: { fields: Record<string, unknown>[] } };

async function changeDictionary(edit: (resources: Resource[]) => void): Promise<number> {
  const served = async () => (await send("GET", "dictionary", undefined, {}, true)).text;
  const before = await served();
  const dataPackage = JSON.parse(readFileSync(dictionary(), "utf8"));
  edit(dataPackage.resources);
  writeFileSync(dictionary(), JSON.stringify(dataPackage));
  service.child.kill("SIGHUP");
  await vi.waitFor(async () => expect(await served()).not.toBe(before), { timeout: 120_000, interval: 20 });
  return 200;
}

const fieldsOf = (resources: Resource[], name: string) => resources.find((one) => one.name === name)?.schema.fields ?? [];

const WORKS: readonly Work[] = [
  ["the newest page of a long history", get(`customers/${LONG}/history?limit=100`), 200, REPEATED],
  ["the oldest page of a long history", get(`customers/${LONG}/history?before=100&limit=100`), 200, REPEATED],
  ["a copy of all that is held about it", get(`customers/${LONG}/copy`), 200, REPEATED],
  ["its second version brought back", post(`customers/${LONG}/restore`, { version: 2 }), 200, REPEATED],
  ["its run undone", undoRun, 200],
  ["a page of 1,000 with parents", get("orders?limit=1000&expand=customer,contact"), 200, REPEATED],
  ["a page far behind", get("orders?limit=1000&offset=10000&sort=-total"), 200, REPEATED],
  ["a count of all", get("orders?limit=1&count=exact"), 200, REPEATED],
  ["a search that many records meet", get("customers?q=ma%20va%20be&sort=city&limit=1000"), 200, REPEATED],
  ["a search with hints", get("customers?q=marto%20vun%20burg&hints=true"), 200, REPEATED],
  ["a filter that reads every record", get("customers?name[contains]=zzz"), 200, REPEATED],
  ["a filter through a parent", get("orders?customer.city[contains]=zzz&sort=total"), 200, REPEATED],
  ["an export of all as CSV", get("orders.csv?expand=customer"), 200, REPEATED],
  ["all children of one", get(`customers/${WITH_ORDERS}/orders?limit=1000&count=exact`), 200, REPEATED],
  ["the feed from its beginning", () => readFeed(""), 200],
  ["the feed with records and values", () => readFeed("&include=record,changes&collection=customers"), 200],
  ["the activity", get("activity?limit=100"), 200, REPEATED],
  ["the activity with a filter that nothing meets", get("activity?operation=erased&limit=100"), 200, REPEATED],
  ["the activity of each day", get("activity/days?from=2023-01-01"), 200, REPEATED],
  ["the changes of a long run", get(`activity?run=${RUN}&limit=100`), 200, REPEATED],
  ["the summary of a long run", get(`activity/runs/${RUN}`), 200, REPEATED],
  ["the OpenAPI document", get("openapi.json"), 200, REPEATED],
  ["a backup", get("backup"), inject("postgres") ? 404 : 200],
  [
    "1,000 new records",
    () =>
      post(
        "customers",
        many(2 * RECORDS + posts * AT_ONCE, (id) => ({ name: `New ${id}`, accountNumber: `N-${id}` })),
      )(),
    201,
    REPEATED,
  ],
  [
    "1,000 changed records",
    () =>
      post(
        "customers/batch",
        many(1_000, renamed).map((record) => ({ action: "update", record })),
      )(),
    200,
    REPEATED,
  ],
  [
    "1,000 deleted records",
    post(
      "orders/deletions",
      many(RECORDS - AT_ONCE, () => ({})),
    ),
    200,
  ],
  [
    "a deletion that is refused because many refer to it",
    async () => (await send("DELETE", `customers/${WITH_ORDERS}`)).status,
    409,
    REPEATED,
  ],
  [
    "a change that is refused because many must agree",
    async () => (await send("PATCH", `contacts/${CLEARED}`, { customerId: WITH_NOTHING })).status,
    422,
    REPEATED,
  ],
  ["a deletion along with which many go", async () => (await send("DELETE", `customers/${WITH_CONTACTS}`)).status, 204],
  ["a deletion along with which many change", async () => (await send("DELETE", `contacts/${CLEARED}`)).status, 204],
  ["the list of deleted records", get("contacts?deleted=true&limit=1000"), 200, REPEATED],
  ["answers that are stored", fillAnswers, 200],
  ["the deletion of the record with a long history", async () => (await send("DELETE", `customers/${LONG}`)).status, 204],
  ["its return", async () => (await send("PUT", `customers/${LONG}`, recordOf.customers?.(LONG))).status, 201],
  ["its erasure", post(`customers/${LONG}/erasure`), 200],
  ["an erasure in a store where that was done before", post("customers/5/erasure"), 200],
  [
    "10,000 new records in one request",
    async () =>
      (
        await send(
          "POST",
          "customers",
          many(1_000_000, (id) => ({ name: `Most ${id}`, accountNumber: `M-${id}` }), MOST),
        )
      ).status,
    201,
    ONLY_MEASURED,
  ],
  [
    "10,000 deleted records in one request",
    async () =>
      (
        await send(
          "POST",
          "customers/deletions",
          many(1_000_000, () => ({}), MOST),
        )
      ).status,
    200,
    ONLY_MEASURED,
  ],
  [
    "a new field",
    () => changeDictionary((all) => fieldsOf(all, "orders").push({ name: "note", title: "Note", type: "string" })),
    200,
    ONLY_MEASURED,
  ],
  [
    "a field that becomes unique",
    () => changeDictionary((all) => Object.assign(fieldsOf(all, "customers")[1] ?? {}, { constraints: { required: true, unique: true } })),
    200,
    ONLY_MEASURED,
  ],
];

test.each(WORKS.map(([what, work, wanted, options = {}]) => ({ what, work, wanted, ...options })))(
  "nobody who writes waits for $what",
  { timeout: 600_000 },
  async ({ what, work, wanted, times = 1, isOnlyMeasured = false }) => {
    let [best, bestIdle, took] = [Number.POSITIVE_INFINITY, 0, 0];
    for (let left = times; left > 0; left--) {
      const began = performance.now();
      let ms = 0;
      const running = work().finally(() => {
        ms = performance.now() - began;
      });
      const longest = await longestWait(running);
      expect(await running).toBe(wanted);
      const idle = await longestWait(sleep(rounds(50, Math.min(LONGEST_IDLE, Math.max(IDLE, ms))))); // the longer, the more comes in between
      if (longest < best) [best, bestIdle, took] = [longest, idle, ms];
    }
    table.push(`${[bestIdle, best, took].map((ms) => Math.round(ms).toLocaleString("en").padStart(7)).join(" ")}  ${what}`);
    expect(bestIdle, "the machine is too busy to measure").toBeLessThan(LONGEST);
    if (!isOnlyMeasured) expect(best).toBeLessThan(LONGEST);
  },
);
