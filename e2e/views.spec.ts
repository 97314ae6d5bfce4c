// Views of a list: tabs that the service keeps, for everybody or for oneself.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { enter, names } from "./support/list-rows.ts";
import { openApi, signIn } from "./support/service.ts";
import { type NewBrowser, test } from "./support/test.ts";

// The service is that of all tests: no other list shall have these tabs. Keys of their own keep one's own views apart.
test.afterEach(async () => {
  const api = await openApi();
  const { views } = (await api.call("GET", "/views")).json as { views: { id: string }[] };
  for (const { id } of views) await api.call("DELETE", `/views/${id}`);
});

const tabs = (page: Page) => page.getByRole("navigation", { name: "Views" });
const tab = (page: Page, name: string) => tabs(page).getByRole("link", { name });

/** Opens the dialog for a new view from the panel of views, where it is at any width. */
async function openNew(page: Page): Promise<void> {
  await tabs(page)
    .getByRole("button", { name: /^(Views|\d+ more)$/ })
    .click();
  await page.getByRole("button", { name: "Save the list as a view" }).click();
}

async function saveAs(page: Page, name: string, isShared = true): Promise<void> {
  await openNew(page);
  const dialog = page.getByRole("dialog", { name: "Save the list as a view" });
  await dialog.getByLabel("Name").fill(name);
  if (isShared) await dialog.getByRole("radio", { name: /^Everybody/ }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(tab(page, name)).toHaveAttribute("aria-current", "page");
}

/** An API key of somebody who writes records. */
async function newKey(name: string): Promise<string> {
  return String((await (await openApi()).call("POST", "/keys", { name, scope: "write" })).json.key);
}

/** The browser of another computer. */
async function elsewhere(newBrowser: NewBrowser, key: string, address = "/customers"): Promise<Page> {
  const page = await newBrowser();
  await signIn(page, address, key);
  return page;
}

test("a view saved for everybody is a tab in everybody's list, opens by its number, and its link can be sent", async ({
  page,
  newBrowser,
}) => {
  await enter("Viewable", ["Two", "One"]);
  await signIn(page, "/customers?q=viewable&sort=lastName", await newKey("Anna"));
  await saveAs(page, "By name");
  const link = page.url();
  const other = await elsewhere(newBrowser, await newKey("Ben"));
  await expect(tab(other, "By name")).toBeVisible();
  await other.keyboard.press("2");
  await expect(names(other)).toHaveText(["One", "Two"]);
  await expect(other).toHaveURL(link);
  await other.keyboard.press("1");
  await expect(other).toHaveURL(/\/customers$/);
  await expect(tab(other, "All")).toHaveAttribute("aria-current", "page");
  await tab(other, "By name").click();
  await other.getByRole("button", { name: "Options of By name" }).click();
  await expect(other.getByText(/^Everybody sees it\. Made by .*Its maker and administrators can change it\.$/)).toBeVisible();
  await expect(other.getByRole("button", { name: "Delete" })).toBeHidden();
  await other.keyboard.press("Escape");

  await names(other).first().click();
  await other.getByRole("link", { name: "Cancel" }).click();
  await expect(other).toHaveURL(link);
});

test("a phone shows the names of views whole in the sheet, and no message over it", async ({ page }) => {
  await enter("Phoneviews", ["One"]);
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, "/customers?q=phoneviews", await newKey("Has a phone"));
  await tabs(page).getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: "Save the list as a view" }).click();
  const name = "Customers of the northern regions";
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const saved = page.getByText(`The view “${name}” is saved.`);
  await expect(saved).toBeVisible();
  await tabs(page).getByRole("button").last().click();
  const sheet = page.getByRole("dialog", { name: "Views" });
  const link = sheet.getByRole("link", { name });
  await expect(link).toBeVisible();
  expect(await link.locator("bdi").evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
  const [message, below] = [await saved.boundingBox(), await sheet.boundingBox()];
  expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
});

test("a changed view says so, and is saved, saved as a new one, or reset", async ({ page }) => {
  await enter("Changeable", ["Two", "One"]);
  const key = await newKey("Changes views");
  await signIn(page, "/customers?q=changeable&sort=lastName", key);
  await saveAs(page, "Changeable", false);
  await page.getByRole("columnheader", { name: "Last name" }).getByRole("button").click();
  await expect(names(page)).toHaveText(["Two", "One"]);
  await expect(tab(page, "Changeable (changed)")).toBeVisible();
  await tabs(page).getByRole("button", { name: "Reset" }).click();
  await expect(names(page)).toHaveText(["One", "Two"]);
  await expect(tabs(page).getByRole("button", { name: "Reset" })).toBeHidden();

  await page.getByRole("columnheader", { name: "Last name" }).getByRole("button").click();
  await tabs(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("The view “Changeable” is saved.")).toBeVisible();
  await expect(tab(page, "Changeable (changed)")).toBeHidden();
  await page.reload();
  await signIn(page, "/customers", key);
  await tab(page, "Changeable").click();
  await expect(names(page)).toHaveText(["Two", "One"]);

  await page.getByRole("searchbox", { name: "Search" }).fill("changeable one");
  await expect(names(page)).toHaveText(["One"]);
  await tabs(page).getByRole("button", { name: "Save as new" }).click();
  const dialog = page.getByRole("dialog", { name: "Save the list as a view" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await dialog.getByLabel("Name").fill("Only one");
  await dialog.getByLabel("Name").press("Enter");
  await expect(tabs(page).getByRole("link")).toHaveText(["All", "Changeable", "Only one"]);
});

test("a view whose answer was lost is one's own at the next try, also under another name, and so is a change", async ({ page }) => {
  await enter("Lostview", ["Two", "One"]);
  await signIn(page, "/customers?q=lostview&sort=lastName", await newKey("Loses answers"));
  const loseNext = async (method: string) => {
    let isLost = false;
    await page.route(/\/v1\/views/, async (route) => {
      if (isLost || route.request().method() !== method) return route.fallback();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
  };
  const dialog = page.getByRole("dialog");
  const save = () => dialog.getByRole("button", { name: "Save" }).click();
  const failure = dialog.getByText("cannot be reached");

  await loseNext("POST");
  await openNew(page);
  await dialog.getByLabel("Name").fill("Lost");
  await save();
  await expect(failure).toBeVisible();
  await save();
  await expect(tab(page, "Lost")).toHaveAttribute("aria-current", "page");

  await page.getByRole("columnheader", { name: "Last name" }).getByRole("button").click();
  await loseNext("POST");
  await tabs(page).getByRole("button", { name: "Save as new" }).click();
  await dialog.getByLabel("Name").fill("Lost, too");
  await save();
  await expect(failure).toBeVisible();
  await dialog.getByLabel("Name").fill("Found");
  await save();
  await expect(tab(page, "Found")).toHaveAttribute("aria-current", "page");
  await expect(tabs(page).getByRole("link")).toHaveText(["All", "Lost", "Found"]);

  await loseNext("PUT");
  await page.getByRole("columnheader", { name: "Last name" }).getByRole("button").click();
  await tabs(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("cannot be reached")).toBeVisible();
  await tabs(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("The view “Found” is saved.")).toBeVisible();
  await expect(tab(page, "Found (changed)")).toBeHidden();
});

test("two people who change one view overwrite nothing of each other without a question", async ({ page, newBrowser }) => {
  await enter("Clashing", ["Two", "One"]);
  const key = await newKey("At two computers");
  await signIn(page, "/customers?q=clashing&sort=lastName", key);
  await saveAs(page, "Clashing");
  await page.getByRole("columnheader", { name: "Last name" }).getByRole("button").click();
  await expect(tab(page, "Clashing (changed)")).toBeVisible();
  const other = await elsewhere(newBrowser, key);
  await tab(other, "Clashing").click();
  await other.getByRole("columnheader", { name: "Account ID" }).getByRole("button").click();
  await tabs(other).getByRole("button", { name: "Save", exact: true }).click();
  await expect(other.getByText("The view “Clashing” is saved.")).toBeVisible();

  await tabs(page).getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "“Clashing” was changed meanwhile" });
  await expect(dialog).toContainText("It shows now: search “clashing” · Account ID ↑");
  await expectNoFaults(page);
  await dialog.getByRole("button", { name: "Save mine as new" }).click();
  await page.getByRole("dialog", { name: "Save the list as a view" }).getByRole("button", { name: "Cancel" }).click();
  await tabs(page).getByRole("button", { name: "Reset" }).click();
  await expect(page.getByRole("columnheader", { name: "Account ID" })).toHaveAttribute("aria-sort", "ascending");
});

test("many views: those without room are in the panel, and the open one is named at its button; a deleted one comes back", async ({
  page,
}) => {
  const key = await newKey("Many views");
  const api = await openApi(undefined, key);
  for (let i = 1; i <= 14; i++) {
    const search = { q: `town ${i}` };
    await api.call("POST", "/views", { name: `A town with a long name ${i}`, collection: "customers", isShared: false, search });
  }
  await signIn(page, "/customers", key);
  const more = tabs(page).getByRole("button", { name: /more$/ });
  await expect(more).toBeVisible();
  await expect(tabs(page).getByRole("link", { name: "A town with a long name 13" })).toBeHidden();
  for (const width of [1920, 1280, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(more).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await more.click();
  const panel = page.getByRole("dialog", { name: "Views" });
  await expect(panel.getByRole("region", { name: "Only for you" }).getByRole("link")).toHaveCount(14);
  await expectNoFaults(page);
  await panel.getByRole("link", { name: "A town with a long name 13" }).click();
  await expect(page).toHaveURL(/q=town\+13/);
  await expect(tabs(page).getByRole("button", { name: "A town with a long name 13", exact: true })).toBeVisible();
  await expectNoFaults(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNoFaults(page);

  await page.getByRole("button", { name: "Options of A town with a long name 13" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("The view “A town with a long name 13” is deleted.")).toBeVisible();
  await expect(page).toHaveURL(/q=town\+13$/); // what the list shows stays
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The view “A town with a long name 13” is back.")).toBeVisible();
});

test("what stands beside the tabs of a changed view never stands over the search, at any width", async ({ page }) => {
  await enter("Sideways", ["One"]);
  await signIn(page, "/customers?q=sideways", await newKey("Dora"));
  const name = "Everything that is of some interest";
  await saveAs(page, name, false);
  await page.getByRole("columnheader", { name: "Account ID" }).getByRole("button").first().click();
  const views = tabs(page);
  await expect(views.getByRole("button", { name: "Reset" })).toBeVisible();
  for (const width of [1920, 1280, 1100, 1000, 900, 768]) {
    await page.setViewportSize({ width, height: 800 });
    const search = await page.getByRole("searchbox").boundingBox();
    for (const button of await views.getByRole("button").all()) {
      const box = await button.boundingBox();
      if (!box || !search) continue;
      const isAside = box.x + box.width <= search.x || box.x >= search.x + search.width;
      const isAbove = box.y + box.height <= search.y || box.y >= search.y + search.height;
      expect(isAside || isAbove, `${width}: ${await button.textContent()}`).toBe(true);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});
