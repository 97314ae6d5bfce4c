// A file names parents that are not there: they are created, mapped or left out in the same upload.

import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, signIn } from "./support/service.ts";

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(async () => ({ DICTIONARY: "core/dictionary/orders.example.json" }));
  const api = await openApi(service.port);
  const stored = [
    { name: "Bäckerei Ångström", accountNumber: "Angstrom-7" },
    { name: "Ek", accountNumber: "A-1" },
  ];
  expect((await api.call("POST", "/customers", stored)).status).toBe(201);
});
test.afterAll(() => service.remove());

const all = async (collection: string) => (await openApi(service.port)).all(collection);
const fileOf = (name: string, ...rows: string[]) => ({ name, mimeType: "text/csv", buffer: Buffer.from(rows.join("\n")) });
const problems = (page: Page) => page.getByRole("region", { name: "Problems", exact: true });

/** Counts what a person does in the page from now on; choosing the file is one more. */
async function countActs(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { acts: 0 };
    for (const type of ["click", "keydown"]) window.addEventListener(type, (event) => event.isTrusted && counted.acts++, true);
    Object.assign(window, { counted });
  });
  return async () => 1 + (await page.evaluate(() => (window as unknown as { counted: { acts: number } }).counted.acts));
}

/** A picture of the page where PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`), fullPage: true });
}

const ROWS = Array.from({ length: 60 }, (_, i) => `B-${i},N-${i % 30},Firm ${i % 30},${i % 30 === 3 ? "" : "Bonn"},10.50`);

test("thirty customers that are not there are created along in one upload of at most six clicks, and one undo takes all back", async ({
  page,
}) => {
  await signIn(page, `http://127.0.0.1:${service.port}/orders/upload`);
  const acts = await countActs(page);
  await page.getByLabel("CSV file").setInputFiles(fileOf("orders.csv", "Order number,Account number,Name,City,Total", ...ROWS));
  await expect(page.getByLabel("Field for Account number")).toHaveValue("customer.accountNumber");
  await expect(page.getByLabel("Field for Name")).toHaveValue("customer.name");
  await expect(page.getByLabel("Field for City")).toHaveValue("customer.city");
  await picture(page, "parents-columns");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(problems(page)).toContainText("30 customers are not there");
  await expect(page.getByText("No row is ready").or(page.getByText("Nothing would be stored"))).toBeVisible();
  await picture(page, "parents-missing");
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Create them: 30 customers are not there" }).click();
  await expect(problems(page)).toContainText("30 are created before the rows, with Name, City out of the file.");
  await expect(page.getByText("60 rows are ready")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Stored after what they refer to is created" })).toContainText("60");
  await picture(page, "parents-created");
  await page.getByRole("button", { name: "Upload 60 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await acts()).toBeLessThanOrEqual(6);
  await expect(page.getByText("30 customers were created first, because rows refer to them.")).toBeVisible();
  await picture(page, "parents-report");
  const customers = await all("customers");
  expect(customers).toHaveLength(32);
  expect(customers.find((one) => one.accountNumber === "N-4")).toMatchObject({ name: "Firm 4", city: "Bonn" });
  const orders = await all("orders");
  expect(orders).toHaveLength(60);
  expect(new Set(orders.map(({ customerId }) => customerId)).size).toBe(30);

  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByRole("button", { name: "Undo the upload" }).click();
  await expect(page.getByText("60 of 60 rows are undone")).toBeVisible();
  await expect(page.getByText("30 changes in other collections, made along with these, are undone, too.")).toBeVisible();
  expect(await all("orders")).toHaveLength(0);
  expect((await all("customers")).map(({ accountNumber }) => accountNumber).sort()).toEqual(["A-1", "Angstrom-7"]);
});

test("a near match is proposed, another value is mapped by hand, a third is left out and named in the report", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/orders/upload`);
  const rows = ["M-1,angstrom-7", "M-2,Ångstrøm-7", "M-3,Ekk Ltd", "M-4,nobody", "M-5,A-1", "M-6,Ångstrøm-7"];
  await page.getByLabel("CSV file").setInputFiles(fileOf("mapped.csv", "Order number,Customer account", ...rows));
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(problems(page)).toContainText("4 customers are not there");
  await expect(problems(page)).toContainText("They could be created if the file had these columns: Customers: Name.");
  await expect(page.getByRole("button", { name: /^Create them/ })).toHaveCount(0);
  await page.getByRole("button", { name: /^Use 2 near matches/ }).click();
  await expect(problems(page)).toContainText("2 values stand for stored customers.");
  await page.getByRole("button", { name: /^Values: 4 customers/ }).click();
  const table = page.getByRole("table", { name: "Values of Customer: Account number" });
  await picture(page, "parents-values");
  await table.getByLabel("What “Ekk Ltd” becomes").selectOption("means another customer …");
  const other = page.getByRole("combobox", { name: "What “Ekk Ltd” means" });
  await other.pressSequentially("12"); // a number that is only typed is no choice yet
  await expect(other).toHaveValue("12");
  await other.fill("Ek");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(1);
  await page.getByRole("option", { name: /^Ek/ }).click();
  await expect(table.getByLabel("What “Ekk Ltd” becomes")).toHaveValue("mapped");
  await table.getByLabel("What “nobody” becomes").selectOption("leave its rows out");
  await expect(problems(page)).toContainText("The rows of 1 value are left out.");
  await expect(page.getByText("5 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Upload 5 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Rows not stored" })).toContainText("Customer: Account number");
  const customers = await all("customers");
  const nameOf = (id: unknown) => customers.find((one) => one.objectId === id)?.accountNumber;
  const orders = (await all("orders")).map(({ orderNumber, customerId }) => [orderNumber, nameOf(customerId)]);
  expect(orders.sort()).toEqual([
    ["M-1", "Angstrom-7"],
    ["M-2", "Angstrom-7"],
    ["M-3", "A-1"],
    ["M-5", "A-1"],
    ["M-6", "Angstrom-7"],
  ]);
});

test("a tab that is closed while the customers are created goes on, and none of them is there twice", async ({ page }) => {
  page.on("dialog", (dialog) => dialog.accept());
  await signIn(page, `http://127.0.0.1:${service.port}/orders/upload`);
  const before = (await all("customers")).length;
  const rows = Array.from({ length: 40 }, (_, i) => `K-${i},K-${i % 10},Firm`);
  await page.getByLabel("CSV file").setInputFiles(fileOf("killed.csv", "Order number,Customer account,Customer name", ...rows));
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("button", { name: "Create them: 10 customers are not there" }).click();
  await expect(page.getByText("40 rows are ready")).toBeVisible();
  await expect(page.getByText("This is a preview by the service. Nothing is stored yet.")).toBeVisible();
  // The service carries it out, and the answer never comes.
  const isStored = new Promise<void>((resolve) => {
    void page.route(/\/v1\/customers\?/, async (route) => {
      if (route.request().method() !== "POST" || route.request().url().includes("dryRun")) return route.continue();
      await route.fetch();
      resolve();
    });
  });
  await page.getByRole("button", { name: "Upload 40 rows" }).click();
  await isStored;
  expect(await all("customers")).toHaveLength(before + 10);
  await page.reload();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await signIn(page, `http://127.0.0.1:${service.port}/orders/upload`);
  const unfinished = page.getByRole("region", { name: "killed.csv, unfinished" });
  await unfinished.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await expect(page.getByText("10 customers were created first, because rows refer to them.")).toBeVisible();
  expect(await all("customers")).toHaveLength(before + 10);
  expect((await all("orders")).filter(({ orderNumber }) => String(orderNumber).startsWith("K-"))).toHaveLength(40);
});
