// Files of a new record: chosen with what is typed, stored after Save, and never lost in between.

import { createHash } from "node:crypto";
import { expect, type Page, type Route, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { devicesWith, field, signInAt } from "./support/devices.ts";
import { watchNetwork } from "./support/network-idle.ts";
import { invite, type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi } from "./support/service.ts";

const PARTS = {
  name: "parts",
  title: "Parts",
  singular: "part",
  noun: "part",
  label: ["name"],
  schema: {
    primaryKey: "id",
    fields: [
      field("id", "ID", "Nummer", { type: "integer" }),
      field("name", "Name", "Name"),
      field("deviceId", "Device", "Gerät", { type: "integer" }),
    ],
    foreignKeys: [{ fields: ["deviceId"], as: "device", reference: { resource: "devices", fields: ["id"] } }],
  },
};
const PACKAGE = devicesWith(
  [
    field("photo", "Photo", "Foto", { format: "file", accept: ["image/*"], maxSize: 5_000_000 }),
    field("manual", "Manual", "Anleitung", { format: "file" }),
    field("permit", "Permit", "Genehmigung", { format: "file", visibleIf: 'note == "danger"' }),
    field("note", "Note", "Notiz"),
  ],
  [PARTS],
);

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(undefined, { dataPackage: PACKAGE });
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const api = () => openApi(service.port);
const named = async (name: string) => (await (await api()).all("devices")).filter((one) => one.name === name);
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const picture = (page: Page) => page.screenshot({ type: "jpeg" });
const place = (page: Page, name: string) => page.locator(`[data-field="${name}"]`);
const input = (page: Page, name: string) => place(page, name).locator("input[type=file]");
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const TEXT = Buffer.from("Turn it on.");
const manual = (name = "manual.txt", buffer = TEXT) => ({ name, mimeType: "text/plain", buffer });
/** Only what sends content, and not what reads it. */
const CONTENT = /\/v1\/devices\/\d+\/(photo|manual|permit)\?/;
const putOnly = (answer: (route: Route) => Promise<void>) => (route: Route) =>
  route.request().method() === "PUT" ? answer(route) : route.continue();

const signIn = (page: Page, path: string) => signInAt(page, at(path));

async function newDevice(page: Page, name: string): Promise<void> {
  await signIn(page, "/devices/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
}

test("a photo and a document are chosen with what is typed, and stored to the byte after Save", async ({ page }, info) => {
  await newDevice(page, "Whole");
  const buffer = await picture(page);
  await input(page, "photo").setInputFiles({ name: "pump 1.jpg", mimeType: "image/jpeg", buffer });
  await expect(place(page, "photo").getByRole("status")).toHaveText("pump 1.jpg is chosen. It is stored with Save.");
  await expect(place(page, "photo").getByRole("img", { name: "pump 1.jpg" })).toBeVisible();
  const dropped = (names: string[]) =>
    place(page, "manual")
      .locator("div > div")
      .last()
      .evaluate((element, given) => {
        const transfer = new DataTransfer();
        for (const name of given) transfer.items.add(new File(["Turn it on."], name, { type: "text/plain" }));
        element.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }, names);
  await dropped(["a.txt", "b.txt"]);
  await expect(place(page, "manual").getByText("Manual takes one file.")).toBeVisible();
  await dropped(["Anleitung Säge.txt"]);
  await expect(place(page, "manual")).toContainText("Is stored with Save.");
  await page.getByLabel("Note").fill("typed after");
  await page.screenshot({ path: info.outputPath("chosen.png") });
  await expectNoFaults(page);
  expect(await named("Whole")).toEqual([]);
  await save(page);
  await expect(page).toHaveURL(/\/devices\/\d+$/);
  await expect(place(page, "photo").getByRole("img", { name: "pump 1.jpg" })).toBeVisible();
  expect(await named("Whole")).toMatchObject([
    {
      note: "typed after",
      photo: `pump 1.jpg (image/jpeg, ${buffer.length} bytes, sha256 ${hashOf(buffer)})`,
      manual: `Anleitung Säge.txt (text/plain, 11 bytes, sha256 ${hashOf(TEXT)})`,
    },
  ]);
  await page.getByRole("link", { name: "Devices" }).first().click(); // nothing is asked: all is stored
  await expect(page.getByRole("table", { name: "Devices" })).toBeVisible();
});

test("the next record and a copy begin without the file of the one before", async ({ page }) => {
  await newDevice(page, "First of two");
  await input(page, "manual").setInputFiles(manual("first.txt"));
  await page.keyboard.press("ControlOrMeta+Shift+Enter");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expect(page.getByText("first.txt")).toHaveCount(0);
  expect((await named("First of two"))[0]?.manual).toContain("first.txt");
  await page.getByLabel("Name", { exact: true }).fill("Second of two");
  await input(page, "manual").setInputFiles(manual("second.txt"));
  await page.getByRole("button", { name: "More ways to save" }).click();
  await page.getByRole("menuitem", { name: "Save and begin a copy" }).click();
  await expect(page.getByRole("heading", { name: "New device" })).toBeVisible();
  await expect.poll(async () => (await named("Second of two"))[0]?.manual).toContain("second.txt");
  await expect(page.getByText("second.txt")).toHaveCount(0);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Second of two");
  await save(page);
  await expect(page).toHaveURL(/\/devices\/\d+$/);
  expect((await named("Second of two")).map((one) => one.manual === null).sort()).toEqual([false, true]);
});

test("a file that fails leads to the stored record, still chosen, with the reason and a button; there is one record", async ({
  page,
}, info) => {
  await newDevice(page, "Fails once");
  await input(page, "photo").setInputFiles({ name: "pump.jpg", mimeType: "image/jpeg", buffer: await picture(page) });
  await input(page, "manual").setInputFiles(manual());
  let isBroken = true;
  await page.route(
    CONTENT,
    putOnly((route) => (isBroken && route.request().url().includes("manual") ? route.abort("connectionfailed") : route.continue())),
  );
  await page.keyboard.press("ControlOrMeta+Shift+Enter"); // would go on to the next record
  await expect(page).toHaveURL(/\/devices\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Fails once");
  await expect(place(page, "photo").getByRole("button", { name: "Download pump.jpg" })).toBeVisible();
  await expect(place(page, "manual")).toContainText("Not stored yet.");
  await expect(place(page, "manual").getByRole("status")).toContainText("The service cannot be reached.");
  await expect(input(page, "manual")).toBeFocused();
  await page.screenshot({ path: info.outputPath("left.png") });
  await expectNoFaults(page);
  // It is not left behind unasked.
  await page.getByRole("link", { name: "Devices" }).first().click();
  await expect(page.getByRole("dialog", { name: "Leave without saving?" })).toContainText("A file that you chose is not stored yet.");
  await expect(page.getByRole("dialog", { name: "Leave without saving?" })).not.toContainText("What you typed");
  await page.getByRole("button", { name: "Stay" }).click();
  isBroken = false;
  await place(page, "manual").getByRole("button", { name: "Try again manual.txt" }).click();
  await expect(place(page, "manual").getByRole("status")).toHaveText("manual.txt is stored.");
  expect(await named("Fails once")).toMatchObject([{ manual: `manual.txt (text/plain, 11 bytes, sha256 ${hashOf(TEXT)})` }]);
});

test("Save sends again what is still chosen, also with what is typed meanwhile", async ({ page }) => {
  await newDevice(page, "Again by Save");
  await input(page, "manual").setInputFiles(manual());
  let isBroken = true;
  await page.route(
    CONTENT,
    putOnly((route) => (isBroken ? route.abort("connectionfailed") : route.continue())),
  );
  await save(page);
  await expect(place(page, "manual")).toContainText("Not stored yet.");
  await save(page);
  await expect(place(page, "manual")).toContainText("Not stored yet.");
  isBroken = false;
  await page.getByLabel("Note").fill("and this");
  await save(page);
  await expect(place(page, "manual").getByRole("status")).toHaveText("manual.txt is stored.");
  expect(await named("Again by Save")).toMatchObject([{ note: "and this", manual: expect.stringContaining("manual.txt") }]);
});

test("no answer to the record or to its file: one record, one file, and nothing is sent in vain", async ({ page }) => {
  await newDevice(page, "No answer");
  await input(page, "manual").setInputFiles(manual());
  const lost = { record: 0, file: 0 };
  await page.route(/\/v1\/devices(\?|$)/, async (route) => {
    if (route.request().method() !== "POST" || lost.record++ > 0) return route.continue();
    await route.fetch();
    return route.abort("connectionfailed");
  });
  await page.route(
    CONTENT,
    putOnly(async (route) => {
      lost.file += 1;
      await route.fetch();
      await route.abort("connectionfailed");
    }),
  );
  await save(page);
  await expect(page).toHaveURL(/\/devices\/\d+$/, { timeout: 30_000 });
  await expect(place(page, "manual").getByRole("button", { name: "Download manual.txt" })).toBeVisible();
  await expect(place(page, "manual")).not.toContainText("Not stored yet.");
  expect(lost.file).toBe(1);
  expect(await named("No answer")).toMatchObject([{ version: 2, manual: expect.stringContaining("manual.txt") }]);
});

test("leaving asks, Stay keeps the file, and Leave out forgets it", async ({ page }) => {
  await signIn(page, "/devices/new");
  await input(page, "manual").setInputFiles(manual());
  await page.getByRole("link", { name: "Devices" }).first().click();
  await expect(page.getByRole("dialog", { name: "Leave without saving?" })).toContainText(
    "A file that you chose is not stored yet. It will have to be chosen again.",
  );
  await page.getByRole("button", { name: "Stay" }).click();
  await expect(place(page, "manual")).toContainText("manual.txt");
  await place(page, "manual").getByRole("button", { name: "Leave out manual.txt" }).click();
  await expect(place(page, "manual").getByRole("status")).toHaveText("manual.txt is not stored.");
  await expect(input(page, "manual")).toBeFocused();
  await page.getByRole("link", { name: "Devices" }).first().click();
  await expect(page.getByRole("table", { name: "Devices" })).toBeVisible();
});

test("a file whose content is another is refused after Save, and one of no bytes or with a path before or as it is", async ({ page }) => {
  await newDevice(page, "Liar");
  await input(page, "manual").setInputFiles(manual("empty.txt", Buffer.alloc(0)));
  await expect(place(page, "manual").getByText("The file is empty.")).toBeVisible();
  await input(page, "photo").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("<svg onload='alert(1)'/>") });
  await input(page, "manual").setInputFiles(manual(`${"long ".repeat(45)}end.txt`));
  await save(page);
  await expect(page).toHaveURL(/\/devices\/\d+$/);
  await expect(place(page, "photo").getByRole("status")).toHaveText("Photo takes other files: Pictures.");
  await expect(place(page, "photo").getByRole("button", { name: /Try again/ })).toHaveCount(0); // it would be refused again
  const [record] = await named("Liar");
  expect(record).toMatchObject({ photo: null, manual: expect.stringMatching(/^long .*\.txt \(text\/plain, 11 bytes/) });
  expect(String(record?.manual).split(" (text/plain")[0]?.length).toBeLessThanOrEqual(150);
  await place(page, "photo").getByRole("button", { name: "Leave out a.png" }).click();
  await input(page, "photo").setInputFiles({ name: "b.jpg", mimeType: "image/jpeg", buffer: await picture(page) });
  await expect(place(page, "photo").getByRole("status")).toHaveText("b.jpg is stored.");
});

test("a file for what nobody is asked for any more is not sent, and is there again when it is asked for", async ({ page }) => {
  await newDevice(page, "Conditional");
  await page.getByLabel("Note").fill("danger");
  await input(page, "permit").setInputFiles(manual("permit.txt"));
  await page.getByLabel("Note").fill("safe");
  await expect(place(page, "permit")).toHaveCount(0);
  await page.getByLabel("Note").fill("danger");
  await expect(place(page, "permit")).toContainText("permit.txt");
  await page.getByLabel("Note").fill("safe");
  await expect(place(page, "permit")).toHaveCount(0);
  await save(page);
  await expect(page).toHaveURL(/\/devices\/\d+$/);
  expect(await named("Conditional")).toMatchObject([{ note: "safe", permit: null }]);
});

test("how much has left is said in percent while a file is sent, and Cancel ends it", async ({ page, context }, info) => {
  const { json } = await (await api()).call("POST", "/devices", { name: "Slow line" });
  await signIn(page, `/devices/${json.id}`);
  const line = await context.newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 300_000 });
  const buffer = Buffer.alloc(3_000_000, "0123456789");
  await input(page, "manual").setInputFiles(manual("large.txt", buffer));
  const bar = place(page, "manual").getByRole("progressbar");
  await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(0);
  await expect(place(page, "manual")).toContainText(/Sending large\.txt… \d+ %/);
  await expect(place(page, "manual").getByRole("status")).toHaveText(/^large\.txt: (25|50|75) % sent\.$/);
  await page.screenshot({ path: info.outputPath("sending.png") });
  expect(Number(await bar.getAttribute("value"))).toBeLessThan(100);
  await page.getByRole("link", { name: "Devices" }).first().click(); // it is not left in the middle unasked
  await page.getByRole("button", { name: "Stay" }).click();
  await place(page, "manual").getByRole("button", { name: "Cancel large.txt" }).click();
  await expect(place(page, "manual").getByRole("status")).toHaveText("large.txt is not stored.");
  await expect(bar).toHaveCount(0);
  await line.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  expect((await (await api()).call("GET", `/devices/${json.id}`)).json).toMatchObject({ version: 1, manual: null });
  await input(page, "manual").setInputFiles(manual("large.txt", buffer));
  await expect(place(page, "manual").getByRole("status")).toHaveText("large.txt is stored.");
  expect((await (await api()).call("GET", `/devices/${json.id}`)).json.manual).toContain(hashOf(buffer));
});

test("a session that ends while a file is sent is renewed, and the file is sent again", async ({ page }) => {
  await newDevice(page, "Expired");
  await input(page, "manual").setInputFiles(manual());
  let refused = 0;
  const problem = { type: "about:blank", title: "Unauthorized", status: 401, code: "UNAUTHENTICATED", detail: "The token has expired." };
  await page.route(
    CONTENT,
    putOnly((route) =>
      refused++ === 0
        ? route.fulfill({ status: 401, contentType: "application/problem+json", body: JSON.stringify(problem) })
        : route.continue(),
    ),
  );
  await save(page);
  const again = page.getByRole("dialog", { name: "Sign in again to continue" });
  await again.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await again.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/\d+$/);
  await expect(place(page, "manual").getByRole("button", { name: "Download manual.txt" })).toBeVisible();
  expect(refused).toBe(2);
});

test("a service that is killed while a file is sent has the record without it, and takes it afterwards", async ({ page }) => {
  await newDevice(page, "Killed");
  const waitForIdle = watchNetwork(page);
  await Promise.all([page.waitForResponse(/\/assets\/record-page-/), input(page, "manual").setInputFiles(manual())]);
  await waitForIdle(); // the page of the record is fetched once a file is chosen
  await page.route(
    CONTENT,
    putOnly(async (route) => {
      await service.kill();
      await route.continue();
    }),
  );
  await save(page);
  await expect(page).toHaveURL(/\/devices\/\d+$/);
  await expect(place(page, "manual")).toContainText("Not stored yet.");
  await page.unroute(CONTENT);
  await service.start();
  await expect.poll(async () => (await named("Killed")).map((one) => one.manual)).toEqual([null]);
  await place(page, "manual").getByRole("button", { name: "Try again manual.txt" }).click();
  await expect(place(page, "manual").getByRole("status")).toHaveText("manual.txt is stored.");
  expect(await named("Killed")).toHaveLength(1);
});

test("two tabs: the one that comes second is told of the other's file, and goes on from there", async ({ page }) => {
  const { json } = await (await api()).call("POST", "/devices", { name: "Two tabs" });
  let sent = 0;
  await signIn(page, `/devices/${json.id}`);
  await page.route(
    CONTENT,
    putOnly(async (route) => {
      if (++sent === 1) await (await api()).call("PATCH", `/devices/${json.id}`, { note: "by the other" });
      await route.continue();
    }),
  );
  await input(page, "manual").setInputFiles(manual("mine.txt"));
  await expect(place(page, "manual")).toContainText("Not stored yet.");
  await expect(page.getByLabel("Note")).toHaveValue("by the other");
  await place(page, "manual").getByRole("button", { name: "Try again mine.txt" }).click();
  await expect(place(page, "manual").getByRole("status")).toHaveText("mine.txt is stored.");
  expect((await named("Two tabs"))[0]).toMatchObject({ note: "by the other", manual: expect.stringContaining("mine.txt"), version: 3 });
});

test("a record that is made over another form brings its file along, and stays in its dialog while that fails", async ({ page }) => {
  await signIn(page, "/parts/new");
  const device = page.getByRole("combobox", { name: "Device" });
  await device.fill("In a dialog");
  await page.getByRole("option", { name: /New device|Create/ }).click();
  const dialog = page.getByRole("dialog");
  const own = dialog.locator('[data-field="manual"]');
  await own.locator("input[type=file]").setInputFiles(manual());
  let isBroken = true;
  await page.route(
    CONTENT,
    putOnly((route) => (isBroken ? route.abort("connectionfailed") : route.continue())),
  );
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(own).toContainText("Not stored yet.");
  isBroken = false;
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(device).toHaveValue(/In a dialog/);
  expect(await named("In a dialog")).toMatchObject([{ manual: expect.stringContaining("manual.txt") }]);
});

test.describe("in German, dark, on a phone", () => {
  test.use({ locale: "de-DE", colorScheme: "dark", viewport: { width: 390, height: 844 } });
  test("a photo is taken along with a new record", async ({ page }, info) => {
    await signIn(page, "/devices/new");
    await page.getByLabel("Name", { exact: true }).fill("Telefon");
    await expect(input(page, "photo")).toHaveAttribute("accept", "image/*"); // by which a phone offers its camera
    const name = "Foto mit einem recht langen Namen, wie ihn Telefone vergeben 20261130.jpg";
    await input(page, "photo").setInputFiles({ name, mimeType: "image/jpeg", buffer: await picture(page) });
    await expect(place(page, "photo").getByRole("img")).toBeVisible();
    await expect(place(page, "photo")).toContainText("Wird mit „Speichern“ gespeichert.");
    await place(page, "photo").scrollIntoViewIfNeeded();
    await page.screenshot({ path: info.outputPath("phone.png") });
    await expectNoFaults(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.route(
      CONTENT,
      putOnly((route) => route.abort("connectionfailed")),
    );
    await page.getByRole("button", { name: "Speichern", exact: true }).click();
    await expect(page).toHaveURL(/\/devices\/\d+$/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Telefon"); // until then it is the form of before
    await expect(place(page, "photo")).toContainText("Noch nicht gespeichert.");
    await place(page, "photo").scrollIntoViewIfNeeded();
    await page.screenshot({ path: info.outputPath("phone-left.png") });
    await expectNoFaults(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.unroute(CONTENT);
    await place(page, "photo")
      .getByRole("button", { name: /Erneut|Noch einmal/ })
      .click();
    await expect(place(page, "photo").getByRole("button", { name: /Herunterladen|herunterladen/ })).toBeVisible();
    expect((await named("Telefon"))[0]?.photo as string).toContain(name);
  });
});

// The last: once there are people, the page of signing in asks for an e-mail address first.
test.describe("with fewer rights", () => {
  async function enter(page: Page, name: string, scope: string, conditions: object = {}): Promise<string> {
    const made = await (await api()).call("POST", "/roles", { name, scope, conditions });
    expect(made.status).toBe(201);
    const { link } = await invite(service.port, `${name.toLowerCase()}@example.org`, String(made.json.id), name);
    await page.goto(link);
    await page.getByLabel("New password").fill("seven green kettles sing");
    await page.getByRole("button", { name: "Set the password and sign in" }).click();
    await expect(page.getByRole("navigation").first()).toBeVisible();
    await page.goto(at("/devices/new"));
    await page.getByLabel("Name", { exact: true }).fill(name);
    return String(made.json.id);
  }

  test("who may not change a record is told that no file can be added to a new one", async ({ page }) => {
    await enter(page, "Maker", "devices:read devices:create");
    await expect(place(page, "photo")).toContainText("Your rights do not let you add a file");
    await expect(input(page, "photo")).toHaveCount(0);
    await save(page);
    await expect(page).toHaveURL(/\/devices\/\d+$/);
    expect(await named("Maker")).toHaveLength(1);
  });

  test("a field that is only to be seen takes none, and one that is hidden is not there", async ({ page }) => {
    await enter(page, "Seer", "devices:read devices:create devices:update", {
      devices: { fields: { readOnly: ["photo"], hidden: ["manual"] } },
    });
    await expect(place(page, "photo")).toContainText("Only to be seen with your rights.");
    await expect(input(page, "photo")).toHaveCount(0);
    await expect(place(page, "manual")).toHaveCount(0);
  });

  test("rights that are narrowed between choosing and saving leave the record, the file and the reason", async ({ page }) => {
    const role = await enter(page, "Narrowed", "devices:read devices:create devices:update");
    await input(page, "manual").setInputFiles(manual());
    const conditions = { devices: { fields: { readOnly: ["manual"] } } };
    await page.route(
      CONTENT,
      putOnly(async (route) => {
        const changed = await (await api()).call("PATCH", `/roles/${role}`, { conditions });
        expect(changed.status).toBe(200);
        await route.continue();
      }),
    );
    await save(page);
    await expect(page).toHaveURL(/\/devices\/\d+$/);
    await expect(place(page, "manual").getByRole("status")).not.toHaveText("");
    await expect(place(page, "manual")).toContainText("manual.txt");
    expect(await named("Narrowed")).toMatchObject([{ manual: null, version: 1 }]);
  });
});
