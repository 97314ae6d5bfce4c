// Idempotency keys on POST and PATCH.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase } from "../../testing/store.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

let keys = 0;
const newKey = () => ({ "idempotency-key": `key-${++keys}` });
const record = { lastName: "Ek", accountID: "1" };
const count = async () => (await service.call("GET", "/v1/customers?limit=1000")).json.customers.length;

test("a repeated POST gets the first answer and creates nothing", async () => {
  const before = await count();
  const key = newKey();
  const first = await service.call("POST", "/v1/customers", record, key);
  const again = await service.call("POST", "/v1/customers", record, key);
  expect(first.headers["idempotent-replayed"]).toBeUndefined();
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect([again.status, again.text, again.headers.etag, again.headers.location]).toEqual([
    201,
    first.text,
    first.headers.etag,
    first.headers.location,
  ]);
  expect(await count()).toBe(before + 1);
});

test("a repeated batch gets the same results", async () => {
  const key = newKey();
  const body = [record, { ...record, objectId: 5 }, { objectId: "x" }];
  const first = await service.call("POST", "/v1/customers?onError=continue", body, key);
  const again = await service.call("POST", "/v1/customers?onError=continue", body, key);
  expect([again.status, again.text]).toEqual([207, first.text]);
});

test("a repeated PATCH does not undo a change made in between", async () => {
  const { json } = await service.call("POST", "/v1/customers", record);
  const path = `/v1/customers/${json.objectId}`;
  const key = newKey();
  await service.call("PATCH", path, { lastName: "One" }, key);
  await service.call("PATCH", path, { lastName: "Two" });
  expect((await service.call("PATCH", path, { lastName: "One" }, key)).json.lastName).toBe("One");
  expect((await service.call("GET", path)).json.lastName).toBe("Two");
});

test("a restored version that is asked for again with its key overwrites no later change", async () => {
  const { json } = await service.call("POST", "/v1/customers", record);
  const path = `/v1/customers/${json.objectId}`;
  await service.call("PATCH", path, { lastName: "Two" });
  const [key, guard] = [newKey(), { "if-match": `"${json.objectId}-2"` }];
  const restore = (headers: Record<string, string>) => service.call("POST", `${path}/restore`, { version: 1 }, headers);
  const first = await restore({ ...key, ...guard });
  await service.call("PATCH", path, { lastName: "Of another" });
  const again = await restore({ ...key, ...guard });
  expect([first.status, again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, 200, first.text, "true"]);
  expect((await service.call("GET", path)).json).toMatchObject({ lastName: "Of another", version: 4 });
  expect((await restore(key)).json.code).toBe("IDEMPOTENCY_KEY_REUSED");
});

test("a deleted record comes back once, and each of several equal requests is told so", async () => {
  const { json } = await service.call("POST", "/v1/customers", record);
  const path = `/v1/customers/${json.objectId}`;
  await service.call("DELETE", path);
  const headers = { ...newKey(), "if-none-match": "*" };
  const restore = () => service.call("POST", `${path}/restore`, { version: 1 }, headers);
  const answers = await Promise.all(Array.from({ length: 10 }, restore));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect([answers[0]?.status, answers[0]?.json.version]).toEqual([201, 3]);
});

test("a key that was used with another body, query or precondition is refused", async () => {
  const key = newKey();
  await service.call("POST", "/v1/customers", record, key);
  for (const [query, body] of [
    ["", { ...record, lastName: "Other" }],
    ["?onConflict=skip", record],
  ] as const) {
    const reply = await service.call("POST", `/v1/customers${query}`, body, key);
    expect([reply.status, reply.json.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  }
});

test("an error of the store is repeated as well", async () => {
  await service.call("POST", "/v1/customers", { ...record, objectId: 70 });
  const key = newKey();
  const first = await service.call("POST", "/v1/customers", { ...record, objectId: 70 }, key);
  await service.call("DELETE", "/v1/customers/70");
  const again = await service.call("POST", "/v1/customers", { ...record, objectId: 70 }, key);
  expect([first.status, again.status, again.text, again.headers["content-type"]]).toEqual([
    409,
    409,
    first.text,
    "application/problem+json",
  ]);
});

test("an invalid body can be corrected under the same key", async () => {
  const key = newKey();
  expect((await service.call("POST", "/v1/customers", { lastName: "" }, key)).status).toBe(422);
  expect((await service.call("POST", "/v1/customers", record, key)).status).toBe(201);
});

test("equal keys of two clients, methods or paths are independent", async () => {
  const key = newKey();
  const first = await service.call("POST", "/v1/customers", record, key);
  const other = { ...key, authorization: `Bearer ${await service.tokenFor("write")}`, "content-type": "application/json" };
  expect((await service.raw("POST", "/v1/customers", other, JSON.stringify(record))).headers["idempotent-replayed"]).toBeUndefined();
  expect((await service.call("PATCH", `/v1/customers/${first.json.objectId}`, record, key)).status).toBe(200);
});

test("whoever goes on with an upload or a batch run gets the answers of who began it, and writes nothing again", async () => {
  const other = async () => ({ authorization: `Bearer ${await service.tokenFor("write")}` });
  const send = (headers: Record<string, string>) => service.call("POST", "/v1/customers?onError=continue", [record, record], headers);
  for (const type of ["upload", "batch"]) {
    const before = await count();
    const own = { ...newKey(), "intake-source": `${type}; run=${type}-1` };
    const first = await send(own);
    const again = await send({ ...own, ...(await other()) });
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([207, first.text, "true"]);
    expect(await count()).toBe(before + 2);
    // Another run is another request, and so is a form's of another client.
    for (const source of [`${type}; run=${type}-2`, "form; run=form-1"])
      expect((await send({ ...own, "intake-source": source, ...(await other()) })).headers["idempotent-replayed"]).toBeUndefined();
  }
});

test("a key sent fifty times at once has one effect", async () => {
  const before = await count();
  const key = newKey();
  const responses = await Promise.all(Array.from({ length: 50 }, () => service.call("POST", "/v1/customers", record, key)));
  expect(new Set(responses.map((reply) => reply.text)).size).toBe(1);
  expect(responses.filter((reply) => reply.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  expect(await count()).toBe(before + 1);
});

test("a stored answer survives a restart", async () => {
  const key = newKey();
  const first = await service.call("POST", "/v1/customers", record, key);
  await service.reopen();
  const again = await service.call("POST", "/v1/customers", record, key);
  expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
});

test("a stored answer is given though the rules were narrowed since, and what was refused can be corrected under its key", async () => {
  const database = await createTestDatabase();
  const first = await openTestService(DICTIONARY, {}, database);
  const headers = { authorization: `Bearer ${await first.tokenFor("write")}`, "content-type": "application/json" };
  // Not by `raw`: the answer of then is not as the rules of now would have it.
  const send = (own: TestService, method: "POST" | "PATCH", url: string, body: unknown, key: string) =>
    own.app.inject({ method, url, headers: { ...headers, "idempotency-key": key }, payload: JSON.stringify(body) });
  const post = (own: TestService, lastName: string, key: string) => send(own, "POST", "/v1/customers", { ...record, lastName }, key);
  const made = await post(first, "Too long by now", "stored");
  const path = `/v1/customers/${made.json().objectId}`;
  const patch = (own: TestService, lastName: string, key: string) => send(own, "PATCH", path, { lastName }, key);
  const restore = (own: TestService, key: string) => send(own, "POST", `${path}/restore`, { version: 1 }, key);
  const changed = await patch(first, "Also too long", "stored");
  const restored = await restore(first, "stored");
  expect([made.statusCode, changed.statusCode, restored.statusCode]).toEqual([201, 200, 200]);
  await first.close();
  const dataPackage = JSON.parse(readFileSync(DICTIONARY, "utf8"));
  const field = dataPackage.resources[0].schema.fields.find(({ name }: { name: string }) => name === "lastName");
  field.constraints = { ...field.constraints, maxLength: 5 };
  const narrowed = join(database.folder, "narrowed.json");
  writeFileSync(narrowed, JSON.stringify(dataPackage));
  const later = await openTestService(narrowed, {}, database);
  try {
    const again = await post(later, "Too long by now", "stored");
    expect([again.statusCode, again.payload, again.headers["idempotent-replayed"]]).toEqual([201, made.payload, "true"]);
    for (const [then, now] of [
      [changed, await patch(later, "Also too long", "stored")],
      [restored, await restore(later, "stored")],
    ] as const)
      expect([now.statusCode, now.payload, now.headers["idempotent-replayed"]]).toEqual([200, then.payload, "true"]);
    expect((await patch(later, "Too long as well", "new")).statusCode).toBe(422);
    expect((await patch(later, "Short", "new")).statusCode).toBe(200);
    expect((await patch(later, "Other", "stored")).json().code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await post(later, "Too long as well", "new")).statusCode).toBe(422);
    expect((await post(later, "Short", "new")).statusCode).toBe(201);
    const [collection] = later.collections;
    expect(collection && (await later.store.count(collection, { words: [], filters: [] }))).toBe(2);
  } finally {
    await later.close();
    await database.drop();
  }
});

test.each(["", " ", "a b", "ü", "x".repeat(256)])("the key %j is refused", async (key) => {
  const reply = await service.call("POST", "/v1/customers", record, { "idempotency-key": key });
  expect([reply.status, reply.json.code, reply.json.errors[0].header]).toEqual([400, "BAD_HEADER", "Idempotency-Key"]);
});

test("the limits route sends a key back, so that a client learns whether keys arrive", async () => {
  const limits = await service.call("GET", "/v1/limits", undefined, { "idempotency-key": "probe" });
  expect([limits.headers["idempotency-key"], limits.json.idempotencyHours]).toEqual(["probe", 24]);
  expect((await service.call("GET", "/v1/limits")).headers["idempotency-key"]).toBeUndefined();
  expect((await service.call("GET", "/v1/limits", undefined, { "idempotency-key": "a b" })).status).toBe(400);
});
