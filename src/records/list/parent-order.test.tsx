import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp("core/dictionary/orders.example.json");
  const { call } = app.service;
  for (const [i, name] of ["Zimmer", "Ångström", "Berg"].entries()) {
    await call("POST", "/v1/customers", { objectId: i + 1, name, accountNumber: `A-${i}` });
    await call("POST", "/v1/orders", { customerId: i + 1, orderNumber: `B-${i}` });
  }
});
afterAll(() => app.close());

const table = async () => within(await screen.findByRole("table", { name: "Orders" }));
const customers = async () =>
  (await table()).getAllByRole("row").flatMap(({ textContent }) => /Zimmer|Ångström|Berg/.exec(textContent ?? "") ?? []);

test("the heading of a reference sorts by what is shown: the names of the parents", async () => {
  const { user } = await openPage(app, "/orders");
  const order = async () => (await table()).getByRole("columnheader", { name: "Customer" }).getAttribute("aria-sort");
  for (const [address, sort, names] of [
    ["?sort=customer", "ascending", ["Ångström", "Berg", "Zimmer"]],
    ["?sort=-customer", "descending", ["Zimmer", "Berg", "Ångström"]],
  ] as const) {
    await user.click((await table()).getByRole("button", { name: "Customer" }));
    await waitFor(async () => expect([location.search, await order(), await customers()]).toEqual([address, sort, names]));
  }
});

test("an order by the key, as an earlier version kept it in a view, is shown at the same heading", async () => {
  const { user } = await openPage(app, "/orders?sort=-customerId");
  await waitFor(async () => expect(await customers()).toEqual(["Berg", "Ångström", "Zimmer"]));
  expect((await table()).getByRole("columnheader", { name: "Customer" }).getAttribute("aria-sort")).toBe("descending");
  await user.click((await table()).getByRole("button", { name: "Customer" }));
  await waitFor(() => expect(location.search).toBe("?sort=customer"));
});
