// A steward says how people are compared, what is stored twice is found, and a clerk works thirty pairs off by keyboard.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { PEOPLE, picture } from "./support/people-who-are-twice.ts";
import { openApi, signIn } from "./support/service.ts";

const PAIRS = 30;
const FIRST_NAMES = ["Anna", "Ben", "Chloé", "Dmitri", "Eszter", "Fatima"];
const LAST_NAMES = ["Müller", "Okafor", "Lindström", "Nowak", "García"];

let service: OwnService;
const address = (path: string) => `http://127.0.0.1:${service.port}${path}`;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  service = await startService();
  const api = await openApi(service.port);
  const { version: _, resources, ...dictionary } = (await api.call("GET", "/dictionary")).json;
  const { match: _match, ...people } = PEOPLE;
  const drafted = { title: "People", package: { ...dictionary, resources: [...(resources as object[]), people] } };
  const draft = await api.call("POST", "/dictionary/drafts", drafted);
  expect((await api.call("POST", `/dictionary/drafts/${draft.json.id}/apply`)).status).toBe(200);
  const twice = Array.from({ length: PAIRS }, (_, i) => {
    const firstName = FIRST_NAMES[i % FIRST_NAMES.length];
    const lastName = LAST_NAMES[Math.floor(i / FIRST_NAMES.length)];
    const phone = `+49 171 55${String(i * 7919).padStart(6, "0")}`;
    return [
      { firstName, lastName, phone, city: "Bonn" },
      { firstName, lastName, phone: phone.replace("+49 ", "0"), born: `${1950 + i}-03-04` },
    ];
  });
  expect((await api.call("POST", "/people", { people: twice.flat() })).status).toBe(201);
});
test.afterAll(() => service.remove());

test("comparisons are proposed, changed and explained, and duplicates are found once they are applied", async ({ page }) => {
  await signIn(page, address("/people/dictionary"));
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const parts = page.getByRole("navigation", { name: "Parts of the draft" });
  await parts.getByRole("link", { name: "Duplicates", exact: true }).click();
  await expect(page.getByText("Duplicates of this collection are not looked for.")).toBeVisible();
  await page.getByRole("button", { name: "Propose comparisons" }).click();
  const comparisons = page.getByRole("list", { name: "Comparisons", exact: true }).getByRole("listitem");
  await expect(comparisons).toHaveCount(3);
  await expect(page.getByLabel("The same from so many points", { exact: true })).toHaveValue("9.5");
  await expect(page.getByText("This is enough: First name + Last name & Phone")).toBeVisible();
  await page.getByRole("button", { name: "Add comparison" }).click();
  const city = comparisons.nth(3);
  await expect(city.getByLabel("Field", { exact: true })).toBeFocused();
  await expect(city.getByLabel("Field", { exact: true })).toHaveValue("city");
  await city.getByLabel("Compared", { exact: true }).selectOption("but for a letter or two");
  await city.getByLabel("Points off if different").fill("0.5");
  await expectNoFaults(page);
  await picture(page, "match-editor");
  await city.getByRole("button", { name: "Remove City" }).click();
  await expect(comparisons).toHaveCount(3);
  await expect(page.getByRole("button", { name: "Add comparison" })).toBeFocused();
  await page.getByLabel("The same from so many points", { exact: true }).fill("5");
  await expect(page.getByText("This is enough: First name + Last name; Phone; Born on").first()).toBeVisible();
  await page.getByRole("link", { name: "Review", exact: true }).first().click();
  await expect(page.getByText("must not be above same")).toBeVisible();
  await parts.getByRole("link", { name: "Duplicates", exact: true }).click();
  await page.getByLabel("The same from so many points", { exact: true }).fill("9.5");
  await parts.getByRole("link", { name: "Review", exact: true }).click();
  await expect(page.getByRole("list", { name: "Changes" })).toContainText("People: duplicates are found in another way");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(page.getByText(/^The dictionary has changed/)).toBeVisible();
  const api = await openApi(service.port);
  await expect
    .poll(async () => (await api.call("GET", "/people/duplicates?limit=100")).json, { timeout: 50_000 })
    .toMatchObject({ pairs: Array.from({ length: PAIRS }, () => ({ level: "same" })), progress: 1 });
});

test("thirty pairs take two keys each", async ({ page }) => {
  await signIn(page, address("/people/duplicates"));
  await expect(page.getByText(`Pair 1 of ${PAIRS}`)).toBeVisible();
  let keys = 0;
  const press = async (key: string) => {
    keys++;
    await page.keyboard.press(key);
  };
  for (let left = PAIRS; left > 0; left--) {
    await expect(page.getByRole("heading", { level: 2 })).toBeFocused();
    if (left % 5 === 0) await press("d");
    else {
      await press("m");
      await expect(page.getByText("Nothing else refers to the others.")).toBeVisible();
      await press("ControlOrMeta+Enter");
    }
    await expect(page.getByText(left > 1 ? `Pair 1 of ${left - 1}` : "No people seem to be stored twice")).toBeVisible();
  }
  expect(keys).toBeLessThanOrEqual(2 * PAIRS);
});
