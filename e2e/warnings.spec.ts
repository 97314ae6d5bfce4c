// A rule that warns, in the app: a tick in the form by keyboard, a group of an upload, and records that are left as they are on purpose.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, signIn } from "./support/service.ts";

const DATA_PACKAGE = new URL("../core/dictionary/staff-rules.example.json", import.meta.url);
const UNUSUAL = "More than 9,000 a month is unusual.";

let service: OwnService;
let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-warnings-"));
  const dictionary = join(folder, "dictionary.json");
  const dataPackage = JSON.parse(readFileSync(DATA_PACKAGE, "utf8"));
  const [staff] = dataPackage.resources;
  const { rules } = staff;
  staff.rules = rules.filter(({ name }: { name: string }) => name !== "reachable");
  writeFileSync(dictionary, JSON.stringify(dataPackage));
  service = await startService(async () => ({ DICTIONARY: dictionary }));
  const api = await openApi(service.port);
  const records = [1, 2, 3].map((id) => ({ id, firstName: "Ada", lastName: `Lang ${id}`, salary: "5000" }));
  expect((await api.call("POST", "/staff", records)).status).toBe(201);
  await service.kill();
  staff.rules = rules;
  writeFileSync(dictionary, JSON.stringify(dataPackage));
  await service.start();
});
test.afterAll(async () => {
  await service.remove();
  rmSync(folder, { recursive: true });
});

const open = (page: Page, path: string) => signIn(page, `http://127.0.0.1:${service.port}${path}`);
const read = async (id: number) => (await (await openApi(service.port)).call("GET", `/staff/${id}`)).json as Record<string, unknown>;

async function checkFile(page: Page, rows: readonly string[], mode?: string): Promise<void> {
  const buffer = Buffer.from(["id,firstName,lastName,email,salary", ...rows].join("\n"));
  await page.getByLabel("CSV file").setInputFiles({ name: "staff.csv", mimeType: "text/csv", buffer });
  if (mode) await page.getByText(mode).click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
}

test("the form asks by a tick that is worked with the keyboard, and says so to a screen reader", async ({ page }, info) => {
  await open(page, "/staff/1");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Salary", { exact: true }).fill("9500");
  await page.keyboard.press("Control+S");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText(UNUSUAL);
  await expect(alert).toBeFocused();
  await expectNoFaults(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("checkbox", { name: "Save anyway: it is meant so." })).toBeFocused();
  await page.keyboard.press("Space");
  await page.screenshot({ path: info.outputPath("form.png") });
  await page.keyboard.press("Control+S");
  await expect.poll(() => read(1)).toMatchObject({ salary: "9500", email: "ada@example.com" });
});

test("rows of a new file of which a rule warns are a group that is sent once it is confirmed", async ({ page }, info) => {
  await open(page, "/staff/upload");
  await checkFile(page, ["11,Ben,Kurz,b@example.com,9600", "12,Cleo,Groß,c@example.com,4000"]);
  await expect(page.getByText("1 row is ready")).toBeVisible();
  const problems = page.getByRole("region", { name: "Problems", exact: true });
  await expect(problems).toContainText(`Please look once more: ${UNUSUAL}`);
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("group.png"), fullPage: true });
  await problems.getByRole("button", { name: `Send anyway: ${UNUSUAL}` }).press("Enter");
  await expect(problems).toContainText(`Sent anyway: ${UNUSUAL}`);
  await page.getByRole("button", { name: "Upload 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await read(11)).toMatchObject({ salary: "9600" });
});

test("of rows that change records the preview says it, and they are sent once it is confirmed", async ({ page }, info) => {
  await open(page, "/staff/upload");
  await checkFile(page, ["2,Ada,Lang 2,a@example.com,9700", "3,Ada,Lang 3,a3@example.com,5100"], "Add new ones and update existing ones");
  const problems = page.getByRole("region", { name: "Problems", exact: true });
  await expect(problems).toContainText(`Please look once more: ${UNUSUAL}`);
  await expect(problems).not.toContainText("The service would refuse");
  await page.screenshot({ path: info.outputPath("preview.png"), fullPage: true });
  await problems.getByRole("button", { name: `Send anyway: ${UNUSUAL}` }).press("Enter");
  await expect(problems).toContainText(`Sent anyway: ${UNUSUAL}`);
  await page.getByRole("button", { name: "Upload 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await read(2)).toMatchObject({ salary: "9700" });
});

test("a record is left as it is with a reason, stands in a list of its own, and counts again", async ({ page }, info) => {
  const api = await openApi(service.port);
  await api.call("POST", "/staff", { id: 21, firstName: "Dan", lastName: "Alt", email: "d@example.com", salary: "5000" });
  for (const id of [1, 2, 3, 11]) await api.call("DELETE", `/staff/${id}`);
  await service.kill();
  await service.start();
  const dictionary = join(folder, "dictionary.json");
  const dataPackage = JSON.parse(readFileSync(dictionary, "utf8"));
  dataPackage.resources[0].rules.push({ name: "noAlt", must: 'lastName != "Alt"', message: "Nobody is called Alt." });
  writeFileSync(dictionary, JSON.stringify(dataPackage));
  await service.kill();
  await service.start();
  await open(page, "/staff/dictionary?quality=all");
  await page.getByRole("link", { name: "Nobody is called Alt." }).press("Enter");
  await page.getByRole("checkbox", { name: "Select Dan Alt" }).press("Space");
  await page.getByRole("button", { name: "Leave as it is…" }).press("Enter");
  await page.getByRole("button", { name: "Leave as it is", exact: true }).press("Enter");
  await expect(page.getByText("Say why they are right as they are.")).toBeVisible();
  await page.getByLabel("Reason").fill("Has been called so since birth.");
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("reason.png") });
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing breaks this rule any more.")).toBeVisible();
  await page.getByRole("link", { name: "Left on purpose" }).press("Enter");
  await expect(page.getByRole("cell", { name: /Has been called so since birth/ })).toBeVisible();
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("exceptions.png") });
  await page.getByRole("link", { name: "All broken rules" }).press("Enter");
  await expect(page.getByRole("link", { name: "1 left on purpose: Nobody is called Alt." })).toBeVisible();
  await page.screenshot({ path: info.outputPath("counts.png") });
  await page.getByRole("link", { name: "1 left on purpose: Nobody is called Alt." }).press("Enter");
  await page.getByRole("button", { name: "Count again: Dan Alt" }).press("Enter");
  await expect(page.getByText("Nothing is left on purpose.")).toBeVisible();
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });
  test("the form asks in the reader's words", async ({ page }, info) => {
    await page.addInitScript(() => localStorage.setItem("intake.settings", JSON.stringify({ language: "de" })));
    await page.goto(`http://127.0.0.1:${service.port}/staff/12`);
    await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByLabel("Gehalt", { exact: true }).fill("9800");
    await page.keyboard.press("Control+S");
    await expect(page.getByRole("alert")).toContainText("Mehr als 9.000 im Monat ist ungewöhnlich.");
    await page.getByRole("checkbox", { name: "Trotzdem speichern: Es ist so gemeint." }).press("Space");
    await page.screenshot({ path: info.outputPath("german.png") });
    await page.keyboard.press("Control+S");
    await expect.poll(async () => (await read(12)).salary).toBe("9800");
  });
});
