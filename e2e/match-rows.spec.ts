// Rows name records by what people have: an e-mail address or a number, also several values together.

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, reported, signIn } from "./support/service.ts";

const DICTIONARY = {
  resources: [
    {
      name: "people",
      singular: "person",
      title: "People",
      translations: { de: { title: "Personen", noun: "Person" } },
      schema: {
        fields: [
          { name: "id", title: "Id", type: "integer" },
          { name: "email", title: "E-mail", type: "string", constraints: { unique: true } },
          { name: "name", title: "Name", type: "string", constraints: { required: true } },
          { name: "city", title: "City", type: "string" },
          { name: "team", title: "Team", type: "string" },
          { name: "seat", title: "Seat", type: "integer" },
        ],
        primaryKey: ["id"],
        uniqueKeys: [["team", "seat"]],
      },
    },
  ],
};

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(async () => {
    const folder = join(tmpdir(), `intake-match-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "dictionary.json");
    writeFileSync(path, JSON.stringify(DICTIONARY));
    return { DICTIONARY: path };
  });
  const api = await openApi(service.port);
  const people = Array.from({ length: 20 }, (_, i) => ({ email: `p${i}@x.org`, name: `P ${i}`, city: "Bonn", team: "a", seat: i }));
  expect((await api.call("POST", "/people", people)).status).toBe(201);
});
test.afterAll(() => service.remove());

const people = async () => (await openApi(service.port)).all("people");
const fileOf = (name: string, ...rows: string[]) => ({ name, mimeType: "text/csv", buffer: Buffer.from(rows.join("\n")) });

/** Counts what a person does in the page from now on; choosing the file is one more. */
async function countActs(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { acts: 0 };
    for (const type of ["click", "keydown"]) window.addEventListener(type, (event) => event.isTrusted && counted.acts++, true);
    Object.assign(window, { counted });
  });
  return async () => 1 + (await page.evaluate(() => (window as unknown as { counted: { acts: number } }).counted.acts));
}

/** A picture of the page where PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`), fullPage: true });
}

test("a file without keys updates by e-mail in four clicks, and the next such file needs fewer", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/upload`);
  const acts = await countActs(page);
  await page.getByLabel("CSV file").setInputFiles(fileOf("moves.csv", "email,city", "p1@x.org,Ulm", "p2@x.org,Kiel", "nobody@x.org,Oslo"));
  await page.getByRole("radio", { name: /^Update existing ones only/ }).check();
  await expect(page.getByText("A row whose E-mail is not known is refused.")).toBeVisible();
  await picture(page, "columns");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await expect(page.getByRole("region", { name: "Problems", exact: true })).toContainText("nobody@x.org");
  await picture(page, "refused");
  await page.getByRole("button", { name: "Upload 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await acts()).toBeLessThanOrEqual(4);
  expect([await reported(page, "Updated"), await reported(page, "Failed")]).toEqual([2, 1]);
  expect((await people()).filter(({ city }) => city !== "Bonn").map(({ email }) => email)).toEqual(["p1@x.org", "p2@x.org"]);
  await page.getByRole("button", { name: "Choose another file" }).click();
  await page.getByLabel("CSV file").setInputFiles(fileOf("later.csv", "email,city", "p3@x.org,Ulm"));
  await expect(page.getByText("Columns as last time.")).toBeVisible();
  await expect(page.getByRole("radio", { name: /^Update existing ones only/ })).toBeChecked();
});

test("an empty cell clears where that is ticked, and rows are matched by two values together", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/upload`);
  await page.getByLabel("CSV file").setInputFiles(fileOf("seats.csv", "email,team,seat,city", ",a,4,", ",a,5,Gent"));
  await page.getByRole("radio", { name: /^Update existing ones only/ }).check();
  await page.getByLabel("Matched by").selectOption({ label: "Team + Seat" });
  await page.getByRole("checkbox", { name: /^Empty cells clear stored values/ }).check();
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("button", { name: "Upload 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const seats = (await people()).filter(({ seat }) => seat === 4 || seat === 5);
  expect(seats.map(({ email, city }) => [email, city])).toEqual([
    [null, null],
    [null, "Gent"],
  ]);
});

test("a recipe whose column for matching a file lacks is not matched by it, and without the recipe it is as it was found", async ({
  page,
}) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/upload`);
  await page.getByLabel("CSV file").setInputFiles(fileOf("first.csv", "email,name,team,seat", "p9@x.org,Nine,a,9"));
  await page.getByRole("radio", { name: /^Add new ones and update existing ones/ }).check();
  await expect(page.getByLabel("Matched by")).toHaveValue("email");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("button", { name: "Save as recipe" }).click();
  await page.getByLabel("Name", { exact: true }).fill("By mail");
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/The recipe .By mail. is saved/)).toBeVisible();
  await page.getByRole("button", { name: "Choose another file" }).click();

  await page.getByLabel("CSV file").setInputFiles(fileOf("second.csv", "id,name,team,seat", "1,One,a,0"));
  await page.getByLabel("Recipe").selectOption("By mail");
  await expect(page.getByText(/also matches columns that this file lacks: .email./)).toBeVisible();
  await page.getByRole("radio", { name: /^Update existing ones only/ }).check();
  await expect(page.getByText("A row whose Id is not known is refused.")).toBeVisible();
  await expect(page.getByLabel("Matched by")).toHaveValue("id");
  await expect(page.getByText(/column is missing/)).toHaveCount(0);

  await page.getByRole("button", { name: "Choose another file" }).click();
  await page.getByLabel("CSV file").setInputFiles(fileOf("third.csv", "email,name,team,seat", "p9@x.org,Nine,a,9"));
  await page.getByLabel("Recipe").selectOption("By mail");
  await page.getByLabel("Recipe").selectOption("none");
  await page.getByRole("radio", { name: /^Update existing ones only/ }).check();
  await expect(page.getByText("A row whose E-mail is not known is refused.")).toBeVisible();
});

test("rows that repeat one another keep the last, and stored twins are updated from where the preview names them", async ({ page }) => {
  const rows = ["q1@x.org,First", "q1@x.org,Last", "q2@x.org,Only", "p7@x.org,Seven"];
  await signIn(page, `http://127.0.0.1:${service.port}/people/upload`);
  await page.getByLabel("CSV file").setInputFiles(fileOf("new.csv", "email,name", ...rows));
  await page.getByRole("button", { name: "Check", exact: true }).click();
  const problems = page.getByRole("region", { name: "Problems", exact: true });
  await expect(problems).toContainText("An earlier row of this file has the same E-mail.");
  await problems.getByRole("button", { name: /^Keep the last/ }).click();
  await expect(problems).toContainText("rows that repeat E-mail or are the same; the last one stays");
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await expect(problems).toContainText("p7@x.org");
  await picture(page, "repeats");
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Update it, too" }).click();
  await expect(page.getByRole("button", { name: "Upload 3 rows" })).toBeVisible();
  await page.getByRole("button", { name: "Upload 3 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const named = (await people()).filter(({ email }) => /^q|^p7@/.test(String(email)));
  expect(named.map(({ email, name }) => [email, name])).toEqual([
    ["p7@x.org", "Seven"],
    ["q1@x.org", "Last"],
    ["q2@x.org", "Only"],
  ]);
});

test("people whom a whole file lacks are found, selected and deleted, and come back", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/upload`);
  const api = await openApi(service.port);
  expect((await api.call("POST", "/people", { name: "Without an address" })).status).toBe(201);
  const before = await people();
  const rows = before.flatMap(({ email }) => (email && email !== "p7@x.org" && email !== "p9@x.org" ? [`${email},Essen`] : []));
  await page.getByLabel("CSV file").setInputFiles(fileOf("all.csv", "email,city", ...rows));
  await page.getByRole("radio", { name: /^Update existing ones only/ }).check();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("button", { name: `Upload ${rows.length} rows` }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.getByRole("button", { name: "Find people that the file lacks" }).click();
  await expect(page.getByText("The file lacks 2 people.")).toBeVisible();
  await expect(page.getByText(/\d cannot be named by such a file/)).toBeVisible();
  await expectNoFaults(page);
  await picture(page, "lacks");
  await page.getByRole("button", { name: "Select them in the list" }).click();
  await expect(page.getByText("2 selected")).toBeVisible();
  await expect(
    page
      .getByRole("table", { name: "People" })
      .getByRole("row")
      .filter({ hasText: /p[79]@x\.org/ }),
  ).toHaveCount(2);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Delete 2/ }).click();
  await expect.poll(async () => (await people()).length).toBe(before.length - 2);
  expect((await people()).map(({ email }) => email)).not.toContain("p7@x.org");
});

test("a file with a row that names nobody says so, and nothing is compared", async ({ page }) => {
  await signIn(page, `http://127.0.0.1:${service.port}/people/upload`);
  await page.getByLabel("CSV file").setInputFiles(fileOf("part.csv", "email,name", "p1@x.org,Someone", ",Nobody"));
  await page.getByRole("radio", { name: /^Add new ones and update existing ones/ }).check();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("button", { name: /^Upload \d rows?/ }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.getByRole("button", { name: "Find people that the file lacks" }).click();
  await expect(page.getByText("Line 3 does not say which record it means")).toBeVisible();
});
