// A spreadsheet becomes a new collection with its rows stored, and so does a copybook without rows.

import { expect, type Page } from "@playwright/test";
import { rowsXml, xlsxFile } from "../pipeline/testing/workbooks.ts";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

let service: OwnService;
const address = (path = "/customers/dictionary") => `http://127.0.0.1:${service.port}${path}`;
test.beforeAll(async () => {
  service = await startService();
});
test.afterAll(() => service.remove());
test.describe.configure({ mode: "serial" });

const HEADING = [
  "No.",
  "Vehicle",
  "Plate",
  "Bought on",
  "Price",
  "In use",
  "State",
  "Driver e-mail",
  "Phone",
  "Year",
  "Post code",
  "Notes",
];
const ROWS = 60;
const rows = Array.from({ length: ROWS }, (_, i) => [
  String(100 + i),
  `Van ${i + 1}`,
  `B-IN ${1000 + i}`,
  `${String((i % 28) + 1).padStart(2, "0")}.03.2024`,
  `${10 + i}.500,${String(i).padStart(2, "0")} €`,
  i % 4 ? "yes" : "no",
  ["new", "used", "worn"][i % 3] as string,
  `driver${i}@example.org`,
  `+49 30 ${100_000 + i}`,
  String(2010 + (i % 14)),
  `0${1000 + i}`,
  i % 5 ? "" : "Needs tyres",
]);

function workbook(): File {
  return xlsxFile(
    [
      { name: "About", xml: rowsXml([["Fleet of the city"]]) },
      { name: "Fleet", xml: rowsXml([HEADING, ...rows]) },
    ],
    {},
    "vehicles.xlsx",
  );
}

async function choose(page: Page, label: string, file: File): Promise<void> {
  const buffer = Buffer.from(await file.arrayBuffer());
  await page.getByLabel(label).setInputFiles({ name: file.name, mimeType: "application/octet-stream", buffer });
}

const MINUTES = 2;
const MOST_PRESSES = 12;

test("a spreadsheet of 12 columns is a collection with its rows stored, in two minutes and at most twelve presses", async ({ page }) => {
  await signIn(page, address());
  const began = Date.now();
  let presses = 1; // on the input of the file
  const press = async (role: "button" | "link", name: string | RegExp) => {
    presses++;
    await page.getByRole("main").getByRole(role, { name }).first().click();
  };
  await press("button", "Edit");
  await press("link", "New collection from a file…");
  await expectNoFaults(page);
  await choose(page, "File for the new collection", workbook());
  const table = page.getByRole("table", { name: "Proposed fields" });
  await expect(table.getByRole("row", { name: /Bought on/ })).toContainText("All 60 values are dates.");
  await expect(table.getByRole("row", { name: /Post code/ })).toContainText("which a number would lose, so this stays text");
  await expect(page.getByLabel("Kind of State")).toHaveValue("choice");
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Vehicles");
  await expect(page.getByLabel("One of them")).toHaveValue("vehicle");
  await expectNoFaults(page);
  await press("button", "Add collection and review");
  await expect(page.getByRole("list", { name: "Changes" })).toContainText("Vehicles");
  await press("button", "Apply");
  await expect(page.getByRole("heading", { level: 1, name: /^Upload vehicles/ })).toBeVisible();
  await press("button", "Check");
  await press("button", /^Upload/);
  await expect(page.getByRole("link", { name: "Open the list" })).toBeVisible();
  expect(presses).toBeLessThanOrEqual(MOST_PRESSES);
  expect(Date.now() - began).toBeLessThan(MINUTES * 60_000);
  const api = await openApi(service.port);
  const { json } = await api.call("GET", "/vehicles/100");
  expect(json).toMatchObject({
    no: 100,
    vehicle: "Van 1",
    boughtOn: "2024-03-01",
    price: "10500",
    inUse: false,
    state: "new",
    year: 2010,
    postCode: "01000",
  });
  expect((await api.call("GET", "/vehicles?limit=1&count=exact")).json.total).toBe(ROWS);
});

test("what is proposed can be changed: a name, a kind, a column that is left out, and another sheet", async ({ page }) => {
  await signIn(page, address());
  await page.getByRole("main").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("link", { name: "New collection from a file…" }).click();
  const file = workbook();
  await choose(page, "File for the new collection", file);
  await page.getByLabel("Title of Vehicle").fill("Name of the car");
  await expect(page.getByText("nameOfTheCar")).toBeVisible();
  await page.getByLabel("Kind of Year").selectOption("text");
  await expect(page.getByRole("row", { name: /Take over Year/ })).toContainText("You chose this kind.");
  await page.getByLabel("Take over Notes").uncheck();
  await page.getByLabel("Title", { exact: true }).fill("");
  await page.getByRole("button", { name: "Add collection and review" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
  await page.getByLabel("Title", { exact: true }).fill("Vehicles");
  await page.getByRole("button", { name: "Add collection and review" }).click();
  await expect(page.getByRole("list", { name: "Changes" })).toContainText("Vehicles");
  await page.goBack();
  await choose(page, "File for the new collection", file);
  await page.getByLabel("Title of Vehicle").fill("Name of the car");
  await page.getByLabel("Kind of Year").selectOption("text");
  await page.getByLabel("Take over Notes").uncheck();
  await page.getByRole("button", { name: "Add collection and review" }).click();
  await expect(page.getByRole("list", { name: "Changes" }).getByRole("listitem")).toHaveCount(1); // the same file is one collection
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^Upload vehicles/ })).toBeVisible();
  const { json } = await (await openApi(service.port)).call("GET", "/dictionary");
  type Resource = { name: string; title: string; schema: { fields: { name: string; type: string }[] } };
  const made = (json.resources as Resource[]).find(({ name }) => name === "vehicles2");
  expect(made?.schema.fields.map(({ name }) => name)).not.toContain("notes");
  expect(made?.schema.fields).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: "nameOfTheCar" }), expect.objectContaining({ name: "year", type: "string" })]),
  );
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: /^Upload/ }).click();
  await expect(page.getByRole("link", { name: "Open the list" })).toBeVisible();
});

test("a file that is open in this tab stays, and the new one is named", async ({ page }) => {
  await signIn(page, address("/customers/upload"));
  await choose(page, "CSV file or spreadsheet", new File(["lastName,accountID\nOpen,A\n"], "open.csv"));
  await expect(page.getByRole("button", { name: "Check" })).toBeVisible();
  await page.getByRole("link", { name: "Data dictionary" }).click();
  await page.getByRole("main").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("link", { name: "New collection from a file…" }).click();
  await choose(page, "File for the new collection", new File(["Town,People\nBonn,1\nCork,2\n"], "towns.csv"));
  await page.getByRole("button", { name: "Add collection and review" }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText(/Another file is open in this tab. Upload towns.csv when it is done.$/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Towns: data dictionary" })).toBeVisible();
});

test("whoever may shape the dictionary and store nothing gets the collection without an upload", async ({ page }) => {
  const { json } = await (await openApi(service.port)).call("POST", "/keys", { name: "shaper", scope: "read dictionary" });
  await signIn(page, address(), String(json.key));
  await page.getByRole("main").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("link", { name: "New collection from a file…" }).click();
  await choose(page, "File for the new collection", new File(["River,Length\nRhine,1232\nLee,90\n"], "rivers.csv"));
  await page.getByRole("button", { name: "Add collection and review" }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("heading", { name: "Rivers: data dictionary" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Fields" })).toContainText("length");
});

test("a file that is none is refused in words, and so is an empty one", async ({ page }) => {
  await signIn(page, address());
  await page.getByRole("main").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("link", { name: "New collection from a file…" }).click();
  await choose(page, "File for the new collection", new File(["only,headings\n"], "headings.csv"));
  await expect(page.getByText("This file has a heading but no rows.")).toBeVisible();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose(page, "File for the new collection", new File(["Dear all, this is no copybook."], "letter.cpy"));
  await expect(page.getByText("This is no copybook that can be read.")).toBeVisible();
  await expectNoFaults(page);
});

const COPYBOOK = `       01  BRANCH-REC.
           05  BRANCH-ID        PIC 9(6).
           05  BRANCH-NAME      PIC X(30).
           05  OPENED-DATE      PIC 9(8).
           05  BALANCE          PIC S9(7)V99 COMP-3.
`;

test("by keyboard, on a phone, in German; a copybook gives a collection as well", async ({ newBrowser }) => {
  const page = await newBrowser({ viewport: { width: 390, height: 800 }, locale: "de-DE" });
  await page.goto(address());
  await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Bearbeiten" }).press("Enter");
  await page.getByRole("link", { name: "Neue Sammlung aus einer Datei …" }).press("Enter");
  await choose(page, "Datei für die neue Sammlung", workbook());
  await expect(page.getByText("Alle 60 Werte sind Tage.")).toBeVisible();
  await expectNoFaults(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: "Andere Datei wählen" }).press("Enter");
  await choose(page, "Datei für die neue Sammlung", new File([COPYBOOK], "branch.cpy"));
  await expect(page.getByText("Branch name", { exact: false }).first()).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("button", { name: "In den Entwurf übernehmen" }).press("Enter");
  await expect(page.getByRole("table", { name: "Felder" })).toContainText("openedDate");
  await page.getByRole("main").getByRole("link", { name: "Prüfen" }).first().press("Enter");
  await page.getByRole("button", { name: "Anwenden" }).press("Enter");
  await expect
    .poll(async () =>
      ((await (await openApi(service.port)).call("GET", "/dictionary")).json.resources as { name: string }[]).map(({ name }) => name),
    )
    .toContain("branches");
});

test("a ready package is added with its sample records, which one press takes back", async ({ page, browserName }) => {
  await signIn(page, address());
  await page.getByRole("main").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("link", { name: "Ready collections…" }).click();
  await expect(page.getByRole("list", { name: "Ready collections" }).getByRole("listitem")).toHaveCount(6);
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Add Inventory" }).click();
  await expect(page.getByRole("list", { name: "Changes" })).toContainText("Stock movements");
  await expect(page.getByRole("heading", { name: "Roles that come with it" })).toBeVisible();
  await expect(page.getByText("Stock movements: read: createdBy={me}")).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("The sample data is added.")).toBeVisible();
  const api = await openApi(service.port);
  const total = async (name: string) => (await api.call("GET", `/${name}?count=exact`)).json.total;
  expect([await total("articles"), await total("stockMovements")]).toEqual([3, 4]);
  await page.getByRole("link", { name: "Start" }).click();
  await expect(page.getByText("There are 7 records of the sample data.")).toBeVisible();
  if (browserName !== "firefox") await expectNoFaults(page); // axe ends Firefox 153 itself here
  await page.getByRole("button", { name: "Remove the sample data" }).click();
  await expect(page.getByText("The sample data is removed.")).toBeVisible();
  expect([await total("articles"), await total("stockMovements")]).toEqual([0, 0]);
});

const REDCAP = [
  '"Variable / Field Name","Form Name","Section Header","Field Type","Field Label","Choices, Calculations, OR Slider Labels","Field Note","Text Validation Type OR Show Slider Number","Text Validation Min","Text Validation Max",Identifier?,"Branching Logic (Show field only if...)","Required Field?"',
  'study_id,demographics,,text,"Study ID",,,,,,,,',
  'sex,demographics,,radio,Gender,"0, Female | 1, Male",,,,,,,y',
  'given_birth,demographics,,yesno,"Has given birth",,,,,,,"[sex] = \'0\'",y',
  "consent,demographics,,file,Consent,,,,,,,,",
  "site,demographics,,sql,Site,,,,,,,,",
].join("\r\n");

test("a REDCap data dictionary becomes a collection whose fields come and go as there, and what does not fit is named", async ({
  page,
}) => {
  await signIn(page, address());
  await page.getByRole("main").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("link", { name: "New collection from a file…" }).click();
  await choose(page, "File for the new collection", new File([REDCAP], "demo_trial_DataDictionary_2026-11-29.csv"));
  await expect(page.getByRole("heading", { name: "demo trial" })).toBeVisible();
  await expect(page.getByText('site the type "sql" has no counterpart, so it is left out')).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Add to the draft" }).click();
  await expect(page.getByRole("table", { name: "Fields" })).toContainText("given_birth");
  await expect(page.getByRole("table", { name: "Fields" })).toContainText("consent");
  await page.getByRole("main").getByRole("link", { name: "Review" }).first().click();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText(/^The dictionary has changed/)).toBeVisible();
  await page.goto(address("/demo_trial/new"));
  await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await page.keyboard.press("Enter");
  const gender = page.getByLabel("Gender", { exact: true });
  await gender.selectOption("Male");
  await expect(page.getByLabel("Has given birth", { exact: true })).toHaveCount(0);
  await gender.selectOption("Female");
  await page.getByLabel("Study ID", { exact: true }).fill("S-1");
  await page.keyboard.press("Control+S");
  await expect(page.getByRole("alert")).toContainText(/has given birth/i);
  await page.getByLabel("Has given birth", { exact: true }).selectOption({ index: 1 });
  await page.keyboard.press("Control+S");
  const api = await openApi(service.port);
  await expect.poll(async () => (await api.all("demo_trial")).map(({ study_id, sex }) => [study_id, sex])).toEqual([["S-1", "0"]]);
});
