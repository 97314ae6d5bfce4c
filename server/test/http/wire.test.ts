// HTTP: HEAD, OPTIONS, error statuses, problem documents, CORS, the app's files, broken requests.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let page: string;
beforeAll(async () => {
  page = mkdtempSync(join(tmpdir(), "intake-page-"));
  mkdirSync(join(page, "assets"));
  writeFileSync(join(page, "index.html"), "<!doctype html><title>Intake</title>");
  writeFileSync(join(page, "config.json"), "{}");
  writeFileSync(join(page, "assets", "app-1a2b.js"), "export {};");
  writeFileSync(join(page, "assets", "app-1a2b.js.br"), brotliCompressSync("export {};"));
  service = await openTestService(undefined, { appFolder: page, corsOrigins: ["https://app.example"] });
  await service.call("POST", "/v1/customers", { objectId: 7, firstName: "Zoë", lastName: "Quetzalcoatl", accountID: "1" });
});
afterAll(async () => {
  await service.close();
  rmSync(page, { recursive: true });
});

test.each([
  "/v1/customers",
  "/v1/customers?limit=1&sort=-lastName",
  "/v1/customers/7",
  "/v1/dictionary",
  "/v1/customers/template.csv",
  "/livez",
])("HEAD %s has the header fields of GET and no body", async (path) => {
  const get = await service.call("GET", path);
  const head = await service.call("HEAD", path);
  expect([head.status, head.text]).toEqual([get.status, ""]);
  for (const name of ["content-type", "content-length", "etag", "link", "cache-control"])
    expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  expect(Number(head.headers["content-length"])).toBe(Buffer.byteLength(get.text));
  expect(head.headers.allow).toMatch(/^GET, HEAD/);
});

test("HEAD has Allow and the media types that can be sent", async () => {
  expect((await service.call("HEAD", "/v1/customers")).headers).toMatchObject({
    allow: "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
    "accept-post": "application/json",
  });
  expect((await service.call("HEAD", "/v1/customers/7")).headers).toMatchObject({
    allow: "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
    "accept-patch": "application/json, application/merge-patch+json",
  });
});

test("HEAD with a token for reading has only the methods for reading", async () => {
  const authorization = `Bearer ${await service.tokenFor("read")}`;
  const { headers } = await service.raw("HEAD", "/v1/customers/7", { authorization });
  expect([headers.allow, headers["accept-patch"]]).toEqual(["GET, HEAD, OPTIONS", undefined]);
});

test("HEAD answered by 404 or 304 has no body either", async () => {
  expect(await service.call("HEAD", "/v1/customers/8")).toMatchObject({ status: 404, text: "" });
  expect(await service.call("HEAD", "/v1/customers/7", undefined, { "if-none-match": '"7-1"' })).toMatchObject({ status: 304, text: "" });
});

test("OPTIONS answers 204 with Allow", async () => {
  const reply = await service.raw("OPTIONS", "/v1/customers/7");
  expect([reply.status, reply.text, reply.headers.allow]).toEqual([204, "", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"]);
});

test.each([
  ["PUT", "/v1/customers", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"],
  ["POST", "/v1/customers/7", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
  ["PROPFIND", "/v1/customers/7", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
  ["TRACE", "/v1/customers", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"],
  ["POST", "/v1/dictionary", "GET, HEAD, OPTIONS"],
  ["GET", "/v1/oauth/token", "POST, OPTIONS"],
  ["POST", "/livez", "GET, HEAD, OPTIONS"],
])("method and path %s %s are a 405 with Allow", async (method, path, allow) => {
  const reply = await service.call(method, path, method === "TRACE" ? undefined : {});
  expect([reply.status, reply.headers.allow]).toEqual([405, allow]);
});

test("a problem document has the form of RFC 9457, and never repeats a value", async () => {
  const reply = await service.call("POST", "/v1/customers?q=Quetzalcoatl", { objectId: 1 });
  expect(reply.headers["content-type"]).toBe("application/problem+json");
  expect(reply.json).toMatchObject({
    type: "/problems/BAD_PARAMETER",
    title: "A parameter cannot be used",
    status: 400,
    instance: "/v1/customers",
    requestId: reply.headers["request-id"],
  });
  expect(reply.text).not.toContain("Quetzalcoatl");
});

test.each(["/v1/nowhere", "/v1/customers/7/more", "/v1/Customers", "/v1/customers/", "/v1/activity/runs/"])(
  "the address %s is a 404 problem",
  async (path) => {
    const reply = await service.call("GET", path, undefined, { accept: "application/json, text/html" });
    expect([reply.status, reply.headers["content-type"]]).toEqual([404, "application/problem+json"]);
  },
);

test.each(["GET", "HEAD", "PUT", "POST", "OPTIONS"])("a %s of a record without an id is a 404", async (method) => {
  const body = method === "PUT" || method === "POST" ? { lastName: "A", accountID: "1" } : undefined;
  expect((await service.call(method, "/v1/customers/", body)).status).toBe(404);
});

test.each([
  ["text/html", 406],
  ["text/*, image/png", 406],
  ["application/json;q=0, */*", 406],
  ["application/*;q=0.1", 200],
  ["text/html, */*;q=0.1", 200],
  ["Application/JSON", 200],
])("a request with Accept: %s is answered %i", async (accept, status) => {
  expect((await service.call("GET", "/v1/customers/7", undefined, { accept })).status).toBe(status);
});

test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "nonsense", ""])(
  "the media type %j is refused",
  async (type) => {
    const reply = await service.call("POST", "/v1/customers", "{}", { "content-type": type });
    expect([reply.status, reply.json.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  },
);

test.each(["/v1/customers", "/v1/customers/7/restore"])("a POST to %s without a body is told that it needs one", async (path) => {
  const reply = await service.raw("POST", path, { authorization: `Bearer ${await service.tokenFor("admin")}` });
  expect([reply.status, reply.json.detail]).toEqual([415, "A body is needed here. Send it as application/json."]);
  expect(reply.headers["accept-post"]).toBe("application/json");
});

test("application/json with a charset is accepted, a body compressed by anything but gzip is not", async () => {
  const body = { lastName: "A", accountID: "1" };
  expect((await service.call("POST", "/v1/customers", body, { "content-type": "application/json; charset=utf-8" })).status).toBe(201);
  expect((await service.call("POST", "/v1/customers", body, { "content-encoding": "br" })).status).toBe(415);
});

test("a body over the limit is a 413: 64 KiB for one record, 8 MiB for many", async () => {
  const text = (bytes: number) => JSON.stringify({ lastName: "x".repeat(bytes) });
  expect((await service.call("PUT", "/v1/customers/7", text(65_000))).status).toBe(422);
  expect((await service.call("PUT", "/v1/customers/7", text(66_000))).json.code).toBe("TOO_LARGE");
  expect((await service.call("POST", "/v1/customers", text(8 * 1024 * 1024))).json.code).toBe("TOO_LARGE");
});

test("an address over 4 KiB is a 414 problem", async () => {
  expect((await service.call("GET", `/v1/customers?q=${"x".repeat(4_096)}`)).json.code).toBe("URI_TOO_LONG");
});

test("an address that cannot be decoded is a 400 problem", async () => {
  expect((await service.call("GET", "/v1/customers/%ff")).json.code).toBe("BAD_REQUEST");
});

const ANSWERS: [what: string, method: string, path: string, headers?: Record<string, string>][] = [
  ["text", "GET", "/livez"],
  ["a missing address", "GET", "/nothing"],
  ["no token", "POST", "/v1/customers"],
  ["an address that cannot be decoded", "GET", "/v1/%zz"],
  ["the page", "GET", "/"],
  ["a page of the app", "GET", "/customers/7", { accept: "text/html" }],
  ["a script", "GET", "/assets/app-1a2b.js"],
  ["a missing script", "GET", "/assets/gone.js"],
  ["another method", "PUT", "/v1/customers"],
  ["OPTIONS", "OPTIONS", "/v1/customers/7"],
  ["the documentation", "GET", "/docs"],
  ["JSON", "GET", "/v1/customers/7"],
  ["HEAD", "HEAD", "/v1/customers/7"],
  ["304", "GET", "/v1/customers/7", { "if-none-match": '"7-1"' }],
  ["CSV", "GET", "/v1/customers", { accept: "text/csv" }],
  ["the wrong media type", "GET", "/v1/customers", { accept: "image/png" }],
];

test.each(ANSWERS)("%s has security headers and a request id", async (_, method, path, headers = {}) => {
  const reply = await service.call(method, path, undefined, headers);
  expect(reply.headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
    "content-security-policy": expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
    "request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(reply.headers["strict-transport-security"]).toBeUndefined();
});

test("304 to a page has the policy of the page, because the browser takes it over", async () => {
  const first = await service.raw("GET", "/");
  const again = await service.raw("GET", "/", { "if-none-match": first.headers.etag ?? "" });
  expect([again.status, again.headers["content-security-policy"]]).toEqual([304, first.headers["content-security-policy"]]);
});

test("a request that came by HTTPS, as a trusted proxy says, gets Strict-Transport-Security", async () => {
  const proxied = await openTestService(undefined, { appFolder: page, trustedProxies: ["127.0.0.1"] });
  try {
    for (const [, method, path, headers = {}] of ANSWERS) {
      if (path === "/v1/%zz") continue; // Fastify does not know the proxy of a request that it cannot route
      const hsts = async (protocol: string) => {
        const reply = await proxied.call(method, path, undefined, { ...headers, "x-forwarded-proto": protocol });
        return reply.headers["strict-transport-security"];
      };
      expect([path, await hsts("https"), await hsts("http")]).toEqual([path, "max-age=31536000", undefined]);
    }
  } finally {
    await proxied.close();
  }
  const reply = await service.raw("GET", "/livez", { "x-forwarded-proto": "https" }); // from nobody who is trusted
  expect(reply.headers["strict-transport-security"]).toBeUndefined();
});

test("Vary names all that an answer depends on, also where origins are allowed", async () => {
  const vary = async (path: string, accept: string) => {
    const { headers } = await service.call("GET", path, undefined, { accept, origin: "https://app.example" });
    return (headers.vary ?? "").toLowerCase().split(", ").sort();
  };
  expect(await vary("/v1/customers", "application/json")).toEqual(["accept", "accept-encoding", "origin"]);
  expect(await vary("/v1/customers", "text/csv")).toEqual(["accept", "origin"]);
  expect(await vary("/v1/customers/7", "application/json")).toEqual(["origin"]);
  expect(await vary("/customers", "text/html")).toEqual(["accept", "accept-encoding", "origin"]);
  expect(await vary("/customers", "application/json")).toEqual(["accept", "accept-language", "origin"]);
});

test("a page of an allowed origin can read answers, also errors; another page cannot", async () => {
  const request = (origin: string, path = "/v1/customers") => service.call("GET", path, undefined, { origin });
  for (const path of ["/v1/customers", "/v1/customers/999"]) {
    const { headers } = await request("https://app.example", path);
    expect(headers["access-control-allow-origin"]).toBe("https://app.example");
    expect(headers["access-control-expose-headers"]).toContain("ETag, Location, Link");
    expect(headers["access-control-expose-headers"]).toContain("Date"); // an upload compares the service's clock with its own
  }
  expect((await request("https://evil.example")).headers["access-control-allow-origin"]).toBeUndefined();
  const preflight = {
    origin: "https://app.example",
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization,if-match",
  };
  const reply = await service.raw("OPTIONS", "/v1/customers/7", preflight);
  expect([reply.status, reply.headers["access-control-max-age"]]).toEqual([204, "7200"]);
  expect(reply.headers["access-control-allow-methods"]).toContain("PATCH");
  expect(reply.headers["access-control-allow-headers"]).toContain("if-match");
});

test("the app's page is served at / and for every screen, its files with the right caching", async () => {
  const html = { accept: "text/html,*/*;q=0.8" };
  for (const path of ["/", "/customers", "/customers/7/edit"]) {
    const reply = await service.raw("GET", path, html);
    expect([path, reply.status, reply.headers["cache-control"]]).toEqual([path, 200, "no-cache"]);
    expect(reply.headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
  }
  expect((await service.raw("GET", "/assets/app-1a2b.js")).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect((await service.raw("GET", "/config.json")).headers["cache-control"]).toBe("no-cache");
  const packed = await service.app.inject({ url: "/assets/app-1a2b.js", headers: { "accept-encoding": "gzip, br" } });
  expect(packed.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": expect.stringContaining("javascript"),
    vary: expect.stringMatching(/accept-encoding/i),
  });
  expect(String(brotliDecompressSync(packed.rawPayload))).toBe("export {};");
  for (const path of ["/assets/app-1a2b.js.br", "/assets/gone.js", "/gone.png", "/assets/", "/assets/x", "/..%2fpackage.json"]) {
    expect([path, (await service.raw("GET", path, html)).status]).toEqual([path, 404]);
  }
  expect((await service.raw("GET", "/customers", { accept: "application/json" })).status).toBe(404);
});

test.each([undefined, "gzip", "br", "deflate, gzip", "gzip, deflate, br, zstd", "identity", "*"])(
  "a program that accepts anything gets the app's pages, with Accept-Encoding: %s",
  async (coding) => {
    const own = { accept: "*/*", ...(coding && { "accept-encoding": coding }) };
    for (const path of ["/", "/customers", "/customers/7?tab=history"]) {
      for (const method of ["GET", "HEAD"] as const) {
        const reply = await service.app.inject({ method, url: path, headers: own });
        expect([path, method, reply.statusCode, reply.headers["content-type"]]).toEqual([path, method, 200, "text/html; charset=utf-8"]);
      }
    }
    const missing = await service.app.inject({ url: "/assets/gone.js", headers: own });
    expect(missing.statusCode).toBe(404);
  },
);

test("malformed HTTP and a header that is too long get problem documents", async () => {
  await service.app.listen({ port: 0 });
  const { port } = service.app.server.address() as { port: number };
  const sendRaw = (text: string) =>
    new Promise<string>((resolve) => {
      let received = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      socket.on("data", (data) => {
        received += data;
      });
      socket.on("close", () => resolve(received));
    });
  for (const [text, status] of [
    ["nonsense\r\n\r\n", 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const answer = await sendRaw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain("application/problem+json");
    expect(answer).toMatch(/content-security-policy: default-src 'none'.*\r\n/i);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").status).toBe(status);
  }
});
