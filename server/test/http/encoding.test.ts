// Compression on a real connection: gzip with an exact Content-Length, and HEAD as GET.

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

interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers: { authorization, ...headers } }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part) => parts.push(part));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes: Buffer.concat(parts) }));
    });
    sent.on("error", reject).end();
  });
}

/** Sends GET and HEAD and expects the same header fields, except those that differ from request to request. */
async function requestBoth(path: string, headers: Record<string, string> = {}): Promise<RawReply> {
  const get = await send("GET", path, headers);
  const head = await send("HEAD", path, headers);
  const own = ["date", "request-id", "ratelimit", "allow", "accept-post", "accept-patch", "connection", "keep-alive", "transfer-encoding"];
  const comparable = (from: RawReply) => Object.fromEntries(Object.entries(from.headers).filter(([name]) => !own.includes(name)));
  expect([head.status, head.bytes.length, comparable(head)]).toEqual([get.status, 0, comparable(get)]);
  return get;
}

test.each(["gzip", "br, gzip;q=0.5", "*", "GZIP"])(
  "a list of a kibibyte or more is compressed for a client that accepts %s, with its exact length",
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

test.each(["gzip;q=0", "br", "identity", "*;q=0", "identity;q=0"])(
  "a list is not compressed for a client that accepts %s",
  async (encoding) => {
    const { headers, bytes } = await requestBoth("/v1/customers?limit=100", { "accept-encoding": encoding });
    expect([headers["content-encoding"], Number(headers["content-length"])]).toEqual([undefined, bytes.length]);
  },
);

test("a list is compressed from exactly 1,024 bytes on", async () => {
  const plainLength = async (limit: number) => (await send("GET", `/v1/customers?limit=${limit}`)).bytes.length;
  let limit = 1;
  while ((await plainLength(limit)) < 1_024) limit++;
  expect(
    (await requestBoth(`/v1/customers?limit=${limit - 1}`, { "accept-encoding": "gzip" })).headers["content-encoding"],
  ).toBeUndefined();
  expect((await requestBoth(`/v1/customers?limit=${limit}`, { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe("gzip");
});

test("a single record is never compressed, so that its strong ETag stays right", async () => {
  const { headers, bytes } = await requestBoth("/v1/customers/9999", { "accept-encoding": "gzip" });
  expect(bytes.length).toBeGreaterThan(1_024);
  expect([headers["content-encoding"], headers.etag, Number(headers["content-length"])]).toEqual([undefined, '"9999-1"', bytes.length]);
});

test("an error is never compressed", async () => {
  const path = `/v1/customers?${Array.from({ length: 60 }, (_, i) => `unknown${i}=1`).join("&")}`;
  const { status, headers, bytes } = await requestBoth(path, { "accept-encoding": "gzip" });
  expect(bytes.length).toBeGreaterThan(1_024);
  expect([status, headers["content-encoding"], Number(headers["content-length"])]).toEqual([400, undefined, bytes.length]);
});

test("a CSV export is sent in chunks, complete and not compressed, and HEAD does not read it", async () => {
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

test("a client that disconnects in the middle of an export does not disturb others", async () => {
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
