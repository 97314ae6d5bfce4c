// A file is checked and uploaded, and its report adds up.

import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { holdBatches } from "./support/hold-requests.ts";
import { check, openApi, reported, signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

const HEADER = "objectId,firstName,lastName,accountID";

test("a file with three bad rows stores the others and says which three", async ({ page }) => {
  const rows = Array.from({ length: 20 }, (_, i) => [`${7_000_001 + i}`, "Three", `Bad${i}`, `B-${i}`]);
  rows[3] = ["7000004", "Three", "", "B-3"];
  rows[9] = ["007", "Three", "Bad9", "B-9"];
  rows[14] = ["7000015", "Three", "Bad14", "x".repeat(65)];
  await signIn(page, "/customers/upload");
  await check(page, "three.csv", [HEADER, ...rows.map((row) => row.join(","))].join("\n"));
  await expect(page.getByText("17 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(17);
  expect(await reported(page, "Not sent")).toBe(3);
  expect(await reported(page, "Rows read")).toBe(20);
  const notStored = page.getByRole("table", { name: "Rows not stored" });
  await expect(notStored.getByRole("row", { name: "4 5 Not sent Enter the last name." })).toBeVisible();
  await expect(notStored.getByRole("row", { name: /^10 11 Not sent Object ID must be a whole number/ })).toBeVisible();
  await expect(notStored.getByRole("row", { name: /^15 16 Not sent Account ID may have at most 64/ })).toBeVisible();

  const downloads = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download rows not stored" }).click();
  const text = await readFile(await (await downloads).path(), "utf8");
  expect(text.trim().split("\r\n")).toHaveLength(4);
  expect(text).toContain("Enter the last name.");
  const api = await openApi();
  const stored = await api.all("customers", "three bad");
  expect(stored).toHaveLength(17);
  const { history } = (await api.call("GET", `/customers/${stored[0]?.objectId}/history`)).json;
  expect(history).toMatchObject([{ operation: "created", source: { type: "upload", run: expect.stringMatching(/^[\w-]{10,}$/) } }]);
});

test("a file without keys that was uploaded on another computer is recognised by its rows before it is stored twice", async ({
  page,
  newBrowser,
}) => {
  const word = `Twice${process.pid}x${test.info().workerIndex}`;
  const lines = Array.from({ length: 12 }, (_, i) => `Ann,${word} ${i},T-${i}`);
  const api = await openApi();
  for (let i = 0; i < 5; i++) await api.call("POST", "/customers", { firstName: "Ann", lastName: `${word} ${i}`, accountID: `T-${i}` });
  const other = await newBrowser();
  await signIn(other, "/customers/upload");
  await check(other, "twice.csv", ["firstName,lastName,accountID", ...lines].join("\n"));
  await expect(other.getByText("5 of 10 rows that were looked up are stored already, with all their values.")).toBeVisible();
  await other.getByRole("link", { name: "Show one of them" }).click();
  await expect(other.getByRole("heading", { name: `Ann ${word} 0` })).toBeVisible();
  await signIn(page, "/customers/upload");
  await check(page, "new.csv", ["firstName,lastName,accountID", ...lines.slice(5)].join("\n"));
  await expect(page.getByText("This is a preview by the service. Nothing is stored yet.")).toBeVisible();
  await expect(page.getByText("that were looked up are stored already")).toBeHidden();
});

test("a file of 5,000 rows arrives whole: every row read back equals the file", async ({ page }) => {
  const rows = Array.from({ length: 5_000 }, (_, i) => ({
    objectId: 8_000_000 + i,
    firstName: i % 7 === 0 ? null : `Whole ${"éßñ朴ø"[i % 5]}${i}`,
    lastName: `O’Neil, "Whole" ${i}`,
    accountID: String(i).padStart(5, "0"),
  }));
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const lines = rows.map((row) => [row.objectId, row.firstName ?? "", quote(row.lastName), row.accountID].join(";"));
  await signIn(page, "/customers/upload");
  await check(page, "whole.csv", `\uFEFF${HEADER.replaceAll(",", ";")}\r\n${lines.join("\r\n")}`);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(5_000);
  const stored = (await (await openApi()).all("customers", "whole")).map(({ objectId, firstName, lastName, accountID }) => ({
    objectId,
    firstName,
    lastName,
    accountID,
  }));
  stored.sort((a, b) => Number(a.objectId) - Number(b.objectId));
  expect(stored).toEqual(rows);
});

test("the same file again, as updates, changes nothing", async ({ page }) => {
  const file = `${HEADER}\n9100001,Ida,Same,S-1\n9100002,Per,Same,S-2\n`;
  await signIn(page, "/customers/upload");
  await check(page, "same.csv", file);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.getByRole("button", { name: "Choose another file" }).click();

  await page.getByLabel("CSV file").setInputFiles({ name: "same.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await page.getByRole("radio", { name: /Add new ones and update/ }).check();
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Unchanged")).toBe(2);
  expect(await reported(page, "Created")).toBe(0);
});

test("a row whose key is taken is refused by name, and the others are stored", async ({ page }) => {
  const api = await openApi();
  await api.call("POST", "/customers", { objectId: 9_200_002, lastName: "First", accountID: "F" });
  await signIn(page, "/customers/upload");
  await check(page, "taken.csv", `${HEADER}\n9200001,,New,1\n9200002,,Second,2\n9200003,,New,3`);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(2);
  expect(await reported(page, "Failed")).toBe(1);
  await expect(page.getByRole("table", { name: "Rows not stored" }).getByRole("row", { name: /^2 3 Failed/ })).toBeVisible();
  expect((await api.call("GET", "/customers/9200002")).json).toMatchObject({ lastName: "First", version: 1 });
});

test("a file that cannot be uploaded is named for what it is", async ({ page }) => {
  await signIn(page, "/customers/upload");
  for (const [content, words] of [
    ["", /empty/i],
    [`${HEADER}\r\n`, /no rows|only.*head/i],
    [Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), Buffer.alloc(2_000)]), /damaged or incomplete/i],
    [Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7) % 256)), /not.*text|binary/i],
  ] as const) {
    await page.getByLabel("CSV file").setInputFiles({ name: "wrong.csv", mimeType: "text/csv", buffer: Buffer.from(content) });
    await expect(page.getByRole("alert")).toContainText(words);
  }
});

test("a thousand bad rows are grouped, and the file cannot be uploaded", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "bad.csv", `${HEADER}\n${"x1,,,A\n".repeat(1_000)}`);
  await expect(page.getByText("No row is ready")).toBeVisible();
  await expect(page.getByRole("region", { name: "Problems", exact: true })).toContainText("1–1,000");
  await expect(page.getByRole("button", { name: "Upload" })).toHaveCount(0);
});

test("a file whose records are there already says so, and updates them instead", async ({ page }) => {
  const rows = (name: string) => `${HEADER}\n9350001,,${name},A\n9350002,,${name},B\n9350003,,${name},C`;
  const anyway = page.getByRole("button", { name: "Upload anyway" });
  await signIn(page, "/customers/upload");
  await check(page, "there.csv", rows("Before"));
  await page.getByRole("button", { name: "Upload 3 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.getByRole("button", { name: "Choose another file" }).click();

  await check(page, "there.csv", rows("After"));
  await expect(page.getByText("Nothing would be stored: all 3 customers are there already")).toBeVisible();
  await expect(anyway).toBeVisible();
  await page.getByRole("button", { name: "Update them instead" }).click();
  await page.getByRole("button", { name: "Upload 3 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Updated")).toBe(3);
  await page.getByRole("button", { name: "Choose another file" }).click();

  const more = { name: "there.csv", mimeType: "text/csv", buffer: Buffer.from(`${rows("After")}\n9350004,,New,D`) };
  await page.getByLabel("CSV file").setInputFiles(more);
  await expect(page.getByText("Rows also update records, as last time.")).toBeVisible();
  await page.getByRole("radio", { name: /^Add new ones only/ }).check();
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("1 row is ready 3 would be refused")).toBeVisible();
  await page.getByRole("button", { name: "Update them, too" }).click();
  await page.getByRole("button", { name: "Upload 4 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect([await reported(page, "Created"), await reported(page, "Unchanged")]).toEqual([1, 3]);
  await page.getByRole("button", { name: "Choose another file" }).click();

  await check(page, "there.csv", rows("After").replaceAll("935", "936"));
  await page.getByRole("button", { name: "Back to columns" }).click();
  await page.getByRole("radio", { name: "Update existing ones only" }).check();
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("Nothing would be stored: none of the 3 customers is there yet")).toBeVisible();
  await page.getByRole("button", { name: "Add them instead" }).click();
  await expect(page.getByRole("button", { name: "Upload 3 rows" })).toBeVisible();
});

test("a double click on Upload is one upload", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "twice-clicked.csv", "objectId,firstName,lastName,accountID\n9985001,,Doubleclick,A\n");
  await page.getByRole("button", { name: "Upload 1 row" }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(1);
  await expect(page.getByText("because of an error in the app")).toHaveCount(0);
});

test("an upload can be cancelled, and the report still adds up", async ({ page }) => {
  const held = await holdBatches(page, 2);
  await signIn(page, "/customers/upload");
  await check(page, "long.csv", `${HEADER}\n${Array.from({ length: 20_000 }, (_, i) => `${9_300_000 + i},,Cancel,C`).join("\n")}`);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("rows/s")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  held.letGo();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const outcomes = ["Created", "Updated", "Unchanged", "Skipped", "Failed", "In doubt", "Not sent"];
  const counts = await Promise.all(outcomes.map((outcome) => reported(page, outcome)));
  expect(counts.reduce((a, b) => a + b)).toBe(20_000);
  expect(await reported(page, "Not sent")).toBeGreaterThan(0);
});

test("a finished upload is listed under Uploads", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "remember-me.csv", `${HEADER}\n9400001,,Remembered,1\n`);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.getByRole("link", { name: "Uploads" }).click();
  await expect(page.getByRole("region", { name: "remember-me.csv" })).toContainText("Created 1");
});
