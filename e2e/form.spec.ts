// The form in all its states, as staff meet them: what they typed is kept, what others did is told, and nothing is stored twice.

import { expect, type Page, test } from "@playwright/test";
import { hold } from "./support/hold-batches.ts";
import { ADMIN_KEY, openApi, signIn, stored } from "./support/service.ts";

const input = (page: Page, name: string) => page.getByRole("textbox", { name });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test.describe("two people change the same customer", () => {
  test("a field that both changed is picked, by keyboard, and the rest joins by itself", async ({ page }) => {
    const { id, api, now } = await stored({ firstName: "Märta", lastName: "Angstrom", accountID: "0073" });
    await signIn(page, `/customers/${id}`);
    await input(page, "Last name").fill("Ångström-Lind");
    await input(page, "First name").fill("Marta");
    await api.call("PATCH", `/customers/${id}`, { lastName: "Ångström", accountID: "00073" });
    await press(page, "Save");
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(page.getByRole("alert")).toContainText("You both changed one field");
    const row = page.getByRole("table", { name: "Changes by someone else" }).getByRole("row", { name: "Last name" });
    await expect(row).toContainText("Angstrom");
    await expect(row.getByRole("radio", { name: "Keep mine of Last name: Ångström-Lind" })).toBeChecked();
    await expect(input(page, "Account ID")).toHaveValue("00073");

    await page.keyboard.press("Tab");
    await expect(row.getByRole("radio", { name: "Keep mine" })).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(row.getByRole("radio", { name: "Take theirs of Last name: Ångström" })).toBeChecked();
    await expect(input(page, "Last name")).toHaveValue("Ångström");
    await page.keyboard.press("ArrowDown");
    await expect(input(page, "Last name")).toHaveValue("Ångström-Lind");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Saved.")).toBeVisible();
    expect(await now()).toMatchObject({ firstName: "Marta", lastName: "Ångström", accountID: "00073", version: 3 });
  });

  test("to the very same: nothing is asked, and nothing is left to save", async ({ page }) => {
    const { id, api, now } = await stored({ lastName: "Samechange", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    await input(page, "Account ID").fill("2");
    await api.call("PATCH", `/customers/${id}`, { accountID: "2" });
    await press(page, "Save");
    await expect(page.getByText("already saved the same change")).toBeVisible();
    await page.getByRole("link", { name: "Customers" }).click();
    await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
    expect(await now()).toMatchObject({ accountID: "2", version: 2 });
  });

  test("the version that was seen when typing began counts, however often the page looks again", async ({ page }) => {
    const { id, api, now } = await stored({ lastName: "Frozen", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    await input(page, "Account ID").fill("mine");
    await api.call("PATCH", `/customers/${id}`, { accountID: "theirs" });
    await page.waitForTimeout(5_100); // what was read lately is not read again
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))); // as when the tab is come back to
    await expect(page.getByText("version 2")).toBeVisible();
    await expect(input(page, "Account ID")).toHaveValue("mine");
    await press(page, "Save");
    await expect(page.getByRole("radio", { name: "Take theirs of Account ID: theirs" })).toBeVisible();
    expect(await now()).toMatchObject({ accountID: "theirs", version: 2 });
  });
});

test("only what was changed is sent, with the version that was seen", async ({ page }) => {
  const { id } = await stored({ firstName: "Only", lastName: "Changed", accountID: "1" });
  await signIn(page, `/customers/${id}`);
  await input(page, "Account ID").fill("2");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await press(page, "Save");
  expect((await sent).postDataJSON()).toEqual({ accountID: "2" });
  expect(await (await sent).headerValue("If-Match")).toBe(`"${id}-1"`);
});

test.describe("saving", () => {
  test("and adding another begins the next one at its first field", async ({ page }) => {
    await signIn(page, "/customers/new");
    for (const name of ["Serial-One", "Serial-Two"]) {
      await input(page, "Last name").fill(name);
      await input(page, "Account ID").fill("S");
      await press(page, "Save and add another");
      await expect(page.getByText(`${name} is saved.`)).toBeVisible();
      await expect(input(page, "First name")).toBeFocused();
      await expect(input(page, "Last name")).toHaveValue("");
    }
    expect(await (await openApi()).all("customers", "serial")).toHaveLength(2);
  });

  test("and closing, by Ctrl and Enter, leads back to the list as it was", async ({ page }) => {
    await stored({ lastName: "Closable", accountID: "1" });
    await signIn(page, "/customers?q=closable");
    await page.getByRole("link", { name: "Closable" }).click();
    await input(page, "Account ID").fill("2");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
    await expect(page).toHaveURL(/q=closable/);
    await expect(page.getByText("Saved.")).toBeVisible();
  });

  test("pressed twice is done once", async ({ page }) => {
    await signIn(page, "/customers/new");
    await input(page, "Last name").fill("Doubleclick");
    await input(page, "Account ID").fill("1");
    const held = await hold(page, "**/v1/customers", (request) => request.method() === "POST");
    await page.getByRole("button", { name: "Save", exact: true }).dblclick();
    await page.keyboard.press("Control+s");
    held.letGo();
    await expect(page.getByRole("heading", { name: "Doubleclick" })).toBeVisible();
    expect(held.count).toBe(1);
    expect(await (await openApi()).all("customers", "doubleclick")).toHaveLength(1);
  });

  test("shows on request what it will change", async ({ page }) => {
    const { id } = await stored({ firstName: "Diff", lastName: "Before", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    await expect(page.getByText("Unsaved changes")).toBeHidden();
    await input(page, "Last name").fill("After");
    await page.getByText("Unsaved changes").click();
    const table = page.getByRole("table", { name: "Unsaved changes" });
    await expect(table.getByRole("row", { name: "Last name" })).toContainText("BeforeAfter");
    await expect(table.getByRole("row")).toHaveCount(2);
  });
});

test.describe("deleting", () => {
  test("a customer that a colleague changed asks first, and undo brings back the later version", async ({ page }) => {
    const { id, api, now } = await stored({ lastName: "Delchanged", accountID: "old" });
    await signIn(page, `/customers/${id}`);
    await expect(input(page, "Account ID")).toHaveValue("old");
    await api.call("PATCH", `/customers/${id}`, { accountID: "new" });
    await press(page, "Delete");
    const alert = page.getByRole("alert");
    await expect(alert).toBeFocused();
    await expect(alert.getByRole("row", { name: "Account ID" })).toContainText("new");
    expect(await now()).toMatchObject({ accountID: "new" });
    await press(page, "Delete anyway");
    await expect(page.getByText("Delchanged is deleted.")).toBeVisible();
    await press(page, "Undo");
    await expect(page.getByText("Delchanged is restored.")).toBeVisible();
    expect(await now()).toMatchObject({ accountID: "new" });
  });
});

test("a field is checked when it is left, and what is put right is told no more", async ({ page }) => {
  await signIn(page, "/customers/new");
  await input(page, "Last name").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByText("Enter the last name.")).toBeVisible();
  await expect(input(page, "Last name")).toHaveAttribute("aria-invalid", "true");
  await input(page, "Last name").fill("Right");
  await expect(page.getByText("Enter the last name.")).toBeHidden();
});

test("after saving, nothing asks before the page is left", async ({ page }) => {
  const { id } = await stored({ lastName: "Leaver", accountID: "1" });
  await signIn(page, `/customers/${id}`);
  await input(page, "Account ID").fill("2");
  await press(page, "Save");
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.getByRole("link", { name: "Customers" }).click();
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
});

test("a session that ends while a change is under way is renewed over the page, and the change is saved", async ({ page }) => {
  const { id, now } = await stored({ lastName: "Sessiondies", accountID: "1" });
  await signIn(page, `/customers/${id}`);
  await input(page, "Account ID").fill("2");
  await page.route("**/v1/customers/*", (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: "Bearer long-gone" } }),
  );
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Sign in again to continue" });
  await expect(dialog).toBeVisible();
  await expect(input(page, "Account ID")).toHaveValue("2");
  await page.unroute("**/v1/customers/*");
  await dialog.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(input(page, "Account ID")).toBeFocused(); // as before the dialog
  expect(await now()).toMatchObject({ accountID: "2", version: 2 });
});

test("customers who are there already are shown while a new one is typed", async ({ page }) => {
  const { id } = await stored({ firstName: "Twice", lastName: "Lookalike", accountID: "A-77" });
  await signIn(page, "/customers/new");
  await input(page, "First name").fill("Twi");
  await input(page, "Last name").fill("lookalik");
  await expect(page.getByText("Possible duplicates:")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "A-77" })).toBeVisible();
  await input(page, "Account ID").fill("A-78");
  await page.getByRole("link", { name: "Twice Lookalike" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(new RegExp(`/customers/${id}$`));
});

for (const [button, verb, told] of [
  ["Save and close", "PATCH", "Saved."],
  ["Delete", "DELETE", "is deleted."],
] as const) {
  test(`whoever left while "${button}" was under way stays where they are and goes on typing`, async ({ page }) => {
    const { id } = await stored({ lastName: "Leftmeanwhile", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    await input(page, "Account ID").fill("2");
    const held = await hold(page, `**/v1/customers/${id}`, (request) => request.method() === verb);
    await press(page, button);
    await expect.poll(() => held.count).toBe(1);
    await page.getByRole("link", { name: "Customers" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("link", { name: "New customer" }).click();
    await input(page, "Last name").fill("Typing on");
    held.letGo();
    await expect(page.getByText(told)).toBeVisible();
    await page.getByRole("link", { name: "Customers" }).click();
    await expect(page.getByRole("dialog")).toContainText("Leave without saving?");
    await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
    await expect(page.getByRole("link", { name: "Customers" })).toBeFocused();
    await expect(input(page, "Last name")).toHaveValue("Typing on");
  });
}
