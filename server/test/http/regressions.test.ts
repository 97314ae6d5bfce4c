// Bugs that the random requests of generated.test.ts once found, each as a simple example.

import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
  const many = Array.from({ length: 60 }, (_, i) => ({ objectId: i + 1, lastName: `N${i}`, accountID: "1" }));
  await service.call("POST", "/v1/customers", many);
});
afterAll(() => service.close());

const record = { lastName: "Ek", accountID: "1" };

test("a body with Content-Encoding: identity is read", async () => {
  for (const [method, path, status] of [
    ["POST", "/v1/customers", 201],
    ["PUT", "/v1/customers/1", 200],
  ] as const) {
    expect((await service.call(method, path, record, { "content-encoding": "identity" })).status).toBe(status);
  }
});

test("an unsupported Content-Encoding is answered with the supported ones", async () => {
  const codings = async (method: string, path: string) => {
    const { status, headers } = await service.call(method, path, record, { "content-encoding": "br" });
    return [status, headers["accept-encoding"], headers["accept-post"]];
  };
  expect(await codings("POST", "/v1/customers")).toEqual([415, "gzip, identity", undefined]);
  expect(await codings("PUT", "/v1/customers/1")).toEqual([415, "identity", undefined]);
});

test("DELETE and OPTIONS ignore a body, however large or odd", async () => {
  const body = "x".repeat(9_000_000);
  expect((await service.call("DELETE", "/v1/customers/2", body, { "content-type": ";" })).status).toBe(204);
  expect((await service.call("OPTIONS", "/v1/customers/2", body)).status).toBe(204);
});

test.each(["/v1/dictionary", "/v1/customers/template.csv"])(
  "%s is answered by 304 for its ETag, also weak or among others, and for *",
  async (path) => {
    const etag = (await service.call("GET", path)).headers.etag ?? "";
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const { status, headers } = await service.call("GET", path, undefined, { "if-none-match": tag });
      expect([tag, status, headers.etag, headers["content-type"]]).toEqual([tag, 304, etag, undefined]);
    }
    expect((await service.call("GET", path, undefined, { "if-none-match": '"x"' })).status).toBe(200);
    expect((await service.call("GET", path, undefined, { "if-none-match": "x" })).json.code).toBe("BAD_HEADER");
  },
);

test("an ETag with a leading zero does not match", async () => {
  for (const tag of ['"03-1"', '"3-01"']) {
    expect((await service.call("PATCH", "/v1/customers/3", { lastName: "B" }, { "if-match": tag })).status).toBe(412);
    expect((await service.call("GET", "/v1/customers/3", undefined, { "if-none-match": tag })).status).toBe(200);
  }
});

test("a failed result has an id only if a valid one was sent", async () => {
  const body = '[{"objectId":1e400},{"objectId":1.5},{"objectId":-1}]';
  for (const path of ["/v1/customers", "/v1/customers/deletions"]) {
    const { json } = await service.call("POST", `${path}?onError=continue`, body);
    expect(json.results.map((result: object) => ("objectId" in result ? result.objectId : "none"))).toEqual(["none", "none", -1]);
  }
});

test("HEAD has the exact Content-Length of GET, also compressed and with a next page", async () => {
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

test("HEAD of a missing record still has Allow", async () => {
  const { status, headers } = await service.call("HEAD", "/v1/customers/999");
  expect([status, headers.allow, headers["accept-patch"]]).toEqual([
    404,
    "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
    "application/json, application/merge-patch+json",
  ]);
});

test("a body of millions of brackets is malformed JSON", async () => {
  const reply = await service.call("POST", "/v1/customers", "[".repeat(4_000_000) + "]".repeat(4_000_000));
  expect([reply.status, reply.json.code]).toEqual([400, "MALFORMED_JSON"]);
});

test("a collection with the name of a schema does not replace that schema", async () => {
  const { schemas } = service.checker.document.components;
  const bodies = Object.keys(schemas).filter(
    (name) => /^[A-Z][a-z]+\w*(Request|Response|Results)\d*$/.test(name) && !name.startsWith("Intake"),
  );
  expect(Object.keys(schemas).filter((name) => !bodies.includes(name))).toEqual([
    "ProblemDocument",
    "Principal",
    "ApiKey",
    "NewApiKey",
    "IntakeUser",
    "IntakeAccessRequest",
    "IntakeRole",
    "IntakeLink",
    "IntakeLinkInfo",
    "IntakeAccess",
    "IntakeNotice",
    "IntakeSession",
    "IntakeSessionInfo",
    "IntakeMe",
    "IntakePasskey",
    "IntakePasskeyRequest",
    "IntakePasskeyCreation",
    "IntakeHistoryEntry",
    "IntakeActivity",
    "IntakeMerge",
    "IntakeErasure",
    "IntakeExport",
    "IntakeRunPart",
    "IntakeChange",
    "IntakeWebhook",
    "IntakeNewWebhook",
    "IntakeDelivery",
    "IntakeRecipeInfo",
    "IntakeRecipe",
    "IntakeRun",
    "IntakeRunRow",
    "IntakeSameFile",
    "IntakeImport",
    "IntakeView",
    "IntakeOrganisation",
    "IntakeSummary",
    "IntakeFoundIn",
    "IntakeBrokenRulesOfDay",
    "IntakeBrokenRule",
    "IntakeException",
    "IntakeDictionaryVersion",
    "IntakeDictionaryDraft",
    "IntakeWholeDraft",
    "IntakeDuplicatePair",
    "IntakeSimilarRecord",
    "IntakeDifferentPair",
    "IntakeUniqueValues",
    "IntakeLookup",
    "IntakeFormerName",
    "IntakeBroughtRole",
    "IntakeDictionaryImpact",
    "IntakeConversionPreview",
    "IntakeRetired",
    "IntakeComputation",
    "IntakeConversion",
    "CustomerValues",
    "StoredCustomer",
    "Customer",
    "CustomerPart",
    "DeletedCustomer",
    "NewCustomer",
    "CustomerChanges",
    "CustomerRules",
    "CustomerOperation",
    "CustomerReceipt",
    "CustomerVersion",
    "IntakeOwnValues",
    "IntakeWarnings",
    "IntakeOperation",
    "IntakeSomeOwnValues",
    "IntakeDeletion",
    "IntakeChoice",
    "IntakePage",
    "IntakeSentBack",
    "IntakeServiceFilter",
    "CustomerCompared",
    "CustomerFilter",
  ]);
});

test("a request that does not end in time gets a 408", async () => {
  const own = await openTestService(undefined, { limits: { ...NO_RATE_LIMIT, headerSeconds: 1, requestSeconds: 1 } });
  try {
    await own.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = own.app.server.address() as { port: number };
    const token = await own.tokenFor("write");
    const answerTo = (text: string) =>
      new Promise<string>((resolve) => {
        let all = "";
        const socket = connect(port, "127.0.0.1", () => socket.write(text));
        socket.on("data", (data) => {
          all += data;
        });
        socket.on("close", () => resolve(all));
      });
    const begun = `POST /v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const answers = await Promise.all([
      answerTo("GET /livez HTTP/1.1\r\nHost"),
      answerTo(`${begun}Content-Length: 99\r\n\r\n{"lastName":`),
    ]);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ status: 408, code: "REQUEST_TIMEOUT" });
    }
  } finally {
    await own.close();
  }
});
