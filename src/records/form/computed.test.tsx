// A form shows what is computed while somebody types, as text, and so does a row of the list.

import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STAFF_RULES } from "../../../server/testing/service.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp(STAFF_RULES);
  const values = { firstName: "Ada", lastName: "Lang", email: "ada@example.com", birthDate: "2000-01-01", contract: null };
  const ids = [1, 2].map((id) => ({ id, ...values }));
  expect((await app.service.call("POST", "/v1/staff", ids)).status).toBe(201);
});
afterAll(() => app.close());

const read = async (id: number) => (await app.service.call("GET", `/v1/staff/${id}`)).json;
const years = (year: number) => String(new Date().getUTCFullYear() - year);

test("the form shows it live, says that it is computed, and saves what follows", async () => {
  const { user } = await openPage(app, "/staff/1");
  const full = await screen.findByLabelText("Full name", {}, WAIT);
  expect([full.tagName, full.textContent]).toEqual(["OUTPUT", "Ada Lang"]);
  expect(full).toHaveProperty("tabIndex", -1);
  expect(document.getElementById(full.getAttribute("aria-describedby") ?? "")?.textContent).toBe("Is computed.");
  expect(screen.getByLabelText("Age").textContent).toBe(years(2000));
  expect(screen.queryByRole("textbox", { name: "Full name" })).toBeNull();
  const first = screen.getByRole("textbox", { name: "First name" });
  await user.clear(first);
  expect(full.textContent).toBe("—");
  await user.type(first, "Augusta");
  await waitFor(() => expect(full.textContent).toBe("Augusta Lang"), WAIT);
  const born = screen.getByRole("textbox", { name: "Birth date" });
  await user.clear(born);
  await user.type(born, "1990-01-01");
  await waitFor(() => expect(screen.getByLabelText("Age").textContent).toBe(years(1990)), WAIT);
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect(await read(1)).toMatchObject({ fullName: "Augusta Lang", age: Number(years(1990)), version: 2 }), WAIT);
  const { history } = (await app.service.call("GET", "/v1/staff/1/history")).json;
  expect(Object.keys(history[0].changes).sort()).toEqual(["age", "birthDate", "firstName", "fullName"]);
});

test("a new record shows it, too, and a wrong text counts as no value", async () => {
  const { user } = await openPage(app, "/staff/new");
  await user.type(await screen.findByRole("textbox", { name: "First name" }, WAIT), "Grace");
  await user.type(screen.getByRole("textbox", { name: "Last name" }), "Hopper");
  await waitFor(() => expect(screen.getByLabelText("Full name").textContent).toBe("Grace Hopper"), WAIT);
  await user.type(screen.getByRole("textbox", { name: "Birth date" }), "no date");
  expect(screen.getByLabelText("Age").textContent).toBe("—");
});

test("a formula is shown only where its condition is true", async () => {
  const { user } = await openPage(app, "/staff/new");
  const contract = await screen.findByRole("combobox", { name: "Contract" }, WAIT);
  await waitFor(() => expect(contract).toHaveProperty("value", "full"), WAIT);
  expect(screen.queryByLabelText("Days of the term")).toBeNull();
  await user.selectOptions(contract, "temp");
  expect((await screen.findByLabelText("Days of the term", {}, WAIT)).textContent).toBe("—");
  await user.selectOptions(contract, "part");
  await waitFor(() => expect(screen.queryByLabelText("Days of the term")).toBeNull(), WAIT);
  expect(screen.queryByRole("region", { name: "Days of the term" })).toBeNull();
});

test("a row of the list shows it while it is edited, and it is no input there", async () => {
  const { user } = await openPage(app, "/staff?sort=id&columns=firstName,fullName");
  await screen.findAllByRole("link", { name: "Ada" }, WAIT);
  const row = document.querySelector("tr[data-id='2']") as HTMLElement;
  await user.click(within(row).getByTitle("Edit here (F2)"));
  const table = within(screen.getByRole("table", { name: "Staff" }));
  const input = await table.findByRole("textbox", { name: "First name" }, WAIT);
  expect(table.queryByRole("textbox", { name: "Full name" })).toBeNull();
  await user.clear(input);
  await user.type(input, "Countess");
  await table.findByText("Countess Lang", {}, WAIT);
  await user.keyboard("{Enter}");
  await waitFor(async () => expect(await read(2)).toMatchObject({ fullName: "Countess Lang" }), WAIT);
});
