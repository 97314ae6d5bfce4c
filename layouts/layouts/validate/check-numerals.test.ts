import { describe, expect, test } from "vitest";
import { type BrokenLayout, mistakesOf, staff } from "../../testing/broken-layouts.ts";
import { customersLayout } from "../../testing/layouts.ts";
import type { FixedLayout } from "../layout.ts";

const numbers = (field: Record<string, unknown>) => ({ ...(staff({ start: 1, ...field }) as FixedLayout), lineEnd: "none" });
const trailer = (change: FixedLayout["trailer"]) => customersLayout({ lineEnd: "none", trailer: change as NonNullable<typeof change> });

const MISTAKEN: BrokenLayout[] = [
  [
    "a packed field where records have line ends",
    staff({ name: "age", start: 1, length: 2, usage: "packed" }),
    '/lineEnd: must be "none": bytes of /detail/fields/2, which is packed, may look like a line end',
  ],
  [
    "a packed field of another kind of record where records have line ends",
    customersLayout({
      otherDetails: [{ type: "E", collection: "customers", fields: [{ name: "objectId", start: 2, length: 4, usage: "packed" }] }],
    }),
    '/lineEnd: must be "none": bytes of objectId, which is packed, may look like a line end',
  ],
  [
    "a binary count where records have line ends",
    customersLayout({ trailer: { type: "T", count: { start: 2, length: 4, usage: "binary" } } }),
    '/lineEnd: must be "none": bytes of /trailer/count, which is binary, may look like a line end',
  ],
  [
    "a usage that is none",
    numbers({ name: "age", length: 2, usage: "comp-3" }),
    '/detail/fields/2/usage: must be one of "packed", "packed-unsigned", "binary", "binary-unsigned", "little-endian", "little-endian-unsigned", "float", "float-little-endian", "float-hexadecimal"',
  ],
  [
    "too long a packed field",
    numbers({ name: "age", length: 17, usage: "packed" }),
    "/detail/fields/2/length: a packed number has at most 16 bytes, which are 31 digits",
  ],
  [
    "a binary field of nine bytes",
    numbers({ name: "age", length: 9, usage: "little-endian" }),
    "/detail/fields/2/length: a binary number has at most 8 bytes",
  ],
  [
    "too long a packed field without a sign",
    numbers({ name: "age", length: 16, usage: "packed-unsigned" }),
    "/detail/fields/2/length: a packed number without a sign has at most 15 bytes, which are 30 digits",
  ],
  [
    "a binary total of 16 bytes",
    trailer({ type: "T", totals: [{ of: "objectId", start: 11, length: 16, usage: "binary" }] }),
    "/trailer/totals/0/length: a binary number has at most 8 bytes",
  ],
  [
    "a usage of what is not in the file",
    { ...numbers({}), detail: { fields: [{ name: "age", constant: "7", usage: "packed" }] } },
    "/detail/fields/0/usage: needs a place: there is nothing to read",
  ],
  [
    "decimals below 0 of a number in bytes",
    numbers({ name: "salary", length: 4, usage: "float", decimals: -2 }),
    "/detail/fields/2/decimals: must be 0 or more: a number with usage float is rounded to so many digits behind the point",
  ],
  [
    "a pad",
    numbers({ name: "age", length: 2, usage: "packed", pad: "0" }),
    "/detail/fields/2/pad: is for numbers in characters; /detail/fields/2/usage says packed",
  ],
  [
    "a side",
    numbers({ name: "age", length: 2, usage: "packed", justify: "right" }),
    "/detail/fields/2/justify: is for numbers in characters; /detail/fields/2/usage says packed",
  ],
  [
    "an overpunched sign",
    numbers({ name: "age", length: 2, usage: "binary", sign: "overpunch" }),
    "/detail/fields/2/sign: is for numbers in characters; /detail/fields/2/usage says binary",
  ],
  [
    "digits of a number",
    numbers({ name: "age", length: 2, usage: "packed", digits: 3 }),
    "/detail/fields/2/digits: is for texts: a number needs no zeros in front",
  ],
  [
    "digits of characters",
    numbers({ name: "badge", length: 7, digits: 7 }),
    '/detail/fields/2/digits: is for a "usage": characters show their zeros',
  ],
  [
    "digits without room",
    numbers({ name: "badge", length: 3, usage: "packed", digits: 6 }),
    "/detail/fields/2/digits: has 6 digits; 3 bytes hold 5 where usage is packed",
  ],
  [
    "a date without its format",
    numbers({ name: "birthday", length: 5, usage: "packed" }),
    "/detail/fields/2/format: is missing: say how the digits are a date, such as YYYYMMDD",
  ],
  [
    "a date with points",
    numbers({ name: "birthday", length: 6, usage: "packed", format: "DD.MM.YYYY" }),
    "/detail/fields/2/format: must be of digits alone where usage is packed, such as YYYYMMDD",
  ],
  [
    "a date without room",
    numbers({ name: "birthday", length: 4, usage: "packed", format: "YYYYMMDD" }),
    "/detail/fields/2/format: has 8 digits; 4 bytes hold 7 where usage is packed",
  ],
  [
    "yes or no",
    numbers({ name: "permanent2", skip: true, length: 2, usage: "packed", values: { J: "x" } }),
    '/detail/fields/2/values: "J" is not a packed number of 2 bytes: write digits, or for "null" the one character that fills the field',
  ],
  [
    "a marker without room",
    numbers({ name: "age", length: 2, usage: "packed", null: "99999" }),
    '/detail/fields/2/null: "99999" is not a packed number of 2 bytes: write digits, or for "null" the one character that fills the field',
  ],
  [
    "a marker that fills a binary field",
    numbers({ name: "age", length: 2, usage: "binary", null: " " }),
    '/detail/fields/2/null: " " is not a binary number of 2 bytes: write digits',
  ],
  [
    "a marker of two letters",
    numbers({ name: "age", length: 2, usage: "packed", null: "  " }),
    '/detail/fields/2/null: "  " is not a packed number of 2 bytes: write digits, or for "null" the one character that fills the field',
  ],
  [
    "a marker that the encoding has not",
    numbers({ name: "age", length: 2, usage: "packed", null: "Å" }),
    '/detail/fields/2/null: "Å" is not a packed number of 2 bytes: write digits, or for "null" the one character that fills the field',
  ],
  [
    "decimals of a whole number",
    numbers({ name: "age", length: 2, usage: "packed", decimals: 2 }),
    "/detail/fields/2/decimals: is for a number; age is of type integer",
  ],
  [
    "a total of dates",
    {
      ...numbers({ name: "birthday", length: 5, usage: "packed", format: "YYYYMMDD" }),
      recordType: { start: 70, length: 1 },
      trailer: { type: "T", totals: [{ of: "birthday", start: 1, length: 8 }] },
    },
    "/trailer/totals/0/of: birthday is a date: only digits can be added up",
  ],
];

describe("a packed or binary number that could not be read is named with its path and what to do", () => {
  test.each(MISTAKEN)("%s", (_what, layout, expected) => {
    expect(mistakesOf(layout).split("\n")).toContain(expected);
  });
});

test("a boolean in a packed field needs values", () => {
  const field = { name: "permanent", start: 1, length: 2, usage: "binary" };
  const layout = { ...numbers({}), detail: { fields: [{ name: "name", start: 50, length: 9 }, field] } };
  expect(mistakesOf(layout)).toBe("/detail/fields/1/values: is missing: say which numbers mean true and false");
});
