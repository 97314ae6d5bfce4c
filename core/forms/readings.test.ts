import { describe, expect, test } from "vitest";
import type { Field } from "../dictionary/fields.ts";
import type { Kind } from "../dictionary/kinds.ts";
import { readForm, readForms } from "./readings.ts";

function fieldOf(kind: Kind, rules: Partial<Field> = {}): Field {
  return { name: "name", title: "Name", description: "", kind, example: "", aliases: [], required: false, unique: false, ...rules };
}

const read = (kind: Kind, text: string, zone?: string) =>
  readForms(fieldOf(kind), text, zone).map(({ name, value }) => `${name} = ${value}`);

describe("a date", () => {
  test.each([
    ["31.12.2025", "date:d.m.y = 2025-12-31"],
    ["1.2.2025", "date:d.m.y = 2025-02-01"], // no locale writes the month first with dots
    ["12.31.2025", "date:m.d.y = 2025-12-31"],
    ["31. 12. 2025", "date:d.m.y = 2025-12-31"],
    ["12/31/25", "date:m/d/yy = 2025-12-31"],
    ["31/12/2025", "date:d/m/y = 2025-12-31"],
    ["31-12-2025", "date:d-m-y = 2025-12-31"],
    ["05/05/2025", "date:x/x/y = 2025-05-05"],
    ["31.12.49", "date:d.m.yy = 2049-12-31"],
    ["31.12.50", "date:d.m.yy = 1950-12-31"],
    ["2025/12/31", "date:y/m/d = 2025-12-31"],
    ["2025-1-5", "date:y-m-d = 2025-01-05"],
    ["20251231", "date:ymd = 2025-12-31"],
    ["31 Dec 2025", "date:d mon y = 2025-12-31"],
    ["31-Dec-25", "date:d mon yy = 2025-12-31"],
    ["31. Dezember 2025", "date:d mon y = 2025-12-31"],
    ["Mittwoch, 31. Dezember 2025", "date:d mon y = 2025-12-31"],
    ["1. März 2025", "date:d mon y = 2025-03-01"],
    ["1er", ""],
    ["December 31st, 2025", "date:mon d y = 2025-12-31"],
    ["31 de diciembre de 2025", "date:d mon y = 2025-12-31"],
    ["31 grudnia 2025", "date:d mon y = 2025-12-31"],
    ["31 déc. 2025", "date:d mon y = 2025-12-31"],
    ["46022", "date:serial = 2025-12-31"],
    ["2025-12-31 00:00:00", "date:y-m-d = 2025-12-31"],
    ["31.12.2025 0:00", "date:d.m.y = 2025-12-31"],
    ["1767139200", "date:unix = 2025-12-31"],
    ["1767139201", ""],
    ["31.2.2025", ""],
    ["2025", ""],
    ["5 foo 2025", ""],
    ["2025-12-31 08:30", ""],
  ])("%s", (text, expected) => {
    expect(read("date", text).join()).toBe(expected);
  });

  test("by the day number of a workbook that counts from 1904 is four years and a day later, and its form says so", () => {
    expect(readForms(fieldOf("date"), "40000", undefined, true)).toEqual([{ name: "date:serial1904", value: "2013-07-07" }]);
    expect(readForm("date:serial1904", fieldOf("date"), "40000")).toBe("2013-07-07");
    expect(readForm("date:serial", fieldOf("date"), "40000")).toBe("2009-07-06");
    expect(readForm("date:serial1904 t@UTC", fieldOf("datetime"), "40000.5")).toBe("2013-07-07T12:00:00.000Z");
  });

  test("that may be two dates has both, and a form that knows it", () => {
    expect(read("date", "03/04/25")).toEqual(["date:d/m/yy? = 2025-04-03", "date:m/d/yy? = 2025-03-04"]);
    expect(read("date", "10-11-12")).toEqual(["date:d-m-yy? = 2012-11-10", "date:m-d-yy? = 2012-10-11", "date:yy-m-d? = 2010-11-12"]);
  });

  test("that may be two dates is not read by the form of those that leave no doubt", () => {
    expect(readForm("date:m/d/yy", fieldOf("date"), "03/04/25")).toBeUndefined();
    expect(readForm("date:m/d/yy?", fieldOf("date"), "03/04/25")).toBe("2025-03-04");
    expect(readForm("date:m/d/yy?", fieldOf("date"), "12/31/25")).toBeUndefined();
  });

  test("is no second date where the field allows only one", () => {
    const past = fieldOf("date", { maximum: "2025-03-31" });
    expect(readForms(past, "03/04/25")).toEqual([{ name: "date:m/d/yy", value: "2025-03-04" }]);
  });
});

describe("a date with a time", () => {
  test.each([
    ["31.12.2025 08:30 +01:00", "date:d.m.y t = 2025-12-31T07:30:00.000Z"],
    ["12/31/2025 8:30 PM Z", "date:m/d/y t = 2025-12-31T20:30:00.000Z"],
    ["1767139201", "date:unix = 2025-12-31T00:00:01.000Z"],
    ["1767139201500", "date:unix = 2025-12-31T00:00:01.500Z"],
    ["31.12.2025 25:30 Z", ""],
    ["46022.354166666664", "date:serial t@UTC = 2025-12-31T08:30:00.000Z"],
    ["46022.999999999", "date:serial t@UTC = 2025-12-31T23:59:59.000Z"],
  ])("%s", (text, expected) => {
    expect(read("datetime", text, "UTC").join()).toBe(expected);
  });

  test("without a zone is asked: in which", () => {
    expect(read("datetime", "2025-07-01 08:30", "Europe/Berlin")).toEqual(["date:y-m-d t@Europe/Berlin = 2025-07-01T06:30:00.000Z"]);
    expect(read("datetime", "2025-07-01 08:30:15.123", "Europe/Berlin")).toEqual(["date:y-m-d t@Europe/Berlin = 2025-07-01T06:30:15.123Z"]);
    expect(read("datetime", "1.7.2025 8:30:15.5+02:00", "UTC")).toEqual(["date:d.m.y t = 2025-07-01T06:30:15.500Z"]);
    expect(readForm("date:y-m-d t@Europe/Berlin", fieldOf("datetime"), "2025-12-01 08:30")).toBe("2025-12-01T07:30:00.000Z");
  });

  test.each([
    ["2025-12-31", "date:y-m-d t0@UTC = 2025-12-31T00:00:00.000Z"], // so a workbook has midnight
    ["31.12.2025", "date:d.m.y t0@UTC = 2025-12-31T00:00:00.000Z"],
    ["46022", "date:serial t0@UTC = 2025-12-31T00:00:00.000Z"],
    ["03/04/25", "date:d/m/yy? t0@UTC = 2025-04-03T00:00:00.000Z,date:m/d/yy? t0@UTC = 2025-03-04T00:00:00.000Z"],
    ["31.2.2025", ""],
  ])("that is a date alone is the start of the day: %s", (text, expected) => {
    expect(read("datetime", text, "UTC").join()).toBe(expected);
  });

  test("alone is the start of the day in the zone that is chosen, and one form says so again", () => {
    expect(read("datetime", "2025-07-01", "Europe/Berlin")).toEqual(["date:y-m-d t0@Europe/Berlin = 2025-06-30T22:00:00.000Z"]);
    expect(readForm("date:y-m-d t0@Europe/Berlin", fieldOf("datetime"), "2025-12-01")).toBe("2025-11-30T23:00:00.000Z");
    expect(readForm("date:y-m-d t0@UTC", fieldOf("datetime"), "2025-12-01 08:30")).toBeUndefined();
  });

  test("that the clocks skip or show twice is not read", () => {
    expect(read("datetime", "2025-03-30 02:30", "Europe/Berlin")).toEqual([]);
    expect(read("datetime", "2025-10-26 02:30", "Europe/Berlin")).toEqual([]);
  });
});

describe("a number", () => {
  test.each([
    ["12,5", "number:, = 12.5"],
    ["1.234,50", "number:, = 1234.5"],
    ["1.234.567", "number:, = 1234567"],
    ["1 234,50", "number:, = 1234.5"],
    ["0,123", "number:, = 0.123"],
    ["1,234.50", "number:. = 1234.5"],
    ["12,34,567.89", "number:. = 1234567.89"],
    ["1'234.50", "number:. = 1234.5"],
    ["1’234’567", "number:  = 1234567"],
    ["€ 1.234,50", "number:,€ = 1234.5"],
    ["1.234,50 €", "number:,€ = 1234.5"],
    ["-5,20 €", "number:,€ = -5.2"],
    ["$-5", "number:$ = -5"],
    ["CHF 12.50", "number:.CHF = 12.5"],
    ["ABC 12.50", ""],
    ["(1,234.50)", "number:.( = -1234.5"],
    ["($5)", "number:($ = -5"],
    ["1.234,50-", "number:,_ = -1234.5"],
    ["12.-", "number:. = 12"],
    ["−5", "number:− = -5"],
    ["+5", "number:+ = 5"],
    ["-(5)", ""],
    ["007,5", ""],
    ["1,23,4", ""],
    ["1.23.456", ""],
    ["12,5 %", "number:,%? = 12.5,number:,%1? = 0.125"],
  ])("%s", (text, expected) => {
    expect(read("number", text).join()).toBe(expected);
  });

  test("with one mark before three digits may be a thousand or a fraction", () => {
    expect(read("number", "1,234")).toEqual(["number:,? = 1.234", "number:.? = 1234"]);
    expect(read("number", "€ 1.234")).toEqual(["number:,€? = 1234", "number:.€? = 1.234"]);
    expect(read("integer", "1,234")).toEqual(["number:. = 1234"]);
    expect(read("number", "-1.234")).toEqual(["number:,? = -1234", "number:.? = -1.234"]);
    expect(read("integer", "1.234")).toEqual(["number:, = 1234"]);
  });
});

describe("a time of day", () => {
  test.each([
    ["2:05 PM", "time:h m p = 14:05:00"],
    ["2:05:30 p.m.", "time:h m p = 14:05:30"],
    ["12:05 AM", "time:h m p = 00:05:00"],
    ["2 pm", "time:h p = 14:00:00"],
    ["14.05 Uhr", "time:h.m = 14:05:00"],
    ["14.05", "time:h.m = 14:05:00"],
    ["14 Uhr", "time:h = 14:00:00"],
    ["14h05", "time:hhm = 14:05:00"],
    ["klo 9.30", "time:h.m = 09:30:00"],
    ["9:30", "time:h m = 09:30:00"],
    ["1405", "time:hm = 14:05:00"],
    ["905", "time:hm = 09:05:00"],
    ["140530", "time:hm = 14:05:30"],
    ["14", "time:h = 14:00:00"],
    ["0.586805555555556", "time:day = 14:05:00"], // a cell of a workbook without a time format
    ["0.5", "time:day = 12:00:00"],
    ["0", "time:day = 00:00:00"],
    ["0.123456", ""], // no whole second
    ["14:05 PM", ""],
    ["24:00", ""],
    ["14:5", ""],
    ["8.5", ""],
    ["2026-01-31 14:05", ""],
  ])("%s", (text, expected) => {
    expect(read("time", text).join()).toBe(expected);
  });
});

describe("a year", () => {
  test.each([
    ["2,019", "year:y,yyy = 2019"],
    ["2.019", "year:y,yyy = 2019"],
    ["02,019", ""],
    ["2019/20", ""],
    ["985", ""],
  ])("%s", (text, expected) => {
    expect(read("year", text).join()).toBe(expected);
  });

  test("of two digits may be of either century, unless the field allows only one", () => {
    expect(read("year", "85")).toEqual(["year:19yy? = 1985", "year:20yy? = 2085"]);
    expect(readForms(fieldOf("year", { maximum: 2030 }), "’85")).toEqual([{ name: "year:19yy", value: 1985 }]);
  });
});
