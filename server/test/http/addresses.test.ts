// Tests what is answered to addresses, forms and framings that cannot be read: once, and readable by pages that may call.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw } from "../../testing/raw-socket.ts";
import { EMPLOYEES, openTestService, type TestService } from "../../testing/service.ts";
import { mergedSchema } from "../../testing/whole-document.ts";

const PAGE = "https://app.example";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
let service: TestService;
let port: number;
let signed: string;
beforeAll(async () => {
  service = await openTestService(undefined, { corsOrigins: [PAGE] });
  await service.app.listen({ port: 0 });
  port = (service.app.server.address() as { port: number }).port;
  signed = `Host: intake\r\nOrigin: ${PAGE}\r\nAuthorization: Bearer ${await service.tokenFor("admin")}\r\n`;
});
afterAll(() => service.close());

const request = (line: string, headers = "", body = "") => `${line} HTTP/1.1\r\n${signed}${headers}\r\n${body}`;
const allowed = /^access-control-allow-origin: (.*?)\r?$/im;

describe("what is not UTF-8", () => {
  test.each([
    "/v1/customers?lastName=M%FCller",
    "/v1/customers?lastName[prefix]=M%FC",
    "/v1/customers?q=%C0%AF",
    "/v1/customers?q=%ED%A0%80",
    "/v1/customers?%FC=1",
    "/v1/customers?lastName=%C3&q=%BC",
    "/v1/cust%FCmers",
    "/v1/customers/%FC",
    "/problems/%FC",
    "/%FC",
    "/v1/customers?q=%",
    "/v1/customers?q=%zz",
  ])("in the address %s is a 400, not another search", async (path) => {
    const { status, json } = await service.call("GET", path);
    expect([status, json.detail]).toEqual([400, "The address has a % that begins no valid character of UTF-8."]);
  });

  test.each(["token", "revoke"])("in a form to %s is a 400, too", async (name) => {
    const reply = await service.raw(
      "POST",
      `/v1/oauth/${name}`,
      FORM,
      "grant_type=client_credentials&client_id=M%FC&client_secret=x&token=x",
    );
    expect([reply.status, reply.json.error]).toEqual([400, "invalid_request"]);
  });

  test("bytes that are not encoded are refused before any route", async () => {
    for (const name of ["M\xFCller", "M\xC3\xBCller"])
      expect((await sendRaw(port, request(`GET /v1/customers?q=${name}`), "")).status).toBe(400);
  });
});

describe("addresses", () => {
  test.each([
    ["/v1//customers", "//"],
    ["//v1/customers", "//"],
    ["/v1/customers//7", "//"],
    ["/v1/./customers", "/./"],
    ["/v1/x/../customers", "/../"],
  ])("%s is a 404 that names %s", async (path, slip) => {
    const reply = await sendRaw(port, request(`GET ${path}`));
    expect(reply.status).toBe(404);
    expect(reply.json.detail).toContain(`it has ${slip} in it`);
  });

  test("a slash at the end is named, too", async () => {
    expect((await service.call("GET", "/v1/customers/")).json.detail).toBe(
      "There is nothing at this address: it has a / too many, or an empty part.",
    );
  });

  test("/v1 answers as /v1/ does, to every method", async () => {
    for (const method of ["GET", "OPTIONS", "POST"]) {
      const [short, long] = [await service.call(method, "/v1?", undefined), await service.call(method, "/v1/?", undefined)];
      expect([method, short.status, short.headers.allow]).toEqual([method, long.status, long.headers.allow]);
      if (method === "GET") expect({ ...short.json, time: "" }).toEqual({ ...long.json, time: "" });
    }
    expect((await service.raw("GET", "/v1")).status).toBe(401);
  });
});

describe("the sentence of a single wrong parameter", () => {
  test.each([
    ["lastnam=x", /^There is no parameter of this name here\. Did you mean lastName\? There are: /],
    ["limit=x", /^limit must be a whole number of at least 1/],
    ["offset=99999", /^offset /],
  ])("?%s", async (query, sentence) => {
    const { json } = await service.call("GET", `/v1/customers?${query}`);
    expect([json.code, json.detail, json.errors]).toEqual(["BAD_PARAMETER", expect.stringMatching(sentence), [expect.anything()]]);
    expect(json.errors[0].detail).toBe(json.detail);
  });

  test("several are counted", async () => {
    const { json } = await service.call("GET", "/v1/customers?limit=x&lastnam=y");
    expect(json.detail).toBe("The address has 2 parameters that cannot be used.");
  });
});

test.each([
  ["a missing grant", FORM, "client_id=x&client_secret=y", 400, "invalid_request"],
  ["another grant", FORM, "grant_type=password&client_id=x&client_secret=y", 401, "invalid_client"],
  ["a wrong key", FORM, "grant_type=client_credentials&client_id=x&client_secret=y", 401, "invalid_client"],
  ["JSON instead of a form", { "content-type": "application/json" }, "{}", 415, "invalid_request"],
  ["a form that is too long", FORM, "x".repeat(100_000), 413, "invalid_request"],
  ["another answer than JSON", { ...FORM, accept: "text/csv" }, "x=1", 406, "invalid_request"],
  ["a browser's Accept", { ...FORM, accept: "text/html,*/*" }, "x=1", 400, "invalid_request"],
])("%s is an error that OAuth clients read (RFC 6749 section 5.2)", async (_, headers, body, status, error) => {
  for (const path of ["/v1/oauth/token", "/v1/oauth/revoke"]) {
    const reply = await service.raw("POST", path, headers as Record<string, string>, body);
    const isGrant = path.endsWith("revoke") && status === 401 && error === "invalid_client" && !body.includes("token");
    expect([path, reply.status, reply.headers["content-type"]]).toEqual([path, isGrant ? 400 : status, "application/json"]);
    expect(reply.json).toMatchObject({ error: isGrant ? "invalid_request" : error, error_description: reply.json.detail });
  }
});

describe("a page of an allowed origin can read", () => {
  test.each([
    ["414", () => request(`GET /v1/customers?q=${"x".repeat(5_000)}`), PAGE],
    ["400 for a bad address", () => request("GET /v1/customers?q=%ff"), PAGE],
    ["400 for a transfer coding", () => request("POST /v1/customers", "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), PAGE],
    ["431, whose origin was not read", () => request("GET /livez", `X: ${"y".repeat(20_000)}\r\n`), "*"],
    ["400 for what is no request", () => "nonsense\r\n\r\n", "*"],
  ])("%s", async (status, bytes, origin) => {
    const { head } = await sendRaw(port, bytes());
    expect([head.slice(9, 12), allowed.exec(head)?.[1]]).toEqual([status.slice(0, 3), origin]);
    expect(head).toMatch(/^access-control-expose-headers: .*Request-Id/im);
  });

  test("nothing where no other origins are allowed", async () => {
    const closed = await openTestService();
    await closed.app.listen({ port: 0 });
    const { head } = await sendRaw((closed.app.server.address() as { port: number }).port, "nonsense\r\n\r\n");
    expect(head).not.toMatch(/access-control/i);
    await closed.close();
  });
});

describe("one answer for each request", () => {
  const post = (coding: string, body: string) =>
    request("POST /v1/customers", `Content-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n`, body);

  for (const coding of ["foo", "gzip", "identity", "gzip, chunked", "chunked, foo", "chunked, chunked", ""])
    test.each(["0\r\n\r\n", "xyz\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"])(
      `the transfer coding ${JSON.stringify(coding)} with the body %j`,
      async (body) => {
        for (let n = 0; n < 2; n++) {
          const reply = await sendRaw(port, post(coding, body));
          expect([reply.status, reply.responses]).toEqual([400, 1]);
        }
      },
    );

  test.each([
    ["a chunk that is none", () => post("chunked", "zz\r\n\r\n")],
    ["a chunk that is none, of a request that was refused", () => post("chunked", "zz\r\n\r\n").replace(/Authorization.*\r\n/, "")],
    ["a length beside chunks", () => post("chunked\r\nContent-Length: 3", "0\r\n\r\n")],
  ])("%s", async (_, bytes) => {
    expect((await sendRaw(port, bytes())).responses).toBe(1);
  });

  test.each(["/v1/customers", "/v1/dictionary", "/v1//customers", "/livez"])(
    "what comes behind a request that ends the connection takes nothing from its answer: %s",
    async (path) => {
      const reply = await sendRaw(port, request(`GET ${path}`, "Connection: close\r\n"));
      expect([reply.status, reply.responses]).toEqual([path.includes("//") ? 404 : 200, 1]);
    },
  );

  test("a request that cannot be read is answered after those before it", async () => {
    const reply = await sendRaw(port, request("GET /v1/dictionary") + request("GET /v1/customers"), "nonsense\r\n\r\n");
    expect(reply.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
  });
});

test("digits of a second that cannot be stored are refused, not cut off; zeros are no digits", async () => {
  const employees = await openTestService(EMPLOYEES);
  const field = employees.collections[0]?.fields.find(({ kind }) => kind === "datetime");
  if (!field) throw new Error("no field of this kind");
  const { document } = employees.checker;
  const { required, properties } = mergedSchema(document, document.components.schemas.NewEmployee ?? {}) as {
    required: string[];
    properties: Record<string, { examples: unknown[] }>;
  };
  const base = Object.fromEntries(required.map((name) => [name, properties[name]?.examples[0]]));
  for (const [text, stored] of [
    ["2026-01-31T08:30:00.123456789Z", undefined],
    ["2026-01-31T08:30:00.0001+01:00", undefined],
    ["2026-01-31T08:30:00.123000000Z", "2026-01-31T08:30:00.123Z"],
    ["2026-01-31T08:30:00.5Z", "2026-01-31T08:30:00.500Z"],
  ]) {
    const reply = await employees.call("PUT", "/v1/employees/7", { ...base, [field.name]: text });
    if (stored) expect([text, reply.json[field.name]]).toEqual([text, stored]);
    else expect([text, reply.status, reply.json.errors[0].code]).toEqual([text, 422, "TOO_PRECISE"]);
    const query = `${field.name}=${encodeURIComponent(String(text))}`;
    expect([text, (await employees.call("GET", `/v1/employees?${query}`)).status]).toEqual([text, stored ? 200 : 400]);
  }
  await employees.close();
});
