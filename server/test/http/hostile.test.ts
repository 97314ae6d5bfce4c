// Attacks as raw bytes on a socket: request smuggling, header injection, oversized and malformed requests.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw as sendRawTo } from "../../testing/raw-socket.ts";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let port: number;
let signed: string;
beforeAll(async () => {
  service = await openTestService(undefined, { limits: { ...NO_RATE_LIMIT, headerSeconds: 3, requestSeconds: 3 } });
  await service.app.listen({ port: 0 });
  port = (service.app.server.address() as { port: number }).port;
  signed = `Host: intake\r\nAuthorization: Bearer ${await service.tokenFor("admin")}\r\n`;
  await service.call("PUT", "/v1/customers/7", { lastName: "Ek", accountID: "1" });
});
afterAll(() => service.close());

const sendRaw = (request: string | Buffer) => sendRawTo(port, request);

const BODY = '{"lastName":"Smuggled","accountID":"s"}';
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const post = (headers: string, body: string, path = "/v1/customers") =>
  `POST ${path} HTTP/1.1\r\n${signed}Content-Type: application/json\r\n${headers}\r\n${body}`;
const get = (path: string, headers = signed) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const hidden = () => `DELETE /v1/customers/7 HTTP/1.1\r\n${signed}\r\n`;

describe("request smuggling", () => {
  test.each<[string, () => string]>([
    ["a length and chunks", () => post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${hidden()}`)],
    ["chunks and a length", () => post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${hidden()}`)],
    ["two lengths", () => post(`Content-Length: 0\r\nContent-Length: ${hidden().length}\r\n`, hidden())],
    ["one length twice", () => post(`Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length}\r\n`, BODY)],
    ["a list of lengths", () => post("Content-Length: 5, 5\r\n", "12345")],
    ["a length with a sign", () => post("Content-Length: +0\r\n", hidden())],
    ["a length below nothing", () => post("Content-Length: -1\r\n", hidden())],
    ["a length in hexadecimal", () => post("Content-Length: 0x0\r\n", hidden())],
    ["a coding that is none", () => post("Transfer-Encoding: xchunked\r\n", `0\r\n\r\n${hidden()}`)],
    ["chunks that are not last", () => post("Transfer-Encoding: chunked, identity\r\n", `0\r\n\r\n${hidden()}`)],
    ["chunks twice", () => post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", CHUNKED)],
    ["a coding before the chunks", () => post("Transfer-Encoding: gzip, chunked\r\n", CHUNKED)],
    ["identity", () => post("Transfer-Encoding: identity\r\n", hidden())],
    ["a space before the colon", () => post("Transfer-Encoding : chunked\r\n", CHUNKED)],
    ["a tab in the name", () => post("Transfer-\tEncoding: chunked\r\n", CHUNKED)],
    ["a folded header", () => post("X: a\r\n Transfer-Encoding: chunked\r\n", CHUNKED)],
    ["a chunk without a size", () => post("Transfer-Encoding: chunked\r\n", `zz\r\n${BODY}\r\n0\r\n\r\n`)],
    ["a chunk longer than it says", () => post("Transfer-Encoding: chunked\r\n", `2\r\n${BODY}\r\n0\r\n\r\n`)],
    ["chunks with bare line feeds", () => post("Transfer-Encoding: chunked\r\n", CHUNKED.replaceAll("\r\n", "\n"))],
    ["bare line feeds", () => get("/v1/customers").replaceAll("\r\n", "\n")],
    ["a bare carriage return", () => get("/livez", "Host: intake\r\nX: a\rTransfer-Encoding: chunked\r\n")],
    ["a NUL", () => get("/livez", "Host: intake\r\nX: a\0b\r\n")],
  ])("a request with %s is refused, and nothing after it is done", async (_, request) => {
    const count = async () => (await service.call("GET", "/v1/customers?count=exact&limit=1")).json.total;
    const before = await count();
    const reply = await sendRaw(request());
    expect([reply.status, reply.json.status, reply.json.code]).toEqual([400, 400, "BAD_REQUEST"]);
    expect(await count()).toBe(before);
    expect((await service.call("GET", "/v1/customers/7")).status).toBe(200);
  });

  test("a valid chunked body is accepted, and what follows it is the next request", async () => {
    const reply = await sendRaw(post("Transfer-Encoding: chunked\r\n", CHUNKED, "/v1/customers?dryRun=true"));
    expect([reply.status, reply.responses]).toEqual([201, 2]);
  });

  test("a trailer field after the chunks does not count as a header field", async () => {
    const trailing = `${CHUNKED.slice(0, -2)}Idempotency-Key: \u00a7\r\nOnly: trailer\r\n\r\n`;
    expect((await sendRaw(post("Transfer-Encoding: chunked\r\n", trailing, "/v1/customers?dryRun=true"))).status).toBe(201);
  });
});

describe("the Host header", () => {
  test.each(["", "Host: a\r\nHost: b\r\n", "Host: a\r\nhost: a\r\n"])("the header %j is refused", async (hosts) => {
    const reply = await sendRaw(get("/livez", hosts));
    expect([reply.status, reply.json.code]).toEqual([400, "BAD_REQUEST"]);
  });

  test.each([
    ["evil.example", "/v1/customers?limit=1"],
    ["evil.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example;proto=ftp", "/v1/customers?limit=1"],
    ["intake", "http://evil.example/v1/customers?limit=1"],
    ["intake", "//evil.example/v1/customers?limit=1"],
  ])("the host %j with the address %s does not appear in links", async (host, address) => {
    await service.call("PUT", "/v1/customers/8", { lastName: "Ek", accountID: "1" });
    const { head, status } = await sendRaw(get(address, signed.replace("Host: intake", `Host: ${host}`)));
    expect(status).toBe(address.startsWith("//") ? 404 : 200);
    expect(head).not.toContain("evil");
    if (status === 200)
      expect(head).toMatch(/link: <\/v1\/customers\?limit=1&cursor=[\w-]+>; rel="next", <\/v1\/customers\?limit=1>; rel="first"/);
    const made = await sendRaw(post(`X-Forwarded-Host: evil.example\r\nContent-Length: ${BODY.length}\r\n`, BODY, "/v1/customers"));
    expect(made.head).toMatch(/\r\nlocation: \/v1\/customers\/\d+\r\n/);
  });
});

describe("header injection", () => {
  const EVIL = "%0d%0aX-Evil:%20yes%0d%0a%0d%0a<script>";
  test.each([
    `/v1/customers?limit=1&q=${EVIL}`,
    `/v1/customers?lastName=${EVIL}`,
    `/v1/customers?cursor=${EVIL}`,
    `/v1/customers?${EVIL}=1`,
    `/v1/customers/7${EVIL}`,
    `/v1/keys/${EVIL}`,
    `/${EVIL}`,
  ])("the address %s adds no header field to the answer", async (path) => {
    const { head, responses } = await sendRaw(get(path));
    expect(head).not.toMatch(/^x-evil/im);
    expect(responses).toBe(2);
  });

  test.each([
    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\rX-Evil: yes\r\n",
    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 X-Evil\r\n",
    "Request-Id: X-Evil\r\nX-Request-Id: X-Evil\r\n",
    "Origin: https://evil.example/X-Evil\r\n",
  ])("the header %j is not sent back", async (header) => {
    expect((await sendRaw(get("/v1/customers?limit=1", signed + header))).head).not.toMatch(/X-Evil/i);
  });

  test("an idempotency key with a line break in it is refused", async () => {
    for (const key of ["a\u00a0b", "a\tb", "a b"]) {
      const reply = await sendRaw(post(`Idempotency-Key: ${key}\r\nContent-Length: ${BODY.length}\r\n`, BODY));
      expect([reply.status, reply.json.code]).toEqual([400, "BAD_HEADER"]);
    }
  });
});

describe("a request that is too large, or not what it declares", () => {
  test.each<[string, number, () => string | Buffer]>([
    ["an address over its limit", 414, () => get(`/v1/customers?q=${"x".repeat(5_000)}`)],
    ["an address over the header's limit", 431, () => get(`/v1/customers?q=${"x".repeat(20_000)}`)],
    ["one header over the limit", 431, () => get("/livez", `Host: intake\r\nX: ${"y".repeat(20_000)}\r\n`)],
    ["many headers over the limit", 431, () => get("/livez", `Host: intake\r\n${"X: y\r\n".repeat(9_000)}`)],
    ["a body declared as too long", 413, () => post("Content-Length: 9999999999\r\n", "")],
    ["an address that is not UTF-8", 400, () => get("/v1/customers?q=%ff")],
    ["an address cut in a character", 400, () => get("/v1/customers?q=%e2%82")],
    ["an address with half a %", 400, () => get("/v1/customers?q=%2")],
    ["a path that is not UTF-8", 400, () => get("/v1/customers/%ff")],
    ["an address in raw bytes", 400, () => Buffer.from(get("/v1/customers?q=\u00ff"), "latin1")],
    ["another expectation", 417, () => post(`Expect: miracles\r\nContent-Length: ${BODY.length}\r\n`, BODY)],
    ["another protocol", 400, () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a method in small letters", 400, () => "get /livez HTTP/1.1\r\nHost: intake\r\n\r\n"],
    ["two tokens", 401, () => get("/v1/customers", `${signed}${signed.split("\r\n")[1]}\r\n`)],
    ["two types", 415, () => post(`Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n`, BODY)],
  ])("%s gets the problem document %i", async (_, status, request) => {
    const reply = await sendRaw(request());
    expect([reply.status, reply.json.status]).toEqual([status, status]);
    expect(reply.head).toMatch(/content-type: application\/problem\+json/);
    expect(reply.head).toMatch(/request-id: [0-9a-f-]{36}/i);
  });

  test("an endless chunked body is refused at the limit", async () => {
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    expect((await sendRaw(post("Transfer-Encoding: chunked\r\n", chunk.repeat(200)))).status).toBe(413);
  });

  test("If-Match is obeyed after two thousand other headers", async () => {
    const body = '{"lastName":"Late"}';
    const many = "a:\r\n".repeat(2_100);
    const headers = `${signed}${many}If-Match: "7-999"\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    expect((await sendRaw(`PATCH /v1/customers/7 HTTP/1.1\r\n${headers}\r\n${body}`)).status).toBe(412);
  });
});

describe("prototype pollution and malformed JSON", () => {
  test.each([
    '{"__proto__":{"isAdmin":true},"lastName":"A","accountID":"1"}',
    '{"constructor":{"prototype":{"isAdmin":true}},"lastName":"A","accountID":"1"}',
  ])("the body %s has an unknown field", async (body) => {
    for (const text of [body, `[${body}]`, `{"customers":[${body}]}`, `{"customer":${body}}`]) {
      const reply = await service.call("POST", "/v1/customers", text);
      expect([reply.status, reply.json.errors[0].code]).toEqual([422, "UNKNOWN_FIELD"]);
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test.each(["__proto__", "constructor", "__proto__[prefix]", "toString", "hasOwnProperty"])(
    "the parameter %s is unknown",
    async (name) => {
      const reply = await service.call("GET", `/v1/customers?${name}=1`);
      expect([reply.status, reply.json.errors[0].parameter]).toEqual([400, name]);
    },
  );

  test.each([
    ["as deep as it is long", "[".repeat(4_000_000) + "]".repeat(4_000_000)],
    ["deep in objects", `${'{"a":'.repeat(500_000)}1${"}".repeat(500_000)}`],
    ["deep and never closed", "[".repeat(8_000_000)],
    ["a key twice, written otherwise", '{"lastName":"A","last\\u004eame":"B","accountID":"1"}'],
    ["a key twice, far inside", '{"customers":[{"lastName":"A","accountID":"1","accountID":"2"}]}'],
    ["a number without end", `[${"9".repeat(1_000_000)}`],
    ["two values", "{} {}"],
    ["text that never ends", `{"lastName":"${"\\\\".repeat(100_000)}\\"`],
  ])("the body with %s cannot be read", async (_, body) => {
    const reply = await service.call("POST", "/v1/customers", body);
    expect([reply.status, reply.json.code]).toEqual([400, "MALFORMED_JSON"]);
  });

  test.each([[[0xff, 0xfe]], [[0xc0, 0xaf]], [[0xed, 0xa0, 0x80]], [[0xf4, 0x90, 0x80, 0x80]]])(
    "the bytes %j are not UTF-8",
    async (bytes) => {
      const payload = Buffer.concat([Buffer.from('{"lastName":"'), Buffer.from(bytes), Buffer.from('","accountID":"1"}')]);
      const headers = { authorization: `Bearer ${await service.tokenFor("write")}`, "content-type": "application/json" };
      expect((await service.raw("POST", "/v1/customers", headers, payload)).json.code).toBe("MALFORMED_JSON");
    },
  );
});
