import { describe, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { customers, employees } from "../testing/fake-service.ts";
import { isUnnamed, proposeByContent } from "./match-columns.ts";
import { fieldsByContent } from "./match-content.ts";

const contacts = collectionOf(
  { name: "id", type: "integer" },
  { name: "email", title: "E-mail" },
  { name: "contact", example: "+31 20 123 45 67" },
  { name: "website", title: "Web site", example: "https://example.org" },
  { name: "zip", title: "ZIP", constraints: { pattern: "[0-9]{5}" } },
  { name: "note" },
);

function collectionOf(...fields: object[]): Collection {
  const resource = { name: "contacts", path: "contacts.csv", singular: "contact", label: ["id"], schema: { fields, primaryKey: "id" } };
  const read = readDataPackage({ name: "test", resources: [resource] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections[0] as Collection;
}

const found = (collection: Collection, cells: readonly string[]) =>
  fieldsByContent(
    collection,
    cells.map((cell) => [cell]),
    0,
    undefined,
  );

describe("what stands in a column is clearly one field", () => {
  test.each<[string, Collection, string[], string]>([
    ["a choice, with slips and other capitals", employees, ["Utrecht", "lagos", "Utrcht", "Seoul"], "location"],
    ["days in several forms", employees, ["31.12.1985", "1985-06-30", "12/31/85", "3/4/1985"], "birthday"],
    ["times", employees, ["2026-01-31T08:30:00Z", "2026-02-01T08:30:00Z", "31.12.2025 10:00"], "hiredatetime"],
    ["times of day in several forms", employees, ["08:30", "2:05 PM", "14 Uhr", "9h15"], "begins"],
    ["yes and no", employees, ["ja", "nein", "n/a", "ja", "true"], "permanent"],
    ["amounts with decimals", employees, ["1.234,50", "89,00 €", "12.5"], "salary"],
    ["the pattern of a field", employees, ["NL-0042", "PL-0001", "", "DE-0007"], "badge"],
    ["the pattern, with one typing error in ten", employees, [...Array.from({ length: 9 }, (_, i) => `NL-000${i}`), "x"], "badge"],
    ["the pattern, written as formulas", employees, ['="NL-0042"', '="PL-0001"', '="DE-0007"'], "badge"],
    ["e-mail addresses", contacts, ["a@example.org", "b@example.org", "c@example.org"], "email"],
    ["telephone numbers", contacts, ["+31 20 1234567", "020-1234568", "(020) 123 45 69"], "contact"],
    ["web addresses", contacts, ["https://a.example", "www.b.example", "http://c.example/x"], "website"],
  ])("%s", (_, collection, cells, name) => {
    expect(found(collection, cells)).toEqual([name]);
  });
});

describe("what stands in a column is no evidence", () => {
  test.each<[string, Collection, string[]]>([
    ["free text", employees, ["Anna", "Bo", "Cy"]],
    ["free text that a text field takes", contacts, ["pays in cash", "moved", "on Monday"]],
    ["whole numbers", employees, ["41", "42", "1001"]],
    ["whole numbers that a pattern accepts", contacts, ["10115", "20095", "80331"]],
    ["numbers that could be times of day", employees, ["905", "1405", "2359"]],
    ["years", employees, ["2019", "2020", "2021"]],
    ["ones and zeros", employees, ["1", "0", "1"]],
    ["a spreadsheet's day numbers", employees, ["45000", "45001", "45002"]],
    ["one value in all rows", employees, ["2025-12-31", "2025-12-31", "2025-12-31"]],
    ["two rows", employees, ["31.12.1985", "1.1.1986"]],
    ["placeholders", employees, ["n/a", "-", "k.A.", "NULL"]],
    ["days that are too early for the field", employees, ["1812-01-01", "1813-01-02", "1814-01-03"]],
    ["more than one other value in ten", employees, ["ja", "nein", "ja", "vielleicht"]],
    ["days where a telephone number is wanted", contacts, ["01.02.2025", "02.02.2025", "03.02.2025"]],
    ["addresses within a sentence", contacts, ["write to a@example.org", "or to b@example.org", "c@example.org"]],
    ["anything of a collection of free texts", customers, ["Anna", "00071-A", "12345"]],
  ])("%s", (_, collection, cells) => {
    expect(found(collection, cells)).toEqual([]);
  });
});

describe("a field is proposed for a column", () => {
  test("that has none, when exactly one free field fits it, and it fits no other column", () => {
    expect(proposeByContent([[], ["birthday"], ["badge"]], ["name", null, null])).toEqual([null, "birthday", "badge"]);
    expect(proposeByContent([["birthday"], ["birthday"]], [null, null])).toEqual([null, null]);
    expect(proposeByContent([["birthday", "started"]], [null])).toEqual([null]);
    expect(proposeByContent([["birthday", "started"], []], [null, "started"])).toEqual(["birthday", null]);
  });

  test("never in the place of a match by name", () => {
    expect(proposeByContent([["birthday"], []], [null, "birthday"])).toEqual([null, null]);
    expect(proposeByContent([["badge"]], ["name"])).toEqual([null]);
  });

  test("only if no name says what it is", () => {
    expect(["Geburt", "", "Birthday", "created at", "Why not stored"].map((heading) => isUnnamed(employees, heading))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
