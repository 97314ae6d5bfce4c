// Several records become one on a page of their own, by keyboard, and come apart again.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { PORTS } from "./support/ports.ts";
import { openApi, type Row, signIn, unique } from "./support/service.ts";

test.use({ baseURL: `http://127.0.0.1:${PORTS.orders}` });

const PICTURES = process.env.PICTURES;

async function made(collection: string, record: Row): Promise<number> {
  const { status, json } = await (await openApi(PORTS.orders)).call("POST", `/${collection}`, record);
  expect(status, JSON.stringify(json)).toBe(201);
  return Number(json.objectId);
}
const customer = (name: string, more: Row = {}) => made("customers", { name, accountNumber: unique(), ...more });
const order = (customerId: number) => made("orders", { customerId, orderNumber: unique() });
const now = async (path: string) => (await (await openApi(PORTS.orders)).call("GET", path)).json;

test("two customers become one by keyboard alone, and come apart again by one press", async ({ page }) => {
  const word = unique();
  const kept = await customer(`Ada Fox ${word}`);
  const gone = await customer(`Ada B. Fox ${word}`, { city: "Utrecht" });
  const moved = await order(gone);
  await signIn(page, `/customers/merge?ids=${kept},${gone}`);
  await expect(page.getByRole("heading", { name: "Merge 2 customers" })).toBeVisible();
  await expect(page.getByText(`1 order will belong to Ada Fox ${word}.`)).toBeVisible();
  await expectNoFaults(page);
  const name = page.getByRole("row", { name: /^Name/ });
  await name.getByRole("radio").nth(1).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(name.getByRole("radio").first()).toBeChecked();
  const merge = page.getByRole("button", { name: "Merge 2 customers" });
  await merge.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Ada Fox ${word}` })).toBeVisible();
  await expect(page.getByText("2 customers are one now.")).toBeVisible();
  await expect(page.getByText("One record was merged into this one")).toBeVisible();
  expect(await now(`/customers/${kept}`)).toMatchObject({ name: `Ada Fox ${word}`, city: "Utrecht" });
  expect(await now(`/orders/${moved}`)).toMatchObject({ customerId: kept });

  await signIn(page, `/customers/${gone}`);
  await expect(page).toHaveURL(new RegExp(`/customers/${kept}$`));
  await page.getByRole("button", { name: "Take apart" }).first().press("Enter");
  await expect(page.getByText("Taken apart. One record came back.")).toBeVisible();
  await expect(page.getByText("One record was merged into this one")).toHaveCount(0);
  expect(await now(`/customers/${gone}`)).toMatchObject({ name: `Ada B. Fox ${word}`, city: "Utrecht" });
  expect(await now(`/orders/${moved}`)).toMatchObject({ customerId: gone });
});

test("chosen records of the list, and a record that is open, lead to the page", async ({ page }) => {
  const word = unique();
  for (const name of ["Bea", "Bea", "Bea"]) await customer(`${name} ${word}`);
  await signIn(page, `/customers?q=${word}`);
  for (const row of [1, 2, 3]) await page.getByRole("row").nth(row).getByRole("checkbox").check();
  await page.getByRole("link", { name: "Merge…" }).click();
  await expect(page.getByRole("heading", { name: "Merge 3 customers" })).toBeVisible();
  await page
    .getByRole("button", { name: `Leave out Bea ${word}` })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Merge 2 customers" })).toBeVisible();
  await page
    .getByRole("link", { name: `Bea ${word}` })
    .first()
    .click();
  await page.getByRole("button", { name: /^Changed / }).click();
  await page.getByRole("link", { name: "Merge with…" }).click();
  await page.getByRole("searchbox", { name: `Merge Bea ${word} with` }).fill(word);
  await page
    .getByRole("button", { name: `Bea ${word}` })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Merge 2 customers" })).toBeVisible();
});

test("a value that was changed since is asked about", async ({ page }) => {
  const word = unique();
  const [kept, gone] = [await customer(`Cem ${word}`, { city: "Bonn" }), await customer(`Cem ${word}`, { city: "Kiel" })];
  const api = await openApi(PORTS.orders);
  const versions = { [kept]: 1, [gone]: 1 };
  expect((await api.call("POST", "/customers/merges", { survivor: kept, others: [gone], versions })).status).toBe(201);
  await api.call("PATCH", `/customers/${kept}`, { city: "Jena" });
  await signIn(page, `/customers/${kept}`);
  await page.getByRole("button", { name: "Take apart" }).click();
  const dialog = page.getByRole("dialog", { name: "What belongs to whom?" });
  await expect(dialog).toBeVisible();
  await expectNoFaults(page);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/merge-apart.png` });
  await dialog.getByRole("radio", { name: new RegExp(String(gone)) }).check();
  await dialog.getByRole("button", { name: "Take apart" }).click();
  await expect(page.getByText(/^Taken apart/)).toBeVisible();
  expect(await now(`/customers/${kept}`)).toMatchObject({ city: "Bonn" });
  expect(await now(`/customers/${gone}`)).toMatchObject({ city: "Jena" });
});

for (const { name, width, count, scheme, language } of [
  { name: "two", width: 1280, count: 2, scheme: "light", language: "en" },
  { name: "five", width: 1280, count: 5, scheme: "dark", language: "en" },
  { name: "five-german", width: 1280, count: 5, scheme: "light", language: "de" },
  { name: "phone", width: 390, count: 2, scheme: "light", language: "en" },
  { name: "phone-german", width: 390, count: 5, scheme: "dark", language: "de" },
] as const)
  test(`the page of ${count} records stands within ${width} px in ${language}, ${scheme}`, async ({ page }) => {
    const word = unique();
    const names = ["Ada Fox", "Ada B. Fox", "Fox, Ada", "A. Fox", "Ada Foxx"].slice(0, count);
    const ids: number[] = [];
    for (const [i, one] of names.entries()) {
      ids.push(await customer(`${one} ${word}`, i % 2 ? { city: ["Utrecht", "Bonn", "Kiel"][i % 3] } : {}));
      for (let n = 0; n < i; n++) await order(ids[i] as number);
    }
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript((chosen) => localStorage.setItem("intake.settings", JSON.stringify({ language: chosen })), language);
    await page.goto(`/customers/merge?ids=${ids.join()}`);
    await page.locator("input[type=password], input[name=key], input").first().waitFor();
    await page.getByRole("textbox").first().fill("ink_e2e.for-these-tests-only-Zt8vQ3mK6xWp1RbN9sJc4HdLf7Gy2TqU");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("radio").first()).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: names[0] as string })).toBeVisible();
    await expectNoFaults(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide).toBeLessThanOrEqual(0);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/merge-${name}.png`, fullPage: true });
  });
