import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ApiError } from "../../../client/errors.ts";
import { openCatalogue } from "../../../core/i18n/languages.ts";
import { setCatalogue } from "../../../core/i18n/translate.ts";
import { drawPart, openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { ListError } from "./list-error.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  const many = Array.from({ length: 60 }, (_, i) => ({ firstName: "Many", lastName: `N${100 + i}`, accountID: "1" }));
  await app.service.call("POST", "/v1/customers", many);
});
afterAll(() => app.close());

async function open(path = "/customers") {
  const page = await openPage(app, path);
  await screen.findByRole("table", { name: "Customers" });
  return { ...page, press: async (name: string | RegExp) => page.user.click(await screen.findByRole("button", { name })) };
}

const table = () => within(screen.getByRole("table", { name: "Customers" }));
const headings = () =>
  table()
    .getAllByRole("columnheader")
    .flatMap((cell) => within(cell).queryAllByRole("button"))
    .map(({ textContent }) => textContent);
const links = () => table().getAllByRole("link");
const panel = (name: string) => screen.findByRole("dialog", { name });

describe("a heading of the list", () => {
  test("orders by its column, then the other way round, and then as usual", async () => {
    const { press } = await open();
    const order = () => table().getByRole("columnheader", { name: "Last name" }).getAttribute("aria-sort");
    for (const [sort, address] of [
      ["ascending", "?sort=lastName"],
      ["descending", "?sort=-lastName"],
      [null, ""],
    ]) {
      await press("Last name");
      await waitFor(() => expect([order(), location.search]).toEqual([sort, address]));
    }
    expect(table().getByRole("columnheader", { name: "Changed" }).getAttribute("aria-sort")).toBe("descending");
  });
});

test("what is selected is changed and deleted from the palette, too, which is nearer than the bar below all rows", async () => {
  const { user, press } = await open("/customers?q=many");
  const chosen = () => screen.queryAllByRole("option", { name: /selected records/ }).map(({ textContent }) => textContent);
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "Find or go to" }), "selected records");
  await screen.findByText("No results.");
  expect(chosen()).toEqual([]);
  await user.keyboard("{Control>}k{/Control}"); // closes it
  await waitFor(() => expect(screen.queryByRole("combobox", { name: "Find or go to" })).toBeNull());
  await user.click(table().getAllByRole("checkbox")[1] as HTMLElement);
  await screen.findByText("1 selected");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "Find or go to" }), "selected records");
  await waitFor(() => expect(chosen()).toHaveLength(2));
  await user.click(screen.getByRole("option", { name: /^Change the selected/ }));
  expect(await screen.findByRole("dialog", { name: "Change 1 customer" })).toBeTruthy();
  await press("Cancel");
});

describe("an address that the service does not understand", () => {
  test("is explained with the titles of the fields", async () => {
    await openPage(app, "/customers?objectId[in]=7,x&updatedAt[gte]=yesterday");
    await screen.findByText("The service does not understand this address.");
    const wrong = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(wrong).toContain("Object ID must be a whole number without separators or leading zeros, such as 100482.");
    expect(wrong).toContain("Changed must be a date and time with its time zone, such as 2026-01-31T08:30:00Z.");
  });

  test.each([
    ["department", "IT", "Einen Parameter dieses Namens gibt es hier nicht."],
    ["limit", "many", "Das muss eine ganze Zahl sein, mindestens 1."],
    ["q", "x".repeat(600), "Dieser Wert lässt sich hier nicht verwenden."],
    ["lastName[null]", "maybe", "Dieser Wert lässt sich hier nicht verwenden."],
  ])("is explained in the language of the app, and leads to the list without that part: %s", async (name, value, problem) => {
    const address = { [name]: value };
    const { client } = (await drawPart(app, <p />)).services;
    const refused = await client.request("GET", "/customers", { query: address }).catch((error: ApiError) => error);
    cleanup();
    setCatalogue(await openCatalogue("de"));
    onTestFinished(() => setCatalogue());
    await drawPart(app, <ListError collection={app.collection} refused={refused as ApiError} address={address} />);
    const wrong = await screen.findByText(name);
    expect(wrong.closest("li")?.textContent).toBe(`${name}: ${problem}`);
    expect(screen.getByRole("link", { name: "Liste ohne diese Angabe zeigen" }).getAttribute("href")).toBe("/customers");
  });
});

describe("the foot of the list", () => {
  test("says by itself how many records there are, on all pages", async () => {
    await open();
    expect(await screen.findByText("60 customers")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Count all" })).toBeNull();
  });

  test("changes how many rows stand on a page", async () => {
    const { user } = await open();
    await user.selectOptions(await screen.findByLabelText("Rows per page"), "100");
    await waitFor(() => expect(links()).toHaveLength(60));
    expect(location.search).toBe("?limit=100");
  });
});

describe("the panel of columns", () => {
  test("shows, hides and moves columns, and they are there at the next visit", async () => {
    const { user, press } = await open();
    await press("Columns");
    const columns = within(await panel("Columns"));
    await user.click(await columns.findByRole("checkbox", { name: "First name" }));
    await user.click(columns.getByRole("checkbox", { name: "Created" }));
    await user.click(columns.getByRole("button", { name: "Move Account ID up" }));
    await waitFor(() => expect(headings()).toEqual(["Account ID", "Last name", "Object ID", "Changed", "Created"]));
    await user.click(screen.getByRole("link", { name: "Uploads" }));
    await user.click(screen.getByRole("link", { name: "Customers" }));
    await screen.findByRole("table", { name: "Customers" });
    expect(headings()[0]).toBe("Account ID");
  });

  test("gives back the usual columns", async () => {
    const { user, press } = await open("/customers?columns=accountID");
    await press("Columns");
    await user.click(await within(await panel("Columns")).findByRole("button", { name: "Reset columns" }));
    await waitFor(() => expect(headings()).toEqual(["Last name", "First name", "Account ID", "Object ID", "Changed"]));
  });
});

describe("who created and who changed a record", () => {
  const NEW = { lastName: "Written", accountID: "1" };
  async function writeAsOther(): Promise<string> {
    const { keyId, token } = await app.service.newCredentials("write");
    await app.service.call("POST", "/v1/customers", NEW, { authorization: `Bearer ${token}` });
    const key = await app.service.store.readKey(keyId);
    if (key) await app.service.store.putKey({ ...key, name: "Night shift" });
    return keyId;
  }

  test("stands in columns that can be chosen, and orders nothing", async () => {
    await writeAsOther();
    const { user, press } = await open("/customers?q=written");
    expect(headings()).not.toContain("Created by");
    await press("Columns");
    const columns = within(await panel("Columns"));
    await user.click(await columns.findByRole("checkbox", { name: "Created by" }));
    await user.click(columns.getByRole("checkbox", { name: "Changed by" }));
    const heading = await table().findByRole("columnheader", { name: "Changed by" });
    expect(within(heading).queryByRole("button")).toBeNull();
    await waitFor(() => expect(table().getAllByRole("cell", { name: "Night shift" }).length).toBeGreaterThanOrEqual(2));
    expect(within(screen.getByLabelText("Sort by")).queryByRole("option", { name: /by/ })).toBeNull();
  });

  test("is filtered by a name that was seen, or by an id", async () => {
    const id = await writeAsOther();
    const { user, press } = await open("/customers");
    await press("Filter");
    const editor = within(await panel("Add a filter"));
    await user.selectOptions(await editor.findByLabelText("Field"), "Created by");
    const conditions = within(editor.getByLabelText("Condition")).getAllByRole("option");
    expect(conditions.map(({ textContent }) => textContent)).toEqual(["is", "is one of", "is empty"]);
    await user.selectOptions(editor.getByLabelText("Value"), id);
    await user.click(editor.getByRole("button", { name: "Add filter" }));
    await waitFor(() => expect(location.search).toBe(`?createdBy=${id}`));
    await press(/^Created by is Night shift/);
    const changing = within(await panel("Change the filter Created by"));
    await user.selectOptions(await changing.findByLabelText("Value"), "Someone else, by id");
    await user.type(changing.getByLabelText("Id of the person or API key"), "nobody");
    await user.click(changing.getByRole("button", { name: "Change filter" }));
    await waitFor(() => expect(location.search).toBe("?createdBy=nobody"));
    expect(await screen.findByText("No customer matches this filter")).toBeTruthy();
  });
});
