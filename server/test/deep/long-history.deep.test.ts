// A record with a hundred thousand versions: whatever is read of it, nobody who writes waits for that.

import { afterAll, beforeAll, expect, test } from "vitest";
import { rounds } from "../../testing/rounds.ts";
import { openTestService, type Reply, type TestService } from "../../testing/service.ts";

const VERSIONS = rounds(2_000, 100_000);
const AT_ONCE = 500;
const LONGEST = process.env.DEEP ? 250 : 60_000; // ms; the machine of the other tests may be busy
const PATH = "/v1/customers/1";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
  await service.call("PUT", PATH, { lastName: "1", accountID: "1" });
  for (let version = 2; version < VERSIONS; version += AT_ONCE) {
    const operations = Array.from({ length: AT_ONCE }, (_, i) => ({
      action: "update",
      customer: { objectId: 1, lastName: String(version + i) },
    }));
    expect((await service.call("POST", "/v1/customers/batch", { operations })).status).toBe(200);
  }
}, 1_800_000);
afterAll(() => service.close());

/** The longest that a POST waited, in ms, while the work was under way, and turns of the event loop meanwhile. */
async function waitsDuring(work: () => Promise<Reply>): Promise<{ reply: Reply; longest: number; posts: number }> {
  let [isDone, longest, posts] = [false, 0, 0];
  const running = work().finally(() => {
    isDone = true;
  });
  do {
    const began = performance.now();
    expect((await service.call("POST", "/v1/customers", { lastName: "Else", accountID: "2" })).status).toBe(201);
    longest = Math.max(longest, performance.now() - began);
    posts += 1;
  } while (!isDone);
  return { reply: await running, longest, posts };
}

test.each([
  ["the newest page of its history", () => service.call("GET", `${PATH}/history`), 200],
  ["the oldest page of its history", () => service.call("GET", `${PATH}/history?before=10`), 200],
  ["its first version brought back", () => service.call("POST", `${PATH}/restore`, { version: 1 }), 200],
  ["a copy of all that is held about it", () => service.call("GET", `${PATH}/copy`), 200],
  ["its deletion", () => service.call("DELETE", PATH), 204],
  ["the list of deleted records", () => service.call("GET", "/v1/customers/deleted"), 200],
  ["its return", () => service.call("PUT", PATH, { lastName: "Again", accountID: "1" }), 201],
  ["its erasure", () => service.call("POST", `${PATH}/erasure`), 200],
])("nobody who writes waits for %s", { timeout: 600_000 }, async (name, work, status) => {
  const { reply, longest, posts } = await waitsDuring(work);
  expect(reply.status).toBe(status);
  process.stdout.write(`${name}: ${Math.round(longest)} ms, ${posts} posts\n`);
  expect(longest).toBeLessThan(LONGEST);
});
