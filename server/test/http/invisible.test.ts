// A name with characters that nobody sees is stored, found and told apart as the name that people see.

import { afterAll, beforeAll, expect, test } from "vitest";
import { EMPLOYEES, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let employees: TestService;
beforeAll(async () => {
  [service, employees] = await Promise.all([openTestService(), openTestService(EMPLOYEES)]);
});
afterAll(() => Promise.all([service.close(), employees.close()]));

const HIDDEN = ["\u200b", "\u2060", "\ufeff", "\u00ad"];

test.each(HIDDEN)("a name with %j is stored without it, and found as it was typed", async (hidden) => {
  const lastName = `Zwei${hidden}feld`;
  const { status, json } = await service.call("POST", "/v1/customers", { lastName, accountID: `A-${hidden.charCodeAt(0)}` });
  expect([status, json.lastName]).toEqual([201, "Zweifeld"]);
  for (const query of [
    `lastName=${encodeURIComponent(lastName)}`,
    "lastName=Zweifeld",
    `q=${encodeURIComponent(lastName)}`,
    "q=zweifeld",
  ]) {
    const found = await service.call("GET", `/v1/customers?${query}`);
    expect(found.json.customers.map(({ objectId }: { objectId: number }) => objectId)).toContain(json.objectId);
  }
  const { json: changed } = await service.call("PATCH", `/v1/customers/${json.objectId}`, { lastName: `Zweifeld${hidden}` });
  expect([changed.version, changed.lastName]).toEqual([1, "Zweifeld"]); // nothing that anybody would see
});

test("a unique value is the same with such a character and without", async () => {
  const employee = { name: "Zoë", age: 41, permanent: true, location: "Utrecht", workload: 1, badge: "NL-0042" };
  const { status } = await employees.call("POST", "/v1/employees", employee);
  const again = await employees.call("POST", "/v1/employees", { ...employee, badge: "NL\u200b-0042" });
  expect([status, again.status, again.json.errors?.[0]?.code]).toEqual([201, 422, "UNIQUE"]);
});

test("a Greek name is found whichever sigma ends the search", async () => {
  await service.call("POST", "/v1/customers", { lastName: "Οδοσημα", accountID: "G-1" });
  for (const q of ["ΟΔΟΣ", "οδός", "οδοσ"]) {
    const { json } = await service.call("GET", `/v1/customers?q=${encodeURIComponent(q)}`);
    expect(json.customers.map((one: { accountID: string }) => one.accountID)).toEqual(["G-1"]);
  }
});
