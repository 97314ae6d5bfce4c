// Everyday work by the keyboard alone, with every key beyond the data counted as the browser hears it.

import { expect, type Page, test } from "@playwright/test";
import { countKeys } from "./support/count-keys.ts";
import { enter, names } from "./support/list-rows.ts";
import { PORTS } from "./support/ports.ts";
import { openApi, signIn } from "./support/service.ts";

/** Letters that are in no other test's records, and far from those of the other tests here. */
const unique = (): string => Array.from({ length: 8 }, () => "bcdfghjklmnpqrstvwxz"[Math.floor(Math.random() * 20)]).join("");

const CELLS = 15;
const MOST_KEYS = 16;
const COLUMNS = "columns=lastName,accountID,updatedAt&sort=lastName";

/** Customers whose last names are in their order, and the list that has them alone. */
async function openRows(page: Page) {
  const word = unique();
  const rows = Array.from({ length: CELLS }, (_, i) => `Row ${String(i).padStart(2, "0")}`);
  const { stored } = await enter(word, rows);
  const list = async () => (await stored()).map(({ lastName, accountID }) => `${lastName} ${accountID}`).sort();
  await signIn(page, `/customers?q=${word}&${COLUMNS}`);
  await expect(names(page)).toHaveCount(CELLS);
  await expect(page.locator("main[data-columns]")).toHaveCount(1); // the list is at rest
  const keys = await countKeys(page);
  return { rows, list, keys };
}

test(`${CELLS} cells are typed over, each with another text, by ${MOST_KEYS} keys beyond the texts, and all of them are taken back`, async ({
  page,
}) => {
  const { rows, list, keys } = await openRows(page);
  const before = await list();
  const texts = rows.map((name) => `${name} new`);
  await page.keyboard.press("F2");
  for (const [i, text] of texts.entries()) {
    await expect(page.getByRole("table").getByRole("textbox", { name: "Last name" })).toHaveValue(rows[i] as string);
    await page.keyboard.type(text);
    await page.keyboard.press(i === CELLS - 1 ? "Enter" : "ArrowDown");
  }
  await expect(page.getByText("Row 14 new is saved.")).toBeVisible();
  expect(await list()).toEqual(texts.map((text) => `${text} B-1`));
  const extra = (await keys()) - texts.join("").length;
  console.log(`${extra} keys beyond the texts of ${CELLS} cells`);
  expect(extra).toBeLessThanOrEqual(MOST_KEYS);
  for (let i = 0; i < CELLS; i++) {
    await page.keyboard.press("ControlOrMeta+z");
    await expect(page.getByText(`${rows[CELLS - 1 - i]} is as it was before.`)).toBeVisible();
  }
  expect(await list()).toEqual(before);
});

test(`${CELLS} cells are pasted by ${MOST_KEYS} keys at most, and taken back by one`, async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { rows, list, keys } = await openRows(page);
  const before = await list();
  const accounts = rows.map((_, i) => `N-${i}`);
  await page.evaluate((text) => navigator.clipboard.writeText(text), accounts.join("\r\n")); // as another program does
  for (const key of ["j", "Shift+ArrowRight", "ArrowRight", "ControlOrMeta+v"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toContainText(`${CELLS} cells change in ${CELLS} customers.`);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`${CELLS} customers are changed.`)).toBeVisible();
  const extra = await keys();
  console.log(`${extra} keys to paste ${CELLS} cells`);
  expect(extra).toBeLessThanOrEqual(MOST_KEYS);
  expect(await list()).toEqual(rows.map((name, i) => `${name} ${accounts[i]}`));
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.getByText(`${CELLS} customers are restored.`)).toBeVisible();
  expect(await list()).toEqual(before);
});

test("the phone numbers of known people are changed one after the other, each by 5 keys beyond name and number", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  const word = unique();
  const people = await Promise.all(
    [1, 2, 3].map(async (n) => {
      const employee = { name: `${word} ${"abc"[n - 1]}`, permanent: true, phone: `+49 221 94 02 7${n}` };
      const { status, json } = await api.call("POST", "/employees", employee);
      expect(status, JSON.stringify(json)).toBe(201);
      return { name: employee.name, id: json.id };
    }),
  );
  await signIn(page, `http://127.0.0.1:${PORTS.staff}/employees`);
  const keys = await countKeys(page);
  for (const [i, { name, id }] of people.entries()) {
    const before = await keys();
    const number = `+49 221 94 03 8${i}`;
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(name);
    await expect(page.locator("[role=option][aria-selected=true]")).toContainText(name);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name, level: 1 })).toBeFocused();
    await page.keyboard.press(".");
    const field = i === 0 ? "ph" : ""; // later the field that was gone to last is offered first
    await page.keyboard.type(field);
    await expect(page.locator("[role=option][aria-selected=true]")).toHaveText("Phone");
    await page.keyboard.press("Enter");
    await page.keyboard.type(number);
    await page.keyboard.press("ControlOrMeta+s");
    await expect.poll(async () => (await api.call("GET", `/employees/${id}`)).json.phone).toBe(number);
    const extra = (await keys()) - before - name.length - number.length - field.length;
    expect(extra).toBeLessThanOrEqual(5);
  }
});

test("a person is found from anywhere by each of 13 things of which somebody knows one", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  const [first, last] = [unique(), unique()];
  const digits = String(Math.random()).slice(2, 9);
  const badge = `QX-${digits.slice(0, 4)}`;
  const ada = {
    name: `${first} Mü${last}`,
    phone: `+49 221 ${digits}`,
    email: `${first}.anna@${last}werk.example`,
    birthday: `19${digits.slice(1, 3)}-03-14`,
    badge,
    permanent: true,
  };
  const { status, json } = await api.call("POST", "/employees", ada);
  expect(status, JSON.stringify(json)).toBe(201);
  await signIn(page, `http://127.0.0.1:${PORTS.staff}/employees`);
  const ways: [known: string, words: string][] = [
    ["the beginning of a name", first.slice(0, 6)],
    ["an umlaut as two letters", `mue${last.slice(0, 6)}`],
    ["two words in the other order", `mu${last} ${first.slice(0, 5)}`],
    ["a name with one wrong letter", `${first.slice(0, 7)}a`],
    ["the middle of a name", `${last.slice(1, 7)}`],
    ["the phone number as it is dialled within the country", `0221 ${digits}`],
    ["that in one", `0221${digits}`],
    ["that from abroad", ada.phone],
    ["the last digits of the phone number", digits.slice(-5)],
    ["the e-mail address before the @", `${first}.anna`],
    ["the domain of the e-mail address", `${last}werk`],
    ["the date of birth as the reader writes it", `3/14/19${digits.slice(1, 3)}`],
    ["the number of the record", String(json.id)],
  ];
  const found: string[] = [];
  for (const [known, words] of ways) {
    await page.keyboard.press("ControlOrMeta+k");
    const box = page.getByRole("combobox", { name: "Find or go to" });
    await expect(box).toBeFocused();
    await page.keyboard.type(words);
    const isThere = await page
      .getByRole("option", { name: ada.name })
      .waitFor({ timeout: 3_000 })
      .then(() => true)
      .catch(() => false);
    if (isThere) found.push(known);
    await page.keyboard.press("Escape");
    await expect(box).toBeHidden();
  }
  console.log(`${found.length} of ${ways.length} found`);
  expect(found).toEqual(ways.map(([known]) => known));
});
