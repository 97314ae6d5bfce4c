// A minimal app of react-admin, and one of Refine, in a browser against a real service on another origin.

import { type Browser, chromium, expect as expectIn, type Page } from "@playwright/test";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findChromium } from "../../e2e/support/browser.ts";
import { createKeys } from "../../server/people/auth/api-keys.ts";
import { ORDERS, openTestService, type TestService } from "../../server/testing/service.ts";
import { createFrameworkFolder, type FrameworkFolder, type ServedApp, serveApp } from "./framework-folder.ts";

const IS_DEEP = process.env.DEEP !== undefined;
const MINUTES = 60_000;
const expect = expectIn.configure({ timeout: 40_000 }); // a busy machine takes its time

// Pinned: what a new version asks for is decided here, not there.
const REACT = ["react@19", "react-dom@19", "react-router@7"];
const REACT_ADMIN = [...REACT, "react-admin@5.15.4"];
const REFINE = [...REACT, "@refinedev/core@5.0.12", "@tanstack/react-query@5"];

let browser: Browser;
beforeAll(async () => {
  if (IS_DEEP) browser = await chromium.launch(findChromium());
});
afterAll(() => browser?.close());

interface Opened {
  page: Page;
  service: TestService;
  /** The addresses that the app asked for since the last call. */
  asked(): string[];
  go(hash: string): Promise<unknown>;
}

/** Installs and builds the app, and opens it over a service with 25 customers and 3 orders. */
function describeApp(name: string, packages: readonly string[], source: string, journey: (opened: () => Opened) => void): void {
  describe.runIf(IS_DEEP)(name, () => {
    let folder: FrameworkFolder;
    let app: ServedApp;
    let opened: Opened;
    const faults: string[] = [];
    beforeAll(async () => {
      folder = createFrameworkFolder(packages);
      app = await serveApp(folder, source);
      const service = await openTestService(ORDERS, { corsOrigins: [app.origin] });
      const address = await service.app.listen({ port: 0, host: "127.0.0.1" });
      await fill(service);
      const page = await browser.newPage({ locale: "en-US" });
      page.setDefaultTimeout(40_000);
      page.on("pageerror", (error) => faults.push(error.message));
      const asked: string[] = [];
      page.on(
        "request",
        (request) => request.url().startsWith(`${address}/v1/`) && asked.push(`${request.method()} ${request.url().slice(address.length)}`),
      );
      const query = new URLSearchParams({ service: `${address}/v1`, key: await createKeys(service.store).create("write") });
      await page.goto(`${app.origin}/?${query}`);
      opened = {
        page,
        service,
        asked: () => asked.splice(0),
        go: (hash) => page.goto(`${app.origin}/?${query}#${hash}`),
      };
    }, 10 * MINUTES);
    afterAll(async () => {
      await opened?.service.close();
      await app?.close();
      folder?.remove();
      if (faults.length > 0) throw new Error(`The page had errors: ${faults.join("; ")}`);
    });
    journey(() => opened);
  });
}

async function fill(service: TestService): Promise<void> {
  const cities = ["Bonn", "Ulm", "Kiel"];
  const customers = Array.from({ length: 25 }, (_, i) => ({
    objectId: i + 1,
    name: `Customer ${String(i + 1).padStart(2, "0")}`,
    accountNumber: `A-${i + 1}`,
    city: cities[i % 3],
  }));
  await service.call("POST", "/v1/customers", customers);
  const orders = [1, 1, 2].map((customerId, i) => ({ objectId: i + 1, customerId, orderNumber: `O-${i + 1}` }));
  await service.call("POST", "/v1/orders", orders);
}

const names = (page: Page) => page.getByText(/^Customer \d\d$/).allTextContents();
const numbered = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => `Customer ${String(from < to ? from + i : from - i).padStart(2, "0")}`);
const stored = async (service: TestService, id: number) => (await service.call("GET", `/v1/customers/${id}`)).json;

describeApp("react-admin", REACT_ADMIN, "docs/foreign-clients/react-admin-app.tsx", (opened) => {
  const row = (name: string) => opened().page.getByRole("row").filter({ hasText: name });

  test("lists with the total, jumps to a page, and sorts", async () => {
    const { page } = opened();
    await expect(page.getByText("1-10 of 25")).toBeVisible();
    expect(await names(page)).toEqual(numbered(1, 10));
    await page.getByRole("button", { name: "Go to page 3" }).click();
    await expect(page.getByText("21-25 of 25")).toBeVisible();
    await expect.poll(() => names(page)).toEqual(numbered(21, 25));
    await page.getByRole("columnheader").getByText("Name", { exact: true }).click();
    await expect.poll(() => names(page)).toEqual(numbered(25, 16));
  });

  test("filters by a search and by a condition", async () => {
    const { page, go } = opened();
    await go("/customers");
    await page.getByRole("textbox", { name: "Search" }).fill("customer 07");
    await expect.poll(() => names(page)).toEqual(["Customer 07"]);
    await page.getByRole("textbox", { name: "Search" }).fill("");
    await page.getByRole("textbox", { name: "Name begins with" }).fill("customer 2");
    await expect(page.getByText("1-6 of 6")).toBeVisible();
    await page.getByRole("textbox", { name: "Name begins with" }).fill("");
    await expect(page.getByText("1-10 of 25")).toBeVisible();
  });

  test("creates, with the service's problems at the inputs", async () => {
    const { page, service } = opened();
    await page.getByRole("link", { name: "Create" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("New & Co");
    await page.getByRole("textbox", { name: "City" }).fill("Oss");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Enter the account number.")).toBeVisible();
    await page.getByRole("textbox", { name: "Account number" }).fill("N-1");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("1-10 of 26")).toBeVisible();
    expect((await service.call("GET", "/v1/customers?accountNumber=N-1")).json.customers).toMatchObject([
      { name: "New & Co", city: "Oss" },
    ]);
  });

  test("edits, sends only what differs, and overwrites nobody", async () => {
    const { page, service, go } = opened();
    await go("/customers/5");
    await expect(page.getByRole("textbox", { name: "City" })).toHaveValue("Ulm");
    await page.getByRole("textbox", { name: "City" }).fill("Edited");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Element updated")).toBeVisible();
    expect(await stored(service, 5)).toMatchObject({ name: "Customer 05", city: "Edited", version: 2 });
    await go("/customers/6");
    await expect(page.getByRole("textbox", { name: "City" })).toHaveValue("Kiel");
    await service.call("PATCH", "/v1/customers/6", { city: "Theirs" });
    await page.getByRole("textbox", { name: "City" }).fill("Mine");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/changed meanwhile/)).toBeVisible();
    expect(await stored(service, 6)).toMatchObject({ city: "Theirs", version: 2 });
  });

  test("deletes one, and says why one with orders stays", async () => {
    const { page, service, go } = opened();
    for (const [id, message] of [
      [7, "Element deleted"],
      [2, /1 record of orders refers to this customer/],
    ] as const) {
      await go(`/customers/${id}`);
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
      await expect(page.getByText(message)).toBeVisible();
    }
    const status = async (id: number) => (await service.call("GET", `/v1/customers/${id}`)).status;
    expect([await status(7), await status(2)]).toEqual([404, 200]);
  });

  test("changes and deletes many at once", async () => {
    const { page, service, go } = opened();
    await go("/customers?sort=name&order=ASC&page=1&perPage=10"); // it remembers the order of before
    for (const name of ["Customer 08", "Customer 09"]) await row(name).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Update" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await expect(row("Customer 08")).toContainText("Bremen");
    expect([await stored(service, 8), await stored(service, 9)]).toMatchObject([
      { city: "Bremen", version: 2 },
      { city: "Bremen", version: 2 },
    ]);
    for (const name of ["Customer 08", "Customer 09"]) await row(name).getByRole("checkbox").check();
    await page
      .getByRole("toolbar")
      .or(page.locator("[data-test=bulk-actions-toolbar]"))
      .first()
      .getByRole("button", { name: "Delete" })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await expect(row("Customer 08")).toHaveCount(0);
    await expect.poll(async () => (await service.call("GET", "/v1/customers/9")).status).toBe(404);
  });

  test("shows and picks what records refer to, and reads many parents by one request", async () => {
    const { page, service, go, asked } = opened();
    asked();
    await go("/orders");
    await expect(row("O-3")).toContainText("Customer 02");
    await expect(row("O-1")).toContainText("Customer 01");
    expect(asked().filter((one) => one.startsWith("GET /v1/customers"))).toHaveLength(1);
    await page.getByRole("link", { name: "Create" }).click();
    await page.getByRole("textbox", { name: "Order number" }).fill("O-4");
    await page.getByRole("combobox", { name: "Customer" }).fill("customer 11");
    await page.getByRole("option", { name: "Customer 11" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(row("O-4")).toContainText("Customer 11");
    expect((await service.call("GET", "/v1/orders?customerId=11")).json.orders).toMatchObject([{ orderNumber: "O-4" }]);
    await go("/customers/1");
    await expect(row("O-2")).toBeVisible(); // those that refer to the customer
  });
});

describeApp("Refine", REFINE, "docs/foreign-clients/refine-app.tsx", (opened) => {
  const press = (name: string) => opened().page.getByRole("button", { name, exact: true }).click();
  const input = (name: string) => opened().page.getByRole("textbox", { name });
  const shown = () => opened().page.getByRole("rowheader").allTextContents();

  test("lists with the total, jumps to a page, sorts and filters", async () => {
    const { page } = opened();
    await expect(page.getByText("25 customers, page 1 of 3")).toBeVisible();
    expect(await shown()).toEqual(numbered(1, 10));
    await press("Last page");
    await expect.poll(shown).toEqual(numbered(21, 25));
    await input("Find").fill("mer 07");
    await expect.poll(shown).toEqual(["Customer 07"]);
    await input("Find").fill("");
    await expect(page.getByText("25 customers, page 1 of 3")).toBeVisible();
    await press("Sort by city");
    await expect(page.getByRole("row").first()).toContainText("Ulm");
  });

  test("creates, with the service's problems at the inputs", async () => {
    const { page, service } = opened();
    await press("New");
    await input("name").fill("New & Co");
    await press("Save");
    await expect(page.getByText(/^accountNumber Enter the account number\.$/)).toBeVisible();
    await input("accountNumber").fill("N-1");
    await press("Save");
    await expect(page.getByText("26 customers, page 1 of 3")).toBeVisible();
    expect((await service.call("GET", "/v1/customers?accountNumber=N-1")).json.customers).toMatchObject([{ name: "New & Co" }]);
  });

  test("edits, and overwrites nobody", async () => {
    const { page, service } = opened();
    await input("Find").fill("customer 05");
    await press("Customer 05");
    await input("city").fill("Edited");
    await press("Save");
    await expect(page.getByRole("rowheader").first()).toBeVisible();
    expect(await stored(service, 5)).toMatchObject({ name: "Customer 05", city: "Edited", version: 2 });
    await input("Find").fill("customer 06");
    await press("Customer 06");
    await expect(input("city")).toHaveValue("Kiel");
    await service.call("PATCH", "/v1/customers/6", { city: "Theirs" });
    await input("city").fill("Mine");
    await press("Save");
    await expect(page.getByRole("alert")).toContainText("changed meanwhile");
    expect(await stored(service, 6)).toMatchObject({ city: "Theirs", version: 2 });
  });

  test("deletes one, and says why one with orders stays", async () => {
    const { page, service } = opened();
    await press("Customers");
    await input("Find").fill("customer 07");
    await press("Customer 07");
    await press("Delete");
    await expect(page.getByText("25 customers, page 1 of 3")).toBeVisible();
    expect((await service.call("GET", "/v1/customers/7")).status).toBe(404);
    await input("Find").fill("customer 02");
    await press("Customer 02");
    await press("Delete");
    await expect(page.getByRole("alert")).toContainText("1 record of orders refers to this customer");
  });

  test("changes and deletes many at once", async () => {
    const { page, service } = opened();
    await press("Customers");
    await input("Find").fill("customer 0");
    for (const name of ["Customer 08", "Customer 09"]) await page.getByRole("checkbox", { name: `Pick ${name}` }).check();
    await press("Move to Bremen");
    await expect(page.getByRole("row", { name: /Customer 08/ })).toContainText("Bremen");
    await expect.poll(async () => (await stored(service, 9)).city).toBe("Bremen");
    await press("Delete picked");
    await expect(page.getByRole("row", { name: /Customer 08/ })).toHaveCount(0);
    await expect.poll(async () => (await service.call("GET", "/v1/customers/9")).status).toBe(404);
  });

  test("shows and picks what records refer to, and reads many parents by one request", async () => {
    const { page, service, asked } = opened();
    asked();
    await press("Orders");
    await expect(page.getByRole("list")).toContainText("O-1: Customer 01");
    await expect(page.getByRole("list")).toContainText("O-3: Customer 02");
    expect(asked().filter((one) => one.startsWith("GET /v1/customers?objectId.in"))).toHaveLength(1);
    await input("Find customer").fill("customer 11");
    await page.getByRole("combobox", { name: "Customer" }).selectOption("Customer 11");
    await press("Order");
    await expect(page.getByRole("list")).toContainText("O-9: Customer 11");
    expect((await service.call("GET", "/v1/orders?customerId=11")).json.orders).toMatchObject([{ orderNumber: "O-9" }]);
  });
});
