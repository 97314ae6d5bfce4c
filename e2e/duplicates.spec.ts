// Somebody works through records that are stored twice, by keyboard, and is warned while typing one again.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import type { OwnService } from "./support/own-service.ts";
import { PEOPLE, picture, serveCollections } from "./support/people-who-are-twice.ts";
import { openApi, signIn } from "./support/service.ts";

let service: OwnService;
test.beforeAll(async () => {
  service = await serveCollections("duplicates", PEOPLE);
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
  await expect(page.getByText("Nothing else refers to the others.")).toBeVisible(); // nobody is asked a second time then
  await page.getByRole("button", { name: "Merge 2 people" }).click();
  await expect(page.getByText("Pair 1 of 1")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toBeFocused();
  await expect(page.getByRole("button", { name: "Take apart" })).toBeVisible();
  await page.getByRole("link", { name: "Merge …" }).click();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(page.getByText("Pair 1 of 1")).toBeVisible();
});
