// Tests what two people see of each other: in lists, in forms, and who has a record open.

import { type BrowserContext, expect, type Locator, type Page, type Request } from "@playwright/test";
import { openTcpProxy, type TcpProxy } from "../src/testing/tcp-proxy.ts";
import { expectNoFaults } from "./support/axe.ts";
import { hold } from "./support/hold-requests.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi } from "./support/service.ts";
import { type NewBrowser, test } from "./support/test.ts";

const PASSWORD = "seven green kettles sing";
const STREAM = "text/event-stream";

let service: OwnService;
let proxy: TcpProxy;
let api: Awaited<ReturnType<typeof openApi>>;
test.beforeAll(async () => {
  service = await startService();
  proxy = await openTcpProxy(`http://127.0.0.1:${service.port}`);
  api = await openApi(service.port);
});
test.afterAll(async () => {
  await proxy.close();
  await service.remove();
});

let people = 0;

/** A new person in a browser of their own, with a page at `path`. Their live updates have begun. */
async function comes(newBrowser: NewBrowser, name: string, path: string, options: Parameters<NewBrowser>[0] = {}): Promise<Page> {
  const { json } = await api.call("POST", "/users", { email: `p${++people}@example.org`, name, roles: ["editor"] });
  const page = await newBrowser(options);
  await page.goto(new URL((json.link as { url: string }).url, proxy.origin).href);
  await page.locator("input[autocomplete=new-password]").fill(PASSWORD);
  await page.locator("button[type=submit]").click();
  await expect(page.locator("nav button[aria-haspopup=dialog]")).toBeVisible();
  await opens(page, path);
  return page;
}

async function opens(page: Page, path: string): Promise<void> {
  const underWay = new Set<Request>();
  page.on("request", (request) => underWay.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const) page.on(end as "requestfinished", (request) => underWay.delete(request));
  const isFeed = (url: string) => url.includes("/v1/changes");
  const own = `/v1${new URL(path, proxy.origin).pathname}`;
  let reads = 0;
  page.on("response", (response) => {
    if (response.request().method() === "GET" && new URL(response.url()).pathname === own) reads += 1;
  });
  await page.goto(proxy.origin + path);
  await expect.poll(() => reads).toBeGreaterThan(1); // once more when following has begun: what changed before is in it
  await expect.poll(() => [...underWay].filter((request) => !isFeed(request.url()))).toEqual([]);
}

let last = 0;
async function customer(fields: Record<string, string> = {}): Promise<number> {
  const { json } = await api.call("POST", "/customers", { firstName: "Noor", lastName: "Abdullah", accountID: `L-${++last}`, ...fields });
  return Number(json.objectId);
}

const input = (page: Page, name: string) => page.getByRole("textbox", { name });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const row = (page: Page, id: number) => page.locator(`tr[data-id="${id}"]`);
const order = (page: Page) => page.locator("tr[data-id]").evaluateAll((rows) => rows.map((one) => (one as HTMLElement).dataset.id));

test("a list shows what somebody else changed, and its rows stay where they are", async ({ newBrowser }) => {
  const first = await customer({ lastName: "Listed" });
  const second = await customer({ lastName: "Listed" });
  const ben = await comes(newBrowser, "Ben Koch", "/customers?q=listed");
  await ben
    .getByRole("checkbox", { name: /^Select Noor/ })
    .first()
    .check();
  const before = await order(ben);
  expect(before).toEqual([String(second), String(first)]);

  const anna = await comes(newBrowser, "Anna Weber", `/customers/${first}`);
  await input(anna, "First name").fill("Nora");
  await save(anna);
  await expect(row(ben, first)).toContainText("Nora");
  await expect(row(ben, first)).toHaveAttribute("title", "Changed by \u2068Anna Weber\u2069 just now");
  expect(await order(ben)).toEqual(before);
  await expect(row(ben, second).getByRole("checkbox")).toBeChecked();
  await expect(ben.getByText("1 customer on this page changed")).toBeAttached();
  await expect(ben.getByRole("button", { name: "Show" })).toHaveCount(0);

  await customer({ lastName: "Unlisted" });
  const third = await customer({ lastName: "Listed" });
  await expect(ben.getByText("1 customer changed", { exact: true }).first()).toBeVisible();
  expect(await order(ben)).toEqual(before);
  await api.call("DELETE", `/customers/${second}`);
  await expect(row(ben, second)).toHaveAttribute("title", /^Deleted by/);
  await expect(ben.getByText("2 customers changed", { exact: true }).first()).toBeVisible();
  await expectNoFaults(ben);

  await ben.getByRole("button", { name: "Show" }).press("Enter");
  await expect(row(ben, third)).toBeVisible();
  expect(await order(ben)).toEqual([String(third), String(first)]);
  await expect(ben.getByRole("button", { name: "Show" })).toHaveCount(0);
  await expect(ben.getByRole("heading", { name: "Customers" })).toBeFocused();
});

test("the line of what changed and a toast leave the pager and the selection's bar free", async ({ newBrowser }) => {
  for (let i = 0; i < 26; i++) await customer({ lastName: "Uncovered" });
  const wide = "&columns=lastName,firstName,accountID,objectId,createdAt,updatedAt,createdBy,updatedBy";
  const tab = await comes(newBrowser, "Ben Koch", "/customers?q=uncovered");
  for (const [width, columns] of [
    [1280, wide],
    [1280, ""],
    [390, ""],
  ] as const) {
    await tab.setViewportSize({ width, height: 800 });
    await opens(tab, `/customers?q=uncovered&limit=25${columns}`);
    await customer({ lastName: "Uncovered" });
    const show = tab.getByRole("button", { name: "Show", exact: true });
    await expect(show).toBeVisible();
    const next = tab.getByRole("button", { name: "Next →" });
    const pressed = async (...all: Locator[]) => {
      await tab.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      for (const one of all) await one.click({ trial: true }); // waits until nothing lies above it
    };
    await pressed(next, show);
    const checkbox = tab.getByRole("checkbox", { name: /^Select Noor/ }).nth(1);
    await checkbox.check();
    await pressed(next, show, tab.getByRole("button", { name: "Change…" }), tab.getByRole("button", { name: "Clear" }));
    if (width > 640) {
      await row(tab, Number(await tab.locator("tr[data-id]").first().getAttribute("data-id")))
        .getByRole("link")
        .focus();
      await tab.keyboard.press("F2");
      await tab.getByRole("textbox", { name: "First name" }).fill(`Toasted ${columns.length}`);
      await tab.keyboard.press("Enter");
      const toast = tab.getByRole("status").filter({ hasText: "is saved." }).locator("div");
      await expect(toast).toBeVisible();
      await tab.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      for (const other of [next, tab.getByRole("region", { name: "Selection" })]) {
        const areApart = async () => {
          const [a, b] = await Promise.all([toast.boundingBox(), other.boundingBox()]);
          return a !== null && b !== null && (a.y + a.height <= b.y || b.y + b.height <= a.y);
        };
        await expect.poll(areApart).toBe(true);
      }
    }
    await tab.getByRole("button", { name: "Clear" }).click();
  }
});

test("nobody is told of their own changes", async ({ newBrowser }) => {
  const id = await customer({ lastName: "Own" });
  const ben = await comes(newBrowser, "Ben Koch", "/customers?q=own");
  const other = await ben.context().newPage();
  await other.goto(`${proxy.origin}/customers/${id}`);
  await input(other, "First name").fill("Mine");
  await save(other);
  await expect(row(ben, id)).toContainText("Mine");
  await expect(row(ben, id)).not.toHaveAttribute("title");
  await expect(other.getByText("Saved.")).toBeVisible();
  await expect(other.getByText(/changed this customer/)).toHaveCount(0);
});

test("a form that nobody has typed into follows, and says who changed it", async ({ newBrowser }) => {
  const id = await customer();
  const ben = await comes(newBrowser, "Ben Koch", `/customers/${id}`);
  const anna = await comes(newBrowser, "Anna Weber", `/customers/${id}`);
  await input(anna, "Last name").fill("Hoff");
  await save(anna);
  await expect(ben.getByText("Anna Weber changed this customer just now.")).toBeVisible();
  await expect(input(ben, "Last name")).toHaveValue("Hoff");
  await expect(ben.getByRole("table", { name: "Changes by someone else" })).toContainText("AbdullahHoff");
  await expectNoFaults(ben);
  await expect(anna.getByText(/changed this customer/)).toHaveCount(0);
});

test("a form with typed text takes in what somebody else changed, and leaves the text and the caret alone", async ({ newBrowser }) => {
  const id = await customer();
  const ben = await comes(newBrowser, "Ben Koch", `/customers/${id}`);
  const anna = await comes(newBrowser, "Anna Weber", `/customers/${id}`);
  const field = input(ben, "Last name");
  await field.fill("Abdullah-Hoff");
  await field.evaluate((one: HTMLInputElement) => one.setSelectionRange(3, 3));
  const top = () => field.evaluate((one) => Math.round(one.getBoundingClientRect().top));
  const before = await top();
  await input(anna, "First name").fill("Nora");
  await save(anna);
  await expect(ben.getByText("Anna Weber changed this customer while you were editing.")).toBeVisible();
  await expect(input(ben, "First name")).toHaveValue("Nora");
  await expect(field).toBeFocused();
  expect(await field.evaluate((one: HTMLInputElement) => one.selectionStart)).toBe(3);
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
  await ben.keyboard.type("X");
  await expect(field).toHaveValue("AbdXullah-Hoff");
  await expectNoFaults(ben);
  await save(ben);
  await expect(ben.getByText("Saved.")).toBeVisible();
  expect((await api.call("GET", `/customers/${id}`)).json).toMatchObject({ firstName: "Nora", lastName: "AbdXullah-Hoff" });
});

test("where both change one field, the first save asks which value to keep", async ({ newBrowser }) => {
  const id = await customer();
  const ben = await comes(newBrowser, "Ben Koch", `/customers/${id}`);
  await input(ben, "Last name").fill("Mine");
  await api.call("PATCH", `/customers/${id}`, { lastName: "Theirs" });
  await api.call("PATCH", `/customers/${id}`, { firstName: "Also" });
  await expect(ben.getByRole("radio", { name: /Keep mine of Last name: Mine/ })).toBeChecked();
  await expect(ben.getByRole("table", { name: "Changes by someone else" })).toContainText("Also");
  await save(ben);
  await expect(ben.getByRole("alert")).toBeFocused();
  await ben.getByRole("radio", { name: /Take theirs/ }).check();
  await expect(input(ben, "Last name")).toHaveValue("Theirs");
  await ben.getByRole("radio", { name: /Keep mine/ }).check();
  await save(ben);
  await expect(ben.getByText("Saved.")).toBeVisible();
  expect((await api.call("GET", `/customers/${id}`)).json).toMatchObject({ firstName: "Also", lastName: "Mine" });
});

test("a deletion says whose it was, and what was typed is kept and can be saved", async ({ newBrowser }) => {
  const id = await customer();
  const ben = await comes(newBrowser, "Ben Koch", `/customers/${id}`);
  const anna = await comes(newBrowser, "Anna Weber", `/customers/${id}`);
  await input(ben, "Last name").fill("Kept");
  await anna.getByRole("button", { name: "Delete" }).click();
  await expect(anna.getByText("Noor Abdullah is deleted.")).toBeVisible();
  await expect(ben.getByText("Anna Weber has deleted this customer.")).toBeVisible();
  await expect(input(ben, "Last name")).toHaveValue("Kept");
  await save(ben);
  await expect(ben.getByText("Saved.")).toBeVisible();
  expect((await api.call("GET", `/customers/${id}`)).json).toMatchObject({ lastName: "Kept" });
});

test("what changes while a page reads anew what it may have missed is not missed itself", async ({ newBrowser }) => {
  const id = await customer({ lastName: "Unmissed" });
  const ben = await comes(newBrowser, "Ben Koch", "/customers?q=unmissed");
  const own = `/v1/customers/${id}`;
  let reads = 0;
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const isAnswered = new Promise<void>((answered) => {
    void ben.route(new RegExp(`${own}$`), async (route) => {
      if (++reads !== 2) return route.fallback();
      const response = await route.fetch();
      answered();
      await held;
      await route.fulfill({ response });
    });
  });
  await ben.goto(`${proxy.origin}/customers/${id}`);
  await isAnswered; // following has begun, and the answer is from before the change
  const [list] = await openTabs(ben.context(), 1, "/customers?q=unmissed");
  await api.call("PATCH", `/customers/${id}`, { firstName: "Now" });
  await expect(row(list as Page, id)).toContainText("Now"); // the news has come
  goOn();
  await expect(input(ben, "First name")).toHaveValue("Now");
});

test("two people on one record see each other's name, until one leaves", async ({ newBrowser }) => {
  const id = await customer();
  const ben = await comes(newBrowser, "Ben Koch", `/customers/${id}`);
  const anna = await comes(newBrowser, "Anna Weber", `/customers/${id}`);
  const viewers = (page: Page) => page.getByRole("status").filter({ hasText: "Also open for:" });
  await expect(viewers(anna)).toContainText("Ben Koch");
  await expect(viewers(ben)).toContainText("Anna Weber");
  await expectNoFaults(ben);
  await anna.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Customers" }).click();
  await expect(viewers(ben)).toHaveCount(0);
  await ben.reload();
  await anna.goto(`${proxy.origin}/customers/${id}`);
  await expect(viewers(ben)).toContainText("Anna Weber");
  await anna.close();
  await expect(viewers(ben)).toHaveCount(0);
});

test("who leaves while their page is just saying that it is open is not shown any longer", async ({ newBrowser }) => {
  const id = await customer();
  const ben = await comes(newBrowser, "Ben Koch", `/customers/${id}`);
  const anna = await comes(newBrowser, "Anna Weber", `/customers/${id}`);
  const viewers = ben.getByRole("status").filter({ hasText: "Also open for:" });
  await expect(viewers).toContainText("Anna Weber");
  let goOn = () => {};
  const isSent = new Promise<void>((sent) => {
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    void anna.route(/\/viewers\?/, async (route) => {
      if (route.request().method() === "PUT") {
        sent();
        await held;
      }
      await route.continue();
    });
  });
  await isSent;
  const isReceived = anna.waitForResponse((response) => response.request().method() === "PUT" && response.url().includes("/viewers?"));
  await anna.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Customers" }).click();
  await expect(anna.getByRole("table", { name: "Customers" })).toBeVisible();
  goOn();
  await isReceived;
  await expect(viewers).toHaveCount(0);
});

test("ten tabs have one connection, and when the first one closes another goes on", async ({ newBrowser }) => {
  const id = await customer({ lastName: "Tabbed" });
  const before = proxy.requests(STREAM);
  const leader = await comes(newBrowser, "Ben Koch", "/customers?q=tabbed");
  const tabs = [leader, ...(await openTabs(leader.context(), 9))];
  await expect.poll(() => proxy.requests(STREAM) - before).toBe(1);
  await api.call("PATCH", `/customers/${id}`, { firstName: "One" });
  for (const tab of tabs) {
    await tab.bringToFront();
    await expect(row(tab, id)).toContainText("One");
  }
  expect(proxy.requests(STREAM) - before).toBe(1);
  await leader.close();
  await api.call("PATCH", `/customers/${id}`, { firstName: "Two" });
  for (const tab of tabs.slice(1, 3)) {
    await tab.bringToFront();
    await expect(row(tab, id)).toContainText("Two");
  }
  expect(proxy.requests(STREAM) - before).toBe(2);
});

async function openTabs(context: BrowserContext, count: number, path = "/customers?q=tabbed"): Promise<Page[]> {
  const tabs: Page[] = [];
  for (let i = 0; i < count; i++) {
    const tab = await context.newPage();
    await tab.goto(proxy.origin + path);
    await expect(tab.getByRole("table")).toBeVisible();
    tabs.push(tab);
  }
  return tabs;
}

test("where a proxy holds the stream back, the list asks again and again and shows the same", async ({ newBrowser }) => {
  const id = await customer({ lastName: "Polled" });
  const ben = await comes(newBrowser, "Ben Koch", "/customers?q=polled");
  await ben.clock.install();
  const isStream = (request: Request) => request.headers().accept === STREAM;
  const held = await hold(ben, "**/v1/changes*", isStream);
  const asks = ben.waitForRequest((request) => request.url().includes("wait="), { timeout: 60_000 });
  await ben.goto(`${proxy.origin}/customers?q=polled`);
  await expect.poll(() => held.count).toBe(1);
  await expect(row(ben, id)).toContainText("Noor");
  await api.call("PATCH", `/customers/${id}`, { firstName: "Unheard" });
  await ben.clock.fastForward(20_000); // for so long without a byte the stream is waited for
  await asks;
  await expect(row(ben, id)).toContainText("Unheard");
  await api.call("PATCH", `/customers/${id}`, { firstName: "Asked for" });
  await expect(row(ben, id)).toContainText("Asked for");
  expect(held.count).toBe(1);
  held.letGo();
});

test("in German, in the dark and on a phone the same is said", async ({ newBrowser }) => {
  const id = await customer();
  const anna = await comes(newBrowser, "Anna Weber", `/customers/${id}`);
  const options = { locale: "de-DE", colorScheme: "dark", viewport: { width: 390, height: 800 }, reducedMotion: "reduce" } as const;
  const ben = await comes(newBrowser, "Ben Koch", `/customers/${id}`, options);
  await expect(ben.getByText("Auch geöffnet bei:")).toBeAttached();
  await input(anna, "Last name").fill("Hoff");
  await save(anna);
  await expect(ben.getByText("Anna Weber hat gerade eben Änderungen gespeichert (Kunde).")).toBeVisible();
  await expectNoFaults(ben);
  await opens(ben, "/customers?q=noor");
  await input(anna, "First name").fill("Norah");
  await save(anna);
  await expect(row(ben, id)).toHaveAttribute("title", "Gerade eben von \u2068Anna Weber\u2069 geändert");
  await customer({ firstName: "Noor" });
  await expect(ben.getByText("1 Kunde geändert", { exact: true }).first()).toBeVisible();
  await expectNoFaults(ben);
});
