// Several people at one browser: the next one sees and opens nothing of the one before.

import { expect, type Page } from "@playwright/test";
import { browserStores, type Kept } from "./support/browser-stores.ts";
import { waitForDraft } from "./support/drafts.ts";
import { signOut } from "./support/menu.ts";
import { invite, MOVABLE_CLOCK, type OwnService, startService } from "./support/own-service.ts";
import { openApi } from "./support/service.ts";
import { test } from "./support/test.ts";

const PASSWORD = "seven green kettles sing";

/** Says what is everybody's: how the app looks in this browser, and what tells its tabs apart. No entry has anything of a person. */
const SHARED: Record<string, RegExp> = {
  "intake.settings":
    /^\{"language":"[a-z]+","theme":"[a-z]+","density":"[a-z]+","singleKeys":(true|false),"locale":"[\w-]*","sidebar":"[a-z]+","closedGroups":\[\]\}$/,
  "intake.organisation /": /^\{"name":null,"accent":null,"signInNote":null,"supportUrl":null,"shades":null,"logo":null\}$/,
  "intake.typeface": /^1$/,
  "intake.scroll": /^\{("[\w-]+":\{("[^"]+":\[[\d.]+,[\d.]+\],?)*\},?)*\}$/, // how far pages were scrolled, by random names
  "intake.signed-out": /^\d+$/,
  "intake.cookie": /^[01]$/,
  "intake.active": /^\d+$/,
  "intake.browser": /^[0-9a-f]{32}$/, // a random name, by which a person's first sign-in from here is known
};

let service: OwnService;
let origin: string;
test.beforeAll(async () => {
  // One step of its clock is 16 minutes.
  service = await startService(async () => ({ ...MOVABLE_CLOCK, SESSION_IDLE_MINUTES: "15" }));
  origin = `http://127.0.0.1:${service.port}`;
  await (await openApi(service.port)).call("POST", "/customers", { lastName: "Everybody's", accountID: "E" });
});
test.afterAll(() => service.remove());

interface Person {
  id: string;
  email: string;
}

let last = 0;
async function join(page: Page, name: string, role = "editor"): Promise<Person> {
  const email = `${name.toLowerCase()}${++last}@example.org`;
  const { id, link } = await invite(service.port, email, role, name);
  await page.goto(link);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page.getByRole("link", { name: "Uploads" })).toBeVisible();
  return { id, email };
}

async function enter(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function signInAs(page: Page, person: Person, path = "/"): Promise<void> {
  await page.goto(origin + path);
  await enter(page, person);
  await expect(page.getByRole("link", { name: "Uploads" })).toBeVisible();
}

/** The session ends because nobody uses it, and the page is left as it is. */
async function endSession(page: Page): Promise<void> {
  service.setAhead();
  await page.goto(`${origin}/settings`);
  await expect(page.getByLabel("E-mail")).toBeVisible();
}

const file = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
const UNFINISHED = "Somebody else has an unfinished upload in this browser.";

/** A person uses everything that keeps something: a list's columns and search, a form, the palette, and two files of which one is corrected. */
async function work(page: Page): Promise<void> {
  await page.goto(`${origin}/customers?q=annas`);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Account ID" }).uncheck();
  await page.keyboard.press("Escape");
  await page.goto(`${origin}/customers/new`);
  await page.getByRole("textbox", { name: "Last name" }).fill("Annas draft");
  await waitForDraft(page, "Annas draft");
  await page.goto(`${origin}/customers/upload`);
  const annas = file("annas-first.csv", "objectId,lastName,accountID\n9890001,Annas row,A\n9890002,,B\n9890003,Annas third,\n");
  await page
    .getByLabel("CSV file")
    .setInputFiles([annas, file("annas-second.csv", "objectId,lastName,accountID\n9890011,Annas other,A\n")]);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("row", { name: /^2 / }).getByRole("gridcell", { name: "missing" }).click();
  await page.keyboard.type("Annas correction");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your corrections are kept on this computer.")).toBeVisible();
  await expect.poll(async () => (await browserStores(page)).filter(({ place }) => place === "intake-queues/files").length).toBe(2);
}

/** Returns what is neither for everybody nor known to be this person's. */
function strays(kept: readonly Kept[], { id }: Person): Kept[] {
  const person = `${origin}/v1 ${id}`;
  const uploads = kept.filter(({ place, value }) => place === "intake/uploads" && JSON.parse(value).person === person);
  const isOwnUpload = (key: string) => uploads.some((one) => key.includes(JSON.parse(one.key)));
  return kept.filter(({ store, place, key, value }) => {
    if (store === "localStorage" && key === "intake.drafts")
      return !JSON.parse(value).every((one: { key: string }) => one.key.startsWith(person));
    if (key.includes(person)) return false;
    if (place === "intake/uploads" || place.startsWith("intake/") || store === "files") return !isOwnUpload(key);
    const shared = SHARED[key.replace(` ${origin}/v1`, "")];
    return !shared?.test(value);
  });
}

const accept = (page: Page) => page.on("dialog", (dialog) => dialog.accept());

test("nothing that a browser keeps of one person is shown to the next, and all of it is there again for the first", async ({ page }) => {
  accept(page);
  const anna = await join(page, "Anna");
  await work(page);
  await endSession(page);

  const kept = await browserStores(page);
  expect(strays(kept, anna)).toEqual([]);
  const places = new Set(kept.map(({ store, place, key }) => place || `${store} ${key.split(" ")[0]}`));
  expect([...places]).toEqual(
    expect.arrayContaining([
      "intake/uploads",
      "intake-columns/mappings",
      "intake-queues/queues",
      "intake-queues/files",
      "intake-drafts/drafts",
    ]),
  );
  expect([...places]).toEqual(expect.arrayContaining(["uploads/", "localStorage intake.views"]));
  const annasUpload = JSON.parse(kept.find(({ place }) => place === "intake/uploads")?.key ?? '""');

  const ben = await join(page, "Ben");
  for (const path of [
    "/",
    "/customers",
    "/customers/new",
    "/customers/upload",
    "/uploads",
    `/uploads/${annasUpload}`,
    "/settings/browser",
  ]) {
    await page.goto(origin + path);
    await expect(page.getByRole("link", { name: "Uploads" })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    if (path === "/uploads") await expect(page.getByText(UNFINISHED)).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Find or go to" })).toBeFocused();
    expect(await page.locator("body").innerText()).not.toMatch(/annas/i);
    await page.keyboard.press("Escape");
  }
  await expect(page.getByRole("table", { name: "Data on this computer" }).getByRole("row", { name: /^Drafts/ })).toContainText("0");
  await page.goto(`${origin}/`);
  await page.getByRole("list", { name: "Collections" }).getByRole("link", { name: "Customers" }).click();
  await expect(page.getByRole("columnheader", { name: "Account ID" })).toBeVisible(); // Anna has hidden it for herself
  await signOut(page);
  await expect(page.getByLabel("E-mail")).toBeVisible();
  expect((await browserStores(page)).filter(({ key, value }) => (key + value).includes(ben.id))).toEqual([]);

  await signInAs(page, anna, "/customers/upload");
  await expect(page.getByText("annas-second.csv")).toBeVisible();
  await page.getByRole("region", { name: "annas-first.csv, unfinished" }).getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await page.goto(`${origin}/customers/new`);
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Annas draft");
  await page.goto(`${origin}/`);
  await page.getByRole("list", { name: "Collections" }).getByRole("link", { name: "Customers" }).click();
  await expect(page.getByRole("columnheader", { name: "Last name" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Account ID" })).toHaveCount(0);
});

test("a sign-out whose code does not come says so, and deletes nobody else's drafts and uploads", async ({ page }) => {
  accept(page);
  const anna = await join(page, "Anna");
  await work(page);
  await endSession(page);
  const ofAnna = async () => (await browserStores(page)).filter(({ key, value }) => `${key} ${value}`.includes(anna.id));
  const before = await ofAnna();
  await page.route(/\/assets\/upload-history-.*\.js$/, (route) => route.abort());
  const ben = await join(page, "Ben");
  await page.goto(`${origin}/customers/new`);
  await page.getByRole("textbox", { name: "Last name" }).fill("Bens draft");
  await waitForDraft(page, "Bens draft");
  await signOut(page);
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("Some data is still on this computer.")).toBeVisible();
  expect(await ofAnna()).toEqual(before);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Some data is still on this computer.")).toBeHidden();
  await expect(page.getByLabel("E-mail")).toBeVisible();
  expect(await ofAnna()).toEqual(before);
  expect((await browserStores(page)).filter(({ key, value }) => (key + value).includes(ben.id))).toEqual([]);
});

test("the next person may remove what was left, and is asked before", async ({ page }) => {
  accept(page);
  const anna = await join(page, "Anna");
  await work(page);
  await endSession(page);
  await join(page, "Ben");
  await page.goto(`${origin}/uploads`);
  await page.getByRole("button", { name: "Remove it" }).click();
  const question = page.getByRole("dialog", { name: "Remove what others have not finished here?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove it" }).click();
  await question.getByRole("button", { name: "Remove it" }).click();
  await expect(page.getByText(UNFINISHED)).toHaveCount(0);
  expect((await browserStores(page)).filter(({ key, value }) => `${key} ${value}`.includes(anna.id) || /annas/i.test(value))).toEqual([]);
});

test("another person who signs in over a page starts over: page and other tabs are hidden from the moment the session ends", async ({
  page,
  context,
  newBrowser,
}) => {
  accept(page);
  const anna = await join(page, "Anna");
  const ben = await join(await newBrowser(), "Ben");
  const api = await openApi(service.port);
  const { json } = await api.call("POST", "/customers", { lastName: "Annas record", accountID: "A" });
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto(`${origin}/customers/${json.objectId}`);
    await expect(tab.getByRole("heading", { name: "Annas record" })).toBeVisible();
  }
  await page.getByRole("textbox", { name: "Last name" }).fill("Annas typed text");
  await waitForDraft(page, "Annas typed text");
  service.setAhead();
  for (const tab of [page, second]) {
    await expect(tab.getByRole("dialog", { name: "Sign in again to continue" })).toBeVisible({ timeout: 60_000 });
    await expect(tab.locator("main")).toBeHidden();
    expect(await tab.title()).not.toContain("Annas");
  }
  await enter(page, ben);
  await expect(page).toHaveURL(`${origin}/`);
  await expect(page.getByRole("heading", { name: /^Good (morning|afternoon|evening), / })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Find or go to" })).toBeFocused();
  expect(await page.locator("[role=listbox]").innerText()).not.toContain("Annas");
  await page.keyboard.press("Escape");
  await expect(second.locator("main")).toBeHidden();

  // Whoever signs out there signs out of every tab, and what Anna typed stays hers.
  await signOut(page);
  await expect(page.getByLabel("E-mail")).toBeVisible();
  await expect(second.getByRole("dialog")).toHaveCount(0);
  await expect(second.getByLabel("E-mail")).toBeVisible();
  await signInAs(page, anna, `/customers/${json.objectId}`);
  await waitForDraft(page, "Annas typed text");
});

test("a record that is open keeps nobody signed in, a person who does something does", async ({ page }) => {
  await page.clock.install();
  await join(page, "Ida");
  const { json } = await (await openApi(service.port)).call("POST", "/customers", { lastName: "Left open", accountID: "A" });
  await page.goto(`${origin}/customers/${json.objectId}`);
  await expect(page.getByRole("heading", { name: "Left open" })).toBeVisible();
  await page.mouse.move(10, 10);
  await page.clock.fastForward("14:00");
  await page.mouse.move(20, 20);
  await page.clock.fastForward("14:00");
  await expect(page.getByRole("heading", { name: "Left open" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const ended = page.waitForResponse(
    (response) => response.request().method() === "DELETE" && response.url().endsWith("/sessions/current"),
  );
  await page.clock.fastForward("01:01");
  await expect(page.getByRole("dialog", { name: "Sign in again to continue" })).toBeVisible();
  await expect(page.locator("main")).toBeHidden();
  expect((await ended).status()).toBe(204);
  await page.reload();
  await expect(page.getByLabel("E-mail")).toBeVisible();
});
