import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { setLocale } from "./format.ts";
import { withIsoDates } from "./search-dates.ts";

function collectionOf(file: string): Collection {
  const read = readDataPackage(JSON.parse(readFileSync(new URL(`../../core/dictionary/${file}`, import.meta.url), "utf8")));
  return ("collections" in read ? read.collections[0] : undefined) as Collection;
}
const employees = collectionOf("employees.example.json");
const bare = { ...employees, fields: employees.fields.filter(({ kind }) => kind !== "date") };
afterEach(() => setLocale("en-US"));

test.each([
  ["de-DE", "9.3.1981", "1981-03-09"],
  ["de-DE", "meier 09.03.1981", "meier 1981-03-09"],
  ["en-US", "9.3.1981", "1981-03-09"],
  ["en-US", "3/9/1981", "1981-03-09"],
  ["en-GB", "9/3/1981", "1981-03-09"],
  ["nl-NL", "9-3-1981", "1981-03-09"],
  ["en-US", "31.2.1981", "31.2.1981"],
  ["en-US", "13/9/1981", "13/9/1981"],
  ["en-US", "1981-03-09", "1981-03-09"],
  ["en-US", "10.9.3.1981", "10.9.3.1981"],
  ["en-US", "9.3.81", "9.3.81"],
  ["en-US", "1/2/19811", "1/2/19811"],
  ["en-US", "Mar 9, 1981", "1981-03-09"],
  ["en-US", "smith March 9 1981", "smith 1981-03-09"],
  ["en-GB", "9 Mar 1981", "1981-03-09"],
  ["de-DE", "9. März 1981", "1981-03-09"],
  ["de-DE", "2. Dez. 1947", "1947-12-02"],
  ["de-DE", "9 March 1981", "1981-03-09"],
  ["fr-FR", "9 févr. 1981", "1981-02-09"],
  ["nl-NL", "9 mrt 1981", "1981-03-09"],
  ["ru-RU", "9 мая 1981 г.", "1981-05-09 г."],
  ["en-US", "Feb 31, 1981", "Feb 31, 1981"],
  ["en-US", "Room 12, 1981", "Room 12, 1981"],
])("in %s the search %s asks for %s", (locale, typed, asked) => {
  setLocale(locale);
  expect(withIsoDates(employees, typed)).toBe(asked);
});

test("a collection without dates is asked for what was typed", () => {
  expect(withIsoDates(bare, "9.3.1981")).toBe("9.3.1981");
});
