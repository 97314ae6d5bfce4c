// Uploads of workbooks and archives, from the file to the report.

import { expect, type Locator, type Page, test } from "@playwright/test";
import { gzipFile, odsFile, odsTable, rowsXml, xlsxFile, zipFile } from "../pipeline/testing/workbooks.ts";
import { openApi, reported, signIn } from "./support/service.ts";

let next = 7_300_000;
const heading = ["objectId", "firstName", "lastName", "accountID"];

/** Records that no other test has. */
function records(count: number, lastName: string): string[][] {
  return Array.from({ length: count }, () => [String(next++), "Ada", lastName, "00501"]);
}

async function choose(page: Page, file: File): Promise<void> {
  const buffer = Buffer.from(await file.arrayBuffer());
  await page.getByLabel("CSV file or spreadsheet").setInputFiles({ name: file.name, mimeType: "application/octet-stream", buffer });
}

/** A choice of how the file is read. */
function chip(page: Page, label: string): Locator {
  return page
    .locator("label")
    .filter({ hasText: new RegExp(`^${label}`) })
    .locator("select");
}

async function uploadAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: /^Upload/ }).click();
  await expect(page.getByRole("link", { name: "Open the list" })).toBeVisible();
}

test("a workbook is uploaded: the sheet with the headings is proposed, another can be chosen, and its peculiarities are said", async ({
  page,
}) => {
  const api = await openApi();
  const rows = records(3, "Sheeted");
  const xml = rowsXml([["Customers of May"], [], heading, ...rows]).replace('<row r="5">', '<row r="5" hidden="1">');
  const file = xlsxFile([
    { name: "Notes", xml: rowsXml([["Made by Bea"], ["for Cy"]]) },
    { name: "Customers", xml: `${xml}<mergeCells count="1"><mergeCell ref="A1:D1"/></mergeCells>` },
    { name: "Old", xml: rowsXml([heading, ...records(1, "Old")]), state: "hidden" },
  ]);
  await signIn(page, "/customers/upload");
  await choose(page, file);
  await expect(chip(page, "Sheet")).toHaveValue("Customers");
  await expect(chip(page, "Heading")).toHaveValue("3");
  await expect(page.getByText("1 hidden row is read like the others: 5.")).toBeVisible();
  await expect(page.getByText("1 block of cells is merged: A1:D1.")).toBeVisible();
  await chip(page, "Sheet").selectOption("Old (hidden)");
  await expect(chip(page, "Heading")).toHaveValue("1");
  await chip(page, "Sheet").selectOption("Customers");
  await expect(chip(page, "Heading")).toHaveValue("3");
  await uploadAll(page);
  expect(await reported(page, "Created")).toBe(3);
  const { json } = await api.call("GET", `/customers/${rows[1]?.[0]}`);
  expect(json).toMatchObject({ lastName: "Sheeted", accountID: "00501" });
});

test("an OpenDocument spreadsheet, a gzip file and a ZIP file with two tables are uploaded", async ({ page }) => {
  const csv = (rows: string[][]) => [heading, ...rows].map((cells) => cells.join(",")).join("\n");
  await signIn(page, "/customers/upload");
  await choose(page, odsFile(odsTable([heading, ...records(2, "Open")])));
  await uploadAll(page);
  expect(await reported(page, "Created")).toBe(2);
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose(page, gzipFile(csv(records(2, "Zipped"))));
  await uploadAll(page);
  expect(await reported(page, "Created")).toBe(2);
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose(page, zipFile({ "orders.csv": "order,total\n1,2\n", "customers.csv": csv(records(4, "Packed")) }));
  await expect(chip(page, "File in the archive")).toHaveValue("customers.csv");
  await uploadAll(page);
  expect(await reported(page, "Created")).toBe(4);
});

test("of several workbooks in an archive any can be chosen, and the one that is shown is uploaded", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const workbook = async (rows: string[][]) =>
    new Uint8Array(await xlsxFile([{ name: "Sheet", xml: rowsXml([heading, ...rows]) }]).arrayBuffer());
  const [north, south] = [records(2, "North"), records(3, "South")];
  const parts = { "north.xlsx": await workbook(north), "south.xlsx": await workbook(south), "readme.txt": "Two offices." };
  await choose(page, zipFile(parts));
  const entry = chip(page, "File in the archive");
  const rows = page.getByRole("table", { name: "First rows" });
  await expect(entry.locator("option")).toHaveText([/north\.xlsx/, /south\.xlsx/, /readme\.txt/]);
  // To the other one and back, and once more: each time its own rows are shown.
  for (const [name, shown, hidden] of [
    ["north.xlsx", "North", "South"],
    ["south.xlsx", "South", "North"],
    ["north.xlsx", "North", "South"],
    ["south.xlsx", "South", "North"],
  ] as const) {
    await entry.selectOption(name);
    await expect(rows).toContainText(shown);
    await expect(rows).not.toContainText(hidden);
  }
  await uploadAll(page);
  expect(await reported(page, "Created")).toBe(3);
});

test("a damaged workbook is refused with a sentence", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const whole = xlsxFile([{ name: "Customers", xml: rowsXml([heading, ...records(3, "Cut")]) }]);
  await choose(page, new File([whole.slice(0, whole.size - 200)], "cut.xlsx"));
  await expect(page.getByText("This file is damaged or incomplete.")).toBeVisible();
});
