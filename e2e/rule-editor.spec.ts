// A steward makes a rule, tries it on records, and sees what it would find, without JSON and by keyboard alone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

let service: OwnService;
const address = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const { PICTURES } = process.env;

const [STAFF] = JSON.parse(readFileSync("core/dictionary/staff-rules.example.json", "utf8")).resources;
const RULES: readonly object[] = STAFF.rules.slice(1, 3);
const ORDER = {
  name: "endAfterStart",
  must: "endOn >= startOn",
  message: "“End” must not be before “Start”.",
  translations: { de: { message: "„Ende“ darf nicht vor „Anfang“ liegen." } },
};

test.beforeAll(async () => {
  service = await startService();
  await apply(RULES);
  const api = await openApi(service.port);
  const records = Array.from({ length: 40 }, (_, i) => ({
    ...{ id: i + 1, firstName: "Ada", lastName: `Member ${i}`, email: "a@example.com", startOn: "2026-01-31", contract: "full" },
    endOn: i % 4 === 0 ? "2025-12-31" : "2026-12-31",
  }));
  expect((await api.call("POST", "/staff", records)).status).toBe(201);
});
test.afterAll(() => service.remove());

/** Returns the id of a draft in which staff have these rules. */
async function draftWith(rules: readonly object[]): Promise<string> {
  const api = await openApi(service.port);
  const { version: _, ...dictionary } = (await api.call("GET", "/dictionary")).json;
  const resources = dictionary.resources as { name: string }[];
  const [staff = STAFF] = resources.filter(({ name }) => name === "staff");
  const others = resources.filter(({ name }) => name !== "staff");
  const draft = await api.call("POST", "/dictionary/drafts", {
    ...{ title: "Staff", package: { ...dictionary, resources: [...others, { ...staff, rules }] } },
  });
  expect(draft.status).toBe(201);
  return String(draft.json.id);
}

async function apply(rules: readonly object[]): Promise<void> {
  const api = await openApi(service.port);
  expect((await api.call("POST", `/dictionary/drafts/${await draftWith(rules)}/apply`)).status).toBe(200);
}

/** Puts the dictionary back to two rules, whatever a test before has done, with a draft that has a third one or none. */
async function begin(drafted: "a third rule" | "no draft"): Promise<void> {
  const api = await openApi(service.port);
  for (const { id } of (await api.call("GET", "/dictionary/drafts")).json.drafts as { id: string }[])
    expect((await api.call("DELETE", `/dictionary/drafts/${id}`)).status).toBe(204);
  const { resources } = (await api.call("GET", "/dictionary")).json as { resources: { name: string; rules?: object[] }[] };
  if (resources.find(({ name }) => name === "staff")?.rules?.length !== RULES.length) await apply(RULES);
  if (drafted === "a third rule") await draftWith([...RULES, ORDER]);
}

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`), fullPage: (await page.getByRole("dialog").count()) === 0 });
  }
  await page.emulateMedia({ colorScheme: null });
}

async function openRules(page: Page): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^(Edit|Bearbeiten)$/ })
    .click();
  await page.getByRole("link", { name: /^(Rules|Regeln)$/ }).click();
  await expect(page.getByRole("list", { name: /^(Rules|Regeln)$/ })).toBeVisible();
}

const rows = (page: Page) => page.getByRole("list", { name: /^(Rules|Regeln)$/ }).getByRole("listitem");
const verdicts = (page: Page) => page.getByRole("list", { name: "What the rules say" }).getByRole("listitem");

test("a rule is made of a shape, counted, tried and applied", async ({ page }) => {
  await begin("no draft");
  await signIn(page, address("/staff/dictionary"));
  await openRules(page);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Add rule…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Shape").selectOption({ label: "One is not before the other" });
  await dialog.getByLabel("The later one").selectOption({ label: "End" });
  await expect(dialog.getByLabel("The earlier one").getByRole("option")).not.toContainText(["Salary"]);
  await dialog.getByLabel("The earlier one").selectOption({ label: "Start" });
  await expect(dialog.getByLabel("Must be true")).toHaveValue("endOn >= startOn");
  await expect(dialog.getByLabel("Sentence in German")).toHaveValue("„Ende“ darf nicht vor „Anfang“ liegen.");
  await expectNoFaults(page);
  await picture(page, "dialog-shape");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await expect(rows(page).last()).toContainText("“End” must not be before “Start”.");
  await expect(rows(page).last()).toContainText("10 stored records stand against it.");
  await expectNoFaults(page);
  await picture(page, "list");
  await rows(page).last().getByRole("link", { name: "Show 10 of them" }).click();
  await expect(page.locator("footer").getByText("10 staff")).toBeVisible();
  await expect(page.getByText("Member 36", { exact: true })).toBeVisible();
});

test("the tester says which rules fire, which not, and which cannot be told", async ({ page }) => {
  await begin("a third rule");
  await signIn(page, address("/staff/dictionary"));
  await openRules(page);
  await expect(verdicts(page)).toContainText([
    /^Broken: E-mail or phone is needed/,
    /^Not asked: A temporary/,
    /^Cannot be told, so nothing is broken: “End”/,
  ]);
  await page.getByLabel("Number of a stored record").fill("1");
  await page.keyboard.press("Enter");
  await expect(verdicts(page)).toContainText([/^Kept: E-mail/, /^Not asked: A temporary/, /^Broken: “End”.*Start: .*2026 · End: .*2025/]);
  await page.getByRole("textbox", { name: "End", exact: true }).fill("2/1/2026");
  await expect(verdicts(page).last()).toContainText("Kept:");
  await picture(page, "tester");
  await page.getByRole("link", { name: "Fields", exact: true }).click();
  await page.getByRole("button", { name: "Phone", exact: true }).click();
  await page.getByText("Depends on other fields").click();
  await page.getByLabel("Computed").fill('"030 " + lastName');
  await page.getByRole("link", { name: "Rules" }).click();
  await page.getByLabel("Last name").fill("Seven"); // what is computed is not typed, but what it is made of
  await expect(verdicts(page).first()).toContainText("Kept: E-mail or phone is needed.E-mail: empty · Phone: 030 Seven");
  await page.getByRole("link", { name: "Fields", exact: true }).click(); // where the field is still open
  await page.getByLabel("Computed").fill("");
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(page.getByRole("textbox", { name: "Phone", exact: true })).toBeVisible();
  await expect(page.getByText("Draft saved")).toBeVisible();
});

test("a stored rule is changed, becomes a warning, and is set back by a shape", async ({ page }) => {
  await begin("a third rule");
  await signIn(page, address("/staff/dictionary"));
  await openRules(page);
  const first = rows(page).first();
  await first.getByRole("button").first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Must be true")).toHaveValue("!isEmpty(email) || !isEmpty(phone)");
  await dialog.getByLabel("Must be true").fill("!isEmpty(email) && !isEmpty(phone");
  await dialog.getByRole("button", { name: "Take over" }).click();
  await expect(dialog.getByLabel("Must be true")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog.getByText(/What you typed is not saved/)).toBeVisible();
  await dialog.getByLabel("Must be true").fill("!isEmpty(email) && !isEmpty(phone)");
  await dialog.getByLabel("A record that breaks it").selectOption("warning");
  await dialog.getByRole("button", { name: "Take over" }).click();
  await expect(first).toContainText("warning");
  await expect(first).toContainText("changed");
  await expect(first).toContainText("40 stored records stand against it.");
  await expect(first.getByRole("link", { name: "Show 25 of them" })).toBeVisible();
  await expect(verdicts(page).first()).toContainText("Warns:");
  await first.getByRole("button").first().click();
  await dialog.getByLabel("Shape").selectOption({ label: "One of two is needed" });
  await dialog.getByLabel("This one", { exact: true }).selectOption({ label: "E-mail" });
  await dialog.getByLabel("or this one").selectOption({ label: "Phone" });
  await expect(dialog.getByLabel("Must be true")).toHaveValue("!isEmpty(email) || !isEmpty(phone)");
  await dialog.getByLabel("A record that breaks it").selectOption("error");
  await dialog.getByLabel("Sentence for whoever breaks it, in English").fill("E-mail or phone is needed.");
  await dialog.getByLabel("Sentence in German").fill("E-Mail oder Telefon wird gebraucht.");
  await dialog.getByRole("button", { name: "Take over" }).click();
  await expect(first.getByText("changed")).toHaveCount(0);
  await expect(page.getByText("Draft saved")).toBeVisible();
});

test("a rule follows the new name of a field, and a field is needed where another one says so", async ({ page }) => {
  await begin("a third rule");
  await signIn(page, address("/staff/dictionary"));
  await page.getByRole("main").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "End", exact: true }).click();
  await page.getByLabel("Name in files and requests").fill("me"); // on its way to a name it may be a word of rules
  await page.keyboard.type("mberUntil");
  await page.getByText("Depends on other fields").click();
  await page.getByLabel("Needed where").fill('contract == "temp');
  await expect(page.getByText(/^Character 13: /)).toBeVisible();
  await page.getByLabel("Needed where").fill('contract == "temp" && isEmpty(memberUntl)');
  await page.getByLabel("Needed where").fill('contract == "temp"');
  await page.getByLabel("A new record begins with").fill("5");
  await expect(page.getByText("Character 1: must give a date, and this is a number")).toBeVisible();
  await page.getByLabel("A new record begins with").fill("startOn");
  await expectNoFaults(page);
  await picture(page, "field");
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(rows(page).last()).toContainText("memberUntil >= startOn");
  await page.getByRole("main").getByRole("link", { name: "Review" }).first().click();
  await expect(page.getByRole("list", { name: "Changes" })).toContainText("is named memberUntil instead of endOn");
  await page.getByRole("link", { name: "Fields", exact: true }).click();
  await page.getByRole("button", { name: "End", exact: true }).click();
  await page.getByLabel("Name in files and requests").fill("endOn");
  await page.getByLabel("Needed where").fill("");
  await page.getByLabel("A new record begins with").fill("");
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(rows(page).last()).toContainText("endOn >= startOn");
  await expect(page.getByText("Draft saved")).toBeVisible();
});

test("the review names the rule and what it finds, and once applied the service holds to it", async ({ page }) => {
  await begin("a third rule");
  await signIn(page, address("/staff/dictionary"));
  await openRules(page);
  await page.getByRole("main").getByRole("link", { name: "Review" }).first().click();
  const changes = page.getByRole("list", { name: "Changes" });
  await expect(changes.getByRole("listitem")).toHaveCount(1);
  await expect(changes).toContainText("Staff: new rule: “End” must not be before “Start”.");
  await expect(changes).toContainText("10 stored records stand against it.");
  await picture(page, "review");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText(/^The dictionary has changed/)).toBeVisible();
  const api = await openApi(service.port);
  expect((await api.call("PATCH", "/staff/2", { endOn: "2020-01-01" })).status).toBe(422);
});

test("by keyboard alone, on a phone, in German: an expression, with its mistake at its place and words that are offered", async ({
  newBrowser,
}) => {
  await begin("a third rule");
  const page = await newBrowser({ viewport: { width: 390, height: 800 }, locale: "de-DE" });
  await page.goto(address("/staff/dictionary"));
  await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Bearbeiten" }).press("Enter");
  await page.getByRole("link", { name: "Regeln" }).press("Enter");
  await page.getByRole("button", { name: "Regel hinzufügen …" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Form", { exact: true })).toBeFocused();
  await page.keyboard.press("Tab");
  const must = dialog.getByLabel("Muss wahr sein");
  await expect(must).toBeFocused();
  await page.keyboard.type("Geh");
  await expect(dialog.getByRole("option", { name: /salary/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(must).toHaveValue("salary");
  await page.keyboard.type(" >= hours * 12 && contrct == 5");
  await expect(dialog.getByText("es gibt kein Feld „contrct“; meinten Sie „contract“?")).toBeVisible();
  await expect(dialog.locator("mark").first()).toHaveText("contrct");
  await expectNoFaults(page);
  await picture(page, "dialog-de-390");
  await page.keyboard.press("Escape"); // closes what is offered, or warns; what was typed stays
  await expect(must).toHaveValue("salary >= hours * 12 && contrct == 5");
  for (let i = 0; i < " && contrct == 5".length; i++) await page.keyboard.press("Backspace");
  for (let i = 0; i < 3; i++) await page.keyboard.press("Tab"); // over the condition and what becomes of the record
  await page.keyboard.type("The pay is too low.");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).last()).toContainText("fehlt auf Deutsch");
  await expectNoFaults(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await rows(page).last().getByRole("button").first().press("Alt+ArrowUp");
  await expect(rows(page).nth(2)).toContainText("The pay is too low.");
  await expect(rows(page).nth(2).getByRole("button").first()).toBeFocused();
  await picture(page, "list-de-390");
  await rows(page)
    .nth(2)
    .getByRole("button", { name: /entfernen$/ })
    .press("Enter");
  await expect(rows(page)).toHaveCount(3);
});
