// A role of one's own, a name that another role has, and a role that another administrator changes.

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wideDictionary } from "../../server/testing/wide-dictionary.ts";
import { openPage, openTestApp, type TestApp } from "../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test("a role cannot have the name of another one, and keeps its own", async () => {
  await app.service.call("POST", "/v1/roles", { name: "Front desk", scope: "read" });
  const { user } = await openPage(app, "/settings/roles");
  await user.click(await screen.findByRole("button", { name: "Change Front desk" }));
  const dialog = within(await screen.findByRole("dialog"));
  const name = dialog.getByLabelText("Name");
  for (const taken of ["viewer", "EDITOR"]) {
    await user.clear(name);
    await user.type(name, taken);
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(dialog.getByText("There is already a role with this name. Choose another name.")).toBeTruthy();
  }
  await user.clear(name);
  await user.type(name, "front desk");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await screen.findByRole("button", { name: "Change front desk" });
  const heard = () => screen.getAllByRole("status").map(({ textContent }) => textContent);
  expect(heard()).toContain("front desk is saved.");
  await user.click(screen.getByRole("button", { name: "Delete: front desk" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(heard()).toContain("front desk is deleted."));
});

test("who renames a role gives no right back that was taken away meanwhile, nor overwrites rights that somebody else has changed", async () => {
  const { id } = (await app.service.call("POST", "/v1/roles", { name: "Clerk", scope: "*:read *:delete" })).json;
  const change = (scope: string) => app.service.call("PATCH", `/v1/roles/${id}`, { scope });
  const stored = async () => (await app.service.call("GET", "/v1/roles")).json.roles.find((role: { id: string }) => role.id === id);
  const { user } = await openPage(app, "/settings/roles");
  const open = async (name: string) => {
    await user.click(await screen.findByRole("button", { name: `Change ${name}` }));
    return within(await screen.findByRole("dialog"));
  };
  const renaming = await open("Clerk");
  await change("*:read");
  await user.type(renaming.getByLabelText("Name"), "s");
  await user.click(renaming.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await stored()).toMatchObject({ name: "Clerks", scope: "*:read" });

  const giving = await open("Clerks");
  await user.click(giving.getByRole("checkbox", { name: "All records: Create" }));
  await change("*:read *:update");
  await user.click(giving.getByRole("button", { name: "Save" }));
  expect(await giving.findByText(/^Somebody else has changed this meanwhile/)).toBeTruthy();
  expect((await stored()).scope).toBe("*:read *:update");
  const isTicked = (right: string) => (giving.getByRole("checkbox", { name: `All records: ${right}` }) as HTMLInputElement).checked;
  expect(["Create", "Change"].map(isTicked)).toEqual([false, true]);
});

test("rights that somebody else changes after the dialog's last reading are not overwritten", async () => {
  const { id } = (await app.service.call("POST", "/v1/roles", { name: "Porter", scope: "*:read" })).json;
  const { user, services } = await openPage(app, "/settings/roles");
  await user.click(await screen.findByRole("button", { name: "Change Porter" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("checkbox", { name: "All records: Create" }));
  const { request } = services.client;
  services.client.request = async (method, ...rest) => {
    if (method === "PATCH") await app.service.call("PATCH", `/v1/roles/${id}`, { scope: "*:read *:delete" });
    return request(method, ...rest);
  };
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(/^Somebody else has changed this meanwhile/)).toBeTruthy();
  expect((await app.service.call("GET", `/v1/roles/${id}`)).json.scope).toBe("*:read *:delete");
});

test("a dialog that was opened while the one before was still saved stays open", async () => {
  await app.service.call("POST", "/v1/roles", { name: "Archive", scope: "read" });
  const { user } = await openPage(app, "/settings/roles");
  await user.click(await screen.findByRole("button", { name: "Change Archive" }));
  await user.type(within(await screen.findByRole("dialog")).getByLabelText("Name"), "s");
  for (const name of ["Save", "Cancel", "Change Archive"]) fireEvent.click(screen.getByRole("button", { name, hidden: true })); // before any answer
  await waitFor(() =>
    expect(screen.getAllByRole("status", { hidden: true }).map(({ textContent }) => textContent)).toContain("Archives is saved."),
  );
  expect(screen.getByRole("dialog")).toBeTruthy();
});

test("of many collections each is found by its title; those with rights of their own stand first", async () => {
  const wide = await openTestApp(wideDictionary(12, 3));
  try {
    await wide.service.call("POST", "/v1/roles", { name: "Archive", scope: "collection9s:read" });
    const { user } = await openPage(wide, "/settings/roles");
    await user.click(await screen.findByRole("button", { name: "New role" }));
    const fresh = within(await screen.findByRole("dialog"));
    expect(fresh.getByRole("checkbox", { name: "All records: Read" })).toBeTruthy();
    expect(fresh.getByText("Rights for single collections").closest("details")?.open).toBe(false); // few need more
    await user.click(fresh.getByRole("button", { name: "Cancel" }));
    await user.click(await screen.findByRole("button", { name: "Change Archive" }));
    const dialog = within(await screen.findByRole("dialog"));
    const rows = () => dialog.getAllByRole("row").flatMap((row) => row.querySelector("th[scope]")?.textContent ?? []);
    expect(rows().slice(0, 3)).toEqual(["All records", "Collection 9", "Collection 1"]);
    await user.type(dialog.getByRole("searchbox", { name: "Find collections" }), "12");
    expect(rows()).toEqual(["All records", "Collection 12"]);
    await user.click(dialog.getByRole("checkbox", { name: "Collection 12: Read" }));
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Collection 12: read · Collection 9: read")).toBeTruthy();
  } finally {
    await wide.close();
  }
});

test("many roles are found by their names, and fifty are shown at first", async () => {
  const many = await openTestApp();
  try {
    for (let i = 1; i <= 47; i++) await many.service.call("POST", "/v1/roles", { name: `Team ${i}`, scope: "read" });
    const { user } = await openPage(many, "/settings/roles");
    await user.click(await screen.findByRole("button", { name: "Show more roles" }));
    const rows = () => screen.getAllByRole("row").length - 1;
    expect(rows()).toBe(52);
    await user.type(screen.getByRole("searchbox", { name: "Find roles" }), "team 47");
    expect(rows()).toBe(1);
    await user.type(screen.getByRole("searchbox", { name: "Find roles" }), "z");
    expect(screen.getByText("No role is called like that.")).toBeTruthy();
  } finally {
    await many.close();
  }
});

test("a role hides a field, shows another that cannot be changed, and keeps lists from leaving as files", async () => {
  const { id } = (await app.service.call("POST", "/v1/roles", { name: "Temp", scope: "customers:read customers:update" })).json;
  const { user } = await openPage(app, "/settings/roles");
  await user.click(await screen.findByRole("button", { name: "Change Temp" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByText("Nothing left out"));
  await user.selectOptions(dialog.getByRole("combobox", { name: "Customers: Account ID" }), "Hidden");
  await user.selectOptions(dialog.getByRole("combobox", { name: "Customers: First name" }), "Only seen");
  await user.click(dialog.getByRole("checkbox", { name: "Lists may leave as files" }));
  expect(dialog.getByText("3 things left out")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const stored = async () => (await app.service.call("GET", `/v1/roles/${id}`)).json.conditions;
  expect(await stored()).toEqual({ customers: { fields: { hidden: ["accountID"], readOnly: ["firstName"] }, export: false } });
  expect(await screen.findByText("Leaves something out of Customers.")).toBeTruthy();

  await user.click(screen.getByRole("button", { name: "Change Temp" }));
  const again = within(await screen.findByRole("dialog"));
  await user.click(again.getByText("3 things left out"));
  await user.selectOptions(again.getByRole("combobox", { name: "Customers: Account ID" }), "As above");
  await user.selectOptions(again.getByRole("combobox", { name: "Customers: First name" }), "As above");
  await user.click(again.getByRole("checkbox", { name: "Lists may leave as files" }));
  await user.click(again.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await stored()).toBeUndefined();
});

test("a role is copied, and sees only some records: those of a value, and those of the person who is chosen to be counted for", async () => {
  for (const [firstName, lastName] of [
    ["Ada", "North"],
    ["Ben", "North"],
    ["Eve", "South"],
  ])
    expect((await app.service.call("POST", "/v1/customers", { firstName, lastName, accountID: firstName })).status).toBe(201);
  const { id } = (await app.service.call("POST", "/v1/users", { email: "nora@example.org", name: "Nora", roles: ["viewer"] })).json.user;
  await app.service.call("PATCH", `/v1/users/${id}`, { attributes: { regions: ["South"] } });
  const { user } = await openPage(app, "/settings/roles");
  await user.click(await screen.findByRole("button", { name: "Copy Viewer" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New role" }));
  expect((dialog.getByLabelText("Name") as HTMLInputElement).value).toBe("Copy of Viewer");
  await user.click(dialog.getByText("Customers", { selector: "summary" }));
  const seen = dialog.getByRole("group", { name: "Sees all Customers" });
  await user.click(within(seen).getByRole("button", { name: "Add a condition" }));
  const panel = () => within(dialog.getByRole("group", { name: /^Add a condition$|^Change the condition/ }));
  await user.selectOptions(await panel().findByLabelText("Field"), "lastName");
  expect(panel().queryByRole("option", { name: "Changed by" })).toBeNull(); // by it no record would stay in sight
  await user.selectOptions(panel().getByLabelText("Condition"), "eq");
  await user.type(panel().getByLabelText("Value"), "North");
  // Saved now, the role would be about all customers.
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(panel().getByRole("alert").textContent).toBe("Nothing is saved yet: this condition is neither applied nor cancelled.");
  await user.type(panel().getByLabelText("Value"), "{Enter}");
  const limited = within(await dialog.findByRole("group", { name: "Sees only Customers where" }));
  expect(await limited.findByText("Sees 2 of 3")).toBeTruthy();
  await user.click(limited.getByRole("button", { name: "Last name is North" }));
  await user.selectOptions(panel().getByLabelText("Compared with"), "{me.regions}");
  await user.click(panel().getByRole("button", { name: "Apply the condition" }));
  expect(await limited.findByRole("button", { name: "Last name is their regions" })).toBeTruthy();
  await user.selectOptions(limited.getByLabelText("Count for"), "Nora");
  expect(await limited.findByText("Sees 1 of 3")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const { roles } = (await app.service.call("GET", "/v1/roles")).json;
  const conditions = { customers: { read: { where: "lastName={me.regions}" } } };
  expect(roles.find(({ name }: { name: string }) => name === "Copy of Viewer")).toMatchObject({ scope: "*:read", conditions });
  await user.click(await screen.findByRole("button", { name: "Change Copy of Viewer" }));
  const again = within(await screen.findByRole("dialog"));
  await user.click(again.getByText("Customers", { selector: "summary" }));
  await user.click(again.getByRole("button", { name: "Remove the condition Last name is their regions" }));
  await user.click(again.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const left = (await app.service.call("GET", "/v1/roles")).json.roles.find(({ name }: { name: string }) => name === "Copy of Viewer");
  expect(left.conditions).toBeUndefined();
});
