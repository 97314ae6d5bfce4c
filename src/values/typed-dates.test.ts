import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { validateRecord } from "../../core/dictionary/validate.ts";
import { openCatalogue } from "../../core/i18n/languages.ts";
import { setCatalogue } from "../../core/i18n/translate.ts";
import { parseFilter } from "../records/query/parse-filter.ts";
import { collectionOf } from "../testing/fields.ts";
import { displayText, fromNeutral, problemMessage, textOf, textToValidate, toNeutral } from "./field-text.ts";
import { setLocale } from "./format.ts";
import { formatValue } from "./format-value.ts";
import { numberSigns } from "./typed-numbers.ts";
import { offersFor, toPicker, typedForm, understood } from "./typed-values.ts";

const LOCALES =
  "en-US en-GB en-IN en-AU en-CA de-DE de-AT de-CH fr-FR fr-CA fr-CH es-ES es-MX it-IT pt-BR pt-PT nl-NL da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ hu-HU bg-BG ru-RU uk-UA tr-TR el-GR hi-IN ar-EG fa-IR he-IL th-TH ja-JP ko-KR zh-CN zh-TW vi-VN lt-LT hr-HR".split(
    " ",
  );

const people = collectionOf([
  { name: "born", title: "Date of birth", type: "date", example: "1980-03-14" },
  { name: "seen", title: "Last seen", type: "datetime" },
  { name: "site", title: "Site", type: "string", format: "uri" },
  { name: "email", title: "E-mail", type: "string", format: "email" },
  { name: "phone", title: "Phone", type: "string", format: "phone" },
  { name: "amount", title: "Amount", type: "number" },
  { name: "pieces", title: "Pieces", type: "integer" },
]);
const field = (name: string) => people.byName.get(name) as Field;
const read = (name: string, text: string) => KIND_TRAITS[field(name).kind].fromText(textToValidate(field(name), text));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 2, 9, 15, 30) });
});
afterEach(() => {
  vi.useRealTimers();
  setLocale("");
  setCatalogue(undefined);
});

/** Days of each month and century, the first and the last of a month, and a leap day. */
const DAYS = [
  ...Array.from({ length: 24 }, (_, i) => new Date(Date.UTC(1897 + i * 7, i % 12, 1 + ((i * 11) % 28))).toISOString().slice(0, 10)),
  "0044-03-15",
  "1066-10-14",
  "1999-12-31",
  "2000-02-29",
  "2026-01-01",
  "2026-03-04",
  "9999-12-31",
];
const MOMENTS = DAYS.slice(3).map((day, i) =>
  new Date(`${day}T${String(i % 24).padStart(2, "0")}:${i % 3 ? "05:00" : "59:09"}`).toISOString(),
);

describe.each(LOCALES)("%s", (locale) => {
  beforeEach(() => setLocale(locale));

  test("a date and a moment are shown in an input, typed again as they stand there, and the same", () => {
    for (const [name, values] of [["born", DAYS] as const, ["seen", MOMENTS] as const]) {
      for (const value of values) {
        const text = textOf(field(name), value);
        expect([text, read(name, text), read(name, ` ${text} `)]).toEqual([text, value, value]);
        expect(displayText(field(name), text)).toBe(displayText(field(name), value));
        expect([text, understood(field(name), text)]).toEqual([text, expect.stringMatching(/^$|, (?:day|month) first/)]);
      }
    }
  });

  test("a filter means the same when it is opened again, and a draft in every other locale", () => {
    for (const day of DAYS) {
      expect(parseFilter(field("born"), "gte", textOf(field("born"), day))).toEqual({ text: day });
      const signs = numberSigns();
      const text = textOf(field("born"), day);
      setLocale(locale === "de-DE" ? "en-US" : "de-DE");
      expect(toNeutral(people, { born: text }, signs)).toEqual({ born: day });
      expect(toNeutral(people, fromNeutral(people, { born: day }))).toEqual({ born: day });
      setLocale(locale);
    }
  });

  test("the programs' own form and the browser's picker are read", () => {
    for (const day of DAYS) {
      expect([read("born", day), toPicker(field("born"), day)]).toEqual([day, day]);
      expect(read("seen", `${day}T08:30`)).toBe(new Date(`${day}T08:30`).toISOString());
    }
  });
});

test.each([
  // [locale, typed, date, how what stands beside it ends: "." for the date in full, nothing for none]
  ["de-DE", "09.03.2026", "2026-03-09", ""],
  ["de-DE", "9.3.2026", "2026-03-09", "."],
  ["de-DE", "9.3.26", "2026-03-09", "."],
  ["de-DE", "9.3.", "2026-03-09", "."],
  ["de-DE", "9.3", "2026-03-09", "."],
  ["de-DE", "14. März", "2026-03-14", "."],
  ["de-DE", "14. März 2019", "2019-03-14", "."],
  ["de-DE", "heute", "2026-03-09", "."],
  ["de-DE", "Gestern", "2026-03-08", "."],
  ["de-DE", "vorgestern", "2026-03-07", "."],
  ["de-DE", "yesterday", "2026-03-08", "."],
  ["de-DE", "+3t", "2026-03-12", "."],
  ["de-DE", "+3d", "2026-03-12", "."],
  ["de-DE", "+2 Wochen", "2026-03-23", "."],
  ["de-DE", "31.2.2026", undefined, ""],
  ["de-DE", "bald", undefined, ""],
  ["de-DE", "3/4/2026", "2026-04-03", ", day first"],
  ["en-US", "3/9/2026", "2026-03-09", ", month first"],
  ["en-US", "3/14/2019", "2019-03-14", ""],
  ["en-US", "14/3/2019", "2019-03-14", "."],
  ["en-US", "3/14", "2026-03-14", "."],
  ["en-US", "March 14", "2026-03-14", "."],
  ["en-US", "Mar 14, 2019", "2019-03-14", "."],
  ["en-US", "tomorrow", "2026-03-10", "."],
  ["en-US", "-1w", "2026-03-02", "."],
  ["en-US", "−1m", "2026-02-09", "."],
  ["en-US", "+1 year", "2027-03-09", "."],
  ["en-US", "+3x", undefined, ""],
  ["en-US", "2019-03-14", "2019-03-14", "."],
  ["en-US", "20190314", "2019-03-14", "."],
  ["en-GB", "9/3/26", "2026-03-09", ", day first"],
  ["en-GB", "09/03/2026", "2026-03-09", ", day first"],
  ["en-GB", "9/9/80", "1980-09-09", "."],
  ["fr-FR", "hier", "2026-03-08", "."],
  ["fr-FR", "+3j", "2026-03-12", "."],
  ["fr-FR", "14 mars 2019", "2019-03-14", "."],
  ["sv-SE", "2019-03-14", "2019-03-14", ""],
] as const)("in %s “%s” is %s, with “%s” beside it", (locale, typed, date, end) => {
  setLocale(locale);
  expect(read("born", typed)).toBe(date);
  const inFull = new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(
    new Date(`${date}T00:00`.replace("undefined", "2026-01-01")),
  );
  expect(understood(field("born"), typed)).toBe(end && inFull + end.replace(".", ""));
});

test("31 January and a month is the last day of February", () => {
  setLocale("en-US");
  vi.setSystemTime(new Date(2028, 0, 31));
  expect(read("born", "+1m")).toBe("2028-02-29");
  expect(read("born", "-11m")).toBe("2027-02-28");
});

test.each([
  ["de-DE", "9.3. 14:05", "2026-03-09T14:05"],
  ["de-DE", "9.3.2026, 14.05 Uhr", "2026-03-09T14:05"],
  ["de-DE", "9. März 2026 um 14:05", "2026-03-09T14:05"],
  ["de-DE", "gestern 8", "2026-03-08T08:00"],
  ["de-DE", "heute", "2026-03-09T00:00"],
  ["en-US", "3/9/2026 2:05 PM", "2026-03-09T14:05"],
  ["en-US", "March 9, 2026 at 2:05 pm", "2026-03-09T14:05"],
  ["en-US", "yesterday 9:30", "2026-03-08T09:30"],
  ["en-US", "October 9 2026 9:30", "2026-10-09T09:30"],
  ["en-US", "2026-03-09T14:05:30", "2026-03-09T14:05:30"],
  ["en-US", "2026-03-09T14:05:30+02:00", "2026-03-09T12:05:30Z"],
  ["en-US", "14:05", undefined],
] as const)("in %s the moment “%s” is %s", (locale, typed, local) => {
  setLocale(locale);
  expect(read("seen", typed)).toBe(local && new Date(local).toISOString());
});

test("the form of a date is said in the words of the app", async () => {
  setLocale("en-US");
  expect([typedForm(field("born")), typedForm(field("seen")), typedForm(field("amount"))]).toEqual([
    "Month/Day/Year",
    "Month/Day/Year and time",
    "",
  ]);
  setCatalogue(await openCatalogue("de"));
  setLocale("de-DE");
  expect([typedForm(field("born")), typedForm(field("seen"))]).toEqual(["Tag.Monat.Jahr", "Tag.Monat.Jahr und Uhrzeit"]);
  expect(understood(field("born"), "3/4/2026")).toMatch(/, Tag zuerst$/);
});

function messageFor(name: string, typed: string): string | undefined {
  const validated = validateRecord(people, { [name]: textToValidate(field(name), typed) }, { from: "text", partial: true });
  const [problem] = validated.problems ?? [];
  return problem && problemMessage(field(name), problem, typed);
}

test.each([
  ["de-DE", "born", "bald", "Date of birth must be a date, such as 14.03.1980."],
  ["de-DE", "born", "31.2.2026", "Date of birth: the calendar has no 31.2.2026."],
  ["de-DE", "seen", "bald", "Last seen must be a date and time, such as "],
  ["de-DE", "amount", "1,234.56", "Amount: “1,234.56” is written in the English form. Write 1234,56."],
  ["en-US", "amount", "1.234,56", "Amount: “1.234,56” is written in the German form. Write 1234.56."],
  ["en-US", "amount", "1,5", "Amount: “1,5” is written in the German form. Write 1.5."],
  ["fr-FR", "amount", "50.000", "Amount: “50.000” may be 50000 or 50."],
  ["de-DE", "amount", "12 %", "Amount: “12 %” may be 12 or 0,12."],
  ["de-DE", "amount", "viel", "Amount must be a number, such as 12,5."],
] as const)("in %s a refusal of %s “%s” names the cause: “%s”", (locale, name, typed, expected) => {
  setLocale(locale);
  expect(messageFor(name, typed)?.startsWith(expected) && messageFor(name, typed)).toBe(messageFor(name, typed));
  const filtered = parseFilter(field(name), "eq", typed);
  expect("wrong" in filtered && filtered.wrong).toBe(messageFor(name, typed));
});

test("what a number may be in another form is offered as it is written here, and is that number", () => {
  setLocale("de-DE");
  expect(offersFor(field("amount"), "1,234.56")).toEqual(["1234,56"]);
  expect(read("amount", "1234,56")).toBe(1234.56);
  expect(offersFor(field("amount"), "1.234,56")).toEqual([]);
  expect(offersFor(field("born"), "31.2.2026")).toEqual([]);
});

test.each([
  ["de-DE", "amount", "1.234,50 €", 1234.5],
  ["de-DE", "amount", "EUR 1.234,50", 1234.5],
  ["de-DE", "amount", "(1.234,50)", -1234.5],
  ["de-DE", "amount", "12,5-", -12.5],
  ["de-DE", "amount", "+12,5", 12.5],
  ["de-DE", "amount", "12,–", 12],
  ["en-US", "amount", "$1,234.50", 1234.5],
  ["en-US", "amount", "-$12.50", -12.5],
  ["en-US", "amount", "--5", undefined],
  ["en-US", "amount", "12 apples", undefined],
  ["de-DE", "pieces", "5,00", 5],
  ["de-DE", "pieces", "5,5", undefined],
] as const)("in %s %s “%s” is %s", (locale, name, typed, value) => {
  setLocale(locale);
  expect(read(name, typed)).toBe(value);
});

test.each([
  ["site", "example.com/a", "https://example.com/a"],
  ["site", "URL: https://example.com", "https://example.com"],
  ["site", "https://example.com", ""],
  ["email", "mailto:ada@example.com", "ada@example.com"],
  ["email", "Ada Fox <ada@example.com>", "ada@example.com"],
  ["email", "ada@example.com", ""],
  ["email", "ada", ""],
  ["phone", "tel:+49 221 940217", "+49 221 940217"],
  ["phone", "0221 940217", ""],
])("%s “%s” is read as “%s”, as an upload corrects it", (name, typed, value) => {
  expect(understood(field(name), typed)).toBe(value);
  expect(textToValidate(field(name), typed)).toBe(value || typed);
  expect(textOf(field(name), typed)).toBe(typed); // what is stored is shown as it is
  expect(displayText(field(name), typed)).toBe(typed);
});

test("a part of an address is looked for as it is typed", () => {
  expect(parseFilter(field("site"), "contains", "example.com")).toEqual({ text: "example.com" });
  expect(parseFilter(field("site"), "eq", "example.com")).toEqual({ text: "https://example.com" });
});

test("a date stands in sentences and tables as the list shows it", () => {
  setLocale("de-DE");
  expect(displayText(field("born"), "9.3.2026")).toBe(formatValue(field("born"), "2026-03-09"));
  expect(displayText(field("born"), "bald")).toBe("bald");
});
