// How answers travel, heard on a real connection: gzip with its exact length where it is worth it, plain where it is not, HEAD as GET.

import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let port: number;
let authorization: string;
beforeAll(async () => {
  service = await openTestService();
  authorization = `Bearer ${await service.tokenFor("read")}`;
  await service.app.listen({ port: 0 });
  port = (service.app.server.address() as { port: number }).port;
  const people = Array.from({ length: 1_500 }, (_, i) => ({ objectId: i + 1, lastName: `Ångström ${i}`, accountID: String(i) }));
  await service.call("POST", "/v1/customers", [
    ...people,
    { objectId: 9_999, firstName: "ß".repeat(200), lastName: "王".repeat(200), accountID: "x".repeat(64) },
  ]);
});
afterAll(() => service.close());

interface Heard {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers: { authorization, ...headers } }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part) => parts.push(part));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes: Buffer.concat(parts) }));
    });
    sent.on("error", reject).end();
  });
}

/** GET and HEAD, held against each other: the same header fields, but for what differs from one request to the next. */
async function requestBoth(path: string, headers: Record<string, string> = {}): Promise<Heard> {
  const get = await send("GET", path, headers);
  const head = await send("HEAD", path, headers);
  const own = ["date", "request-id", "ratelimit", "allow", "accept-post", "accept-patch", "connection", "keep-alive", "transfer-encoding"];
  const kept = (from: Heard) => Object.fromEntries(Object.entries(from.headers).filter(([name]) => !own.includes(name)));
  expect([head.status, head.bytes.length, kept(head)]).toEqual([get.status, 0, kept(get)]);
  return get;
}

test.each(["gzip", "br, gzip;q=0.5", "*", "GZIP"])(
  "a list of a kibibyte or more goes out as gzip to who takes %s, its length exact",
  async (encoding) => {
    const plain = await requestBoth("/v1/customers?limit=100");
    const { headers, bytes } = await requestBoth("/v1/customers?limit=100", { "accept-encoding": encoding });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(Number(plain.headers["content-length"])).toBe(plain.bytes.length);
    expect([headers["content-encoding"], Number(headers["content-length"])]).toEqual(["gzip", bytes.length]);
    expect(bytes.length).toBeLessThan(plain.bytes.length);
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
    expect([headers.vary, headers.link]).toEqual([plain.headers.vary, plain.headers.link]);
  },
);

test.each(["gzip;q=0", "br", "identity", "*;q=0", "identity;q=0"])("to who asks for %s it goes out plain", async (encoding) => {
  const { headers, bytes } = await requestBoth("/v1/customers?limit=100", { "accept-encoding": encoding });
  expect([headers["content-encoding"], Number(headers["content-length"])]).toEqual([undefined, bytes.length]);
});

test("the kibibyte is counted in bytes, to the byte", async () => {
  const plainLength = async (limit: number) => (await send("GET", `/v1/customers?limit=${limit}`)).bytes.length;
  let limit = 1;
  while ((await plainLength(limit)) < 1_024) limit++;
  expect(
    (await requestBoth(`/v1/customers?limit=${limit - 1}`, { "accept-encoding": "gzip" })).headers["content-encoding"],
  ).toBeUndefined();
  expect((await requestBoth(`/v1/customers?limit=${limit}`, { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe("gzip");
});

test("a single record never, however long it is, so that its strong ETag holds", async () => {
  const { headers, bytes } = await requestBoth("/v1/customers/9999", { "accept-encoding": "gzip" });
  expect(bytes.length).toBeGreaterThan(1_024);
  expect([headers["content-encoding"], headers.etag, Number(headers["content-length"])]).toEqual([undefined, '"9999-1"', bytes.length]);
});

test("refusals go out plain", async () => {
  const path = `/v1/customers?${Array.from({ length: 60 }, (_, i) => `unknown${i}=1`).join("&")}`;
  const { status, headers, bytes } = await requestBoth(path, { "accept-encoding": "gzip" });
  expect(bytes.length).toBeGreaterThan(1_024);
  expect([status, headers["content-encoding"], Number(headers["content-length"])]).toEqual([400, undefined, bytes.length]);
});

test("CSV goes out as a stream: in chunks, plain, whole, and HEAD of it without reading it", async () => {
  const { headers, bytes } = await requestBoth("/v1/customers", { accept: "text/csv", "accept-encoding": "gzip" });
  expect([headers["content-length"], headers["transfer-encoding"], headers["content-encoding"], headers.etag]).toEqual([
    undefined,
    "chunked",
    undefined,
    undefined,
  ]);
  expect(headers.vary).toBe("Accept");
  expect(bytes.toString().trim().split("\r\n")).toHaveLength(1 + 1_501);
});

test("a client that leaves in the middle of a stream costs nobody else anything", async () => {
  await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        new Promise<void>((resolve) => {
          const sent = request({ port, path: "/v1/customers", headers: { authorization, accept: "text/csv" } }, (reply) => {
            reply.once("data", () => sent.destroy());
          });
          sent
            .on("error", () => undefined)
            .on("close", () => resolve())
            .end();
        }),
    ),
  );
  expect((await send("GET", "/v1/customers?limit=1")).status).toBe(200);
});
