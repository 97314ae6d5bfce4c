// Finding records: search and filters, one step at a time and back again.

import { expect, type Page, test } from "@playwright/test";
import { enter, names } from "./support/list-rows.ts";
import { PORTS } from "./support/ports.ts";
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

test("while someone types, an answer that comes late never takes the place of a newer one, and is not waited for", async ({ page }) => {
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

test("a search is one step in the history, however many letters it has", async ({ page }) => {
  await enter("Onestep", ["Back"]);
  await signIn(page, "/customers");
  await page.getByRole("searchbox", { name: "Search" }).pressSequentially("onestep", { delay: 150 });
  await expect(page).toHaveURL(/q=onestep$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/customers$/);
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("");
});

test("filters stand as chips above the list, are changed by a click on them, and go one by one", async ({ page }) => {
  await enter("Filtra", ["Alpha", "Alto"], "F-1");
  await enter("Filtra", ["Beta"], "F-2");
  await signIn(page, "/customers?q=filtra&sort=lastName");
  await addFilter(page, "Last name", "starts with", "al");
  await expect(names(page)).toHaveText(["Alpha", "Alto"]);
  const chips = page.getByRole("list", { name: "Filters" });
  await chips.getByRole("button", { name: "Last name starts with al", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Change the filter Last name" });
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

test("records without a value are found, and a value that cannot be is told at once", async ({ page }) => {
  const api = await openApi();
  await api.call("POST", "/customers", [{ lastName: "Nofirstname", accountID: "E-1" }]);
  await signIn(page, "/customers?q=nofirstname");
  await addFilter(page, "First name", "is empty");
  await expect(names(page)).toHaveText(["Nofirstname"]);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Add a filter" });
  await panel.getByLabel("Field").selectOption("Object ID");
  await panel.getByLabel("Value").fill("007");
  await panel.getByRole("button", { name: "Add filter" }).click();
  await expect(panel.getByRole("alert")).toContainText("must be a whole number");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Filter", exact: true })).toBeFocused();
});

test("each kind of field has its own conditions", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  const base = { permanent: true, location: "Lagos", birthday: "1990-05-05", salary: 3000.5, hiredatetime: "2026-02-02T10:00:00Z" };
  const people = [
    { ...base, name: "Kindly One" },
    { ...base, name: "Kindly Two", permanent: false },
    { ...base, name: "Kindly Three", birthday: "1970-01-01" },
    { ...base, name: "Kindly Four", salary: 10 },
    { ...base, name: "Kindly Five", location: null },
    { ...base, name: "Kindly Six", hiredatetime: "2020-01-01T00:00:00Z" },
  ];
  expect((await api.call("POST", "/employees", people)).status).toBe(201);
  await signIn(page, `http://127.0.0.1:${PORTS.staff}/employees?q=kindly&sort=name`);
  await addFilter(page, "Permanent", "is", "Yes");
  await addFilter(page, "Birthday", "from", "1980-01-01");
  await addFilter(page, "Salary", "at least", "3000.5");
  await addFilter(page, "Location", "is", "Lagos");
  await addFilter(page, "Hired at", "from", "2026-01-01T00:00:00");
  await expect(names(page)).toHaveText(["Kindly One"]);
  await expect(page.getByRole("list", { name: "Filters" }).getByRole("listitem")).toHaveCount(6); // and "Clear filters"
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/employees\?sort=name$/);
});
