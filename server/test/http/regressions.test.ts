// What a walk over the document and requests drawn from it once found wrong, each as a plain example.

import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService, UNHURRIED } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
  const many = Array.from({ length: 60 }, (_, i) => ({ objectId: i + 1, lastName: `N${i}`, accountID: "1" }));
  await service.call("POST", "/v1/customers", many);
});
afterAll(() => service.close());

const record = { lastName: "Ek", accountID: "1" };

test("a body whose coding is identity is a plain body", async () => {
  for (const [method, path, status] of [
    ["POST", "/v1/customers", 201],
    ["PUT", "/v1/customers/1", 200],
  ] as const) {
    expect((await service.call(method, path, record, { "content-encoding": "identity" })).status).toBe(status);
  }
});

test("a coding that is not taken is answered with those that are", async () => {
  const codings = async (method: string, path: string) => {
    const { status, headers } = await service.call(method, path, record, { "content-encoding": "br" });
    return [status, headers["accept-encoding"], headers["accept-post"]];
  };
  expect(await codings("POST", "/v1/customers")).toEqual([415, "gzip, identity", undefined]);
  expect(await codings("PUT", "/v1/customers/1")).toEqual([415, "identity", undefined]);
});

test("DELETE and OPTIONS do not mind a body, however large or odd", async () => {
  const body = "x".repeat(9_000_000);
  expect((await service.call("DELETE", "/v1/customers/2", body, { "content-type": ";" })).status).toBe(204);
  expect((await service.call("OPTIONS", "/v1/customers/2", body)).status).toBe(204);
});

test.each(["/v1/dictionary", "/v1/customers/template.csv"])("%s is known by its tag, weak or among others, and by *", async (path) => {
  const etag = (await service.call("GET", path)).headers.etag ?? "";
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const { status, headers } = await service.call("GET", path, undefined, { "if-none-match": tag });
    expect([tag, status, headers.etag, headers["content-type"]]).toEqual([tag, 304, etag, undefined]);
  }
  expect((await service.call("GET", path, undefined, { "if-none-match": '"x"' })).status).toBe(200);
  expect((await service.call("GET", path, undefined, { "if-none-match": "x" })).json.code).toBe("BAD_HEADER");
});

test("an ETag is the whole of it: with a zero before it, it is another one", async () => {
  for (const tag of ['"03-1"', '"3-01"']) {
    expect((await service.call("PATCH", "/v1/customers/3", { lastName: "B" }, { "if-match": tag })).status).toBe(412);
    expect((await service.call("GET", "/v1/customers/3", undefined, { "if-none-match": tag })).status).toBe(200);
  }
});

test("a failed result names no id that is none", async () => {
  const body = '[{"objectId":1e400},{"objectId":1.5},{"objectId":-1}]';
  for (const path of ["/v1/customers", "/v1/customers/deletions"]) {
    const { json } = await service.call("POST", `${path}?onError=continue`, body);
    expect(json.results.map((result: object) => ("objectId" in result ? result.objectId : "none"))).toEqual(["none", "none", -1]);
  }
});

test("HEAD tells the length of the next GET to the byte, zipped and with more pages to come", async () => {
  const path = "/v1/customers?limit=50&sort=lastName";
  const headers = { "accept-encoding": "gzip" };
  const head = await service.call("HEAD", path, undefined, headers);
  const get = await service.call("GET", path, undefined, headers);
  expect(get.json.next).toBeDefined();
  expect(["content-encoding", "content-length", "link"].map((name) => head.headers[name])).toEqual([
    "gzip",
    get.headers["content-length"],
    get.headers.link,
  ]);
});

test("HEAD of a record that there is not tells all the same what could be done", async () => {
  const { status, headers } = await service.call("HEAD", "/v1/customers/999");
  expect([status, headers.allow, headers["accept-patch"]]).toEqual([
    404,
    "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
    "application/json, application/merge-patch+json",
  ]);
});

test("millions of brackets are a body that cannot be read, and nothing worse", async () => {
  const reply = await service.call("POST", "/v1/customers", "[".repeat(4_000_000) + "]".repeat(4_000_000));
  expect([reply.status, reply.json.code]).toEqual([400, "MALFORMED_JSON"]);
});

test("a collection that is named like a part of the document leaves that part alone", async () => {
  const { schemas } = service.checker.document.components;
  expect(Object.keys(schemas)).toEqual(["ProblemDocument", "ApiKey", "NewApiKey", "Customer", "NewCustomer", "CustomerChanges"]);
});

test("a request that does not come to its end is told so", async () => {
  const own = await openTestService(undefined, { limits: { ...UNHURRIED, headerSeconds: 1, requestSeconds: 1 } });
  try {
    await own.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = own.app.server.address() as { port: number };
    const token = await own.tokenFor("write");
    const heard = (text: string) =>
      new Promise<string>((resolve) => {
        let all = "";
        const socket = connect(port, "127.0.0.1", () => socket.write(text));
        socket.on("data", (data) => {
          all += data;
        });
        socket.on("close", () => resolve(all));
      });
    const begun = `POST /v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const answers = await Promise.all([heard("GET /livez HTTP/1.1\r\nHost"), heard(`${begun}Content-Length: 99\r\n\r\n{"lastName":`)]);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ status: 408, code: "REQUEST_TIMEOUT" });
    }
  } finally {
    await own.close();
  }
});
