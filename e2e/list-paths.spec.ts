// From the list to a record and on to the next, and a list with many columns.

import { expect, test } from "@playwright/test";
import { PORTS } from "./support/ports.ts";
import { openApi, signIn } from "./support/service.ts";

test("the previous record of the first one on a page is the last one of the page before, also after paging back", async ({ page }) => {
  const records = Array.from({ length: 60 }, (_, i) => ({ firstName: "Backwards", lastName: `B${100 + i}`, accountID: "1" }));
  await (await openApi()).call("POST", "/customers", records);
  await signIn(page, "/customers?q=backwards&sort=lastName&limit=25");
  const first = page.getByRole("table").getByRole("link").first();
  for (const [turn, shown] of [
    ["Next →", "B125"],
    ["Next →", "B150"],
    ["← Previous", "B125"],
  ] as const) {
    await page.getByRole("button", { name: turn }).click();
    await expect(first).toHaveText(shown);
  }
  await first.click();
  await expect(page.getByRole("heading", { name: "Backwards B125" })).toBeVisible();
  await page.getByRole("link", { name: "Previous customer" }).click();
  await expect(page.getByRole("heading", { name: "Backwards B124" })).toBeVisible();
  await page.getByRole("link", { name: "Next customer" }).click();
  await expect(page.getByRole("heading", { name: "Backwards B125" })).toBeVisible();
});

test("a link that is clicked before a search begins opens its page, however long that takes", async ({ page }) => {
  await (await openApi()).call("POST", "/customers", { firstName: "Followed", lastName: "Link", accountID: "1" });
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/assets/record-*.js", async (route) => {
    await asked;
    await route.continue();
  });
  await page.clock.install();
  await signIn(page, "/customers?q=followed");
  const link = page.getByRole("link", { name: "Link", exact: true });
  await expect(link).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  await page.getByRole("searchbox", { name: "Search" }).fill("followed by something else");
  await link.click();
  await page.clock.runFor(1_000);
  answer();
  await page.clock.resume();
  await expect(page.getByRole("heading", { name: "Followed Link" })).toBeVisible();
  await expect(page).toHaveURL(/customers\/\d+$/);
});

test("a list with many columns scrolls sideways, and its head stays in sight", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  const records = Array.from({ length: 40 }, (_, i) => ({ name: `Headed ${i}`, permanent: false, birthday: "1990-01-01" }));
  await api.call("POST", "/employees", records);
  const { json } = await api.call("GET", "/employees?limit=1");
  const columns = Object.keys((json.employees as object[])[0] ?? {}).filter((name) => name !== "version");
  expect(columns.length).toBeGreaterThan(6);
  await signIn(page, `http://127.0.0.1:${PORTS.staff}/employees?q=headed&columns=${columns.join(",")}`);
  const head = page.getByRole("columnheader").nth(1);
  const top = (await head.boundingBox())?.y;
  await page.getByRole("row").last().scrollIntoViewIfNeeded();
  await expect(page.getByRole("row").last()).toBeInViewport();
  await expect(head).toBeInViewport();
  expect((await head.boundingBox())?.y).toBe(top);
  await expect(page.getByText("40 employees").last()).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
});
