// Keys that are typed at once after a press that opens something, however late its code comes.

import { expect, type Page, test } from "@playwright/test";
import { PORTS } from "./support/ports.ts";
import { openApi, signIn, stored } from "./support/service.ts";

/** From here on every script comes as late as this. Nothing was fetched at rest before. */
async function delayScripts(page: Page, late: number): Promise<void> {
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, late));
    await route.continue();
  });
}

/** A page on which no code was fetched ahead, as in a browser that saves data, so that all of it comes when it is wanted. */
async function open(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await signIn(page, path);
}

for (const late of [0, 80, 300]) {
  test.describe(`with every script ${late} ms late`, () => {
    test("what is typed after Ctrl+K stands in the palette, and nothing of it in the form", async ({ page }) => {
      await open(page, "/customers/new");
      const lastName = page.getByRole("textbox", { name: "Last name" });
      await lastName.fill("Late");
      await delayScripts(page, late);
      await page.keyboard.press("Control+k");
      await page.keyboard.type("uplo, ads");
      const palette = page.getByRole("combobox", { name: "Find or go to" });
      await expect(palette).toHaveValue("uplo, ads");
      await expect(palette).toBeFocused();
      await page.keyboard.press("Backspace");
      await expect(palette).toHaveValue("uplo, ad");
      await page.keyboard.press("Escape");
      await expect(palette).toBeHidden();
      await expect(lastName).toHaveValue("Late");
    });

    test("Ctrl+K, a word and Enter go to the page that the word names, and a letter that is a shortcut does nothing else", async ({
      page,
    }) => {
      await open(page, "/customers");
      await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
      await delayScripts(page, late);
      await page.keyboard.press("Control+k");
      await page.keyboard.type("new customer");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: "Last name" })).toBeVisible();
      await expect(page.getByRole("combobox", { name: "Find or go to" })).toBeHidden();
    });

    test("a search of the list after / and what follows ? are as they are typed", async ({ page }) => {
      await open(page, "/customers");
      await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
      await delayScripts(page, late);
      await page.keyboard.press("?");
      await page.keyboard.type("n");
      await expect(page.getByRole("heading", { name: "Keyboard shortcuts" })).toBeVisible();
      await page.keyboard.press("Escape");
      await page.keyboard.press("/");
      await page.keyboard.type("n?");
      await expect(page.getByRole("searchbox")).toHaveValue("n?");
      await expect(page).toHaveURL(/\/customers\?/);
    });

    test("what is typed after n stands in the new record", async ({ page }) => {
      await open(page, "/customers");
      await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
      await delayScripts(page, late);
      await page.keyboard.press("n");
      await page.keyboard.type("n?k");
      await page.keyboard.press("Tab");
      await page.keyboard.type("next");
      const inputs = page.locator("main form input");
      await expect(inputs.first()).toHaveValue("n?k");
      await expect(inputs.nth(1)).toHaveValue("next");
      await expect(page).toHaveURL(/\/customers\/new$/);
    });

    test("what is typed after F2 stands in the row, also in the next field, and Enter saves it", async ({ page }) => {
      const { id, now } = await stored({ lastName: "Latecode", firstName: "Ana", accountID: "1" });
      await open(page, "/customers?q=latecode&sort=-objectId&columns=lastName,firstName,accountID");
      const row = page.locator(`tr[data-id="${id}"]`);
      await row.getByRole("link").focus();
      await delayScripts(page, late);
      await page.keyboard.press("F2");
      await page.keyboard.type("Latecode n/k");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Bea");
      await page.keyboard.press("Enter");
      await expect(row.getByRole("link", { name: "Latecode n/k" })).toBeFocused();
      await expect.poll(async () => (await now()).firstName).toBe("Bea");
      expect(await now()).toMatchObject({ lastName: "Latecode n/k" });
    });

    test("what is typed after F2 waits for the row and for the inputs of its references", async ({ page }) => {
      const api = await openApi(PORTS.orders);
      const number = `L-${late}`;
      const customer = (await api.call("POST", "/customers", { name: "Late", accountNumber: number })).json.objectId;
      const id = (await api.call("POST", "/orders", { orderNumber: number, customerId: customer })).json.objectId;
      await open(page, `http://127.0.0.1:${PORTS.orders}/orders?q=${number}&columns=orderNumber,customerId`);
      await page.locator(`tr[data-id="${id}"]`).getByRole("link", { name: number }).focus();
      await delayScripts(page, late);
      await page.keyboard.press("F2");
      await page.keyboard.type("N");
      await page.keyboard.press("End");
      await page.keyboard.type(`${number}n/k`);
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await api.call("GET", `/orders/${id}`)).json.orderNumber).toBe(`N${number}n/k`);
    });

    test("Escape after F2 gives the row up, and a press of the pointer gives up what was held", async ({ page }) => {
      const { id, now } = await stored({ lastName: "Latedrop", firstName: "Ana", accountID: "1" });
      await open(page, "/customers?q=latedrop&sort=-objectId&columns=lastName,firstName,accountID");
      const row = page.locator(`tr[data-id="${id}"]`);
      await row.getByRole("link").focus();
      await delayScripts(page, late);
      await page.keyboard.press("F2");
      await page.keyboard.press("Escape");
      await expect(row.getByRole("link", { name: "Latedrop" })).toBeFocused();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("x");
      await page.keyboard.press("Escape");
      await page.getByRole("searchbox").click();
      await page.keyboard.type("seen");
      await expect(page.getByRole("searchbox")).toHaveValue("latedropseen");
      expect(await now()).toMatchObject({ lastName: "Latedrop", version: 1 });
    });

    for (const panel of ["Filter", "Columns", "Export"]) {
      test(`keys after “${panel}” stay in its panel`, async ({ page }) => {
        await open(page, "/customers");
        await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
        await delayScripts(page, late);
        await page.getByRole("button", { name: panel, exact: true }).focus();
        await page.keyboard.press("Enter");
        await page.keyboard.type("n/?");
        await page.keyboard.press("Tab");
        await expect(page.getByRole("dialog")).toBeVisible();
        await expect.poll(() => page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null)).toBe(true);
        await expect(page).toHaveURL(/\/customers$/);
      });
    }
  });
}
