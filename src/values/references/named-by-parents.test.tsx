// Records that the dictionary calls by the records to which they refer, as an enrolment by its student and its course.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { screen, waitFor } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import ordersPackage from "../../../core/dictionary/orders.example.json" with { type: "json" };
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
let folder: string;
let order: number;
let customer: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-named-"));
  const resources = ordersPackage.resources.map((one) => (one.name === "orders" ? { ...one, label: ["customerId", "contactId"] } : one));
  writeFileSync(join(folder, "datapackage.json"), JSON.stringify({ ...ordersPackage, resources }));
  app = await openTestApp(join(folder, "datapackage.json"));
  customer = await made("customers", { name: "Bäckerei Ångström", accountNumber: "A-1", city: "Utrecht" });
  const contactId = await made("contacts", { customerId: customer, name: "Zoë Hoff" });
  order = await made("orders", { customerId: customer, contactId, orderNumber: "B-1" });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function made(collection: string, record: object): Promise<number> {
  return Number((await app.service.call("POST", `/v1/${collection}`, record)).json.objectId);
}

const NAME = "Bäckerei Ångström Zoë Hoff";

test("have these names on their page and in the palette", async () => {
  const { user } = await openPage(app, `/orders/${order}`);
  await screen.findByRole("heading", { name: NAME, level: 1 });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "Find or go to" }), "B-1");
  await screen.findByRole("option", { name: new RegExp(`^${NAME}`) });
});

test("are selected by these names in a list", async () => {
  await openPage(app, "/orders");
  await screen.findByRole("checkbox", { name: `Select ${NAME}` });
});

test("have the name of the parent that was chosen last, after they were saved", async () => {
  const other = await made("customers", { name: "Another Ltd", accountNumber: "A-2" });
  const id = await made("orders", { customerId: customer, orderNumber: "B-2" });
  const { user } = await openPage(app, `/orders/${id}`);
  await screen.findByRole("heading", { name: "Bäckerei Ångström", level: 1 });
  const picker = await screen.findByRole("combobox", { name: "Customer" });
  await user.clear(picker);
  await user.type(picker, "another");
  await user.click(await screen.findByRole("option", { name: /Another Ltd/ }));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByRole("heading", { name: "Another Ltd", level: 1 });
  expect((await app.service.call("GET", `/v1/orders/${id}`)).json.customerId).toBe(other);
});

test("are never called by the number of a parent, also where its name is not known", async () => {
  const id = await made("orders", { customerId: customer, orderNumber: "B-3" });
  await app.service.call("DELETE", `/v1/orders/${id}`);
  await openPage(app, "/orders/deleted");
  await waitFor(() => expect(screen.getByRole("table", { name: "Deleted orders" }).textContent).toContain(`Object ID ${id}`));
});
