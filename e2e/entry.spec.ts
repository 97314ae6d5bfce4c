// A clerk enters customers one after the other with the keyboard alone, and every key beyond the data is counted.

import { expect, test } from "@playwright/test";
import { countKeys } from "./support/count-keys.ts";
import { openApi, signIn } from "./support/service.ts";

const CUSTOMERS = 30;
const MOST_EXTRA_KEYS = 3; // a record, as in a good terminal program

test(`${CUSTOMERS} customers are entered with at most ${MOST_EXTRA_KEYS} keys each beyond the data`, async ({ page }) => {
  await signIn(page);
  const keysPressed = await countKeys(page);
  await page.keyboard.press("n");
  const first = page.getByRole("textbox", { name: "First name" });
  let data = 0;
  const type = async (text: string) => {
    data += text.length;
    await page.keyboard.type(text);
  };
  for (let i = 0; i < CUSTOMERS; i++) {
    await expect(first).toBeFocused();
    await expect(first).toHaveValue("");
    await type("Ada");
    await page.keyboard.press("Tab");
    await type(`Keyboardist ${i}`);
    await page.keyboard.press("Tab");
    await type(`KB-${i}`);
    await page.keyboard.press("Control+Shift+Enter");
    await expect(page.getByText(`Ada Keyboardist ${i} is saved.`)).toBeVisible();
  }
  const extra = (await keysPressed()) - data;
  console.log(`${extra} keys beyond the data for ${CUSTOMERS} customers: ${(extra / CUSTOMERS).toFixed(2)} each`);
  expect(extra).toBeLessThanOrEqual(MOST_EXTRA_KEYS * CUSTOMERS + 1); // and the one that opens the form
  expect(await (await openApi()).all("customers", "keyboardist")).toHaveLength(CUSTOMERS);
});

test("a value is kept for the next customers until it is let go, and an exact twin is named", async ({ page }) => {
  await signIn(page, "/customers/new");
  const box = (name: string) => page.getByRole("textbox", { name });
  await expect(box("First name")).toBeFocused();
  await box("Last name").fill("Keptone");
  await box("Account ID").fill("KEEP-7");
  await page.keyboard.press("Control+.");
  await expect(page.getByRole("button", { name: "Keep Account ID" })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Control+Shift+Enter");
  await expect(page.getByText("Keptone is saved.")).toBeVisible();
  await expect(box("First name")).toBeFocused();
  await expect(box("Account ID")).toHaveValue("KEEP-7");

  await box("Last name").fill("Keptone");
  const twin = page.getByText("The same customer is stored already:");
  await expect(twin).toBeVisible();
  await box("Account ID").fill("KEEP-8");
  await expect(twin).toBeHidden();
  await expect(page.getByText("Possible duplicates:")).toBeVisible();
  for (const button of ["Save", "More ways to save", "Cancel"]) {
    const next = page.getByRole(button === "Cancel" ? "link" : "button", { name: button, exact: true });
    while (!(await next.evaluate((node) => node === document.activeElement))) {
      await page.keyboard.press("Tab");
      await expect(page.getByRole("link", { name: "Keptone" })).not.toBeFocused();
    }
  }
  await box("Last name").fill("Kepttwo");
  await page.getByRole("button", { name: "Keep Account ID" }).click();
  await page.keyboard.press("Control+Shift+Enter");
  await expect(page.getByText("Kepttwo is saved.")).toBeVisible();
  await expect(box("Account ID")).toHaveValue("");
});
