// The names of parents come with the records that refer to them, so that a page asks for nothing twice.

import { screen, within } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
let order: number;
beforeAll(async () => {
  app = await openTestApp("core/dictionary/orders.example.json");
  const { call } = app.service;
  for (const name of ["Zimmer", "Ångström", "Berg"]) {
    const customerId = (await call("POST", "/v1/customers", { name, accountNumber: name })).json.objectId;
    const contactId = (await call("POST", "/v1/contacts", { name: `Zoë of ${name}`, customerId })).json.objectId;
    order = (await call("POST", "/v1/orders", { customerId, contactId, orderNumber: `B-${name}` })).json.objectId;
  }
  await call("POST", "/v1/orders", { customerId: null, orderNumber: "B-nobody" });
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

/** Counts the requests for records of each collection from now on. Those that only count are left out. */
function countRequests(): Record<string, number> {
  const asked: Record<string, number> = { customers: 0, contacts: 0, orders: 0 };
  const { fetch } = globalThis;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : String(input));
    const [, collection = ""] = /^\/v1\/([a-z]+)(?:\/\d+)?$/.exec(pathname) ?? [];
    if (collection in asked && !searchParams.has("count")) asked[collection] = (asked[collection] ?? 0) + 1;
    return fetch(input, init);
  });
  return asked;
}

test("a list that nobody has opened before names the parents by its own request", async () => {
  const asked = countRequests();
  const { user } = await openPage(app, "/orders?columns=orderNumber,customerId,contactId");
  const table = within(await screen.findByRole("table", { name: "Orders" }));
  for (const name of ["Zimmer", "Ångström", "Berg", "Zoë of Berg"]) expect(await table.findByRole("link", { name })).toBeTruthy();
  expect(asked).toEqual({ customers: 0, contacts: 0, orders: 1 });
  await user.click(table.getByRole("link", { name: "B-Berg" }));
  expect(await screen.findByDisplayValue("Zoë of Berg")).toBeTruthy();
  expect(asked).toMatchObject({ customers: 0, contacts: 0 });
});

test("a record that is opened by its address brings its parents along", async () => {
  const asked = countRequests();
  await openPage(app, `/orders/${order}`);
  expect(await screen.findByDisplayValue("Berg")).toBeTruthy();
  expect(await screen.findByDisplayValue("Zoë of Berg")).toBeTruthy();
  expect(asked).toMatchObject({ customers: 0, contacts: 0 });
});
