// A collection that is a tree: what lies above a record and below it, and a move that is refused.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { field } from "./support/devices.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, signIn } from "./support/service.ts";

const PACKAGE = {
  title: "Machines",
  resources: [
    {
      name: "parts",
      title: "Parts",
      singular: "part",
      noun: "part",
      translations: { de: { title: "Teile", noun: "Teil" } },
      label: ["name"],
      schema: {
        primaryKey: "id",
        fields: [
          field("id", "ID", "Nummer", { type: "integer" }),
          field("name", "Name", "Name", { constraints: { required: true } }),
          field("partOfId", "Part of", "Teil von", { type: "integer" }),
        ],
        foreignKeys: [{ fields: ["partOfId"], reference: { resource: "parts", fields: ["id"] }, acyclic: true }],
      },
    },
  ],
};

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(undefined, { dataPackage: PACKAGE });
  const { call } = await openApi(service.port);
  const { status } = await call("POST", "/parts", [
    { id: 1, name: "Lorry" },
    { id: 2, name: "Motor", partOfId: 1 },
    { id: 3, name: "Piston", partOfId: 2 },
  ]);
  expect(status).toBe(201);
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;

test("a record shows what lies above it and below it, and cannot lie below itself", async ({ page }, info) => {
  await signIn(page, at("/parts/3"));
  const above = page.getByRole("navigation", { name: "Above this part" });
  await expect(above.getByRole("link")).toHaveText(["Lorry", "Motor"]);
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("record.png") });
  await above.getByRole("link", { name: "Lorry" }).click();
  await expect(page.getByRole("heading", { name: "Lorry" })).toBeVisible();
  await expect(above).toHaveCount(0);
  await page.getByRole("navigation", { name: "Parts of the part" }).getByRole("link", { name: "Parts 1" }).click();
  await expect(page.getByRole("link", { name: "Motor" }).first()).toBeVisible();
  await page.screenshot({ path: info.outputPath("children.png") });
  await page.goBack();
  await page.getByRole("combobox", { name: "Part of" }).fill("Piston");
  await page.getByRole("option", { name: /^Piston \d/ }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("a part cannot lie below itself").first()).toBeVisible();
});

test.describe("in German, dark, on a phone", () => {
  test.use({ locale: "de-DE", colorScheme: "dark", viewport: { width: 390, height: 844 } });
  test("the line above fits", async ({ page }, info) => {
    await page.goto(at("/parts/3"));
    await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("navigation", { name: "Über diesem Teil" }).getByRole("link")).toHaveText(["Lorry", "Motor"]);
    await page.screenshot({ path: info.outputPath("record.png") });
  });
});
