import { describe, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import customersPackage from "../../../core/dictionary/datapackage.json" with { type: "json" };
import employeesPackage from "../../../core/dictionary/employees.example.json" with { type: "json" };
import { displayText, textOf, textsOf, textToValidate } from "../../values/field-text.ts";
import { setLocale } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { changedFields, changedMeanwhile, typedTexts, unitedTexts, valuesOf } from "./diff.ts";
import { recordResolver } from "./resolver.ts";

function only(dataPackage: unknown): Collection {
  const read = readDataPackage(dataPackage);
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections[0] as Collection;
}

const customers = only(customersPackage);
const employees = only(employeesPackage);
const base = { objectId: 7, firstName: "Märta", lastName: "Angstrom", accountID: "0073" };

test("the inputs of a record hold its values as text, and nothing for an empty value", () => {
  expect(textsOf(customers, { ...base, firstName: null })).toEqual({
    objectId: "7",
    firstName: "",
    lastName: "Angstrom",
    accountID: "0073",
  });
});

test("a datetime is shown in the user's time zone and saved as the same instant", () => {
  const hired = employees.byName.get("hiredatetime");
  if (!hired) throw new Error("the example has no hiredatetime");
  const zone = process.env.TZ;
  process.env.TZ = "Asia/Kathmandu"; // 5 h 45 min ahead
  setLocale("en-US");
  const shown = textOf(hired, "2026-07-01T06:30:00.000Z");
  expect(shown).toBe("7/1/2026 12:15 PM");
  expect(textToValidate(hired, shown)).toBe("2026-07-01T06:30:00.000Z");
  expect(textOf(hired, "2026-07-01T06:30:05.000Z")).toBe("7/1/2026 12:15:05 PM");
  setLocale("");
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  expect(textToValidate(hired, "soon")).toBe("soon");
});

test("an old datetime with a historic offset is saved as the same instant too", () => {
  const hired = employees.byName.get("hiredatetime");
  if (!hired) throw new Error("the example has no hiredatetime");
  const zone = process.env.TZ;
  for (const place of ["Asia/Kolkata", "America/New_York", "Pacific/Apia"]) {
    process.env.TZ = place;
    for (const moment of ["1880-06-01T10:00:00.000Z", "0050-03-01T23:00:00.000Z", "2026-10-25T00:30:00.000Z"]) {
      expect([place, textToValidate(hired, textOf(hired, moment))]).toEqual([place, moment]);
    }
  }
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("an input stays empty for an invalid datetime", () => {
  const hired = employees.byName.get("hiredatetime");
  if (!hired) throw new Error("the example has no hiredatetime");
  expect(textOf(hired, "last week")).toBe("");
});

test("an update sends only touched fields that differ", () => {
  const mine = { ...base, firstName: null, lastName: "Ångström", accountID: "0073" };
  expect(changedFields(base, mine, ["lastName", "accountID"])).toEqual({ lastName: "Ångström" });
  expect(changedFields(base, mine, ["firstName"])).toEqual({ firstName: null });
});

test("a text typed back to its stored value does not count as typed", () => {
  const texts = { ...textsOf(customers, base), lastName: "Ångström" };
  expect(typedTexts(customers, base, texts)).toEqual({ lastName: "Ångström" });
  expect(typedTexts(customers, base, { ...texts, lastName: "Angstrom" })).toEqual({});
  expect(typedTexts(customers, {}, textsOf(customers, {}))).toEqual({});
  expect(typedTexts(customers, base, { firstName: "", unheardOf: "x" })).toEqual({ firstName: "" });
});

describe("characters that nobody sees", () => {
  const texts = { id: "7", name: "Ann", permanent: "true" };
  const saved = (name: string, text: string) => recordResolver(employees)({ ...texts, [name]: text }, undefined, {} as never);

  test.each([
    ["phone", "\u202a+49 30 1234\u202c", "+49 30 1234"],
    ["phone", "+49\u200b 30 1234\u2069", "+49 30 1234"],
    ["email", "\u200bana@\u200bexample.com\ufeff", "ana@example.com"],
    ["profile", "https://example.com/\u200ba\u2060b", "https://example.com/ab"],
    ["salary", "12\u200b.5\u200e", "12.5"],
    ["age", "\u206641\u2069", 41],
    ["name", " \u200b \u202eAnn\u200f\u200b", "Ann"],
    ["notes", "\ufeffone\u200btwo\nthree\u200b \n", "onetwo\nthree"],
    ["name", "\u200dनी\u200cर\u200d", "\u200dनी\u200cर\u200d"],
    ["name", "\u200b\u200e", undefined],
  ])("are taken out of %s: %j is %j", async (name, text, value) => {
    const { values, errors } = await saved(name, text);
    expect([(values as Record<string, unknown>)[name], errors[name as "name"]?.message]).toEqual([value, value === undefined ? "Enter the name." : undefined]); // biome-ignore format: short
  });
});

test("a draft's texts are compared as values, an invalid one as text", () => {
  expect(valuesOf(customers, { lastName: " Angstrom ", firstName: "", objectId: "007", unheardOf: "x" })).toEqual({
    lastName: "Angstrom",
    firstName: null,
    objectId: "007",
  });
});

test("a table shows values as people read them", () => {
  const [permanent, hired] = [employees.byName.get("permanent"), employees.byName.get("hiredatetime")];
  if (!permanent || !hired) throw new Error("the example has lost a field");
  expect([displayText(permanent, "true"), displayText(permanent, "")]).toEqual(["Yes", "—"]);
  const at = "2026-07-01T18:30"; // local, as an input has it
  expect(displayText(hired, at)).toBe(formatValue(hired, new Date(at).toISOString()));
  expect(displayText(hired, `${at}:00`)).toBe(displayText(hired, at));
  expect(displayText(hired, `${at}:15`)).toContain(":15");
  expect(displayText(hired, "2026-07-01T99")).toBe("2026-07-01T99");
  expect(displayText(hired, "no day")).toBe("no day");
});

describe("someone else saved meanwhile", () => {
  const theirs = { ...base, accountID: "00073" };

  test("a field that only they changed does not clash", () => {
    const changes = changedMeanwhile(customers, base, theirs, { ...base, lastName: "Ångström" });
    expect(changes.map(({ field, clash }) => [field.name, clash])).toEqual([["accountID", false]]);
  });

  test("a field that both changed clashes, unless both mean the same", () => {
    const [clash] = changedMeanwhile(customers, base, theirs, { ...base, accountID: "73" });
    expect(clash).toMatchObject({ was: "0073", theirs: "00073", mine: "73", clash: true });
    const [same] = changedMeanwhile(customers, base, theirs, { ...base, accountID: "00073" });
    expect(same?.clash).toBe(false);
  });

  test("several values take what both have added and lose what either has taken out", () => {
    const was = { ...base, skills: ["a", "b", "c"] };
    const mine = { ...was, skills: ["a", "c", "mine"] };
    const [one] = changedMeanwhile(employees, was, { ...was, skills: ["theirs", "b", "c"] }, mine);
    expect(one).toMatchObject({ clash: false, united: ["theirs", "c", "mine"] });
    expect(unitedTexts(one ? [one] : [], { skills: "a;c;mine", name: "x" })).toEqual({ skills: "theirs;c;mine", name: "x" });
    const [none] = changedMeanwhile(employees, was, { ...was, skills: null }, { ...was, skills: ["a"] });
    expect(none).toMatchObject({ clash: false, united: [] });
  });
});
