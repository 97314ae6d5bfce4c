// Many records that are the same become one each by a rule, and the whole run is taken apart again.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import type { OwnService } from "./support/own-service.ts";
import { field, PEOPLE, picture, serveCollections } from "./support/people-who-are-twice.ts";
import { openApi, signIn } from "./support/service.ts";

const { match } = PEOPLE;
/** People with names that differ are never the same. */
const STRICT = {
  ...PEOPLE,
  match: { ...match, comparisons: match.comparisons.map((one) => (one.as === "name" ? { ...one, unlike: 9 } : one)) },
};
const VISITS = {
  name: "visits",
  singular: "visit",
  title: "Visits",
  schema: {
    fields: [field("id", "Number", "Nummer", { type: "integer" }), field("personId", "Person", "Person", { type: "integer" })],
    primaryKey: ["id"],
    foreignKeys: [{ fields: ["personId"], reference: { resource: "people", fields: ["id"] } }],
  },
};
const STORED = [
  { id: 1, firstName: "Anna", lastName: "Müller", phone: "0171 1234567" },
  { id: 2, firstName: "Anna", lastName: "Mueller", phone: "+49 171 1234567", city: "Bonn" },
  { id: 3, firstName: "Ben", lastName: "Weber", phone: "0171 5550003", city: "Kiel" },
  { id: 4, firstName: "Ben", lastName: "Weber", phone: "0171 5550003", city: "Ulm" },
  { id: 5, firstName: "Ben", lastName: "Webber", phone: "0171 5550003" },
  { id: 6, firstName: "Carla", lastName: "Conti", phone: "0171 5550006" },
];

let service: OwnService;
let api: Awaited<ReturnType<typeof openApi>>;
test.beforeAll(async () => {
  service = await serveCollections("bulk-merge", STRICT, VISITS);
  api = await openApi(service.port);
  expect((await api.call("POST", "/people", STORED)).status).toBe(201);
  const visits = [2, 4, 5, 6].map((personId, i) => ({ id: i + 1, personId }));
  expect((await api.call("POST", "/visits", visits)).status).toBe(201);
  await expect(async () => {
    const { json } = await api.call("GET", "/people/duplicates");
    expect([(json.pairs as unknown[]).length, json.progress]).toEqual([4, 1]);
  }).toPass();
});
test.afterAll(() => service.remove());

test("a rule says what it would do, does it, and is taken back as a whole", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/duplicates`);
  await page.getByRole("link", { name: "Merge by a rule …" }).click();
  await page.getByLabel("Where several have a value").selectOption({ label: "that of the one changed last counts" });
  await page.getByRole("button", { name: "See what it would do" }).click();
  await expect(page.getByText("5 people would become 2. 3 records that refer to them move along.")).toBeVisible();
  await expectNoFaults(page);
  await picture(page, "rule");
  const before = [await api.all("people"), await api.all("visits")];
  await page.getByRole("button", { name: "Do 2 merges" }).click();
  await expect(page.getByText("2 merges are done.")).toBeVisible();
  expect((await api.all("people")).map(({ id, city }) => [id, city])).toEqual([
    [1, "Bonn"],
    [3, expect.stringMatching(/Kiel|Ulm/)],
    [6, null],
  ]);
  expect((await api.all("visits")).map(({ personId }) => personId)).toEqual([1, 3, 3, 6]);
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.getByRole("link", { name: "Merge by a rule …" }).click();
  const runs = page.getByRole("region", { name: "Runs that can be taken apart" });
  await expect(runs.getByRole("listitem")).toContainText("2 merges");
  await picture(page, "rule-runs");
  await runs.getByRole("button", { name: /^Take apart/ }).click();
  await expect(page.getByText("Taken apart. 3 records came back.")).toBeVisible();
  await expect(runs).toBeHidden();
  const values = (records: Record<string, unknown>[]) => records.map(({ version, updatedAt, updatedBy, createdAt, ...own }) => own);
  expect([values(await api.all("people")), values(await api.all("visits"))]).toEqual(before.map(values));
});

test("in German", async ({ page }) => {
  await page.addInitScript((token) => {
    localStorage.setItem("intake.settings", JSON.stringify({ language: "de" }));
    sessionStorage.setItem("intake.token", token);
  }, api.token);
  await page.goto(`http://127.0.0.1:${service.port}/people/duplicates?rule=all`);
  await page.getByRole("button", { name: "Zeigen, was sie täte" }).click();
  await expect(page.getByText("Aus 5 Personen würden 2.")).toBeVisible();
  await picture(page, "rule-german");
});
