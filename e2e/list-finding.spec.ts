// Search and filters of the list, and the browser's history.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { enter, names } from "./support/list-rows.ts";
import { openApi, signIn } from "./support/service.ts";

async function addFilter(page: Page, field: string, condition: string, value?: string): Promise<void> {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Add a filter" });
  await panel.getByLabel("Field").selectOption(field);
  await panel.getByLabel("Condition").selectOption(condition);
  if (value !== undefined) {
    const input = panel.getByLabel(/^Value/);
    if ((await input.evaluate((element) => element.tagName)) === "SELECT") await input.selectOption(value);
    else await input.fill(value);
  }
  await panel.getByRole("button", { name: "Add filter" }).click();
}

test("a late response to an earlier search never replaces a newer one, and its request is cancelled", async ({ page }) => {
  await enter("Hasty", ["Early", "Later"]);
  await signIn(page);
  const given: string[] = [];
  page.on("requestfailed", (request) => given.push(new URL(request.url()).searchParams.get("q") ?? ""));
  await page.route(/q=hasty\+early&?/, () => {}); // never answered
  await page.getByRole("searchbox", { name: "Search" }).pressSequentially("hasty early", { delay: 20 });
  await expect(page).toHaveURL(/q=hasty\+early/);
  await page.getByRole("searchbox", { name: "Search" }).fill("hasty later");
  await expect(names(page)).toHaveText(["Later"]);
  expect(given).toContain("hasty early");
});

test("a search is one step in the browser's history, however many letters it has", async ({ page }) => {
  await enter("Onestep", ["Back"]);
  await signIn(page, "/customers");
  await page.getByRole("searchbox", { name: "Search" }).pressSequentially("onestep", { delay: 150 });
  await expect(page).toHaveURL(/q=onestep$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/customers$/);
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("");
});

test("filters are shown as chips, changed by a click on them, and removed one by one", async ({ page }) => {
  await enter("Filtra", ["Alpha", "Alto"], "F-1");
  await enter("Filtra", ["Beta"], "F-2");
  await signIn(page, "/customers?q=filtra&sort=lastName");
  await addFilter(page, "Last name", "starts with", "al");
  await expect(names(page)).toHaveText(["Alpha", "Alto"]);
  const chips = page.getByRole("list", { name: "Filters" });
  await chips.getByRole("button", { name: "Last name starts with al", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Change the filter Last name" });
  const shapeOf = (one: Element) => [
    getComputedStyle(one).fontFamily,
    one.getBoundingClientRect().height,
    one.getBoundingClientRect().width,
  ];
  expect(await panel.getByRole("textbox").evaluate(shapeOf)).toEqual(await panel.getByLabel("Condition").evaluate(shapeOf));
  await panel.getByLabel("Condition").selectOption("is one of");
  await panel.getByLabel("Values").fill("Alto, Beta");
  await panel.getByRole("button", { name: "Change filter" }).click();
  await expect(names(page)).toHaveText(["Alto", "Beta"]);
  await addFilter(page, "Account ID", "is", "F-2");
  await expect(names(page)).toHaveText(["Beta"]);
  await chips.getByRole("button", { name: "Remove filter Account ID is F-2" }).click();
  await expect(page.getByRole("searchbox", { name: "Search" })).toBeFocused(); // the button that had it is gone
  await expect(names(page)).toHaveText(["Alto", "Beta"]);
  await page.goBack();
  await expect(names(page)).toHaveText(["Beta"]);
});

test("filters that fill a line leave the buttons at its end, and the open view among the tabs", async ({ page }) => {
  const search = { "lastName[prefix]": "Lined", "firstName[contains]": "between names", "accountID[ne]": "L-0001", "objectId[gte]": "1" };
  const api = await openApi();
  const { json } = await api.call("POST", "/views", { name: "Lined up", collection: "customers", isShared: false, search });
  await signIn(page, `/customers?${new URLSearchParams({ ...search, _view: String(json.id) })}`);
  await expect(page.getByRole("list", { name: "Filters" }).getByRole("listitem")).toHaveCount(5);
  const place = async (name: string) => (await page.getByRole("button", { name, exact: true }).boundingBox()) ?? { x: 0, y: 0, width: 0 };
  for (const width of [1920, 1280, 1024, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Lined up" })).toBeVisible();
    const [filter, last] = [await place("Filter"), await place("Export")];
    const edge = await page.getByRole("main").evaluate((main) => main.getBoundingClientRect().right);
    expect([width, filter.y === last.y, edge - last.x - last.width < 60]).toEqual([width, true, true]);
  }
  await api.call("DELETE", `/views/${json.id}`);
});

test("a filter is added after a record was read", async ({ page }) => {
  await enter("Seenrecord", ["Onevsky", "Twovsky"]);
  await signIn(page, "/customers?q=Seenrecord");
  await page.getByRole("link", { name: "Onevsky" }).click();
  await expect(page.getByRole("navigation", { name: "Previous and next record" }).getByRole("link").first()).toBeVisible();
  await page.getByRole("link", { name: "Customers" }).first().click();
  await addFilter(page, "Last name", "starts with", "Twovs");
  await expect(page.getByRole("button", { name: "Last name starts with Twovs", exact: true })).toBeVisible();
});

test("a record that a search has found opens at the field that the search stands in", async ({ page }) => {
  const { records } = await enter("Opened", ["Finder", "Other"], "77-4711-X");
  await signIn(page, "/customers?q=77-4711");
  await names(page).first().click();
  const found = page.locator("[data-found]");
  await expect(found).toBeFocused();
  await expect(found.getByRole("textbox", { name: "Account ID" })).toHaveValue("77-4711-X");
  await expect(page.getByText("“77-4711” was found in Account ID.")).toBeAttached();
  await page.keyboard.press("e");
  await expect(page.getByRole("textbox", { name: "Account ID" })).toBeFocused();
  await expectNoFaults(page);

  await page.goBack();
  await page.getByRole("searchbox", { name: "Search" }).fill("finder");
  await expect(page).toHaveURL(/q=finder/);
  await names(page).first().click();
  await expect(found.getByRole("textbox", { name: "Last name" })).toHaveValue("Finder"); // it stands in the heading already
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find or go to" }).fill("77-4711");
  const option = page.getByRole("option", { name: /Other/ });
  await option.click();
  await expect(page).toHaveURL(new RegExp(`/customers/${records[1]?.objectId}$`));
  await expect(found.getByRole("textbox", { name: "Account ID" })).toBeVisible();
  await expect(found).toBeFocused();
});
