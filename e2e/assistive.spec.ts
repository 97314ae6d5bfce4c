// With a screen reader, without a mouse, with large text (WCAG 2.2: 1.4.4, 1.4.10, 1.4.12, 2.4.3, 2.4.11, 4.1.3).

import { expect, type Page, test } from "@playwright/test";
import { watchNetwork } from "./support/network-idle.ts";
import { PORTS } from "./support/ports.ts";
import { check, openApi, signIn, stored } from "./support/service.ts";

/** Returns what the status regions announce from now on, in order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.assign(window, { announced });
    const hear = () => {
      for (const region of document.querySelectorAll("[role=status], [aria-live=polite]")) {
        const text = region.textContent?.trim() ?? "";
        if (text && announced.at(-1) !== text) announced.push(text);
      }
    };
    new MutationObserver(hear).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { announced: string[] }).announced);
}

interface Stop {
  name: string;
  left: number;
  top: number;
  bottom: number;
}

/** The places that Tab reaches in the page's content, until it leaves the content. */
async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at?.closest("main")) return undefined;
      const { left, top, bottom } = at.getBoundingClientRect();
      return { name: at.getAttribute("aria-label") ?? at.textContent ?? "", left, top: top + scrollY, bottom: bottom + scrollY };
    });
    if (!stop) break;
    stops.push(stop);
  }
  return stops;
}

/** Each stop is below the one before it, or on the same line and further on. */
function expectReadingOrder(stops: readonly Stop[]): void {
  for (const [i, stop] of stops.entries()) {
    const before = stops[i - 1];
    if (!before) continue;
    const isBelow = stop.top >= before.bottom - 1;
    const isFurtherOn = stop.left > before.left && stop.bottom > before.top;
    expect(isBelow || isFurtherOn, `“${before.name}” then “${stop.name}”`).toBe(true);
  }
}

test("a screen reader announces a search and a save, each once", async ({ page }) => {
  const { id } = await stored({ firstName: "Heard", lastName: "Hearing", accountID: "1" });
  await signIn(page, "/customers");
  const announcements = await listen(page);
  await page.getByRole("searchbox", { name: "Search" }).fill("heard hearing");
  await expect.poll(announcements).toContainEqual(expect.stringMatching(/1 customer/));
  await page.getByRole("link", { name: "Hearing" }).click();
  await expect(page.getByRole("heading", { name: "Heard Hearing" })).toBeFocused();
  await page.getByRole("textbox", { name: "Account ID" }).fill("2");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(announcements).toContainEqual(expect.stringContaining("Saved."));
  expect((await announcements()).filter((text) => text.includes("Saved."))).toHaveLength(1);
  expect(page.url()).toContain(String(id));
});

test("an upload announces its progress a few times, not with every batch", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const rows = Array.from({ length: 30_000 }, (_, i) => `Toldupload ${i},C`).join("\n");
  await check(page, "told.csv", `lastName,accountID\n${rows}\n`);
  const announcements = await listen(page);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeFocused({ timeout: 60_000 });
  const progress = (await announcements()).filter((text) => /[0-9]/.test(text));
  expect(progress.length).toBeGreaterThan(0);
  expect(progress.length).toBeLessThanOrEqual(15);
});

test("Tab goes through list, form and upload in reading order", async ({ context }) => {
  const { id } = await stored({ firstName: "Tabbed", lastName: "Order", accountID: "1" });
  for (const address of ["/customers?q=tabbed", `/customers/${id}`, "/customers/new", "/customers/upload"]) {
    const page = await context.newPage(); // in Firefox, Tab may have taken the focus out of the last one
    const waitForIdle = watchNetwork(page);
    await signIn(page, address);
    await waitForIdle(); // the heading takes the focus only when the record is drawn
    const isNew = address.endsWith("/new"); // where typing begins in the first field
    await expect(isNew ? page.getByRole("textbox", { name: "First name" }) : page.getByRole("heading", { level: 1 })).toBeFocused();
    const stops = await tabThrough(page);
    expect(stops.length, address).toBeGreaterThan(2);
    expectReadingOrder(stops);
    await page.close();
  }
});

test("no bar that stays in sight covers what has the focus", async ({ context }) => {
  const origin = `http://127.0.0.1:${PORTS.staff}`;
  const api = await openApi(PORTS.staff);
  const people = Array.from({ length: 30 }, (_, i) => ({ name: `Uncovered ${i}`, permanent: true }));
  await api.call("POST", "/employees", people);
  await context.addInitScript((token) => sessionStorage.setItem("intake.token", token), api.token);
  for (const [path, lastStop] of [
    ["/employees/new", { name: "Cancel" }],
    ["/employees?q=uncovered", { name: /^Uncovered/ }],
  ] as const) {
    for (const [key, times] of [
      ["Tab", 70],
      ["Shift+Tab", 60],
    ] as const) {
      const page = await context.newPage(); // has the focus in Firefox, too
      await page.setViewportSize({ width: 1280, height: 600 });
      await page.goto(origin + path);
      const last = page.getByRole("main").getByRole("link", lastStop).last();
      await expect(last).toBeVisible();
      await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true);
      if (key === "Shift+Tab") await last.focus();
      for (let i = 0; i < times; i++) {
        await page.keyboard.press(key);
        expect(await page.evaluate(nameIfCovered), `${path}, ${key}`).toBe("");
      }
      await page.close();
    }
  }
});

/** The name of the element with the focus if nothing of it can be seen (WCAG 2.4.11); otherwise empty. */
function nameIfCovered(): string {
  const at = document.activeElement;
  if (!at || at === document.body || !document.hasFocus()) return ""; // the browser's own bar may have it: Firefox' driver cannot bring it back
  const { left, top, width, height } = at.getBoundingClientRect();
  const parts = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => document.elementFromPoint(left + width / 2, top + height * part));
  const isSeen = width < 2 || parts.some((part) => at.contains(part));
  return isSeen ? "" : `${at.id} ${at.getAttribute("aria-label") ?? at.textContent}`;
}

const SPACED =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }";
const LARGER = {
  "zoomed to 200 %": { width: 640 },
  "with the browser's text size doubled": { width: 1280, textSize: 32 },
  "with the user's own spacing of text": { width: 1280, style: SPACED },
};

for (const [how, { width, textSize, style }] of Object.entries<{ width: number; textSize?: number; style?: string }>(LARGER)) {
  test(`a page ${how} cuts nothing off and needs no sideways scrolling`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    if (textSize) await (await page.context().newCDPSession(page)).send("Page.setFontSizes", { fontSizes: { standard: textSize } });
    const { id } = await stored({ firstName: "Large", lastName: "Letters", accountID: "1" });
    const expectWhole = async (where: string) => {
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll("button, a, label, h1, h2, th, td, p, input, select")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible" && one.clientWidth > 1)
          .filter((one) => getComputedStyle(one).textOverflow !== "ellipsis" || !one.getAttribute("title"))
          .map((one) => one.outerHTML.slice(0, 120)),
      );
      expect([where, await page.evaluate(() => document.documentElement.scrollWidth), cut]).toEqual([where, width, []]);
    };
    const enlarge = async () => {
      if (style)
        await page.evaluate((css) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          document.adoptedStyleSheets = [sheet];
        }, style);
    };
    for (const address of ["/customers?q=large", `/customers/${id}`, "/customers/new", "/uploads", "/customers/dictionary"]) {
      await signIn(page, address);
      await enlarge();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectWhole(address);
    }
    await signIn(page, "/customers/upload");
    await enlarge();
    await expectWhole("upload");
    await check(page, "large.csv", "objectId,firstName,lastName,accountID\n97100001,A,Large,1\n97100002,A,,1\n");
    await expect(page.getByText("This is a preview by the service.")).toBeVisible();
    await expectWhole("check");
    await page.getByRole("button", { name: "Upload" }).click();
    await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
    await expectWhole("report");
  });
}
