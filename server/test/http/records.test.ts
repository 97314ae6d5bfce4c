// One record: created, read, replaced, changed, deleted, and protected by its ETag.

import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const zoe = { firstName: "Zoë", lastName: "van 't Hoff", accountID: "007" };
let next = 100;
async function make(fields: object = zoe): Promise<{ path: string; id: number; etag: string }> {
  const id = next++;
  const reply = await service.call("POST", "/v1/customers", { objectId: id, ...fields });
  expect(reply.status).toBe(201);
  return { path: `/v1/customers/${id}`, id, etag: reply.headers.etag ?? "" };
}

test("a new record comes back with its Location, its ETag and the service's fields", async () => {
  const reply = await service.call("POST", "/v1/customers", { objectId: 7, ...zoe });
  expect(reply.status).toBe(201);
  expect(reply.headers).toMatchObject({ location: "/v1/customers/7", etag: '"7-1"', "content-type": "application/json" });
  expect(Object.keys(reply.json)).toEqual([
    "objectId",
    "firstName",
    "lastName",
    "accountID",
    "createdAt",
    "updatedAt",
    "createdBy",
    "updatedBy",
    "version",
  ]);
  expect(reply.json).toMatchObject({ objectId: 7, ...zoe, version: 1 });
  expect(reply.json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("a record without an objectId gets one, from 1,000,000,001 on", async () => {
  const first = await service.call("POST", "/v1/customers", zoe);
  const second = await service.call("POST", "/v1/customers", zoe);
  expect(first.json.objectId).toBe(1_000_000_001);
  expect(second.json.objectId).toBe(1_000_000_002);
});

test("an objectId that a client has chosen is not assigned", async () => {
  await service.call("POST", "/v1/customers", { ...zoe, objectId: 1_000_000_003 });
  const reply = await service.call("POST", "/v1/customers", { ...zoe, objectId: null });
  expect(reply.json.objectId).toBe(1_000_000_004);
});

test("an objectId that was deleted is not assigned again", async () => {
  const { json } = await service.call("POST", "/v1/customers", zoe);
  await service.call("DELETE", `/v1/customers/${json.objectId}`);
  const reply = await service.call("POST", "/v1/customers", zoe);
  expect(reply.json.objectId).toBe(json.objectId + 1);
});

test("an objectId in use is refused, with a link to its record", async () => {
  const { id, path } = await make();
  const reply = await service.call("POST", "/v1/customers", { ...zoe, objectId: id });
  expect(reply.status).toBe(409);
  expect(reply.json).toMatchObject({ code: "ALREADY_EXISTS", errors: [{ pointer: "/objectId", href: path }] });
});

test("a written record reads back the same", async () => {
  const fields = { firstName: "  Amélie\u200d ", lastName: "=SUM(A1)", accountID: "00071-a" };
  const { path } = await make(fields);
  const { json } = await service.call("GET", path);
  expect(json).toMatchObject({ firstName: "Amélie\u200d", lastName: "=SUM(A1)", accountID: "00071-a" });
});

test("a GET with the current ETag is answered by 304", async () => {
  const { path, etag } = await make();
  expect((await service.call("GET", path)).headers.etag).toBe(etag);
  for (const header of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const reply = await service.call("GET", path, undefined, { "if-none-match": header });
    expect([header, reply.status, reply.text, reply.headers.etag]).toEqual([header, 304, "", etag]);
  }
  expect((await service.call("GET", path, undefined, { "if-none-match": '"7-99"' })).status).toBe(200);
});

test.each(["0", "-1", "007", "7.0", "1e3", "+7", "abc", "9007199254740992", "99999999999999999999", "%20"])(
  "the path /customers/%s is a 404",
  async (id) => {
    for (const method of ["GET", "DELETE"]) expect((await service.call(method, `/v1/customers/${id}`)).status).toBe(404);
    expect((await service.call("PATCH", `/v1/customers/${id}`, {})).status).toBe(404);
    expect((await service.call("PUT", `/v1/customers/${id}`, zoe)).status).toBe(422);
  },
);

test("PUT creates a record under an id that the client chooses", async () => {
  const reply = await service.call("PUT", "/v1/customers/55", [zoe]);
  expect(reply.status).toBe(201);
  expect(reply.headers).toMatchObject({ location: "/v1/customers/55", etag: '"55-1"' });
});

test("PUT clears the fields that it leaves out", async () => {
  const { path, id } = await make();
  const reply = await service.call("PUT", path, [{ objectId: id, lastName: "Ek", accountID: "9" }]);
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({ firstName: null, lastName: "Ek", accountID: "9", version: 2 });
  expect(reply.headers.location).toBeUndefined();
});

test("PUT of an unchanged record changes nothing", async () => {
  const { path, etag } = await make();
  const got = await service.call("GET", path);
  const reply = await service.call("PUT", path, got.json);
  expect(reply.headers.etag).toBe(etag);
  expect(reply.json).toEqual(got.json);
});

test("PUT needs the required fields", async () => {
  const { path } = await make();
  const reply = await service.call("PUT", path, [{ firstName: "A" }]);
  expect(reply.status).toBe(422);
  expect(reply.json.errors.map((e: { pointer: string }) => e.pointer)).toEqual(["/0/lastName", "/0/accountID"]);
});

test.each(["PUT", "PATCH"])("%s refuses another id in the body", async (method) => {
  const { path } = await make();
  const reply = await service.call(method, path, [{ ...zoe, objectId: 1 }]);
  expect(reply.status).toBe(422);
  expect(reply.json).toMatchObject({ code: "ID_MISMATCH", errors: [{ pointer: "/0/objectId" }] });
});

test.each(["PUT", "PATCH"])("%s accepts exactly one record", async (method) => {
  const { path } = await make();
  for (const body of [[], [zoe, zoe], { customers: [zoe, zoe] }, 7, "null", [7]]) {
    expect((await service.call(method, path, body)).status).toBe(422);
  }
  for (const body of [zoe, [zoe], { customer: zoe }, { customers: [zoe] }])
    expect((await service.call(method, path, body)).status).toBe(200);
});

test("PUT with If-None-Match: * only creates", async () => {
  const { path } = await make();
  const guard = { "if-none-match": "*" };
  expect((await service.call("PUT", path, zoe, guard)).status).toBe(412);
  expect((await service.call("PUT", "/v1/customers/56", zoe, guard)).status).toBe(201);
});

test("PATCH changes the given fields only", async () => {
  const { path, id } = await make();
  const reply = await service.call("PATCH", path, [{ lastName: "Berg" }]);
  expect(reply.json).toMatchObject({ ...zoe, lastName: "Berg", version: 2 });
  expect(reply.headers.etag).toBe(`"${id}-2"`);
});

test("PATCH with null clears an optional field and is refused for a required one", async () => {
  const { path } = await make();
  expect((await service.call("PATCH", path, { firstName: null })).json.firstName).toBeNull();
  const reply = await service.call("PATCH", path, { lastName: null });
  expect(reply.status).toBe(422);
  expect(reply.json.errors[0]).toMatchObject({ pointer: "/lastName", code: "REQUIRED" });
});

test("an empty PATCH keeps the ETag and the time", async () => {
  const { path, etag } = await make();
  const before = await service.call("GET", path);
  const reply = await service.call("PATCH", path, {});
  expect([reply.status, reply.headers.etag, reply.json.updatedAt]).toEqual([200, etag, before.json.updatedAt]);
});

test("PATCH accepts merge-patch, POST does not", async () => {
  const { path } = await make();
  const type = { "content-type": "application/merge-patch+json" };
  expect((await service.call("PATCH", path, { lastName: "Ek" }, type)).status).toBe(200);
  expect((await service.call("POST", "/v1/customers", zoe, type)).status).toBe(415);
});

test("PATCH of a record that is not there is 404", async () => {
  expect((await service.call("PATCH", "/v1/customers/999999", { lastName: "Ek" })).json.code).toBe("NOT_FOUND");
});

test("the service's own fields are ignored in a request", async () => {
  const { path } = await make();
  const { json } = await service.call("GET", path);
  const reply = await service.call("PUT", path, { ...json, version: 77, createdAt: "x", lastName: "Ek" });
  expect(reply.json).toMatchObject({ version: 2, createdAt: json.createdAt, lastName: "Ek" });
});

test("DELETE is a 204, also the second time, and a 404 for a record that never existed", async () => {
  const { path } = await make();
  expect((await service.call("DELETE", path)).status).toBe(204);
  expect((await service.call("GET", path)).status).toBe(404);
  expect((await service.call("DELETE", path)).status).toBe(204);
  expect((await service.call("DELETE", "/v1/customers/888888")).status).toBe(404);
});

test("a deleted id can be created again, with a version above the old one", async () => {
  const { path, id, etag } = await make();
  await service.call("DELETE", path);
  const again = await service.call("PUT", path, zoe);
  expect([again.status, again.headers.etag]).toEqual([201, `"${id}-3"`]); // the deletion was version 2
  expect((await service.call("PATCH", path, { lastName: "Ek" }, { "if-match": etag })).status).toBe(412);
});

test("the second of two clients that change one record gets a 412", async () => {
  const { path, etag } = await make();
  const guard = { "if-match": etag };
  expect((await service.call("PATCH", path, { lastName: "First" }, guard)).status).toBe(200);
  for (const [method, body] of [
    ["PATCH", { lastName: "Second" }],
    ["PUT", zoe],
    ["DELETE", undefined],
  ] as const) {
    expect((await service.call(method, path, body, guard)).json.code).toBe("PRECONDITION_FAILED");
  }
  expect((await service.call("GET", path)).json.lastName).toBe("First");
});

test("If-Match: * matches any version, a weak tag none, and a bare word is refused", async () => {
  const { path, etag } = await make();
  expect((await service.call("PATCH", path, { lastName: "A" }, { "if-match": "*" })).status).toBe(200);
  expect((await service.call("PATCH", path, { lastName: "B" }, { "if-match": `W/${etag}` })).status).toBe(412);
  expect((await service.call("PATCH", path, { lastName: "B" }, { "if-match": "seven" })).json.code).toBe("BAD_HEADER");
  expect((await service.call("PUT", "/v1/customers/777777", zoe, { "if-match": "*" })).status).toBe(412);
});

test("the version counts the successes of fifty clients that write with If-Match", async () => {
  const { path } = await make();
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const { headers } = await service.call("GET", path);
      return (await service.call("PATCH", path, { lastName: `N${i}` }, { "if-match": headers.etag ?? "" })).status;
    }),
  );
  const { json } = await service.call("GET", path);
  expect(json.version).toBe(1 + statuses.filter((status) => status === 200).length);
});
