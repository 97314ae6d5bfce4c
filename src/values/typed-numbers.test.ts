import { afterEach, describe, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Value } from "../../core/dictionary/kinds.ts";
import { validateRecord } from "../../core/dictionary/validate.ts";
import { describeFilter } from "../records/query/describe-filter.ts";
import { parseFilter } from "../records/query/parse-filter.ts";
import { fromNeutral, problemMessage, type Texts, textOf, textToValidate, toNeutral } from "./field-text.ts";
import { setLocale } from "./format.ts";
import { formatValue } from "./format-value.ts";
import { numberSigns, readTypedNumber, separatorOf } from "./typed-numbers.ts";
import { showTyped, understood } from "./typed-values.ts";

const LOCALES =
  "en-US en-GB en-IN de-DE de-AT de-CH fr-FR fr-CH es-ES it-IT pt-BR pt-PT nl-NL da-DK sv-SE nb-NO fi-FI pl-PL cs-CZ ru-RU tr-TR el-GR hi-IN ar-EG fa-IR ja-JP".split(
    " ",
  );

function collectionOf(fields: object[]): Collection {
  const read = readDataPackage({
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    resources: [{ name: "goods", title: "Goods", noun: "item", schema: { fields, primaryKey: ["id"] } }],
  });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections[0] as Collection;
}

const goods = collectionOf([
  { name: "id", title: "ID", type: "integer", constraints: { required: true, unique: true } },
  { name: "pieces", title: "Pieces", type: "integer", constraints: { minimum: 0, maximum: 1_000_000 } },
  { name: "weight", title: "Weight", type: "number", example: "1250.5" },
  { name: "price", title: "Price", type: "number", decimals: 2, constraints: { minimum: "-1250.5" } },
]);
const field = (name: string) => goods.byName.get(name) as Field;

afterEach(() => setLocale(""));

/** A repeatable sequence of numbers from 0 to 1 (Numerical Recipes, "quick and dirty" generator). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const VALUES: [name: string, value: Value][] = (() => {
  const random = randomNumbers(26);
  const values: [string, Value][] = [
    ["weight", 0],
    ["weight", -0.5],
    ["weight", 1.234],
    ["weight", 50_000],
    ["weight", 1e-7],
    ["weight", 1.5e21],
    ["weight", Number.MAX_SAFE_INTEGER],
    ["pieces", 1_000_000],
    ["price", "-0.01"],
    ["price", "99999999999999999999999999.99"],
  ];
  for (let i = 0; i < 300; i++) {
    const size = 10 ** Math.floor(random() * 12);
    const amount = (random() - 0.5) * size;
    values.push(["weight", Number(amount.toPrecision(1 + Math.floor(random() * 14)))]);
    values.push(["pieces", Math.floor(random() * 1_000_000)]);
    values.push(["price", KIND_TRAITS.decimal.fromText(String(Number(amount.toFixed(2)))) as string]);
  }
  return values;
})();

const typedValue = (name: string, text: string) => KIND_TRAITS[field(name).kind].fromText(textToValidate(field(name), text));

describe.each(LOCALES)("%s", (locale) => {
  test("a value is shown in an input, typed again as it stands there, and the same", () => {
    setLocale(locale);
    for (const [name, value] of VALUES) {
      const text = textOf(field(name), value);
      expect([text, typedValue(name, text)]).toEqual([text, value]);
      expect([text, understood(field(name), text)]).toEqual([text, /e/.test(text) ? expect.any(String) : ""]);
    }
  });

  test("a value is read as the list shows it, with its group signs", () => {
    setLocale(locale);
    for (const [name, value] of VALUES) {
      if (String(value).includes("e-")) continue; // the list shows at most twenty decimals
      const shown = formatValue(field(name), value);
      expect([shown, typedValue(name, shown)]).toEqual([shown, value]);
      expect(showTyped(field(name), textOf(field(name), value))).toBe(shown);
    }
  });

  test("a filter means the same when it is opened again", () => {
    setLocale(locale);
    for (const [name, value] of VALUES) {
      const typed = textOf(field(name), value);
      expect(parseFilter(field(name), "gte", typed)).toEqual({ text: readTypedNumber(typed) });
    }
    const list = ["1.5", "-20", "1234567.25"].map((text) => textOf(field("weight"), Number(text)));
    const typed = list.join(`${separatorOf(field("weight"))} `);
    expect(parseFilter(field("weight"), "in", typed)).toEqual({ text: "1.5,-20,1234567.25" });
  });

  test("a draft has the same values in every other locale", () => {
    const texts = Object.fromEntries(VALUES.slice(0, 30).map(([name, value], i) => [`${name}${i}`, textIn(locale, name, value)]));
    const wide = { ...goods, byName: new Map(Object.keys(texts).map((name) => [name, field(name.replace(/[0-9]+$/, ""))])) };
    setLocale(locale);
    const neutral = toNeutral(wide, texts);
    for (const other of LOCALES) {
      setLocale(other);
      expect(toNeutral(wide, fromNeutral(wide, neutral))).toEqual(neutral);
    }
  });

  test("no text is read as a number that another sign would make of it", () => {
    setLocale(locale);
    const { decimal } = numberSigns();
    for (const text of [
      "",
      "-",
      decimal,
      `1${decimal}2${decimal}3`,
      "1 2",
      "12 34",
      "1'23",
      "1 234.567'8",
      "0x10",
      "Infinity",
      "NaN",
      "1_000",
    ]) {
      expect([text, readTypedNumber(text)]).toEqual([text, undefined]);
    }
    expect(readTypedNumber("50 000")).toBe("50000");
    expect(readTypedNumber(`50\u202f000${decimal}5`)).toBe("50000.5");
  });
});

/** With the group sign of this version of the CLDR: an apostrophe or a space, of which there are several. */
function formatIn(locale: string, number: number): string {
  return new Intl.NumberFormat(locale).format(number);
}

function textIn(locale: string, name: string, value: Value): string {
  setLocale(locale);
  return textOf(field(name), value);
}

test.each([
  // [locale, typed, number, what stands beside it]
  ["de-DE", "50.000", "50000", "50000"],
  ["de-DE", "50000", "50000", ""],
  ["de-DE", "1.234.567,89", "1234567.89", "1.234.567,89"],
  ["de-DE", "1,5", "1.5", ""],
  ["de-DE", "1.5", "1.5", "1,5"],
  ["de-DE", "12.50", "12.50", "12,5"],
  ["de-DE", "0.123", "0.123", "0,123"],
  ["de-DE", "1.234.5", undefined, ""],
  ["de-DE", "-50.000", "-50000", "-50000"],
  ["de-DE", "1.23,5", undefined, ""],
  ["de-DE", "1 234.567", undefined, ""],
  ["de-DE", "−5", "-5", ""],
  ["de-DE", ",5", "0.5", ""],
  ["de-DE", "1,5e3", "1.5e3", "1500"],
  ["de-CH", "50’000.5", "50000.5", formatIn("de-CH", 50000.5)],
  ["de-CH", "50'000", "50000", "50000"],
  ["de-CH", "1,5", undefined, ""],
  ["en-US", "50,000", "50000", "50000"],
  ["en-US", "50.000", "50.000", ""],
  ["en-US", "1,5", undefined, ""],
  ["en-US", "50,00", undefined, ""],
  ["en-IN", "12,34,567.5", "1234567.5", "12,34,567.5"],
  ["en-IN", "1,00,00,000", "10000000", "1,00,00,000"],
  ["fr-FR", "50 000,5", "50000.5", formatIn("fr-FR", 50000.5)],
  ["fr-FR", "50.5", "50.5", "50,5"],
  ["fr-FR", "50.000", undefined, ""],
  ["ar-EG", "١٬٢٣٤٫٥", "1234.5", "١٬٢٣٤٫٥"],
  ["ar-EG", "1234.5", "1234.5", "١٬٢٣٤٫٥"],
] as const)("in %s “%s” is %s, and beside it stands “%s”", (locale, typed, number, echo) => {
  setLocale(locale);
  expect(readTypedNumber(typed)).toBe(number);
  expect(understood(field("weight"), typed)).toBe(echo);
});

test("beside a long amount stands how the list shows it, so that its zeros can be counted; what is stored has no group signs", () => {
  setLocale("en-IN");
  expect(understood(field("price"), "12,34,567.50")).toBe("12,34,567.50");
  expect(understood(field("price"), "1,00,000.0")).toBe("1,00,000.00");
  expect(typedValue("price", "12,34,567.50")).toBe("1234567.5");
});

test("a text that could be two numbers is refused by name, in a form, a filter and a draft", () => {
  setLocale("fr-FR");
  const validated = validateRecord(goods, { weight: textToValidate(field("weight"), "50.000") }, { from: "text", partial: true });
  expect(validated.problems?.map((problem) => problemMessage(field("weight"), problem))).toEqual([
    `Weight must be a number, such as ${formatValue(field("weight"), 1250.5)}.`,
  ]);
  expect(parseFilter(field("weight"), "eq", "50.000")).toHaveProperty("wrong");
  const draft = toNeutral(goods, { weight: "50.000" });
  expect(validateRecord(goods, draft, { from: "text", partial: true }).problems).toHaveLength(1);
  expect(toNeutral(goods, fromNeutral(goods, draft))).toEqual(draft);
});

test("messages write numbers as the reader does", () => {
  setLocale("de-DE");
  const wrong = (texts: Texts) => {
    const input = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, textToValidate(field(name), text)]));
    const { problems = [] } = validateRecord(goods, input, { from: "text", partial: true });
    return problems.map((problem) => problemMessage(field(problem.field), problem));
  };
  expect(wrong({ pieces: "viele", weight: "schwer", price: "-1.250,51" })).toEqual([
    "Pieces must be a whole number without leading zeros, such as 100.482.",
    "Weight must be a number, such as 1.250,5.",
    "Price must be -1.250,50 or more.",
  ]);
  expect(wrong({ pieces: "1.000.001" })).toEqual(["Pieces must be 1.000.000 or less."]);
});

test("messages write the bounds of dates as the reader writes dates", () => {
  setLocale("de-DE");
  const bounds = { minimum: "2020-01-31", maximum: "2026-12-31" };
  const shifts = collectionOf([
    { name: "id", type: "integer" },
    { name: "day", title: "Day", type: "date", constraints: bounds },
  ]);
  const wrong = (day: string) => {
    const { problems = [] } = validateRecord(shifts, { day }, { from: "text", partial: true });
    return problems.map((problem) => problemMessage(shifts.byName.get("day") as Field, problem));
  };
  expect(wrong("2019-12-31")).toEqual(["Day must be 31.01.2020 or later."]);
  expect(wrong("2027-01-01")).toEqual(["Day must be 31.12.2026 or earlier."]);
  expect(wrong("2026-12-31")).toEqual([]);
});

test("a list of numbers has semicolons where a comma stands before decimals", () => {
  setLocale("de-DE");
  expect(parseFilter(field("weight"), "in", "1,5; 2.000;3")).toEqual({ text: "1.5,2000,3" });
  const filter = { name: "weight", operator: "in", text: "1.5,2000,3" } as const;
  expect(describeFilter(goods, [filter], formatValue).condition).toBe("is one of 1,5; 2.000; 3");
  setLocale("en-US");
  expect(parseFilter(field("weight"), "in", "1.5, 2")).toEqual({ text: "1.5,2" });
});

test("a key is no amount: it is copied sign by sign", () => {
  setLocale("de-DE");
  expect(textToValidate(field("id"), "50.000")).toBe("50.000");
  expect(understood(field("id"), "50.000")).toBe("");
});
