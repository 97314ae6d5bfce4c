// Data quality: what breaks rules of today is counted, listed and corrected, one by one and many at once.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { countOnce, dayOf } from "../../../server/records/count-violations.ts";
import { DICTIONARY, openTestService } from "../../../server/testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../../server/testing/store.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const first = await openTestService(DICTIONARY, {}, database);
  const records = Array.from({ length: 60 }, (_, i) => ({ objectId: i + 1, lastName: i < 3 ? "Longer" : "Short", accountID: "A" }));
  expect((await first.call("POST", "/v1/customers", records)).status).toBe(201);
  await first.close();
  const dataPackage = JSON.parse(readFileSync(DICTIONARY, "utf8"));
  for (const field of dataPackage.resources[0].schema.fields) {
    if (field.name === "lastName") field.constraints.maxLength = 5;
    if (field.name === "firstName") field.constraints = { ...field.constraints, required: true };
  }
  dataPackage.resources[0].rules = [
    { name: "firstLonger", must: 'lastName != "Longer"', message: "Nobody is called Longer.", fields: ["lastName", "firstName"] },
  ];
  const narrowed = join(database.folder, "narrowed.json");
  writeFileSync(narrowed, JSON.stringify(dataPackage));
  app = await openTestApp(narrowed, {}, database);
});
afterEach(cleanup);
afterAll(async () => {
  await app.close();
  await database.drop();
});

const read = async (id: number) => (await app.service.call("GET", `/v1/customers/${id}`)).json;

test("the rules that are broken are listed with their counts, and lead to the records", async () => {
  const { user } = await openPage(app, "/customers/dictionary");
  await user.click(await screen.findByRole("link", { name: "Data quality" }));
  const table = within(await screen.findByRole("table", { name: "Broken rules" }, WAIT));
  expect(table.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "ProblemCustomers",
    "First name is missing60",
    "Last name is longer than 5 characters3",
    "Nobody is called Longer.3",
  ]);
  await user.click(table.getByRole("link", { name: "Last name is longer than 5 characters" }));
  await screen.findByRole("heading", { name: "Last name is longer than 5 characters" });
  expect(await screen.findAllByRole("link", { name: "Longer" }, WAIT)).toHaveLength(3);
});

test("a rule over several fields leads to its records, with all its fields", async () => {
  const { user } = await openPage(app, "/customers/dictionary?quality=all");
  await user.click(await screen.findByRole("link", { name: "Nobody is called Longer." }, WAIT));
  await screen.findByRole("heading", { name: "Nobody is called Longer." });
  expect(await screen.findAllByRole("link", { name: "Longer" }, WAIT)).toHaveLength(3);
  const table = within(screen.getByRole("table"));
  expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(["Name", "Last name", "First name", "Changed"]);
});

test("some are left as they are though they break a constraint, and count again when told to", async () => {
  const { user } = await openPage(app, "/customers/dictionary?quality=maxLength&field=lastName");
  await screen.findAllByRole("link", { name: "Longer" }, WAIT);
  await user.click(screen.getByRole("checkbox", { name: "Select this page" }));
  await user.click(screen.getByRole("button", { name: "Leave as it is…" }));
  await user.type(await screen.findByRole("textbox", { name: "Reason" }, WAIT), "A long family.");
  await user.click(screen.getByRole("button", { name: "Leave as it is" }));
  await screen.findByText("Nothing breaks this rule any more.", {}, WAIT);
  await user.click(screen.getByRole("link", { name: "Left on purpose" }));
  expect(await screen.findAllByText("A long family.", {}, WAIT)).toHaveLength(3);
  for (let left = 3; left > 0; left--) {
    await user.click((await screen.findAllByRole("button", { name: /^Count again/ }, WAIT))[0] as HTMLElement);
    await waitFor(() => expect(screen.queryAllByText("A long family.")).toHaveLength(left - 1), WAIT);
  }
});

test("one is corrected on its page, the others at once, and they leave the list", async () => {
  const { user } = await openPage(app, "/customers/dictionary?quality=maxLength&field=lastName");
  const [link] = await screen.findAllByRole("link", { name: "Longer" }, WAIT);
  expect(link?.getAttribute("href")).toBe("/customers/1");
  await app.service.call("PATCH", "/v1/customers/1", { lastName: "One" });
  await user.click(screen.getByRole("checkbox", { name: "Select this page" }));
  await user.click(screen.getByRole("button", { name: "Correct 3 customers…" }));
  const dialog = within(await screen.findByRole("dialog", {}, WAIT));
  expect((dialog.getByRole("combobox", { name: "Field" }) as HTMLSelectElement).value).toBe("lastName");
  await user.type(dialog.getByRole("textbox", { name: "New value" }), "Brief");
  await user.click(dialog.getByRole("button", { name: "Show what would change" }));
  await user.click(await dialog.findByRole("button", { name: /^Change 2/ }, WAIT));
  await waitFor(async () => expect([(await read(2)).lastName, (await read(3)).lastName]).toEqual(["Brief", "Brief"]), WAIT);
  expect((await read(1)).lastName).toBe("One"); // somebody else had corrected it
});

test("all of several pages are picked by one press", async () => {
  const { user } = await openPage(app, "/customers/dictionary?quality=required&field=firstName");
  await user.click(await screen.findByRole("link", { name: "Next page" }, WAIT));
  await screen.findByRole("link", { name: "First page" }, WAIT);
  await user.click(screen.getByRole("button", { name: "Select all of them" }));
  await screen.findByRole("button", { name: "Correct 60 customers…" }, WAIT);
});

test("the start page names them for whoever may change rules, and for nobody else", async () => {
  const { user } = await openPage(app, "/");
  await user.click(await screen.findByRole("link", { name: /^Customers: \d+ values break rules of today/ }, WAIT));
  await screen.findByRole("table", { name: "Broken rules" }, WAIT);
  cleanup();
  await openPage(app, "/", await createKeys(app.service.store).create("customers:read customers:update"));
  await screen.findByText("Everything arrived as it should", {}, WAIT);
  expect(screen.queryByText(/rules of today/)).toBeNull();
});

test("whoever may only read sees them, and is offered nothing that fails", async () => {
  const key = await createKeys(app.service.store).create("customers:read");
  await openPage(app, "/customers/dictionary?quality=required&field=firstName", key);
  await screen.findByRole("link", { name: "Next page" }, WAIT);
  await waitFor(() => expect(screen.queryByRole("checkbox")).toBeNull(), WAIT);
  expect(screen.queryByRole("button", { name: "Select all of them" })).toBeNull();
});

test("the days are drawn as bars, and say the same in a table", async () => {
  const { collections, store } = app.service;
  const today = dayOf();
  for (const day of [today - 3, today - 1]) for (const one of collections) await countOnce(one, collections, store, day);
  await openPage(app, "/customers/dictionary?quality=all");
  const chart = within(await screen.findByRole("figure", {}, WAIT));
  await userEvent.click(chart.getByText("Each day as a table"));
  const rows = within(chart.getByRole("table", { name: "Values that broke rules" })).getAllByRole("row");
  expect(rows).toHaveLength(3);
  expect(new Set(rows.slice(1).map((row) => within(row).getByRole("cell").textContent)).size).toBe(1);
  expect(document.querySelectorAll("figure rect")).toHaveLength(2);
  const table = within(await screen.findByRole("table", { name: "Broken rules" }, WAIT));
  expect(table.getAllByText(/^since /).length).toBeGreaterThan(0);
});
