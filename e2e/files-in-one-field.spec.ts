// Several files in one field: chosen and dropped together, each sent, cancelled, saved and removed by itself.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { devicesWith, field, signInAt } from "./support/devices.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, type Row } from "./support/service.ts";

const PACKAGE = devicesWith([
  field("photos", "Photos", "Fotos", {
    type: "list",
    format: "file",
    accept: ["image/*"],
    maxSize: 5_000_000,
    constraints: { maxLength: 4 },
  }),
  field("papers", "Papers", "Unterlagen", { type: "list", format: "file" }),
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
const namesOf = async (id: number, name = "photos") => ((await read(id))[name] as string[] | null)?.map((one) => one.split(" (")[0]) ?? [];

async function make(values: Row): Promise<number> {
  const { json, status } = await (await api()).call("POST", "/devices", values);
  expect(status).toBe(201);
  return Number(json.id);
}

/** A real picture of its own: of the page, with another byte behind its end for each name. */
async function picture(page: Page, name: string) {
  const buffer = Buffer.concat([await page.screenshot({ type: "jpeg" }), Buffer.from(name)]);
  return { name, mimeType: "image/jpeg", buffer };
}
const paper = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(`Paper ${name}`) });
const place = (page: Page, name = "photos") => page.locator(`[data-field="${name}"]`);
const input = (page: Page, name = "photos") => place(page, name).locator("input[type=file]");
const status = (page: Page, name = "photos") => place(page, name).getByRole("status");
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("pictures are chosen together, shown, saved to the byte and removed one by one, and what is typed stays", async ({ page }, info) => {
  const id = await make({ name: "Pump" });
  await signInAt(page, at(`/devices/${id}`));
  await page.getByLabel("Note").fill("typed before");
  const [front, back, side] = [await picture(page, "front.jpg"), await picture(page, "back.jpg"), await picture(page, "side.jpg")];
  await input(page).setInputFiles([front, back, side]);
  for (const { name } of [front, back, side]) await expect(place(page).getByRole("img", { name })).toBeVisible();
  await expect(place(page).getByText("3 of at most 4 files.")).toBeVisible();
  await expect.poll(() => namesOf(id)).toEqual(["front.jpg", "back.jpg", "side.jpg"]);
  await expect(page.getByLabel("Note")).toHaveValue("typed before");
  await place(page).scrollIntoViewIfNeeded();
  await page.screenshot({ path: info.outputPath("form.png"), fullPage: true });
  await expectNoFaults(page);

  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    place(page).getByRole("button", { name: "Download back.jpg", exact: true }).click(),
  ]);
  expect(hashOf(readFileSync(await saved.path()))).toBe(hashOf(back.buffer));
  await place(page).getByRole("button", { name: "Remove back.jpg", exact: true }).click();
  await expect(status(page)).toHaveText("back.jpg is removed.");
  await expect(input(page)).toBeFocused();
  expect(await namesOf(id)).toEqual(["front.jpg", "side.jpg"]);
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(async () => (await read(id)).note).toBe("typed before");
  expect(await namesOf(id)).toEqual(["front.jpg", "side.jpg"]);
});

test("what the field does not take, or has no room for, is refused with a sentence, and the rest is stored", async ({ page }) => {
  const id = await make({ name: "Refused" });
  await signInAt(page, at(`/devices/${id}`));
  const good = await picture(page, "good.jpg");
  await input(page).setInputFiles([good, { name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7") }]);
  await expect(place(page).getByRole("img", { name: "good.jpg" })).toBeVisible();
  await expect.poll(() => namesOf(id)).toEqual(["good.jpg"]);
  // By its content only the service knows: the file stays chosen, with the reason.
  await input(page).setInputFiles([{ name: "no.png", mimeType: "image/png", buffer: Buffer.from("<svg onload='alert(1)'/>") }]);
  await expect(place(page).getByRole("alert")).toHaveText("Photos takes other files: Pictures.");
  await place(page).getByRole("button", { name: "Leave out no.png", exact: true }).click();
  await expect(place(page).getByText("no.png", { exact: true })).toHaveCount(0);
  const more = [];
  for (const n of [2, 3, 4, 5]) more.push(await picture(page, `${n}.jpg`));
  await input(page).setInputFiles(more);
  await expect(place(page).getByText("4 of at most 4 files.")).toBeVisible();
  await expect.poll(() => namesOf(id)).toEqual(["good.jpg", "2.jpg", "3.jpg", "4.jpg"]);
  await input(page).setInputFiles(more.slice(3));
  await expect(status(page)).toHaveText("Photos takes at most 4 files.");
  expect(await namesOf(id)).toHaveLength(4);
});

test("files of a new record wait for Save, and one of them may be left out", async ({ page }) => {
  await signInAt(page, at("/devices/new"));
  await page.getByLabel("Name", { exact: true }).fill("New with papers");
  await input(page, "papers").setInputFiles([paper("a.txt"), paper("b.txt"), paper("c.txt")]);
  await input(page).setInputFiles([await picture(page, "new.jpg")]);
  await expect(place(page, "papers").getByText("Is stored with Save.", { exact: true })).toHaveCount(3);
  await place(page, "papers").getByRole("button", { name: "Leave out b.txt", exact: true }).click();
  await expect(input(page, "papers")).toBeFocused();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/\d+$/);
  const id = Number(page.url().split("/").at(-1));
  expect([await namesOf(id, "papers"), await namesOf(id)]).toEqual([["a.txt", "c.txt"], ["new.jpg"]]);
  await expect(place(page).getByRole("img", { name: "new.jpg" })).toBeVisible();
  await page.getByRole("link", { name: "Devices" }).first().click(); // nothing is asked: all is stored
  await expect(page.getByRole("table", { name: "Devices" })).toContainText("a.txt, c.txt");
});

test("what fails after a new record is stored stays chosen on its page, and Save sends it again", async ({ page }) => {
  await signInAt(page, at("/devices/new"));
  await page.getByLabel("Name", { exact: true }).fill("New and failed");
  await page.route(/\/papers\?name=b/, (route) => route.fulfill({ status: 503, json: { code: "UNAVAILABLE", detail: "Not now." } }));
  await input(page, "papers").setInputFiles([paper("a.txt"), paper("b.txt"), paper("c.txt")]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/\d+$/, { timeout: 30_000 });
  const id = Number(page.url().split("/").at(-1));
  await expect(place(page, "papers").getByRole("button", { name: "Try again b.txt", exact: true })).toBeVisible();
  expect(await namesOf(id, "papers")).toEqual(["a.txt", "c.txt"]);
  await page.unroute(/\/papers\?name=b/);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => namesOf(id, "papers")).toEqual(["a.txt", "c.txt", "b.txt"]);
  await expect(place(page, "papers").getByRole("button", { name: "Remove b.txt", exact: true })).toBeVisible();
});

test("what a colleague adds meanwhile stays, and so does what is typed", async ({ page }) => {
  const id = await make({ name: "Shared" });
  await signInAt(page, at(`/devices/${id}`));
  await page.getByLabel("Note").fill("mine");
  const theirs = await picture(page, "theirs.jpg");
  // Their version comes while ours is on its way, whatever the page has heard of.
  await page.route(/\/photos\?name=/, async (route) => {
    const headers = { authorization: `Bearer ${(await api()).token}` };
    if ((await namesOf(id)).length === 0)
      await fetch(at(`/v1/devices/${id}/photos?name=theirs.jpg`), { method: "POST", headers, body: theirs.buffer });
    await route.continue();
  });
  await input(page).setInputFiles([await picture(page, "mine.jpg")]);
  await expect.poll(() => namesOf(id)).toEqual(["theirs.jpg", "mine.jpg"]);
  for (const name of ["theirs.jpg", "mine.jpg"]) await expect(place(page).getByRole("img", { name })).toBeVisible();
  await expect(page.getByLabel("Note")).toHaveValue("mine");
});

test("one is cancelled while the others are sent, and the focus stays", async ({ page }) => {
  const id = await make({ name: "Cancelled" });
  await signInAt(page, at(`/devices/${id}`));
  let go = () => {};
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(/\/papers\?name=a/, async (route) => {
    await released;
    await route.continue().catch(() => undefined); // it was cancelled
  });
  await input(page, "papers").setInputFiles([paper("a.txt"), paper("b.txt"), paper("c.txt")]);
  await expect(place(page, "papers").getByRole("progressbar")).toHaveCount(1);
  await place(page, "papers").getByRole("button", { name: "Leave out b.txt", exact: true }).click();
  await place(page, "papers").getByRole("button", { name: "Cancel a.txt", exact: true }).click();
  await expect(input(page, "papers")).toBeFocused();
  go();
  await expect.poll(() => namesOf(id, "papers")).toEqual(["c.txt"]);
  await expect(place(page, "papers").getByText("1 of at most 100 files.")).toBeVisible();
});

test.describe("in German, dark, on a phone", () => {
  test.use({ locale: "de-DE", colorScheme: "dark", viewport: { width: 390, height: 844 } });
  test("photos are dropped together and stand in their place", async ({ page }, info) => {
    const id = await make({ name: "Telefon" });
    await signInAt(page, at(`/devices/${id}`));
    await expect(input(page)).toHaveAttribute("accept", "image/*");
    await input(page).setInputFiles([
      await picture(page, "Foto mit einem recht langen Namen von vorne.jpg"),
      await picture(page, "hinten.jpg"),
    ]);
    await expect(place(page).getByRole("img")).toHaveCount(2);
    await place(page, "papers")
      .locator("div > div")
      .last()
      .evaluate((element) => {
        const transfer = new DataTransfer();
        for (const name of ["Prüfbericht 2024.txt", "Rechnung.txt"]) transfer.items.add(new File([name], name, { type: "text/plain" }));
        element.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      });
    await expect.poll(() => namesOf(id, "papers")).toEqual(["Prüfbericht 2024.txt", "Rechnung.txt"]);
    await expect(place(page, "papers").getByRole("button", { name: "Entfernen Rechnung.txt", exact: true })).toBeVisible();
    await place(page).scrollIntoViewIfNeeded();
    await page.screenshot({ path: info.outputPath("phone.png"), fullPage: true });
    await expectNoFaults(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
