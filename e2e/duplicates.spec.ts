// Somebody works through records that are stored twice, by keyboard, and is warned while typing one again.

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, signIn } from "./support/service.ts";

const field = (name: string, title: string, de: string, more: object = {}) => ({
  name,
  title,
  translations: { de: { title: de } },
  ...more,
});
const DICTIONARY = {
  resources: [
    {
      name: "people",
      singular: "person",
      title: "People",
      translations: { de: { title: "Personen", noun: "Person" } },
      label: ["firstName", "lastName"],
      match: {
        comparisons: [
          { fields: ["firstName", "lastName"], as: "name", weight: 6, unlike: 3 },
          { fields: ["phone"], as: "phone", weight: 5 },
          { fields: ["born"], as: "date", weight: 4, unlike: 2 },
        ],
        same: 9,
        maybe: 5,
      },
      schema: {
        fields: [
          field("id", "Number", "Nummer", { type: "integer" }),
          field("firstName", "First name", "Vorname"),
          field("lastName", "Last name", "Nachname", { constraints: { required: true } }),
          field("phone", "Phone", "Telefon", { format: "phone" }),
          field("born", "Born on", "Geboren am", { type: "date" }),
          field("city", "City", "Ort"),
        ],
        primaryKey: ["id"],
      },
    },
  ],
};

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(async () => {
    const folder = join(tmpdir(), `intake-duplicates-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "dictionary.json");
    writeFileSync(path, JSON.stringify(DICTIONARY));
    return { DICTIONARY: path };
  });
  const api = await openApi(service.port);
  const people = [
    { id: 1, firstName: "Anna", lastName: "Müller", phone: "+49 171 1234567", born: "1980-03-04", city: "Bonn" },
    { id: 2, firstName: "Anna", lastName: "Mueller", phone: "0171/1234567", city: "Köln" },
    { id: 3, firstName: "Johanna", lastName: "Lindström", born: "1990-01-12", city: "Ulm" },
    { id: 4, firstName: "Johana", lastName: "Lindstrom", born: "1990-12-01", city: "Ulm" },
    { id: 5, firstName: "Ben", lastName: "Weber", city: "Bonn" },
  ];
  expect((await api.call("POST", "/people", people)).status).toBe(201);
  await expect(async () => {
    const { json } = await api.call("GET", "/people/duplicates");
    expect(json).toMatchObject({
      pairs: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
      progress: 1,
    });
  }).toPass();
});
test.afterAll(() => service.remove());

/** Pictures of the page where PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  for (const width of [1280, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(process.env.PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test("pairs are worked through by keyboard", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/duplicates`);
  await expect(page.getByRole("heading", { name: "These two seem to be the same" })).toBeFocused();
  await expect(page.getByRole("list", { name: "Why they are alike" }).getByRole("listitem")).toHaveText([
    "Name: the same",
    "Phone: the same",
  ]);
  await expect(page.getByRole("row", { name: "City (differs) Bonn Köln" })).toBeVisible();
  await expectNoFaults(page);
  await picture(page, "pair");
  await page.keyboard.press("j");
  await expect(page.getByText("Pair 2 of 2")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "day and month swapped" })).toBeVisible();
  await page.keyboard.press("d");
  await expect(page.getByText("Pair 1 of 1")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("of 2")).toBeVisible();
  const api = await openApi(service.port);
  expect((await api.call("GET", "/people/duplicates")).json.pairs).toHaveLength(2);
});

test("who types a person again is told who is like them, and why", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/new`);
  await page.getByLabel("Last name").fill("Muller");
  await page.getByLabel("First name").fill("Anna");
  await page.getByLabel("Phone").fill("0171 1234567");
  await expect(page.getByRole("status").filter({ hasText: "Possible duplicates" })).toContainText("Name: the same · Phone: the same");
});

test("after a merge the next pair comes, and the way to take it apart stays in reach", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/duplicates`);
  await expect(page.getByText("Pair 1 of 2")).toBeVisible();
  await page.getByRole("link", { name: "Merge …" }).click();
  await page.getByRole("button", { name: "Merge 2 people" }).click();
  await expect(page.getByText("Pair 1 of 1")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toBeFocused();
  await expect(page.getByRole("button", { name: "Take apart" })).toBeVisible();
  await page.getByRole("link", { name: "Merge …" }).click();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(page.getByText("Pair 1 of 1")).toBeVisible();
});
