// Costly reads of one key delay nobody else. SQLite only: PostgreSQL reads in processes of its own.

import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { openStore } from "../../open-store.ts";
import { DEFAULT_SETTINGS, type Filter, StoreTooCostly } from "../../store/store.ts";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, writeEach } from "../../testing/store.ts";

const RECORDS = 20_000;
const COSTLY = "sort=-lastName,firstName,accountID&firstName[gte]=b&lastName[gte]=b&accountID[lte]=9&count=exact";

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
}, 120_000);
afterAll(() => service.close());

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

test("a read that takes longer than its budget is ended and says so; the next one works", async () => {
  const database = await createTestDatabase();
  const store = await openStore([customers], { folder: database.folder, url: undefined }, { ...DEFAULT_SETTINGS, readSeconds: 0.001 });
  try {
    for (let from = 1; from <= RECORDS; from += 1_000) {
      const given = (id: number) => ({ objectId: id, firstName: `F${id % 1_009}`, lastName: `L${id % 10_007}`, accountID: `A${id % 97}` });
      const ops = Array.from({ length: 1_000 }, (_, i) => ({ verb: "put", id: from + i, given: given(from + i) }) as const);
      await writeEach(store, customers, ops, { atomic: true });
    }
    const words = ["f1"];
    const filters: Filter[] = ["firstName", "lastName"].map((name) => ({ name, operator: "gte", values: ["a"] }));
    await expect(store.count(customers, { words, filters })).rejects.toBeInstanceOf(StoreTooCostly);
    const readFirst = async () => expect((await store.list(customers, FIRST)).records[0]).toMatchObject({ objectId: 1 });
    await vi.waitFor(readFirst, { timeout: 30_000 }); // the first time, preparing the statement alone may take longer
  } finally {
    await store.close();
    await database.drop();
  }
});

test("a key may have so many exports under way, and one more when one has ended", async () => {
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = service.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${await service.tokenFor("read")}`, accept: "text/csv" };
  const begin = () => {
    const stop = new AbortController();
    return fetch(`http://127.0.0.1:${port}/v1/customers`, { headers, signal: stop.signal }).then((reply) => ({ reply, stop }));
  };
  const [first] = await Promise.all([begin(), begin()]);
  const refused = await begin();
  expect(refused.reply.status).toBe(429);
  expect(refused.reply.headers.get("retry-after")).toBe("10");
  expect(await refused.reply.json()).toMatchObject({ code: "TOO_MANY_EXPORTS" });
  first.stop.abort();
  await vi.waitFor(async () => expect((await begin()).reply.status).toBe(200), { timeout: 30_000 });
});
