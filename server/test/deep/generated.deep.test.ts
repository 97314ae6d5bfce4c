// Thousands of random requests made from the OpenAPI document, half of them broken, against what it promises.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createKeys } from "../../people/auth/api-keys.ts";
import { breakSome, type Sent } from "../../testing/broken-requests.ts";
import { CURSOR, drawRequests } from "../../testing/request-generator.ts";
import { DICTIONARY, EMPLOYEES, ORDERS, openTestService, type Reply, type TestService } from "../../testing/service.ts";

const TIMES = process.env.DEEP ? 10 : 1;
const REQUESTS = inject("postgres") ? 2_500 : 7_500; // for each dictionary; the HEAD for each GET counts too
const TOGETHER = 40; // requests in one round, at most
const MOST_RECORDS = 60;
const RECORD_CALLS = ["read", "list", "count", "write", "erase"];

describe.each([
  ["customers", DICTIONARY, 1],
  ["employees", EMPLOYEES, 1],
  ["customers, contacts and orders", ORDERS, 0.5],
])("%s", (_, dictionary, share) => {
  let service: TestService;
  let token: string;
  let requests: fc.Arbitrary<Sent>;
  let cursor = "none";
  const seen = { sent: 0, stored: 0 };
  const touches = { count: 0 };
  beforeAll(async () => {
    service = await openTestService(dictionary);
    token = await service.tokenFor("admin");
    const [read, write] = [await service.tokenFor("read"), await service.tokenFor("write")];
    const keyId = (await createKeys(service.store).create("read")).split(/[_.]/)[1] ?? "";
    requests = breakSome(drawRequests(service.checker.whole, [...Array(8).fill(token), write, read], [keyId, "nobody"]));
    const { store } = service;
    for (const part of [store, store.history, store.feed, store.viewers, store.webhooks, store.saved]) countCalls(part);
  });
  afterAll(() => service.close());

  /** Counts calls of what the service keeps; credentials do not count, because refused requests are checked against them, too. */
  function countCalls(part: object): void {
    const methods = part as Record<string, (...given: unknown[]) => unknown>;
    for (const name of part === service.store ? RECORD_CALLS : Object.keys(part)) {
      const own = methods[name];
      if (typeof own !== "function") continue;
      vi.spyOn(methods, name).mockImplementation((...given) => {
        touches.count++;
        return own.apply(part, given);
      });
    }
  }

  /** The records and keys in the store, read through the service. */
  async function stored(): Promise<{ text: string; ids: Record<string, number[]> }> {
    const headers = { authorization: `Bearer ${token}` };
    const keys = await service.raw("GET", "/v1/keys", headers);
    // When a key was used last is noted after the answer, and again when a minute has passed.
    let text = JSON.stringify(keys.json.keys.map(({ lastUsedAt: _at, lastUsedFrom: _from, ...key }: Record<string, unknown>) => key));
    const ids: Record<string, number[]> = {};
    for (const { name, key } of service.collections) {
      const records = await service.raw("GET", `/v1/${name}?limit=1000`, headers);
      text += records.text;
      ids[name] = records.json[name].map((record: Record<string, number>) => record[key.name]);
    }
    return { text, ids };
  }

  async function send({ method, path, headers, payload }: Sent): Promise<Reply> {
    const before = touches.count;
    const reply = await service.raw(method, path.replace(CURSOR, cursor), headers, payload);
    seen.sent++;
    seen.stored += touches.count > before ? 1 : 0;
    cursor = reply.json?.next ?? cursor;
    expect(reply.status).toBeLessThan(500);
    return reply;
  }

  /** Sends GET and HEAD and expects the same header fields; HEAD has the capabilities as well. */
  async function sendBoth(sent: Sent): Promise<void> {
    const before = cursor;
    const get = await send({ ...sent, method: "GET" });
    cursor = before;
    const head = await send({ ...sent, method: "HEAD" });
    expect([head.status, head.text]).toEqual([get.status, ""]);
    // PostgreSQL lets the feed grow between the two: a change can be read when each older transaction of the server is over.
    const { "content-length": _, ...ofFeed } = lasting(get);
    if (get.json?.changes) expect(lasting(head)).toMatchObject(ofFeed);
    else expect(lasting(head)).toEqual(lasting(get));
  }

  test("every request is answered as documented; GET and HEAD change nothing and have the same header fields", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: 1, maxLength: TOGETHER, size: "max" }), async (drawn) => {
        const isSafe = ({ method }: Sent) => method === "GET" || method === "HEAD";
        for (const sent of drawn.filter((one) => !isSafe(one))) await send(sent);
        const before = await stored();
        for (const sent of drawn.filter(isSafe)) await sendBoth(sent);
        expect((await stored()).text).toBe(before.text);
        if (Object.values(before.ids).flat().length > MOST_RECORDS) await clear(before.ids);
      }),
      { numRuns: Math.ceil((REQUESTS * TIMES * share) / (TOGETHER * 0.57)) },
    );
    expect(seen.stored / seen.sent).toBeGreaterThan(0.3);
  }, 600_000);

  /** Children before their parents. */
  async function clear(ids: Record<string, number[]>): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    for (const { name, key } of [...service.collections].reverse()) {
      const body = JSON.stringify(ids[name]?.map((id) => ({ [key.name]: id })));
      if (ids[name]?.length) expect((await service.raw("POST", `/v1/${name}/deletions`, headers, body)).status).toBe(200);
    }
  }
});

/** The header fields that do not change from request to request, without the capabilities. */
function lasting({ headers, status }: Reply): Record<string, string | undefined> {
  const {
    date,
    "request-id": id,
    ratelimit,
    allow,
    "accept-post": post,
    "accept-patch": patch,
    "transfer-encoding": how,
    ...rest
  } = headers;
  // Metrics count this request too, and 405 names the method that is not possible.
  const isMetrics = rest["content-type"]?.includes("version=0.0.4"); // by its type: the path may be spelled in many ways
  if (isMetrics || status === 405) delete rest["content-length"];
  return status === 405 ? { ...rest, allow } : rest;
}
