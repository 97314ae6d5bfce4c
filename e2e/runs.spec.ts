// What an upload did not store is seen, corrected and sent again on another computer, and each row is stored once.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { hold, holdBatches } from "./support/hold-requests.ts";
import { check, openApi, reported, signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

const HEADER = "objectId,firstName,lastName,accountID";
const cell = (page: Page, row: string, title: string) =>
  page.getByRole("row", { name: new RegExp(`^${row}\\b`) }).locator(`td[data-title="${title}"]`);
const upload = (page: Page) => page.getByRole("button", { name: /^Upload/ }).click();

/** A file with three good rows and two bad ones, which are its second and its fourth. `first`: its first id is one more. */
function fileOf(word: string, first: number): { text: string; ids: number[] } {
  const ids = Array.from({ length: 5 }, (_, i) => first + i + 1);
  const rows = ids.map((id, i) => [id, word, i === 1 ? "" : `${word}${i}`, i === 3 ? "y".repeat(65) : `${word}-${i}`]);
  return { text: [HEADER, ...rows.map((row) => row.join(","))].join("\n"), ids };
}

/** Uploads the file and returns the id of its run. */
async function uploaded(page: Page, name: string, text: string): Promise<string> {
  await signIn(page, "/customers/upload");
  await check(page, name, text);
  await upload(page);
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const { runs } = (await (await openApi()).call("GET", "/runs?collection=customers")).json as { runs: { id: string; fileName: string }[] };
  return runs.find(({ fileName }) => fileName === name)?.id ?? "";
}

async function openRows(page: Page, run: string): Promise<void> {
  await signIn(page, `/uploads/${run}`);
  await page.getByRole("button", { name: "Correct the rows not stored" }).click();
  await expect(page.getByText("2 rows of", { exact: false })).toBeVisible();
}

async function type(page: Page, row: string, title: string, text: string): Promise<void> {
  await cell(page, row, title).dblclick();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

test("rows that one computer did not store are corrected on another one and sent into the same run", async ({ page, newBrowser }) => {
  const name = `again-${Date.now()}.csv`;
  const { text, ids } = fileOf("Again", 7_600_000);
  const run = await uploaded(page, name, text);
  await expect(page.getByText("Whoever reads this collection sees the report under Uploads")).toBeVisible();
  await expect(page.getByRole("table", { name: "Rows not stored" }).getByText(`Account ID: ${"y".repeat(65)}`)).toBeVisible();

  const other = await newBrowser();
  await signIn(other, "/uploads");
  await other.getByRole("region", { name: "From other computers" }).getByRole("link", { name }).click();
  await expect(other.getByRole("heading", { name })).toBeVisible();
  expect([await reported(other, "Created"), await reported(other, "Not sent")]).toEqual([3, 2]);
  await expect(
    other.getByRole("table", { name: "Rows not stored" }).getByRole("row", { name: /^4 5 Not sent Account ID may have/ }),
  ).toContainText("Again3");
  await expectNoFaults(other);
  await other.getByRole("button", { name: "Correct the rows not stored" }).press("Enter");
  await expect(other.getByText(`2 rows of ${name} that were not stored. They are sent into the same run.`)).toBeVisible();
  await type(other, "1", "Last name", "Mended");
  await expect(other.getByText("1 row is ready")).toBeVisible();
  await other.reload(); // what was corrected is kept, and goes into the same run still
  await signIn(other, "/uploads");
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByText(`2 rows of ${name} that were not stored.`, { exact: false })).toBeVisible();
  await upload(other);
  await expect(other.getByRole("heading", { name: "Report" })).toBeVisible();
  expect([await reported(other, "Created"), await reported(other, "Not sent")]).toEqual([1, 1]);
  await expect(other.getByRole("table", { name: "Rows not stored" }).getByRole("row", { name: /^4 / })).toBeVisible(); // its number in the first file
  await other.getByRole("link", { name: "The whole run" }).click();
  const whole = async () => [await reported(other, "Created"), await reported(other, "Not sent"), await reported(other, "Rows read")];
  await expect.poll(whole).toEqual([4, 1, 5]); // the table of the part stands there until that of the whole run has come
  await expect(other.getByText("has sent the rows not stored again", { exact: false })).toBeVisible();

  const api = await openApi();
  expect((await api.call("GET", `/customers/${ids[1]}`)).json).toMatchObject({ lastName: "Mended" });
  const { history } = (await api.call("GET", `/customers/${ids[1]}/history`)).json;
  expect(history).toMatchObject([{ operation: "created", source: { type: "upload", run } }]);

  // The first computer shows what has become of the run, and an undo takes all of it back.
  await signIn(page, `/uploads/${run}`);
  await expect(page.getByRole("table", { name: "Outcomes" })).toBeVisible();
  await expect.poll(() => reported(page, "Created")).toBe(4);
});

test("of two who send the same rows again, one does and the other one is told", async ({ page, newBrowser }) => {
  const { text, ids } = fileOf("Twice", 7_610_000);
  const run = await uploaded(page, `twice-${Date.now()}.csv`, text);
  const [one, other] = [await newBrowser(), await newBrowser()];
  for (const each of [one, other]) {
    await openRows(each, run);
    await type(each, "1", "Last name", "Once");
    await expect(each.getByText("1 row is ready")).toBeVisible();
  }
  const held = await hold(one, "**/v1/customers?**", (request) => request.method() === "POST" && !request.url().includes("dryRun"));
  await upload(one);
  await expect.poll(() => held.count).toBe(1);
  await upload(other);
  await expect(other.getByText("These rows were not sent.")).toBeVisible();
  await expect(other.getByText("Somebody is sending the rows of this run just now.", { exact: false })).toBeVisible();
  held.letGo();
  await expect(one.getByRole("heading", { name: "Report" })).toBeVisible();
  const { history } = (await (await openApi()).call("GET", `/customers/${ids[1]}/history`)).json;
  expect(history).toHaveLength(1);
});

test("who uploads a file that somebody else is uploading is asked before a row is sent", async ({ page, newBrowser }) => {
  const { text, ids } = fileOf("Same", 7_620_000);
  const file = text.replace(/^(.*\n.*\n).*\n/, "$1"); // its rows are good but one
  await signIn(page, "/customers/upload");
  await check(page, "mine.csv", file);
  const held = await holdBatches(page, 0);
  await upload(page);
  await expect.poll(() => held.count).toBe(1);
  const other = await newBrowser({ viewport: { width: 390, height: 800 } });
  await signIn(other, "/customers/upload");
  await check(other, "copy-of-mine.csv", file);
  await upload(other);
  await expect(other.getByText("The same file is uploaded elsewhere.")).toBeVisible();
  await expectNoFaults(other);
  await other.getByRole("button", { name: "Do not upload it" }).press("Enter");
  await expect(other.getByRole("heading", { name: "Report" })).toBeVisible();
  expect([await reported(other, "Not sent"), await reported(other, "Rows read")]).toEqual([4, 4]);
  held.letGo();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(3);
  expect((await (await openApi()).call("GET", `/customers/${ids[0]}/history`)).json.history).toHaveLength(1);
});
