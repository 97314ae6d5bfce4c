// A parent with its children in one request: operations on several collections, some of which refer to records of others.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeEach(async () => {
  service = await openTestService(ORDERS);
});
afterEach(() => service.close());

const send = (operations: unknown, query = "", headers: Record<string, string> = {}) =>
  service.call("POST", `/v1/customers/batch${query}`, { operations }, headers);
const total = async (name: string) => (await service.call("GET", `/v1/${name}?limit=1000`)).json[name].length;
const totals = async () => [await total("customers"), await total("contacts"), await total("orders")];

const CUSTOMER = { action: "create", record: { name: "Ada Fox", accountNumber: "A-1" } };
const contact = (ref: unknown, more: object = {}) => ({
  action: "create",
  collection: "contacts",
  record: { name: "Zoë", customerId: { $ref: ref }, ...more },
});
const order = (ref: unknown, orderNumber: string, more: object = {}) => ({
  action: "create",
  collection: "orders",
  record: { customerId: { $ref: ref }, orderNumber, ...more },
});

test("a customer comes with contacts and orders, each with a result of its own, and one undo takes all back", async () => {
  const operations = [CUSTOMER, contact("0"), order("0", "B-1", { contactId: { $ref: "1" } }), order(0, "B-2")];
  const { status, json } = await send(operations, "", { "intake-source": "batch; run=family" });
  expect([status, json.summary]).toMatchObject([200, { total: 4, created: 4, failed: 0 }]);
  const [parent, person, first, second] = json.results;
  expect(json.results.map(({ index, outcome, version }: Record<string, unknown>) => [index, outcome, version])).toEqual([
    [0, "created", 1],
    [1, "created", 1],
    [2, "created", 1],
    [3, "created", 1],
  ]);
  const stored = (await service.call("GET", `/v1/orders/${first.objectId}`)).json;
  expect(stored).toMatchObject({ customerId: parent.objectId, contactId: person.objectId, orderNumber: "B-1" });
  expect((await service.call("GET", `/v1/orders/${second.objectId}`)).json).toMatchObject({ customerId: parent.objectId, contactId: null });
  for (const name of ["orders", "contacts", "customers"])
    expect((await service.call("POST", `/v1/${name}/undo`, { run: "family" })).json.failed).toBe(0);
  expect(await totals()).toEqual([0, 0, 0]);
});

test("nothing stays of a request of which one part fails, whichever it is, and its places name the operations", async () => {
  await service.call("POST", "/v1/orders", { orderNumber: "TAKEN", "customer.accountNumber": "A-0" }); // refused: there is no such customer
  await send([CUSTOMER, order("0", "TAKEN")]);
  expect(await totals()).toEqual([1, 0, 1]);
  const other = { action: "create", record: { name: "Bea", accountNumber: "A-2" } };
  const taken = await send([other, contact("0"), order("0", "TAKEN")]);
  expect([taken.status, taken.json.errors]).toMatchObject([422, [{ pointer: "/operations/2/record/orderNumber", code: "UNIQUE" }]]);
  const twice = await send([other, CUSTOMER, order("1", "B-9")]);
  expect(twice.json.errors).toMatchObject([{ pointer: "/operations/1/record/accountNumber", code: "UNIQUE" }]);
  const wrong = await send([other, contact("0", { name: "" }), order("0", "B-9", { customerId: 7, contactId: "x" })]);
  expect(wrong.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    "/operations/1/record/name",
    "/operations/2/record/contactId",
  ]);
  expect(await totals()).toEqual([1, 0, 1]);
});

test("what is tried stores nothing, gives no id away, and a repeated request is answered once", async () => {
  const operations = [CUSTOMER, order("0", "B-1")];
  const tried = await send(operations, "?dryRun=true");
  expect([tried.status, await totals()]).toEqual([200, [0, 0, 0]]);
  const key = { "idempotency-key": "once" };
  const done = await send(operations, "", key);
  expect(done.json).toEqual(tried.json);
  const again = await send(operations, "", key);
  expect([again.json, again.headers["idempotent-replayed"], await totals()]).toEqual([done.json, "true", [1, 0, 1]]);
  expect((await send(operations, "", { "idempotency-key": "another" })).status).toBe(422);
});

test("the same request from two at once stores one family", async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => send([CUSTOMER, contact("0"), order("0", "B-1")])));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  expect(await totals()).toEqual([1, 1, 1]);
});

test("an existing parent is changed, and gets a child; a child goes before its parent", async () => {
  const made = (await send([CUSTOMER, order("0", "B-1")])).json.results;
  const change = { action: "update", record: { objectId: made[0].objectId, name: "Ada B. Fox" } };
  const { json } = await send([change, order("0", "B-2")]);
  expect(json.results[0].changes).toEqual({ name: ["Ada Fox", "Ada B. Fox"] });
  const orders = [made[1].objectId, json.results[1].objectId].map((objectId) => ({
    action: "delete",
    collection: "orders",
    record: { objectId },
  }));
  const customer = { action: "delete", record: { objectId: made[0].objectId } };
  expect((await send([customer, ...orders])).status).toBe(409);
  expect(await totals()).toEqual([1, 0, 2]);
  expect((await send([...orders, customer])).json.summary.deleted).toBe(3);
  expect(await totals()).toEqual([0, 0, 0]);
});

describe("a reference that means nothing", () => {
  test.each([
    ["to a later operation", [order("1", "B-1"), CUSTOMER], "/operations/0/record/customerId"],
    ["to itself", [order("0", "B-1")], "/operations/0/record/customerId"],
    ["to none", [CUSTOMER, order("9", "B-1")], "/operations/1/record/customerId"],
    ["by no place", [CUSTOMER, order("first", "B-1")], "/operations/1/record/customerId"],
    ["to a record of another collection", [CUSTOMER, contact("0"), order("1", "B-1")], "/operations/2/record/customerId"],
    [
      "in a field that refers to nothing",
      [CUSTOMER, { action: "create", record: { ...CUSTOMER.record, name: { $ref: "0" } } }],
      "/operations/1/record/name",
    ],
    ["to what is deleted", [{ action: "delete", record: { objectId: 1 } }, order("0", "B-1")], "/operations/1/record/customerId"],
  ])("%s is refused at its place", async (_, operations, pointer) => {
    const { status, json } = await send(operations);
    expect([status, json.errors]).toMatchObject([422, [{ pointer }]]);
    expect(await totals()).toEqual([0, 0, 0]);
  });

  test("an unknown collection, and each for itself, are refused", async () => {
    const unknown = await send([CUSTOMER, { action: "create", collection: "things", record: {} }]);
    expect([unknown.status, unknown.json.errors]).toMatchObject([422, [{ pointer: "/operations/1/collection" }]]);
    const each = await send([CUSTOMER, order("0", "B-1")], "?onError=continue");
    expect([each.status, each.json.errors[0].code]).toEqual([422, "FORM"]);
  });
});

describe("whoever has fewer rights", () => {
  const as = async (scope: string) => ({ authorization: `Bearer ${await service.tokenFor(scope)}` });

  test("needs the right to each operation", async () => {
    const operations = [CUSTOMER, order("0", "B-1")];
    const refused = await send(operations, "", await as("customers:create customers:read"));
    expect([refused.status, await totals()]).toEqual([403, [0, 0, 0]]);
    const reading = await send(operations, "", await as("customers:create customers:read orders:read"));
    expect([reading.status, await totals()]).toEqual([403, [0, 0, 0]]);
    expect((await send(operations, "", await as("customers:create orders:create"))).status).toBe(200);
  });

  test("is told of no stored value of a collection that they may not read", async () => {
    const [customer, first] = (await send([CUSTOMER, order("0", "B-1")])).json.results;
    const operations = [
      { action: "update", record: { objectId: customer.objectId, name: "New" } },
      { action: "update", collection: "orders", record: { objectId: first.objectId, orderNumber: "B-2" } },
    ];
    const headers = { ...(await as("customers:read customers:update orders:update")), "idempotency-key": "k" };
    const { json } = await send(operations, "", headers);
    expect(json.results.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      { name: ["Ada Fox", "New"] },
      { orderNumber: ["B-2"] },
    ]);
    expect((await send(operations, "", headers)).json).toEqual(json);
  });
});

test("a thousand children come with their parent", async () => {
  const { status, json } = await send([CUSTOMER, ...Array.from({ length: 1_000 }, (_, i) => order("0", `B-${i}`))]);
  expect([status, json.summary.created, await totals()]).toEqual([200, 1_001, [1, 0, 1_000]]);
});
