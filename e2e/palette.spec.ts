// The command palette by keyboard, and axe on palette, help, settings, about and read-only records.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { goTo, signOut } from "./support/menu.ts";
import { openApi, signIn, stored } from "./support/service.ts";

const input = (page: Page) => page.getByRole("combobox", { name: "Find or go to" });
const active = (page: Page) => page.getByRole("listbox").getByRole("option", { selected: true });

async function open(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(input(page)).toBeFocused();
}

test("the palette opens a page, finds a record and runs a command of the page, by keyboard alone", async ({ page }) => {
  const { id, now } = await stored({ firstName: "Paula", lastName: "Palette", accountID: "P-1" });
  await signIn(page, "/customers");
  await page.getByRole("searchbox", { name: "Search" }).focus();
  await open(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: "Search" })).toBeFocused();

  await open(page);
  await page.keyboard.type("uploads");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Uploads" })).toBeFocused();

  await open(page);
  await page.keyboard.type("palette paula");
  await expect(active(page)).toContainText("Paula Palette");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/customers/${id}$`));

  await page.getByRole("textbox", { name: "Account ID" }).fill("P-2");
  await open(page);
  await page.keyboard.type("save");
  await page.keyboard.press("ArrowDown");
  await expect(active(page)).toContainText("Save and close");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Customers", exact: true })).toBeVisible();
  expect(await now()).toMatchObject({ accountID: "P-2" });
});

test("the palette finds a record by its key, and one whose name was typed with a wrong letter", async ({ page }) => {
  const { id } = await stored({ firstName: "Petra", lastName: "Misspelled", accountID: "P-1" });
  await signIn(page, "/customers");
  await open(page);
  await page.keyboard.type("mispelled");
  await expect(page.getByRole("group", { name: "Customers: did you mean “Misspelled”?" })).toBeVisible();
  await expect(active(page)).toContainText("Petra Misspelled");
  await input(page).fill(String(id));
  await expect(active(page)).toContainText("Petra Misspelled");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/customers/${id}$`));
});

test("the palette undoes an earlier deletion, whose message is gone", async ({ page }) => {
  const older = await stored({ firstName: "Older", lastName: "Undoing", accountID: "U-1" });
  const later = await stored({ firstName: "Later", lastName: "Undoing", accountID: "U-2" });
  await signIn(page, "/customers?q=undoing");
  for (const [name, { id }] of [
    ["Older", older],
    ["Later", later],
  ] as const) {
    await page.locator(`tr[data-id="${id}"] a`).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText(`${name} Undoing is deleted.`)).toBeVisible();
    await expect(page.locator(`tr[data-id="${id}"]`)).toHaveCount(0);
  }
  await open(page);
  const undos = page.getByRole("group", { name: "Undo" }).getByRole("option");
  await expect(undos).toHaveText(["Later Undoing is deleted.Ctrl+Z", "Older Undoing is deleted."]);
  await page.keyboard.type("older");
  await expect(undos).toHaveText(["Older Undoing is deleted."]);
  await expect(active(page)).not.toHaveText("Older Undoing is deleted."); // by its name alone nothing is undone
  await page.keyboard.type(" undo");
  await expect(active(page)).toHaveText("Older Undoing is deleted.");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Older Undoing is restored.")).toBeVisible();
  expect(await older.now()).toMatchObject({ firstName: "Older", accountID: "U-1" });
  await open(page);
  await expect(undos).toHaveText(["Later Undoing is deleted.Ctrl+Z"]);
});

test("the palette never shows results of an earlier text for a later one", async ({ page }) => {
  await (await openApi()).call(
    "POST",
    "/customers",
    ["Early", "Later"].map((lastName) => ({ firstName: "Overtaken", lastName, accountID: "1" })),
  );
  await signIn(page, "/uploads");
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/q=overtaken\+early/, async (route) => {
    await asked;
    await route.continue().catch(() => {}); // the page may have cancelled it
  });
  await page.keyboard.press("Control+k");
  const early = page.waitForRequest(/q=overtaken\+early/);
  await input(page).fill("overtaken early");
  await early;
  await input(page).fill("overtaken later");
  await expect(page.getByRole("option")).toHaveText([/^Overtaken Later/]);
  answer();
  await input(page).fill("overtaken l");
  await expect(page.getByRole("option")).toHaveText([/^Overtaken Later/]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Overtaken Later" })).toBeVisible();
});

test("from Ctrl+K on no key reaches the page, also while the palette is fetched", async ({ page }) => {
  await signIn(page, "/customers");
  await expect(page.getByRole("heading", { name: "Customers" })).toBeFocused();
  await page.evaluate(() => {
    const open: boolean[] = [];
    const note = () => document.querySelector("dialog") && open.push(document.querySelector("dialog[open]") !== null);
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
    Object.assign(window, { open });
  });
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option", { name: "New customer" })).toBeVisible();
  const open = await page.evaluate(() => (window as unknown as { open: boolean[] }).open);
  expect(open.length).toBeGreaterThan(0);
  expect(open).not.toContain(false);
});

test("the palette leads back to records that were opened, also before the service has answered, until the session ends", async ({
  page,
}) => {
  const { id, api } = await stored({ firstName: "Recently", lastName: "Leafed", accountID: "R" });
  await signIn(page, `/customers/${id}`);
  await expect(page.getByRole("heading", { name: "Recently Leafed" })).toBeVisible();
  await api.call("PATCH", `/customers/${id}`, { lastName: "Leafthrough" });
  await expect(page.getByRole("heading", { name: "Recently Leafthrough" })).toBeVisible({ timeout: 20_000 });
  await page.getByRole("link", { name: "Uploads" }).click();
  await page.keyboard.press("Control+k");
  await input(page).fill("leafthr");
  const found = page.getByRole("option", { name: "Recently Leafthrough" });
  await expect(found).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/customers/${id}$`));
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option", { name: "New customer" })).toBeVisible();
  await expect(found).toHaveCount(0); // it is the one that is shown
  await page.keyboard.press("Escape");
  await signOut(page);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await signIn(page, "/uploads");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option", { name: "New customer" })).toBeVisible();
  await expect(found).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`palette, help, settings, about and a read-only record fit any screen and pass axe, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { id, api } = await stored({ firstName: "Soundness", lastName: "L".repeat(60), accountID: "S" });
    const { json } = await api.call("POST", "/keys", { scope: "read" });
    const expectGood = async () => {
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        await expectNoFaults(page);
      }
    };
    await signIn(page, "/customers");
    await expect(page.getByRole("heading", { name: "Customers" })).toBeFocused();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("option", { name: "New customer" })).toBeVisible();
    await expectGood();
    await input(page).fill("soundness");
    await expect(active(page)).toContainText("Soundness");
    await expectGood();
    await input(page).fill("nobody goes by it");
    await expect(page.getByText("No results.")).toBeVisible();
    await expectGood();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: "Customers" })).toBeFocused(); // until then the hidden input has the keys
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    await expectGood();
    await page.keyboard.press("Escape");
    await goTo(page, "Settings");
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
    await expectGood();
    await page.getByRole("link", { name: "This browser" }).click();
    await expect(page.getByRole("cell", { name: "bytes" }).first()).toBeVisible();
    await expectGood();
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Settings" }).click();
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "About" }).click();
    await expect(page.getByText("Records in one write")).toBeVisible();
    await expectGood();
    for (const path of [String(id), "new"]) {
      await signIn(page, `/customers/${path}`, String(json.key));
      await expect(page.getByText("You have read-only access.")).toBeVisible();
      await expectGood();
    }
  });
}
