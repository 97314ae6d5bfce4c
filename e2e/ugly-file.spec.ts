// A file as people have them: nearly all rows are corrected in a few clicks, and nothing in it is guessed.

import { isDeepStrictEqual } from "node:util";
import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, type Row, reported, signIn } from "./support/service.ts";
import { MEMBERS_DICTIONARY, UGLY_ROWS, uglyFile } from "./support/ugly-file.ts";

const MOST_CLICKS = 6;
const LEAST_READY = 0.97;

let service: OwnService;

test.beforeAll(async () => {
  service = await startService(async () => ({ DICTIONARY: MEMBERS_DICTIONARY }));
});
test.afterAll(() => service.remove());

/** Counts every click and every key that the page gets, whoever makes them. */
async function countActs(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { acts: 0 };
    for (const type of ["click", "keydown", "change"]) {
      window.addEventListener(type, (event) => event.isTrusted && counted.acts++, true);
    }
    Object.assign(window, { counted });
  });
  return () => page.evaluate(() => (window as unknown as { counted: { acts: number } }).counted.acts);
}

async function ready(page: Page): Promise<number> {
  const words = (await page.getByText(/^[\d,]+ rows are ready/).textContent()) ?? "";
  return Number(words.split(" ")[0]?.replaceAll(",", ""));
}

async function storedMembers(): Promise<Map<number, Row>> {
  const all = await (await openApi(service.port)).all("members");
  return new Map(all.map((record) => [Number(record.number), record]));
}

/** Without what the service adds. */
function fieldsOf(record: Row): Row {
  const { createdAt: _c, updatedAt: _u, createdBy: _by, updatedBy: _last, version: _v, ...fields } = record;
  return fields;
}

test("nearly all rows are ready in a few clicks, stored as they are meant, and nothing unclear is guessed", async ({ page }) => {
  const file = uglyFile();
  expect([file.clear.size, file.ambiguous.size]).toEqual([4_956, 12]);
  await signIn(page, `http://127.0.0.1:${service.port}/members/upload`);
  await page.getByLabel("CSV file").setInputFiles(file);
  await expect(page.getByRole("table", { name: "Columns" })).toBeVisible();
  const acts = await countActs(page);
  await page.getByRole("button", { name: "Use E-mail for Kontakt" }).click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  const problems = page.getByRole("region", { name: "Problems", exact: true });
  await expect(problems.getByRole("button", { name: "Actve → Active in 709 rows" })).toBeVisible();
  await expect(problems).toContainText("“03/04/01” in 12 rows can be read in more than one way:");
  const promised = Number(
    /At least ([\d,]+) of 5,000 rows can be corrected at once/.exec(await page.locator("main").innerText())?.[1]?.replace(",", ""),
  );
  expect(promised).toBeLessThanOrEqual(file.clear.size);
  expect(promised / UGLY_ROWS).toBeGreaterThan(0.9);
  await problems.getByRole("button", { name: "Apply all proposals in 4 columns" }).click();
  await expect(page.getByText(`${file.clear.size.toLocaleString("en")} rows are ready`)).toBeVisible();
  expect(await acts()).toBeLessThanOrEqual(MOST_CLICKS);
  expect((await ready(page)) / UGLY_ROWS).toBeGreaterThanOrEqual(LEAST_READY);
  await expect(page.getByText("44 have problems")).toBeVisible();

  await page.getByRole("button", { name: "Upload 4,956 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const counts = [await reported(page, "Created"), await reported(page, "Not sent")];
  expect(counts).toEqual([4_956, 44]);
  const stored = await storedMembers();
  expect(stored.size).toBe(4_956);
  const others = [...file.clear].filter(([number, record]) => !isDeepStrictEqual(fieldsOf(stored.get(number) ?? {}), record));
  expect(others.map(([number, record]) => [record, stored.get(number)])).toEqual([]);
  expect([...file.ambiguous.keys()].filter((number) => stored.has(number))).toEqual([]);
});

test("what can be read in two ways is asked once, and the answer can be taken back", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/members/upload`);
  await page.getByLabel("CSV file").setInputFiles(uglyFile());
  await page.getByRole("button", { name: "Use E-mail for Kontakt" }).click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("button", { name: "Apply all proposals" }).press("Enter");
  await expect(page.getByText("44 have problems")).toBeVisible();
  await expect(page.getByRole("button", { name: "Apply all proposals" })).toHaveCount(0);
  const question = page.getByRole("group", { name: /^“03\/04\/01” in 12 rows/ });
  await question.getByRole("button", { name: "Apr 3, 2001 Day, month" }).click();
  await expect(page.getByText("32 have problems")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(question).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("No row is ready")).toBeVisible();
});

test("a column that no name matches is proposed by its content, and remembered once the user has confirmed it", async ({ page }) => {
  const rows = Array.from({ length: 5 }, (_, i) => `${90_001 + i};Content ${i};c${i}@example.org;${10 + i}.05.2024;${i}`);
  const file = {
    name: "Kontakte.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`Number;Name;Kontakt;Seit wann;Rang\n${rows.join("\n")}\n`),
  };
  const field = (heading: string) => page.getByRole("combobox", { name: `Field for ${heading}` });
  await signIn(page, `http://127.0.0.1:${service.port}/members/upload`);
  await page.getByLabel("CSV file").setInputFiles(file);
  await expect(page.getByText("By its content this may be")).toHaveCount(2);
  await expect(field("Kontakt")).toHaveValue("");
  await page.getByRole("button", { name: "Use E-mail for Kontakt" }).press("Enter");
  await expect(field("Kontakt")).toHaveValue("email");
  await expect(field("Kontakt")).toBeFocused();
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("5 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await page.getByLabel("CSV file").setInputFiles({ ...file, name: "Kontakte 2.csv" });
  await expect(field("Kontakt")).toHaveValue("email");
  await expect(field("Seit wann")).toHaveValue("");
  await page.getByRole("button", { name: "Use Joined for Seit wann" }).click();
  await expect(page.getByText("By its content this may be")).toHaveCount(0);
});
