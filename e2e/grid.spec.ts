// The grid of rows with problems is worked on as a spreadsheet: blocks of cells, the clipboard, filters.

import { expect, type Locator, type Page, test } from "@playwright/test";
import { check, openApi, reported, signIn } from "./support/service.ts";

const HEADER = "objectId,firstName,lastName,accountID";

const grid = (page: Page) => page.getByRole("grid", { name: "Rows with problems" });
const row = (page: Page, number: string) => grid(page).getByRole("row", { name: new RegExp(`^${number} `) });
const cell = (page: Page, number: string, title: string) => row(page, number).locator(`td[data-title="${title}"]`);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Puts it there as another program would. */
const paste = (page: Page, text: string) =>
  page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", data);
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);

/** Returns what the grid copies, as another program would get it. */
const copied = (page: Page) =>
  page.evaluate(() => {
    const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    return event.clipboardData?.getData("text/plain");
  });

/** Rows without a last name. */
function nameless(from: number, count: number): string {
  return [HEADER, ...Array.from({ length: count }, (_, i) => `${from + i},First ${i},,A${i}`)].join("\n");
}

test("the choice of a problem is as wide as its text where there is room, on one line with the others", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, "/customers/upload");
  await check(page, "wide.csv", `${HEADER}\nx,Ann,Named,A\ny,,,B`);
  const problem = page.getByRole("combobox", { name: "Kind of problem" });
  const tops = [
    problem,
    page.getByRole("searchbox", { name: "Find in these rows" }),
    page.getByRole("combobox", { name: "Find in", exact: true }),
  ];
  const boxes = await Promise.all(tops.map((part) => part.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  expect(boxes[0]?.width).toBeGreaterThan(300); // before, no wider than 256 px
});

test("at least eight rows of one line each are in sight, and the fields with problems stand first", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, "/customers/upload");
  await check(page, "sheet.csv", `${nameless(9_990_000, 30)}\n9990900,Ann,Named,A`);
  await expect(grid(page)).toBeVisible();
  const headings = await grid(page).getByRole("columnheader").allInnerTexts();
  expect(headings.map((text) => text.replace(/\d+.*$/s, "").trim())).toEqual([
    "Row",
    "Last name",
    "Object ID",
    "First name",
    "Account ID",
    expect.anything(),
  ]);
  await page.getByRole("button", { name: "Show: Enter the last name." }).click();
  await expect(cell(page, "1", "Last name")).toBeFocused();
  const bar = await page
    .getByRole("button", { name: /^Upload \d/ })
    .or(button(page, "Back to columns"))
    .first()
    .locator("..")
    .boundingBox();
  const inSight = await grid(page)
    .locator("tbody tr:not([aria-hidden])")
    .evaluateAll((lines, limit) => {
      const area = lines[0]?.closest("[role=grid]")?.parentElement?.getBoundingClientRect() ?? new DOMRect();
      const bottom = Math.min(area.bottom, limit);
      return lines.filter((line) => line.getBoundingClientRect().top >= area.top && line.getBoundingClientRect().bottom <= bottom).length;
    }, bar?.y ?? 0);
  expect(inSight).toBeGreaterThanOrEqual(8);
});

test("the bar with the next step lies above the grid's header", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await signIn(page, "/customers/upload");
  await check(page, "bar.csv", `${nameless(9_989_000, 30)}\n9989900,Ann,${"x".repeat(201)},A\n9989901,Ann,Named,A`);
  const upload = page.getByRole("button", { name: /^Upload \d/ });
  const top = async (found: Locator) => (await found.boundingBox())?.y ?? 0;
  const between = (await top(upload)) - (await top(grid(page)));
  await page.setViewportSize({ width: 1280, height: 700 - between }); // now one lies over the other
  expect(Math.abs((await top(upload)) - (await top(grid(page))))).toBeLessThan(2);
  const isSeen = upload.evaluate((target) => {
    const { left, top } = target.getBoundingClientRect();
    return document.elementFromPoint(left + 20, top + 18) === target;
  });
  expect(await isSeen).toBe(true);
});

test("a block from a spreadsheet is pasted, and what does not fit is named", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "block.csv", nameless(9_991_000, 5));
  await cell(page, "2", "Last name").click();
  await paste(page, 'Two\t9991901\r\n"Three ""the"" third"\t9991902\r\nFour\t9991903\r\nFive\t9991904\r\nSix\t9991905\r\n');
  await expect(page.getByText("8 cells pasted. 1 row did not fit.")).toBeVisible();
  await expect(page.getByText("4 rows are ready")).toBeVisible();
  await expect(cell(page, "3", "Object ID")).toHaveText("9991902");
  await expect(cell(page, "3", "Last name")).toHaveText('Three "the" third');
  await button(page, "Undo").click();
  await expect(page.getByText("No row is ready")).toBeVisible();
  await button(page, "Redo").click();
  await expect(page.getByText("4 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: /^Upload \d/ }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(4);
  const api = await openApi();
  expect((await api.call("GET", "/customers/9991904")).json).toMatchObject({ lastName: "Five", firstName: "First 4" });
});

test("a value is filled down, cleared and restored by keyboard alone", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "down.csv", nameless(9_992_000, 4));
  await expect(page.getByText("No row is ready")).toBeVisible();
  await page.keyboard.press("F8");
  await expect(cell(page, "1", "Last name")).toBeFocused();
  await page.keyboard.type("Filled");
  await page.keyboard.press("Enter");
  await expect(cell(page, "2", "Last name")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(cell(page, "1", "Last name")).toBeFocused();
  await page.keyboard.press("Control+Shift+ArrowDown");
  await expect(cell(page, "3", "Last name")).toHaveAttribute("aria-selected", "true");
  await expect(cell(page, "3", "Object ID")).toHaveAttribute("aria-selected", "false");
  await page.keyboard.press("Control+d");
  await expect(page.getByText("4 rows are ready")).toBeVisible();
  await expect.poll(() => copied(page)).toBe("Filled\r\nFilled\r\nFilled\r\nFilled");
  await page.keyboard.press("Delete");
  await expect(page.getByText("No row is ready")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("4 rows are ready")).toBeVisible();
  await button(page, "Restore").click();
  await expect(page.getByText("No row is ready")).toBeVisible();
});

test("a note at the cell says why it is wrong and what was in the file, and restores it", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "note.csv", `${HEADER}\n9993001,,${"x".repeat(201)},A\n`);
  await cell(page, "1", "Last name").click();
  const note = page.locator("[data-cell-note]");
  await expect(note).toContainText("Last name");
  await page.keyboard.press("Escape");
  await expect(note).toBeHidden();
  await page.keyboard.type("Short");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await cell(page, "1", "Last name").hover();
  await expect(note).toContainText("In the file: xxx");
  await note.getByRole("button", { name: "Restore", includeHidden: true }).click();
  await expect(page.getByText("No row is ready")).toBeVisible();
});

test("what is typed in a cell is saved by a click on another one", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "click.csv", nameless(9_996_000, 3));
  await cell(page, "1", "Last name").dblclick();
  await page.keyboard.type("Typed");
  await cell(page, "3", "Last name").click();
  await expect(cell(page, "1", "Last name")).toHaveText("Typed");
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await expect(cell(page, "3", "Last name")).toBeFocused();
  await page.keyboard.type("Last");
  await button(page, "Next problem").click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await expect(cell(page, "2", "Last name")).toBeFocused();
});

test("dragging selects a block, whose rows are left out together", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "drag.csv", nameless(9_994_000, 5));
  await cell(page, "2", "Last name").hover();
  await page.mouse.down();
  await cell(page, "4", "First name").hover();
  await page.mouse.up();
  await expect(cell(page, "3", "Object ID")).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => copied(page)).toBe("\t9994001\tFirst 1\r\n\t9994002\tFirst 2\r\n\t9994003\tFirst 3");
  await button(page, "Leave out the rows").click();
  await expect(page.getByText("2 have problems · 3 left out")).toBeVisible();
  await button(page, "Undo").click();
  await expect(page.getByText("5 have problems")).toBeVisible();
});

test("rows are found by problem and by what is in a column", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const text = `${HEADER}\n9995001,Ärnst,,A\n9995002,Berta,,B\nx,Arnst,Meier,C\n9995004,Cäsar,,Arnst\n`;
  await check(page, "filter.csv", text);
  await expect(grid(page)).toHaveAttribute("aria-rowcount", "5");
  await page.getByRole("searchbox", { name: "Find in these rows" }).fill("arnst");
  await expect(page.getByText("3 of 4 rows")).toBeVisible();
  await page.getByRole("combobox", { name: "Find in", exact: true }).selectOption("First name");
  await expect(page.getByText("2 of 4 rows")).toBeVisible();
  await page.getByRole("combobox", { name: "Kind of problem", exact: true }).selectOption({ label: "Enter the last name. (3)" });
  await expect(grid(page).getByRole("row")).toHaveCount(2);
  await cell(page, "1", "Last name").click();
  await page.keyboard.type("Found");
  await page.keyboard.press("Enter");
  await expect(row(page, "1")).toContainText("Found"); // it stays in sight
  await button(page, "Show all rows").click();
  await expect(grid(page).getByRole("row")).toHaveCount(5);
});

test("a column of 10,000 rows is filled at once", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "long.csv", nameless(40_000_000, 12_000));
  await expect(page.getByText("12,000 have problems")).toBeVisible();
  await cell(page, "1", "Last name").click();
  await paste(page, "Everybody");
  await page.keyboard.press("Control+ ");
  await expect(cell(page, "2", "Last name")).toHaveAttribute("aria-selected", "true");
  await button(page, "Fill down").click();
  await expect(page.getByText("10,000 rows are ready")).toBeVisible();
  await button(page, "Undo").click();
  await expect(page.getByText("1 row is ready")).toBeVisible();
});

test("the corner of the selected cells is dragged on: one is copied, two begin a series", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "series.csv", nameless(9_987_000, 6));
  await cell(page, "1", "Last name").click();
  await page.keyboard.type("No. 1");
  await page.keyboard.press("Enter");
  await page.keyboard.type("No. 2");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await cell(page, "1", "Last name").click();
  await page.keyboard.press("Shift+ArrowDown");
  await expect(cell(page, "2", "Last name")).toHaveAttribute("aria-selected", "true");
  await drag(page, cell(page, "2", "Last name"), cell(page, "4", "Last name"));
  await expect(page.getByText("2 cells filled.")).toBeVisible();
  await expect(cell(page, "4", "Last name")).toHaveText("No. 4");
  await expect(page.getByText("4 rows are ready")).toBeVisible();

  await cell(page, "4", "Last name").click();
  await cell(page, "4", "Last name").locator("[data-fill]").dblclick();
  await expect(cell(page, "6", "Last name")).toHaveText("No. 4");
  await expect(page.getByText("6 rows are ready")).toBeVisible();
  await button(page, "Undo").click();
  await expect(page.getByText("4 rows are ready")).toBeVisible();

  // Without a mouse: the series that the first two of the selected rows begin.
  await cell(page, "1", "Last name").click();
  await page.keyboard.press("Control+Shift+ArrowDown");
  await button(page, "Continue series").click();
  await expect(cell(page, "6", "Last name")).toHaveText("No. 6");
  await expect(page.getByText("6 rows are ready")).toBeVisible();
});

/** From the corner of one cell into the middle of another. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.locator("[data-fill]").hover();
  await page.mouse.down();
  await to.hover();
  await page.mouse.up();
}

test("cells that are selected before the shown rows have come stay selected", async ({ page }) => {
  await page.addInitScript(holdRows);
  await signIn(page, "/customers/upload");
  // In all rows the fourth has no name; of those without a name it is the second.
  const rows = ["1,,,A", "2,,Ann,", "3,,Ann,", "4,,,A", "5,,,A", "6,,,A"].map((one) => `998600${one}`);
  await check(page, "held.csv", [HEADER, ...rows].join("\n"));
  await expect(cell(page, "4", "Last name")).toBeVisible();
  await page.evaluate("holdsRows = true");
  await page.getByRole("button", { name: "Show: Enter the last name." }).click();
  await expect(cell(page, "1", "Last name")).toBeFocused();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowDown");
  await page.evaluate("letRowsGo()");
  await expect(cell(page, "2", "Last name")).toHaveCount(0);
  for (const number of ["1", "4", "5", "6"]) await expect(cell(page, number, "Last name")).toHaveAttribute("aria-selected", "true");
});

/** In the page: while `holdsRows`, rows that the worker sends arrive only when `letRowsGo` is called. */
const holdRows = `{
  const held = [];
  window.holdsRows = false;
  window.letRowsGo = () => {
    window.holdsRows = false;
    for (const deliver of held.splice(0)) deliver();
  };
  const Real = window.Worker;
  window.Worker = class extends Real {
    addEventListener(type, listener) {
      super.addEventListener(type, (event) => {
        if (window.holdsRows && event.data?.answer?.for === "rows") held.push(() => listener(event));
        else listener(event);
      });
    }
  };
}`;
