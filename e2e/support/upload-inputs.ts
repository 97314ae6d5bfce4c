// The kinds of input that the rounds with faults and kills upload in turn: chosen, corrected and sent as a user does it.

import { expect, type Locator, type Page } from "@playwright/test";
import { odsFile, odsTable, rowsXml, xlsxFile, zipFile } from "../../pipeline/testing/workbooks.ts";
import { type customersFile, expectReport, type OwnService, ROWS } from "./own-service.ts";
import { openApi, reported } from "./service.ts";

const KINDS = ["csv", "corrected", "xlsx", "recipe", "several", "ods", "zip"] as const;
export type InputKind = (typeof KINDS)[number];

type ChosenFile = ReturnType<typeof customersFile>;

export interface UploadInput {
  kind: InputKind;
  /** In every last name, and in no other one of the service. */
  name: string;
  /** With what each must become: its last names. */
  files: readonly { file: ChosenFile; lastNames: readonly string[] }[];
  /** Rows that the user leaves out, and so never sent. */
  leftOut: number;
}

export interface ReportedRows {
  created: number;
  inDoubt: number;
  notSent: number;
}

/** The kind of a round: neighbours differ, so that the tests of one run have all of them. */
export function inputKind(round: number): InputKind {
  return KINDS[round % KINDS.length] as InputKind;
}

/** ROWS records in all, whatever the kind. `from`: the first id. Without it the rows have none, so that a row that is stored twice makes two records. */
export async function uploadInput(kind: InputKind, name: string, from?: number): Promise<UploadInput> {
  const lastNames = Array.from({ length: ROWS }, (_, i) => `${name} ${i}`);
  const rows = lastNames.map((lastName, i) => [from === undefined ? "" : String(from + i), lastName, ACCOUNT]);
  if (kind === "several") {
    const parts = [0, ROWS / 2].map((first) => [first, first + ROWS / 2] as const);
    const files = parts.map(async ([first, end]) => ({
      file: await writeTable("csv", `${name}from${first}`, [HEADINGS, ...rows.slice(first, end)]),
      lastNames: lastNames.slice(first, end),
    }));
    return { kind, name, files: await Promise.all(files), leftOut: 0 };
  }
  const leftOut = kind === "corrected" || kind === "recipe" ? 1 : 0;
  const table = [kind === "recipe" ? RECIPE_HEADINGS : HEADINGS, ...(leftOut > 0 ? damage(rows, kind) : rows)];
  return { kind, name, files: [{ file: await writeTable(kind, name, table), lastNames }], leftOut };
}

const ACCOUNT = "C";
const HEADINGS = ["objectId", "lastName", "accountID"];
const RECIPE_HEADINGS = ["Nummer", "Wer", "Kto"];

/** Longer than an account may be. */
const WRONG_ACCOUNT = "C".repeat(65);

/**
 * Returns what has to be corrected before it can be stored: ids that are none, a wrong account, a name that lacks if it can be typed, at
 * the end a row to leave out.
 */
function damage(rows: readonly string[][], kind: InputKind): string[][] {
  const wrong = rows.map(([id = "", lastName = "", account = ""], i) => {
    const written = i % 3 > 0 ? id : id === "" ? "n/a" : `${id}.0`;
    return [written, kind === "corrected" && i === 0 ? "" : lastName, i % 4 > 0 ? account : WRONG_ACCOUNT];
  });
  return [...wrong, ["", "Nobody", ""]];
}

async function writeTable(kind: InputKind, name: string, table: readonly string[][]): Promise<ChosenFile> {
  const csv = `${table.map((cells) => cells.join(",")).join("\n")}\n`;
  const written = () => {
    if (kind === "xlsx") return xlsxFile([{ name: "Customers", xml: rowsXml(table) }], {}, `${name}.xlsx`);
    if (kind === "ods") return odsFile(odsTable(table), {}, `${name}.ods`);
    if (kind === "zip") return zipFile({ "customers.csv": csv }, `${name}.zip`);
    return new File([csv], `${name}.csv`);
  };
  const file = written();
  return { name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(await file.arrayBuffer()) };
}

/** Once for each service, before a round with a recipe. Its rules put right what `damage` makes. */
export async function storeRecipe(service: OwnService): Promise<void> {
  const content = {
    form: 1,
    mode: "create",
    choices: {},
    columns: HEADINGS,
    autoFixes: ["trailingZero", "empty"].map((name) => ({ field: "objectId", name })),
    leftOutGroups: [{ field: "accountID", code: "REQUIRED" }],
    values: [{ field: "accountID", from: WRONG_ACCOUNT, to: ACCOUNT }],
  };
  const recipe = { name: RECIPE, collection: "customers", headings: RECIPE_HEADINGS, content };
  expect((await (await openApi(service.port)).call("POST", "/recipes", recipe)).status).toBe(201);
}

const RECIPE = "Rounds";

/** On the page of an upload, from the choice of the files to the first row that leaves. */
export async function startInput(page: Page, input: UploadInput): Promise<void> {
  await checkInput(page, input);
  if (input.kind !== "several") await page.getByRole("button", { name: "Upload" }).click();
}

/** Up to the button that uploads. Several files go on by themselves. */
export async function checkInput(page: Page, { kind, name, files }: UploadInput): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles(files.map(({ file }) => file));
  if (kind === "several") await page.getByRole("checkbox", { name: "Upload the next files automatically" }).check();
  if (kind === "recipe") {
    await page.getByRole("combobox", { name: "Recipe" }).selectOption(RECIPE);
    await expect(page.getByRole("combobox", { name: "Field for Wer" })).toHaveValue("lastName");
  }
  await page.getByRole("button", { name: "Check", exact: true }).click();
  if (kind === "corrected") await correct(page, name);
  if (kind === "corrected" || kind === "recipe") await expectCorrected(page);
}

async function correct(page: Page, name: string): Promise<void> {
  await page.getByRole("row", { name: /^1 / }).getByRole("gridcell", { name: "missing" }).click();
  await page.keyboard.type(`${name} 0`);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Leave out: Enter the account ID." }).click();
  await page.getByRole("button", { name: /^(Leave these cells empty|Remove “.0”)/ }).click();
  await page.getByRole("button", { name: /^Values: Account ID/ }).click();
  const values = page.getByRole("region", { name: "Values of Account ID" });
  await values.getByRole("combobox").selectOption("another value …");
  await values.getByRole("textbox").fill(ACCOUNT);
  await values.getByRole("button", { name: "Apply 1 value" }).click();
}

/** Every correction is there: the typed cell, the rules for ids and accounts, the row that is left out. */
export async function expectCorrected(page: Page): Promise<void> {
  await expect(page.getByText(`${ROWS.toLocaleString("en")} rows are ready`)).toBeVisible({ timeout: 30_000 });
}

/** Returns what the reports of all its files say. Each report adds up. */
export async function reportOf(page: Page, { kind, files }: UploadInput): Promise<ReportedRows> {
  if (kind !== "several") {
    await expectReport(page);
    return readReport(page);
  }
  const sum: ReportedRows = { created: 0, inDoubt: 0, notSent: 0 };
  for (const { file } of files) {
    const link = queued(page, file.name).getByRole("link");
    await expect(link).toContainText("stored", { timeout: 60_000 });
    await link.click();
    await expect(page.getByRole("heading", { name: file.name })).toBeVisible();
    const one = await readReport(page);
    for (const outcome of ["created", "inDoubt", "notSent"] as const) sum[outcome] += one[outcome];
    await page.goBack();
  }
  return sum;
}

async function readReport(page: Page): Promise<ReportedRows> {
  const rows = page.getByRole("table", { name: "Outcomes" }).getByRole("row");
  await expect(rows.first()).toBeVisible();
  const counts = await rows.evaluateAll((all) => all.map((row) => Number((row.lastElementChild?.textContent ?? "").replace(/\D/g, ""))));
  expect(counts.slice(0, -1).reduce((sum, n) => sum + n, 0)).toBe(counts.at(-1));
  return { created: await reported(page, "Created"), inDoubt: await reported(page, "In doubt"), notSent: await reported(page, "Not sent") };
}

function queued(page: Page, fileName: string): Locator {
  return page.getByRole("region", { name: "Chosen files" }).getByRole("listitem").filter({ hasText: fileName });
}

/** Every row of the files as corrected is one record, and there is no other one. */
export async function expectInputOnce(service: OwnService, input: UploadInput): Promise<void> {
  expect(await storedOf(service, input)).toEqual(meantBy(input));
}

/** Says whether a row of these files is stored. */
export async function isBegun(service: OwnService, input: UploadInput): Promise<boolean> {
  const meant = new Set(meantBy(input));
  return (await storedOf(service, input)).some((record) => meant.has(record));
}

/** The records that the files must become, as text. */
function meantBy({ files }: UploadInput): string[] {
  return files.flatMap(({ lastNames }) => lastNames.map((lastName) => `${lastName} ${ACCOUNT}`)).sort();
}

async function storedOf(service: OwnService, { name }: UploadInput): Promise<string[]> {
  const records = await (await openApi(service.port)).all("customers", name.toLowerCase());
  return records.map(({ lastName, accountID }) => `${lastName} ${accountID}`).sort();
}
