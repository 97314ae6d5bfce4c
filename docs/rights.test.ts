// The roles of docs/rights.md: each is posted as it stands there and does what the page says.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EMPLOYEES, ORDERS, openTestService, type TestService } from "../server/testing/service.ts";

const blocks = [...readFileSync("docs/rights.md", "utf8").matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => JSON.parse(text));
const roleCalled = (name: string) => blocks.find((block) => block.name === name && block.scope);
const attributes = blocks.find((block) => block.attributes);

let orders: TestService;
let employees: TestService;
beforeAll(async () => {
  orders = await openTestService(ORDERS);
  employees = await openTestService(EMPLOYEES);
  const add = async (collection: string, body: object) =>
    expect((await orders.call("POST", `/v1/${collection}`, body)).status, JSON.stringify(body)).toBe(201);
  await add("customers", { objectId: 7, name: "Bakery", accountNumber: "A-7", city: "Utrecht" });
  await add("customers", { objectId: 8, name: "Smith", accountNumber: "A-8", city: "Lagos" });
  await add("contacts", { objectId: 1, customerId: 7, name: "Ada", email: "planted@example.org" });
  await add("orders", { objectId: 71, customerId: 7, orderNumber: "O-71", status: "open", total: 1234.5 });
  await add("orders", { objectId: 81, customerId: 8, orderNumber: "O-81", status: "open", total: 99 });
  for (const [id, location] of [
    [1, "Utrecht"],
    [2, "Lagos"],
  ]) {
    const person = { id, name: `Person ${id}`, permanent: true, location, salary: 98765, birthday: "1990-04-05", contract: "full" };
    expect((await employees.call("POST", "/v1/employees", person)).status).toBe(201);
  }
});
afterAll(async () => {
  await orders.close();
  await employees.close();
});

type Call = (
  method: "GET" | "POST" | "PATCH",
  path: string,
  body?: object,
) => Promise<{ status: number; text: string; json: Awaited<ReturnType<TestService["raw"]>>["json"] }>;

/** Without the check of answers against the document, which is that of an administrator here. */
const callerOf =
  (service: TestService, token: string): Call =>
  async (method, path, body) => {
    const { statusCode, payload } = await service.app.inject({
      method,
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: statusCode, text: payload, json: /^[[{]/.test(payload) ? JSON.parse(payload) : undefined };
  };
async function newRole(service: TestService, name: string): Promise<string> {
  const { status, json, text } = await service.call("POST", "/v1/roles", roleCalled(name));
  expect(status, text).toBe(201);
  return json.id;
}
async function personWith(service: TestService, role: string, change?: object): Promise<Call> {
  const { id, token } = await service.newPerson(await newRole(service, role));
  if (change) expect((await service.call("PATCH", `/v1/users/${id}`, change)).status).toBe(200);
  return callerOf(service, token);
}
const idsOf = async (call: Call, collection: string, key = "objectId") =>
  (await call("GET", `/${collection}`)).json[collection].map((record: Record<string, number>) => record[key]);

test("each case has its role", () => {
  expect(blocks.filter((block) => block.scope).map(({ name }) => name)).toEqual([
    "Branch",
    "Team lead",
    "Auditor",
    "Temp",
    "Bakery's web shop",
  ]);
});

describe("a branch", () => {
  test("sees, changes and adds what belongs to its cities", async () => {
    const call = await personWith(orders, "Branch", attributes);
    expect(await idsOf(call, "customers")).toEqual([7]);
    expect(await idsOf(call, "orders")).toEqual([71]);
    expect((await call("GET", "/customers/8")).status).toBe(404);
    expect((await call("PATCH", "/customers/8", { name: "Mine" })).status).toBe(404);
    expect((await call("PATCH", "/customers/7", { name: "Bakery & Co" })).status).toBe(200);
    expect((await call("POST", "/orders", { customerId: 7, orderNumber: "O-72" })).status).toBe(201);
    expect((await call("POST", "/orders", { customerId: 8, orderNumber: "O-82" })).status).toBeGreaterThanOrEqual(400);
  });

  test("without its attribute sees nothing", async () => {
    const { token } = await orders.newPerson(
      (await orders.call("GET", "/v1/roles")).json.roles.find((one: { name: string }) => one.name === "Branch").id,
    );
    const call = callerOf(orders, token);
    expect(await idsOf(call, "customers")).toEqual([]);
    expect((await call("GET", "/orders/71")).status).toBe(404);
  });
});

test("a team lead sees their people, without what they earn, and moves nobody out of sight", async () => {
  const call = await personWith(employees, "Team lead", { attributes: { locations: ["Utrecht"] } });
  expect(await idsOf(call, "employees", "id")).toEqual([1]);
  for (const path of ["/employees/1", "/employees", "/employees/1/history", "/dictionary"]) {
    const { status, text } = await call("GET", path);
    expect(status).toBe(200);
    expect(text, path).not.toMatch(/98765|1990-04-05|salary|birthday/);
  }
  for (const filter of ["salary=98765", "sort=salary", "birthday[gte]=1990-01-01"])
    expect((await call("GET", `/employees?${filter}`)).status, filter).toBe(400);
  expect((await call("PATCH", "/employees/1", { location: "Lagos" })).status).toBe(422);
  expect((await call("PATCH", "/employees/1", { contract: "temp" })).status).toBe(422);
  expect((await call("PATCH", "/employees/1", { name: "Anna" })).status).toBe(200);
  expect((await employees.call("GET", "/v1/employees/1")).json).toMatchObject({ name: "Anna", salary: "98765", location: "Utrecht" });
});

test("an auditor reads everything and takes nothing along", async () => {
  const call = await personWith(orders, "Auditor");
  expect((await idsOf(call, "customers")).sort()).toEqual([7, 8]);
  expect((await call("GET", "/me")).json.unexported.sort()).toEqual(["contacts", "customers", "orders"]);
  for (const collection of ["customers", "contacts", "orders"]) expect((await call("GET", `/${collection}.csv`)).status).toBe(403);
  expect((await call("GET", "/contacts/1")).text).not.toContain("planted@");
  expect((await call("PATCH", "/customers/7", { name: "x" })).status).toBe(403);
  expect((await call("GET", "/customers/7")).json).toMatchObject({ name: "Bakery & Co", accountNumber: "••••" });
  expect((await call("GET", "/customers?accountNumber=A-7")).status).toBe(400);
});

test("a temp enters open orders, sees those, and leaves what is delivered alone", async () => {
  const call = await personWith(orders, "Temp");
  expect(await idsOf(call, "orders")).toEqual([]);
  expect((await call("POST", "/orders", { customerId: 7, orderNumber: "T-1", status: "delivered" })).status).toBeGreaterThanOrEqual(400);
  const { status, json } = await call("POST", "/orders", { customerId: 7, orderNumber: "T-1", status: "open" });
  expect(status).toBe(201);
  expect(await idsOf(call, "orders")).toEqual([json.objectId]);
  const at = `/orders/${json.objectId}`;
  expect((await call("PATCH", at, { orderNumber: "T-2" })).status).toBe(200);
  expect((await call("PATCH", at, { total: 1 })).status).toBe(422);
  expect((await call("PATCH", at, { status: "delivered" })).status).toBeGreaterThanOrEqual(400);
  expect((await orders.call("PATCH", `/v1${at}`, { status: "delivered" })).status).toBe(200);
  expect((await call("PATCH", at, { orderNumber: "T-3" })).status).toBeGreaterThanOrEqual(400);
  expect((await call("GET", at)).status).toBe(200);
});

test("a partner's key sees the partner's orders, and adds open ones", async () => {
  const role = await newRole(orders, "Bakery's web shop");
  const body = blocks.find((block) => block.roles);
  const made = await orders.call("POST", "/v1/keys", { ...body, roles: [role] });
  expect(made.status).toBe(201);
  const call = callerOf(orders, made.json.key);
  expect(await idsOf(call, "orders")).not.toContain(81);
  expect((await call("GET", "/orders/71")).json).not.toHaveProperty("total");
  expect((await call("GET", "/orders/81")).status).toBe(404);
  expect((await call("GET", "/customers/7")).status).toBe(403);
  expect((await call("POST", "/orders", { customerId: 7, orderNumber: "B-1", status: "open" })).status).toBe(201);
  expect((await call("POST", "/orders", { customerId: 8, orderNumber: "B-2", status: "open" })).status).toBeGreaterThanOrEqual(400);
  expect((await call("GET", "/changes")).text).not.toContain("O-81");
  expect((await orders.call("DELETE", `/v1/roles/${role}`)).status).toBe(409);
});
