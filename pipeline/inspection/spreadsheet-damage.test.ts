import { describe, expect, onTestFinished, test } from "vitest";
import { openCatalogue } from "../../core/i18n/languages.ts";
import { setCatalogue } from "../../core/i18n/translate.ts";
import { createRowChange } from "../reading/apply-column-rules.ts";
import { customers, employees } from "../testing/fake-service.ts";
import { fixesOf, seeColumn, watchColumn, watchDamage } from "./spreadsheet-damage.ts";

function accounts(...cells: string[]): string[] {
  const watch = watchDamage(customers, [null, "accountID"]);
  for (const cell of cells) watch.see([["", cell]]);
  return watch.notes();
}

describe("damage by a spreadsheet in a column of text is reported, with the first such cell", () => {
  test.each([
    ["5,58E+12", "the other digits are lost"],
    ["5.58E+12", "the other digits are lost"],
    ["1E+15", "the other digits are lost"],
    ["1-Mar", "turned into a date"],
    ["31-Okt", "turned into a date"],
    ["Mar-01", "turned into a date"],
    ["1. Mrz", "turned into a date"],
    ["#REF!", "a spreadsheet error"],
    ["#N/A", "a spreadsheet error"],
    ["#BEZUG!", "a spreadsheet error"],
    ["########", "too narrow"],
    ["MÃ¼ller", "wrong encoding"],
    ["Oâ€™Neill", "wrong encoding"],
    ["20Â°C", "wrong encoding"],
  ])("%s: %s", (cell, words) => {
    expect(accounts("A-1", cell)).toEqual([
      expect.stringMatching(new RegExp(`^Account ID: “${cell.replace(/[+.]/g, "\\$&")}” .*${words}`)),
    ]);
  });

  test.each(["JOÃO", "SÃO PAULO", "Ângela", "Château", "Ãngela"])("%s is no damage", (cell) => {
    expect(accounts(cell)).toEqual([]);
  });

  test("an id that lost its digits is reported", () => {
    const watch = watchDamage(customers, ["objectId"]);
    watch.seeBad(["5,58E+12"]);
    expect(watch.notes()).toEqual([expect.stringMatching(/^Object ID: “5,58E\+12” .*digits are lost/)]);
  });

  test("several damaged cells of a column are counted", () => {
    expect(accounts("1-Mar", "2-Mar", "Mar-03")).toEqual([expect.stringContaining("3 cells such as “1-Mar” were turned")]);
  });

  test("the cell stands in the quotation marks of the reader's language", async () => {
    onTestFinished(() => setCatalogue());
    setCatalogue(await openCatalogue("de"));
    expect(accounts("1-Mar")).toEqual([expect.stringContaining("„1-Mar“")]);
  });

  test("leading zeros that were cut off are reported where other cells are padded to one width", () => {
    expect(accounts("00501", "02134", "10001", "501", "90210")).toEqual([
      "Account ID: “501” has fewer digits than the others, which are padded with zeros to 5; a spreadsheet may have removed zeros. " +
        "Ask for an export with this column as text. The step “Columns” of an upload can put the zeros back.",
    ]);
    expect(accounts("00123", "123", "00456", "456", "789", "55")).toEqual([
      expect.stringMatching(/^Account ID: 4 cells such as “123” have fewer/),
    ]);
  });

  test.each(["n/a", "N/A", "n.a.", "NULL", "null", "(null)", "<NULL>", "\\N", "k.A.", "k. A.", "keine Angabe", "NaN", "-", "--", "–"])(
    "%s says that there is no value",
    (cell) => {
      expect(accounts("A-1", cell)).toEqual([
        `Account ID: “${cell}” says that there is no value, and is read as a text. The step “Columns” of an upload can empty such cells.`,
      ]);
    },
  );
});

describe("cells of a column are corrected together, and no others", () => {
  function corrected(...cells: string[]): string[] {
    const column = watchColumn(0);
    const rows = cells.map((cell) => [cell]);
    seeColumn(column, rows);
    const fixes = fixesOf(column);
    const change = createRowChange(fixes.flatMap(({ rules }) => rules));
    for (const { example, to } of fixes) {
      const one = [example];
      change(one);
      expect(one).toEqual([to]);
    }
    for (const row of rows) change(row);
    return rows.map(([cell = ""]) => cell);
  }

  test("cells that say that there is no value become empty", () => {
    expect(corrected("n/a", "k.A. ", "kXAX", "\\N", "(null)", "an/a", "-", "A-1", "NULLA", "None", "Null", "Na")).toEqual([
      ...["", "", "kXAX", "", "", "an/a", "", "A-1", "NULLA", "None", "Null", "Na"],
    ]);
  });

  test("cells get the zeros that the others have", () => {
    expect(corrected("00123", "123", "00456", "7", "12345", "1234567", "12a", "0")).toEqual([
      ...["00123", "00123", "00456", "00007", "12345", "1234567", "12a", "0"],
    ]);
    expect(corrected("1", "22", "333")).toEqual(["1", "22", "333"]);
  });

  test("a few numbers with zeros among many without say nothing of the others", () => {
    const plain = Array.from({ length: 9_900 }, (_, i) => String(i + 1));
    const padded = Array.from({ length: 100 }, (_, i) => String(i).padStart(5, "0"));
    expect(corrected(...padded.slice(0, 2), ...plain)).toEqual([...padded.slice(0, 2), ...plain]);
    expect(corrected(...padded, ...plain)).toEqual([...padded, ...plain.map((cell) => cell.padStart(5, "0"))]);
    expect(accounts(...padded.slice(0, 99), ...plain)).toEqual([]);
    expect(accounts(...padded, ...plain)).toHaveLength(1);
  });
});

test("a column with digits is watched to the end of a long file", () => {
  expect(accounts("77", ...Array.from({ length: 30_000 }, (_, i) => `A-${i}`), "1-Mar")).toEqual([expect.stringContaining("“1-Mar”")]);
});

describe("no damage is reported in", () => {
  test.each([
    ["codes that only look like it", ["713752e1", "12E4", "1-2", "Mar-2026", "#7", "##", "3-Marlow", "5.5"]],
    ["names of months", ["March", "Mar", "1 March"]],
    ["numbers of any width", ["1", "22", "333", "4444"]],
    ["numbers of which one begins with zero", ["007", "1", "22", "333", "444"]],
    ["numbers filled up to one width", ["00501", "02134", "10001"]],
    ["zeros of several widths", ["01", "002", "0003", "5"]],
    ["empty cells", ["", " "]],
  ])("%s", (_, cells) => {
    expect(accounts(...cells)).toEqual([]);
  });

  test("columns that are left out, or that have numbers and dates", () => {
    const watch = watchDamage(employees, ["salary", "hiredatetime", null]);
    const cells = ["1E+05", "1-Mar", "#REF!"];
    watch.see([cells]);
    watch.seeBad(cells);
    expect(watch.notes()).toEqual([]);
  });
});
