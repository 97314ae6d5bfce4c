// Numbers as the reader writes them: with a comma before decimals and points between thousands, as in German.

import { expect, type Page, test } from "@playwright/test";
import { storedDrafts } from "./support/drafts.ts";
import { PORTS } from "./support/ports.ts";
import { openApi } from "./support/service.ts";

test.use({ baseURL: `http://127.0.0.1:${PORTS.staff}`, locale: "de-DE" });

const salary = (page: Page) => page.getByRole("textbox", { name: "Salary" });

async function openSignedIn(page: Page, address: string): Promise<void> {
  const { token } = await openApi(PORTS.staff);
  await page.addInitScript((text) => sessionStorage.setItem("intake.token", text), token);
  await page.goto(address);
}

async function employee(fields: Record<string, unknown>) {
  const api = await openApi(PORTS.staff);
  const { json } = await api.call("POST", "/employees", { permanent: true, ...fields });
  return { id: json.id, now: async () => (await api.call("GET", `/employees/${json.id}`)).json };
}

test("fifty thousand typed with a point is stored as fifty thousand, shown as such, and found by a filter", async ({ page }) => {
  const { id, now } = await employee({ name: "Zahlwort Fünfzig" });
  await openSignedIn(page, `/employees/${id}`);
  await salary(page).fill("50.000");
  await expect(page.getByText("Gelesen als 50.000,00")).toBeVisible();
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await expect.poll(async () => (await now()).salary).toBe("50000");
  await expect(salary(page)).toHaveValue("50000,00");
  await expect(page.getByText(/^Gelesen als/)).toBeHidden();

  await page.goto("/employees?q=Zahlwort");
  await expect(page.getByRole("cell", { name: "50.000,00" })).toBeVisible();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Feld", { exact: true }).selectOption({ label: "Salary" });
  await page.getByLabel("Bedingung").selectOption({ label: "mindestens" });
  await page.getByLabel("Wert", { exact: true }).fill("50.000,00");
  await page.getByRole("button", { name: "Filter hinzufügen" }).click();
  await expect(page).toHaveURL(/salary%5Bgte%5D=50000\.00/);
  await expect(page.getByRole("cell", { name: "50.000,00" })).toBeVisible();
  await page
    .getByRole("button", { name: /Filter Salary ändern|mindestens 50\.000,00/ })
    .first()
    .click();
  await expect(page.getByLabel("Wert", { exact: true })).toHaveValue("50000,00");
  await page.getByLabel("Wert", { exact: true }).fill("50.000,01");
  await page.getByRole("button", { name: "Filter ändern" }).click();
  await expect(page.getByRole("cell", { name: "50.000,00" })).toBeHidden();
});

test("a form that is open follows when the regional format changes, and a draft means the same afterwards", async ({ page, context }) => {
  const { id, now } = await employee({ name: "Zahlwort Tausend", salary: "1234.5" });
  await openSignedIn(page, `/employees/${id}`);
  await expect(salary(page)).toHaveValue("1234,50");
  await page.getByRole("textbox", { name: "Age" }).fill("41");
  await salary(page).fill("2.000,75");
  const other = await context.newPage();
  await other.goto("/settings");
  await other.evaluate(() => localStorage.setItem("intake.settings", JSON.stringify({ locale: "en-US" })));
  await expect(salary(page)).toHaveValue("2000.75");
  await expect(page.getByRole("textbox", { name: "Age" })).toHaveValue("41");
  page.on("dialog", (dialog) => dialog.accept());
  await expect.poll(() => storedDrafts(page)).toContain('"2000.75"');
  await other.evaluate(() => localStorage.setItem("intake.settings", JSON.stringify({ locale: "fr-FR" })));
  await openSignedIn(page, `/employees/${id}`);
  await page.getByRole("button", { name: "Wiederherstellen" }).click();
  await expect(salary(page)).toHaveValue("2000,75");
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await expect.poll(async () => (await now()).salary).toBe("2000.75");
});
