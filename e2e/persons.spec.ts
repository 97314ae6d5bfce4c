// A field of a person: chosen by name in form and row, found by "me", read from a file, and seen by who only reads.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { devicesWith, field } from "./support/devices.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, type Row } from "./support/service.ts";

const PACKAGE = devicesWith([field("keeper", "Keeper", "Verantwortlich", { format: "person" })]);

let service: OwnService;
const ids = new Map<string, string>();
test.beforeAll(async () => {
  service = await startService(undefined, { dataPackage: PACKAGE });
  const { call } = await openApi(service.port);
  for (const [name, email] of [
    ["Käthe Groß", "kaethe@example.org"],
    ["Ada Nowak", "ada@example.org"],
    ["Cy Lee", "cy.lee@example.org"],
    ["Cy Lee", "second.lee@example.org"],
  ] as const) {
    const { json, status } = await call("POST", "/users", { name, email, roles: ["viewer"] });
    expect(status).toBe(201);
    ids.set(email, (json.user as Row).id as string);
  }
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const api = () => openApi(service.port);
const read = async (id: number) => (await (await api()).call("GET", `/devices/${id}`)).json;

async function make(values: Row): Promise<number> {
  const { json, status } = await (await api()).call("POST", "/devices", values);
  expect(status).toBe(201);
  return Number(json.id);
}

/** With people the page asks for an address first. */
async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: /Use an API key|Mit einem API-Schlüssel anmelden/ }).click();
  await page.getByRole("textbox", { name: /API key|API-Schlüssel/ }).fill(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

const keeper = (page: Page) => page.getByRole("combobox", { name: "Keeper" });

test("a record gets a person by the keyboard alone, also one of two of the same name", async ({ page }, info) => {
  await signIn(page, at("/devices/new"));
  await page.getByLabel("Name", { exact: true }).fill("Form saw");
  await page.keyboard.press("Tab");
  await expect(keeper(page)).toBeFocused();
  await page.keyboard.type("lee");
  await expect(page.getByRole("option")).toHaveCount(2);
  await page.screenshot({ path: info.outputPath("options.png") });
  await page.keyboard.type(" second"); // part of the address
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(keeper(page)).toHaveValue("Cy Lee <second.lee@example.org>");
  await expectNoFaults(page);
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText(/was created|Created/).first()).toBeVisible();
  const { json } = await (await api()).call("GET", "/devices?q=form");
  expect((json.devices as Row[])[0]?.keeper).toBe(ids.get("second.lee@example.org"));
});

test("nobody is refused before the record is sent", async ({ page }) => {
  await signIn(page, at("/devices/new"));
  await page.getByLabel("Name", { exact: true }).fill("Nobody's");
  await keeper(page).fill("Zacharias");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("Keeper: nobody has the name or the e-mail address “Zacharias”.").first()).toBeVisible();
});

test("a row of the list is changed, many records are, and filters find people", async ({ page }, info) => {
  const first = await make({ name: "Row drill", keeper: "Ada Nowak" });
  await make({ name: "Row lamp", keeper: "kaethe@example.org" });
  await signIn(page, at("/devices?q=row&sort=name"));
  await expect(page.locator(`tr[data-id="${first}"]`)).toContainText("Ada Nowak");
  await page.screenshot({ path: info.outputPath("list.png") });
  await page.locator(`tr[data-id="${first}"]`).getByRole("link").focus();
  await page.keyboard.press("F2");
  await page.locator('td[data-title="Keeper"] input').fill("grosz");
  await page.locator('td[data-title="Keeper"] input').fill("kathe");
  await page.screenshot({ path: info.outputPath("row.png") });
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await read(first)).keeper).toBe(ids.get("kaethe@example.org"));

  await signIn(page, at("/devices?q=row&sort=name"));
  await page.getByRole("button", { name: /^Filter/ }).click();
  await page.getByLabel("Field", { exact: true }).selectOption("Keeper");
  await page.getByRole("combobox", { name: "Value" }).fill("käthe");
  await page.keyboard.press("Enter");
  await page.screenshot({ path: info.outputPath("filter.png") });
  await page.getByRole("button", { name: "Add filter" }).click();
  await expect(page.locator("tr[data-id]")).toHaveCount(2);
  await expect(page.getByText("is Käthe Groß")).toBeVisible();

  await signIn(page, at("/devices?q=row&keeper={me}"));
  await expect(page.getByText("is me")).toBeVisible();
  await expect(page.locator("tr[data-id]")).toHaveCount(0);
});

test("a file names people by name or address, and says whose name several have", async ({ page }, info) => {
  const csv = "Name,Keeper\r\nFile one,ada nowak\r\nFile two,CY.LEE@example.org\r\nFile three,Cy Lee\r\n";
  await signIn(page, at("/devices/upload"));
  await page.getByLabel("CSV file").setInputFiles({ name: "devices.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("several people have the name “Cy Lee”").first()).toBeVisible();
  await page.screenshot({ path: info.outputPath("check.png"), fullPage: true });
});

test.describe("in German, dark, on a phone", () => {
  test.use({ locale: "de-DE", colorScheme: "dark", viewport: { width: 390, height: 844 } });
  test("form, list and record fit", async ({ page }, info) => {
    const id = await make({ name: "Telefon", keeper: "kaethe@example.org" });
    await signIn(page, at(`/devices/${id}`));
    await page.getByRole("combobox", { name: "Verantwortlich" }).click();
    await expect(page.getByRole("option", { name: "Käthe Groß" })).toBeVisible();
    await page.screenshot({ path: info.outputPath("form.png") });
    await page.keyboard.press("Escape");
    await expectNoFaults(page);
    await signIn(page, at("/devices"));
    await expect(page.getByText("Käthe Groß").first()).toBeVisible();
    await page.screenshot({ path: info.outputPath("list.png") });
  });
});
