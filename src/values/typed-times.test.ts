import { afterEach, describe, expect, test } from "vitest";
import { KIND_TRAITS, type Value } from "../../core/dictionary/kinds.ts";
import { validateRecord } from "../../core/dictionary/validate.ts";
import { describeFilter } from "../records/query/describe-filter.ts";
import { parseFilter } from "../records/query/parse-filter.ts";
import { collectionOf } from "../testing/fields.ts";
import { displayText, fromNeutral, problemMessage, textOf, textToValidate, toNeutral } from "./field-text.ts";
import { setLocale } from "./format.ts";
import { formatValue } from "./format-value.ts";
import { understood } from "./typed-values.ts";

const LOCALES =
  "en-US en-GB en-IN en-AU de-DE de-AT de-CH fr-FR fr-CA fr-CH es-ES es-MX it-IT pt-BR pt-PT nl-NL da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ bg-BG ru-RU tr-TR el-GR hi-IN ar-EG fa-IR he-IL ja-JP ko-KR zh-CN zh-TW vi-VN".split(
    " ",
  );

const shifts = collectionOf([
  { name: "begins", title: "Begins", type: "time", example: "08:30", constraints: { minimum: "05:00", maximum: "23:59:30" } },
  { name: "since", title: "Since", type: "year", example: "2019", constraints: { minimum: -500 } },
]);
const field = (name: string) => {
  const found = shifts.byName.get(name);
  if (!found) throw new Error(name);
  return found;
};

afterEach(() => setLocale(""));

const VALUES: [name: string, value: Value][] = [
  ...Array.from({ length: 24 * 4 }, (_, i): [string, Value] => ["begins", new Date(i * 900_000).toISOString().slice(11, 19)]),
  ["begins", "00:00:01"],
  ["begins", "12:00:59"],
  ["begins", "23:59:59"],
  ...[-9999, -44, -1, 0, 7, 987, 1000, 1985, 2026, 9999].map((year): [string, Value] => ["since", year]),
];

const typedValue = (name: string, text: string) => KIND_TRAITS[field(name).kind].fromText(textToValidate(field(name), text));

describe.each(LOCALES)("%s", (locale) => {
  test("a value is shown in an input, typed again as it stands there, and the same", () => {
    setLocale(locale);
    for (const [name, value] of VALUES) {
      const text = textOf(field(name), value);
      expect([text, typedValue(name, text)]).toEqual([text, value]);
      expect([text, understood(field(name), text)]).toEqual([text, ""]);
    }
  });

  test("a value is read as the list shows it, and in capitals", () => {
    setLocale(locale);
    for (const [name, value] of VALUES) {
      const shown = formatValue(field(name), value);
      expect([shown, typedValue(name, shown), typedValue(name, shown.toUpperCase())]).toEqual([shown, value, value]);
      expect(displayText(field(name), textOf(field(name), value))).toBe(shown);
    }
  });

  test("a filter means the same when it is opened again", () => {
    setLocale(locale);
    for (const [name, value] of VALUES) {
      const { text } = parseFilter(field(name), "gte", textOf(field(name), value)) as { text: string };
      expect([text, KIND_TRAITS[field(name).kind].fromText(text)]).toEqual([text, value]);
    }
  });

  test("a text that is typed here means the same after another locale was chosen", () => {
    for (const [name, value] of VALUES.slice(50)) {
      setLocale(locale);
      const text = textOf(field(name), value);
      const neutral = toNeutral(shifts, { [name]: text });
      setLocale(locale === "de-DE" ? "en-US" : "de-DE");
      const other = fromNeutral(shifts, neutral);
      expect([text, typedValue(name, other[name] ?? "")]).toEqual([text, value]);
    }
  });
});

test.each([
  // [locale, typed, time, what stands beside it]
  ["de-DE", "14:05", "14:05:00", ""],
  ["de-DE", "1405", "14:05:00", "14:05"],
  ["de-DE", "905", "09:05:00", "09:05"],
  ["de-DE", "14.05", "14:05:00", "14:05"],
  ["de-DE", "14.05 Uhr", "14:05:00", "14:05"],
  ["de-DE", "14 Uhr", "14:00:00", "14:00"],
  ["de-DE", "14", "14:00:00", "14:00"],
  ["de-DE", "2:05 pm", "14:05:00", "14:05"],
  ["de-DE", "14:05:30", "14:05:30", ""],
  ["de-DE", "140530", "14:05:30", "14:05:30"],
  ["de-DE", "24:00", undefined, ""],
  ["de-DE", "14:60", undefined, ""],
  ["de-DE", "14,5", undefined, ""],
  ["de-DE", "14:5", undefined, ""],
  ["de-DE", "bald", undefined, ""],
  ["en-US", "2:05 PM", "14:05:00", ""],
  ["en-US", "2:05pm", "14:05:00", "2:05 PM"],
  ["en-US", "2:05 p.m.", "14:05:00", "2:05 PM"],
  ["en-US", "2 pm", "14:00:00", "2:00 PM"],
  ["en-US", "205pm", "14:05:00", "2:05 PM"],
  ["en-US", "12 am", "00:00:00", "12:00 AM"],
  ["en-US", "12:30 pm", "12:30:00", ""], // but for its small letters it is as shown
  ["en-US", "14:05", "14:05:00", "2:05 PM"],
  ["en-US", "14:05 pm", undefined, ""],
  ["en-US", "0:05 am", undefined, ""],
  ["fr-FR", "14h05", "14:05:00", "14:05"],
  ["fr-FR", "14 h", "14:00:00", "14:00"],
  ["fi-FI", "klo 14.05", "14:05:00", "14.05"],
  ["nb-NO", "kl. 14:05", "14:05:00", "14:05"],
  ["ja-JP", "14:05", "14:05:00", ""],
] as const)("in %s “%s” is %s, and beside it stands “%s”", (locale, typed, time, echo) => {
  setLocale(locale);
  expect(typedValue("begins", typed)).toBe(time);
  expect(understood(field("begins"), typed)).toBe(echo);
});

test.each([
  ["2019", 2019],
  ["-0044", -44],
  ["−0044", -44],
  ["0476", 476],
  ["85", undefined],
  ["476", undefined],
  ["12026", undefined],
  ["-0000", 0],
  ["2,019", undefined],
])("the year “%s” is %s", (typed, year) => {
  setLocale("en-US");
  expect(typedValue("since", typed)).toBe(year);
});

test("messages write times and years as the reader does", () => {
  const wrong = (texts: Record<string, string>) => {
    const input = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, textToValidate(field(name), text)]));
    const { problems = [] } = validateRecord(shifts, input, { from: "text", partial: true });
    return problems.map((problem) => problemMessage(field(problem.field), problem).replaceAll("\u202f", " "));
  };
  setLocale("en-US");
  expect(wrong({ begins: "noon", since: "85" })).toEqual([
    "Begins must be a time of day, such as 8:30 AM.",
    "Since must be a year of four digits, such as 2019.",
  ]);
  expect(wrong({ begins: "4 am", since: "-0501" })).toEqual(["Begins must be 5:00 AM or later.", "Since must be -0500 or later."]);
  setLocale("de-DE");
  expect(wrong({ begins: "23:59:31" })).toEqual(["Begins must be 23:59:30 or earlier."]);
});

test("a list of times is typed with commas", () => {
  setLocale("en-US");
  expect(parseFilter(field("begins"), "in", "8, 2:05 pm")).toEqual({ text: "08:00:00,14:05:00" });
  const filter = { name: "begins", operator: "gte", text: "14:05:00" } as const;
  expect(describeFilter(shifts, [filter], formatValue).condition.replace("\u202f", " ")).toBe("from 2:05 PM");
});
