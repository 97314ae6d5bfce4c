// The page of a record: two panes, one button that saves, ways to a field, the bar on a phone, and paper.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { PORTS } from "./support/ports.ts";
import { openApi, saveBy, signIn, stored } from "./support/service.ts";

const unique = () => Math.random().toString(36).slice(2, 8);
const STAFF = `http://127.0.0.1:${PORTS.staff}`;

async function employee(fields: object): Promise<{ id: number; now: () => Promise<Record<string, unknown>> }> {
  const api = await openApi(PORTS.staff);
  const { json } = await api.call("POST", "/employees", { permanent: false, ...fields });
  const id = Number(json.id);
  return { id, now: async () => (await api.call("GET", `/employees/${id}`)).json };
}

/** Says where an element begins and ends in the window. */
function placeOf(page: Page, selector: string) {
  return page
    .locator(selector)
    .first()
    .evaluate((one) => {
      const { top, bottom, height, right } = one.getBoundingClientRect();
      return { top, bottom, height, right };
    });
}

test("the phone of a known employee is changed with 5 keys beyond the data", async ({ page }) => {
  const name = `Phonewell ${unique()}`;
  const { now } = await employee({ name, phone: "+49 221 94 02 71" });
  await signIn(page, `${STAFF}/employees`);
  let extra = 0;
  const press = (key: string) => {
    extra++;
    return page.keyboard.press(key);
  };
  await press("ControlOrMeta+k");
  await page.keyboard.type(name);
  await expect(page.locator("[role=option][aria-selected=true]")).toContainText(name);
  await press("Enter");
  await expect(page.getByRole("heading", { name })).toBeFocused();
  await press(".");
  await page.keyboard.type("pho"); // while the code of the dialog may still be on its way
  await expect(page.getByRole("option", { name: "Phone" })).toHaveAttribute("aria-selected", "true");
  await press("Enter");
  await expect(page.getByLabel("Phone", { exact: true })).toBeFocused();
  await page.keyboard.type("+49 221 94 02 17"); // over the old number, which is selected
  await press("ControlOrMeta+s");
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(await now()).toMatchObject({ phone: "+49 221 94 02 17" });
  expect(extra).toBeLessThanOrEqual(5);

  // The next one needs no letter of the field: it is offered first.
  await page.getByRole("heading", { name }).focus();
  await page.keyboard.press(".");
  await expect(page.getByRole("listbox", { name: "Fields" }).getByRole("option").first()).toHaveText("Phone");
  await expectNoFaults(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name })).toBeFocused();
});

test("from within a field another one is gone to, and E goes to the first", async ({ page }) => {
  const { id } = await stored({ firstName: "Fiona", lastName: "Gofield", accountID: "G-1" });
  await signIn(page, `/customers/${id}`);
  const box = (name: string) => page.getByRole("textbox", { name });
  await expect(box("Last name")).toHaveValue("Gofield");
  await page.getByRole("heading", { name: "Fiona Gofield" }).focus();
  await page.keyboard.press("e");
  await expect(box("First name")).toBeFocused();
  await page.keyboard.type(".e"); // in a field these are letters; its text was selected
  await expect(box("First name")).toHaveValue(".e");
  await page.keyboard.press("ControlOrMeta+g");
  await page.keyboard.type("zzz");
  await expect(page.getByText("No results.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("combobox", { name: "Go to a field" })).toHaveCount(0); // the focus is back before the browser says that it is closed
  await expect(box("First name")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+g");
  await page.keyboard.type("acc");
  await page.keyboard.press("Enter");
  await expect(box("Account ID")).toBeFocused();
});

test("the ways to save are a menu, by keyboard too, and a copy begins with all but the key", async ({ page }) => {
  const lastName = `Copied ${unique()}`;
  const { id, api, now } = await stored({ firstName: "Cora", lastName, accountID: "C-1" });
  await signIn(page, `/customers/${id}`);
  await page.getByRole("textbox", { name: "Account ID" }).fill("C-2");
  const menu = page.getByRole("button", { name: "More ways to save" });
  await menu.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Save and close" })).toBeFocused();
  await expectNoFaults(page);
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("menuitem", { name: "Save and begin a copy" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await expect(page.getByRole("menu")).toBeHidden();
  await saveBy(page, "Save and begin a copy");
  await expect(page).toHaveURL(new RegExp(`/customers/new\\?copy=${id}$`));
  expect(await now()).toMatchObject({ accountID: "C-2", version: 2 });
  await signIn(page, `/customers/new?copy=${id}`); // the address alone says of what it is a copy
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue(lastName);
  await expect(page.getByRole("textbox", { name: "Object ID" })).toHaveValue("");
  await page.getByRole("textbox", { name: "First name" }).fill("Clara");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("heading", { name: "Customers", exact: true })).toBeVisible();
  expect((await api.all("customers", lastName)).map(({ firstName }) => firstName).sort()).toEqual(["Clara", "Cora"]);
});

for (const [what, width, height] of [
  ["a phone", 390, 664],
  ["a window of 1280 × 800 at 200 %", 640, 400],
] as const) {
  test(`on ${what} a bar to save comes with the first letter, and covers no input that has the focus`, async ({ page }) => {
    const { id, now } = await employee({ name: `Barred ${unique()}` });
    await page.setViewportSize({ width, height });
    await signIn(page, `${STAFF}/employees/${id}`);
    const inputs = page.locator("form :is(input, select, textarea)");
    await expect(inputs.first()).toBeVisible();
    const save = page.getByRole("button", { name: "Save", exact: true });
    await expect(save).not.toBeInViewport();
    const notes = page.getByLabel("Name", { exact: true });
    await notes.fill("Typed");
    await expect(save).toBeInViewport({ ratio: 1 });
    const bar = await placeOf(page, "[data-savebar]");
    expect(bar.height).toBeLessThanOrEqual(57);
    expect(bar.bottom).toBeGreaterThan(height - 2);
    await expect(page.getByRole("button", { name: /^1 change/ })).toBeInViewport({ ratio: 1 });
    await inputs.first().focus();
    for (let i = 1; i < (await inputs.count()); i++) {
      await inputs.nth(i).focus();
      const { bottom } = await inputs.nth(i).evaluate((one) => one.getBoundingClientRect());
      expect(bottom).toBeLessThanOrEqual((await placeOf(page, "[data-savebar]")).top);
    }
    await expectNoFaults(page);
    await save.click();
    await expect(page.getByText("Saved.")).toBeVisible();
    expect(await now()).toMatchObject({ name: "Typed" });
  });
}

test("beside the form the children of a customer are tabs with their numbers, and the form stays in sight", async ({ page }) => {
  const api = await openApi(PORTS.orders);
  const { json } = await api.call("POST", "/customers", { name: `Panes ${unique()}`, accountNumber: unique() });
  const customerId = json.objectId;
  for (let i = 0; i < 2; i++) await api.call("POST", "/orders", { customerId, orderNumber: unique(), status: "open" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, `http://127.0.0.1:${PORTS.orders}/customers/${customerId}`);
  const tabs = page.getByRole("navigation", { name: "Parts of the customer" });
  await expect(tabs.getByRole("link")).toHaveText(["History", "Contacts 0", "Orders 2"]);
  await expect(page.getByRole("list").getByText("Created")).toBeVisible();
  const city = page.getByLabel("City");
  await city.fill("typed");
  await tabs.getByRole("link", { name: "Orders" }).click();
  await expect(page.getByRole("table", { name: "Orders" })).toBeVisible();
  await expect(city).toHaveValue("typed");
  await expect(city).toBeVisible();
  await expectNoFaults(page);
  await page.goBack();
  await expect(page.getByRole("list").getByText("Created")).toBeVisible();
  await expect(city).toHaveValue("typed");
});

test("on a phone a number is called and an address written to by a button at the end of its input", async ({ page }) => {
  const { id } = await employee({ name: "Callable", phone: "+49 221 94 02 17", email: `call-${unique()}@example.org` });
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, `${STAFF}/employees/${id}`);
  for (const [label, link] of [
    ["Phone", "Call"],
    ["E-mail", "Write e-mail"],
  ] as const) {
    const input = await page.getByLabel(label, { exact: true }).evaluate((one) => one.getBoundingClientRect());
    const button = await page.getByRole("link", { name: new RegExp(`^${link}`) }).evaluate((one) => one.getBoundingClientRect());
    expect(button.top).toBeGreaterThanOrEqual(input.top - 1);
    expect(button.bottom).toBeLessThanOrEqual(input.bottom + 1);
    expect(button.height).toBeGreaterThanOrEqual(36);
  }
  await expect(page.getByRole("link", { name: /^Call/ })).toHaveAttribute("href", "tel:+49221940217");
});

test("the room for a text is told once four fifths of it are used", async ({ page }) => {
  const { id } = await stored({ lastName: "Roomy", accountID: "R-1" });
  await signIn(page, `/customers/${id}`);
  const account = page.getByRole("textbox", { name: "Account ID" });
  await account.fill("1".repeat(51));
  await expect(account).not.toHaveAccessibleDescription(/of 64/);
  await account.fill("1".repeat(52));
  await expect(account).toHaveAccessibleDescription(/52 of 64 characters\.$/);
});
