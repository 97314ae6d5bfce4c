// Forms and rows of records that were stored before rules were narrowed.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DICTIONARY, openTestService } from "../../../server/testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../../server/testing/store.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const first = await openTestService(DICTIONARY, {}, database);
  const records = [1, 2, 3, 4].map((objectId) => ({ objectId, lastName: "Longer", accountID: "7" }));
  expect((await first.call("POST", "/v1/customers", records)).status).toBe(201);
  await first.close();
  const dataPackage = JSON.parse(readFileSync(DICTIONARY, "utf8"));
  const [customers] = dataPackage.resources;
  const field = (wanted: string) => customers.schema.fields.find(({ name }: { name: string }) => name === wanted);
  field("lastName").constraints.maxLength = 5;
  field("accountID").constraints.pattern = "A-[0-9]+";
  customers.schema.fields.push({ name: "city", title: "City", type: "string", constraints: { required: true } });
  customers.schema.fields.push({ name: "badge", title: "Badge", type: "string", constraints: { unique: true } });
  customers.list = ["lastName", "firstName"];
  customers.form = ["lastName", "firstName", "accountID", "city", "badge"];
  const narrowed = join(database.folder, "narrowed.json");
  writeFileSync(narrowed, JSON.stringify(dataPackage));
  app = await openTestApp(narrowed, {}, database);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const read = async (id: number) => (await app.service.call("GET", `/v1/customers/${id}`)).json;

test("the form saves what was changed, twice, and leads to what breaks rules of today", async () => {
  const { user } = await openPage(app, "/customers/1");
  const note = within(await screen.findByRole("note"));
  expect(note.getAllByRole("button")).toHaveLength(3);
  await user.click(note.getByRole("button", { name: "Enter the city." }));
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: /^City/ }));
  for (const [i, firstName] of ["Ada", "Bea"].entries()) {
    const input = screen.getByRole("textbox", { name: /^First name/ });
    await user.clear(input);
    await user.type(input, firstName);
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(async () => {
      expect(await read(1)).toMatchObject({ version: i + 2 });
      expect(screen.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).toBe("false");
    }, WAIT);
    expect(await read(1)).toMatchObject({ firstName, lastName: "Longer", accountID: "7", city: null });
  }
  await user.type(screen.getByRole("textbox", { name: /^Last name/ }), "!{Control>}s{/Control}");
  const alert = within(await screen.findByRole("alert", {}, WAIT));
  alert.getByRole("button", { name: "Last name may have at most 5 characters; this has 7." });
  await user.clear(screen.getByRole("textbox", { name: /^Last name/ }));
  await user.type(screen.getByRole("textbox", { name: /^Last name/ }), "Short");
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(within(screen.getByRole("note")).getAllByRole("button")).toHaveLength(2), WAIT);
});

test("a row of the list does so, also of columns that are not shown", async () => {
  const { user } = await openPage(app, "/customers?sort=objectId");
  await screen.findAllByRole("link", { name: "Longer" });
  const row = document.querySelector("tr[data-id='2']") as HTMLElement;
  await user.click(within(row).getByTitle("Edit here (F2)"));
  const input = await within(screen.getByRole("table", { name: "Customers" })).findByRole("textbox", { name: "First name" });
  const note = within(screen.getByRole("note"));
  expect(note.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Last name may have at most 5 characters; this has 6.",
  ]);
  expect(note.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/customers/2", "/customers/2"]);
  await user.type(input, "Ada{Enter}");
  await waitFor(async () => expect(await read(2)).toMatchObject({ firstName: "Ada", lastName: "Longer" }), WAIT);
});

test("Save brings a record back that somebody deleted meanwhile, with what was typed", async () => {
  const { user } = await openPage(app, "/customers/3");
  const input = await screen.findByRole("textbox", { name: /^First name/ });
  await user.type(input, "Ada");
  expect((await app.service.call("DELETE", "/v1/customers/3")).status).toBe(204);
  await user.keyboard("{Control>}s{/Control}");
  await screen.findByText("Someone else has deleted this customer.");
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect(await read(3)).toMatchObject({ firstName: "Ada", lastName: "Longer", city: null }), WAIT);
});

test("Save of a deleted record with a value that another has says so, twice, and takes the next value", async () => {
  const { user } = await openPage(app, "/customers/4");
  const other = { objectId: 9, lastName: "Other", accountID: "A-9", city: "Bonn", badge: "B-1" };
  expect((await app.service.call("POST", "/v1/customers", other)).status).toBe(201);
  await user.type(await screen.findByRole("textbox", { name: /^Badge/ }), "B-1");
  await user.type(screen.getByRole("textbox", { name: /^First name/ }), "Ada");
  expect((await app.service.call("DELETE", "/v1/customers/4")).status).toBe(204);
  await user.keyboard("{Control>}s{/Control}");
  await screen.findByText("Someone else has deleted this customer.");
  await user.keyboard("{Control>}s{/Control}");
  await screen.findByText(/You changed this customer elsewhere/, {}, WAIT);
  expect(screen.queryByText("Someone else has deleted this customer.")).toBeNull();
  for (let n = 0; n < 2; n++) {
    await user.keyboard("{Control>}s{/Control}");
    const alert = within(await screen.findByRole("alert", {}, WAIT));
    await alert.findByRole("button", { name: /Badge/ }, WAIT);
    expect(await read(4)).toMatchObject({ firstName: null, lastName: "Longer", badge: null });
  }
  await user.type(screen.getByRole("textbox", { name: /^Badge/ }), "0");
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect(await read(4)).toMatchObject({ firstName: "Ada", lastName: "Longer", badge: "B-10" }), WAIT);
});
