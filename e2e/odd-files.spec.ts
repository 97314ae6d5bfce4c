// Files in other encodings, with titles above the heading, stray quotes, pasted cells or remembered columns.

import { expect, type Page, test } from "@playwright/test";
import { signOut } from "./support/menu.ts";
import { openApi, reported, signIn } from "./support/service.ts";

async function choose(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });
}

async function upload(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
}

async function stored(key: number): Promise<unknown> {
  const { firstName, lastName, accountID } = (await (await openApi()).call("GET", `/customers/${key}`)).json;
  return [firstName, lastName, accountID];
}

/** Encodes the characters that these tests use. */
function windows1252(text: string): Uint8Array {
  const high: Record<string, number> = { "€": 0x80, "“": 0x93, "”": 0x94, "’": 0x92, š: 0x9a, Š: 0x8a };
  return new Uint8Array(Array.from(text, (letter) => high[letter] ?? letter.charCodeAt(0)));
}

test("a windows-1252 file with semicolons and title lines uploads with names right", async ({ page }) => {
  const text = [
    "Kundenliste;;;",
    "Stand: 1. Mai 2026;;;",
    "",
    "Customer number;Vorname;Nachname;Konto",
    "9810001;Jörg “Jo”;Müller, Dr.;00071-€",
    "9810002;Ana-María;D’Angelo;00072",
    "9810003;Tomáš;Šimek;00073",
  ].join("\r\n");
  await signIn(page, "/customers/upload");
  await choose(page, "kunden.csv", windows1252(text));
  await expect(
    page.getByText("Read as Windows-1252, because line 5 has bytes that are not UTF-8, and its words are right that way."),
  ).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Heading" })).toHaveValue("4");
  await expect(page.getByRole("combobox", { name: "Separator" })).toHaveValue(";");
  await expect(page.getByRole("table", { name: "First rows" })).toContainText("Jörg “Jo”");
  await upload(page);
  expect(await reported(page, "Created")).toBe(3);
  expect(await stored(9_810_001)).toEqual(["Jörg “Jo”", "Müller, Dr.", "00071-€"]);
  expect(await stored(9_810_003)).toEqual(["Tomáš", "Šimek", "00073"]);
});

test("a UTF-16 file as Excel saves “Unicode text” uploads", async ({ page }) => {
  const text = "\uFEFFobjectId\tfirstName\tlastName\taccountID\r\n9820001\t小明\t王\t00081\r\n9820002\t\tŁukasz 🙂\t00082\r\n";
  await signIn(page, "/customers/upload");
  await choose(page, "unicode.txt", Buffer.from(text, "utf16le"));
  await expect(page.getByText("Read as UTF-16, because it begins with that byte order mark.")).toBeVisible();
  await upload(page);
  expect(await reported(page, "Created")).toBe(2);
  expect(await stored(9_820_001)).toEqual(["小明", "王", "00081"]);
  expect(await stored(9_820_002)).toEqual([null, "Łukasz 🙂", "00082"]);
});

test("JSON Lines are checked, corrected and uploaded like a table", async ({ page }) => {
  const lines = [
    '{"objectId":9825001,"Vorname":"Jörg","lastName":"\'=Ek","accountID":"00091"}',
    '{"objectId":9825002,"Vorname":null,"lastName":"Al","accountID":"1.50"}',
    '{"objectId":9825003,"lastName":["Ko"],"accountID":"x"}',
  ];
  await signIn(page, "/customers/upload");
  await choose(page, "customers.jsonl", lines.join("\n"));
  await expect(page.getByText("JSON Lines: each line is a record")).toBeVisible();
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("The record cannot be read.").first()).toBeVisible();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(2);
  expect(await stored(9_825_001)).toEqual(["Jörg", "'=Ek", "00091"]);
  expect(await stored(9_825_002)).toEqual([null, "Al", "1.50"]);
});

test("a file that stops being UTF-8 far down names the line, and one click reads it", async ({ page }) => {
  const rows = Array.from({ length: 60_000 }, (_, i) => `${9_830_001 + i},Far,Down,${i}`); // more than 1 MiB, by which an encoding is chosen
  rows[59_000] = "9889001,Jörg,Far,D";
  await signIn(page, "/customers/upload");
  await choose(page, "far.csv", windows1252(`objectId,firstName,lastName,accountID\n${rows.join("\n")}\n`));
  await page.getByRole("combobox", { name: "Field for firstName" }).selectOption({ label: "Leave out" });
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByRole("alert")).toContainText(
    "Line 59,002 has bytes in another encoding. As Windows-1252 it reads “9889001,Jörg,Far,D",
  );
  await page.getByRole("button", { name: "Read as Windows-1252" }).click();
  await expect(page.getByRole("combobox", { name: "Encoding" })).toHaveValue("windows-1252");
  await expect(page.getByRole("combobox", { name: "Field for firstName" })).toHaveValue(""); // what was chosen stays
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("60,000 rows are ready")).toBeVisible();
});

test("a stray quote is named, and one click brings its rows back", async ({ page }) => {
  const rows = Array.from({ length: 2_000 }, (_, i) => `${9_850_001 + i},Stray,"Quote, ${i}",S`);
  rows[1_500] = '9851501,Stray,"Ace Quote,S';
  await signIn(page, "/customers/upload");
  await choose(page, "stray.csv", ["objectId,firstName,lastName,accountID", ...rows].join("\n"));
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("Lines 1,502 to 1,503 were read as one row")).toBeVisible();
  await page.getByRole("button", { name: "Treat stray quotes as text" }).click();
  await upload(page);
  expect(await reported(page, "Created")).toBe(2_000);
  expect(await stored(9_851_501)).toEqual(["Stray", '"Ace Quote', "S"]);
  expect(await stored(9_851_502)).toEqual(["Stray", "Quote, 1501", "S"]);
});

test("a file that is being read in another way is not checked or uploaded as it was read before", async ({ page }) => {
  const text = `objectId,firstName,lastName,accountID\n9853001,Fast,"Ace Hasty,F\n9853002,Fast,"Hasty, Jo",F\n`;
  await signIn(page, "/customers/upload");
  await choose(page, "hasty.csv", text);
  // Both in one task, before the page can draw what the first one does.
  const press = (...names: string[]) =>
    page.evaluate((all) => {
      const buttons = [...document.querySelectorAll("button")];
      for (const name of all) buttons.find(({ textContent }) => textContent?.startsWith(name))?.click();
    }, names);
  await expect(page.getByRole("button", { name: "Treat stray quotes as text" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Text quote" })).toHaveValue('"');
  await press("Treat stray quotes as text", "Check");
  await expect(page.getByRole("combobox", { name: "Text quote" })).toHaveValue("lines");
  await upload(page);
  expect(await reported(page, "Created")).toBe(2);
  expect(await stored(9_853_001)).toEqual(["Fast", '"Ace Hasty', "F"]);
});

test("a table pasted from a spreadsheet uploads", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, "/customers/upload");
  const table = 'Object ID\tFirst name\tLast name\tAccount ID\r\n9860001\tZoë\tPasted, Jr.\t00091\r\n9860002\t\t"two\nlines"\t00092\r\n';
  await page.evaluate((text) => navigator.clipboard.writeText(text), table);
  await expect(page.getByText("Drop a CSV file here")).toBeVisible();
  await page.keyboard.press("Control+v");
  await expect(page.getByRole("combobox", { name: "Separator" })).toHaveValue("\t");
  await upload(page);
  expect(await reported(page, "Rows read")).toBe(2);
  expect(await stored(9_860_001)).toEqual(["Zoë", "Pasted, Jr.", "00091"]);
});

test("rows that are typed into a text box are uploaded", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await page.getByText("Paste rows", { exact: true }).click();
  await page.getByRole("textbox", { name: "Rows, with their headings" }).fill("objectId,lastName,accountID\n9870001,Box,B\n");
  await page.getByRole("button", { name: "Use these rows" }).click();
  await upload(page);
  expect(await stored(9_870_001)).toEqual([null, "Box", "B"]);
});

test("columns that were matched by hand are remembered for the next file until the user signs out", async ({ page }) => {
  const field = (heading: string) => page.getByRole("combobox", { name: `Field for ${heading}` });
  await signIn(page, "/customers/upload");
  await choose(page, "first.csv", "Ref,Who,Where,Fax\n9880001,Ann,A,1\n");
  await field("Who").selectOption({ label: "Last name (required)" });
  await field("Where").selectOption({ label: "Account ID (required)" });
  await field("Ref").selectOption({ label: "Object ID" });
  await upload(page);
  await page.getByRole("button", { name: "Choose another file" }).click();

  await choose(page, "second.csv", "Where,Who,Ref,Fax\nB,Bo,9880002,2\n");
  await expect(page.getByText("Columns as last time.")).toBeVisible();
  await expect(field("Who")).toHaveValue("lastName");
  await upload(page);
  expect(await stored(9_880_002)).toEqual([null, "Bo", "B"]);
  await page.getByRole("button", { name: "Choose another file" }).click();

  await choose(page, "third.csv", "Ref,Who,Where,Mobile\n9880003,Cy,C,3\n");
  await expect(page.getByText("“Mobile” is new, “Fax” is missing.")).toBeVisible();
  await expect(field("Where")).toHaveValue("accountID");
  await page.getByRole("button", { name: "Match them by name instead" }).click();
  await expect(field("Where")).toHaveValue("");

  await signOut(page);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await signIn(page, "/customers/upload");
  await choose(page, "fourth.csv", "Ref,Who,Where,Fax\n9880004,Di,D,4\n");
  await expect(field("Who")).toHaveValue("");
  await expect(page.getByText("Columns as last time")).toHaveCount(0);
});

test("changes to columns are made again in the next file with the same headings", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, "monday.csv", 'objectId,Wer,accountID\n9883001,"Poe, Ana",A\n9883002,"Ek, Bo",B\n');
  await page.getByRole("button", { name: "Split into Last name, First name", exact: true }).click();
  await page.getByRole("dialog", { name: "Change columns" }).getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("button", { name: "Split into Last name, First name", exact: true })).toHaveCount(0);
  await upload(page);
  expect(await stored(9_883_001)).toEqual(["Ana", "Poe", "A"]);
  await page.getByRole("button", { name: "Choose another file" }).click();

  await choose(page, "tuesday.csv", 'Wer,accountID,objectId\n"Li, Cy",C,9883003\n');
  await expect(page.getByText("Columns as last time.")).toBeVisible();
  await expect(page.getByText("Wer is split into Last name, First name")).toBeVisible();
  await upload(page);
  expect(await stored(9_883_003)).toEqual(["Cy", "Li", "C"]);
});

test("the sample follows at once when the user changes separator, text quote or heading", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, "chips.csv", "last;name,accountID\n'Smith;Jo',1\n");
  const sample = page.getByRole("table", { name: "First rows" });
  await page.getByRole("combobox", { name: "Separator" }).selectOption({ label: "semicolon" });
  await expect(sample.getByRole("columnheader")).toHaveText(["last", "name,accountID"]);
  await page.getByRole("combobox", { name: "Separator" }).selectOption({ label: "comma" });
  await page.getByRole("combobox", { name: "Text quote" }).selectOption({ label: "'" });
  await expect(sample.getByRole("cell")).toHaveText(["Smith;Jo", "1"]);
  await page.getByRole("combobox", { name: "Heading" }).selectOption({ label: "none" });
  await expect(sample.getByRole("columnheader")).toHaveText(["Column 1", "Column 2"]);
  await expect(page.getByRole("combobox", { name: "Field for Column 2" })).toBeVisible();
});

test("units, a repeated heading and a total are named, and left out with one click each", async ({ page }) => {
  const row = (key: number) => `${key},Ann,North ${key},A-${key}`;
  const heading = "objectId,firstName,lastName,accountID";
  const file = [heading, ",[text],[text],", row(9_895_001), row(9_895_002), heading, row(9_895_003), "Total,,,3"].join("\n");
  await signIn(page, "/customers/upload");
  await choose(page, "printed.csv", file);
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("3 rows are ready")).toBeVisible();
  const problems = page.getByRole("region", { name: "Problems", exact: true });
  await expect(problems.getByRole("button", { name: /^Leave out: The row / })).toHaveCount(3);
  await problems.getByRole("button", { name: "Leave out: The row looks like units below the heading." }).click();
  await problems.getByRole("button", { name: "Leave out: The row repeats the heading." }).click();
  await problems.getByRole("button", { name: "Keep as rows: The row looks like a total." }).click();
  await expect(problems).toContainText("Read as rows: what looks like a total");
  await problems.getByRole("button", { name: "Revert: what looks like a total" }).click();
  await problems.getByRole("button", { name: "Leave out: The row looks like a total." }).click();
  await expect(problems.getByText("Left out: The row looks like a total.")).toBeVisible();
  await page.getByRole("button", { name: "Upload 3 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(3);
  expect(await reported(page, "Not sent")).toBe(3);
  expect(await reported(page, "Rows read")).toBe(6);
  expect(await stored(9_895_003)).toEqual(["Ann", "North 9895003", "A-9895003"]);
});

test("a separator is typed by hand, and whole lines in quotation marks are read as their cells", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, "typed.csv", "objectId<>lastName<>accountID\n9896001<>Typed<>B\n");
  await page.getByRole("combobox", { name: "Separator" }).selectOption({ label: "Other…" });
  const typed = page.getByRole("textbox", { name: "Characters between the cells" });
  await typed.fill('"');
  await expect(page.getByText("Quotation marks cannot separate cells.")).toBeVisible();
  await typed.fill("<>");
  await typed.press("Enter");
  await expect(page.getByRole("combobox", { name: "Separator" })).toHaveValue("<>");
  await upload(page);
  expect(await stored(9_896_001)).toEqual([null, "Typed", "B"]);
  await page.getByRole("button", { name: "Choose another file" }).click();

  await choose(page, "wrapped.csv", '"objectId,lastName,accountID"\n"9896002,""Line, Quoted"",C"\n');
  await expect(page.getByText("Every line stands in quotation marks")).toBeVisible();
  await upload(page);
  expect(await stored(9_896_002)).toEqual([null, "Line, Quoted", "C"]);
});

test("damage by a spreadsheet to account numbers is named before anything is sent", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, "damaged.csv", "lastName,accountID\nAnn,00501\nBo,02134\nCy,501\nDi,1-Mar\n");
  await expect(page.getByText("“1-Mar” was turned into a date by a spreadsheet")).toBeVisible();
  await expect(page.getByText("“501” has fewer digits than the others")).toBeVisible();
});

test("the template is one click away", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const downloads = page.waitForEvent("download");
  await page.getByRole("button", { name: "template" }).click();
  expect((await downloads).suggestedFilename()).toBe("customers-template.csv");
});
