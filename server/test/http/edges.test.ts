// The edges of HTTP, as bytes on a socket: what RFC 9110 and 9112 ask of a server and clients rarely send.

import type { Socket } from "node:net";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw as sendRawTo } from "../../testing/raw-socket.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let port: number;
let signed: string;
beforeAll(async () => {
  service = await openTestService(undefined, { corsOrigins: ["https://app.example"] });
  await service.app.listen({ port: 0 });
  port = (service.app.server.address() as { port: number }).port;
  signed = `Host: intake\r\nAuthorization: Bearer ${await service.tokenFor("admin")}\r\n`;
  await service.call("PUT", "/v1/customers/7", { lastName: "Ek", accountID: "1" });
});
afterAll(() => service.close());

const sendRaw = (request: string | Buffer, last?: string) => sendRawTo(port, request, last);
const request = (line: string, headers = "", body = "") => `${line} HTTP/1.1\r\n${signed}${headers}\r\n${body}`;
const BODY = '{"lastName":"Ek","accountID":"1"}';
const JSON_BODY = `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n`;

describe("coding and framing", () => {
  test.each([
    ["", false],
    ["Accept-Encoding:\r\n", false],
    ["Accept-Encoding: \t\r\n", false],
    ["Accept-Encoding: identity\r\n", false],
    ["Accept-Encoding: gzip;q=0\r\n", false],
    ["Accept-Encoding: *\r\n", true],
    ["Accept-Encoding: br, gzip;q=0.1\r\n", true],
  ])("with %j the answer is compressed: %s", async (header, isZipped) => {
    const { head } = await sendRaw(request("HEAD /v1/openapi.json", header));
    expect(/^content-encoding: gzip\r?$/im.test(head)).toBe(isZipped);
  });

  test.each(["gzip, chunked", "foo", "chunked, foo"])("the transfer coding %j is a 400, and the connection ends", async (coding) => {
    const reply = await sendRaw(
      request("POST /v1/customers", `Content-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n`, "0\r\n\r\n"),
    );
    expect([reply.status, reply.json.code, reply.text.includes("200 OK")]).toEqual([400, "BAD_REQUEST", false]);
    expect(reply.head).toMatch(/^connection: close\r?$/im);
  });

  test.each(["a b", "a/b", "a<b>", 'a"b', "a@b", "a,b", "a#b", "a?b", "[::1", "a:port", "\u00fc.example"])(
    "the host %j is a 400",
    async (host) => {
      const reply = await sendRaw(`GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect([reply.status, reply.json.code]).toEqual([400, "BAD_REQUEST"]);
    },
  );

  test.each(["a", "a.example:8080", "[::1]:8080", "xn--tst-qla.example", "127.0.0.1", "a_b", "a:", ""])(
    "the host %j is taken",
    async (host) => {
      expect((await sendRaw(`GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status).toBe(200);
    },
  );
});

describe("Expect: 100-continue", () => {
  const post = (headers: string, token = signed) =>
    `POST /v1/customers?dryRun=true HTTP/1.1\r\n${token}Expect: 100-continue\r\n${headers}\r\n`;

  test.each([
    ["no token", 401, () => post(JSON_BODY, "Host: intake\r\n")],
    ["a body that is too long", 413, () => post("Content-Type: application/json\r\nContent-Length: 9999999999\r\n")],
    ["another media type", 415, () => post(JSON_BODY.replace("json", "xml"))],
    ["another expectation", 417, () => post(JSON_BODY).replace("100-continue", "miracles")],
    ["another method", 405, () => post(JSON_BODY).replace("POST", "PUT")],
  ])("with %s the client is told before it sends the body, and the connection ends (%i)", async (_, status, bytes) => {
    const reply = await sendRaw(bytes(), "");
    expect([reply.status, reply.text.includes("100 Continue")]).toEqual([status, false]);
    expect(reply.head).toMatch(/^connection: close\r?$/im);
  });

  test("a request that may be sent is asked for its body", async () => {
    const reply = await sendRaw(post(JSON_BODY) + BODY);
    expect(reply.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
  });

  test("a client of HTTP/1.0 gets no interim answer", async () => {
    const reply = await sendRaw(post(JSON_BODY).replace("HTTP/1.1", "HTTP/1.0") + BODY, "");
    expect(reply.text).toMatch(/^HTTP\/1\.1 201 /);
  });
});

test("whoever goes on sending a body that was refused is cut off within a megabyte", async () => {
  const accepted = new Promise<Socket>((resolve) => service.app.server.once("connection", resolve));
  const piece = Buffer.alloc(65_536, 32);
  const sent = connect(port, "127.0.0.1", () =>
    sent.write("POST /v1/customers HTTP/1.1\r\nHost: intake\r\nContent-Length: 900000000\r\n\r\n"),
  );
  const send = () => {
    while (!sent.destroyed && sent.write(piece));
  };
  sent.on("error", () => undefined);
  sent.on("drain", send);
  sent.on("connect", send);
  let reply = "";
  sent.on("data", (data) => {
    reply += data;
  });
  const socket = await accepted;
  await new Promise((resolve) => socket.once("close", resolve));
  expect(reply).toMatch(/^HTTP\/1\.1 401 /);
  expect(socket.bytesRead).toBeLessThan(1_048_576);
  sent.destroy();
});

describe("methods", () => {
  test("QUERY is a method that no address has, with and without a body", async () => {
    for (const bytes of [request("QUERY /v1/customers"), request("QUERY /v1/customers", JSON_BODY, BODY)]) {
      const reply = await sendRaw(bytes);
      expect([reply.status, /^allow: (.*?)\r?$/im.exec(reply.head)?.[1]]).toEqual([405, "GET, HEAD, POST, PATCH, DELETE, OPTIONS"]);
    }
  });

  test("OPTIONS * says which methods the service has, without a token", async () => {
    const reply = await sendRaw("OPTIONS * HTTP/1.1\r\nHost: intake\r\n\r\n");
    expect([reply.status, /^allow: (.*?)\r?$/im.exec(reply.head)?.[1]]).toEqual([204, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]);
  });

  test.each([
    ['"7-1"', 200],
    ["*", 200],
    ['"7-2", "7-1"', 200],
    ['"7-2"', 412],
    ['W/"7-1"', 412],
    ["nonsense", 400],
  ])("GET and HEAD with If-Match: %s are answered by %i", async (tag, status) => {
    for (const method of ["GET", "HEAD"])
      expect((await sendRaw(request(`${method} /v1/customers/7`, `If-Match: ${tag}\r\n`))).status).toBe(status);
  });

  test.each(["/v1/customers", "/v1/customers?deleted=true"])("%s has no ETag, so that only If-Match: * is met", async (path) => {
    for (const [tag, status] of [
      ["*", 200],
      ['"7-1"', 412],
      ['W/"x", "y"', 412],
      ["nonsense", 400],
    ] as const)
      for (const [method, accept] of [
        ["GET", "*/*"],
        ["HEAD", "*/*"],
        ["GET", path.includes("?") ? "*/*" : "text/csv"],
      ] as const)
        expect((await sendRaw(request(`${method} ${path}`, `If-Match: ${tag}\r\nAccept: ${accept}\r\n`))).status).toBe(status);
    expect((await sendRaw(request("GET /v1/customers?limit=x", 'If-Match: "7-1"\r\n'))).status).toBe(400); // the request's own faults come first
  });

  test("PUT of a part of a record is refused", async () => {
    const reply = await sendRaw(request("PUT /v1/customers/7", `Content-Range: bytes 0-9/99\r\n${JSON_BODY}`, BODY));
    expect([reply.status, reply.json.errors[0].header]).toEqual([400, "Content-Range"]);
    expect((await service.call("GET", "/v1/customers/7")).json.version).toBe(1);
  });
});

describe("answers", () => {
  test("a page of an allowed origin can read what is refused before any route: a bad address, another expectation", async () => {
    for (const [line, headers] of [
      ["GET /v1/%zz", ""],
      ["POST /v1/customers", "Expect: miracles\r\n"],
    ] as const) {
      const from = async (origin: string) => (await sendRaw(request(line, `${headers}Origin: ${origin}\r\n`))).head;
      expect(await from("https://app.example")).toMatch(/^access-control-allow-origin: https:\/\/app\.example\r?$/im);
      expect(await from("https://app.example")).toMatch(/^access-control-expose-headers: .*Request-Id/im);
      expect(await from("https://evil.example")).not.toMatch(/allow-origin/i);
      expect(await from("https://evil.example")).toMatch(/^vary: .*origin/im);
    }
  });

  test("a list depends on the origin, also for a request that names none", async () => {
    for (const path of ["/v1/customers", "/v1/customers/7"])
      expect((await sendRaw(request(`GET ${path}`))).head).toMatch(/^vary: .*\borigin\b/im);
  });

  test.each(["/v1//customers", "/v1/./customers", "/v1/x/../customers", "//v1/customers", "/v1/customers//7", "/v1/customers/./7"])(
    "the address %s is another one than that without the extra part: 404",
    async (path) => {
      expect((await sendRaw(request(`GET ${path}`))).status).toBe(404);
    },
  );

  test.each([
    [
      "HTTP/1.1 413 Content Too Large",
      () => request("PUT /v1/customers/7", "Content-Type: application/json\r\nContent-Length: 100000\r\nConnection: close\r\n"),
    ],
    ["HTTP/1.1 422 Unprocessable Content", () => request("PUT /v1/customers/7", `${JSON_BODY.replace(/\d+/, "2")}`, "{}")],
    ["HTTP/1.1 400 Bad Request", () => "nonsense\r\n\r\n"],
    ["HTTP/1.1 431 Request Header Fields Too Large", () => request("GET /livez", `X: ${"y".repeat(20_000)}\r\n`)],
  ])("the status line is %j", async (line, bytes) => {
    const { head } = await sendRaw(bytes());
    expect(head.split("\r\n")[0]).toBe(line);
  });
});
