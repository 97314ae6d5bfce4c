// A steward adds, renames, retires and brings back fields in the app, and sees what that does before it is done.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

let service: OwnService;
const address = (path = "/customers/dictionary") => `http://127.0.0.1:${service.port}${path}`;

test.beforeAll(async () => {
  service = await startService();
  const api = await openApi(service.port);
  const records = [1, 2, 3].map((objectId) => ({ objectId, lastName: `Long name ${objectId}`, accountID: "A" }));
  expect((await api.call("POST", "/customers", records)).status).toBe(201);
});
test.afterAll(() => service.remove());
test.describe.configure({ mode: "serial" });

/** Presses what has this role and name, and counts. */
function presser(page: Page) {
  let presses = 0;
  return {
    press: async (role: "button" | "link", name: string | RegExp) => {
      presses++;
      await page.getByRole("main").getByRole(role, { name }).first().click();
    },
    count: () => presses,
  };
}

async function fieldsNow(): Promise<string[]> {
  const { json } = await (await openApi(service.port)).call("GET", "/dictionary");
  const [customers] = json.resources as { schema: { fields: { name: string }[] } }[];
  return customers?.schema.fields.map(({ name }) => name) ?? [];
}

const changes = (page: Page) => page.getByRole("list", { name: /^(Changes|Änderungen)$/ });
const toast = (page: Page) => page.getByText(/^The dictionary has changed/);

test("a new field is there in five presses, and what is typed elsewhere stays", async ({ page, newBrowser }) => {
  const other = await newBrowser();
  await signIn(other, address("/customers/1"));
  await other.getByLabel("First name").fill("Typed before");
  await signIn(page, address());
  const { press, count } = presser(page);
  await press("button", "Edit");
  await press("button", "Add field");
  await page.keyboard.type("Phone number");
  await expect(page.getByLabel("Name in files and requests")).toHaveValue("phoneNumber");
  await page.getByLabel("Kind").selectOption("phone");
  await expect(page.getByRole("main").getByRole("figure").getByLabel("Phone number")).toBeVisible();
  await expectNoFaults(page);
  await press("link", "Review");
  await expect(changes(page)).toContainText("Customers › Phone number: new field");
  await expectNoFaults(page);
  await press("button", "Apply");
  await expect(toast(page)).toBeVisible();
  expect(count()).toBeLessThanOrEqual(5);
  await expect(page.getByRole("table", { name: "Fields" })).toContainText("phoneNumber");
  expect(await fieldsNow()).toContain("phoneNumber");
  await expect(async () => {
    await other.evaluate(() => window.dispatchEvent(new Event("visibilitychange"))); // as when the tab is seen again
    await expect(other.getByLabel("Phone number")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(other.getByLabel("First name")).toHaveValue("Typed before");
  await other.getByLabel("Phone number").fill("030 123456");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(async () => (await (await openApi(service.port)).call("GET", "/customers/1")).json)
    .toMatchObject({ firstName: "Typed before", phoneNumber: "030 123456" });
});

test("a rename takes four presses, and the old name goes on working", async ({ page }) => {
  await signIn(page, address());
  const { press, count } = presser(page);
  await press("button", "Edit");
  await press("button", "Account ID");
  await page.getByLabel("Title", { exact: true }).fill("Account");
  await page.getByLabel("Name in files and requests").fill("account");
  await press("link", "Review");
  await expect(changes(page)).toContainText("is named account instead of accountID");
  await press("button", "Apply");
  await expect(toast(page)).toBeVisible();
  expect(count()).toBeLessThanOrEqual(4);
  const api = await openApi(service.port);
  expect((await api.call("GET", "/customers?accountID=A")).json.customers).toHaveLength(3);
});

test("a field is retired, taken back by Undo, retired again and brought back", async ({ page }) => {
  await signIn(page, address());
  const { press } = presser(page);
  const apply = async () => {
    await press("link", "Review");
    await press("button", "Apply");
    await expect(toast(page)).toBeVisible();
  };
  await press("button", "Edit");
  await press("button", "Phone number");
  await press("button", "Retire");
  await apply();
  expect(await fieldsNow()).not.toContain("phoneNumber");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await expect(changes(page)).toContainText("Customers › Phone number: is brought back.");
  await press("button", "Apply");
  await expect.poll(fieldsNow).toContain("phoneNumber");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await press("button", "Phone number");
  await press("button", "Retire");
  await apply();
  await expect.poll(fieldsNow).not.toContain("phoneNumber");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await press("button", "Bring back Phone number");
  await apply();
  await expect.poll(fieldsNow).toContain("phoneNumber");
});

test("a stricter rule says how many records break it, and leads to them", async ({ page }) => {
  await signIn(page, address());
  const { press } = presser(page);
  await press("button", "Edit");
  await press("button", "Last name");
  await page.getByLabel("Most characters").fill("5");
  await press("link", "Review");
  await expect(page.getByText(/^3 records break it: they stay as they are/)).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "1", exact: true })).toHaveAttribute("href", /customers\/1$/);
  await press("link", "Fields");
  await page.getByRole("button", { name: "Discard this draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Customers: data dictionary" })).toBeVisible();
});

test("what the records forbid is said in red and cannot be applied", async ({ page }) => {
  await signIn(page, address());
  const { press } = presser(page);
  await press("button", "Edit");
  await press("button", "Account");
  await page.getByLabel(/^Unique/).check();
  await press("link", "Review");
  await expect(page.getByText(/What is marked in red cannot be applied/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Apply" })).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("button", { name: "Discard this draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard", exact: true }).click();
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toBeVisible();
});

test("by keyboard alone, on a phone, in German", async ({ newBrowser }) => {
  const page = await newBrowser({ viewport: { width: 390, height: 800 }, locale: "de-DE" });
  await page.goto(address());
  await page
    .getByRole("textbox", { name: "API-Schlüssel" })
    .fill(process.env.ADMIN_KEY ?? (await import("./support/service.ts")).ADMIN_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Bearbeiten" }).press("Enter");
  await page.getByRole("button", { name: "Vorname" }).press("Alt+ArrowDown");
  await expect(page.getByRole("table", { name: "Felder" }).getByRole("button").first()).toHaveText("Kundennummer");
  await expect(page.getByRole("button", { name: "Vorname" })).toBeFocused();
  await page.getByRole("button", { name: "Feld hinzufügen" }).press("Enter");
  await page.keyboard.type("Straße");
  await expect(page.getByLabel("Name in Dateien und Anfragen")).toHaveValue("strasse");
  await expectNoFaults(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: "Fertig" }).press("Enter");
  await expect(page.getByText("neu", { exact: true })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Prüfen" }).first().press("Enter");
  await page.getByRole("button", { name: "Anwenden" }).press("Enter");
  await expect.poll(fieldsNow).toContain("strasse");
});

test("whoever lacks the right sees no editor, and versions say what changed", async ({ page, newBrowser }) => {
  const api = await openApi(service.port);
  const { json } = await api.call("POST", "/keys", { name: "clerk", scope: "write" });
  const clerk = await newBrowser();
  await signIn(clerk, address(), String(json.key));
  await expect(clerk.getByRole("heading", { name: "Customers: data dictionary" })).toBeVisible();
  await expect(clerk.getByRole("button", { name: "Download template" })).toBeVisible();
  await expect(clerk.getByRole("button", { name: "Edit", exact: true })).toHaveCount(0);
  await expect(clerk.getByRole("link", { name: "Versions" })).toHaveCount(0);
  await signIn(page, address());
  await page.getByRole("link", { name: "Versions" }).click();
  await page.getByRole("button", { name: "What changed" }).first().click();
  await expect(page.getByText("Customers › Straße: new field").last()).toBeVisible();
  await expectNoFaults(page);
});

test("what is typed while somebody else changes the same draft is kept beside theirs", async ({ page }) => {
  await signIn(page, address());
  await page.getByRole("main").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Add field" }).click();
  await page.keyboard.type("Nickname");
  const api = await openApi(service.port);
  const draft = async () => {
    const [first] = (await api.call("GET", "/dictionary/drafts")).json.drafts as { id: string }[];
    return (await api.call("GET", `/dictionary/drafts/${first?.id}`)).json as { id: string; package: { resources: { title: string }[] } };
  };
  await expect.poll(async () => JSON.stringify(await draft())).toContain("Nickname");
  const { id, package: stored } = await draft();
  const [customers, ...others] = stored.resources;
  const theirs = { ...stored, resources: [{ ...customers, title: "Clients" }, ...others] };
  expect((await api.call("PATCH", `/dictionary/drafts/${id}`, { package: theirs })).status).toBe(200);
  await page.getByLabel("Title", { exact: true }).first().fill("Nicknames");
  await expect(page.getByText("Somebody else has changed this draft meanwhile.")).toBeVisible();
  await expect.poll(async () => JSON.stringify(await draft())).toContain("Nicknames");
  expect((await draft()).package.resources[0]?.title).toBe("Clients");
  await api.call("DELETE", `/dictionary/drafts/${id}`);
});
