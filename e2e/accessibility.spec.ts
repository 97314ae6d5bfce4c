// axe finds no fault on any page, light or dark, wide or narrow, and the content security policy blocks nothing.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { goTo } from "./support/menu.ts";
import { appearances, SCHEMES } from "./support/repetitions.ts";
import { check, openApi, signIn } from "./support/service.ts";

for (const { colours: colorScheme, width } of appearances([1280, 390], SCHEMES)) {
  test(`every page passes axe, ${colorScheme}, ${width} wide`, async ({ page }) => {
    const forbidden: string[] = [];
    page.on("console", (message) => message.type() === "error" && forbidden.push(message.text()));
    page.on("pageerror", (error) => forbidden.push(error.message));
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const api = await openApi();
    await api.call("POST", "/customers", { firstName: "智恩", lastName: "朴", accountID: "00112-KR" });

    await page.goto("/");
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
    await expectNoFaults(page);
    await signIn(page, "/");
    await expect(page.getByRole("list", { name: "Collections" }).getByRole("link", { name: "Customers" })).toBeVisible();
    await expect(page.getByText("As a table")).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole("button", { name: "As a table" }).click();
    await expectNoFaults(page);
    await page.getByRole("list", { name: "Collections" }).getByRole("link", { name: "Customers" }).click();
    await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
    await expectNoFaults(page);

    await page.getByRole("searchbox", { name: "Search" }).fill("nobody has this name");
    await expect(page.getByText("No customer matches")).toBeVisible();
    await expectNoFaults(page);

    await page.getByRole("link", { name: "New customer" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("alert")).toBeFocused();
    await expectNoFaults(page);

    await goTo(page, "Uploads");
    await expect(page.getByRole("heading", { name: "Uploads" })).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole("link", { name: "Upload a file" }).click();
    await expect(page.getByText("Drop a CSV file here")).toBeVisible();
    await expectNoFaults(page);
    const id = { light: 0, dark: 2 }[colorScheme] + (width === 390 ? 1 : 0);
    const file = `objectId,firstName,lastName,accountID,Fax\n96${id}0001,A,Axe,1,2\n96${id}0002,A,,1,2\n`;
    await page.getByLabel("CSV file").setInputFiles({ name: "axe.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
    await expect(page.getByRole("button", { name: "Check" })).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole("button", { name: "Check" }).click();
    await expect(page.getByText("This is a preview by the service.")).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole("gridcell", { name: "missing" }).dblclick();
    await expect(page.getByRole("textbox", { name: "Last name, row 2" })).toBeFocused();
    await expectNoFaults(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Leave out: Enter the last name." }).click();
    await expect(page.getByText("1 left out")).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole("button", { name: "Upload" }).click();
    await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole("link", { name: "Show what it changed" }).click();
    await expect(page.getByText("Only what one upload, batch run or its undo changed")).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("Changes of each day as a table").click();
    await expect(page.getByRole("table", { name: "Changes of each day" })).toBeVisible();
    await expectNoFaults(page);
    const { json: gone } = await api.call("POST", "/customers", { lastName: "Gone", accountID: "00113-KR" });
    await api.call("DELETE", `/customers/${gone.objectId}`);
    await signIn(page, "/customers/deleted");
    await page.getByRole("checkbox", { name: "Select Gone" }).first().check();
    await expectNoFaults(page);
    await goTo(page, "Data dictionary");
    await expect(page.getByRole("table", { name: "Fields" })).toBeVisible();
    await expectNoFaults(page);
    expect(forbidden).toEqual([]);
  });
}

for (const { colours: colorScheme, width } of appearances([1280, 390], SCHEMES)) {
  test(`the steps of an odd file fit the page and pass axe, ${colorScheme}, ${width} wide`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const choose = (name: string, text: string) =>
      page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text, "latin1") });
    const expectFit = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await expectNoFaults(page);
    };
    await signIn(page, "/customers/upload");
    await page.getByText("Paste rows", { exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Rows, with their headings" })).toBeVisible();
    await expectFit();
    await choose("heading.csv", 'lastName,"accountID\nAnn,1\n');
    await expect(page.getByRole("button", { name: "Treat stray quotes as text" })).toBeVisible();
    await expectFit();
    await choose("odd.csv", 'A list;;\nRef;Jörg;accountID\n1;"Ann;00501\n2;Bo;02134\n3;Cy;501\n4;"Di;1-Mar\n5;Ed;2\n');
    await page.getByRole("button", { name: "Treat stray quotes as text" }).click();
    await expect(page.getByText("Some cells may not be as they were meant.")).toBeVisible();
    await expect(page.getByRole("table", { name: "First rows" })).toBeVisible();
    await expectFit();
    await page.getByRole("combobox", { name: "Field for Jörg" }).selectOption({ label: "Last name (required)" });
    await page.getByRole("button", { name: "Check" }).click();
    await expect(page.getByText("This is a preview by the service.")).toBeVisible(); // the step before says the rest as well
    await expect(page.getByText("Some cells may not be as they were meant.")).toBeVisible();
    await expectFit();
    await page.getByRole("button", { name: "Choose another file" }).click();
    await choose("again.csv", "Ref,Jörg,accountID,Fax\n1,Ann,7,2\n");
    await expect(page.getByText("“Fax” is new.")).toBeVisible();
    await expectFit();
  });
}

test("problem groups, fixes and corrected cells fit a phone and pass axe", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, "/customers/upload");
  const rows = Array.from(
    { length: 30 },
    (_, i) => `${9_690_000 + i}${i % 3 === 0 ? ".0" : ""},${"Long".repeat(30)},${i % 4 ? "Ann" : ""},1`,
  );
  await check(page, "phone.csv", `objectId,firstName,lastName,accountID\n${rows.join("\n")}\n1,2,3\n`);
  await expect(page.getByText("This is a preview by the service.")).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("button", { name: /^Remove “.0”/ }).click();
  await page.getByRole("button", { name: "Show: Enter the last name." }).click();
  await page.getByRole("gridcell", { name: "missing" }).first().click();
  await page.keyboard.type("Typed on a phone");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("rowheader", { name: "Corrected" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectNoFaults(page);
});

test("a customer is entered by keyboard alone", async ({ page }) => {
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Customers" })).toBeFocused();
  await page.keyboard.press("Tab"); // Upload a file
  await page.keyboard.press("Tab"); // New customer
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "First name" })).toBeFocused();
  for (const text of ["Keya", "Board", "KB-1"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Keya Board" })).toBeVisible();
});

test("a file is uploaded by keyboard alone", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await check(page, "keys.csv", "objectId,firstName,lastName,accountID\n9700001,K,Keys,1\n");
  await page.getByRole("button", { name: "Upload" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Report" })).toBeFocused();
});

for (const colorScheme of SCHEMES) {
  test(`the page of an app that starts, or cannot start, fits a phone and passes axe, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 700 });
    const expectGoodPage = async (title: string) => {
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      await expectNoFaults(page);
    };
    let answer = (_: string) => {};
    const answered = new Promise<string>((resolve) => {
      answer = resolve;
    });
    await page.route("**/config.json", async (route) => route.fulfill({ body: await answered }));
    await page.goto("/", { waitUntil: "commit" });
    await expect.poll(() => page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0); // nothing is painted before
    await expectGoodPage("Loading…");
    answer("not JSON");
    await expectGoodPage("The app is not set up yet");
    await page.unroute("**/config.json");
    await page.route("**/openapi.json", (route) => route.abort());
    await page.reload();
    await expectGoodPage("The service cannot be reached");
  });
}
