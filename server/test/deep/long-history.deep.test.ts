// A record with a hundred thousand versions: whatever is read of it, nobody who writes waits for that.

import { afterAll, beforeAll, expect, test } from "vitest";
import { rounds } from "../../testing/rounds.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const VERSIONS = rounds(2_000, 100_000);
const AT_ONCE = 500;
const LONGEST = process.env.DEEP ? 250 : 60_000; // ms; the machine of the other tests may be busy
const PATH = "/v1/customers/1";

let service: TestService;
let authorization: string;
beforeAll(async () => {
  service = await openTestService();
  authorization = `Bearer ${await service.tokenFor("admin")}`;
  await service.call("PUT", PATH, { lastName: "1", accountID: "1" });
  for (let version = 2; version < VERSIONS; version += AT_ONCE) {
    const operations = Array.from({ length: AT_ONCE }, (_, i) => ({
      action: "update",
      record: { objectId: 1, lastName: String(version + i) },
    }));
    expect((await service.call("POST", "/v1/customers/batch", operations)).status).toBe(200);
  }
}, 1_800_000);
afterAll(() => service.close());

/** The longest that a POST waited while the work was under way, in ms. */
async function waitsDuring(work: () => Promise<number>): Promise<{ status: number; longest: number }> {
  let [isDone, longest] = [false, 0];
  const running = work().finally(() => {
    isDone = true;
  });
  do {
    const began = performance.now();
    expect((await service.call("POST", "/v1/customers", { lastName: "Else", accountID: "2" })).status).toBe(201);
    longest = Math.max(longest, performance.now() - began);
  } while (!isDone);
  return { status: await running, longest };
}

test.each([
  ["the newest page of its history", "GET", `${PATH}/history`, undefined, 200],
  ["the oldest page of its history", "GET", `${PATH}/history?before=10`, undefined, 200],
  ["its first version brought back", "POST", `${PATH}/restore`, { version: 1 }, 200],
  ["a copy of all that is held about it", "GET", `${PATH}/copy`, undefined, 200],
  ["its deletion", "DELETE", PATH, undefined, 204],
  ["the list of deleted records", "GET", "/v1/customers?deleted=true", undefined, 200],
  ["its return", "PUT", PATH, { lastName: "Again", accountID: "1" }, 201],
  ["its erasure", "POST", `${PATH}/erasure`, undefined, 200],
] as const)("nobody who writes waits for %s", { timeout: 600_000 }, async (_, method, url, body, wanted) => {
  // Without the check of the answer against the document, which would take this process longer than all the rest.
  const headers = { authorization, ...(body && { "content-type": "application/json" }) };
  const work = async () => (await service.app.inject({ method, url, headers, ...(body && { payload: JSON.stringify(body) }) })).statusCode;
  // A checkpoint may come in between, so what can be repeated is.
  let best = Number.POSITIVE_INFINITY;
  for (let left = method === "GET" ? 3 : 1; left > 0; left--) {
    const { status, longest } = await waitsDuring(work);
    expect(status).toBe(wanted);
    best = Math.min(best, longest);
  }
  expect(best).toBeLessThan(LONGEST);
});
