// An upload that is reloaded, paused, offline or undone: no row is lost and none is stored twice.

import { writeFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { holdBatches } from "./support/hold-requests.ts";
import { signOut } from "./support/menu.ts";
import { openApi, reported, signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

/** Rows without ids, so that a row that is stored twice makes two records. */
function customersFile(name: string, rows: number): { name: string; mimeType: string; buffer: Buffer } {
  const lines = Array.from({ length: rows }, (_, i) => `${name} ${i},C`).join("\n");
  return { name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(`lastName,accountID\n${lines}\n`) };
}

async function startUpload(page: Page, file: ReturnType<typeof customersFile>): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles(file);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("rows/s")).toBeVisible({ timeout: 20_000 });
}

/** The last names that are stored, one for each record. */
async function storedNames(q: string): Promise<string[]> {
  return (await (await openApi()).all("customers", q)).map(({ lastName }) => lastName as string);
}

async function expectEachOnce(name: string, rows: number): Promise<void> {
  const names = await storedNames(name.toLowerCase());
  expect(names.length).toBe(rows);
  expect(new Set(names).size).toBe(rows);
}

test("an upload goes on from its copy after a reload, and each row is stored once", async ({ page }) => {
  page.on("dialog", (dialog) => dialog.accept());
  await holdBatches(page, 3);
  await signIn(page, "/customers/upload");
  await startUpload(page, customersFile("Reloaded", 12_000));
  await page.reload();
  await signIn(page, "/customers/upload");
  const unfinished = page.getByRole("region", { name: "Reloaded.csv, unfinished" });
  await expect(unfinished).toContainText("stopped at row");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await unfinished.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 30_000 });
  expect(await reported(page, "Created")).toBe(12_000);
  await expectEachOnce("Reloaded", 12_000);
});

test("an upload that goes on after a reload keeps corrections and rows left out", async ({ page }) => {
  page.on("dialog", (dialog) => dialog.accept());
  await holdBatches(page, 3);
  await signIn(page, "/customers/upload");
  const lines = Array.from({ length: 9000 }, (_, i) => `${i < 8998 ? `Restkept ${i}` : ""},C`);
  await page.getByLabel("CSV file").setInputFiles({
    name: "Kept.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`lastName,accountID\n${lines.join("\n")}\n`),
  });
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("gridcell", { name: "missing" }).first().click();
  await page.keyboard.type("Restkept and typed");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Leave out: Enter the last name." }).click();
  await expect(page.getByText("8,999 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("rows/s")).toBeVisible({ timeout: 20_000 });
  await page.reload();
  await signIn(page, "/customers/upload");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("region", { name: "Kept.csv, unfinished" }).getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 30_000 });
  expect(await reported(page, "Created")).toBe(8999);
  await expect(page.getByText("You left this row out.")).toBeVisible();
  expect(await storedNames("restkept and typed")).toEqual(["Restkept and typed"]);
  await expectEachOnce("Restkept", 8999);
});

test("an upload without its copy goes on with the same file, and refuses an edited one with what changed", async ({ page }) => {
  page.on("dialog", (dialog) => dialog.accept());
  await holdBatches(page, 3);
  await signIn(page, "/customers/upload");
  const file = customersFile("Chosenagain", 8000);
  await startUpload(page, file);
  await page.reload();
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("uploads", { recursive: true }));
  await signIn(page, "/customers/upload");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const again = page.getByLabel("choose Chosenagain.csv again");
  await again.setInputFiles({ ...file, buffer: Buffer.concat([file.buffer, Buffer.from("One more,C\n")]) });
  await expect(page.getByRole("alert")).toContainText("11 bytes longer");
  await again.setInputFiles(file);
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 30_000 });
  await expectEachOnce("Chosenagain", 8000);
});

test("a paused upload sends nothing more, and goes on when told to", async ({ page }) => {
  const held = await holdBatches(page, 3);
  let calls = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/v1/customers?")) calls++;
  });
  await signIn(page, "/customers/upload");
  await startUpload(page, customersFile("Paused", 15_000));
  await page.getByRole("button", { name: "Pause" }).click();
  held.letGo();
  await expect(page.getByText("Nothing is being sent.")).toBeVisible();
  const before = calls;
  await storedNames("paused"); // time enough for another batch to leave
  expect(calls).toBe(before);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 30_000 });
  expect(await reported(page, "Created")).toBe(15_000);
});

test("an upload that goes offline waits, says so and goes on by itself", async ({ page, context }) => {
  const held = await holdBatches(page, 3);
  await signIn(page, "/customers/upload");
  await startUpload(page, customersFile("Offliner", 10_000));
  await context.setOffline(true);
  held.letGo();
  await expect(page.getByText("This computer is offline.")).toBeVisible({ timeout: 15_000 });
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 60_000 });
  expect(await reported(page, "Created")).toBe(10_000);
  await expectEachOnce("Offliner", 10_000);
});

test("an upload that runs in another tab is not sent twice, and this tab notices its end", async ({ page, context }) => {
  const held = await holdBatches(page, 2);
  await signIn(page, "/customers/upload");
  await startUpload(page, customersFile("Twotabs", 9000));
  const other = await context.newPage();
  await signIn(other, "/customers/upload");
  await expect(other.getByRole("region", { name: "Twotabs.csv, unfinished" })).toContainText("is being uploaded in another tab");
  held.letGo();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 30_000 });
  await expectEachOnce("Twotabs", 9000);
  await expect(other.getByRole("region", { name: "Twotabs.csv, unfinished" })).toBeHidden();
});

test("who chooses a file again whose upload is not finished is told so beside the upload button", async ({ page, context }) => {
  const held = await holdBatches(page, 2);
  await signIn(page, "/customers/upload");
  await startUpload(page, customersFile("Sametwice", 9000));
  const other = await context.newPage();
  await signIn(other, "/customers/upload");
  const notice = other.getByRole("region", { name: "Sametwice.csv, unfinished" });
  await expect(notice).toContainText("is being uploaded in another tab");
  await other.getByLabel("CSV file").setInputFiles({ ...customersFile("Another", 50), name: "Sametwice.csv" });
  await expect(other.getByRole("table", { name: "Columns" })).toBeVisible();
  await expect(notice).toBeHidden(); // the name alone does not make it the same file
  await other.getByRole("button", { name: "Choose another file" }).click();
  await other.getByLabel("CSV file").setInputFiles(customersFile("Sametwice", 9000));
  await other.getByRole("button", { name: "Check" }).click();
  await expect(other.getByRole("button", { name: "Upload 9,000 rows" })).toBeVisible();
  await expect(notice).toContainText("is being uploaded in another tab");
  held.letGo();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 30_000 });
  await expect(notice).toBeHidden();
});

test("a file that is saved again after the check leaves its report, also when its rows can no longer be downloaded", async ({ page }) => {
  const path = test.info().outputPath("saved-again.csv");
  writeFileSync(path, "lastName,accountID\nSaved again,C\n");
  await signIn(page, "/customers/upload");
  await page.getByLabel("CSV file").setInputFiles(path);
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("This is a preview by the service.")).toBeVisible();
  writeFileSync(path, "lastName,accountID\nSaved again and again,C\n");
  await page.getByRole("button", { name: "Upload 1 row" }).click();
  await expect(page.getByText("This file can no longer be read.")).toBeVisible();
  await expect(page.getByText("These are the first")).toHaveCount(0); // there is nothing to show of them
  await page.getByRole("button", { name: "Download rows not stored" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "It was changed, moved or deleted meanwhile. Choose it again." }).last(),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Not sent")).toBe(1);
});

test("an upload is undone, except for what someone changed or deleted since", async ({ page }) => {
  const api = await openApi();
  await api.call("PUT", "/customers/8800001", { firstName: "Before", lastName: "Undone old", accountID: "U" });
  await signIn(page, "/customers/upload");
  const rows = ["8800001,,Undone new,U", "8800002,A,Undone b,U", "8800003,A,Undone c,U", "8800004,A,Undone d,U"];
  const csv = `objectId,firstName,lastName,accountID\n${rows.join("\n")}\n`;
  await page.getByLabel("CSV file").setInputFiles({ name: "undo.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("radio", { name: "Add new ones and update existing ones" }).check();
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(3);
  await api.call("PATCH", "/customers/8800003", { firstName: "Edited" });
  await api.call("DELETE", "/customers/8800004");

  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo the upload" }).click();
  await expect(page.getByText("rows are undone")).toBeVisible();
  await expect(page.getByText("Undone 2")).toBeVisible();
  await expect(page.getByText("Undone before 1")).toBeVisible(); // somebody else had deleted it
  await expect(page.getByText("Left alone: changed since 1")).toBeVisible();
  expect((await api.call("GET", "/customers/8800001")).json).toMatchObject({ firstName: "Before", lastName: "Undone old" });
  expect((await api.call("GET", "/customers/8800002")).status).toBe(404);
  expect((await api.call("GET", "/customers/8800003")).json).toMatchObject({ firstName: "Edited" });
  await page.getByRole("link", { name: "Uploads" }).click();
  await expect(page.getByRole("region", { name: "undo.csv" })).toContainText("Undone 3");
  await page.getByRole("link", { name: "undo.csv", exact: true }).click();
  await expect(page.getByText("1 of 4 rows are left")).toBeVisible();
  const outcome = (name: string) => page.getByRole("table", { name: "Outcomes" }).getByRole("row", { name }).locator("th, td");
  await expect(outcome("Created or updated")).toHaveText(["Created or updated", "4", "1"]);
  await expect(outcome("Undone")).toHaveText(["Undone", "0", "3"]);
});

test("an undo right after the report waits while the same tab still stores the rejected rows", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const rejected = ",without a last name\n".repeat(150_000); // so many that reading them once more lasts longer than two clicks
  const buffer = Buffer.from(`lastName,accountID\nUndone at once,C\n${rejected}`);
  await page.getByLabel("CSV file").setInputFiles({ name: "at-once.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click({ timeout: 30_000 });
  await page.getByRole("button", { name: "Undo" }).click({ timeout: 30_000 });
  await page.getByRole("dialog").getByRole("button", { name: "Undo the upload" }).click();
  await expect(page.getByText("1 of 1 row is undone")).toBeVisible({ timeout: 30_000 });
  expect(await storedNames("undone at once")).toEqual([]);
  await page.getByRole("link", { name: "Uploads" }).click();
  await page.getByRole("link", { name: "at-once.csv", exact: true }).click();
  await expect(page.getByRole("button", { name: "Download rows not stored" })).toBeVisible(); // the undo has not cut their storing off
});

test("an undo that was cut off goes on in another browser, which knows nothing of the upload", async ({ page, newBrowser }) => {
  page.on("dialog", (dialog) => dialog.accept());
  await signIn(page, "/customers/upload");
  await page.getByLabel("CSV file").setInputFiles(customersFile("Elsewhere", 2_500));
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("2,500 of 2,500 rows are stored")).toBeVisible({ timeout: 30_000 });
  let requests = 0;
  await page.route("**/customers/undo", (route) => (++requests === 1 ? route.continue() : undefined)); // the others get no answer
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo the upload" }).click();
  await expect(page.getByText("Undone 1,000")).toBeVisible();
  await page.close();

  const other = await newBrowser();
  await signIn(other, "/activity?source=upload");
  await other.getByRole("listitem").filter({ hasText: "2,500 changes" }).getByRole("link", { name: "by an upload" }).click();
  await expect(other.getByRole("heading", { name: "Elsewhere.csv", exact: true })).toBeVisible(); // its report stands on the service
  await expect(other.getByText("Taken back by")).toBeVisible();
  await other.getByRole("button", { name: "Undo" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Undo the upload" }).click();
  await expect(other.getByText("2,500 of 2,500 rows are undone")).toBeVisible({ timeout: 30_000 });
  await expect(other.getByText("Left alone: changed since 0")).toBeVisible();
  expect(await (await openApi()).all("customers", "Elsewhere")).toEqual([]);
});

test("signing out deletes what an unfinished upload has stored on this computer", async ({ page }) => {
  page.on("dialog", (dialog) => dialog.accept());
  await holdBatches(page, 3);
  await signIn(page, "/customers/upload");
  await startUpload(page, customersFile("Forgotten", 8000));
  await page.reload();
  await signIn(page, "/uploads");
  await expect(page.getByRole("region", { name: "Forgotten.csv, unfinished" })).toBeVisible();
  await signOut(page);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await signIn(page, "/uploads");
  await expect(page.getByText("No uploads from this computer")).toBeVisible();
  await expect(page.getByRole("region", { name: "Forgotten.csv, unfinished" })).toHaveCount(0);
});

test("the report of an upload can be read later, with the rows that were not stored", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const csv = "lastName,accountID\nKeptreport,C\n,D\n";
  await page.getByLabel("CSV file").setInputFiles({ name: "kept.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.reload();
  await signIn(page, "/uploads");
  await page.getByRole("link", { name: "kept.csv", exact: true }).click();
  await expect(page.getByRole("heading", { name: "kept.csv", exact: true })).toBeVisible();
  expect(await reported(page, "Not sent")).toBe(1);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download rows not stored" }).click();
  const stream = await (await download).createReadStream();
  let text = "";
  for await (const part of stream) text += part;
  expect(text).toContain("Enter the last name.,2,,D");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No uploads from this computer")).toBeVisible();
});
