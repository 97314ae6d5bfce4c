// Twenty thousand requests drawn from the OpenAPI document, half of them broken: each is answered, as documented, never by a fault.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createKeys } from "../../auth/api-keys.ts";
import { breakSome, type Sent } from "../../testing/broken-requests.ts";
import { CURSOR, drawRequests } from "../../testing/request-generator.ts";
import { DICTIONARY, EMPLOYEES, openTestService, type Reply, type TestService } from "../../testing/service.ts";

const TIMES = process.env.DEEP ? 10 : 1;
const REQUESTS = inject("postgres") ? 2_500 : 7_500; // for each dictionary; HEADs beside GETs count
const TOGETHER = 40; // requests drawn at once, at most
const MOST_RECORDS = 60;

describe.each([
  ["customers", DICTIONARY],
  ["employees", EMPLOYEES],
])("%s", (name, dictionary) => {
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
    requests = breakSome(drawRequests(service.checker.document, [...Array(8).fill(token), write, read], [keyId, "nobody"]));
    for (const verb of ["read", "list", "write"] as const) {
      const own = service.store[verb].bind(service.store) as (...given: unknown[]) => never;
      vi.spyOn(service.store, verb).mockImplementation((...given: unknown[]) => {
        touches.count++;
        return own(...given);
      });
    }
  });
  afterAll(() => service.close());

  /** What stands in the store, as the service tells it. */
  async function stored(): Promise<{ text: string; ids: number[] }> {
    const headers = { authorization: `Bearer ${token}` };
    const records = await service.raw("GET", `/v1/${name}?limit=1000`, headers);
    const keys = await service.raw("GET", "/v1/keys", headers);
    const key = service.collections[0]?.key.name ?? "";
    return { text: records.text + keys.text, ids: records.json[name].map((record: Record<string, number>) => record[key]) };
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

  /** GET and HEAD with the same fields; what a HEAD says more is what may be done. */
  async function sendBoth(sent: Sent): Promise<void> {
    const held = cursor;
    const get = await send({ ...sent, method: "GET" });
    cursor = held;
    const head = await send({ ...sent, method: "HEAD" });
    expect([head.status, head.text]).toEqual([get.status, ""]);
    expect(lasting(head, sent.path)).toEqual(lasting(get, sent.path));
  }

  test("each is answered as documented; GET and HEAD change nothing and say the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: 1, maxLength: TOGETHER, size: "max" }), async (drawn) => {
        const isSafe = ({ method }: Sent) => method === "GET" || method === "HEAD";
        for (const sent of drawn.filter((one) => !isSafe(one))) await send(sent);
        const before = await stored();
        for (const sent of drawn.filter(isSafe)) await sendBoth(sent);
        expect((await stored()).text).toBe(before.text);
        if (before.ids.length > MOST_RECORDS) await clear(before.ids);
      }),
      { numRuns: Math.ceil((REQUESTS * TIMES) / (TOGETHER * 0.57)) },
    );
    expect(seen.stored / seen.sent).toBeGreaterThan(0.3);
  }, 600_000);

  async function clear(ids: number[]): Promise<void> {
    const key = service.collections[0]?.key.name ?? "";
    const body = JSON.stringify(ids.map((id) => ({ [key]: id })));
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    expect((await service.raw("POST", `/v1/${name}/deletions`, headers, body)).status).toBe(200);
  }
});

/** The header fields that do not change from one request to the next, nor tell what may be done. */
function lasting({ headers, status }: Reply, path: string): Record<string, string | undefined> {
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
  // The counts count this very request, and 405 names the method that is not possible.
  if (path.startsWith("/metrics") || status === 405) delete rest["content-length"];
  return status === 405 ? { ...rest, allow } : rest;
}
