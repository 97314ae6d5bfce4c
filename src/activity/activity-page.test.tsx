import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERASE_COMMAND } from "../../core/contract/principals.ts";
import { eraseRecord } from "../../server/history/erasure.ts";
import { createKeys } from "../../server/people/auth/api-keys.ts";
import { openPage, openTestApp, type TestApp } from "../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  const customers = Array.from({ length: 3 }, (_, i) => ({ objectId: 10 + i, lastName: `Upload ${i}`, accountID: "u" }));
  await app.service.call("POST", "/v1/customers?onError=continue", { customers }, { "intake-source": "upload; run=run-1" });
  await app.service.call("POST", "/v1/customers", { objectId: 1, lastName: "Form", accountID: "f" }, { "intake-source": "form" });
  await app.service.call("PATCH", "/v1/customers/1", { lastName: "Changed" });
});
afterAll(() => app.close());

const lines = async () => (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);

test("who may read no records is told so, not that nothing happened", async () => {
  await openPage(app, "/activity", await createKeys(app.service.store).create("customers:create"));
  await screen.findByText("You may not read any records, and so not what was changed in them.");
  expect(screen.queryByText("Nothing has happened yet")).toBeNull();
  expect(screen.queryByText("0 changes in 30 days")).toBeNull();
  expect(screen.queryAllByRole("link", { name: /Changed|Created/ })).toEqual([]);
});

test("who sees only some of the records is told that their changes are not counted, not that there were none", async () => {
  const conditions = { customers: { read: { where: "lastName=Changed" } } };
  const role = await app.service.call("POST", "/v1/roles", { name: "Narrow", scope: "customers:read", conditions });
  expect(role.status).toBe(201);
  const { id, token } = await app.service.newPerson(role.json.id);
  await openPage(app, "/activity", { token, owner: id });
  await screen.findByText("Not counted, because you see only some of them: Customers.");
  expect(await lines()).toHaveLength(1);
  expect(screen.queryByText(/changes in 30 days/)).toBeNull();
  cleanup();
  await openPage(app, "/", { token, owner: id });
  await screen.findByText("Not counted, because you see only some of them: Customers.");
  expect(screen.queryByText("Nothing was changed in the last seven days.")).toBeNull();
});

describe("the activity page", () => {
  test("says what happened, the latest first, with one line for an upload", async () => {
    await openPage(app, "/activity");
    await screen.findAllByRole("link", { name: "Changed" });
    const [changed, created, upload] = await lines();
    expect(changed).toMatch(/Changed.*by a program/);
    expect(created).toMatch(/Created.*in a form/);
    expect(upload).toMatch(/3 changes.*Customers.*by an upload/);
    expect(await screen.findByText("5 changes in 30 days")).toBeTruthy();
  });

  test("calls a deleted record by the name that it had", async () => {
    await app.service.call("POST", "/v1/customers", { objectId: 2, firstName: "Ida", lastName: "Weber", accountID: "i" });
    await app.service.call("PATCH", "/v1/customers/2", { accountID: "j" });
    await app.service.call("DELETE", "/v1/customers/2");
    await openPage(app, "/activity?operation=deleted");
    expect(await screen.findByRole("link", { name: "Ida Weber" })).toBeTruthy();
    cleanup();
    await openPage(app, "/activity");
    await waitFor(() => expect(screen.getAllByRole("link", { name: "Ida Weber" })).toHaveLength(3));
    await app.service.call("POST", "/v1/customers/2/erasure");
  });

  test("filters by what and how, in the address", async () => {
    const { user } = await openPage(app, "/activity");
    await user.selectOptions(await screen.findByLabelText("How"), "Form");
    await waitFor(async () => expect(await lines()).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
    await user.selectOptions(screen.getByLabelText("What"), "Created");
    await waitFor(async () => expect(await lines()).toHaveLength(2));
    expect(screen.queryByText(/in 30 days/)).toBeNull();
  });

  test("lists each change of an upload, which leads to its report on any computer", async () => {
    const { user } = await openPage(app, "/activity");
    await user.click(await within(await screen.findByRole("main")).findByRole("link", { name: "Customers" }));
    await screen.findByRole("link", { name: "Upload 2" });
    expect(await lines()).toHaveLength(3);
    await user.click(screen.getByRole("link", { name: "Report" }));
    expect(await screen.findByText(/Made by/)).toBeTruthy();
    expect(screen.getByText(/3 changes/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Show what it changed" })).toBeTruthy();
  });

  test("names the command that erased a record, in the list and among those who did something", async () => {
    const { store, collections } = app.service;
    const [customers] = collections;
    if (!customers) throw new Error("no collection");
    await eraseRecord(customers, store, 12, { by: ERASE_COMMAND, source: { type: "api", run: null } });
    const { user } = await openPage(app, "/activity");
    await screen.findByRole("option", { name: "intake erase (command)" });
    await user.selectOptions(screen.getByLabelText("Who"), "intake erase (command)");
    await waitFor(async () => expect(await lines()).toHaveLength(1));
    expect(await lines()).toEqual([expect.stringMatching(/Erased.*intake erase \(command\) · by a program/)]);
  });
});

describe("exports on the activity page", () => {
  const csv = (query: string, token?: string) =>
    app.service.call("GET", `/v1/customers.csv${query}`, undefined, token ? { authorization: `Bearer ${token}` } : {});

  test("says that there were none", async () => {
    await openPage(app, "/activity?show=exports");
    expect(await screen.findByText("No list has been exported yet")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Exports" }).getAttribute("aria-current")).toBe("page");
    expect(screen.queryByLabelText("How")).toBeNull();
  });

  test("lists who took which rows; only administrators and the one who searched are told the words", async () => {
    const { token } = await app.service.newPerson("viewer");
    await csv("?q=nobody&lastName[prefix]=Cha", token);
    await csv("?limit=1");
    const { user } = await openPage(app, "/activity");
    await user.click(await screen.findByRole("link", { name: "Exports" }));
    await waitFor(async () => expect(await lines()).toHaveLength(2));
    expect((await lines())[0]).toMatch(/1 row.*Customers/);
    expect((await lines())[1]).toMatch(/0 rows.*Customers.*Search: nobody, Last name starts with Cha.*Person/);
    const links = within(screen.getByRole("main")).getAllByRole("link", { name: "Customers" });
    expect(links[1]?.getAttribute("href")).toContain("q=nobody");
    cleanup();
    const other = await createKeys(app.service.store).create("customers:read");
    await openPage(app, "/activity?show=exports", other);
    await waitFor(async () => expect(await lines()).toHaveLength(2));
    expect((await lines())[1]).toMatch(/a search, Last name/);
    expect(document.body.textContent).not.toMatch(/nobody|Cha\b/);
  });

  test("filters them by who", async () => {
    const { user } = await openPage(app, "/activity?show=exports");
    const choice = await screen.findByLabelText("Who");
    await user.selectOptions(choice, await within(choice).findByRole("option", { name: /^Person/ }));
    await waitFor(async () => expect(await lines()).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(async () => expect(await lines()).toHaveLength(2));
  });
});
