// The columns of a list are moved and sized at their headings, with the mouse and with the keyboard.

import { expect, type Page, test } from "@playwright/test";
import { openApi, signIn } from "./support/service.ts";

const COLUMNS = ["Last name", "First name", "Account ID"];
const ADDRESS = "/customers?q=movable&columns=lastName,firstName,accountID";

test.beforeEach(async () => {
  await (await openApi()).call("POST", "/customers?onConflict=skip", {
    objectId: 98_700_001,
    lastName: "Movable",
    firstName: "Ann",
    accountID: "M-1",
  });
});

async function open(page: Page): Promise<void> {
  await signIn(page, ADDRESS);
  await expect(page.locator("main[data-columns]")).toBeAttached(); // loaded when the list is at rest
}

const heading = (page: Page, name: string) => page.getByRole("columnheader", { name });
const headings = (page: Page) => page.locator("thead th:not(:has(input))");
const widthOf = async (page: Page, name: string) => (await heading(page, name).boundingBox())?.width ?? 0;

async function edgeOf(page: Page, name: string): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await heading(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width - 4, y: y + height / 2 };
}

async function dragEdge(page: Page, name: string, by: number): Promise<void> {
  const { x, y } = await edgeOf(page, name);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by, y, { steps: 10 });
  await page.mouse.up();
}

test("a heading is dragged to another place, and what it shows goes along", async ({ page }) => {
  await open(page);
  await expect(headings(page)).toHaveText(COLUMNS);
  await heading(page, "Account ID").getByRole("button").hover();
  await page.mouse.down();
  await heading(page, "First name").getByRole("button").hover();
  await expect(heading(page, "First name")).toHaveAttribute("data-drop", "before");
  await page.mouse.up();
  await expect(headings(page)).toHaveText(["Last name", "Account ID", "First name"]);
  await expect(page).toHaveURL(/columns=lastName%2CaccountID%2CfirstName$/); // and is not sorted by it
  await expect(page.getByRole("row", { name: "Movable" }).getByRole("cell")).toHaveText([/^$/, "M-1", "Ann"]);

  await heading(page, "First name").getByRole("button").hover();
  await page.mouse.down();
  await heading(page, "Last name").getByRole("button").hover();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(headings(page)).toHaveText(["Last name", "Account ID", "First name"]);
});

test("an edge is dragged to another width, which stays until it is taken back", async ({ page }) => {
  await open(page);
  const before = await widthOf(page, "First name");
  await dragEdge(page, "First name", 120);
  await expect.poll(async () => Math.round((await widthOf(page, "First name")) - before)).toBe(120);
  expect(new URL(page.url()).searchParams.has("sort")).toBe(false); // the edge does not sort
  await page.getByRole("link", { name: "Movable" }).click();
  await expect(page.getByRole("heading", { name: "Ann Movable" })).toBeVisible();
  await page.goBack();
  await expect.poll(async () => Math.round((await widthOf(page, "First name")) - before)).toBe(120);
  await dragEdge(page, "First name", -600);
  await expect.poll(async () => Math.round(await widthOf(page, "First name"))).toBe(48); // the narrowest
  const { x, y } = await edgeOf(page, "First name");
  await page.mouse.dblclick(x, y);
  await expect.poll(async () => Math.round(await widthOf(page, "First name"))).toBe(Math.round(before));
});

test("the keyboard does the same, and says what it did", async ({ page }) => {
  await open(page);
  const button = heading(page, "Last name").getByRole("button");
  await button.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect(headings(page)).toHaveText(["First name", "Last name", "Account ID"]);
  await expect(button).toBeFocused();
  await expect(page.getByText("Last name: column 2 of 3")).toBeAttached();
  const before = await widthOf(page, "Last name");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await expect.poll(async () => Math.round((await widthOf(page, "Last name")) - before)).toBe(32);
  await expect(page.getByText(/^Last name: width \d+$/)).toBeAttached();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("button", { name: "Reset columns" }).click();
  await expect(headings(page)).toHaveText([...COLUMNS, "Object ID", "Changed"]);
  await expect.poll(async () => Math.round(await widthOf(page, "Last name"))).not.toBe(Math.round(before + 32));
});

test("columns that are wider than the page scroll sideways, and the name stays in sight", async ({ page }) => {
  await open(page);
  await dragEdge(page, "Last name", 400);
  await heading(page, "First name").getByRole("button").focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press("+");
  const area = page.locator("main [data-wide]");
  await expect.poll(() => area.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  await area.evaluate((one) => one.scrollTo(400, 0));
  await expect(page.getByRole("link", { name: "Movable" })).toBeInViewport();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
