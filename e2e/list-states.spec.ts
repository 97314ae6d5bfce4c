// The list while it loads, empty, refused, offline or slow: what it says and offers, and that it passes axe.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { PORTS } from "./support/ports.ts";
import { appearances, SCHEMES } from "./support/repetitions.ts";
import { ADMIN_KEY, openApi, signIn } from "./support/service.ts";

const LIST = "**/v1/customers?*";
const EMPTY = `http://127.0.0.1:${PORTS.empty}`;

/** The page passes axe on a desk and on a phone, light and dark, and is never wider than the screen. */
async function expectGoodOnAnyScreen(page: Page): Promise<void> {
  for (const width of [1920, 1280, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  for (const { colours: colorScheme, width } of appearances([1280, 320], SCHEMES)) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoFaults(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function enter(firstName: string, count = 3): Promise<void> {
  const records = Array.from({ length: count }, (_, i) => ({ firstName, lastName: `N${i}`, accountID: "S-1" }));
  await (await openApi()).call("POST", "/customers", records);
}

/** Answers every request for the list with this error, until `page.unroute(LIST)`. */
async function refuse(page: Page, status: number, code: string, retryAfter: number): Promise<void> {
  const body = JSON.stringify({ type: "about:blank", title: "x", status, detail: "Not now.", code });
  const headers = { "Retry-After": String(retryAfter) };
  await page.route(LIST, (route) => route.fulfill({ status, headers, contentType: "application/problem+json", body }));
}

test("a list that loads draws placeholders where its rows will be", async ({ page }) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(LIST, async (route) => {
    await asked;
    await route.continue();
  });
  await enter("Skeleton");
  await signIn(page, "/customers?columns=lastName,firstName,accountID,objectId,createdAt,updatedAt,createdBy,updatedBy");
  await expect(page.getByText("Loading…")).toBeAttached();
  await expectGoodOnAnyScreen(page);
  const place = await page.locator("tbody tr").first().boundingBox();
  for (const width of [1280, 820, 768, 641]) {
    await page.setViewportSize({ width, height: 800 });
    const heads = await page.locator("thead th").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    expect(heads.length).toBeGreaterThan(2);
    for (const [i, { left }] of heads.entries()) expect(left, `${width} wide`).toBeGreaterThanOrEqual(Math.floor(heads[i - 1]?.right ?? 0));
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  answer();
  await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
  const row = await page.getByRole("row").nth(1).boundingBox();
  expect([row?.y, row?.height]).toEqual([place?.y, place?.height]);
});

test("an empty collection offers to enter the first one or to upload a file", async ({ page }) => {
  await signIn(page, `${EMPTY}/customers`);
  await expect(page.getByText("No customers yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Upload a file" })).toBeVisible();
  await expectGoodOnAnyScreen(page);
  await page.getByRole("link", { name: "New customer" }).click();
  await expect(page.getByRole("heading", { name: "New customer" })).toBeVisible();
});

test("a search without a match is cleared, filters included, by one click", async ({ page }) => {
  await enter("Nomatch");
  await signIn(page, "/customers?q=nomatch&accountID[prefix]=nowhere");
  await expect(page.getByText("No customer matches “nomatch” and the filter")).toBeVisible();
  await expectGoodOnAnyScreen(page);
  await page.getByRole("main").getByRole("button", { name: "Clear filters" }).last().click();
  await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
  await expect(page).toHaveURL(/\/customers$/);
});

test("a list whose address the service refuses says which part is wrong, and shows the list without it", async ({ page }) => {
  await enter("Refusedpart");
  await signIn(page, "/customers?q=refusedpart&colour=red&limit=many");
  await expect(page.getByRole("alert")).toContainText("colour");
  await expect(page.getByRole("alert")).toContainText("limit: This must be a whole number");
  await expectGoodOnAnyScreen(page);
  await page.getByRole("link", { name: "Show the list without it" }).click();
  await expect(page).toHaveURL(/customers\?q=refusedpart$/);
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(3);
  await page.goto("/customers?q=refusedpart&sort=colour");
  await signIn(page, page.url());
  await expect(page.getByRole("alert")).toContainText("The list cannot be sorted");
  await page.getByRole("link", { name: "Clear the order" }).click();
  await expect(page).toHaveURL(/customers\?q=refusedpart$/);
});

test("a search goes on after the user signs in again over the list", async ({ page }) => {
  await enter("Renewed", 1);
  await signIn(page, "/customers");
  await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
  await page.route(LIST, (route) => route.continue({ headers: { ...route.request().headers(), authorization: "Bearer gone" } }));
  await page.getByRole("searchbox", { name: "Search" }).fill("renewed");
  const dialog = page.getByRole("dialog", { name: "Sign in again to continue" });
  await expect(dialog).toBeVisible();
  await expectGoodOnAnyScreen(page);
  await page.unroute(LIST);
  await dialog.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("table").getByRole("link")).toHaveText(["N0"]);
});

test("a user who may only read sees no way to write, and the page asks once what is allowed", async ({ page }) => {
  await enter("Readonly", 1);
  const api = await openApi();
  const { json } = await api.call("POST", "/keys", { scope: "read" });
  const asked: string[] = [];
  page.on("request", (request) => request.url().endsWith("/v1/me") && asked.push(request.url()));
  await signIn(page, "/customers?q=readonly", String(json.key));
  await expect(page.getByRole("link", { name: "N0" })).toBeVisible();
  await expect(page.getByRole("link", { name: "New customer" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Upload a file" })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Search" }).fill("nobody at all");
  await expect(page.getByText("No customer matches")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
  await expectGoodOnAnyScreen(page);
  expect(asked).toHaveLength(1);
});

test("an app with a wrong API address names it, at sign-in and afterwards", async ({ page }) => {
  await page.route("**/config.json", (route) => route.fulfill({ json: { apiBaseUrl: "/nowhere" } }));
  // The app's own check would put another page in the place of the form before the user has pressed the button.
  let check = () => {};
  const pressed = new Promise<void>((resolve) => (check = resolve));
  await page.route("**/nowhere/openapi.json", (route) => pressed.then(() => route.continue()));
  await page.goto("/customers");
  await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText(/No Intake service answers at http.*\/nowhere\. The address is set in config\.json/);
  check();
  await expect(page.getByRole("alert")).toContainText("There is no Intake service at this address");
  await page.evaluate(() => sessionStorage.setItem("intake.token", "kept from before"));
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("There is no Intake service at this address");
  await expectGoodOnAnyScreen(page);
});

for (const [status, code, words] of [
  [429, "TOO_MANY_REQUESTS", "Too many requests at once."],
  [503, "UNAVAILABLE", "The service is busy."],
] as const) {
  test(`a list that gets ${status} counts down and tries again by itself`, async ({ page }) => {
    await enter(`Waiting${status}`);
    await refuse(page, status, code, 300);
    await signIn(page, `/customers?q=waiting${status}`);
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByText(/Trying again in 29[0-9] s/)).toBeVisible();
    await expectGoodOnAnyScreen(page);
    await page.unroute(LIST);
    await refuse(page, status, code, 1);
    await page.getByRole("button", { name: "Try now" }).click();
    await expect(page.getByText("Trying again in 1 s")).toBeVisible();
    await page.unroute(LIST);
    await expect(page.getByRole("table").getByRole("link")).toHaveCount(3);
    await expect(page.getByText(words)).toBeHidden();
  });
}

test("a list that goes offline keeps its rows, and searches when the connection is back", async ({ page, context }) => {
  await enter("Offlinelist");
  await signIn(page, "/customers?q=offlinelist");
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(3);
  await context.setOffline(true);
  await page.getByRole("searchbox", { name: "Search" }).fill("offlinelist n1");
  await expect(page.getByText("You are offline.")).toBeVisible();
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(3);
  await expectGoodOnAnyScreen(page);
  await context.setOffline(false);
  await expect(page.getByRole("table").getByRole("link")).toHaveText(["N1"]);
  await expect(page.getByText("You are offline.")).toBeHidden();
});

test("a slow search keeps the rows in sight and says after a while that it takes long", async ({ page }) => {
  await enter("Slowlist");
  await signIn(page, "/customers?q=slowlist");
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(3);
  await page.route(LIST, () => {});
  await page.getByRole("searchbox", { name: "Search" }).fill("slowlist n2");
  await expect(page.getByRole("table", { name: "Customers" })).toHaveAttribute("aria-busy", "true");
  await expect(page.getByText("This takes longer than usual.")).toHaveCSS("opacity", "1");
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(3);
  await expectGoodOnAnyScreen(page);
});

test("rows that others add appear when the user comes back to the list, without a loading screen", async ({ page }) => {
  await enter("Refreshed", 1);
  await page.clock.install();
  await signIn(page, "/customers?q=refreshed");
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(1);
  await page.getByRole("link", { name: "N0" }).click();
  await expect(page.getByRole("textbox", { name: "Last name" })).toBeVisible();
  await enter("Refreshed", 2);
  await page.clock.fastForward(60_000); // rows that were read a moment ago are not read again
  await page.goBack();
  await expect(page.getByRole("table").getByRole("link").first()).toBeVisible();
  await expect(page.getByText("Loading…")).toHaveCount(0);
  await expect(page.getByRole("table").getByRole("link")).toHaveCount(3);
});

test("a panel whose code cannot be fetched says so and can be tried again", async ({ page }) => {
  await page.route("**/assets/filter-editor*", (route) => route.abort());
  await signIn(page, "/customers");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Add a filter" });
  await expect(panel.getByRole("alert")).toContainText("could not be loaded");
  await page.unroute("**/assets/filter-editor*");
  await panel.getByRole("button", { name: "Try again" }).click();
  await expect(panel.getByLabel("Field")).toBeVisible();
});

test("panels, chips, the selection and its dialogs pass axe on any screen", async ({ page }) => {
  await enter("Faultless", 30);
  await signIn(page, "/customers?q=faultless&accountID[prefix]=s&limit=25");
  for (const name of ["Filter", "Views", "Columns", "Export"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("dialog").getByRole("button").first()).toBeVisible();
    await expectGoodOnAnyScreen(page);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await expectGoodOnAnyScreen(page);
  await page.getByRole("button", { name: "Change…" }).click();
  await page.getByLabel("New value").fill("Same");
  await expectGoodOnAnyScreen(page);
  await page.getByRole("button", { name: "Show what would change" }).click();
  await expect(page.getByRole("button", { name: "Change 25 customers" })).toBeVisible();
  await expectGoodOnAnyScreen(page);
});

test("a collection with every kind of field fits any screen", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  await api.call("POST", "/employees", {
    name: "Fitting Featherstonehaugh",
    permanent: false,
    birthday: "1990-01-01",
    salary: 1234567.5,
    email: `${"fitting".repeat(8)}@example.org`,
    profile: `https://example.org/${"fitting".repeat(8)}`,
  });
  await signIn(page, `http://127.0.0.1:${PORTS.staff}/employees?q=fitting`);
  await expect(page.getByRole("link", { name: "Fitting Featherstonehaugh" })).toBeVisible();
  await expectGoodOnAnyScreen(page);
});
