// The connection breaks between COMMIT and its answer. Every write is stored once, and answered as it ended.

import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "../../engine/postgres/store.ts";
import { toAnswer } from "../../records/answers.ts";
import { openPostgresProxy, type PostgresProxy } from "../../testing/postgres/postgres-proxy.ts";
import { randomInt, rounds } from "../../testing/rounds.ts";
import { DICTIONARY, openTestService, type Reply, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let proxy: PostgresProxy;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openPostgresProxy(database.url ?? "");
  const open: TestDatabase["open"] = (collections) => openPostgres(proxy.url, collections, toAnswer);
  service = await openTestService(DICTIONARY, {}, { ...database, open });
});
afterAll(async () => {
  await service.close();
  await proxy.cut();
  await database.drop();
});

const MOMENTS = ["before", "after"] as const;
type Moment = (typeof MOMENTS)[number];

/** Sends a write whose COMMIT is cut. */
async function writeCut(when: Moment, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const before = proxy.cuts();
  proxy.cutAtCommit(when);
  const reply = await service.call(method, path, body, headers);
  expect(proxy.cuts()).toBe(before + 1);
  return reply;
}

let next = 1;
const read = (id: number) => service.call("GET", `/v1/customers/${id}`);
const named = async (name: string) => (await service.call("GET", `/v1/customers?lastName=${name}`)).json.customers.length;
const etagOf = async (id: number) => (await read(id)).headers.etag ?? "";

async function stored(): Promise<number> {
  const id = next++;
  await service.call("PUT", `/v1/customers/${id}`, { lastName: "Before", accountID: "1" });
  return id;
}

/** Each writes once through a cut and checks what is stored then. */
const WRITES: Record<string, (when: Moment) => Promise<void>> = {
  async "POST without a key"(when) {
    const lastName = `Post${next++}`;
    const reply = await writeCut(when, "POST", "/v1/customers", [
      { lastName, accountID: "1" },
      { lastName, accountID: "2" },
    ]);
    expect([reply.status, await named(lastName)]).toEqual([201, 2]);
  },
  async "POST with a key"(when) {
    const lastName = `Keyed${next++}`;
    const send = ["POST", "/v1/customers", { lastName, accountID: "1" }, { "idempotency-key": lastName }] as const;
    const first = await writeCut(when, ...send);
    const again = await service.call(...send);
    expect([first.status, again.text, await named(lastName)]).toEqual([201, first.text, 1]);
  },
  async "PUT that must create"(when) {
    const id = next++;
    const reply = await writeCut(when, "PUT", `/v1/customers/${id}`, { lastName: "Put", accountID: "1" }, { "if-none-match": "*" });
    expect([reply.status, (await read(id)).json]).toEqual([201, expect.objectContaining({ lastName: "Put", version: 1 })]);
  },
  async "PATCH of a version"(when) {
    const id = await stored();
    const headers = { "if-match": await etagOf(id) };
    const reply = await writeCut(when, "PATCH", `/v1/customers/${id}`, { lastName: "Patched" }, headers);
    expect([reply.status, (await read(id)).json]).toEqual([200, expect.objectContaining({ lastName: "Patched", version: 2 })]);
  },
  async "DELETE of a version"(when) {
    const id = await stored();
    const reply = await writeCut(when, "DELETE", `/v1/customers/${id}`, undefined, { "if-match": await etagOf(id) });
    expect([reply.status, (await read(id)).status]).toEqual([204, 404]);
  },
};

for (const [name, write] of Object.entries(WRITES)) {
  test.each(MOMENTS)(`${name} is stored once, cut off %s the server got its COMMIT`, write);
}

test("every write of many, each cut off at its COMMIT, is stored once", { timeout: 3_600_000 }, async () => {
  const all = Object.values(WRITES);
  for (let round = 0; round < rounds(20, 1_000); round++) {
    const write = all[randomInt(all.length)] as (when: Moment) => Promise<void>;
    await write(MOMENTS[randomInt(2)] as Moment);
  }
});

test("a sign-in cut off at its COMMIT gives a token that works", async () => {
  for (const when of MOMENTS) {
    proxy.cutAtCommit(when);
    const headers = { authorization: `Bearer ${await service.tokenFor("read")}` };
    expect((await service.raw("GET", "/v1/customers?limit=1", headers)).status).toBe(200);
  }
});

test("while the database cannot be asked, the answer says that the outcome is unknown", { timeout: 120_000 }, async () => {
  const id = await stored();
  proxy.cutAtCommit("after", true);
  const write = service.call("PATCH", `/v1/customers/${id}`, { lastName: "Who knows" });
  try {
    const { status, json } = await write;
    expect([status, json.code, json.detail]).toEqual([503, "OUTCOME_UNKNOWN", expect.not.stringContaining("Nothing was written")]);
  } finally {
    await proxy.open();
  }
  expect((await read(id)).json.lastName).toBe("Who knows");
});
