// Cells of a list are copied, pasted and filled down as in a spreadsheet.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { enter, names } from "./support/list-rows.ts";
import { signIn } from "./support/service.ts";

const COLUMNS = "columns=lastName,accountID,firstName,updatedAt&sort=lastName";
const bar = (page: Page) => page.getByRole("region", { name: "Selected cells" });
const dialog = (page: Page) => page.getByRole("dialog");
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** The part that knows of cells is loaded when the list is at rest. */
async function open(page: Page, firstName: string): Promise<void> {
  await signIn(page, `/customers?q=${firstName}&${COLUMNS}`);
  await expect(page.locator("main[data-columns]")).toHaveCount(1);
  await names(page).first().focus();
}

function pasteInto(page: Page, text: string): Promise<void> {
  return page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", data);
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test("a block is copied and pasted by keyboard, shows before what changes, and is taken back by Ctrl+Z", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { stored } = await enter("Blocked", ["A", "B", "C"]);
  const accounts = async () => (await stored()).map(({ lastName, accountID }) => `${lastName} ${accountID}`).sort();
  await open(page, "Blocked");
  await press(page, "Shift+ArrowRight", "ArrowRight");
  await expect(bar(page)).toContainText("Account ID: B-1");
  await press(page, "Shift+ArrowDown");
  await expect(bar(page)).toContainText("2 cells selected");
  await expectNoFaults(page);
  await press(page, "Control+c");
  await expect(bar(page)).toContainText("2 cells copied.");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("B-1\r\nB-1");
  await pasteInto(page, "N-1\tWrong\nN-2\tLonger\nN-3\tX\nN-4\tX");
  await expect(dialog(page)).toContainText("6 cells change in 3 customers.");
  await expect(dialog(page)).toContainText("1 row did not fit.");
  await expectNoFaults(page);
  await press(page, "Escape");
  await expect(dialog(page)).toHaveCount(0);
  expect(await accounts()).toEqual(["A B-1", "B B-1", "C B-1"]);
  await pasteInto(page, "N-1\nN-2");
  await expect(dialog(page)).toContainText("2 cells change in 2 customers.");
  await page.getByRole("button", { name: "Change 2 customers" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText("2 customers are changed.")).toBeVisible();
  expect(await accounts()).toEqual(["A N-1", "B N-2", "C B-1"]);
  await expect(names(page).nth(1)).toBeVisible();
  await press(page, "Control+z");
  await expect(page.getByText("2 customers are restored.")).toBeVisible();
  expect(await accounts()).toEqual(["A B-1", "B B-1", "C B-1"]);
});

test("cells that cannot have a value stay as they are, and the reason is said", async ({ page }) => {
  const { stored } = await enter("Refused", ["A", "B"]);
  await open(page, "Refused");
  await press(page, "Shift+ArrowRight");
  await pasteInto(page, `${"x".repeat(500)}\tR-1\tRefused\tnow`);
  await expect(dialog(page)).toContainText("1 cell changes in 1 customer.");
  await expect(dialog(page)).toContainText("Changed cannot be changed here. (Refused A)");
  await expect(dialog(page)).toContainText(/1 cell stays as it is\. Last name/);
  await page.getByRole("button", { name: "Change 1 customer" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect((await stored()).map(({ lastName, accountID }) => [lastName, accountID]).sort()).toEqual([
    ["A", "R-1"],
    ["B", "B-1"],
  ]);
});

test("all changes of a block can be looked at before they are made", async ({ page }) => {
  await enter("Manycells", ["A", "B", "C", "D", "E", "F", "G"]);
  await open(page, "Manycells");
  await press(page, "ArrowRight", ...Array(6).fill("Shift+ArrowDown"));
  await pasteInto(page, "M-1");
  const changes = dialog(page).getByRole("listitem").filter({ hasText: "M-1" });
  await expect(changes).toHaveCount(5);
  await dialog(page).getByRole("button", { name: "and 2 more" }).click();
  await expect(changes).toHaveCount(7);
});

test("a block is dragged with the mouse and filled down; a plain press opens the record as ever", async ({ page }) => {
  const { api, records, stored } = await enter("Dragged", ["A", "B", "C"]);
  await api.call("PATCH", `/customers/${records[0]?.objectId}`, { accountID: "TOP" });
  await open(page, "Dragged");
  // The link of a row lies over its cells, so the mouse goes by their places.
  const moveTo = async (row: number) => {
    const box = await page.locator("tr[data-id]").nth(row).locator('[data-at="1"]').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10, { steps: 3 });
  };
  await moveTo(0);
  await page.mouse.down();
  await moveTo(2);
  await page.mouse.up();
  await expect(bar(page)).toContainText("3 cells selected");
  await expect(page).toHaveURL(/q=Dragged/);
  await press(page, "Control+d");
  await expect(dialog(page)).toContainText("2 cells change in 2 customers.");
  await page.getByRole("button", { name: "Change 2 customers" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect((await stored()).map(({ accountID }) => accountID)).toEqual(["TOP", "TOP", "TOP"]);
  await press(page, "Escape");
  await expect(bar(page)).toHaveCount(0);
  await moveTo(1);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page).toHaveURL(new RegExp(`/customers/${records[1]?.objectId}`));
});

test("a block looks as a row with the focus does: washed, within one outline, also in the first column and under the pointer", async ({
  page,
}) => {
  await enter("Outlined", ["A", "B", "C"]);
  await open(page, "Outlined");
  await press(page, "Shift+ArrowDown", "Shift+ArrowRight");
  await expect(bar(page)).toContainText("4 cells selected");
  await page.mouse.move(600, 300);
  const looks = (selector: string) =>
    page.locator(selector).evaluateAll((cells) =>
      cells.map((cell) => {
        const { backgroundColor, boxShadow } = getComputedStyle(cell);
        const sides = [...boxShadow.matchAll(/(-?\d+)px (-?\d+)px 0px 0px inset/g)].map(([, x, y]) => `${x} ${y}`);
        return { backgroundColor, sides };
      }),
    );
  await page
    .locator("tr[data-id]")
    .first()
    .hover({ position: { x: 400, y: 15 } });
  const cells = await looks("[data-block]");
  expect(new Set(cells.map(({ backgroundColor }) => backgroundColor)).size).toBe(1);
  expect(cells[0]?.backgroundColor).not.toBe((await looks("tr[data-id]:last-child th"))[0]?.backgroundColor);
  expect(cells.map(({ sides }) => sides)).toEqual([
    ["0 2", "0 0", "2 0", "0 0"],
    ["0 2", "0 0", "0 0", "-2 0"],
    ["0 0", "0 -2", "2 0", "0 0"],
    ["0 0", "0 -2", "0 0", "-2 0"],
  ]);
  expect(
    await names(page)
      .nth(1)
      .evaluate((link) => getComputedStyle(link, "::after").outlineStyle),
  ).toBe("none");
});
