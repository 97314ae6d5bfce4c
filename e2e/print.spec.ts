// On paper stands what is read there, with its heads and page numbers, and nothing that is pressed or that covers it.

import { inflateSync } from "node:zlib";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { enter, names } from "./support/list-rows.ts";
import { check, signIn, stored } from "./support/service.ts";

const A4_WIDTH = 688; // px between the margins
const A4_LANDSCAPE = 1016;

const line = (page: Page) => page.getByText(/Printed .* by /);

/** Shows the page as it is printed. */
async function print(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await expect(line(page)).toBeAttached({ timeout: 100 });
  }).toPass(); // its code comes when the page is at rest
  await page.setViewportSize({ width: A4_WIDTH, height: 900 });
  await page.emulateMedia({ media: "print" });
  await expect(line(page)).toBeVisible();
  await expect(page.getByRole("banner")).toBeHidden();
}

/** Says of each whether it lies open, so that nothing is painted over it. */
const uncovered = (all: Locator) =>
  all.evaluateAll((elements) =>
    elements.map((one) => {
      one.scrollIntoView({ block: "center" });
      const { left, top, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + 2, top + height / 2));
    }),
  );

/** Finds the letters that a PDF uses of its fonts; they stand packed in it. */
function lettersOf(pdf: Buffer): Set<string> {
  const parts = pdf.toString("latin1").matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g);
  const maps = [...parts].flatMap(([, bytes = ""]) => {
    try {
      return inflateSync(Buffer.from(bytes, "latin1")).toString("latin1");
    } catch {
      return []; // a picture
    }
  });
  return new Set(
    maps.flatMap((map) =>
      [...map.matchAll(/<[0-9A-F]{2,4}> <([0-9A-F]{4})>$/gm)].map(([, code = ""]) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
  );
}

test("a list has its title, filter, heads, who and when, and numbers on its pages", async ({ page }) => {
  const { records } = await enter(
    "Papermill",
    Array.from({ length: 60 }, (_, i) => `${i}`),
    "P-1",
  );
  expect(records).toHaveLength(60);
  await signIn(page, "/customers?q=papermill&accountID=P-1&limit=100");
  await names(page).first().focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("complementary", { name: "Preview" })).toBeVisible();
  await print(page);
  await expect(line(page)).toContainText("Search: papermill · Account ID is P-1 · Here: 60 customers · Printed");
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
  const heads = page.locator("thead th button");
  await expect(heads.first()).toHaveText("Last name");
  expect(await uncovered(heads)).toEqual(Array(await heads.count()).fill(true));
  expect(await uncovered(page.locator("tbody th a"))).toEqual(Array(60).fill(true));
  for (const tool of ["New customer", "Upload a file"]) await expect(page.getByRole("link", { name: tool })).toBeHidden();
  await expect(page.getByRole("complementary", { name: "Preview" })).toBeHidden();
  expect(
    await page
      .locator("tbody time")
      .first()
      .evaluate((time) => getComputedStyle(time, "::after").content),
  ).toMatch(/\d{4}, .* · /);
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
  expect([...lettersOf(pdf)]).toContain("/"); // of "1 / 2", and of nothing else
  await page.emulateMedia({ media: "screen" });
  await expect(line(page)).toBeHidden();
});

test("a list has its values whole, on a page of either format", async ({ page }) => {
  const lastName = `Paperwide ${Date.now()}`;
  const words = Array.from({ length: 24 }, (_, i) => `Maximilian${i}`).join(" ");
  await stored({ lastName, firstName: words.slice(0, 100), accountID: "P-1" });
  await signIn(page, `/customers?q=${encodeURIComponent(lastName)}`);
  await expect(names(page)).toHaveCount(1);
  await print(page);
  for (const width of [A4_WIDTH, A4_LANDSCAPE]) {
    await page.setViewportSize({ width, height: 900 });
    const cells = page.locator("tbody").locator("th, td").filter({ visible: true });
    const cut = await cells.evaluateAll(
      (all) =>
        all.flatMap((cell) =>
          [...cell.querySelectorAll("*")].filter((one) => one.clientHeight > 0 && one.scrollHeight > one.clientHeight + 1),
        ).length,
    );
    expect([width, cut]).toEqual([width, 0]);
  }
});

test("a record has its fields, whole, without what helps to change it", async ({ page }) => {
  const lastName = `Papermaker ${Date.now()}`;
  const { id } = await stored({ lastName, accountID: "P-1" });
  await signIn(page, `/customers/${id}`);
  await page.getByRole("textbox", { name: "First name" }).fill("Typed"); // the bar of saving comes into sight
  await print(page);
  await expect(line(page)).toContainText(/^Customers · Printed/);
  const inputs = page.getByRole("main").getByRole("textbox");
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue(lastName);
  await expect(page.getByRole("textbox", { name: "Object ID" })).toHaveValue(String(id));
  expect(await uncovered(inputs)).toEqual(Array(await inputs.count()).fill(true));
  for (const name of ["Save", "Delete"]) await expect(page.getByRole("button", { name, exact: true })).toBeHidden();
  await expect(page.getByText("Cannot be changed.")).toBeHidden();
});

test("a report has its counts and reasons, and no steps", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "paper.csv", "lastName,accountID\nPaperfile,P-1\n,P-2\n");
  await page.getByRole("button", { name: /^Upload/ }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await print(page);
  await expect(page.getByText("1 of 2 rows are stored")).toBeVisible();
  await expect(page.getByRole("table", { name: "Rows not stored" }).getByRole("columnheader", { name: "Reason" })).toBeVisible();
  await expect(page.getByText("Enter the last name.")).toBeVisible();
  await expect(page.getByRole("list", { name: "Steps" })).toBeHidden();
  for (const tool of ["Show what it changed", "Open the list"]) await expect(page.getByRole("link", { name: tool })).toBeHidden();
});
