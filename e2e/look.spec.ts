// Tests what was once cut, wrapped or in the way at narrow widths, in the language with the longest words.

import { expect, type Locator, type Page, test } from "@playwright/test";
import { PORTS } from "./support/ports.ts";
import { check, openApi, signIn, stored } from "./support/service.ts";
import { waitForTypeface } from "./support/typeface.ts";

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

async function inGerman(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem("intake.settings", JSON.stringify({ language: "de" })));
  const { token } = await openApi();
  await page.addInitScript((text) => sessionStorage.setItem("intake.token", text), token);
}

async function placeOf(one: Locator) {
  const box = await one.boundingBox();
  if (!box) throw new Error("It is not drawn.");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test("the buttons of a German form stand on one line, and the key of the search stands in its box", async ({ page }) => {
  await inGerman(page);
  const { id } = await stored({ firstName: "Gerda", lastName: "Zeilenbruch", accountID: "1" });
  await page.goto(`/customers/${id}`);
  const [save, remove] = ["Speichern", "Löschen"].map((name) => page.getByRole("button", { name, exact: true })) as [Locator, Locator];
  await expect(remove).toBeVisible();
  await waitForTypeface(page);
  for (const width of [1920, 1280, 768, 641]) {
    await page.setViewportSize({ width, height: 900 });
    expect((await placeOf(remove)).y, `${width} wide`).toBe((await placeOf(save)).y);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  const find = page.getByRole("button", { name: "Schnellsuche" });
  const key = await placeOf(find.getByText("Strg+K"));
  expect(key.right).toBeLessThanOrEqual((await placeOf(find)).right);
});

test("on a phone a short German title and the only button of its page stand on one line", async ({ page }) => {
  await inGerman(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings/people");
  const button = page.getByRole("button", { name: "Jemanden einladen" });
  await expect(button).toBeVisible();
  await waitForTypeface(page);
  const title = await placeOf(page.getByRole("heading", { name: "Personen", level: 1 }));
  expect((await placeOf(button)).y).toBeLessThan(title.bottom);
});

test("a phone's card stays small with a long value in its second line", async ({ page }) => {
  const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  await stored({ firstName: `${word} ${word}`, lastName: "Karte", accountID: "K-000000000000000" });
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, "/customers?q=karte");
  const value = await placeOf(page.getByText(word));
  expect(value.height).toBeLessThan(80); // three lines
  expect(value.right).toBeGreaterThan((await placeOf(page.getByText("K-000000000000000"))).x); // it goes on below it
});

test("a phone shows each value of the data dictionary beside its label", async ({ page }) => {
  await inGerman(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/customers/dictionary");
  const rules = page.getByRole("table", { name: "Felder" }).locator("td[data-title='Regeln']").first();
  await expect(rules).toBeVisible();
  const { x } = await placeOf(rules);
  const start = await rules.evaluate((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getBoundingClientRect().x;
  });
  expect(start).toBeGreaterThan(x + 100); // the label alone takes more than half of that
});

test("a tablet has the links above the page, and shows names whole that a sidebar would cut", async ({ page }) => {
  await inGerman(page);
  await stored({ firstName: "Tablettenname", lastName: "Müller-Lüdenscheidt", accountID: "000017-B" });
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto("/customers?q=tablettenname");
  const name = page.getByRole("rowheader", { name: "Müller-Lüdenscheidt" });
  await expect(name).toBeVisible();
  const isWhole = (cell: Locator) => cell.locator("bdi").evaluate((text) => text.scrollHeight <= text.clientHeight + 1);
  expect(await isWhole(name)).toBe(true);
  expect(await isWhole(page.getByRole("cell", { name: "Tablettenname" }))).toBe(true);
  const links = await placeOf(page.getByRole("navigation", { name: "Hauptnavigation" }));
  expect(links.bottom).toBeLessThanOrEqual((await placeOf(page.getByRole("main"))).y);
  expect(await widthOf(page)).toBe(768);
});

test("on a phone only one button of a checked file stays in sight, in a low window none, and nothing scrolls sideways", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, "/customers/upload");
  const rows = Array.from({ length: 40 }, (_, i) => `${9_710_000 + i},${i % 2 ? "Ann" : ""},1`);
  await check(page, "narrow.csv", `objectId,lastName,accountID\n${rows.join("\n")}\n`);
  await expect(page.getByText("This is a preview by the service.")).toBeVisible();
  expect(await widthOf(page)).toBe(320);
  await page.evaluate(() => scrollTo(0, 0));
  const upload = page.getByRole("button", { name: "Upload 20 rows" });
  await expect(upload).toBeInViewport();
  expect((await placeOf(upload)).y).toBeGreaterThan(640 * 0.9);
  await expect(page.getByRole("button", { name: "Back to columns" })).not.toBeInViewport();
  await page.setViewportSize({ width: 320, height: 256 }); // 1280 × 1024 at 400 %
  await expect(upload).not.toBeInViewport();
});

test("a record has its history beside it from 1280 px on, and below it where there is no room; what is typed survives the change", async ({
  page,
}) => {
  const { id } = await stored({ firstName: "Berta", lastName: "Breitwand", accountID: "1" });
  const last = page.getByRole("textbox", { name: "Last name" });
  const created = page.getByRole("list").getByText("Created");
  for (const width of [1920, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, `/customers/${id}`);
    await expect(created).toBeVisible(); // nobody has opened it
    const form = await placeOf(page.locator("form"));
    expect(form.right - form.x).toBeLessThanOrEqual(720);
    expect((await placeOf(created)).x).toBeGreaterThan(form.right);
    expect((await placeOf(page.getByText("History"))).y).toBeLessThan((await placeOf(last)).bottom);
    expect(await widthOf(page)).toBe(width);
  }
  await last.fill("Typed");
  await page.setViewportSize({ width: 1279, height: 900 });
  await expect(created).toBeHidden();
  await expect(last).toHaveValue("Typed");
  const save = await placeOf(page.getByRole("button", { name: "Save", exact: true }));
  expect((await placeOf(page.getByText("History"))).y).toBeGreaterThan(save.y - 900);
  await page.getByText("History").click();
  await expect(created).toBeVisible();
});

test("a tablet says who changed a record on one line, beside a short name and below a long one", async ({ page }) => {
  await inGerman(page);
  const [short, long] = [
    await stored({ lastName: "Kurz", accountID: "1" }),
    await stored({ lastName: "Freiherr von Hohenstein-Wittgenstein auf Ober- und Nieder", accountID: "1" }),
  ];
  await page.setViewportSize({ width: 900, height: 1024 });
  for (const { id } of [short, long]) {
    await page.goto(`/customers/${id}`);
    const changed = page.getByRole("button", { name: /^Geändert/ });
    await expect(changed).toBeVisible();
    await waitForTypeface(page);
    expect((await placeOf(changed)).height).toBeLessThan(30); // two lines have 42
  }
});

test("the bar above a page stands still from page to page, and the list below it has its pager in the window", async ({ page }) => {
  await inGerman(page);
  await (await openApi()).call(
    "POST",
    "/customers",
    Array.from({ length: 30 }, (_, i) => ({ lastName: `Leiste ${i}`, accountID: "1" })),
  );
  const tools = page.getByRole("navigation", { name: "Hauptnavigation" }).getByRole("button");
  const columns = "columns=lastName,firstName,accountID,objectId,createdAt,updatedAt,createdBy,updatedBy";
  for (const width of [820, 768, 641, 390, 320]) {
    await page.setViewportSize({ width, height: 1000 });
    const seen: number[][] = [];
    for (const path of [`/customers?q=leiste&limit=25&${columns}`, "/activity", "/customers/dictionary", "/settings", "/settings/people"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await waitForTypeface(page);
      const places = await tools.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, width }) => [top, width]));
      seen.push(places.flat());
      expect(seen.at(-1), `${path}, ${width} wide`).toEqual(seen[0]);
      expect((await placeOf(page.getByRole("banner"))).height, `${path}, ${width} wide`).toBeLessThan(55);
      if (width > 640 && path.startsWith("/customers?")) {
        await expect(page.getByRole("button", { name: "Weiter →" })).toBeInViewport({ ratio: 1 });
        expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(1000);
      }
    }
  }
});

test("a tablet shows a name whole that is longer than its column", async ({ page }) => {
  const lastName = "Wolkenschieber-Hochstapelmann von und zu Unterberg an der langen Landstrasse hinter dem Deich bei der alten Mühle";
  await stored({ firstName: "Zeilenreich", lastName, accountID: "1" });
  await page.setViewportSize({ width: 768, height: 1024 });
  await signIn(page, "/customers?q=zeilenreich");
  const name = page.getByRole("rowheader", { name: lastName }).first();
  await expect(name).toBeVisible();
  const text = name.locator("bdi");
  expect(await text.evaluate((one) => one.scrollHeight <= one.clientHeight + 1)).toBe(true);
  expect((await placeOf(text)).height).toBeGreaterThan(25); // more than one line
  expect((await placeOf(page.getByText("Zeilenreich", { exact: true }).first())).height).toBeLessThan(25); // no word is broken for it
  expect(await widthOf(page)).toBe(768);
});

test("the pointer on a cut value shows it whole, and on a time says when", async ({ page }) => {
  const firstName = "Friedrich-Wilhelm ".repeat(5).trim();
  const { id } = await stored({ firstName, lastName: "Zeigerruhe", accountID: "1" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, "/customers?q=zeigerruhe");
  const link = page.getByRole("link", { name: "Zeigerruhe" });
  const pointAt = async (one: Locator) => {
    const { x, y, right, bottom } = await placeOf(one);
    await page.mouse.move((x + right) / 2, (y + bottom) / 2, { steps: 2 });
  };
  await expect(async () => {
    await pointAt(link.locator("bdi"));
    await pointAt(page.getByRole("cell", { name: firstName, exact: true }));
    expect(await link.getAttribute("title")).toBe(firstName); // once the list is at rest
  }).toPass();
  await pointAt(link.locator("bdi"));
  await expect(link).toHaveAttribute("title", "");
  await pointAt(page.getByRole("row", { name: "Zeigerruhe" }).locator("time"));
  await expect(link).toHaveAttribute("title", /20\d\d/);
  await page.getByRole("button", { name: "Object ID" }).focus(); // a column that somebody made narrow
  const cell = page.getByRole("cell", { name: String(id), exact: true });
  await expect(async () => {
    await page.keyboard.press("-");
    expect((await placeOf(cell)).width).toBeLessThan(60);
  }).toPass({ intervals: [50] });
  await pointAt(cell);
  await expect(link).toHaveAttribute("title", String(id));
});

test("the buttons of a record end where its fields end on a laptop, and it has no half-empty line on a tablet", async ({ page }) => {
  const staff = `http://127.0.0.1:${PORTS.staff}/employees`;
  const { json } = await (await openApi(PORTS.staff)).call("POST", "/employees", { name: "Karla Kantenlos", permanent: false });
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, `${staff}/${json.objectId ?? json.id}`);
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Karla Kantenlos");
  await waitForTypeface(page);
  const edge = (await placeOf(page.locator("form"))).right;
  const text = await page.getByRole("button", { name: "Delete" }).evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect().right;
  });
  expect(Math.abs(text - edge)).toBeLessThan(2);
  await page.setViewportSize({ width: 768, height: 800 });
  const inputs = page.locator("form input");
  for (const { width } of await Promise.all((await inputs.all()).map(placeOf))) expect(width).toBeLessThan(400);
});

test("what is said about a deleted record lies above the pager of a wide list", async ({ page }) => {
  await (await openApi()).call(
    "POST",
    "/customers",
    Array.from({ length: 30 }, (_, i) => ({ lastName: `Toasted ${i}`, accountID: "1" })),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, "/customers?q=toasted&limit=25&columns=lastName,firstName,accountID,objectId,createdAt,updatedAt,createdBy,updatedBy");
  await page
    .getByRole("link", { name: /Toasted/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const toast = page.getByText(/is deleted/).last();
  await expect(toast).toBeVisible();
  const next = page.getByRole("button", { name: "Next →" });
  await expect(next).toBeVisible();
  await expect.poll(async () => (await placeOf(toast)).bottom).toBeLessThan((await placeOf(next)).y);
});

test("Save stays where it is when there are changes to look at", async ({ page }) => {
  const { id } = await stored({ lastName: "Staysput", accountID: "1" });
  await signIn(page, `/customers/${id}`);
  const save = page.getByRole("button", { name: "Save", exact: true });
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Staysput");
  await waitForTypeface(page);
  const before = await placeOf(save);
  await page.getByRole("textbox", { name: "Last name" }).fill("Stayed");
  await expect(page.getByRole("button", { name: "1 change · Last name" })).toBeVisible();
  expect(await placeOf(save)).toEqual(before);
});

test("the smallest phone shows by what a list is sorted, whole", async ({ page }) => {
  await inGerman(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto("/customers");
  const order = page.getByRole("combobox", { name: "Sortieren" });
  await expect(order).toHaveValue("-updatedAt");
  await waitForTypeface(page);
  const [text, room] = await order.evaluate((select: HTMLSelectElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    const canvas = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    canvas.font = font;
    const arrow = 18;
    const chosen = select.selectedOptions[0]?.text ?? "";
    return [
      canvas.measureText(chosen).width,
      select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - arrow,
    ];
  });
  expect(text).toBeGreaterThan(50);
  expect(text).toBeLessThanOrEqual(room);
});
