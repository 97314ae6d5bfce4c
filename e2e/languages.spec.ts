// The app in German, and in a test language written from right to left with every text in «…».

import { expect, type Page, test } from "@playwright/test";
import { LANGUAGES } from "../core/i18n/languages.ts";
import { watchNetwork } from "./support/network-idle.ts";
import { startService } from "./support/own-service.ts";
import { ADMIN_KEY, check, openApi, type Row, signIn, stored } from "./support/service.ts";

const choose = (page: Page, language: string) =>
  page.addInitScript((chosen) => localStorage.setItem("intake.settings", JSON.stringify({ language: chosen })), language);

const LANGUAGE_NAMES = Object.values(LANGUAGES).flatMap(({ name = [] }) => name);
/** Words that are not texts of the app: records, files, dates, and names that are the same in every language. */
const DATA = new RegExp(
  `Bracket\\w*|ADMIN_KEY|[\\w-]+\\.(?:csv|xlsx|ods|zip|jsonl)|Intake|ink_…|UTF-\\d+|\\b[kMG]B\\b|${LANGUAGE_NAMES.join("|")}|NOT A NUMBER|\\b(?:[A-Z][a-z]+day, )?[A-Z][a-z]{2,8} \\d+, \\d{4}(?:, \\d+:\\d+ [AP]M)?|\\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\\b`,
  "g",
);
const dictionary = new Set<string>();

test.beforeAll(async () => {
  const { json } = await (await openApi()).call("GET", "/dictionary");
  const words = (one: Row) => ["name", "title", "noun", "description", "example"].map((property) => String(one[property] ?? ""));
  for (const resource of json.resources as Row[]) {
    const { fields } = resource.schema as { fields: Row[] };
    for (const text of [resource, ...fields].flatMap(words)) dictionary.add(text);
  }
});

/** Texts and accessible names of the page that are not inside «…» and contain a word. */
async function outside(page: Page): Promise<string[]> {
  const bare = await page.evaluate(() => {
    const NAMES = ["aria-label", "placeholder", "title", "alt", "data-label", "data-title"];
    const OWN = "code, pre, kbd, bdi, [aria-hidden=true], #locale option:not(:first-child), .sampled, .match td:nth-child(2)"; // these elements hold data
    const found: string[] = [];
    let depth = 0;
    const read = (text: string) => {
      let rest = "";
      for (const letter of text) {
        if (letter === "«") depth++;
        else if (letter === "»") depth--;
        else if (depth === 0) rest += letter;
      }
      return rest;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element?.checkVisibility() && !element?.closest("option")) continue;
      if (node instanceof Text) {
        const rest = read(node.data);
        if (!element.closest(OWN)) found.push(rest);
      } else {
        const outerDepth = depth; // an accessible name is a text of its own, also within a sentence
        depth = 0;
        for (const name of NAMES) found.push(read(element.getAttribute(name) ?? ""));
        depth = outerDepth;
      }
    }
    return [...found, document.title.startsWith("«") ? "" : read(document.title)];
  });
  return bare
    .map((text) => text.replace(DATA, "").trim())
    .filter((text) => /\p{L}{2,}/u.test(text) && !dictionary.has(text.replace(/ [↑↓·]$/, "")));
}

async function expectWhole(page: Page, where: string): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => outside(page), where).toEqual([]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect([where, width, over]).toEqual([where, width, 0]);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${where}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

const FILE = "objectId,firstName,lastName,accountID,Bracketing\n,Bracket,Bracketed,B-1,x\nNOT A NUMBER,Bracket,,B-2,y\n";

test("every text is translated in a right-to-left language, and no page scrolls sideways", async ({ page }) => {
  test.setTimeout(150_000);
  const waitForIdle = watchNetwork(page);
  const { id } = await stored({ firstName: "Bracket", lastName: "Bracketed", accountID: "B-0" });
  await choose(page, "pseudo");
  await page.goto("/");
  await expect(page.getByRole("button", { name: "«Sign in»" })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe("rtl");
  await expectWhole(page, "sign-in");
  await page.getByRole("textbox", { name: "«API key»" }).fill(ADMIN_KEY);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "«Sign in»" }).click();

  await expect(page.getByRole("heading", { name: /^«Good (morning|afternoon|evening)»$/ })).toBeVisible();
  await expect(page.getByText("«Everything arrived as it should»")).toBeVisible();
  await page.getByRole("button", { name: "«As a table»" }).click();
  await expectWhole(page, "start");
  await page.goto("/customers?q=bracket&lastName[prefix]=bra");
  await expect(page.getByRole("link", { name: "Bracketed" }).first()).toBeVisible();
  await page.locator("tbody input[type=checkbox]").first().check();
  await expectWhole(page, "list");
  await page.goto("/customers?q=nothing-goes-by-this");
  await expect(page.getByText("«No customer matches")).toBeVisible();
  await page.goto("/customers/new");
  await page.getByRole("button", { name: "«Save»", exact: true }).click();
  await expect(page.getByText("«There are 2 problems.»")).toBeVisible();
  await expectWhole(page, "form");
  await page.goto(`/customers/${id}`);
  await expect(page.getByRole("button", { name: "«Delete»" })).toBeVisible();
  await expectWhole(page, "record");

  for (const place of ["settings", "about", "customers/dictionary", "nowhere/at/all"]) {
    await page.goto(`/${place}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("»");
    await waitForIdle();
    await expectWhole(page, place.replaceAll("/", "-"));
  }
  await page.goto("/customers");
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
  const help = page.getByRole("heading", { name: "«Keyboard shortcuts»" });
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(help).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expectWhole(page, "help");
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "«Find or go to»" })).toBeFocused();
  await expectWhole(page, "palette");
});

test("every text of an upload is translated, from its columns to its report", async ({ page }) => {
  test.setTimeout(150_000);
  await choose(page, "pseudo");
  await page.goto("/customers/upload");
  await page.getByRole("textbox", { name: "«API key»" }).fill(ADMIN_KEY);
  await page.getByRole("button", { name: "«Sign in»" }).click();
  const input = page.getByLabel("«CSV file or spreadsheet»");
  await expect(input).toBeAttached();
  await expectWhole(page, "file");
  await input.setInputFiles({ name: "words.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) });
  await expect(page.getByRole("button", { name: "«Check»" })).toBeVisible();
  await expectWhole(page, "columns");
  await page.getByRole("button", { name: "«Check»" }).click();
  await expect(page.getByText("«This is a preview by the service. Nothing is stored yet.»")).toBeVisible();
  await expectWhole(page, "check");
  await page.getByRole("button", { name: /^«Upload/ }).click();
  await expect(page.getByRole("heading", { name: "«Report»" })).toBeVisible();
  await expectWhole(page, "report");
  await page.getByRole("link", { name: "«Uploads»" }).click();
  await expect(page.getByRole("link", { name: "words.csv" })).toBeVisible();
  await expectWhole(page, "uploads");
});

test.describe("in a German browser", () => {
  test.use({ locale: "de-DE" });

  test("the app speaks German from sign-in to report, without being asked", async ({ page }) => {
    await stored({ firstName: "Jutta", lastName: "Wörtlich", accountID: "W-1" });
    await page.goto("/");
    await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Anmelden" }).click();
    await expect(page.getByRole("heading", { name: /^Guten (Morgen|Tag|Abend)$/ })).toBeVisible();
    await page.getByRole("list", { name: "Sammlungen" }).getByRole("link", { name: "Kunden" }).click();
    await expect(page.getByRole("heading", { name: "Kunden" })).toBeVisible();
    expect(await page.evaluate(() => [document.documentElement.lang, getComputedStyle(document.body).direction])).toEqual(["de", "ltr"]);
    await page.getByRole("searchbox", { name: "Suchen" }).fill("wörtlich");
    await page.getByRole("link", { name: "Wörtlich" }).first().click();
    await page.getByRole("textbox", { name: "Nachname" }).fill("");
    await page.getByRole("button", { name: "Speichern", exact: true }).click();
    await expect(page.getByRole("button", { name: "Bitte Nachname eingeben." })).toBeVisible();
    await page.getByRole("textbox", { name: "Nachname" }).fill("Wortgetreu");
    await page.getByRole("button", { name: "Speichern", exact: true }).click();
    await expect(page.getByText("Gespeichert.")).toBeVisible();

    await page.getByRole("link", { name: "Uploads" }).click();
    await page.getByRole("link", { name: "Datei hochladen" }).click();
    const rows = "Kundennummer;Vorname;Nachname;Kontonummer\n;Jörg;Wortreich;W-2\n;Inge;;W-3\n";
    await page.getByLabel("CSV-Datei").setInputFiles({ name: "wörter.csv", mimeType: "text/csv", buffer: Buffer.from(rows) });
    await page.getByRole("button", { name: "Prüfen" }).click();
    await expect(page.getByText("1 Zeile ist bereit")).toBeVisible();
    await page.getByRole("button", { name: "Hochladen" }).click();
    await expect(page.getByRole("heading", { name: "Bericht" })).toBeVisible();
    await expect(page.getByRole("row", { name: "2 3 Nicht gesendet Bitte Nachname eingeben." })).toBeVisible();
  });
});

test("on a small laptop no table of the administration is cut in German, nor the sign-in on the narrowest phone", async ({
  page,
  browser,
}) => {
  const service = await startService(); // one of its own: as soon as it has people, its sign-in page asks for e-mail and password
  const api = await openApi(service.port);
  const { json: role } = await api.call("POST", "/roles", { name: `Sachbearbeitung ${crypto.randomUUID()}`, scope: "customers:read" });
  await api.call("POST", "/users", {
    email: `${crypto.randomUUID()}@example.org`,
    name: "Wilhelmine Oberhuber",
    roles: [role.id, "editor"],
  });
  const { json: key } = await api.call("POST", "/keys", { name: "Nächtliche Übertragung der Kundendaten", scope: "write read *:delete" });
  await api.call("DELETE", `/keys/${key.id}`);
  await api.call("POST", "/webhooks", { url: "https://example.org/eine/lange/adresse/fuer/die/zustellung" });
  await choose(page, "de");
  await page.addInitScript((token) => sessionStorage.setItem("intake.token", token), api.token);
  const waitForIdle = watchNetwork(page);
  for (const place of [
    "settings/keys",
    "settings/people",
    "settings/webhooks",
    "recipes",
    "customers/deleted",
    "uploads",
    "customers/dictionary",
  ]) {
    await page.goto(`http://127.0.0.1:${service.port}/${place}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await waitForIdle();
    for (const width of [1280, 1024, 1000, 950, 901]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await page
        .locator("section[tabindex='0']")
        .evaluateAll((all) => all.map((one) => [one.ariaLabel, one.scrollWidth - one.clientWidth]).filter(([, over]) => Number(over) > 0));
      expect([place, width, cut]).toEqual([place, width, []]);
    }
  }
  const phone = await browser.newPage({ locale: "de-DE", viewport: { width: 320, height: 640 } });
  await phone.goto(`http://127.0.0.1:${service.port}/`);
  await expect(phone.getByRole("button", { name: "Mit einem API-Schlüssel anmelden" })).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await phone.close();
  await service.remove();
});

test("a user who chooses another language sees it at once, stays signed in and keeps the file", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "kept.csv", "lastName,accountID\nKept,K-1\n");
  await expect(page.getByText("1 row is ready")).toBeVisible();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "This browser" }).click();
  await page.getByRole("radio", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { name: "Dieser Browser" })).toBeFocused();
  await expect(page.getByText("1.234.567,89")).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByText("1 Zeile ist bereit")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Anmelden" })).toBeVisible();
});
