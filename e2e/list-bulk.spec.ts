// Many records are selected, changed, undone and exported at once.

import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { enter } from "./support/list-rows.ts";
import { reported, signIn } from "./support/service.ts";

const box = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });

const many = (count: number) => Array.from({ length: count }, (_, i) => `N${String(i + 1).padStart(4, "0")}`);

/** Opens the dialog over the selection and goes to the preview of the change. */
async function previewChange(page: Page, field: string, value: string | undefined) {
  await page.getByRole("button", { name: "Change…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Field", { exact: true }).selectOption(field);
  if (value === undefined) await dialog.getByRole("checkbox", { name: "Clear the field instead" }).check();
  else await dialog.getByLabel("New value").fill(value);
  await dialog.getByRole("button", { name: "Show what would change" }).click();
  return dialog;
}

test("rows that are selected on two pages get a new value, and undo gives the old values back", async ({ page }) => {
  const { stored } = await enter("Bulkchange", many(60));
  await signIn(page, "/customers?q=bulkchange&sort=lastName&limit=50");
  await box(page, "Bulkchange N0002").check();
  await box(page, "Bulkchange N0005").click({ modifiers: ["Shift"] });
  await expect(page.getByText("4 selected")).toBeVisible();
  await page.getByRole("button", { name: "Next" }).click();
  await box(page, "Bulkchange N0060").check();
  await expect(page.getByText("5 selected, 4 not on this page")).toBeVisible();

  const dialog = await previewChange(page, "Account ID", "B-2");
  await expect(dialog.getByText("will change 5")).toBeVisible();
  await expect(dialog.getByRole("listitem").filter({ hasText: "Bulkchange N0002" })).toContainText("B-1 → B-2");
  expect((await stored()).filter(({ accountID }) => accountID === "B-2")).toHaveLength(0);
  await dialog.getByRole("button", { name: "Change 5 customers" }).click();
  await expect(page.getByText("5 customers are changed.")).toBeVisible();
  const changed = (await stored()).filter(({ accountID }) => accountID === "B-2").map(({ lastName }) => lastName);
  expect(changed.sort()).toEqual(["N0002", "N0003", "N0004", "N0005", "N0060"]);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("5 customers are restored.")).toBeVisible();
  expect((await stored()).every(({ accountID }) => accountID === "B-1")).toBe(true);

  // The selection holds the records as they are now, also those that are not on the page.
  await page.getByRole("button", { name: "First page" }).click();
  await expect(page.getByText("5 selected, 1 not on this page")).toBeVisible();
  await expect((await previewChange(page, "Account ID", "B-6")).getByText("will change 5")).toBeVisible();
});

test("on a phone, whose list has no box in its heading, the bar selects the whole page", async ({ page }) => {
  await enter("Phonepage", ["One", "Two", "Three"]);
  await signIn(page, "/customers?q=phonepage");
  const whole = page.getByRole("button", { name: "Select this page" });
  await box(page, "Phonepage Two").check();
  await expect(page.getByText("1 selected")).toBeVisible();
  await expect(whole).toBeHidden();
  await page.setViewportSize({ width: 390, height: 800 });
  await whole.press("Enter");
  await expect(page.getByText("3 selected")).toBeVisible();
  await expect(whole).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Change…" })).toBeFocused();
});

test("an undo goes on at the second try when the service was busy", async ({ page }) => {
  const { stored } = await enter("Undolater", ["One", "Two"]);
  await signIn(page, "/customers?q=undolater");
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 2 customers" }).click();
  await expect(page.getByText("2 customers are deleted.")).toBeVisible();
  const busy = { status: 503, headers: { "Retry-After": "0" }, contentType: "application/problem+json", body: '{"code":"UNAVAILABLE"}' };
  await page.route("**/v1/customers/undo", (route) => route.fulfill(busy));
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 are not restored yet: the service did not reply.")).toBeVisible();
  await page.unroute("**/v1/customers/undo");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 customers are restored.")).toBeVisible();
  expect(await stored()).toHaveLength(2);
});

test("a change that is stopped reports what is done and what was not sent, and undo takes it back", async ({ page }) => {
  const { stored } = await enter("Stopped", many(2_500));
  await signIn(page, "/customers?q=stopped&limit=25");
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await page.getByRole("button", { name: "Select all that match" }).click();
  await expect(page.getByText("2,500 selected")).toBeVisible();
  const dialog = await previewChange(page, "Account ID", "B-5");
  await expect(dialog.getByText("will change 2,500")).toBeVisible();
  let sent = 0;
  let answer = () => {};
  const stopped = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/v1/customers?*token=*", async (route) => {
    if (sent++ > 0) await stopped;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Change 2,500 customers" }).click();
  await expect(dialog.getByText("1,000 of 2,500")).toBeVisible();
  await page.keyboard.press("Escape");
  answer();
  await expect(dialog.getByText("not sent 500")).toBeVisible();
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2,000 customers are restored.")).toBeVisible({ timeout: 30_000 }); // it takes them back and reads them again
  expect((await stored()).every(({ accountID }) => accountID === "B-1")).toBe(true);
});

test("a change whose response gets lost is not done twice by trying again", async ({ page }) => {
  const { stored } = await enter("Lostbulk", ["One", "Two"]);
  await signIn(page, "/customers?q=lostbulk");
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  const dialog = await previewChange(page, "Account ID", "B-4");
  let lost = 0;
  await page.route("**/v1/customers?onError*", async (route) => {
    if (lost++ > 0) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole("button", { name: "Change 2 customers" }).click();
  await expect(page.getByText("2 customers are changed.")).toBeVisible();
  expect((await stored()).map(({ accountID, version }) => [accountID, version])).toEqual([
    ["B-4", 2],
    ["B-4", 2],
  ]);
});

test("all matching rows can be selected without reading them, and are deleted in parts, without one that was taken out", async ({
  page,
}) => {
  test.setTimeout(150_000);
  const { api, records, stored } = await enter("Allmatching", many(2_100));
  await signIn(page, "/customers?q=allmatching&sort=lastName");
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  const read: string[] = [];
  page.on("request", (request) => request.url().includes("limit=1000") && read.push(request.url()));
  await page.getByRole("button", { name: "Select all that match" }).click();
  await expect(page.getByText("2,100 selected, 2,050 not on this page")).toBeVisible();
  await box(page, "Allmatching N0010").uncheck();
  await expect(page.getByText("2,099 selected, 2,050 not on this page")).toBeVisible();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(box(page, "Allmatching N0060")).toBeChecked();
  await expect(page.getByText("2,099 selected, 2,049 not on this page")).toBeVisible();
  await api.call("PATCH", `/customers/${records.at(-1)?.objectId}`, { lastName: "N0002" }); // it moves to a page that was shown already
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 2,099 customers" }).click();
  await expect(page.getByText("2,099 customers are deleted.")).toBeVisible({ timeout: 60_000 });
  expect(read).toEqual([]);
  expect((await stored()).map(({ lastName }) => lastName)).toEqual(["N0010"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2,099 customers are restored.")).toBeVisible({ timeout: 60_000 });
});

test("an exported list has the columns and order of the page, is safe for spreadsheets, and can be uploaded again", async ({ page }) => {
  await enter("Exported", ["Zulu", "=1+1", "Alpha, B"]);
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
  await signIn(page, "/customers?q=exported&sort=-lastName&columns=lastName,accountID");
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as CSV" }).click()]);
  await expect(page.getByText("3 rows saved in customers.csv.")).toBeVisible();
  expect(download.suggestedFilename()).toBe("customers.csv");
  const text = await readFile((await download.path()) ?? "", "utf8");
  const [heading, ...rows] = text.replace("\uFEFF", "").trimEnd().split("\r\n");
  expect(heading).toBe("objectId,lastName,accountID");
  expect(rows.map((row) => row.replace(/^[0-9]+,/, ""))).toEqual(["Zulu,B-1", '"Alpha, B",B-1', "'=1+1,B-1"]);

  const plain = text.replace(/.*'=1\+1.*\r\n/, "");
  await page.getByRole("link", { name: "Upload a file" }).click();
  await page.getByLabel("CSV file").setInputFiles({ name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(plain) });
  await page.getByRole("radio", { name: /Add new ones and update/ }).check();
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Unchanged")).toBe(2);
});

test("an export is written to the disk while it arrives, and one that breaks off is reported", async ({ page }) => {
  await enter("Streamed", many(30));
  // A test cannot answer the file picker; this gives a real file of the browser instead.
  await page.addInitScript(() => {
    const picked = async () => (await navigator.storage.getDirectory()).getFileHandle("picked.csv", { create: true });
    Object.assign(window, { showSaveFilePicker: picked });
  });
  await signIn(page, "/customers?q=streamed");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Save as CSV" }).click();
  await expect(page.getByText("30 rows saved in customers.csv.")).toBeVisible();
  const lines = await page.evaluate(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle("picked.csv");
    return (await (await handle.getFile()).text()).trimEnd().split("\n").length;
  });
  expect(lines).toBe(31);
  await page.route(/fields=/, (route) => route.abort());
  await page.getByRole("button", { name: "Save as CSV" }).click();
  await expect(page.getByRole("alert")).toContainText("The file is incomplete.");
});
