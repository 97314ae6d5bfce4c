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

async function elsewhere(from: Browser, at: Service): Promise<void> {
  const dark = await openTab(from, at, { colorScheme: "dark" });
  await take(dark, "list-dark");
  await dark.close();
  const phone = await openTab(from, at, { viewport: PHONE });
  await take(phone, "list-phone");
  await phone.close();
}
