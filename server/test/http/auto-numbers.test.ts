// Numbers that the service gives: by every way to write, never twice, and by several processes at once.

import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import type { Store, WriteOp } from "../../engine/store.ts";
import { openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, outcomesOf, writeEach } from "../../testing/store.ts";

const YEAR = new Date().getUTCFullYear();
const packageWith = (words: object) => ({
  title: "Invoices",
  resources: [
    {
      name: "invoices",
      singular: "invoice",
      title: "Invoices",
      label: ["number"],
      schema: {
        fields: [
          { name: "id", title: "ID", type: "integer" },
          { name: "number", title: "Number", type: "string", ...words },
          { name: "amount", title: "Amount", type: "integer", constraints: { maximum: 1000 } },
        ],
        primaryKey: ["id"],
      },
    },
  ],
});

let service: TestService;
beforeAll(async () => {
  service = await openTestService(packageWith({ autoNumber: "INV-{yyyy}-{0000}", constraints: { required: true } }));
});
afterAll(() => service.close());

const numbered = (n: number) => `INV-${YEAR}-${String(n).padStart(4, "0")}`;
const send: TestService["call"] = (...given) => service.call(...given);

test("each way to make a record numbers it, and refused ones take no number", async () => {
  expect((await send("POST", "/v1/invoices", { amount: 1 })).json.number).toBe(numbered(1));
  expect((await send("POST", "/v1/invoices", { amount: 2000 })).status).toBe(422);
  expect((await send("POST", "/v1/invoices", { number: null, amount: 2 })).json.number).toBe(numbered(2));
  expect((await send("PUT", "/v1/invoices/7", { amount: 3 })).json.number).toBe(numbered(3));
  const all = await send("POST", "/v1/invoices", { invoices: [{ amount: 4 }, { amount: 5 }, { number: "", amount: 6 }] });
  expect(all.json.invoices.map(({ number }: { number: string }) => number)).toEqual([4, 5, 6].map(numbered));
  expect((await send("POST", "/v1/invoices", { invoices: [{ amount: 7 }, { amount: 9999 }] })).status).toBe(422);
  const dry = await send("POST", "/v1/invoices?dryRun=true", { amount: 8 });
  expect(dry.json.number).toBe(numbered(7));
  expect((await send("POST", "/v1/invoices", { amount: 8 })).json.number).toBe(numbered(7));
});

test("a number that was given stays: through PUT without it, and against any other", async () => {
  const put = await send("PUT", "/v1/invoices/7", { amount: 30 }, { "if-match": "*" });
  expect([put.status, put.json.number]).toEqual([200, numbered(3)]);
  for (const number of [numbered(99), "nonsense"]) {
    const reply = await send("PATCH", "/v1/invoices/7", { number }, { "if-match": "*" });
    expect([reply.status, reply.json.errors?.[0]?.code]).toEqual([422, number === "nonsense" ? "PATTERN" : "READ_ONLY"]);
  }
  expect((await send("PATCH", "/v1/invoices/7", { number: numbered(3), amount: 31 }, { "if-match": "*" })).status).toBe(200);
  expect((await send("PATCH", "/v1/invoices/7", { number: null, amount: 32 }, { "if-match": "*" })).json.number).toBe(numbered(3));
});

test("a new record may bring its own number, and counting goes on above it", async () => {
  expect((await send("POST", "/v1/invoices", { number: numbered(3) })).json.errors[0].code).toBe("UNIQUE");
  expect((await send("POST", "/v1/invoices", { number: "INV-1" })).json.errors[0]).toMatchObject({ code: "PATTERN" });
  expect((await send("POST", "/v1/invoices", { number: "INV-2019-0800" })).status).toBe(201);
  expect((await send("POST", "/v1/invoices", { number: numbered(20) })).status).toBe(201);
  const both = await send("POST", "/v1/invoices", { invoices: [{ amount: 1 }, { number: numbered(40) }, { amount: 2 }] });
  expect(both.json.invoices.map(({ number }: { number: string }) => number)).toEqual([21, 40, 41].map(numbered));
});

test("a number never comes again: not after a deletion, an erasure, nor when its record is brought back", async () => {
  const first = (await send("POST", "/v1/invoices", { amount: 1 })).json;
  expect(first.number).toBe(numbered(42));
  await send("DELETE", `/v1/invoices/${first.id}`);
  const second = (await send("POST", "/v1/invoices", { amount: 2 })).json;
  expect(second.number).toBe(numbered(43));
  const erased = await send("POST", `/v1/invoices/${second.id}/erasure`);
  if (erased.status >= 400) await send("DELETE", `/v1/invoices/${second.id}`);
  expect((await send("POST", "/v1/invoices", { amount: 3 })).json.number).toBe(numbered(44));
  const back = await send("PUT", `/v1/invoices/${first.id}`, { number: first.number, amount: 1 });
  expect([back.status, back.json.number]).toEqual([201, numbered(42)]);
});

test("a role for which the number is read-only brings none, and gets one", async () => {
  const scope = "invoices:read invoices:create";
  const conditions = { invoices: { fields: { readOnly: ["number"] } } };
  const role = await send("POST", "/v1/roles", { name: "Clerk", scope, conditions });
  const { token } = await service.newPerson(role.json.id);
  const post = async (payload: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const reply = await service.app.inject({ method: "POST", url: "/v1/invoices", headers, payload });
    return { status: reply.statusCode, json: JSON.parse(reply.payload) };
  };
  expect((await post({ number: numbered(500) })).json.errors[0].code).toBe("READ_ONLY");
  expect((await post({ amount: 5 })).json.number).toBe(numbered(45));
});

test("whoever may not see the number makes and replaces records all the same", async () => {
  for (const how of ["hidden", "masked"]) {
    const scope = "invoices:read invoices:create invoices:update";
    const role = await send("POST", "/v1/roles", {
      name: `Without ${how}`,
      scope,
      conditions: { invoices: { fields: { [how]: ["number"] } } },
    });
    const { token } = await service.newPerson(role.json.id);
    const call = async (method: "POST" | "PUT", url: string, payload: object) => {
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(method === "PUT" && { "if-match": "*" }),
      };
      const reply = await service.app.inject({ method, url, headers, payload });
      return { status: reply.statusCode, text: reply.payload, json: JSON.parse(reply.payload) };
    };
    const made = await call("POST", "/v1/invoices", { amount: 1 });
    expect([made.status, made.text.includes("INV-")]).toEqual([201, false]);
    const { number } = (await send("GET", `/v1/invoices/${made.json.id}`)).json;
    expect(number).toMatch(/^INV-/);
    const put = await call("PUT", `/v1/invoices/${made.json.id}`, { ...made.json, amount: 2 });
    expect([put.status, put.text.includes("INV-")]).toEqual([200, false]);
    expect((await send("GET", `/v1/invoices/${made.json.id}`)).json).toMatchObject({ number, amount: 2 });
  }
});

test("a deleted record that is brought back has its number", async () => {
  const made = (await send("POST", "/v1/invoices", { amount: 10 })).json;
  await send("PATCH", `/v1/invoices/${made.id}`, { amount: 11 }, { "if-match": "*" });
  await send("DELETE", `/v1/invoices/${made.id}`);
  const back = await send("POST", `/v1/invoices/${made.id}/restore`, { version: 1 });
  expect([back.status, back.json.number, back.json.amount]).toEqual([201, made.number, 10]);
});

test.skipIf(!inject("postgres"))("counting begins anew with the year", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(YEAR + 1, 0, 1, 0, 0, 1) }); // SQLite's writer has a clock of its own
  try {
    const { token } = await service.newPerson("editor");
    const reply = await service.app.inject({
      method: "POST",
      url: "/v1/invoices",
      headers: { authorization: `Bearer ${token}` },
      payload: { amount: 1 },
    });
    expect(JSON.parse(reply.payload).number).toBe(`INV-${YEAR + 1}-0001`);
  } finally {
    vi.useRealTimers();
  }
  expect((await send("POST", "/v1/invoices", { amount: 1 })).json.number).toMatch(/^INV-/);
});

test("four processes that write at once give each number once, without a gap", { timeout: 120_000 }, async () => {
  const read = readDataPackage(packageWith({ autoNumber: "{000000}" }));
  if ("mistakes" in read) throw new Error("package");
  const collection = read.collections[0] as Collection;
  const database = await createTestDatabase();
  const first = await database.open(read.collections);
  const isPostgres = database.url !== undefined;
  const stores: Store[] = [first];
  while (isPostgres && stores.length < 4) stores.push(await database.open(read.collections));
  const post = (): WriteOp => ({ verb: "post", id: null, given: { amount: 1 }, onConflict: "error", onMissing: "create" });
  const batches = Array.from({ length: 60 }, (_, i) => Array.from({ length: 1 + (i % 5) }, post));
  const outcomes = await Promise.all(batches.map((ops, i) => writeEach(stores[i % stores.length] as Store, collection, ops)));
  const size = batches.flat().length;
  expect(outcomes.flatMap(outcomesOf)).toEqual(Array.from({ length: size }, () => "created"));
  const numbers: string[] = [];
  const { records } = await first.list(collection, { words: [], limit: 1000, sort: [{ name: "id", descending: false }] });
  for (const record of records) numbers.push(String(record.number));
  expect(numbers.sort()).toEqual(Array.from({ length: size }, (_, i) => String(i + 1).padStart(6, "0")));
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});
