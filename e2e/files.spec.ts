// The file of a record: chosen, dropped, looked at, saved, replaced and removed, by keyboard and on a phone.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { devicesWith, field, signInAt } from "./support/devices.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, type Row } from "./support/service.ts";

const PACKAGE = devicesWith([
  field("photo", "Photo", "Foto", { format: "file", accept: ["image/*"], maxSize: 5_000_000 }),
  field("manual", "Manual", "Anleitung", { format: "file" }),
  field("note", "Note", "Notiz"),
]);

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(undefined, { dataPackage: PACKAGE });
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const api = () => openApi(service.port);
const read = async (id: number) => (await (await api()).call("GET", `/devices/${id}`)).json as Row;

async function make(values: Row): Promise<number> {
  const { json, status } = await (await api()).call("POST", "/devices", values);
  expect(status).toBe(201);
  return Number(json.id);
}

/** A real picture: of the page itself. */
const picture = (page: Page) => page.screenshot({ type: "jpeg" });
const photo = (page: Page) => page.locator('[data-field="photo"]');
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("a picture is chosen, shown, saved to the byte, replaced and removed, and what is typed meanwhile stays", async ({ page }, info) => {
  const id = await make({ name: "Pump" });
  await signInAt(page, at(`/devices/${id}`));
  await page.getByLabel("Note").fill("typed before");
  const buffer = await picture(page);
  await photo(page).locator("input[type=file]").setInputFiles({ name: "pump 1.jpg", mimeType: "image/jpeg", buffer });
  await expect(photo(page).getByRole("status")).toHaveText("pump 1.jpg is stored.");
  await expect(photo(page).getByRole("img", { name: "pump 1.jpg" })).toBeVisible();
  await expect(page.getByLabel("Note")).toHaveValue("typed before");
  expect((await read(id)).photo).toBe(`pump 1.jpg (image/jpeg, ${buffer.length} bytes, sha256 ${hashOf(buffer)})`);
  await page.screenshot({ path: info.outputPath("form.png") });
  await expectNoFaults(page);
  expect(await page.locator("img[src*='/v1/']").count()).toBe(0);

  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    photo(page).getByRole("button", { name: "Download pump 1.jpg" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("pump 1.jpg");
  expect(hashOf(readFileSync(await saved.path()))).toBe(hashOf(buffer));

  // What was typed is saved on top of the version with the file.
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(async () => (await read(id)).note).toBe("typed before");
  const other = await picture(page);
  await photo(page).locator("input[type=file]").setInputFiles({ name: "pump 2.jpg", mimeType: "image/jpeg", buffer: other });
  await expect(photo(page).getByRole("img", { name: "pump 2.jpg" })).toBeVisible();
  await photo(page).getByRole("button", { name: "Remove Photo" }).click();
  await expect(photo(page).getByRole("status")).toHaveText("The file is removed.");
  expect((await read(id)).photo).toBe(null);
});

test("what the field does not take is refused with a sentence, before and after it is sent", async ({ page }) => {
  const id = await make({ name: "Refused" });
  await signInAt(page, at(`/devices/${id}`));
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    photo(page).locator("input[type=file]").setInputFiles({ name, mimeType, buffer });
  await choose("a.pdf", "application/pdf", Buffer.from("%PDF-1.7"));
  await expect(photo(page).getByText("Photo takes other files: Pictures.")).toBeVisible();
  await choose("a.jpg", "image/jpeg", Buffer.alloc(5_000_001, 1));
  await expect(photo(page).getByText("The file is 5 MB. Photo takes at most 5 MB.")).toBeVisible();
  await choose("a.png", "image/png", Buffer.from("<svg onload='alert(1)'/>"));
  await expect(photo(page).getByText("Photo takes other files: Pictures.")).toBeVisible();
  expect((await read(id)).version).toBe(1);
});

test("by the keyboard alone a file is chosen and removed, and the focus stays", async ({ page }) => {
  const id = await make({ name: "Keyboard" });
  await signInAt(page, at(`/devices/${id}`));
  await page.getByLabel("Name", { exact: true }).focus();
  await page.keyboard.press("Tab");
  const input = photo(page).locator("input[type=file]");
  await expect(input).toBeFocused();
  const buffer = await picture(page);
  await expect(async () => {
    await expect(input).toBeFocused();
    // A browser opens its dialog for a press that it sees itself, not for one that waited for the page and was made again.
    const [chooser] = await Promise.all([page.waitForEvent("filechooser", { timeout: 2_000 }), page.keyboard.press("Enter")]);
    await chooser.setFiles({ name: "key.jpg", mimeType: "image/jpeg", buffer });
  }).toPass();
  await expect(photo(page).getByRole("status")).toHaveText("key.jpg is stored.");
  await expect(input).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(photo(page).getByRole("button", { name: "Remove Photo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(photo(page).getByRole("status")).toHaveText("The file is removed.");
  await expect(input).toBeFocused();
});

test("a file is dropped, stands by its name in list and preview, and its column in a table is passed over", async ({ page }, info) => {
  const id = await make({ name: "Dropped" });
  await signInAt(page, at(`/devices/${id}`));
  const manual = page.locator('[data-field="manual"]');
  await manual.locator("input[type=file]").waitFor({ state: "attached" });
  await manual.evaluate((element) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(["Turn it on."], "Anleitung Säge.txt", { type: "text/plain" }));
    element
      .querySelector("div > div:last-of-type")
      ?.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
  });
  await expect(manual.getByText("Anleitung Säge.txt is stored.")).toBeAttached();
  expect((await read(id)).manual).toContain("Anleitung Säge.txt (text/plain, 11 bytes,");

  await signInAt(page, at("/devices?q=dropped"));
  await expect(page.locator(`tr[data-id="${id}"]`)).toContainText("Anleitung Säge.txt");
  await expect(page.locator(`tr[data-id="${id}"]`)).not.toContainText("sha256");
  await page.screenshot({ path: info.outputPath("list.png") });

  const csv = "Name,Manual\r\nFrom a table,Anleitung Säge.txt\r\n";
  await signInAt(page, at("/devices/upload"));
  await page.getByLabel("CSV file").setInputFiles({ name: "devices.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(page.getByText("“Manual” holds files, and its column is passed over: add each file to its record.").first()).toBeVisible();
});

test.describe("in German, dark, on a phone", () => {
  test.use({ locale: "de-DE", colorScheme: "dark", viewport: { width: 390, height: 844 } });
  test("a photo is added", async ({ page }, info) => {
    const id = await make({ name: "Telefon" });
    await signInAt(page, at(`/devices/${id}`));
    const input = photo(page).locator("input[type=file]");
    await expect(input).toHaveAttribute("accept", "image/*"); // by which a phone offers its camera
    await input.setInputFiles({ name: "Foto mit einem recht langen Namen.jpg", mimeType: "image/jpeg", buffer: await picture(page) });
    await expect(photo(page).getByRole("img")).toBeVisible();
    await photo(page).scrollIntoViewIfNeeded();
    await page.screenshot({ path: info.outputPath("phone.png") });
    await expectNoFaults(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});

test("a file that a scanner looks at is said to be checked, not to be sent for ever", async ({ page }) => {
  const slow = `"${process.execPath}" -e "setTimeout(() => 0, 3000)"`;
  const scanned = await startService(async () => ({ FILES_SCAN: slow }), { dataPackage: PACKAGE });
  try {
    const { json } = await (await openApi(scanned.port)).call("POST", "/devices", { name: "Scanned" });
    await signInAt(page, `http://127.0.0.1:${scanned.port}/devices/${json.id}`);
    const manual = page.locator('[data-field="manual"]');
    await manual.locator("input[type=file]").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("text") });
    await expect(manual.getByText("Checking and storing a.txt…")).toBeVisible();
    await expect(manual.getByRole("status")).toHaveText("a.txt is stored.");
  } finally {
    await scanned.remove();
  }
});
