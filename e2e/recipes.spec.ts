// How a file is read, matched and corrected is saved as a recipe, offered for the next file of its form, and used.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { openApi, reported, signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

const HEADINGS = "Nummer;Wer;Kto";

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await expect(page.getByRole("table", { name: "Columns" })).toBeVisible();
}
const fieldOf = (page: Page, column: string) => page.getByRole("combobox", { name: `Field for ${column}` });
const checkFile = (page: Page) => page.getByRole("button", { name: "Check", exact: true }).click();

// No other test of the same service shall be offered them.
test.afterEach(async () => {
  const api = await openApi();
  const { recipes } = (await api.call("GET", "/recipes")).json as { recipes: { id: string }[] };
  for (const { id } of recipes) await api.call("DELETE", `/recipes/${id}`);
});

test("a recipe saved after a check is offered for the next file and does the same with it", async ({ page, newBrowser }) => {
  const name = `Orders ${Date.now()}`;
  await signIn(page, "/customers/upload");
  await choose(page, "orders-2026-11.csv", `${HEADINGS}\n9910001.0;Ek;r-1\n9910002;Berg;r-2\n`);
  await fieldOf(page, "Nummer").selectOption("objectId");
  await fieldOf(page, "Wer").selectOption("lastName");
  await fieldOf(page, "Kto").selectOption("accountID");
  await checkFile(page);
  await page.getByRole("button", { name: "Remove “.0” in all" }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Save as recipe" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as recipe" });
  await expect(dialog.getByLabel("Name")).toHaveValue("orders");
  await dialog.getByLabel("Name").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Give the recipe a name.")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Name").press("Enter");
  await expect(page.getByText(`The recipe “${name}” is saved.`)).toBeVisible();

  // Another browser has no memory of the first file.
  const other = await newBrowser();
  await signIn(other, "/customers/upload");
  await choose(other, "orders-2026-12.csv", `Kto;Wer;Nummer\nr-3;Lind;9910003.0\nr-4;Ek;9910004\n`);
  await expect(other.getByText(`This file looks like those of the recipe “${name}”`)).toBeVisible();
  await other.getByRole("button", { name: "Use the recipe" }).click();
  await expect(other.getByRole("combobox", { name: "Recipe" })).toHaveText(new RegExp(name));
  await expect(fieldOf(other, "Wer")).toHaveValue("lastName");
  await checkFile(other);
  await expect(other.getByText("2 rows are ready")).toBeVisible();
  await other.getByRole("button", { name: "Upload" }).click();
  await expect(other.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(other, "Created")).toBe(2);
  const api = await openApi();
  expect((await api.call("GET", "/customers/9910003")).json).toMatchObject({ lastName: "Lind", accountID: "r-3" });
});

test("a recipe that matches more columns says which the file lacks; without the recipe the columns are as proposed", async ({ page }) => {
  const api = await openApi();
  const name = `Wide ${Date.now()}`;
  const content = { form: 1, mode: "upsert", choices: { delimiter: ";" }, columns: ["lastName", "accountID", "firstName"] };
  const rules = { autoFixes: [], leftOutGroups: [], values: [] };
  await api.call("POST", "/recipes", {
    name,
    collection: "customers",
    headings: ["Wer", "Kto", "Vorname"],
    content: { ...content, ...rules },
  });
  await signIn(page, "/customers/upload");
  await choose(page, "narrow.csv", "Wer;Kto\nEk;r-5\n");
  await page.getByRole("combobox", { name: "Recipe" }).selectOption(name);
  await expect(page.getByText(`The recipe “${name}” also matches columns that this file lacks: “Vorname”.`)).toBeVisible();
  await expect(page.getByRole("radio", { name: /^Add new ones and update/ })).toBeChecked();
  await expect(fieldOf(page, "Kto")).toHaveValue("accountID");
  await page.getByRole("combobox", { name: "Recipe" }).selectOption("none");
  await expect(fieldOf(page, "Wer")).toHaveValue("");
});

test("a recipe of one's own is replaced under its name, somebody else's is not", async ({ page }) => {
  const api = await openApi();
  const name = `Taken ${Date.now()}`;
  const content = { form: 1, mode: "create", choices: {}, columns: [], autoFixes: [], leftOutGroups: [], values: [] };
  await api.call("POST", "/recipes", { name, collection: "customers", headings: [], content });
  const { json: key } = await api.call("POST", "/keys", { name: "Colleague", scope: "write" });
  await signIn(page, "/customers/upload", String(key.key));
  await choose(page, "taken.csv", "Last name,Account ID\nEk,r-6\n");
  await checkFile(page);
  await page.getByRole("button", { name: "Save as recipe" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as recipe" });
  await dialog.getByLabel("Name").fill(name.toUpperCase());
  await dialog.getByRole("button", { name: "Replace" }).click();
  await expect(dialog.getByText(/ has saved a recipe of this name\. Choose another name\.$/)).toBeVisible();
  for (const label of ["Save", "Replace"]) {
    await dialog.getByLabel("Name").fill(`Own ${name}`);
    await dialog.getByRole("button", { name: label }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(`The recipe “Own ${name}” is saved.`)).toBeVisible();
    await page.getByRole("button", { name: "Save as recipe" }).click();
  }
  const { recipes } = (await api.call("GET", "/recipes?collection=customers")).json as { recipes: { name: string; version: number }[] };
  expect(recipes.find((one) => one.name === `Own ${name}`)?.version).toBe(2);
});

test("a recipe that holds a layout is named for what it is, and neither used nor replaced in the app", async ({ page }) => {
  const api = await openApi();
  const content = { form: 1, mode: "create", layout: { kind: "fixed", collection: "customers" } };
  const { json } = await api.call("POST", "/recipes", { name: "Mainframe", collection: "customers", headings: [], content });
  await signIn(page, "/customers/upload");
  await choose(page, "mainframe.csv", "Last name;Account ID\nLayouted;1\n");
  await page.getByRole("combobox", { name: "Recipe" }).selectOption("Mainframe");
  await expect(
    page.getByText("The recipe “\u2068Mainframe\u2069” holds the layout of a file of an older system: load such files"),
  ).toBeVisible();
  await checkFile(page);
  await page.getByRole("button", { name: "Save as recipe" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as recipe" });
  await expect(dialog.getByLabel("Name")).toHaveValue("mainframe");
  await dialog.getByRole("button", { name: "Replace" }).click();
  await expect(dialog.getByText("holds the layout of a file of an older system. Choose another name.")).toBeVisible();
  expect((await api.call("GET", `/recipes/${json.id}`)).json).toMatchObject({ version: 1, content });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await page.getByRole("link", { name: "Recipes" }).click();
  const row = page.getByRole("table", { name: "Recipes" }).getByRole("row", { name: "Mainframe" });
  await expect(row).toContainText("The layout of a file of an older system, which the batch command reads.");
  await expect(row.getByRole("button", { name: "Rename" })).toBeVisible();
  await expect(row.getByRole("link", { name: "Upload" })).toHaveCount(0);
});

test("the page of recipes says what each does; one is renamed, used for a file, and deleted after a question", async ({ page }) => {
  const api = await openApi();
  const name = `Partner ${Date.now()}`;
  const values = [{ field: "accountID", from: "n/a", to: "none" }];
  const content = {
    form: 1,
    mode: "create",
    choices: {},
    columns: ["lastName", "accountID", null],
    autoFixes: [],
    leftOutGroups: [],
    values,
  };
  await api.call("POST", "/recipes", { name, collection: "customers", headings: ["Wer", "Kto", "Ort"], content });
  await signIn(page, "/customers/upload");
  await page.getByRole("link", { name: "Recipes" }).click();
  await expect(page.getByRole("heading", { name: "Recipes" })).toBeFocused();
  const row = (of: string) => page.getByRole("table", { name: "Recipes" }).getByRole("row", { name: of });
  await expect(row(name)).toContainText("Adds records from 2 columns, with 1 replaced value.");
  await expect(row(name)).toContainText("just now");
  await expect(row(name).getByRole("cell", { name: "Never" })).toBeVisible();
  await expectNoFaults(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoFaults(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("button", { name: `Rename ${name}` }).click();
  const renaming = page.getByRole("dialog", { name: "Rename the recipe" });
  await expect(renaming.getByLabel("Name")).toBeFocused();
  await renaming.getByLabel("Name").fill(" ");
  await renaming.getByLabel("Name").press("Enter");
  await expect(renaming.getByText("Give the recipe a name.")).toBeVisible();
  await renaming.getByLabel("Name").fill(`New ${name}`);
  await renaming.getByLabel("Name").press("Enter");
  await expect(page.getByText(`The recipe is called “New ${name}” now.`)).toBeVisible();

  await page.getByRole("link", { name: `Upload with New ${name}` }).click();
  await expect(page.getByText(`The file that you choose is read by the recipe “New ${name}”.`)).toBeVisible();
  await choose(page, "partner.csv", "Kto;Wer\nn/a;Ek\n");
  await expect(page.getByRole("combobox", { name: "Recipe" })).toHaveText(new RegExp(`New ${name}`));
  await expect(fieldOf(page, "Wer")).toHaveValue("lastName");
  await page.getByRole("combobox", { name: "Recipe" }).selectOption("none");
  await expect(fieldOf(page, "Wer")).toHaveValue(""); // and it is not used again by itself
  await page.getByRole("combobox", { name: "Recipe" }).selectOption(`New ${name}`);
  await checkFile(page);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find or go to" }).fill("recipes");
  await page.keyboard.press("Enter");
  await expect(row(`New ${name}`)).toBeVisible();
  await expect(row(`New ${name}`).getByRole("cell", { name: "Never" })).toHaveCount(0);
  await page.getByRole("button", { name: `Delete New ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `Delete “New ${name}”?` });
  await expect(dialog).toContainText("Adds records from 2 columns, with 1 replaced value.");
  await expectNoFaults(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(row(`New ${name}`)).toBeVisible();
  await page.getByRole("button", { name: `Delete New ${name}` }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`The recipe “New ${name}” is deleted.`)).toBeVisible();
  await expect(row(`New ${name}`)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Recipes" })).toBeFocused();
  const { recipes } = (await api.call("GET", "/recipes")).json as { recipes: { name: string }[] };
  expect(recipes.map((one) => one.name)).not.toContain(`New ${name}`);
});
