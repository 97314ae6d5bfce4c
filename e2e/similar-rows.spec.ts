// A file has people who are stored already: the check says which rows look like them, and each becomes what is chosen.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import type { OwnService } from "./support/own-service.ts";
import { PEOPLE, picture, serveCollections } from "./support/people-who-are-twice.ts";
import { openApi, reported, signIn } from "./support/service.ts";

const STORED = [
  { firstName: "Anna", lastName: "Müller", phone: "+49 171 1234567", born: "1980-03-04", city: "Bonn" },
  { firstName: "Johanna", lastName: "Lindström", phone: "0171 5550002", city: "Ulm" },
  { firstName: "Ben", lastName: "Weber", born: "1990-01-12", city: "Kiel" },
  { firstName: "Carla", lastName: "Conti", phone: "0171 5550004", born: "1971-05-06", city: "Rom" },
];
const ROWS = [
  "Anna,Mueller,0171/1234567,1980-03-04,Köln",
  "Johana,Lindstrom,0171 5550002,,Ulm",
  "Ben,Weber,,1990-12-01,Kiel",
  "Carla,Conti-Rossi,,1971-05-06,Mailand",
  "Nobody,Else,0171 9999999,2001-01-01,Ulm",
  "Anna,Müller,0171 1234567,,Bonn",
];
const FILE = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(["firstName,lastName,phone,born,city", ...ROWS].join("\n")) };

let service: OwnService;
let api: Awaited<ReturnType<typeof openApi>>;
test.beforeAll(async () => {
  service = await serveCollections("similar", PEOPLE);
  api = await openApi(service.port);
  expect((await api.call("POST", "/people", STORED)).status).toBe(201);
  await expect(async () => {
    expect((await api.call("POST", "/people/duplicates/search", STORED[3])).json.similar).toHaveLength(1);
    expect((await api.call("GET", "/people/duplicates")).json.progress).toBe(1);
  }).toPass();
});
test.afterAll(() => service.remove());

const problems = (page: Page) => page.getByRole("region", { name: "Problems", exact: true });

async function checkFile(page: Page): Promise<void> {
  await signIn(page, `http://127.0.0.1:${service.port}/people/upload`);
  await page.getByLabel("CSV file").setInputFiles(FILE);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("6 rows are ready")).toBeVisible();
}

test("rows that look like stored people are shown beside them, and change them, stay out or are added", async ({ page }) => {
  await checkFile(page);
  await expect(page.getByText("Some of these rows may be stored already.")).toBeVisible();
  await picture(page, "similar-offer");
  await page.getByRole("button", { name: "Compare with the stored people" }).click();
  await expect(page.getByText("6 of 6 rows were compared with the stored people.")).toBeVisible();
  await expect(problems(page)).toContainText("5 rows look like stored people — 4 the same, 1 perhaps; rows 1–4, 6");
  await expect(problems(page)).toContainText("5 rows are not decided: they are added as new people.");
  await page.getByRole("button", { name: "Show: 5 rows look like stored people" }).click();
  const table = page.getByRole("table", { name: "Rows that look like stored people" });
  await expect(table.getByRole("row").nth(1)).toContainText("Anna Mueller0171/1234567 · Mar 4, 1980");
  await expect(table.getByRole("row").nth(1)).toContainText("The same — Name: the same · Phone: the same · Born on: the same");
  await expect(table.getByRole("row").nth(3)).toContainText("Born on: day and month swapped");
  await expectNoFaults(page);
  await picture(page, "similar-rows");

  await page.getByRole("button", { name: "Change 3 stored people: 5 rows look like stored people" }).click();
  await expect(problems(page)).toContainText("3 rows change the stored people.");
  await table.getByLabel("What row 4 becomes").selectOption({ label: "is a new person all the same" });
  await expect(problems(page)).toContainText("1 row is added all the same.");
  await expect(table.getByLabel("What row 6 becomes").locator("option", { hasText: "as row 1 does" })).toBeDisabled();
  await page.getByRole("button", { name: "Leave out: 5 rows look like stored people" }).click();
  await expect(problems(page)).toContainText("1 row is left out.");
  await expect(page.getByText("5 rows are ready")).toBeVisible();
  await expectNoFaults(page);
  await picture(page, "similar-decided");

  await page.getByRole("button", { name: "Upload 5 rows" }).click();
  expect(await reported(page, "Created")).toBe(2);
  await expect(async () => {
    const stored: Record<string, unknown>[] = await api.all("people");
    expect(stored.map(({ lastName, city, version }) => [lastName, city, version])).toEqual([
      ["Mueller", "Köln", 2],
      ["Lindstrom", "Ulm", 2],
      ["Weber", "Kiel", 2],
      ["Conti", "Rom", 1],
      ["Conti-Rossi", "Mailand", 1],
      ["Else", "Ulm", 1],
    ]);
  }).toPass();
});

test("in German the file is compared, too, and left out as a whole", async ({ page }) => {
  await page.addInitScript((token) => {
    localStorage.setItem("intake.settings", JSON.stringify({ language: "de" }));
    sessionStorage.setItem("intake.token", token);
  }, api.token);
  await page.goto(`http://127.0.0.1:${service.port}/people/upload`);
  await page.locator("input[type=file]").setInputFiles(FILE);
  await page.getByRole("button", { name: "Prüfen", exact: true }).click();
  await page.getByRole("button", { name: "Mit den gespeicherten Personen vergleichen" }).click();
  await expect(page.getByText(/[56] Zeilen ähneln gespeicherten Personen/).first()).toBeVisible();
  await page.getByRole("button", { name: /^Zeigen: [56] Zeilen/ }).click();
  await expect(page.getByRole("table", { name: "Zeilen, die gespeicherten Personen ähneln" })).toBeVisible();
  await picture(page, "similar-german");
  await page.getByRole("button", { name: /^Auslassen: [56] Zeilen/ }).click();
  await expect(page.getByText(/[56] Zeilen werden ausgelassen\./)).toBeVisible();
});
