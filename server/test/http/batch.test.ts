// POST to `batch`: operations with an action each, in order, all or nothing or each on its own.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeEach(async () => {
  service = await openTestService();
});
afterEach(() => service.close());

const PATH = "/v1/customers/batch";
const customer = (objectId?: number, lastName = "Ek") => ({ ...(objectId !== undefined && { objectId }), lastName, accountID: "1" });
const create = (objectId?: number, lastName?: string) => ({ action: "create", record: customer(objectId, lastName) });
const update = (objectId: number, fields: object) => ({ action: "update", record: { objectId, ...fields } });
const remove = (objectId: number, fields: object = {}) => ({ action: "delete", record: { objectId, ...fields } });
const send = (operations: unknown, query = "", headers = {}) => service.call("POST", PATH + query, { operations }, headers);
const read = async (id: number) => (await service.call("GET", `/v1/customers/${id}`)).json;
const stored = async () => (await service.call("GET", "/v1/customers?limit=1000&sort=objectId")).json.customers;
const historyOf = async (id: number) => (await service.call("GET", `/v1/customers/${id}/history`)).json.history;

test("each action does what its name says, and the report has one result for each", async () => {
  await service.call("POST", "/v1/customers", [customer(1), customer(2), customer(3)]);
  const { status, json } = await send([
    create(9, "New"),
    update(1, { lastName: "Changed" }),
    { action: "upsert", record: customer(2, "Ek") },
    { action: "upsert", record: customer(8, "Made") },
    remove(3),
  ]);
  expect(status).toBe(200);
  expect(json.results).toEqual([
    { index: 0, outcome: "created", status: 201, objectId: 9, version: 1 },
    { index: 1, outcome: "updated", status: 200, objectId: 1, version: 2, changes: { lastName: ["Ek", "Changed"] } },
    { index: 2, outcome: "unchanged", status: 200, objectId: 2, version: 1 },
    { index: 3, outcome: "created", status: 201, objectId: 8, version: 1 },
    { index: 4, outcome: "deleted", status: 200, objectId: 3, version: 1 },
  ]);
  expect(json.summary).toEqual({ total: 5, created: 2, updated: 1, unchanged: 1, deleted: 1, failed: 0 });
  expect((await stored()).map((one: { objectId: number; lastName: string }) => [one.objectId, one.lastName])).toEqual([
    [1, "Changed"],
    [2, "Ek"],
    [8, "Made"],
    [9, "New"],
  ]);
});

test("a bare array is taken as well, and a record without a key gets one", async () => {
  const { status, json } = await service.call("POST", PATH, [create(), create()]);
  expect([status, json.results.map(({ objectId }: { objectId: number }) => objectId)]).toEqual([200, [1_000_000_001, 1_000_000_002]]);
});

test("one record may come several times: each operation meets what those before it left", async () => {
  const operations = [create(7, "First"), update(7, { lastName: "Second" }), remove(7), create(7, "Third"), update(7, { firstName: "A" })];
  const { json } = await send(operations, "", { "intake-source": "batch; run=r7" });
  const brief = json.results.map(({ outcome, version }: { outcome: string; version: number }) => [outcome, version]);
  expect(brief).toEqual([
    ["created", 1],
    ["updated", 2],
    ["deleted", 2],
    ["created", 4],
    ["updated", 5],
  ]);
  expect(await read(7)).toMatchObject({ firstName: "A", lastName: "Third", version: 5 });
  const history = await historyOf(7);
  expect(history.map(({ version, operation }: { version: number; operation: string }) => [version, operation])).toEqual([
    [5, "updated"],
    [4, "created"],
    [3, "deleted"],
    [2, "updated"],
    [1, "created"],
  ]);
  const feed = (await service.call("GET", "/v1/changes?collection=customers&limit=100&wait=20")).json.changes;
  expect(feed.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3, 4, 5]);
  const undone = await service.call("POST", "/v1/customers/undo", { run: "r7" });
  expect(undone.json).toMatchObject({ reversed: 5, kept: 0, failed: 0, size: 5, next: null });
  expect((await read(7)).code).toBe("NOT_FOUND");
});

test("an undo brings back a record that a run changed, deleted and made again", async () => {
  await service.call("POST", "/v1/customers", [customer(7, "Before"), customer(8, "Kept")]);
  await send([update(7, { lastName: "Run" }), remove(7), create(7, "Again"), remove(8)], "", { "intake-source": "batch; run=r8" });
  const undone = await service.call("POST", "/v1/customers/undo", { run: "r8" });
  expect(undone.json).toMatchObject({ reversed: 4, kept: 0, failed: 0, size: 4 });
  expect([(await read(7)).lastName, (await read(8)).lastName]).toEqual(["Before", "Kept"]);
});

test("all or nothing names every operation in the way, and writes nothing", async () => {
  await service.call("POST", "/v1/customers", customer(1));
  const { status, json } = await send([create(2), create(1), { action: "create", record: { lastName: "" } }, remove(5), update(6, {})]);
  expect([status, json.code]).toEqual([422, "VALIDATION"]);
  expect(json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])).toEqual([
    ["/operations/1/record/objectId", "ALREADY_EXISTS"],
    ["/operations/2/record/lastName", "REQUIRED"],
    ["/operations/2/record/accountID", "REQUIRED"],
    ["/operations/3/record/objectId", "NOT_FOUND"],
    ["/operations/4/record/objectId", "NOT_FOUND"],
  ]);
  expect(await stored()).toHaveLength(1);
});

test("with onError=continue each is for itself, also when an operation before it on the same record failed", async () => {
  const { status, json } = await send([update(7, { lastName: "X" }), create(7), create(7), remove(7), remove(7)], "?onError=continue");
  expect([status, json.summary]).toEqual([207, { total: 5, created: 1, updated: 0, unchanged: 1, deleted: 1, failed: 2 }]);
  expect(json.results[0]).toMatchObject({ outcome: "failed", status: 404, objectId: 7, problem: { code: "NOT_FOUND" } });
  expect(json.results[2].problem.errors[0]).toMatchObject({ pointer: "/operations/2/record/objectId", href: "/v1/customers/7" });
});

test("with match=version each change and deletion needs the version that it meets", async () => {
  await service.call("POST", "/v1/customers", [customer(1), customer(2)]);
  const lacking = await send([update(1, { lastName: "X" }), remove(2), create(3)], "?match=version");
  expect([lacking.status, lacking.json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ["/operations/0/record/version", "/operations/1/record/version"],
  ]);
  const stale = await send([update(1, { lastName: "X", version: 1 }), remove(2, { version: 9 })], "?match=version");
  expect([stale.status, stale.json.code]).toEqual([412, "PRECONDITION_FAILED"]);
  const operations = [update(1, { lastName: "X", version: 1 }), remove(1, { version: 2 }), remove(2, { version: 1 }), create(3)];
  expect((await send(operations, "?match=version")).json.summary).toMatchObject({ created: 1, updated: 1, deleted: 2 });
});

test("a dry run answers the same and writes nothing", async () => {
  const operations = [create(7), update(7, { lastName: "X" }), remove(7), remove(8)];
  const dry = await send(operations, "?onError=continue&dryRun=true");
  expect(await stored()).toEqual([]);
  const real = await send(operations, "?onError=continue");
  const brief = ({ json }: typeof real) => json.results.map(({ outcome, version }: Record<string, unknown>) => [outcome, version]);
  expect([dry.json.summary, brief(dry)]).toEqual([real.json.summary, brief(real)]);
});

test("with an idempotency key it is done once, and the key is no other request's", async () => {
  const headers = { "idempotency-key": "b1" };
  const first = await send([create(), remove(4)], "?onError=continue", headers);
  const again = await send([create(), remove(4)], "?onError=continue", headers);
  expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
  expect(await stored()).toHaveLength(1);
  expect((await send([create()], "?onError=continue", headers)).json.code).toBe("IDEMPOTENCY_KEY_REUSED");
});

describe("the rights", () => {
  const sendAs = async (scope: string, operations: unknown[]) => {
    const reply = await send(operations, "", { authorization: `Bearer ${await service.tokenFor(scope)}` });
    return [reply.status, reply.json.code ?? "", reply.headers["www-authenticate"]?.match(/scope="(.*)"/)?.[1] ?? ""];
  };
  const upsert = { action: "upsert", record: customer(5) };

  test.each([
    ["customers:create", [create(), remove(1)], "customers:delete"],
    ["customers:create", [create(), update(1, {})], "customers:update"],
    ["customers:create", [upsert], "customers:update"],
    ["customers:update", [upsert], "customers:create"],
    ["customers:update", [remove(1)], "customers:delete"],
    ["customers:delete", [create(), remove(1), update(1, {})], "customers:create customers:update"],
    ["customers:read", [create()], "customers:create customers:update customers:delete"],
    ["orders:create orders:delete", [create()], "customers:create customers:update customers:delete"],
  ])("a key for %s does nothing of a batch that needs more", async (scope, operations, missing) => {
    await service.call("POST", "/v1/customers", customer(1));
    expect(await sendAs(scope, operations)).toEqual([403, "INSUFFICIENT_SCOPE", missing]);
    expect(await stored()).toHaveLength(1);
  });

  test("each action is done by a key that has no more than its right", async () => {
    expect(await sendAs("customers:create", [create(1)])).toEqual([200, "", ""]);
    expect(await sendAs("customers:update", [update(1, { lastName: "X" })])).toEqual([200, "", ""]);
    expect(await sendAs("customers:create customers:update", [upsert])).toEqual([200, "", ""]);
    expect(await sendAs("customers:delete", [remove(1)])).toEqual([200, "", ""]);
  });
});

const FORM = '{"operations":[{"action":"create","record":{…}}]}';
test.each([
  ["no array", { action: "create", record: {} }, [["", "FORM", FORM]]],
  ["an empty array", { operations: [] }, [["/operations", "FORM", "empty"]]],
  ["two members", { operations: [create()], more: 1 }, [["", "FORM", FORM]]],
  [
    "a bare record",
    [customer(1)],
    [["/0/lastName", "UNKNOWN_FIELD", "nothing else"], ["/0/accountID"], ["/0/objectId"], ["/0/action"], ["/0/record"]],
  ],
  ["a word", ["create"], [["/0", "FORM", "JSON object"]]],
  ["no action", { operations: [{ record: {} }] }, [["/operations/0/action", "REQUIRED", "create, update, upsert, delete"]]],
  ["another action", [{ action: "insert", record: {} }], [["/0/action", "ENUM", "create, update, upsert, delete"]]],
  ["no record", [{ action: "delete" }], [["/0/record", "REQUIRED", "its key is enough"]]],
  [
    "another record",
    [{ action: "delete", records: [] }],
    [
      ["/0/records", "UNKNOWN_FIELD"],
      ["/0/record", "REQUIRED"],
    ],
  ],
  ["a record that is none", [{ action: "create", record: 7 }], [["/0/record", "FORM", "JSON object"]]],
  ["a deletion without a key", [{ action: "delete", record: {} }], [["/0/record/objectId", "REQUIRED"]]],
  ["a change without a key", [{ action: "update", record: { lastName: "A" } }], [["/0/record/objectId", "REQUIRED"]]],
])("%s is refused by what is wrong and where", async (_, body, wanted) => {
  const { status, json } = await service.call("POST", PATH, body);
  expect([status, json.code]).toEqual([422, "VALIDATION"]);
  const found = json.errors as { pointer: string; code: string; detail: string }[];
  for (const [pointer, code, detail] of wanted) {
    const one = found.find((error) => error.pointer === pointer);
    expect([pointer, one?.code, one?.detail]).toEqual([pointer, code ?? one?.code, expect.stringContaining(detail ?? "")]);
  }
  expect(found).toHaveLength(wanted.length);
});

test("too many operations are refused", async () => {
  const { status } = await send(Array.from({ length: 10_001 }, () => remove(1)));
  expect(status).toBe(413);
});

test("references are held to, and what depends on a deleted record goes along", async () => {
  const orders = await openTestService(ORDERS);
  try {
    const post = async (path: string, body: unknown) => (await orders.call("POST", `/v1/${path}`, body)).json;
    const one = (await post("customers", { name: "A", accountNumber: "A-1" })).objectId;
    const two = (await post("customers", { name: "B", accountNumber: "B-1" })).objectId;
    await post("orders", { customerId: one, orderNumber: "1" });
    const contact = (await post("contacts", { customerId: two, name: "Zoë" })).objectId;
    const removals = [one, two].map((objectId) => ({ action: "delete", record: { objectId } }));
    const { summary, results } = await post("customers/batch?onError=continue", removals);
    expect([summary.deleted, summary.failed, results[0].problem.code]).toEqual([1, 1, "IN_USE"]);
    expect((await orders.call("GET", `/v1/contacts/${contact}`)).status).toBe(404);
    // The unique value that one record gives up is free for the next, in the order of the request.
    const again = [
      { action: "create", record: { objectId: 70, name: "C", accountNumber: "C-1" } },
      { action: "delete", record: { objectId: 70 } },
      { action: "create", record: { objectId: 71, name: "C", accountNumber: "C-1" } },
      { action: "update", record: { objectId: 71, accountNumber: "C-2" } },
      { action: "create", record: { objectId: 70, name: "C", accountNumber: "C-1" } },
    ];
    expect((await post("customers/batch", again)).summary).toMatchObject({ created: 3, updated: 1, deleted: 1 });
    const order = { action: "create", record: { "customer.accountNumber": "C-2", orderNumber: "2" } };
    expect((await post("orders/batch", [order])).results[0]).toMatchObject({ outcome: "created" });
  } finally {
    await orders.close();
  }
});
