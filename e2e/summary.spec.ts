// The summary of a list: groups as bars that are a table, and the way from a group to its records.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, signIn } from "./support/service.ts";

const field = (name: string, title: string, german: string, more: object = {}) => ({
  name,
  title,
  type: "string",
  translations: { de: { title: german } },
  ...more,
});
const PACKAGE = {
  title: "Sales",
  resources: [
    {
      name: "clients",
      title: "Clients",
      noun: "client",
      label: ["name"],
      schema: { primaryKey: "id", fields: [field("id", "ID", "Nummer", { type: "integer" }), field("name", "Name", "Name")] },
    },
    {
      name: "sales",
      title: "Sales",
      noun: "sale",
      translations: { de: { title: "Verkäufe", noun: "Verkauf" } },
      schema: {
        primaryKey: "id",
        fields: [
          field("id", "ID", "Nummer", { type: "integer" }),
          field("region", "Region", "Region", { constraints: { enum: ["north", "south", "west"] } }),
          field("soldOn", "Sold on", "Verkauft am", { type: "date" }),
          field("total", "Total", "Summe", { type: "number", decimals: 2 }),
          field("clientId", "Client", "Kunde", { type: "integer" }),
        ],
        foreignKeys: [{ fields: "clientId", reference: { resource: "clients", fields: "id" } }],
      },
    },
  ],
};

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(undefined, { dataPackage: PACKAGE });
  const api = await openApi(service.port);
  const clients = [
    { id: 1, name: "Ada Lang" },
    { id: 2, name: "Ben Kurz" },
  ];
  const sales = Array.from({ length: 12 }, (_, i) => ({
    region: i < 7 ? "north" : i < 10 ? "south" : null,
    soldOn: i < 4 ? "2026-10-31" : "2026-11-01",
    total: i === 0 ? "-3.10" : "1000.25",
    clientId: i % 3 === 0 ? 1 : 2,
  }));
  expect((await api.call("POST", "/clients", clients)).status).toBe(201);
  expect((await api.call("POST", "/sales", sales)).status).toBe(201);
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const lines = (page: Page, name = "Summary") =>
  page
    .getByRole("table", { name })
    .getByRole("row")
    .evaluateAll((rows) => rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)));

test("groups are counted and summed, and lead to their records, with the keyboard alone", async ({ page }, info) => {
  await signIn(page, at("/sales"));
  const open = async () => {
    await page.getByRole("button", { name: "Summary" }).focus();
    await page.keyboard.press("Enter");
  };
  await open();
  await expect
    .poll(() => lines(page))
    .toEqual([
      ["north", "7"],
      ["south", "3"],
      ["No value", "2"],
      ["All together", "12"],
    ]);
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("counts.png") });
  await page.getByLabel("Shown").selectOption("Sum of Total");
  await expect
    .poll(() => lines(page))
    .toEqual([
      ["north", "5,998.40"],
      ["south", "3,000.75"],
      ["No value", "2,000.50"],
      ["All together", "10,999.65"],
    ]);
  await page.getByLabel("In groups by").selectOption("Client");
  await expect.poll(async () => (await lines(page)).map(([name]) => name)).toEqual(["Ben Kurz", "Ada Lang", "All together"]);
  await page.getByLabel("In groups by").selectOption("Sold on, by month");
  await page.getByLabel("Shown").selectOption("Average of Total");
  await expect
    .poll(() => lines(page))
    .toEqual([
      ["October 2026", "749.4125"],
      ["November 2026", "1,000.25"],
    ]);
  await page.getByRole("button", { name: "November 2026" }).press("Enter");
  await expect(page.getByRole("table", { name: "Summary" })).toHaveCount(0);
  await expect(page).toHaveURL(/soldOn%5Bgte%5D=2026-11-01&soldOn%5Blt%5D=2026-12-01/);
  await expect(page.getByText("8 sales", { exact: true })).toBeVisible();
  await open();
  await expect
    .poll(() => lines(page))
    .toEqual([
      ["north", "3"],
      ["south", "3"],
      ["No value", "2"],
      ["All together", "8"],
    ]);
  await page.getByRole("button", { name: "No value" }).press("Enter");
  await expect(page.getByText("2 sales", { exact: true })).toBeVisible();
});

test("a group leads to as many records as it has, also where the list has chosen some of its days", async ({ page }) => {
  await signIn(page, at("/sales?soldOn%5Blte%5D=2026-10-31"));
  await expect(page.locator("footer").getByText("4 sales", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Summary" }).click();
  await page.getByLabel("In groups by").selectOption("Sold on, by year");
  await expect
    .poll(() => lines(page))
    .toEqual([
      ["2026", "4"],
      ["All together", "4"],
    ]);
  await page.getByRole("button", { name: "2026", exact: true }).click();
  await expect(page).toHaveURL(/soldOn%5Bgte%5D=2026-01-01&soldOn%5Blte%5D=2026-10-31/);
  await expect(page.locator("footer").getByText("4 sales", { exact: true })).toBeVisible();
});

test("while other groups are counted nobody is told that there are no records", async ({ page }) => {
  await signIn(page, at("/sales"));
  await page.getByRole("button", { name: "Summary" }).click();
  await expect.poll(async () => (await lines(page)).length).toBe(4);
  const shown = await page.evaluateHandle(() => {
    const sentences: string[] = [];
    const note = () => document.body.textContent?.includes("There are no records.") && sentences.push("There are no records.");
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
    return sentences;
  });
  await page.getByLabel("In groups by").selectOption("Sold on, by year");
  await expect.poll(() => lines(page)).toContainEqual(["2026", "12"]);
  await page.getByLabel("Shown").selectOption("Sum of Total");
  await expect.poll(() => lines(page)).toContainEqual(["2026", "10,999.65"]);
  expect(await shown.jsonValue()).toEqual([]);
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });
  for (const [width, colorScheme] of [1280, 390].flatMap((one) => [[one, "light"] as const, [one, "dark"] as const])) {
    test(`the panel fits ${width} px, ${colorScheme}`, async ({ page }, info) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.addInitScript(() => localStorage.setItem("intake.settings", JSON.stringify({ language: "de" })));
      await page.goto(at("/sales"));
      await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
      await page.getByRole("button", { name: "Anmelden" }).click();
      if (width < 600) await page.getByRole("button", { name: "Mehr" }).click();
      await page.getByRole("button", { name: "Auswertung" }).click();
      await page.getByLabel("Gezeigt").selectOption("Summe: Summe");
      await expect
        .poll(() => lines(page, "Auswertung"))
        .toEqual([
          ["north", "5.998,40"],
          ["south", "3.000,75"],
          ["Kein Wert", "2.000,50"],
          ["Zusammen", "10.999,65"],
        ]);
      await expectNoFaults(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.screenshot({ path: info.outputPath("panel.png") });
    });
  }
});
