// Corrections are kept from the moment they are made: through a reload, a closed tab and a file chosen again.

import { expect, type Page, test } from "@playwright/test";
import { signOut } from "./support/menu.ts";
import { check, openApi, reported, signIn } from "./support/service.ts";

const HEADER = "objectId,lastName,accountID";
const KEPT = "Your corrections are kept on this computer.";

/** Three rows: the first is right, the second lacks a name, the third an account. */
const rows = (from: number, name: string) => `${HEADER}\n${from},${name},A\n${from + 1},,B\n${from + 2},${name},\n`;

async function correct(page: Page, name: string): Promise<void> {
  await page.getByRole("row", { name: /^2 / }).getByRole("gridcell", { name: "missing" }).click();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await expect(page.getByText(KEPT)).toBeVisible();
}

const unfinished = (page: Page, file: string) => page.getByRole("region", { name: `${file}, unfinished` });

async function expectStored(from: number, names: (string | undefined)[]): Promise<void> {
  const api = await openApi();
  const stored = await Promise.all(names.map((_, i) => api.call("GET", `/customers/${from + i}`)));
  expect(stored.map(({ json }) => json.lastName)).toEqual(names);
}

test("a reload keeps them, with undo, the columns and the way the file is read", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const text = rows(9_730_001, "Reloaded").replaceAll("lastName", "Wer").replaceAll(",", ";");
  await page.getByLabel("CSV file").setInputFiles({ name: "reloaded.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByRole("combobox", { name: "Field for Wer" }).selectOption("lastName");
  await page.getByRole("radio", { name: "Add new ones and update existing ones" }).check();
  await page.getByRole("button", { name: "Check" }).click();
  await correct(page, "Mended");
  await page.reload();
  await signIn(page, "/customers/upload");
  await expect(unfinished(page, "reloaded.csv")).toContainText("is corrected and not uploaded yet");
  await unfinished(page, "reloaded.csv").getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await expect(page.getByText(KEPT)).toBeVisible();

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();

  await page.getByRole("button", { name: "Back to columns" }).click();
  await expect(page.getByRole("combobox", { name: "Field for Wer" })).toHaveValue("lastName");
  await expect(page.getByRole("radio", { name: "Add new ones and update existing ones" })).toBeChecked();
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Upload 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(2);
  await expectStored(9_730_001, ["Reloaded", "Mended", undefined]);
  await page.getByRole("link", { name: "Uploads" }).click();
  await expect(page.getByRole("region", { name: "reloaded.csv", exact: true })).toHaveCount(1);
  await expect(unfinished(page, "reloaded.csv")).toHaveCount(0);
});

test("a closed tab keeps them, and the upload of the kept copy can be interrupted as any other", async ({ page, context }) => {
  const text = `${HEADER}\n9740001,,A\n${Array.from({ length: 8_000 }, (_, i) => `${9_740_002 + i},Closed ${i},C`).join("\n")}`;
  await signIn(page, "/customers/upload");
  await check(page, "closed.csv", text);
  await page.getByRole("gridcell", { name: "missing" }).click();
  await page.keyboard.type("Closed and typed");
  await page.keyboard.press("Enter");
  await expect(page.getByText(KEPT)).toBeVisible();
  await page.close();

  const next = await context.newPage();
  next.on("dialog", (dialog) => dialog.accept());
  await signIn(next, "/customers/upload");
  await unfinished(next, "closed.csv").getByRole("button", { name: "Continue" }).click();
  await expect(next.getByText("8,001 rows are ready")).toBeVisible();
  let requests = 0;
  await next.route("**/customers*", (route) => (route.request().method() === "POST" && ++requests > 3 ? undefined : route.continue()));
  await next.getByRole("button", { name: "Upload 8,001 rows" }).click();
  await expect.poll(() => requests).toBeGreaterThan(3);
  await next.reload();
  await signIn(next, "/customers/upload");
  await expect(unfinished(next, "closed.csv")).toContainText("stopped");
  await next.unrouteAll({ behavior: "ignoreErrors" });
  await unfinished(next, "closed.csv").getByRole("button", { name: "Continue" }).click();
  await expect(next.getByText("8,001 of 8,001 rows are stored")).toBeVisible({ timeout: 30_000 });
  const stored = await (await openApi()).all("customers", "closed");
  expect(stored.filter(({ objectId }) => Number(objectId) >= 9_740_001 && Number(objectId) <= 9_748_001)).toHaveLength(8_001);
  await expectStored(9_740_001, ["Closed and typed", "Closed 0"]);
});

test("choosing another file asks nothing, and the first one can be gone on with or discarded", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "aside.csv", rows(9_750_001, "Aside"));
  await correct(page, "Mended");
  await page.getByRole("button", { name: "Choose another file" }).click();
  await check(page, "between.csv", rows(9_750_011, "Between"));
  await page.getByRole("button", { name: "Upload 1 row" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await unfinished(page, "aside.csv").getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await unfinished(page, "aside.csv").getByRole("button", { name: "Discard" }).click();
  const question = page.getByRole("dialog", { name: "Discard aside.csv?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await unfinished(page, "aside.csv").getByRole("button", { name: "Discard" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(unfinished(page, "aside.csv")).toHaveCount(0);
  await page.reload();
  await signIn(page, "/customers/upload");
  await expect(page.getByLabel("CSV file")).toBeVisible();
  await expect(unfinished(page, "aside.csv")).toHaveCount(0);
});

test("another tab does not work on the same file; undoing everything keeps nothing", async ({ page, context }) => {
  await signIn(page, "/customers/upload");
  await check(page, "tabs.csv", rows(9_760_001, "Tabs"));
  await correct(page, "Mended");
  const other = await context.newPage();
  await signIn(other, "/uploads");
  await expect(unfinished(other, "tabs.csv")).toContainText("is being corrected in another tab");
  await expect(unfinished(other, "tabs.csv").getByRole("button", { name: "Continue" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await expect(unfinished(other, "tabs.csv")).toHaveCount(0);
});

test("a browser that keeps no copy asks for the file again, and refuses another", async ({ page }) => {
  await page.route("**/upload-worker-*.js", async (route) => {
    const response = await route.fetch();
    const full = "StorageManager.prototype.estimate=async()=>({quota:0,usage:0});";
    await route.fulfill({ response, body: full + (await response.text()) });
  });
  const file = (text: string) => ({ name: "again.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await signIn(page, "/customers/upload");
  await check(page, "again.csv", rows(9_770_001, "Again"));
  await correct(page, "Mended");
  await page.reload();
  await signIn(page, "/customers/upload");
  await unfinished(page, "again.csv")
    .getByLabel("Continue: choose again.csv again")
    .setInputFiles(file(rows(9_770_001, "Other")));
  await expect(page.getByRole("alert")).toContainText("This is not the same again.csv as before.");
  await unfinished(page, "again.csv")
    .getByLabel("Continue: choose again.csv again")
    .setInputFiles(file(rows(9_770_001, "Again")));
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Upload 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await expectStored(9_770_001, ["Again", "Mended"]);
});

test("who signs out leaves no corrections behind", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "signed-out.csv", rows(9_780_001, "Out"));
  await correct(page, "Mended");
  await signOut(page);
  await expect(page.getByRole("button", { name: "Sign in" }).first()).toBeVisible();
  await signIn(page, "/customers/upload");
  await expect(page.getByLabel("CSV file")).toBeVisible();
  await expect(unfinished(page, "signed-out.csv")).toHaveCount(0);
});
