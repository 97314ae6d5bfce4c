// New records of whoever may only see a field: nothing is put into it that could not be saved.

import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { STAFF_RULES } from "../../../server/testing/service.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

let app: TestApp;
let who: { token: string; owner: string };
beforeAll(async () => {
  app = await openTestApp(STAFF_RULES);
  const values = { id: 1, firstName: "Ada", lastName: "Lang", email: "ada@example.com", birthDate: "2000-01-01", contract: "part" };
  expect((await app.service.call("POST", "/v1/staff", [values])).status).toBe(201);
  const conditions = { staff: { fields: { readOnly: ["contract", "birthDate"] } } };
  const role = { name: "Desk", scope: "staff:read staff:create staff:update", conditions };
  const { json, status } = await app.service.call("POST", "/v1/roles", role);
  expect(status).toBe(201);
  const { id, token } = await app.service.newPerson(json.id);
  who = { token, owner: id };
});
afterEach(cleanup);
afterAll(() => app.close());

const made = async (email: string) => (await app.service.call("GET", `/v1/staff?email=${email}`)).json.staff[0];

test("a default of such a field is left to the service", async () => {
  const { user } = await openPage(app, "/staff/new", who);
  await user.type(await screen.findByRole("textbox", { name: "First name" }, WAIT), "Grace");
  await user.type(screen.getByRole("textbox", { name: "Last name" }), "Hopper");
  await user.type(screen.getByRole("textbox", { name: "E-mail" }), "grace@example.com");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(await made("grace@example.com")).toMatchObject({ contract: "full", birthDate: null }), WAIT);
});

test("a copy begins without its value", async () => {
  const { user } = await openPage(app, "/staff/new?copy=1", who);
  const email = await screen.findByRole("textbox", { name: "E-mail" }, WAIT);
  await user.clear(email);
  await user.type(email, "copy@example.com");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(await made("copy@example.com")).toMatchObject({ firstName: "Ada", birthDate: null }), WAIT);
});

test("a reference to what the person may not read cannot be changed, and says why; whoever needs one types its number", async () => {
  const orders = await openTestApp("core/dictionary/orders.example.json");
  onTestFinished(() => orders.close());
  const { service } = orders;
  await service.call("POST", "/v1/customers", { objectId: 501, name: "Bakker", accountNumber: "A-1" });
  const contact = { objectId: 601, customerId: 501, name: "Bo" };
  expect((await service.call("POST", "/v1/contacts", contact)).status).toBe(201);
  const role = { name: "Contacts", scope: "contacts:read contacts:update contacts:create" };
  const { id, token } = await service.newPerson((await service.call("POST", "/v1/roles", role)).json.id);
  const them = { token, owner: id };
  await openPage(orders, "/contacts/601", them);
  const input = await screen.findByRole("textbox", { name: "Customer" }, WAIT);
  expect([input.getAttribute("readonly"), (input as HTMLInputElement).value]).toEqual(["", "501"]);
  const why = "Reference: your rights do not show this record. It stays as it is.";
  const words = input
    .getAttribute("aria-describedby")
    ?.split(" ")
    .map((one) => document.getElementById(one)?.textContent);
  expect(words?.join()).toContain(why);
  cleanup();
  await openPage(orders, "/contacts/new", them);
  const asked = await screen.findByRole("textbox", { name: "Customer" }, WAIT);
  expect(asked.getAttribute("readonly")).toBeNull();
});
