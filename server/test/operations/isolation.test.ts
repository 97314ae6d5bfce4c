// Costly reads of one key delay nobody else. SQLite only: PostgreSQL reads in processes of its own.

import { execFile } from "node:child_process";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { createReaderCalls } from "../../engine/sqlite/reader.ts";
import { DEFAULT_SETTINGS, type Filter, type Selection, StoreTooCostly } from "../../engine/store.ts";
import { openStore } from "../../open-store.ts";
import { randomInt } from "../../testing/rounds.ts";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, writeEach } from "../../testing/store.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const RECORDS = 20_000;
const COSTLY = "sort=-lastName,firstName,accountID&firstName[gte]=b&lastName[gte]=b&accountID[lte]=9&count=exact";

const COUNTED: Selection = {
  words: [],
  filters: ["firstName", "lastName"].map((name) => ({ name, operator: "gte", values: ["a"] })),
};

const MANY = 60; // more lists than are read before their clients have gone

const FIRST = { limit: 1, sort: [{ name: "objectId", descending: false }], words: [] };

let service: TestService;
let customers: Collection;
beforeAll(async () => {
  service = await openTestService(undefined, { limits: { ...NO_RATE_LIMIT, exportsPerKey: 2 } });
  customers = service.collections.find(({ name }) => name === "customers") as Collection;
  for (let from = 1; from <= RECORDS; from += 1_000) {
    const records = Array.from({ length: 1_000 }, (_, i) => {
      const id = from + i;
      return { objectId: id, firstName: `F${(id * 7_919) % 1_009}`, lastName: `L${(id * 104_729) % 10_007}`, accountID: `A${id % 97}` };
    });
    expect((await service.call("POST", "/v1/customers", records)).status).toBe(201);
  }
  await service.app.listen({ port: 0, host: "127.0.0.1" });
}, 120_000);
afterEach(() => vi.restoreAllMocks());
afterAll(() => service.close());

function addressOf(query: string): string {
  return `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/v1/customers?${query}`;
}

/** Asks over as many connections, which `leave` closes. */
function ask(query: string, headers: Record<string, string>, count: number): { leave(): void } {
  const stop = new AbortController();
  for (let i = 0; i < count; i++) {
    const reply = fetch(addressOf(query), { headers, signal: stop.signal });
    reply.then((one) => one.text()).catch(() => undefined);
  }
  return { leave: () => stop.abort() };
}

test("single records and health are answered before costly lists that were asked for earlier", async () => {
  const ended: string[] = [];
  const mark = (name: string) => () => void ended.push(name);
  const lists = Array.from({ length: 8 }, () => service.call("GET", `/v1/customers?${COSTLY}`).then(mark("list")));
  const quick = [
    service.call("GET", "/v1/customers/1").then(mark("record")),
    service.raw("GET", "/livez").then(mark("livez")),
    service.raw("GET", "/readyz").then(mark("readyz")),
  ];
  await Promise.all([...lists, ...quick]);
  expect(ended.slice(0, 3).sort()).toEqual(["livez", "readyz", "record"]);
});

test("a colleague's list is answered while another key's costly ones still wait", async () => {
  const token = await service.tokenFor("read");
  const ended: string[] = [];
  const lists = Array.from({ length: 12 }, () => service.call("GET", `/v1/customers?${COSTLY}`).then(() => void ended.push("costly")));
  await service.raw("GET", "/v1/customers?limit=1", { authorization: `Bearer ${token}` }).then(() => void ended.push("colleague"));
  await Promise.all(lists);
  expect(ended.indexOf("colleague")).toBeLessThan(ended.length - 1);
  expect(ended.filter((name) => name === "costly")).toHaveLength(12);
});

/** Runs a statement that never ends on as many connections as may read at a time but one, and reads `file` on one more. */
const READ_WHILE_OTHERS_RUN = `
  import Database from "libsql/promise";
  import { READERS } from "./server/sqlite-threads.ts";
  const [, file] = process.argv;
  const counted = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  for (let i = 0; i < READERS - 1; i++) {
    const endless = await new Database(":memory:", {}).prepare(counted);
    void endless.all();
  }
  const read = await new Database(file, {}).prepare("SELECT count(*) FROM sqlite_schema");
  await read.all();
  process.stdout.write("read", () => process.kill(process.pid, "SIGKILL"));
`;

test("a read is done while all the others that run beside it never end", async () => {
  const node = ["--import", "tsx", "--input-type=module", "--eval", READ_WHILE_OTHERS_RUN, join(service.folder, "intake.db")];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: ROOT, timeout: 50_000 }).catch((ended) => ended);
  expect(stdout).toBe("read");
});

test("a read that takes longer than its budget is ended and says so; the next one works", async () => {
  const database = await createTestDatabase();
  const store = await openStore([customers], { folder: database.folder, url: undefined }, { ...DEFAULT_SETTINGS, readSeconds: 0.001 });
  try {
    for (let from = 1; from <= RECORDS; from += 1_000) {
      const given = (id: number) => ({ objectId: id, firstName: `F${id % 1_009}`, lastName: `L${id % 10_007}`, accountID: `A${id % 97}` });
      const ops = Array.from({ length: 1_000 }, (_, i) => ({ verb: "put", id: from + i, given: given(from + i) }) as const);
      await writeEach(store, customers, ops, { atomic: true });
    }
    // Hundreds of comparisons a record, so that the count goes on long after the thread that times it has woken, also on a busy machine.
    const filters = Array.from({ length: 400 }, (): Filter => ({ name: "lastName", operator: "gte", values: ["a"] }));
    await expect(store.count(customers, { words: [], filters })).rejects.toBeInstanceOf(StoreTooCostly);
    const readFirst = async () => expect((await store.list(customers, FIRST)).records[0]).toMatchObject({ objectId: 1 });
    await vi.waitFor(readFirst, { timeout: 30_000 }); // the first time, preparing the statement alone may take longer
  } finally {
    await store.close();
    await database.drop();
  }
});

test.each([
  ["a counted page", "application/json", 1],
  ["an export", "text/csv", 2],
])("%s that waits for its turn is not begun when its client has gone", async (_, accept, count) => {
  const list = vi.spyOn(service.store, "list");
  const asked = (wanted: number) => vi.waitFor(() => expect(list.mock.calls).toHaveLength(wanted), { timeout: 30_000, interval: 1 });
  const headers = { authorization: `Bearer ${await service.tokenFor("read")}` };
  const others = ask(COSTLY, { ...headers, accept: "application/json" }, MANY);
  await asked(MANY);
  const clients = ask(COSTLY, { ...headers, accept }, count);
  await asked(MANY + count);
  clients.leave();
  await Promise.allSettled([list.mock.results.at(-1)?.value]);
  expect(list.mock.settledResults.at(-1)).toMatchObject({ type: "rejected", value: { code: "UNAVAILABLE" } });
  others.leave();
  await Promise.allSettled(list.mock.results.map(({ value }) => value));
  expect(list.mock.settledResults.filter(({ type }) => type === "rejected").length).toBeGreaterThan(count);
});

const turns = async (count: number) => {
  for (let left = count; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
};

test("a read that is interrupted at any moment never ends the next one on its thread", async () => {
  for (let i = 0; i < 40; i++) {
    const stop = new AbortController();
    const interrupted = service.store.count(customers, COUNTED, { signal: stop.signal }).catch((error: Error) => error.message);
    const next = service.store.count(customers, COUNTED);
    await turns(randomInt(200));
    stop.abort(new Error("gone"));
    expect(await next).toBe(RECORDS);
    expect([RECORDS, "gone"]).toContain(await interrupted);
  }
});

test("an interrupt ends the statement that runs, and nothing else", async () => {
  const file = join(service.folder, "intake.db");
  const reader = createReaderCalls();
  await reader.open(file, file, [customers]);
  const count = () => reader.count(file, "customers", COUNTED, 60_000);
  for (let i = 0, ended = 0; i < 40 || ended === 0; i++) {
    const interrupted = count().catch((error: Error) => error);
    await turns(randomInt(200));
    reader.interrupt();
    const result = await interrupted;
    if (result instanceof StoreTooCostly && result.message === "the read was interrupted") ended += 1;
    else expect(result instanceof StoreTooCostly || result === RECORDS).toBe(true);
    reader.interrupt(); // nothing runs
    expect(await count()).toBe(RECORDS);
  }
  await reader.close(file);
});

test("a store that is closed while a read is being interrupted does not end the process", async () => {
  const file = join(service.folder, "intake.db");
  for (let i = 0; i < 10; i++) {
    const reader = createReaderCalls();
    await reader.open(file, file, [customers]);
    const interrupted = reader.count(file, "customers", COUNTED, 60_000).catch((error: Error) => error);
    await turns(randomInt(200));
    reader.interrupt();
    const closed = reader.close(file);
    reader.interrupt();
    await closed;
    const result = await interrupted;
    expect(result instanceof StoreTooCostly || result === RECORDS).toBe(true);
  }
});

test("a key may have so many exports under way, and one more when one has ended", async () => {
  const headers = { authorization: `Bearer ${await service.tokenFor("read")}`, accept: "text/csv" };
  const begin = () => {
    const stop = new AbortController();
    return fetch(addressOf(""), { headers, signal: stop.signal }).then((reply) => ({ reply, stop }));
  };
  const [first] = await Promise.all([begin(), begin()]);
  const refused = await begin();
  expect(refused.reply.status).toBe(429);
  expect(refused.reply.headers.get("retry-after")).toBe("10");
  expect(await refused.reply.json()).toMatchObject({ code: "TOO_MANY_EXPORTS" });
  first.stop.abort();
  await vi.waitFor(async () => expect((await begin()).reply.status).toBe(200), { timeout: 30_000 });
});
