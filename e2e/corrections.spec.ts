// Rows with problems are corrected, fixed in groups or left out before the upload, and a preview says what it will do.

import { expect, type Page, test } from "@playwright/test";
import { check, openApi, reported, signIn } from "./support/service.ts";

const HEADER = "objectId,firstName,lastName,accountID";

const grid = (page: Page) => page.getByRole("grid", { name: "Rows with problems" });
const cell = (page: Page, row: string, text: string | RegExp) =>
  grid(page)
    .getByRole("row", { name: new RegExp(`^${row} `) })
    .getByRole("gridcell", { name: text });

/** The number beside a label of the legend; 0 when the label is not there. */
async function previewed(page: Page, label: string): Promise<number> {
  const item = page.getByRole("listitem").filter({ hasText: new RegExp(`^${label} [0-9,]+$`) });
  return (await item.count()) === 0 ? 0 : Number(((await item.textContent()) ?? "").replace(/\D/g, ""));
}

async function upload(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
}

test("a cell that the user corrects is uploaded as corrected", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "mend.csv", `${HEADER}\n9500001,,Right,1\n9500002,,,2\n9500003,,Third,\n`);
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await cell(page, "2", "missing").click();
  await page.keyboard.type("Mended");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await expect(grid(page).getByRole("row", { name: /^2 .*Mended/ })).toBeVisible();
  await upload(page);
  expect(await reported(page, "Created")).toBe(2);
  const api = await openApi();
  expect((await api.call("GET", "/customers/9500002")).json).toMatchObject({ lastName: "Mended", accountID: "2" });
});

test("one click fixes a thousand rows, and another undoes it", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const rows = Array.from({ length: 1_000 }, (_, i) => `${9_510_000 + i}.0,,Thousand,${i}`);
  await check(page, "thousand.csv", [HEADER, ...rows].join("\n"));
  await expect(page.getByText("No row is ready")).toBeVisible();
  await page.getByRole("button", { name: "Remove “.0” in all" }).press("Enter");
  await expect(page.getByText("1,000 rows are ready")).toBeVisible();
  await expect(page.getByRole("region", { name: "Problems", exact: true })).toBeFocused();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("No row is ready")).toBeVisible();
  await page.getByRole("button", { name: "Redo" }).click();
  await upload(page);
  expect(await reported(page, "Created")).toBe(1_000);
});

test("a row that the user leaves out is reported as left out", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "out.csv", `${HEADER}\n9520001,,Stays,1\n9520002,,,2\n9520003,,,3\n9520004,,${"x".repeat(201)},4\n`);
  await page.getByRole("button", { name: "Leave out: Enter the last name." }).click();
  await expect(page.getByText("1 has problems · 2 left out")).toBeVisible();
  await page.getByRole("button", { name: "Leave out, row 4" }).click();
  await expect(page.getByText("3 left out")).toBeVisible();
  await upload(page);
  const notStored = page.getByRole("table", { name: "Rows not stored" });
  await expect(notStored.getByRole("row", { name: /^2 3 Not sent You left this row out\./ })).toBeVisible();
  await expect(notStored.getByRole("row", { name: /^4 5 Not sent You left this row out\./ })).toBeVisible();
  expect(await reported(page, "Created")).toBe(1);
});

test("a key that occurs twice in the file is found before anything is sent", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "twice.csv", `${HEADER}\n9530001,,First,1\n9530002,,Other,2\n9530001,,Second,3\n`);
  await expect(page.getByRole("region", { name: "Problems", exact: true })).toContainText(
    "An earlier row of this file has the same Object ID. — row 3",
  );
  await cell(page, "3", "9530001").dblclick();
  await page.getByRole("textbox", { name: "Object ID, row 3" }).fill("9530003");
  await page.keyboard.press("Enter");
  await expect(page.getByText("3 rows are ready")).toBeVisible();
});

for (const [mode, choice] of [
  ["create", /Add new ones only/],
  ["upsert", /Add new ones and update/],
  ["update", /Update existing ones only/],
] as const) {
  test(`the report counts what the preview counted: ${mode}`, async ({ page }) => {
    const first = { create: 9_540_000, upsert: 9_550_000, update: 9_560_000 }[mode];
    const api = await openApi();
    const stored = Array.from({ length: 40 }, (_, i) => ({ objectId: first + i, lastName: `Held ${i}`, accountID: "H" }));
    expect((await api.call("POST", "/customers", { customers: stored })).status).toBe(201);
    const rows = Array.from({ length: 60 }, (_, i) => {
      const name = i % 7 === 0 ? "" : i % 2 === 0 ? `Held ${i}` : `New ${i}`;
      return `${i % 11 === 3 ? "x" : first + i},,${name},H`;
    });
    await signIn(page, "/customers/upload");
    await page
      .getByLabel("CSV file")
      .setInputFiles({ name: "mixed.csv", mimeType: "text/csv", buffer: Buffer.from([HEADER, ...rows].join("\n")) });
    await page.getByRole("radio", { name: choice }).check();
    await page.getByRole("button", { name: "Check" }).click();
    await expect(page.getByText("This is a preview by the service.")).toBeVisible();
    const [created, updated, unchanged, refused, wrong] = [
      await previewed(page, "Would be created"),
      await previewed(page, "Would be updated"),
      await previewed(page, "Unchanged"),
      await previewed(page, "Would be refused"),
      await previewed(page, "With problems"),
    ];
    expect(created + updated + unchanged + refused + wrong).toBe(60);
    if (updated > 0) {
      await page.getByText("What would change").click();
      const change = page
        .getByRole("table", { name: "What would change" })
        .getByRole("row", { name: new RegExp(`^${first + 1} .*Last name`) });
      await expect(change).toContainText("Held 1New 1");
    }
    await upload(page);
    expect([
      await reported(page, "Created"),
      await reported(page, "Updated"),
      await reported(page, "Unchanged"),
      await reported(page, "Failed"),
      await reported(page, "Not sent"),
    ]).toEqual([created, updated, unchanged, refused, wrong]);
  });
}

test("what a colleague has changed since the preview is not overwritten before another look", async ({ page }) => {
  const id = 9_570_000;
  const api = await openApi();
  const records = [id, id + 1].map((objectId) => ({ objectId, lastName: "Old", accountID: "A" }));
  expect((await api.call("POST", "/customers", records)).status).toBe(201);
  const { key } = (await api.call("POST", "/keys", { name: "A colleague", scope: "customers:read customers:update" })).json;
  const colleague = await openApi(undefined, String(key));
  const choose = async () => {
    const buffer = Buffer.from(`${HEADER}\n${id},,Mine,A\n${id + 1},,Mine,A\n`);
    await page.getByLabel("CSV file").setInputFiles({ name: "mine.csv", mimeType: "text/csv", buffer });
    await page.getByRole("radio", { name: /Update existing ones only/ }).check();
    await page.getByRole("button", { name: "Check" }).click();
    await expect(page.getByText("This is a preview by the service.")).toBeVisible();
  };
  await signIn(page, "/customers/upload");
  await choose();
  expect((await colleague.call("PATCH", `/customers/${id}`, { lastName: "Theirs" })).status).toBe(200);
  await upload(page);
  expect([await reported(page, "Updated"), await reported(page, "Failed")]).toEqual([1, 1]);
  const row = page.getByRole("table", { name: "Rows not stored" }).getByRole("row", { name: /^1 2 Failed/ });
  await expect(row).toContainText("The record was made, changed or deleted elsewhere meanwhile. Nothing was overwritten.");
  expect((await api.call("GET", `/customers/${id}`)).json.lastName).toBe("Theirs");

  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose();
  await page.getByText("What would change").click();
  await expect(page.getByRole("table", { name: "What would change" })).toContainText("TheirsMine");
  await upload(page);
  expect([await reported(page, "Updated"), await reported(page, "Unchanged")]).toEqual([1, 1]);
});

test("a row that the service would refuse is shown with its reason and can be corrected", async ({ page }) => {
  const api = await openApi();
  await api.call("POST", "/customers", { objectId: 9_570_001, lastName: "Holder", accountID: "H" });
  await signIn(page, "/customers/upload");
  await check(page, "refused.csv", `${HEADER}\n9570001,,Taken,1\n9570002,,Free,2\n`);
  await expect(page.getByText("The service would refuse this row")).toBeVisible();
  await page.getByRole("button", { name: "Leave out: Another customer already has this Object ID." }).click();
  await expect(page.getByText("1 row is ready 1 left out")).toBeVisible();
  await page.getByRole("button", { name: "Revert: Rows that the service would refuse" }).click();
  await expect(page.getByText("The service would refuse this row")).toBeVisible();
  await cell(page, "1", "9570001").dblclick();
  await page.getByRole("textbox", { name: "Object ID, row 1" }).fill("9570003");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The service would refuse this row")).toHaveCount(0);
  await upload(page);
  expect(await reported(page, "Created")).toBe(2);
});

test("a file can be uploaded when the service gives no preview", async ({ page }) => {
  await page.route("**/v1/customers?*dryRun=true*", (route) =>
    route.fulfill({ status: 403, json: { title: "No previews here", status: 403 } }),
  );
  await signIn(page, "/customers/upload");
  await check(page, "silent.csv", `${HEADER}\n9580001,,Silent,1\n`);
  await expect(page.getByText("No preview is available: No previews here")).toBeVisible();
  await page.unroute("**/v1/customers?*dryRun=true*");
  await page.getByRole("button", { name: "Preview again" }).click();
  await expect(page.getByText("This is a preview by the service.")).toBeVisible();
  await upload(page);
  expect(await reported(page, "Created")).toBe(1);
});

test("corrections stay when the user goes back to the columns", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "back.csv", `${HEADER}\n9590001,,,1\n9590002,,,2\n`);
  await cell(page, "1", "missing").click();
  await page.keyboard.type("Kept");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await page.getByRole("button", { name: "Back to columns" }).click();
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await expect(cell(page, "1", "Kept")).toBeVisible();
});

test("a file that is read in another way asks before corrections are lost, and says which", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "anew.csv", `${HEADER}\n9591001,,"Ace,1\n9591002,,"Bob",2\n9591003,,,3\n`);
  await cell(page, "2", "missing").click();
  await page.keyboard.type("Kept");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Leave out, row 1" }).click();
  await expect(page.getByText("1 row is ready 1 left out")).toBeVisible();
  await page.getByRole("button", { name: "Treat stray quotes as text" }).click();
  await page.getByRole("button", { name: "Check" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 row left out belongs to lines that are now read differently");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Check" }).click();
  await dialog.getByRole("button", { name: "Check and discard" }).click();
  await expect(page.getByText("3 rows are ready")).toBeVisible();
  await upload(page);
  expect((await (await openApi()).call("GET", "/customers/9591003")).json).toMatchObject({ lastName: "Kept" });
});

test("a user corrects problems by keyboard alone", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "keyboard.csv", `${HEADER}\n9800001,,,1\n9800002,,Bee,\n9800003,,,3\n`);
  await expect(page.getByText("No row is ready")).toBeVisible();
  await page.keyboard.press("F8");
  await expect(cell(page, "1", "missing")).toBeFocused();
  await expect(cell(page, "1", "missing")).toHaveAccessibleDescription("Enter the last name.");
  await page.keyboard.type("Ann");
  await page.keyboard.press("Escape");
  await expect(cell(page, "1", "missing")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Ant");
  await page.keyboard.press("Tab");
  await expect(cell(page, "1", /^1$/)).toBeFocused();
  await page.keyboard.press("F8");
  await expect(cell(page, "2", "missing")).toBeFocused();
  await page.keyboard.type("B-2");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await page.keyboard.press("Control+Shift+z");
  await page.keyboard.press("F8");
  await expect(cell(page, "3", "missing")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await expect(page.getByText("1 left out")).toBeVisible();
  await page.getByRole("button", { name: "Upload" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(2);
});

test("a user walks through a column with 200,000 problems from end to end", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "wrong.csv", `${HEADER}\n${"x,,Ann,A\n".repeat(200_000)}`);
  await expect(page.getByText("200,000 have problems")).toBeVisible();
  await expect(page.getByText("These are the first 10,000 of 200,000.")).toBeVisible();
  await cell(page, "1", "x").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+End");
  await expect(grid(page).getByRole("row", { name: /^10,000 / })).toBeVisible();
  expect(await grid(page).getByRole("row").count()).toBeLessThan(80);
  await expect(grid(page)).toHaveAttribute("aria-rowcount", "10001");
});
