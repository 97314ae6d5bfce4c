// The employee package through form, row, upload and batch, in both languages.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { PAY_CUT, STAFF_CASES, type StaffTexts, staffFile, staffJson, VALID_STAFF } from "../server/testing/staff-cases.ts";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi } from "./support/service.ts";

const DICTIONARY = "core/dictionary/staff-rules.example.json";
interface StaffField {
  name: string;
  title: string;
  translations?: { de: { title: string } };
}
const FIELDS: StaffField[] = JSON.parse(readFileSync(DICTIONARY, "utf8")).resources[0].schema.fields;

test.use({ actionTimeout: 5_000 });

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(async () => ({ DICTIONARY, RATE_PER_SECOND: "100000", RATE_BURST: "100000" }));
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;

async function make(): Promise<number> {
  const { json, status } = await (await openApi(service.port)).call("POST", "/staff", staffJson(VALID_STAFF));
  expect(status).toBe(201);
  return Number(json.id);
}

const WORDS = {
  en: { key: "API key", signIn: "Sign in", file: "CSV file", check: "Check", problems: "Problems", warns: "Please look once more:" },
  de: {
    ...{ key: "API-Schlüssel", signIn: "Anmelden", file: "CSV-Datei", check: "Prüfen", problems: "Probleme" },
    warns: "Bitte noch einmal ansehen:",
  },
};

async function open(page: Page, language: "en" | "de", path: string): Promise<void> {
  await page.addInitScript((tag) => localStorage.setItem("intake.settings", JSON.stringify({ language: tag })), language);
  await page.goto(at(path));
  await page.getByRole("textbox", { name: WORDS[language].key }).fill(ADMIN_KEY);
  await page.getByRole("button", { name: WORDS[language].signIn, exact: true }).click();
}

/** Types the texts into the inputs of a form or a row, by the titles of their fields. Those that come with another come after it. */
async function type(inputs: Page | Locator, language: "en" | "de", texts: StaffTexts): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    const { title, translations } = FIELDS.find((field) => field.name === name) as StaffField;
    const input = inputs.getByLabel(language === "de" ? (translations?.de.title ?? title) : title, { exact: true });
    if (await input.evaluate((element) => element instanceof HTMLSelectElement)) await input.selectOption(text ?? "");
    else await input.fill(text ?? "");
  }
}

for (const language of ["en", "de"] as const) {
  test.describe(language === "en" ? "in English" : "in German", () => {
    test.use({ locale: language === "en" ? "en-US" : "de-DE" });

    test("the form says each rule and condition, and saves what is right", async ({ page }, info) => {
      test.setTimeout(120_000);
      const id = await make();
      await open(page, language, `/staff/${id}`);
      const read = async () => (await (await openApi(service.port)).call("GET", `/staff/${id}`)).json;
      await type(page, language, { lastName: "Long" });
      await page.keyboard.press("Control+S");
      await expect.poll(read).toMatchObject({ ...staffJson(VALID_STAFF), lastName: "Long", version: 2 }); // and nothing else
      for (const one of [...STAFF_CASES, PAY_CUT]) {
        await type(page, language, one.change);
        await page.keyboard.press("Control+S");
        await expect(page.getByRole("alert").filter({ hasText: one[language] }).first(), one.rule).toBeVisible();
        if (one.rule === "requiredIf") await page.screenshot({ path: info.outputPath("needed.png"), fullPage: true });
        const before = Object.keys(one.change).map((name) => [name, VALID_STAFF[name] ?? null]);
        await type(page, language, Object.fromEntries(before));
      }
      await type(page, language, { firstName: "Augusta" });
      await page.keyboard.press("Control+S");
      const saved = { lastName: "Long", firstName: "Augusta", fullName: "Augusta Long", version: 3 };
      await expect.poll(read).toMatchObject({ ...staffJson(VALID_STAFF), ...saved });
    });

    test("a row of the list says each of them", async ({ page }) => {
      test.setTimeout(120_000);
      const id = await make();
      const columns = ["firstName", ...new Set([...STAFF_CASES, PAY_CUT].flatMap(({ change }) => Object.keys(change)))];
      await open(page, language, `/staff?id=${id}&columns=${columns.join()}`);
      const row = page.locator(`tr[data-id="${id}"]`);
      await row.getByRole("link").first().focus();
      await page.keyboard.press("F2");
      for (const one of [...STAFF_CASES, PAY_CUT]) {
        await type(row, language, one.change);
        await row.getByRole("textbox").first().press("Enter");
        await expect(page.getByRole("alert").filter({ hasText: one[language] }).first(), one.rule).toBeVisible();
        const before = Object.keys(one.change).map((name) => [name, VALID_STAFF[name] ?? null]);
        await type(row, language, Object.fromEntries(before));
      }
      await row.getByRole("textbox").first().fill("Augusta");
      await row.getByRole("textbox").first().press("Enter");
      const read = async () => (await (await openApi(service.port)).call("GET", `/staff/${id}`)).json;
      await expect.poll(read).toMatchObject({ ...staffJson(VALID_STAFF), firstName: "Augusta", fullName: "Augusta Lang", version: 2 });
    });

    test("an upload has a group for each of them, and a warned cell has a tone of its own", async ({ page }, info) => {
      await open(page, language, "/staff/upload");
      const buffer = Buffer.from(staffFile([VALID_STAFF, ...STAFF_CASES.map(({ change }) => ({ ...VALID_STAFF, ...change }))]));
      await page.getByLabel(WORDS[language].file).setInputFiles({ name: "staff.csv", mimeType: "text/csv", buffer });
      await page.getByRole("button", { name: WORDS[language].check, exact: true }).click();
      const problems = page.getByRole("region", { name: WORDS[language].problems, exact: true });
      for (const one of STAFF_CASES) await expect(problems, one.rule).toContainText((one.inFile ?? one)[language]);
      await expect(problems).toContainText(
        `${WORDS[language].warns} ${STAFF_CASES.find(({ rule }) => rule === "unusualSalary")?.[language]}`,
      );
      const warned = page.locator("td[data-warned]");
      await expect(warned).toHaveCount(1);
      await expect(warned).not.toHaveAttribute("aria-invalid");
      await expect(warned).toHaveAccessibleDescription(new RegExp(`^${WORDS[language].warns}`));
      const colors = await page.evaluate(() =>
        ["td[data-warned]", "td[aria-invalid]"].map((one) => getComputedStyle(document.querySelector(one) as Element).backgroundColor),
      );
      expect(colors[0]).not.toBe(colors[1]);
      await expectNoFaults(page);
      await page.screenshot({ path: info.outputPath("grid.png"), fullPage: true });
    });
  });
}

test("the batch command refuses each with its sentence, and loads the others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-staff-"));
  try {
    const path = join(folder, "staff.csv");
    const run = (rows: readonly StaffTexts[], ...options: string[]) => {
      writeFileSync(path, staffFile(rows));
      const env = { ...process.env, INTAKE_URL: at(""), INTAKE_KEY: ADMIN_KEY };
      return spawnSync(process.execPath, ["dist/node/intake-batch.js", "run", path, "--collection", "staff", ...options], { env }).status;
    };
    expect(run([VALID_STAFF, ...STAFF_CASES.map(({ change }) => ({ ...VALID_STAFF, ...change }))])).toBe(1);
    const report = readFileSync(`${path}.report.txt`, "utf8");
    for (const one of STAFF_CASES) expect(report, one.rule).toContain((one.inFile ?? one).en);
    const warned = STAFF_CASES.filter(({ rule }) => rule === "unusualSalary").map(({ change }) => ({ ...VALID_STAFF, ...change }));
    expect(run(warned, "--acknowledge", "unusualSalary")).toBe(0);
    const stored = await (await openApi(service.port)).all("staff");
    expect(stored.filter(({ salary }) => salary === "9500")).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
