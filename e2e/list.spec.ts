// Pages and cards of the list, and its keyboard shortcuts.

import { expect, test } from "@playwright/test";
import { enter, names } from "./support/list-rows.ts";
import { PORTS } from "./support/ports.ts";
import { ADMIN_KEY, openApi, signIn, stored } from "./support/service.ts";

const many = (count: number) => Array.from({ length: count }, (_, i) => `N${String(i + 1).padStart(3, "0")}`);

test("a user pages forth and back, also from a link into the middle and with the browser's back button", async ({ page }) => {
  await enter("Pagewise", many(60));
  await signIn(page, "/customers?q=pagewise&sort=lastName&limit=25");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(names(page).first()).toHaveText("N026");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(names(page)).toHaveText(many(60).slice(50));
  await page.goBack();
  await expect(names(page).first()).toHaveText("N026");
  await page.reload(); // like a link: only the address is known
  await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(names(page).first()).toHaveText("N026");
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(names(page)).toHaveText(many(25));
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "First page" }).click();
  await expect(page).toHaveURL(/limit=25$/);
  await expect(names(page)).toHaveText(many(25));
});

test("a list is sorted by several fields, by mouse and by keyboard, and the order is in the address", async ({ page }) => {
  await enter("Twofoldorder", ["Beta", "Alpha", "Beta"]);
  await signIn(page, "/customers?q=twofoldorder&columns=objectId,lastName,firstName");
  const heading = (name: string) => page.getByRole("columnheader", { name }).getByRole("button");
  const ids = () => page.locator("tr[data-id]").evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.id)));
  await heading("Last name").click();
  await heading("Object ID").click({ modifiers: ["Shift"] });
  await expect(page).toHaveURL(/sort=lastName%2CobjectId/);
  await expect(heading("Last name")).toHaveText("Last name1");
  await expect(heading("Object ID")).toHaveText("Object ID2");
  await expect(page.getByRole("table", { name: "Customers" })).toHaveAttribute("aria-busy", "false"); // the rows before stay that long
  const [alpha = 0, first = 0, second = 0] = await ids();
  expect([first, second]).toEqual([first, second].sort((a, b) => a - b));
  await heading("Object ID").focus();
  await page.keyboard.press("Shift+Enter");
  await expect(page).toHaveURL(/sort=lastName%2C-objectId/);
  await expect.poll(ids).toEqual([alpha, second, first]);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByLabel("Sort by").getByRole("option", { selected: true })).toHaveText("Last name ↑, Object ID ↓");
  await page.setViewportSize({ width: 1280, height: 800 });
  await heading("Last name").click();
  await expect(page).toHaveURL(/sort=lastName(&|$)/);
});

test("a search with a wrong letter leads to what was meant, and a typed key to its record first", async ({ page }) => {
  const { records } = await enter("Nearmissing", ["Überwölfer", "O'Nearly"]);
  await signIn(page, "/customers");
  const search = page.getByRole("searchbox", { name: "Search" });
  for (const [typed, meant, found] of [
    ["Nearmisisng Onearly", "Nearmissing O Nearly", ["O'Nearly"]],
    ["Ueberwoelfer", "Überwölfer", ["Überwölfer"]],
  ] as const) {
    await search.fill(typed);
    await page.getByText("Did you mean:").locator("..").getByRole("button", { name: meant }).click();
    await expect(search).toHaveValue(meant);
    await expect(names(page)).toHaveText([...found]);
  }
  const id = String(records[0]?.objectId);
  await search.fill(id);
  await expect(page.locator("tr[data-id]").first()).toHaveAttribute("data-id", id);
});

test("two rows of tools stand above the records, which begin high, are low, and take no more width than they need", async ({ page }) => {
  await enter("Abovethefold", many(60));
  await page.setViewportSize({ width: 1440, height: 900 });
  const { token } = await openApi();
  await page.addInitScript((kept) => sessionStorage.setItem("intake.token", kept), token);
  for (const address of ["/customers", "/customers?q=abovethefold", "/customers?q=abovethefold&accountID=B-1&lastName[prefix]=n"]) {
    await page.goto(address);
    const row = page.locator("tr[data-id]").first();
    await expect(page.locator("footer [role=status]")).toHaveText(/^(?:At least )?[1-9][0-9,]* customers/); // counted by itself
    const { y = 0, height = 0 } = (await row.boundingBox()) ?? {};
    expect(y).toBeLessThanOrEqual(170);
    expect(height).toBe(36);
    const last = await row.getByRole("cell").last().boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThan(1100); // four short columns and a time do not fill the page
    await page.mouse.click(1380, y + height / 2); // but the row goes on to its end
    await expect(page).toHaveURL(/customers\/\d+/);
  }
});

test("a link to a page of the list that no longer exists leads to the first page, which says so", async ({ page }) => {
  await enter("Ledback", ["Here"]);
  await signIn(page, "/customers?q=ledback&cursor=long-gone");
  await expect(page.getByText("That page of the list no longer exists. This is the first page.")).toBeVisible();
  await expect(names(page)).toHaveText(["Here"]);
  await page.getByRole("searchbox", { name: "Search" }).fill("ledback here");
  await expect(page.getByText("That page of the list no longer exists.")).toBeHidden();
});

test("the first cell is a real link, which opens in a new tab when asked to", async ({ page, context }) => {
  await enter("Linked", ["Beside"]);
  await signIn(page, "/customers?q=linked+beside");
  await expect(names(page)).toHaveAttribute("href", /\/customers\/[0-9]+$/);
  const [opened] = await Promise.all([context.waitForEvent("page"), names(page).click({ modifiers: ["ControlOrMeta"] })]);
  await expect(opened).toHaveURL(/\/customers\/[0-9]+$/);
  await expect(page).toHaveURL(/q=linked/);
});

test("a phone shows the rows as cards that fit, also with chosen columns", async ({ page }) => {
  await enter("Phonecard", ["Chukwuemeka-Okafor-Featherstonehaugh-Longname"]);
  await page.setViewportSize({ width: 320, height: 700 });
  await signIn(page, "/customers?q=phonecard");
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect(names(page)).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveCount(0);
  await expect.poll(width).toBe(320);
  await page.goto("/customers?q=phonecard&columns=lastName,firstName,accountID,objectId,createdAt");
  await signIn(page, page.url());
  await expect(page.getByRole("cell", { name: "First name Phonecard" })).toBeVisible();
  await expect.poll(width).toBe(320);
});

test("a card with chosen columns has no labels of empty fields", async ({ page }) => {
  const { id } = await stored({ lastName: "Phonegaps", accountID: "G-1" });
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, "/customers?q=phonegaps&columns=lastName,firstName,accountID,objectId");
  const cells = page.locator(`tr[data-id="${id}"] td[data-title]`);
  await expect(cells.filter({ visible: true })).toHaveText(["G-1", String(id)]);
});

test.describe("on a touch screen", () => {
  test.use({ isMobile: true, hasTouch: true, viewport: { width: 390, height: 800 } });
  test("there are no hints about keys, and no file is dropped", async ({ page }) => {
    await enter("Touched", ["One"]);
    await signIn(page, "/customers?q=touched");
    await page.getByRole("button", { name: "Views" }).click();
    await expect(page.getByText("A view keeps search, filters, order and columns.")).toBeVisible();
    await expect(page.getByText("The keys 1 to 9 open the first ones.")).toBeHidden();
    await page.keyboard.press("Escape");
    await page.getByRole("checkbox", { name: "Select Touched One" }).check();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete 1 customer" }).click();
    const undo = page.getByRole("button", { name: "Undo" });
    await expect(undo).toBeVisible();
    await expect(undo.locator("kbd")).toBeHidden();
    await undo.click();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("link", { name: "Upload a file" }).click();
    await expect(page.getByText("Choose a CSV file, or a spreadsheet, or several")).toBeVisible();
    await expect(page.getByText("Drop a CSV file here")).toBeHidden();
  });
});

test("cards below the screen still fit when the window is made narrower", async ({ page }) => {
  const others = Array.from({ length: 59 }, (_, i) => `N${i}`);
  await enter("Narrowed", [...others, "Chukwuemeka-Okafor-Featherstonehaugh-Longname"]);
  await signIn(page, "/customers?q=narrowed");
  await expect(names(page)).toHaveCount(50);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 320, height: 800 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("a phone has the other controls in a sheet, and Escape closes them step by step", async ({ page }) => {
  await enter("Sheet", ["One"]);
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, "/customers?q=sheet");
  const more = page.getByRole("button", { name: "More" });
  const columns = page.getByRole("button", { name: "Columns" });
  await expect(names(page)).toHaveText(["One"]);
  await expect(columns).toBeHidden();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await more.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(columns).toBeFocused();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Columns" });
  await panel.getByRole("checkbox", { name: "First name" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(columns).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await expect(columns).toBeHidden();
  await expect(page.getByText("1 selected")).toBeVisible(); // Escape closed the sheet only
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("dialog", { name: "Views" }).getByRole("link", { name: "All records" }).click();
  await expect(page).toHaveURL(/\/customers\?columns=/);
  await more.click();
  await page.getByRole("link", { name: "Upload a file" }).click();
  await expect(page.getByRole("heading", { name: "Upload customers" })).toBeVisible();
});

test("a list that scrolls sideways keeps the names of its rows in sight, and a click anywhere on a row opens it", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  await api.call("POST", "/employees", { name: "Sideways Held", permanent: true, location: "Seoul", birthday: "1990-01-01", salary: 1 });
  await page.setViewportSize({ width: 768, height: 800 });
  await signIn(page, `http://127.0.0.1:${PORTS.staff}/employees?q=sideways`);
  const link = page.getByRole("link", { name: "Sideways Held" });
  const place = await link.boundingBox();
  await page.getByRole("button", { name: "Changed" }).focus(); // the last heading comes into sight
  await expect(page.getByRole("columnheader", { name: "ID", exact: true })).not.toBeInViewport();
  await expect.poll(() => link.boundingBox()).toEqual(place);
  const row = await page.getByRole("row", { name: "Sideways Held" }).last().boundingBox();
  await page.mouse.click(740, (row?.y ?? 0) + 10);
  await expect(page.getByRole("heading", { name: "Sideways Held" })).toBeVisible();
});

test("single keys search, move and select, and do nothing while the user types", async ({ page }) => {
  await enter("Keyed", ["First", "Second", "Third"]);
  await signIn(page, "/customers?q=keyed&sort=lastName");
  await expect(names(page)).toHaveCount(3);
  await page.keyboard.press("j");
  await expect(names(page).first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await expect(names(page).last()).toBeFocused();
  await page.keyboard.press("x");
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+x");
  await expect(page.getByText("3 selected")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("3 selected")).toBeHidden();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search" })).toBeFocused();
  await page.keyboard.type(" njk/");
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue(" njk/");
  await expect(page.getByText("No customer matches")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search" }).fill("keyed");
  await expect(names(page)).toHaveCount(3);
  await page.keyboard.press("ArrowDown");
  await expect(names(page).first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Keyed First" })).toBeVisible();
});
