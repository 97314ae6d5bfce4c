// `unlessChangedSince`: what somebody else has changed after a time is not overwritten.

import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let colleague: { Authorization: string };
beforeEach(async () => {
  service = await openTestService();
  colleague = { Authorization: `Bearer ${await service.tokenFor("customers:read customers:create customers:update")}` };
  await service.call("POST", "/v1/customers", [customer(1), customer(2), customer(3)]);
});
afterEach(() => service.close());

const customer = (objectId: number, lastName = "Ek") => ({ objectId, lastName, accountID: "1" });
const post = (path: string, body: unknown) => service.call("POST", `/v1/customers${path}`, body);
const namesOf = async () =>
  (await service.call("GET", "/v1/customers?sort=objectId")).json.customers.map(({ lastName }: { lastName: string }) => lastName);

/** The service's own time, later than every write before and not later than any write after. */
async function time(): Promise<string> {
  const now = new Date().toISOString();
  for (;;) {
    const { time } = (await service.call("GET", "/v1/")).json;
    if (time > now) return time;
  }
}

async function colleagueWrites(...records: object[]): Promise<void> {
  const { status } = await service.call("POST", "/v1/customers?onConflict=update", records, colleague);
  expect(status).toBeLessThan(300);
}

const brief = ({ results }: { results: { outcome: string; status: number; problem?: { code: string } }[] }) =>
  results.map(({ outcome, status, problem }) => [outcome, status, problem?.code]);

test("only what somebody else has changed since is refused, each record for itself", async () => {
  const since = await time();
  await colleagueWrites(customer(2, "Theirs"), customer(9, "Theirs"));
  const own = [customer(1, "Mine"), customer(2, "Mine"), customer(3), customer(4, "Mine"), customer(9, "Mine")];
  const { status, json } = await post(`?onConflict=update&onError=continue&unlessChangedSince=${since}`, own);
  expect(status).toBe(207);
  expect(brief(json)).toEqual([
    ["updated", 200, undefined],
    ["failed", 412, "CHANGED_BY_OTHERS"],
    ["unchanged", 200, undefined],
    ["created", 201, undefined],
    ["failed", 412, "CHANGED_BY_OTHERS"],
  ]);
  expect(await namesOf()).toEqual(["Mine", "Theirs", "Ek", "Mine", "Theirs"]);
});

test("who changed it themselves since may change it again, and the same values are no conflict", async () => {
  const since = await time();
  await post("?onConflict=update", [customer(1, "First")]);
  await colleagueWrites(customer(2, "Same"));
  const { json } = await post(`?onConflict=update&onError=continue&unlessChangedSince=${since}`, [
    customer(1, "Second"),
    customer(2, "Same"),
  ]);
  expect(brief(json)).toEqual([
    ["updated", 200, undefined],
    ["unchanged", 200, undefined],
  ]);
});

test("all or nothing names each record that is in the way, and writes none", async () => {
  const since = await time();
  await colleagueWrites(customer(2, "Theirs"));
  const { status, json } = await post(`?onConflict=update&unlessChangedSince=${since}`, [customer(1, "Mine"), customer(2, "Mine")]);
  expect([status, json.code, json.errors]).toEqual([
    412,
    "CHANGED_BY_OTHERS",
    [
      {
        pointer: "/1/objectId",
        code: "CHANGED_BY_OTHERS",
        detail: "The customer was made, changed or deleted elsewhere meanwhile.",
        current: { version: 2, updatedAt: expect.any(String), updatedBy: expect.any(Object), href: "/v1/customers/2" },
      },
    ],
  ]);
  expect(await namesOf()).toEqual(["Ek", "Theirs", "Ek"]);
});

test("deletions and batches of several actions keep it, too, and a dry run says the same", async () => {
  const since = await time();
  await colleagueWrites(customer(2, "Theirs"));
  const query = `?onError=continue&unlessChangedSince=${since}`;
  const operations = [
    { action: "delete", record: { objectId: 2 } },
    { action: "update", record: { objectId: 1, lastName: "Once" } },
    { action: "update", record: { objectId: 1, lastName: "Twice" } },
  ];
  const expected = [
    ["failed", 412, "CHANGED_BY_OTHERS"],
    ["updated", 200, undefined],
    ["updated", 200, undefined],
  ];
  expect(brief((await post(`/batch${query}&dryRun=true`, { operations })).json)).toEqual(expected);
  expect(brief((await post(`/batch${query}`, { operations })).json)).toEqual(expected);
  expect(brief((await post(`/deletions${query}`, [{ objectId: 2 }, { objectId: 3 }])).json)).toEqual([
    ["failed", 412, "CHANGED_BY_OTHERS"],
    ["deleted", 200, undefined],
  ]);
  expect(await namesOf()).toEqual(["Twice", "Theirs"]);
});

test("what was deleted since is not made again", async () => {
  await service.call("DELETE", "/v1/customers/1");
  const since = await time();
  await service.call("DELETE", "/v1/customers/2");
  const { json } = await post(`?onConflict=update&onError=continue&unlessChangedSince=${since}`, [
    customer(1, "Mine"),
    customer(2, "Mine"),
  ]);
  expect(brief(json)).toEqual([
    ["created", 201, undefined],
    ["failed", 412, "CHANGED_BY_OTHERS"],
  ]);
  const operations = [
    { action: "delete", record: { objectId: 1 } },
    { action: "create", record: customer(1, "Again") },
  ];
  const again = await post(`/batch?unlessChangedSince=${since}`, { operations });
  expect(again.json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["deleted", "created"]);
});

test("the time may be of any zone, and what is no time is refused", async () => {
  await colleagueWrites(customer(2, "Theirs"));
  const before = encodeURIComponent("2020-01-01T02:00:00+02:00");
  const mine = [customer(2, "Mine")];
  expect((await post(`?onConflict=update&unlessChangedSince=${before}`, mine)).status).toBe(412);
  const { status, json } = await post("?onConflict=update&unlessChangedSince=yesterday", mine);
  expect([status, json.errors[0].parameter]).toEqual([400, "unlessChangedSince"]);
});
