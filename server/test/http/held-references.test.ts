// References that are held to each other: the contact of an order belongs to the order's customer.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ORDERS, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let service: TestService;
/** An order of `customer` with `contact`, which were stored before the dictionary held them to each other; they do not agree. */
const old = { customer: 0, contact: 0, order: 0, deleted: 0 };
let [customer, other, contact, stranger] = [0, 0, 0, 0];
let numbers = 0;

const make = async (own: TestService, path: string, body: object): Promise<number> => {
  const { status, json } = await own.call("POST", `/v1/${path}`, body);
  expect([status, json.errors]).toEqual([201, undefined]);
  return json.objectId;
};
const newCustomer = (own: TestService) => make(own, "customers", { name: "Ångström", accountNumber: `A-${++numbers}` });
const newContact = (own: TestService, customerId: number) => make(own, "contacts", { name: "Zoë", customerId });
const newOrder = (fields: object, own = service) => make(own, "orders", { orderNumber: `B-${++numbers}`, ...fields });
const send = (method: string, path: string, body?: unknown) => service.call(method, `/v1/${path}`, body);
const errorsOf = ({ status, json }: Awaited<ReturnType<typeof send>>) => [
  status,
  ...(json.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
];

beforeAll(async () => {
  database = await createTestDatabase();
  const dataPackage = JSON.parse(readFileSync(ORDERS, "utf8"));
  for (const { schema } of dataPackage.resources) for (const key of schema.foreignKeys ?? []) delete key.where;
  const loose = join(database.folder, "loose.json");
  writeFileSync(loose, JSON.stringify(dataPackage));
  const first = await openTestService(loose, {}, database);
  old.customer = await newCustomer(first);
  old.contact = await newContact(first, await newCustomer(first));
  const fields = { customerId: old.customer, contactId: old.contact };
  old.order = await newOrder(fields, first);
  old.deleted = await newOrder(fields, first);
  await first.call("DELETE", `/v1/orders/${old.deleted}`);
  await first.close();
  service = await openTestService(ORDERS, {}, database);
});
beforeEach(async () => {
  [customer, other] = [await newCustomer(service), await newCustomer(service)];
  [contact, stranger] = [await newContact(service, customer), await newContact(service, other)];
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

test("a new record takes no parent that does not agree with it, and the sentence names both fields", async () => {
  const order = { customerId: customer, contactId: stranger, orderNumber: `B-${++numbers}` };
  for (const _ of [1, 2]) {
    const refused = await send("POST", "orders", order);
    expect(errorsOf(refused)).toEqual([422, "/contactId REFERENCE_MISMATCH"]);
    expect(refused.json.errors[0].detail).toBe("Contact: this contact has another Customer. Choose one with the same, or change Customer.");
  }
  const many = await send("POST", "orders?onError=continue&dryRun=true", [order, { ...order, contactId: contact }]);
  expect(many.json.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["failed", "created"]);
  expect(errorsOf(await send("POST", `customers/${customer}/orders`, { contactId: stranger, orderNumber: "B-x" }))).toEqual([
    422,
    "/contactId REFERENCE_MISMATCH",
  ]);
  expect(errorsOf(await send("PUT", "orders/77", order))).toEqual([422, "/contactId REFERENCE_MISMATCH"]);
  expect((await send("POST", "orders", { ...order, contactId: contact })).status).toBe(201);
});

test("a change of either field is held, also when a unique field names the parent; of both at once it may go", async () => {
  const id = await newOrder({ customerId: customer, contactId: contact });
  const { accountNumber } = (await send("GET", `customers/${other}`)).json;
  expect(errorsOf(await send("PATCH", `orders/${id}`, { contactId: stranger }))).toEqual([422, "/contactId REFERENCE_MISMATCH"]);
  expect(errorsOf(await send("PATCH", `orders/${id}`, { customerId: other }))).toEqual([422, "/customerId REFERENCE_MISMATCH"]);
  const byAccount = { objectId: id, "customer.accountNumber": accountNumber };
  expect(errorsOf(await send("POST", "orders?onConflict=update", byAccount))).toEqual([422, "/customerId REFERENCE_MISMATCH"]);
  expect((await send("PATCH", `orders/${id}`, { customerId: other, contactId: stranger })).status).toBe(200);
  expect((await send("PATCH", `orders/${id}`, { customerId: customer, contactId: null })).status).toBe(200);
  expect((await send("PATCH", `orders/${id}`, { contactId: contact })).status).toBe(200);
});

test("operations of one batch see each other", async () => {
  const id = await newOrder({ customerId: customer });
  const update = (record: object) => ({ action: "update", record: { objectId: id, ...record } });
  const right = [update({ contactId: contact }), update({ contactId: null }), update({ customerId: other })];
  expect(errorsOf(await send("POST", "orders/batch", right))).toEqual([200]);
  const wrong = [update({ contactId: stranger }), update({ customerId: customer })];
  expect(errorsOf(await send("POST", "orders/batch", wrong))).toEqual([422, "/1/record/customerId REFERENCE_MISMATCH"]);
});

test("a parent is not changed while records agree with it, and is when none does", async () => {
  const ids = [await newOrder({ customerId: customer, contactId: contact }), await newOrder({ customerId: customer, contactId: contact })];
  for (const _ of [1, 2]) {
    const refused = await send("PATCH", `contacts/${contact}`, { customerId: other });
    expect(errorsOf(refused)).toEqual([422, "/customerId REFERENCE_MISMATCH"]);
    expect(refused.json.errors[0].detail).toBe(
      "Customer: 2 records of orders name this contact as Contact and have the same Customer. Change these first.",
    );
  }
  expect((await send("PATCH", `contacts/${contact}`, { customerId: customer, name: "Zoë Hoff" })).status).toBe(200);
  for (const id of ids) expect((await send("PATCH", `orders/${id}`, { contactId: null })).status).toBe(200);
  expect((await send("PATCH", `contacts/${contact}`, { customerId: other })).status).toBe(200);
});

test("what did not agree before the dictionary said so stands in nobody's way, and can be mended from either side", async () => {
  expect((await send("PATCH", `orders/${old.order}`, { status: "open" })).status).toBe(200);
  const whole = (await send("GET", `orders/${old.order}`)).json;
  expect((await send("PUT", `orders/${old.order}`, { ...whole, status: "delivered" })).status).toBe(200);
  expect((await send("POST", `orders/${old.deleted}/restore`, { version: 1 })).status).toBe(201);
  expect((await send("PATCH", `contacts/${old.contact}`, { customerId: old.customer })).status).toBe(200);
  expect(errorsOf(await send("PATCH", `contacts/${old.contact}`, { customerId: other }))).toEqual([422, "/customerId REFERENCE_MISMATCH"]);
});

test("an order and the move of its contact at once: one of both is refused, or they agree", async () => {
  for (let i = 0; i < 5; i++) {
    const moving = await newContact(service, customer);
    const order = { customerId: customer, contactId: moving, orderNumber: `B-${++numbers}` };
    const [made, moved] = await Promise.all([send("POST", "orders", order), send("PATCH", `contacts/${moving}`, { customerId: other })]);
    expect([made.status, moved.status].sort()).toEqual(made.status === 201 ? [201, 422] : [200, 422]);
  }
});
