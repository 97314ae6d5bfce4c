// Several files are chosen together: the first is decided, those like it go on by themselves, and nothing is stored twice.

import { expect, type Page, type Request, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { hold, isBatch } from "./support/hold-requests.ts";
import { signOut } from "./support/menu.ts";
import { customersFile, expectEachOnce, ROWS, startService } from "./support/own-service.ts";
import { openApi, reported, signIn } from "./support/service.ts";

const HEADER = "Number,Surname,Account";

interface Chosen {
  name: string;
  text: string;
}

async function choose(page: Page, ...files: Chosen[]): Promise<void> {
  await page
    .getByLabel("CSV file")
    .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) })));
}

const row = (page: Page, name: string) =>
  page
    .getByRole("region", { name: "Chosen files" })
    .getByRole("listitem")
    .filter({ hasText: new RegExp(`^${name}`) });

function file(name: string, from: number, extra = ""): Chosen {
  const rows = Array.from({ length: 5 }, (_, i) => `${from + i},${name},A-${i}`);
  return { name: `${name}.csv`, text: `${[HEADER, ...rows].join("\n")}\n${extra}` };
}

async function matchColumns(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "Field for Number" }).selectOption("objectId");
  await page.getByRole("combobox", { name: "Field for Surname" }).selectOption("lastName");
  await page.getByRole("combobox", { name: "Field for Account" }).selectOption("accountID");
}

test("files like the first go on by themselves, and stop where something has to be decided", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(
    page,
    file("several-one", 8_640_001),
    file("several-two", 8_640_011),
    file("several-three", 8_640_021, "8640026,several-three,\n"),
    { name: "picture.csv", text: "\u0089PNG\u0000\u0001\u0002\u0003" },
    { name: "other.csv", text: "objectId,lastName,accountID\n8640031,Other,B\n" },
  );
  await expect(row(page, "several-one.csv")).toContainText("Open: columns");
  await expect(row(page, "picture.csv")).not.toContainText("Waits");
  await matchColumns(page);
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("5 rows are ready")).toBeVisible();
  await expect(row(page, "several-two.csv")).toContainText("columns and corrections as in several-one.csv");
  await expect(row(page, "other.csv")).toContainText("other columns than several-one.csv");
  await expectNoFaults(page);

  await page.getByRole("checkbox", { name: "Upload the next files automatically" }).check();
  await expect(row(page, "several-one.csv")).toContainText("5 of 5 rows stored");
  await expect(row(page, "several-two.csv")).toContainText("5 of 5 rows stored");
  await expect(row(page, "several-three.csv")).toContainText("Open: checked");
  await expect(page.getByText("5 rows are ready 1 has problems")).toBeVisible();
  await page.getByRole("button", { name: "Upload 5 rows" }).click();
  await expect(row(page, "several-three.csv")).toContainText("5 of 6 rows stored");

  await expect(row(page, "other.csv")).toContainText("Open: columns");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(row(page, "other.csv")).toContainText("1 of 1 row stored");
  await expect(page.getByText("4 of 5 files uploaded").first()).toBeVisible();
  const api = await openApi();
  expect(await api.all("customers", "several-")).toHaveLength(15);

  await row(page, "several-three.csv").getByRole("link").click();
  await expect(page.getByRole("heading", { name: "several-three.csv", exact: true })).toBeVisible();
  expect(await reported(page, "Not sent")).toBe(1);
});

test("without that, each file waits for a click, and one that is closed waits again", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, file("by-hand-one", 9_710_001), file("by-hand-two", 9_710_011));
  await page.getByRole("button", { name: "Choose another file" }).click();
  await expect(row(page, "by-hand-one.csv")).toContainText("Waits");
  await page.getByRole("button", { name: "Remove by-hand-one.csv" }).click();
  await page.getByRole("button", { name: "Open by-hand-two.csv" }).first().click();
  await matchColumns(page);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload 5 rows" }).click();
  await expect(row(page, "by-hand-two.csv")).toContainText("5 of 5 rows stored");
  expect(await (await openApi()).all("customers", "by-hand-one")).toHaveLength(0);
});

test("who signs out leaves no list of files", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, file("secret-one", 9_720_001), file("secret-two", 9_720_011));
  await expect(row(page, "secret-two.csv")).toContainText("Waits");
  await signOut(page);
  await expect(page.getByRole("button", { name: "Sign in" }).first()).toBeVisible();
  await expect(page.getByText("secret-two.csv")).toHaveCount(0);
  await signIn(page, "/customers/upload");
  await expect(page.getByText("secret-two.csv")).toHaveCount(0);
});

/** A batch's key is its upload's id and its first row. Its body cannot be read in Firefox. */
const uploadOf = (request: Request) => request.headers()["idempotency-key"]?.replace(/-[^-]*$/, "");

test("a service that is killed in the middle of the second file stores every row of each once", async ({ page }) => {
  test.slow(); // the service starts twice
  const service = await startService();
  try {
    await signIn(page, `http://127.0.0.1:${service.port}/customers/upload`);
    await page.getByLabel("CSV file").setInputFiles([customersFile("Firstfile"), customersFile("Nextfile")]);
    await page.getByRole("checkbox", { name: "Upload the next files automatically" }).check();
    const uploads = new Set<string | undefined>();
    const isOfNext = (request: Request) => uploads.add(uploadOf(request)).size > 1;
    const held = await hold(page, "**/v1/*?*", (request) => isBatch(request) && isOfNext(request), 2);
    await page.getByRole("button", { name: "Check" }).click();
    await expect(row(page, "Firstfile.csv")).toContainText("stored", { timeout: 60_000 });
    await expect.poll(() => held.count, { timeout: 60_000 }).toBeGreaterThan(0);
    await expect(row(page, "Nextfile.csv")).toContainText("Being uploaded");
    await service.kill();
    held.letGo(); // nobody answers now
    await service.start();
    await expect(row(page, "Nextfile.csv")).toContainText("stored", { timeout: 60_000 });
    await expectEachOnce(service, "Firstfile");
    await expectEachOnce(service, "Nextfile");
    expect(await reported(page, "Created")).toBe(ROWS);
  } finally {
    await service.remove();
  }
});

const KEPT = "Files that wait are kept on this computer until they are uploaded";

test("a reload keeps the files that wait, and what was decided for them", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, file("queued-one", 9_790_001), file("queued-two", 9_790_011), file("queued-three", 9_790_021));
  await matchColumns(page);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload 5 rows" }).click();
  await expect(row(page, "queued-one.csv")).toContainText("5 of 5 rows stored");
  await expect(page.getByText(KEPT)).toBeVisible();

  await page.reload();
  await signIn(page, "/customers/upload");
  await expect(row(page, "queued-one.csv")).toContainText("5 of 5 rows stored");
  await expect(row(page, "queued-two.csv")).toContainText("columns and corrections as in queued-one.csv");
  await expectNoFaults(page);
  await page.getByRole("checkbox", { name: "Upload the next files automatically" }).check();
  await page.getByRole("button", { name: "Open queued-two.csv" }).first().click();
  await expect(page.getByText("3 of 3 files uploaded").first()).toBeVisible();
  expect(await (await openApi()).all("customers", "queued-")).toHaveLength(15);

  await page.reload();
  await signIn(page, "/customers/upload");
  await expect(page.getByLabel("CSV file")).toBeVisible();
  await expect(page.getByRole("region", { name: "Files", exact: true })).toHaveCount(0);
});

test("the file that was open goes on with its corrections, in the place that it had", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, file("open-one", 9_791_001, "9791006,,Z\n"), file("open-two", 9_791_011));
  await matchColumns(page);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("gridcell", { name: "missing" }).click();
  await page.keyboard.type("open-one mended");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your corrections are kept on this computer.")).toBeVisible();
  await expect(page.getByText(KEPT)).toBeVisible();

  await page.reload();
  await signIn(page, "/customers/upload");
  await page.getByRole("button", { name: "Open open-one.csv" }).first().click();
  await expect(page.getByText("6 rows are ready")).toBeVisible();
  await expect(row(page, "open-one.csv")).toContainText("Open: checked");
  await page.getByRole("button", { name: "Upload 6 rows" }).click();
  await expect(row(page, "open-one.csv")).toContainText("6 of 6 rows stored");
  await expect(row(page, "open-two.csv")).toContainText("Waits");
});

test("a browser without room says which files must be chosen again, and takes them", async ({ page }) => {
  await page.addInitScript("StorageManager.prototype.estimate = async () => ({ quota: 0, usage: 0 })");
  page.on("dialog", (dialog) => dialog.accept());
  await signIn(page, "/customers/upload");
  const [one, two] = [file("again-one", 9_792_001), file("again-two", 9_792_011)];
  await choose(page, one, two);
  await expect(row(page, "again-two.csv")).toContainText("not kept on this computer");
  await expect(page.getByText("This browser keeps no copy of 1 file")).toBeVisible();

  await page.reload();
  await signIn(page, "/customers/upload");
  await expect(row(page, "again-two.csv")).toContainText("Must be chosen again");
  await expectNoFaults(page);
  await page
    .getByLabel("Choose again-two.csv again")
    .setInputFiles({ name: two.name, mimeType: "text/csv", buffer: Buffer.from(two.text) });
  await expect(row(page, "again-two.csv")).toContainText("Waits");
  await choose(page, one);
  await expect(row(page, "again-one.csv")).toContainText("Open: columns");
  await expect(page.getByRole("region", { name: "Chosen files" }).getByRole("listitem")).toHaveCount(2);
});

test("another tab has the files only once this one is closed", async ({ page, context }) => {
  await signIn(page, "/customers/upload");
  await choose(page, file("tab-one", 9_793_001), file("tab-two", 9_793_011));
  await expect(page.getByText(KEPT)).toBeVisible();
  const other = await context.newPage();
  await signIn(other, "/customers/upload");
  await expect(other.getByLabel("CSV file")).toBeVisible();
  await expect(other.getByText("tab-two.csv")).toHaveCount(0);
  await page.close();
  await expect(row(other, "tab-two.csv")).toContainText("Waits");
});
