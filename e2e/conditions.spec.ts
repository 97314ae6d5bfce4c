// Fields that depend on others, in the form and in a row of the list.

import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { waitForDraft } from "./support/drafts.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, type Row, signIn } from "./support/service.ts";

const field = (name: string, title: string, german: string, more: object = {}) => ({
  name,
  title,
  type: "string",
  translations: { de: { title: german } },
  ...more,
});

const PACKAGE = {
  title: "Contracts desk",
  resources: [
    {
      name: "contracts",
      title: "Contracts",
      singular: "contract",
      noun: "contract",
      translations: { de: { title: "Verträge", noun: "Vertrag" } },
      label: ["person"],
      schema: {
        primaryKey: "id",
        fields: [
          field("id", "ID", "Nummer", { type: "integer" }),
          field("person", "Person", "Person", { constraints: { required: true } }),
          field("endOn", "Ends on", "Endet am", {
            type: "date",
            visibleIf: 'contract == "temp"',
            constraints: { required: true },
          }),
          field("contract", "Contract", "Vertragsart", { default: '"full"', constraints: { enum: ["full", "temp"] } }),
          field("reason", "Reason", "Grund", { visibleIf: 'contract == "temp"' }),
          field("salary", "Salary", "Gehalt", { type: "number", decimals: 2, requiredIf: 'contract == "full"' }),
          field("bonus", "Bonus", "Prämie", { type: "number", decimals: 2, default: "salary * 0.1" }),
          field("country", "Country", "Land", { sticky: true }),
          field("state", "State", "Bundesland", {
            choicesIf: [
              { when: 'country == "DE"', values: ["Bavaria", "Berlin"] },
              { when: 'country == "US"', values: ["Ohio"] },
            ],
          }),
          field("note", "Note", "Notiz"),
        ],
      },
    },
  ],
};

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(undefined, { dataPackage: PACKAGE });
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const read = async (id: number) => (await (await openApi(service.port)).call("GET", `/contracts/${id}`)).json;
const input = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function make(values: Row): Promise<number> {
  const { json, status } = await (await openApi(service.port)).call("POST", "/contracts", values);
  expect(status).toBe(201);
  return Number(json.id);
}

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;
const boxOf = async (what: Locator) => (await what.boundingBox()) as Box;

/** In the window. The browser scrolls by whole pixels. */
async function expectPlace(what: Locator, before: Box): Promise<void> {
  const { y, ...others } = await boxOf(what);
  expect({ ...others, y: before.y }).toEqual(before);
  expect(Math.abs(y - before.y)).toBeLessThanOrEqual(1);
}

const isMarked = (page: Page, title: string) =>
  page
    .locator("label", { hasText: title })
    .first()
    .evaluate((label) => getComputedStyle(label, "::after").content.includes("*"));

test("fields come and go, above and below, without moving what one types in", async ({ page }, info) => {
  await page.setViewportSize({ width: 1280, height: 480 }); // a page that ends in sight cannot be scrolled by what comes
  const id = await make({ person: "Ada Lang", contract: "full", salary: "5000" });
  await signIn(page, at(`/contracts/${id}`));
  const contract = input(page, "Contract");
  await expect(contract).toHaveValue("full");
  await expect(input(page, "Ends on")).toHaveCount(0);
  expect([await isMarked(page, "Salary"), await isMarked(page, "Bonus")]).toEqual([true, false]);
  await contract.focus();
  const before = await boxOf(contract);
  const others = ["Salary", "Bonus", "Country", "State", "Note"];
  const columns = () => Promise.all(others.map(async (name) => (await boxOf(input(page, name))).x));
  const inColumns = await columns();
  await page.keyboard.press("t"); // chooses "temp"
  await expect(contract).toHaveValue("temp");
  await expect(input(page, "Ends on")).toBeVisible();
  await expect(input(page, "Reason")).toBeVisible();
  await expect(contract).toBeFocused();
  await expectPlace(contract, before);
  expect(await columns()).toEqual(inColumns);
  expect([await isMarked(page, "Ends on"), await isMarked(page, "Salary")]).toEqual([true, false]);
  await expect(input(page, "Ends on")).toHaveAttribute("aria-required", "true");
  await expect(input(page, "Salary")).toHaveAttribute("aria-required", "false");
  await expect(page.getByRole("status").filter({ hasText: "Ends on is asked for now. Reason is asked for now." })).toHaveCount(1);
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("came.png") });
  await page.keyboard.press("f");
  await expect(contract).toHaveValue("full");
  await expect(input(page, "Ends on")).toHaveCount(0);
  await expect(contract).toBeFocused();
  await expectPlace(contract, before);
  expect(await columns()).toEqual(inColumns);
});

test("a new record is filled in with the keyboard alone, with defaults that follow, and is stored as it is seen", async ({
  page,
}, info) => {
  await signIn(page, at("/contracts/new"));
  await expect(input(page, "Contract")).toHaveValue("full");
  await input(page, "Person").focus();
  await page.keyboard.type("Ben Kurz");
  await page.keyboard.press("Tab");
  await expect(input(page, "Contract")).toBeFocused();
  await page.keyboard.press("t");
  await page.keyboard.press("Tab");
  await expect(input(page, "Reason")).toBeFocused();
  await page.keyboard.type("Parental leave");
  await page.keyboard.press("Tab");
  await expect(input(page, "Salary")).toBeFocused();
  await page.keyboard.type("4000");
  await expect(input(page, "Bonus")).toHaveValue("400.00");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("3000");
  await expect(input(page, "Bonus")).toHaveValue("300.00");
  await page.keyboard.press("Control+S");
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByRole("alert")).toContainText("Enter the ends on.");
  await expectNoFaults(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // goes to the field
  await expect(input(page, "Ends on")).toBeFocused();
  await page.keyboard.type("2027-03-31");
  await input(page, "Bonus").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("500");
  await page.keyboard.press("Shift+Tab");
  await expect(input(page, "Salary")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("3500");
  await expect(input(page, "Bonus")).toHaveValue("500"); // it was typed, and follows no more
  await input(page, "Country").focus();
  await page.keyboard.type("DE");
  await page.keyboard.press("Tab");
  await expect(input(page, "State")).toBeFocused();
  await page.keyboard.press("b");
  await page.keyboard.press("b"); // the second that begins with it
  await expect(input(page, "State")).toHaveValue("Berlin");
  await page.screenshot({ path: info.outputPath("new.png"), fullPage: true });
  await page.keyboard.press("Control+S");
  await expect(page).toHaveURL(/\/contracts\/\d+$/);
  const stored = await read(Number(page.url().split("/").at(-1)));
  expect(stored).toMatchObject({
    person: "Ben Kurz",
    contract: "temp",
    endOn: "2027-03-31",
    reason: "Parental leave",
    salary: "3500",
    bonus: "500",
    country: "DE",
    state: "Berlin",
  });
  await signIn(page, at("/contracts/new"));
  await expect(input(page, "Country")).toHaveValue("DE"); // as it was stored last
  await expect.poll(() => input(page, "State").locator("option").allTextContents()).toEqual(["None", "Bavaria", "Berlin"]);
});

test("a value that is left behind is asked about, survives a reload, and is cleared only when somebody says so", async ({ page }, info) => {
  page.on("dialog", (dialog) => dialog.accept());
  const id = await make({ person: "Cleo Groß", contract: "temp", endOn: "2027-01-31", reason: "Project", salary: "4000" });
  await signIn(page, at(`/contracts/${id}`));
  const contract = input(page, "Contract");
  await contract.focus();
  const before = await boxOf(contract);
  await page.keyboard.press("f");
  const question = (title: string) => page.getByRole("region", { name: title, exact: true });
  await expect(question("Ends on")).toContainText("Ends on is not asked for any more. It still has this value: Jan 31, 2027");
  await expect(question("Reason")).toContainText("Project");
  await expect(contract).toBeFocused();
  await expectPlace(contract, before);
  await expectNoFaults(page);
  for (const [width, colorScheme] of [1280, 768, 390].flatMap((one) => [[one, "light"] as const, [one, "dark"] as const])) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: info.outputPath(`left-${width}-${colorScheme}.png`), fullPage: true });
    await expectNoFaults(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await waitForDraft(page, "full");
  await signIn(page, at(`/contracts/${id}`));
  await page.getByRole("button", { name: "Restore" }).press("Enter");
  await expect(contract).toHaveValue("full");
  await question("Reason").getByRole("button", { name: "Keep the value" }).press("Enter");
  await expect(question("Reason")).toHaveCount(0);
  await question("Ends on").getByRole("button", { name: "Clear the value" }).press("Enter");
  await expect(question("Ends on")).toHaveCount(0);
  await expect(page.locator("body")).not.toBeFocused();
  await page.keyboard.press("Control+S");
  await expect.poll(() => read(id)).toMatchObject({ contract: "full", endOn: null, reason: "Project" });
  await signIn(page, at(`/contracts/${id}`));
  await expect(contract).toHaveValue("full");
  await expect(question("Reason")).toHaveCount(0); // it was kept on purpose
});

test("a list follows the field that it depends on, and names the value that it lacks", async ({ page }, info) => {
  const id = await make({ person: "Dan Alt", salary: "1", country: "DE", state: "Berlin" });
  await signIn(page, at(`/contracts/${id}`));
  const country = input(page, "Country");
  const offered = () => input(page, "State").locator("option").allTextContents();
  await expect.poll(offered).toEqual(["None", "Bavaria", "Berlin"]);
  await country.focus();
  const before = await boxOf(country);
  await country.fill("US");
  await expect.poll(offered).toEqual(["None", "Berlin (no longer a choice)", "Ohio"]);
  await expect(input(page, "State")).toHaveValue("Berlin");
  await expect(input(page, "State")).toHaveAccessibleDescription(/“Berlin” does not fit the other values. Choose another State./);
  await expectPlace(country, before);
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("outside.png") });
  await page.keyboard.press("Control+S");
  await expect(page.getByRole("alert")).toContainText("State must be one of Ohio.");
  await input(page, "State").selectOption("Ohio");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.keyboard.press("Control+S");
  await expect.poll(() => read(id)).toMatchObject({ country: "US", state: "Ohio" });
});

test("a row of the list asks the same, with the keyboard alone, and keeps its columns", async ({ page }, info) => {
  const id = await make({ person: "Eve Neu", contract: "full", salary: "1000", country: "DE" });
  await signIn(page, at(`/contracts?person=Eve%20Neu&columns=person,contract,endOn,salary,country,state`));
  const row = page.locator(`tr[data-id="${id}"]`);
  await row.getByRole("link").focus();
  await page.keyboard.press("F2");
  const cell = (name: string) => row.getByLabel(name, { exact: true });
  await expect(cell("Person")).toBeFocused();
  await expect(cell("Ends on")).toHaveCount(0);
  await expect(cell("Salary")).toHaveAttribute("aria-required", "true");
  await page.keyboard.press("Tab");
  await expect(cell("Contract")).toBeFocused();
  const before = await boxOf(cell("Contract"));
  await page.keyboard.press("t");
  await expect(cell("Ends on")).toBeVisible();
  await expect(cell("Ends on")).toHaveAttribute("aria-required", "true");
  await expect(cell("Contract")).toBeFocused();
  await expectPlace(cell("Contract"), before);
  expect(await cell("State").locator("option").allTextContents()).toEqual(["None", "Bavaria", "Berlin"]);
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("row.png") });
  await page.keyboard.press("Tab");
  await page.keyboard.type("2027-06-30");
  await page.keyboard.press("Enter");
  await expect.poll(() => read(id)).toMatchObject({ contract: "temp", endOn: "2027-06-30" });
  await row.getByRole("link").focus();
  await page.keyboard.press("F2");
  await page.keyboard.press("Tab");
  await page.keyboard.press("f");
  const question = page.getByRole("region", { name: "Ends on", exact: true });
  await expect(question).toContainText("Jun 30, 2027");
  await expect(cell("Contract")).toBeFocused();
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("row-left.png") });
  await question.getByRole("button", { name: "Clear the value" }).press("Enter");
  await expect(question).toHaveCount(0);
  await cell("Contract").press("Enter");
  await expect.poll(() => read(id)).toMatchObject({ contract: "full", endOn: null });
});

test.describe("in German, on a phone", () => {
  test.use({ locale: "de-DE", viewport: { width: 390, height: 800 } });
  test("the form asks in the reader's words", async ({ page }, info) => {
    await page.addInitScript(() => localStorage.setItem("intake.settings", JSON.stringify({ language: "de" })));
    const id = await make({ person: "Fritz Ohm", contract: "temp", endOn: "2027-01-31", salary: "1000", country: "DE", state: "Berlin" });
    await page.goto(at(`/contracts/${id}`));
    await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Anmelden" }).click();
    const contract = input(page, "Vertragsart");
    await contract.focus();
    const before = await boxOf(contract);
    await contract.selectOption("full");
    const question = page.getByRole("region", { name: "Endet am", exact: true });
    await expect(question).toContainText("Endet am wird nicht mehr abgefragt.");
    await expectPlace(contract, before);
    await input(page, "Land").fill("US");
    await expect(
      page.getByText("„Berlin“ passt nicht zu den anderen Werten. Wählen Sie für Bundesland etwas anderes.").last(),
    ).toBeVisible();
    await expectNoFaults(page);
    await page.screenshot({ path: info.outputPath("german.png"), fullPage: true });
    await question.getByRole("button", { name: "Wert leeren" }).press("Enter");
    await input(page, "Bundesland").selectOption("Ohio");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.keyboard.press("Control+S");
    await expect.poll(() => read(id)).toMatchObject({ contract: "full", endOn: null, country: "US", state: "Ohio" });
  });
});
