// Tests what is shown before the service has answered, and what is asked of it before the code is there.

import { expect, type Page, test } from "@playwright/test";
import { hold } from "./support/hold-requests.ts";
import { openApi, signIn, stored } from "./support/service.ts";

const lastName = (page: Page) => page.getByRole("textbox", { name: "Last name" });

test.describe("a record that is opened from a list", () => {
  /** Opens the list, and holds back the request for the record that is opened from it. */
  async function openList(page: Page, name: string) {
    const record = await stored({ lastName: name, accountID: "1" });
    await page.route("**/v1/changes?*", (route) => route.abort()); // the list is not told what others do
    await signIn(page, `/customers?q=${name}`);
    const link = page.getByRole("link", { name });
    await expect(link).toBeVisible();
    return { ...record, link, held: await hold(page, `**/v1/customers/${record.id}`, (request) => request.method() === "GET") };
  }

  test("can be edited and saved before it is read again", async ({ page }) => {
    const { link, held, now } = await openList(page, "Opensearly");
    await link.click();
    await expect(lastName(page)).toHaveValue("Opensearly");
    expect(held.count).toBe(1);
    await lastName(page).fill("Earlier");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    expect(await now()).toMatchObject({ lastName: "Earlier", version: 2 });
    held.letGo();
  });

  test("shows what was changed since the list was read, once it is read again", async ({ page }) => {
    const { link, held, id, api } = await openList(page, "Openschanging");
    await api.call("PATCH", `/customers/${id}`, { lastName: "Changed" });
    await link.click();
    await expect(lastName(page)).toHaveValue("Openschanging");
    held.letGo();
    await expect(lastName(page)).toHaveValue("Changed");
    await expect(page.getByRole("heading", { name: "Changed" })).toBeVisible();
  });

  test("is not saved over a change that the list does not show", async ({ page }) => {
    const { link, held, id, api, now } = await openList(page, "Opensstale");
    await api.call("PATCH", `/customers/${id}`, { lastName: "Theirs" });
    await link.click();
    await lastName(page).fill("Mine");
    const refused = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    expect((await refused).status()).toBe(412);
    held.letGo();
    await expect(page.getByRole("alert")).toContainText("while you were editing");
    await expect(lastName(page)).toHaveValue("Mine");
    expect(await now()).toMatchObject({ lastName: "Theirs", version: 2 });
  });

  test("is told as deleted when it is gone", async ({ page }) => {
    const { link, held, id, api } = await openList(page, "Opensgone");
    await api.call("DELETE", `/customers/${id}`);
    await link.click();
    await expect(lastName(page)).toHaveValue("Opensgone");
    held.letGo();
    await expect(page.getByText("This customer is deleted.")).toBeVisible();
    await expect(lastName(page)).toHaveCount(0);
  });

  test("stays with an error above it when it cannot be read again", async ({ page }) => {
    const { link, id, held } = await openList(page, "Unreadable");
    held.letGo();
    await page.route(`**/v1/customers/${id}`, (route) => route.fulfill({ status: 403, json: { code: "FORBIDDEN", title: "Not allowed" } }));
    await link.click();
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    await expect(lastName(page)).toHaveValue("Unreadable");
    await page.unroute(`**/v1/customers/${id}`);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
    await expect(lastName(page)).toHaveValue("Unreadable");
  });
});

test("the rows of a list are asked for while the code that draws them is still loading", async ({ page }) => {
  const { token } = await openApi();
  await stored({ lastName: "Ahead of code", accountID: "1" });
  await page.addInitScript((kept) => sessionStorage.setItem("intake.token", kept), token);
  const held = await hold(page, "**/assets/libraries-*.js", () => true);
  const rows = page.waitForResponse(/\/v1\/customers\?.*q=ahead/);
  await page.goto("/customers?q=ahead", { waitUntil: "commit" });
  expect((await rows).status()).toBe(200);
  await expect(page.getByRole("table", { name: "Customers" })).toHaveCount(0);
  const again: string[] = [];
  page.on("request", (request) => /\/v1\/(customers|dictionary|me)\b/.test(request.url()) && again.push(request.url()));
  held.letGo();
  await expect(page.getByRole("link", { name: "Ahead of code" })).toBeVisible();
  expect(again).toEqual([]); // each was asked for once
});

test("the sign-in page asks once for the ways to sign in, before it is drawn", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => request.url().endsWith("/v1/sign-in") && asked.push(request.url()));
  const held = await hold(page, "**/assets/libraries-*.js", () => true);
  const ways = page.waitForResponse("**/v1/sign-in");
  await page.goto("/", { waitUntil: "commit" });
  expect((await ways).status()).toBe(200);
  held.letGo();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("textbox").first()).toBeVisible();
  expect(asked).toHaveLength(1);
});

test("a first visit fetches the typeface after the page is drawn, later ones before", async ({ page }) => {
  const { token } = await openApi();
  await page.addInitScript((text) => {
    sessionStorage.setItem("intake.token", text);
    const drawn = new MutationObserver(() => {
      if (document.querySelector("main h1[tabindex]")) performance.mark("drawn");
    });
    drawn.observe(document, { childList: true, subtree: true });
  }, token);
  const order = async () => {
    await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
    await page.waitForFunction(() => document.fonts.check("1em Inter"));
    await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => /typeface-[^/]*\.css$/.test(name)));
    return page.evaluate(() => {
      const asked = performance.getEntriesByType("resource").find(({ name }) => /typeface-[^/]*\.css$/.test(name));
      const [drawn] = performance.getEntriesByName("drawn");
      return (asked?.startTime ?? 0) < (drawn?.startTime ?? 0) ? ["typeface", "page"] : ["page", "typeface"];
    });
  };
  await page.goto("/customers");
  expect(await order()).toEqual(["page", "typeface"]);
  await page.reload();
  expect(await order()).toEqual(["typeface", "page"]);
});
