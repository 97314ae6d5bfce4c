// `npm run tour` takes every picture of docs/tour.md anew, from the real app on an empty store of its own.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "@playwright/test";
import { post } from "../bench/floors/poster.ts";
import { launch } from "../bench/support/browser.ts";
import { customerRows } from "../bench/support/customers.ts";
import { ADMIN_KEY, type Service, startService } from "../bench/support/service.ts";
import { MEMBERS_DICTIONARY, uglyFile } from "../e2e/support/ugly-file.ts";

const FOLDER = fileURLToPath(new URL("tour/", import.meta.url));
const STORED = 1_000; // customers that are there already
const WIDE = { width: 1280, height: 800 };
const SMALL = { width: 1100, height: 680 };
const PHONE = { width: 390, height: 800 };

const browser = await launch();
const service = await startService();
try {
  await mkdir(FOLDER, { recursive: true });
  await post(service, [JSON.stringify({ customers: readableCustomers() })]);
  await everyday(await openTab(browser, service));
  await file(await openTab(browser, service));
  await elsewhere(browser, service);
  await uglyWalk(browser);
  await livingDictionary(browser);
} finally {
  await service.stop();
  await browser.close();
}

/** Only names whose letters every computer can draw: without fonts for Chinese or Hindi there would be boxes in the pictures. */
function readableRows(count: number, seed: number) {
  const readable = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{P}\s]*$/u;
  return [...customerRows(count * 3, seed)].filter(([, first, last]) => readable.test(first + last)).slice(0, count);
}

function readableCustomers(): object[] {
  const rows = readableRows(STORED, 1);
  return rows.map(([id, firstName, lastName, accountID]) => ({
    objectId: Number(id),
    ...(firstName && { firstName }),
    lastName,
    accountID,
  }));
}

async function openTab(
  from: Browser,
  { origin }: Service,
  options: { viewport?: typeof WIDE; colorScheme?: "light" | "dark" } = {},
): Promise<Page> {
  const page = await from.newPage({ viewport: WIDE, colorScheme: "light", reducedMotion: "reduce", ...options });
  page.setDefaultTimeout(30_000);
  await page.goto(`${origin}/customers`);
  await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("table", { name: "Customers" }).waitFor();
  await page.mouse.move(0, 0); // off the row that now stands where the button was
  return page;
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: "disabled" });
  console.log(`docs/tour/${name}.png`);
}

/** The list, a filter, a form, and two people who change the same customer. */
async function everyday(page: Page): Promise<void> {
  await take(page, "list");
  await page.getByRole("searchbox", { name: "Search" }).fill("smith");
  await page
    .getByRole("row")
    .filter({ hasNotText: /Smith|Last name/ })
    .first()
    .waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await page.getByText(/ selected$/).waitFor();
  await take(page, "search-and-select");
  await page.getByRole("table", { name: "Customers" }).getByRole("link").first().click();
  await page.getByRole("textbox", { name: "Account ID" }).fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").waitFor();
  await take(page, "form-checked");
  await page.getByRole("textbox", { name: "Account ID" }).fill("0073-B");
  await page.getByRole("textbox", { name: "Last name" }).fill("Smith-Ångström");
  await colleagueChanges(page);
  const notice = page.getByText("changed this customer while you were editing.");
  // A page that does not follow changes yet finds out when it saves.
  await notice.waitFor({ timeout: 5_000 }).catch(() => page.getByRole("button", { name: "Save", exact: true }).click());
  await notice.waitFor();
  await take(page, "two-people");
  await page.close();
}

async function colleagueChanges(page: Page): Promise<void> {
  const path = new URL(page.url()).pathname;
  const token = await signInColleague();
  const reply = await fetch(`${service.origin}/v1${path}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ lastName: "Smith-Jones", firstName: "Roberta" }),
  });
  if (!reply.ok) throw new Error(`The colleague's change was refused: ${reply.status}.`);
}

/** Another writer than the one in the browser: a program with a key of its own. */
async function signInColleague(): Promise<string> {
  const headers = { Authorization: `Bearer ${await service.signIn()}`, "Content-Type": "application/json" };
  const made = await fetch(`${service.origin}/v1/keys`, {
    method: "POST",
    headers,
    body: JSON.stringify({ scope: "write", name: "Roberta Diaz" }),
  });
  const { key } = (await made.json()) as { key: string };
  const [id = "", secret = ""] = key.replace("ink_", "").split(".");
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
  const reply = await fetch(`${service.origin}/v1/oauth/token`, { method: "POST", body: form });
  return ((await reply.json()) as { access_token: string }).access_token;
}

/** A file as they are: headings of its own, a wrong id, ids with a letter, missing names. */
function wrongCustomers(rows: number): Buffer {
  const lines = ["Kundennr;Vorname;Nachname;Konto"];
  let i = 0;
  for (const [id, first, last, account] of readableRows(rows, 7)) {
    const key = i % 97 === 5 ? `${id}.0` : String(Number(id) + 50_000_000);
    lines.push([key, first, i % 61 === 7 ? "" : last, `${account} `].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(";"));
    i++;
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n`);
}

/** A file from its choice to its report, and back. */
async function file(page: Page): Promise<void> {
  await page.goto(`${service.origin}/customers/upload`);
  await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Drop a CSV file here").waitFor();
  await page.getByLabel("CSV file").setInputFiles({ name: "customers 2026.csv", mimeType: "text/csv", buffer: wrongCustomers(3_000) });
  const columns: Record<string, string> = { Kundennr: "Object ID", Vorname: "First name", Nachname: "Last name", Konto: "Account ID" };
  for (const [heading, field] of Object.entries(columns)) {
    const choice = page.getByRole("combobox", { name: `Field for ${heading}` });
    const options = await choice.locator("option").allTextContents();
    await choice.selectOption({ label: options.find((option) => option.startsWith(field)) ?? field });
  }
  await take(page, "upload-columns");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("This is a preview by the service.").waitFor();
  await take(page, "upload-check");
  await page.getByRole("button", { name: "Show: Enter the last name." }).click();
  await page.locator('td:focus[data-title="Last name"]').waitFor();
  await page.keyboard.type("Unknown");
  await page.keyboard.press("Enter");
  await page.getByText("2,921 rows are ready").waitFor();
  for (const key of ["ArrowUp", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Control+d"]) await page.keyboard.press(key);
  await page.getByText("2,924 rows are ready").waitFor();
  await take(page, "upload-grid");
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByRole("heading", { name: "Report" }).waitFor();
  await take(page, "upload-report");
  await page.close();
}

/** The ugliest file, from its columns to what is stored, in an app with another dictionary. */
async function uglyWalk(from: Browser): Promise<void> {
  const club = await startService({ DICTIONARY: MEMBERS_DICTIONARY });
  try {
    const page = await from.newPage({ viewport: WIDE, colorScheme: "light", reducedMotion: "reduce" });
    page.setDefaultTimeout(30_000);
    await page.goto(`${club.origin}/members/upload`);
    await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    const file = uglyFile();
    await page.getByLabel("CSV file").setInputFiles(file);
    const columns = page.getByRole("table", { name: "Columns" });
    await columns.getByText("100 % filled · 5,000 values").first().waitFor();
    await columns.evaluate((table) => table.scrollIntoView());
    await take(page, "ugly-columns");
    await page.getByRole("button", { name: "Use E-mail for Kontakt" }).click();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("button", { name: "Apply all proposals" }).waitFor();
    await take(page, "ugly-check");
    await page.getByRole("button", { name: "Apply all proposals" }).click();
    await page.getByText(`${file.clear.size.toLocaleString("en")} rows are ready`).waitFor();
    await page.getByText("This is a preview by the service.").waitFor();
    await take(page, "ugly-ready");
    await page.getByRole("button", { name: /^Apr 3, 2001/ }).click();
    await page.getByText("4,968 rows are ready").waitFor();
    await page.getByRole("button", { name: "Upload" }).click();
    await page.getByRole("heading", { name: "Report" }).waitFor();
    await take(page, "ugly-report");
    await page.close();
  } finally {
    await club.stop();
  }
}

/** A steward adds a field, gives one another kind, makes a collection of a file, and finds all of it among the versions. */
async function livingDictionary(from: Browser): Promise<void> {
  const own = await startService();
  try {
    const call = callerOf(own.origin, await own.signIn());
    await giveBirthdays(call);
    const page = await from.newPage({ viewport: SMALL, colorScheme: "light", reducedMotion: "reduce" });
    page.setDefaultTimeout(30_000);
    await page.goto(`${own.origin}/customers/dictionary`);
    await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    const main = page.getByRole("main");
    const edit = main.getByRole("button", { name: "Edit", exact: true });
    await edit.click();
    await main.getByRole("button", { name: "Add field" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Mobile");
    await page.getByLabel("Kind").selectOption("phone");
    await main.getByRole("figure").getByLabel("Mobile").waitFor();
    await page.getByText("Draft saved").waitFor();
    await take(page, "dictionary-field");
    await main.getByRole("button", { name: "Last name" }).click();
    await page.getByLabel("Most characters").fill("12");
    await main.getByRole("link", { name: "Review" }).first().click();
    await page.getByText(/records? breaks? it/).waitFor();
    await page.getByText("Draft saved").waitFor();
    await take(page, "dictionary-review");
    await main.getByRole("button", { name: "Apply" }).click();
    await page.getByText(/^The dictionary has changed/).waitFor();
    await page.getByText(/^The dictionary has changed/).waitFor({ state: "detached" }); // it would cover a row

    await edit.click();
    await main.getByRole("button", { name: "Birthday" }).click();
    await main.getByRole("button", { name: "Change kind…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("New kind").selectOption("date");
    await dialog.getByRole("button", { name: /^Convert/ }).waitFor();
    await take(page, "dictionary-convert");
    await dialog.getByRole("button", { name: /^Convert/ }).click();
    await dialog.getByRole("button", { name: "Close" }).click();

    await edit.click();
    await main.getByRole("link", { name: "New collection from a file…" }).click();
    await page.getByLabel("File for the new collection").setInputFiles({ name: "vehicles.csv", mimeType: "text/csv", buffer: vehicles() });
    await page.getByText("All 60 values are dates.").waitFor();
    await take(page, "dictionary-file");
    await main.getByRole("button", { name: "Add collection and review" }).click();
    await main.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("heading", { level: 1, name: /^Upload vehicles/ }).waitFor();
    await page.goto(`${own.origin}/customers/dictionary?versions=1`);
    await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Version 4").waitFor();
    await take(page, "dictionary-versions");
    await page.close();
  } finally {
    await own.stop();
  }
}

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

function callerOf(origin: string, token: string): Call {
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const reply = await fetch(`${origin}/v1${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
}

/** Birthdays as an earlier program wrote them: text, in several forms. */
async function giveBirthdays(call: Call): Promise<void> {
  const served = (await call("GET", "/dictionary")) as { resources: { schema: { fields: object[] } }[] };
  served.resources[0]?.schema.fields.push({ name: "birthday", title: "Birthday", type: "string" });
  const { id } = await call("POST", "/dictionary/drafts", { title: "Birthdays", package: served });
  await call("POST", `/dictionary/drafts/${id}/apply`, {});
  const forms = ["14.03.1980", "1975-11-02", "31.12.1990", "in May", "", "07.08.1969"];
  const customers = readableRows(60, 3).map(([, firstName, lastName, accountID], i) => ({
    ...(firstName && { firstName }),
    lastName,
    accountID,
    birthday: forms[i % forms.length] || null,
  }));
  await call("POST", "/customers", { customers });
}

function vehicles(): Buffer {
  const rows = Array.from({ length: 60 }, (_, i) =>
    [
      `${100 + i}`,
      `Van ${i + 1}`,
      `B-IN ${1000 + i}`,
      `${String((i % 28) + 1).padStart(2, "0")}.03.2024`,
      `${10 + i}.500,00 €`,
      ["new", "used", "worn"][i % 3],
    ].join(";"),
  );
  return Buffer.from(`\uFEFF${["No.;Vehicle;Plate;Bought on;Price;State", ...rows].join("\r\n")}\r\n`);
}

async function elsewhere(from: Browser, at: Service): Promise<void> {
  const dark = await openTab(from, at, { colorScheme: "dark" });
  await take(dark, "list-dark");
  await dark.close();
  const phone = await openTab(from, at, { viewport: PHONE });
  await take(phone, "list-phone");
  await phone.close();
}
