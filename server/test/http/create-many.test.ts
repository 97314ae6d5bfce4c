// POST to a collection: forms of the body, all or nothing, each on its own, conflicts.

import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeEach(async () => {
  service = await openTestService();
});
afterEach(() => service.close());

const record = (objectId?: unknown, lastName: unknown = "Ek") => ({
  ...(objectId !== undefined && { objectId }),
  lastName,
  accountID: "1",
});
const post = (body: unknown, query = "") => service.call("POST", `/v1/customers${query}`, body);
const count = async () => (await service.call("GET", "/v1/customers?limit=1000")).json.customers.length;

test.each([
  ["a bare record", record(1), "object"],
  ["a singular wrapper", { customer: record(1) }, "object"],
  ["an array", [record(1)], "list"],
  ["a plural wrapper", { customers: [record(1)] }, "list"],
])("the body form of %s is accepted and answered in the same form", async (_, body, form) => {
  const reply = await post(body);
  expect(reply.status).toBe(201);
  expect(form === "list" ? reply.json.customers[0].objectId : reply.json.objectId).toBe(1);
});

test("an array of one is answered with its address and its ETag, as a bare record is; one of two is not", async () => {
  const fields = ({ headers }: Awaited<ReturnType<typeof post>>) => [headers.location, headers.etag];
  expect(fields(await post([record(1)]))).toEqual(["/v1/customers/1", '"1-1"']);
  expect(fields(await post({ customers: [record(2)] }))).toEqual(["/v1/customers/2", '"2-1"']);
  expect(fields(await post([record(1, "New")], "?onConflict=update"))).toEqual([undefined, '"1-2"']);
  expect(fields(await post([record(3), record(4)]))).toEqual([undefined, undefined]);
});

test("the same record sent twice without an id becomes two records", async () => {
  expect((await post(record())).status).toBe(201);
  expect((await post(record())).status).toBe(201);
  expect(await count()).toBe(2);
});

test("the records of the answer are in the order of the request", async () => {
  const { json } = await post([record(9), record(), record(3)]);
  expect(json.customers.map((c: { objectId: number }) => c.objectId)).toEqual([9, 1_000_000_001, 3]);
});

test("an id in the request is not assigned to another record of it", async () => {
  const { json } = await post([record(), record(1_000_000_001), record()]);
  expect(json.customers.map((c: { objectId: number }) => c.objectId)).toEqual([1_000_000_002, 1_000_000_001, 1_000_000_003]);
});

test.each([
  ["a bare record", { ...record(1), lastName: "" }, "/lastName"],
  ["a singular wrapper", { customer: { ...record(1), lastName: 7 } }, "/customer/lastName"],
  ["an array", [record(1), { ...record(2), lastName: null }], "/1/lastName"],
  ["a plural wrapper", { customers: [record(1), { ...record(2), lastNam: "x" }] }, "/customers/1/lastNam"],
])("a problem in %s points to where it was sent", async (_, body, pointer) => {
  const reply = await post(body);
  expect(reply.status).toBe(422);
  expect(reply.json.code).toBe("VALIDATION");
  expect(reply.json.errors[0].pointer).toBe(pointer);
  expect(await count()).toBe(0);
});

test("an unknown field is refused, and a similar one suggested", async () => {
  const { json } = await post({ ...record(1), fristName: "A" });
  expect(json.errors[0]).toMatchObject({ code: "UNKNOWN_FIELD", pointer: "/fristName" });
  expect(json.errors[0].detail).toContain('"firstName"');
});

test.each(["7", 7.5, true, {}, [], 0, -1, 2 ** 53])("the objectId %j is refused", async (objectId) => {
  expect((await post(record(objectId))).status).toBe(422);
});

test("the answer has all problems of a request, up to a hundred", async () => {
  const { json } = await post(Array.from({ length: 150 }, () => ({ firstName: 7 })));
  expect(json.errors).toHaveLength(100);
  expect(json.truncated).toBe(true);
});

test("one invalid record among many means that nothing is written", async () => {
  expect((await post([record(1), record(2, "")])).status).toBe(422);
  await post(record(5));
  const taken = await post([record(4), record(5), record(6)]);
  expect(taken.status).toBe(409);
  expect(taken.json.errors).toEqual([expect.objectContaining({ pointer: "/1/objectId", code: "ALREADY_EXISTS", href: "/v1/customers/5" })]);
  expect(await count()).toBe(1);
});

test("an atomic batch that is refused names every record in the way, of every class, in the order of the request", async () => {
  const [, { version }] = (await post([record(4), record(5)])).json.customers;
  const items = [
    record(1),
    { ...record(2), lastName: 7 },
    { ...record(5), version: version + 1 },
    { ...record(9), version: 1 },
    "nothing",
    { ...record(4), version: 1 },
  ];
  const reply = await post(items, "?onConflict=update&onMissing=error&match=version");
  expect([reply.status, reply.json.code]).toEqual([422, "VALIDATION"]);
  expect(reply.json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)).toEqual([
    "/0/version REQUIRED",
    "/1/lastName KIND",
    "/2/objectId PRECONDITION_FAILED",
    "/3/objectId PRECONDITION_FAILED",
    "/4 FORM",
  ]);
  const missing = await post([record(9), { ...record(4), lastName: 7 }], "?onConflict=update&onMissing=error");
  expect(missing.json.errors.map(({ code }: { code: string }) => code)).toEqual(["NOT_FOUND", "KIND"]);
  const created = await post([record(4), { ...record(6), firstName: 7 }, record(5)]);
  expect(created.json.errors).toEqual([
    expect.objectContaining({ pointer: "/0/objectId", code: "ALREADY_EXISTS", href: "/v1/customers/4" }),
    expect.objectContaining({ pointer: "/1/firstName", code: "KIND" }),
    expect.objectContaining({ pointer: "/2/objectId", code: "ALREADY_EXISTS", href: "/v1/customers/5" }),
  ]);
  expect(await count()).toBe(2);
});

test.each([
  ["missing", 404, "NOT_FOUND", "?onConflict=update&onMissing=error", {}],
  ["changed meanwhile", 412, "PRECONDITION_FAILED", "?onConflict=update&match=version", { version: 99 }],
  ["taken", 409, "ALREADY_EXISTS", "", {}],
])("records that are all %s are a %i that names each, up to a hundred", async (_, status, code, query, more) => {
  const items = Array.from({ length: 120 }, (_, i) => ({ ...record(i + 1), ...more }));
  if (status !== 404) await post(items.map(({ objectId }) => record(objectId)));
  const { json } = await post(items, query);
  expect([json.status, json.code, json.errors.length, json.truncated]).toEqual([status, code, 100, true]);
  expect(json.errors[99]).toMatchObject({ pointer: "/99/objectId", code });
});

test("an id twice in one request is refused", async () => {
  const reply = await post([record(1), record(2), record(1)]);
  expect(reply.status).toBe(422);
  expect(reply.json).toMatchObject({ code: "DUPLICATE_IN_REQUEST", errors: [{ pointer: "/2/objectId" }] });
  expect(await count()).toBe(0);
});

test("onError=continue stores the valid records and reports the outcome of each", async () => {
  await post(record(5, "Old"));
  const reply = await post([record(4), record(5), record("x"), record(6, ""), 7, record(), record(4)], "?onError=continue");
  expect(reply.status).toBe(207);
  expect(reply.json.summary).toEqual({ total: 7, created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 5 });
  expect(reply.json.results.map((r: { index: number; outcome: string; status: number }) => [r.index, r.outcome, r.status])).toEqual([
    [0, "created", 201],
    [1, "failed", 409],
    [2, "failed", 422],
    [3, "failed", 422],
    [4, "failed", 422],
    [5, "created", 201],
    [6, "failed", 422],
  ]);
  expect(reply.json.results[0]).toMatchObject({ objectId: 4, version: 1 });
  expect(reply.json.results[5].objectId).toBe(1_000_000_001);
  expect(reply.json.results[3].problem).toMatchObject({ code: "VALIDATION", errors: [{ pointer: "/3/lastName", code: "REQUIRED" }] });
  expect(reply.json.results[6].problem.code).toBe("DUPLICATE_IN_REQUEST");
  expect(await count()).toBe(3);
});

test("onError=continue answers 207 when all fail, all succeed, or one record is sent", async () => {
  expect((await post([record("x")], "?onError=continue")).status).toBe(207);
  expect((await post([record(1)], "?onError=continue")).status).toBe(207);
  expect((await post(record(2), "?onError=continue")).json.summary).toMatchObject({ total: 1, created: 1 });
});

test("onConflict=skip leaves the stored record", async () => {
  await post(record(1, "Old"));
  const reply = await post([record(1, "New"), record(2)], "?onConflict=skip&onError=continue");
  expect(reply.json.results.map((r: { outcome: string }) => r.outcome)).toEqual(["skipped", "created"]);
  expect((await service.call("GET", "/v1/customers/1")).json.lastName).toBe("Old");
});

test("onConflict=update merges, reports what changed, and that nothing did", async () => {
  await post({ ...record(1, "Old"), firstName: "Eva" });
  const query = "?onConflict=update&onError=continue";
  const { json } = await post([{ objectId: 1, lastName: "New" }, record(2)], query);
  expect(json.results[0]).toMatchObject({
    outcome: "updated",
    status: 200,
    objectId: 1,
    version: 2,
    changes: { lastName: ["Old", "New"] },
  });
  expect((await service.call("GET", "/v1/customers/1")).json).toMatchObject({ firstName: "Eva", lastName: "New" });
  const again = await post([{ objectId: 1, lastName: "New" }, record(2)], query);
  expect(again.json.summary).toMatchObject({ unchanged: 2, updated: 0 });
  expect(again.json.results[0].version).toBe(2);
});

test("onConflict=update creates only complete records", async () => {
  const { json } = await post([{ objectId: 1, firstName: "A" }], "?onConflict=update&onError=continue");
  expect(json.results[0]).toMatchObject({ outcome: "failed", status: 422 });
  expect(json.results[0].problem.errors.map((e: { pointer: string }) => e.pointer)).toEqual(["/0/lastName", "/0/accountID"]);
});

test("onMissing=error creates no record", async () => {
  await post(record(1, "Old"));
  const query = "?onConflict=update&onMissing=error&onError=continue";
  const { json } = await post([record(1, "New"), record(2), record()], query);
  expect(json.results.map((r: { outcome: string; status: number }) => [r.outcome, r.status])).toEqual([
    ["updated", 200],
    ["failed", 404],
    ["failed", 422],
  ]);
  expect(await count()).toBe(1);
});

test("onConflict on one record answers 200 with the record as it is now", async () => {
  await post(record(1, "Old"));
  expect((await post(record(1, "New"), "?onConflict=skip")).json.lastName).toBe("Old");
  const updated = await post(record(1, "New"), "?onConflict=update");
  expect([updated.status, updated.json.lastName, updated.headers.etag]).toEqual([200, "New", '"1-2"']);
});

test.each([
  "[]",
  '{"customers":[]}',
  '{"customers":{}}',
  '{"customer":[]}',
  '{"customer":{},"customers":[]}',
  "7",
  '"x"',
  "null",
  "true",
  "[null]",
  "[[]]",
])("the body %s is no record", async (body) => {
  expect((await post(body)).status).toBe(422);
});

test.each(["", "{", "[1,]", '{"lastName":"A","lastName":"B"}', `${"[".repeat(13)}${"]".repeat(13)}`, "{'a':1}", "NaN"])(
  "the body %j is malformed JSON",
  async (body) => {
    const reply = await post(body);
    expect([reply.status, reply.json.code]).toEqual([400, "MALFORMED_JSON"]);
  },
);

test("a body that is not UTF-8 is malformed JSON", async () => {
  const token = await service.tokenFor("write");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const reply = await service.raw("POST", "/v1/customers", headers, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
  expect(reply.json.code).toBe("MALFORMED_JSON");
});

test("a request with 10,000 records is accepted, one with 10,001 is not", async () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => ({ objectId: i + 1, lastName: "L", accountID: "1" }));
  expect((await post(many(10_000))).status).toBe(201);
  const reply = await post(many(10_001));
  expect([reply.status, reply.json.code]).toEqual([413, "TOO_LARGE"]);
});

test.each(["?onError=maybe", "?onConflict=", "?onMissing=x", "?limit=5", "?onError=stop&onError=continue"])(
  "the query %s is refused, naming the parameter",
  async (query) => {
    const reply = await post(record(), query);
    expect([reply.status, reply.json.code]).toEqual([400, "BAD_PARAMETER"]);
    expect(query).toContain(reply.json.errors[0].parameter);
  },
);
