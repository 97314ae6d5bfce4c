// Several values in one field: form, row, filter, changes of many, files, and two people who change them at once.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, type Row, signIn } from "./support/service.ts";

const named = (name: string, title: string, german: string, more: object = {}) => ({
  ...{ name, title, type: "list", translations: { de: { title: german } } },
  ...more,
});
const LANDS = ["Bavaria", "Berlin", "Bremen", "Hamburg", "Hesse", "Saarland", "Saxony", "Thuringia"];
const PACKAGE = {
  title: "Club desk",
  resources: [
    {
      name: "members",
      title: "Members",
      singular: "member",
      noun: "member",
      translations: { de: { title: "Mitglieder", noun: "Mitglied" } },
      label: ["name"],
      schema: {
        primaryKey: "id",
        fields: [
          named("id", "ID", "Nummer", { type: "integer" }),
          named("name", "Name", "Name", { type: "string", constraints: { required: true } }),
          named("groups", "Groups", "Gruppen", {
            categories: [
              { value: "board", label: "Board", translations: { de: { label: "Vorstand" } } },
              { value: "choir", label: "Choir", translations: { de: { label: "Chor" } } },
              { value: "youth", label: "Youth", translations: { de: { label: "Jugend" } } },
            ],
          }),
          named("lands", "Lands", "Länder", { categories: LANDS }),
          named("tags", "Tags", "Stichworte", { delimiter: ";", constraints: { maxLength: 6 } }),
          named("sizes", "Sizes", "Größen", { itemType: "number" }),
        ],
      },
    },
  ],
};

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(undefined, { dataPackage: PACKAGE });
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const api = () => openApi(service.port);
const read = async (id: number) => (await (await api()).call("GET", `/members/${id}`)).json;
const typedIn = (page: Page, name: string) => page.getByLabel(name, { exact: true }).and(page.locator("input"));

async function make(values: Row): Promise<number> {
  const { json, status } = await (await api()).call("POST", "/members", values);
  expect(status).toBe(201);
  return Number(json.id);
}

test("a record gets several values by the keyboard alone, and they are stored as they are seen", async ({ page }, info) => {
  await signIn(page, at("/members/new"));
  await typedIn(page, "Name").fill("Ada Lang");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("checkbox", { name: "Board" })).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(typedIn(page, "Lands")).toBeFocused();
  await page.keyboard.type("ber");
  await expect(page.getByRole("option", { name: "Berlin" })).toBeVisible();
  await page.screenshot({ path: info.outputPath("options.png") });
  await page.keyboard.press("Enter");
  await page.keyboard.type("sa");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("first aid;says “yes”, ");
  await page.keyboard.press("Tab");
  await page.keyboard.type("36");
  await page.keyboard.press("Enter");
  await page.keyboard.type("37.5");
  await expectNoFaults(page);
  await page.screenshot({ path: info.outputPath("form.png") });
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText(/was created|Created/).first()).toBeVisible();
  const { json } = await (await api()).call("GET", "/members?groups[has]=choir&limit=1");
  expect((json.members as Row[])[0]).toMatchObject({
    groups: ["board", "choir"],
    lands: ["Berlin", "Saxony"],
    tags: ["first aid", "says “yes”"],
    sizes: [36, 37.5],
  });
});

test("what is typed and not yet a chip is saved by a press of Save, and by the arrow key that leaves a row", async ({ page }) => {
  await signIn(page, at("/members/new"));
  await typedIn(page, "Name").fill("Pressed Ada");
  await typedIn(page, "Tags").fill("first aid");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/was created|Created/).first()).toBeVisible();
  const { json } = await (await api()).call("GET", "/members?name=Pressed+Ada");
  const [made] = json.members as Row[];
  expect(made).toMatchObject({ tags: ["first aid"] });
  await typedIn(page, "Tags").fill("cook");
  await page.getByRole("button", { name: "More ways to save" }).click();
  await page.getByRole("menuitem", { name: "Save and close" }).click();
  await expect.poll(async () => (await read(Number(made?.id))).tags).toEqual(["first aid", "cook"]);

  await make({ name: "Pressed Bo" });
  await signIn(page, at("/members?q=pressed&sort=name"));
  await page.locator(`tr[data-id="${made?.id}"]`).getByRole("link").focus();
  await page.keyboard.press("F2");
  const cell = page.locator('td[data-title="Tags"] input');
  await cell.focus();
  await page.keyboard.type("driver");
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await read(Number(made?.id))).tags).toEqual(["first aid", "cook", "driver"]);
});

test("in a row of the list a value is added, a filter finds it, and many records get one and lose one", async ({ page }, info) => {
  const first = await make({ name: "Row Ada", groups: ["board"], tags: ["x"] });
  const second = await make({ name: "Row Bo", groups: ["choir"], tags: ["x", "y"] });
  await signIn(page, at("/members?q=row&sort=name"));
  await page.locator(`tr[data-id="${first}"]`).getByRole("link").focus();
  await page.keyboard.press("F2");
  const cell = page.locator('td[data-title="Groups"] input');
  await cell.focus();
  await page.keyboard.type("cho");
  await page.keyboard.press("Enter");
  await page.screenshot({ path: info.outputPath("row.png") });
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await read(first)).groups).toEqual(["board", "choir"]);

  await signIn(page, at("/members?groups[hasAll]=board,choir&q=row"));
  await expect(page.locator("tr[data-id]")).toHaveCount(1);
  await expect(page.getByText("has all of Board, Choir")).toBeVisible();
  await page.screenshot({ path: info.outputPath("list.png") });

  await signIn(page, at("/members?q=row&sort=name"));
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  const change = async (how: string, value: string) => {
    await page.getByRole("button", { name: "Change…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Field", { exact: true }).selectOption("Tags");
    await dialog.getByLabel("Change", { exact: true }).selectOption(how);
    await dialog.getByLabel("Values", { exact: true }).fill(value);
    await dialog.getByLabel("Values", { exact: true }).press("Enter");
    await page.screenshot({ path: info.outputPath(`bulk-${value}.png`) });
    await dialog.getByRole("button", { name: "Show what would change" }).click();
    await dialog.getByRole("button", { name: /^Change \d/ }).click();
    await expect(dialog).toHaveCount(0);
  };
  await change("Add these values", "z");
  await expect
    .poll(async () => [(await read(first)).tags, (await read(second)).tags])
    .toEqual([
      ["x", "z"],
      ["x", "y", "z"],
    ]);
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await change("Take these values out", "x");
  await expect.poll(async () => [(await read(first)).tags, (await read(second)).tags]).toEqual([["z"], ["y", "z"]]);
});

test("what two people add and take out at once is all kept", async ({ page }, info) => {
  const id = await make({ name: "Both", groups: ["board"], tags: ["a", "b", "c"] });
  await signIn(page, at(`/members/${id}`));
  await page.getByRole("button", { name: "Take out b" }).click();
  await typedIn(page, "Tags").fill("mine");
  await page.keyboard.press("Enter");
  await (await api()).call("PATCH", `/members/${id}`, { tags: ["theirs", "b", "c"] });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Both changes")).toBeVisible();
  await page.screenshot({ path: info.outputPath("both.png") });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(async () => (await read(id)).tags).toEqual(["theirs", "c", "mine"]);
});

test("a file has them in one cell, with another sign between them too, and an export gives them back", async ({ page }) => {
  const csv = 'Name;Groups;Tags;Sizes\r\nFile Ada;"Board, Choir";"one;two";1.5,2\r\nFile Bo;Youth|Board;three;\r\n';
  await signIn(page, at("/members/upload"));
  await page.getByLabel("CSV file").setInputFiles({ name: "members.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("Separate the values as the field does").first().click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const { json } = await (await api()).call("GET", "/members?q=file&sort=name");
  expect((json.members as Row[]).map(({ groups, tags, sizes }) => [groups, tags, sizes])).toEqual([
    [
      ["board", "choir"],
      ["one", "two"],
      [1.5, 2],
    ],
    [["youth", "board"], ["three"], null],
  ]);
});

test.describe("in German, dark, on a phone", () => {
  test.use({ locale: "de-DE", colorScheme: "dark", viewport: { width: 390, height: 844 } });
  test("form and list fit", async ({ page }, info) => {
    const id = await make({
      ...{ name: "Käthe Groß", groups: ["board", "youth"], lands: ["Berlin", "Bremen", "Thuringia"] },
      ...{ tags: ["Ein sehr langes Stichwort, das in keine Zeile passt und gekürzt wird", "kurz"], sizes: [37.5, 1200] },
    });
    await page.addInitScript(() => localStorage.setItem("intake.settings", JSON.stringify({ language: "de" })));
    const open = async (path: string) => {
      await page.goto(at(path));
      await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
      await page.getByRole("button", { name: "Anmelden" }).click();
    };
    await open(`/members/${id}`);
    await expect(page.getByText("Vorstand")).toBeVisible();
    await expect(page.getByText("37,5", { exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectNoFaults(page);
    await page.screenshot({ path: info.outputPath("form.png"), fullPage: true });
    await open("/members");
    await expect(page.getByText("Vorstand, Jugend").first()).toBeVisible();
    await page.screenshot({ path: info.outputPath("list.png") });
  });
});
