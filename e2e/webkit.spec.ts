// The main journeys in WebKit. It has no file system of its own (OPFS): what is kept otherwise comes back in another way.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { findWebKit } from "./support/browser.ts";
import { startService } from "./support/own-service.ts";
import { PORTS } from "./support/ports.ts";
import { ADMIN_KEY, openApi } from "./support/service.ts";
import { KEYS, openWebKit, type WebKitTab } from "./support/webkit-tab.ts";

const ORIGIN = `http://127.0.0.1:${PORTS.main}`;
const HEADER = "objectId,firstName,lastName,accountID";

interface Fixtures {
  tab: WebKitTab;
  /** Writes a file that can be chosen. Returns its path. */
  file: (name: string, rows: readonly string[]) => string;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for the braces
  tab: async ({}, use) => {
    const tab = await openWebKit(findWebKit());
    await use(tab);
    await tab.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for the braces
  file: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "intake-webkit-"));
    await use((name, rows) => {
      const path = join(folder, name);
      writeFileSync(path, `${[HEADER, ...rows].join("\n")}\n`);
      return path;
    });
    rmSync(folder, { recursive: true });
  },
});

async function signIn(tab: WebKitTab, address: string, origin = ORIGIN): Promise<void> {
  await tab.open(origin + address);
  await tab.fill("textbox", "API key", ADMIN_KEY);
  await tab.click("button", "Sign in");
  await tab.expectText("Find or go to…");
}

/** Types into the first cell that has no last name. */
async function nameTheNameless(tab: WebKitTab, name: string): Promise<void> {
  await tab.click("button", "Show: Enter the last name.");
  await expect.poll(() => tab.run("return document.activeElement.tagName")).toBe("TD");
  await tab.press(...name, KEYS.enter);
}

async function lastNames(search: string): Promise<unknown[]> {
  return (await (await openApi()).all("customers", search)).map(({ lastName }) => lastName).sort();
}

test("a customer is entered, found, changed, deleted and brought back", async ({ tab }) => {
  await signIn(tab, "/customers/new");
  await tab.fill("textbox", "First name", "Wendy");
  await tab.click("button", "Save");
  await tab.expectText("There are 2 problems.");
  await tab.fill("textbox", "Last name", "Webkitson");
  await tab.fill("textbox", "Account ID", "WK-1");
  await tab.click("button", "More ways to save");
  await tab.click("menuitem", "Save and close");
  await tab.fill("searchbox", "Search", "webkitson");
  await tab.expectText("1 customer");
  await tab.click("link", "Webkitson");
  await tab.fill("textbox", "Last name", "Webkitsdottir");
  await tab.click("button", "Save");
  await tab.expectText("Saved.");
  expect(await lastNames("webkits")).toEqual(["Webkitsdottir"]);
  await tab.click("button", "Delete");
  await tab.expectText(/deleted/);
  await expect.poll(() => lastNames("webkits")).toEqual([]);
  await tab.click("button", /^Undo/);
  await expect.poll(() => lastNames("webkits")).toEqual(["Webkitsdottir"]);
});

test("a file is corrected in the grid and uploaded, and its report is kept", async ({ tab, file }) => {
  await signIn(tab, "/customers/upload");
  await tab.setFiles("CSV file", file("webkit-grid.csv", ["9600001,,Wkgrid One,A", "9600002,,,B"]));
  await tab.click("button", "Check");
  await nameTheNameless(tab, "Wkgrid Two");
  await tab.expectText("2 rows are ready");
  await tab.click("button", "Upload 2 rows");
  await tab.expectText("2 of 2 rows are stored");
  expect(await lastNames("wkgrid")).toEqual(["Wkgrid One", "Wkgrid Two"]);
  await tab.click("link", "Uploads");
  await tab.expectText("webkit-grid.csv");
});

test("without a file system corrections come back when the file is chosen again, and another file is refused", async ({ tab, file }) => {
  await signIn(tab, "/customers/upload");
  expect(await tab.run("return typeof navigator.storage?.getDirectory")).toBe("undefined");
  const rows = ["9600011,,Wkback One,A", "9600012,,,B"];
  await tab.setFiles("CSV file", file("webkit-back.csv", rows));
  await tab.click("button", "Check");
  await nameTheNameless(tab, "Wkback Two");
  await tab.expectText("Your corrections are kept on this computer.");
  await tab.reload();
  await signIn(tab, "/customers/upload");
  await tab.expectText("webkit-back.csv is corrected and not uploaded yet.");
  await tab.setFiles("Continue", file("webkit-back.csv", ["9600011,,Other,A", "9600012,,,B"]));
  await tab.expectText("This is not the same webkit-back.csv as before.");
  await tab.setFiles("Continue", file("webkit-back.csv", rows));
  await tab.expectText("2 rows are ready");
  await tab.click("button", "Upload 2 rows");
  await tab.expectText("2 of 2 rows are stored");
  expect(await lastNames("wkback")).toEqual(["Wkback One", "Wkback Two"]);
});

test("without a file system an upload that was cut off stores every row once when its file is chosen again", async ({ tab, file }) => {
  const rows = Array.from({ length: 30_000 }, (_, i) => `${9_610_000 + i},,Wkcut ${i},A`);
  const path = file("webkit-cut.csv", rows);
  await signIn(tab, "/customers/upload");
  await tab.setFiles("CSV file", path);
  await tab.click("button", "Check");
  await tab.click("button", /^Upload 30,?000 rows$/);
  const api = await openApi();
  await expect.poll(async () => (await api.call("GET", "/customers/9610000")).status).toBe(200);
  await tab.reload();
  await signIn(tab, "/customers/upload");
  await tab.expectText("webkit-cut.csv stopped");
  await tab.setFiles("Continue", path);
  await tab.expectText(/30,?000 of 30,?000 rows are stored/);
  const stored = await api.all("customers", "wkcut");
  expect(new Set(stored.map(({ objectId }) => objectId)).size).toBe(30_000);
  expect(stored).toHaveLength(30_000);
});

test("files that wait are named after a reload, and go on when they are chosen again", async ({ tab, file }) => {
  await signIn(tab, "/customers/upload");
  const paths = ["one", "two"].map((name, i) => file(`webkit-${name}.csv`, [`${9_600_021 + i},,Wkqueue ${name},A`]));
  await tab.setFiles("CSV file", ...paths);
  // An automated WebKit keeps no files in IndexedDB, as a private window of Safari.
  await tab.expectText("must be chosen again after a reload");
  await tab.reload();
  await signIn(tab, "/customers/upload");
  for (const [i, name] of ["one", "two"].entries()) {
    await tab.setFiles(`Choose webkit-${name}.csv again`, paths[i] as string);
    await tab.click("button", `Open webkit-${name}.csv`);
    await tab.click("button", "Check");
    await tab.click("button", "Upload 1 row");
    await tab.expectText(`${i + 1} of 2 files uploaded`);
  }
  expect(await lastNames("wkqueue")).toEqual(["Wkqueue one", "Wkqueue two"]);
});

test("a steward adds a field, gives another one another kind, makes a collection of a file, and sees the versions", async ({
  tab,
  file,
}) => {
  const service = await startService();
  try {
    const api = await openApi(service.port);
    const values = ["01.02.1980", "31.12.1981", "unknown"];
    const made = values.map((firstName, i) => ({ objectId: i + 1, lastName: "Wkshape", accountID: `A${i}`, firstName }));
    expect((await api.call("POST", "/customers", made)).status).toBe(201);
    await signIn(tab, "/customers/dictionary", `http://127.0.0.1:${service.port}`);

    await tab.click("button", "Edit");
    await tab.click("button", "Add field");
    await expect.poll(() => tab.run("return document.activeElement.tagName")).toBe("INPUT");
    await tab.press(..."Phone number");
    await tab.choose("Kind", "Phone number");
    await tab.click("link", "Review");
    await tab.expectText("Phone number: new field");
    await tab.click("button", "Apply");
    await tab.expectText("The dictionary has changed");

    await tab.click("button", "Edit");
    await tab.click("button", "First name");
    await tab.click("button", "Change kind…");
    await tab.choose("New kind", "Date");
    await tab.expectText("2 values convert. 1 does not.");
    await tab.click("button", "Convert 2 values");
    await tab.expectText("2 values are converted. 1 is left in the retired field.");
    await tab.click("button", "Close");
    const { json } = await api.call("GET", "/customers?sort=objectId");
    expect((json.customers as { firstName: unknown }[]).map(({ firstName }) => firstName)).toEqual(["1980-02-01", "1981-12-31", null]);

    await tab.click("link", "Versions");
    await tab.expectText("Retired");
    await tab.expectText("Version 3");
    await tab.click("link", "Back to the fields");
    await tab.click("button", "Edit");
    await tab.click("link", "New collection from a file…");
    await tab.setFiles("File for the new collection", file("vehicles.csv", ["1,Van,Long,A", "2,Car,Short,B"]));
    await tab.click("button", "Add collection and review");
    await tab.click("button", "Apply");
    await tab.expectText("Upload vehicles");
    await tab.click("button", "Check");
    await tab.click("button", "Upload 2 rows");
    await tab.expectText("2 of 2 rows are stored");
    expect((await api.call("GET", "/vehicles?limit=1&count=exact")).json.total).toBe(2);
  } finally {
    await service.remove();
  }
});
