import { describe, expect, test } from "vitest";
import { type BrokenLayout, fields, mistakesOf, staff } from "../../testing/broken-layouts.ts";

const MISTAKEN: BrokenLayout[] = [
  [
    "an unknown field",
    fields({ name: "fristName", start: 70, length: 5 }),
    '/detail/fields/4/name: Customers have no field "fristName"; did you mean "firstName"?',
  ],
  [
    "a field that is there twice",
    fields({ name: "firstName", start: 70, length: 5 }),
    "/detail/fields/4/name: firstName stands in /detail/fields/1 already",
  ],
  [
    "a field without a place",
    fields({ name: "x", skip: true }),
    '/detail/fields/4/start: is missing; a field that is not in the file has a "constant"\n/detail/fields/4/length: is missing\n/detail/fields/4/skip: needs a place: there is nothing to read',
  ],
  [
    "a constant with a place",
    staff({ name: "location", constant: "Utrecht", start: 1, length: 9 }),
    "/detail/fields/2/constant: cannot be combined with a place: leave out one of them",
  ],
  [
    "a constant that the dictionary refuses",
    staff({ name: "location", constant: "Paris" }),
    "/detail/fields/2/constant: Location must be one of Utrecht, Kraków, Lagos, Seoul.",
  ],
  [
    "a meaning that the dictionary refuses",
    staff({ name: "permanent2", start: 1, length: 1, values: { J: "yes" } }),
    '/detail/fields/2/name: Employees have no field "permanent2"; did you mean "permanent"?',
  ],
  [
    "a code that means no value of the field",
    staff({ name: "age", start: 1, length: 3, values: { OLD: "old" } }),
    "/detail/fields/2/values/OLD: Age must be a whole number without separators or leading zeros, such as 41.",
  ],
  [
    "a code longer than the field",
    staff({ name: "age", start: 1, length: 3, values: { YOUNG: "20" } }),
    '/detail/fields/2/values: "YOUNG" has 5 bytes; the field has 3',
  ],
  [
    "a marker longer than the field",
    staff({ name: "age", start: 1, length: 3, null: ["000", "0000"] }),
    '/detail/fields/2/null: "0000" has 4 bytes; the field has 3',
  ],
  [
    "a pad of two bytes",
    staff({ name: "location", start: 1, length: 9, pad: "·" }),
    "/detail/fields/2/pad: must be one byte in this encoding",
  ],
  [
    "decimals of a whole number",
    staff({ name: "age", start: 1, length: 3, decimals: 2 }),
    "/detail/fields/2/decimals: is for a number; age is of type integer",
  ],
  [
    "a sign of a text",
    staff({ name: "badge", start: 1, length: 7, sign: "overpunch" }),
    "/detail/fields/2/sign: is for numbers; badge is of type string",
  ],
  [
    "a date format of a number",
    staff({ name: "age", start: 1, length: 8, format: "YYYYMMDD" }),
    "/detail/fields/2/format: is for dates; age is of type integer",
  ],
  [
    "a zone of a date",
    staff({ name: "birthday", start: 1, length: 8, zone: "Z" }),
    "/detail/fields/2/zone: is for a date and time; birthday is of type date",
  ],
  [
    "a year of two digits",
    staff({ name: "birthday", start: 1, length: 8, format: "YYMMDD" }),
    '/detail/fields/2/format: has a year of two digits, which could be of several centuries: write YYYY or CYY, or add "pivot", such as 50: then 50 to 99 are 1950 to 1999, and 00 to 49 are 2000 to 2049',
  ],
  [
    "a date without a day",
    staff({ name: "birthday", start: 1, length: 8, format: "YYYYMM" }),
    "/detail/fields/2/format: needs YYYY (or CYY, YY) with MM and DD, or with DDD, the day of the year",
  ],
  [
    "a date with letters",
    staff({ name: "birthday", start: 1, length: 9, format: "DDMONYYYY" }),
    "/detail/fields/2/format: is made of YYYY, CYY or YY, MM, DD, DDD, hh, mm, ss and f, such as YYYYMMDD",
  ],
  [
    "a date with a part twice",
    staff({ name: "birthday", start: 1, length: 10, format: "YYYYMMDDDD" }),
    "/detail/fields/2/format: is made of YYYY, CYY or YY, MM, DD, DDD, hh, mm, ss and f, such as YYYYMMDD",
  ],
  [
    "a time of day for a date",
    staff({ name: "birthday", start: 1, length: 6, format: "hhmmss" }),
    "/detail/fields/2/format: describes a time of day; birthday is a date",
  ],
  [
    "a date for a time of day",
    staff({ name: "begins", start: 1, length: 8, format: "YYYYMMDD" }),
    "/detail/fields/2/format: describes a date; begins is a time of day",
  ],
  [
    "a year of two digits without a pivot",
    staff({ name: "firstyear", start: 1, length: 2, format: "YY" }),
    '/detail/fields/2/format: has a year of two digits, which could be of several centuries: write YYYY or CYY, or add "pivot", such as 50: then 50 to 99 are 1950 to 1999, and 00 to 49 are 2000 to 2049',
  ],
  [
    "a zone for a time of day",
    staff({ name: "begins", start: 1, length: 6, format: "hhmmss", zone: "Z" }),
    "/detail/fields/2/zone: is for a date and time; begins is of type time",
  ],
  [
    "a date with a time",
    staff({ name: "birthday", start: 1, length: 12, format: "YYYYMMDDhhmm" }),
    "/detail/fields/2/format: has a time; birthday is a date",
  ],
  [
    "a time without one",
    staff({ name: "hiredatetime", start: 1, length: 8, format: "YYYYMMDD", zone: "Z" }),
    "/detail/fields/2/format: needs the time (hh, mm): hiredatetime is a date and time",
  ],
  [
    "a time without a zone",
    staff({ name: "hiredatetime", start: 1, length: 14, format: "YYYYMMDDhhmmss" }),
    "/detail/fields/2/zone: is missing: a time without its zone could be any; say Z, such as +01:00, or such as Europe/Berlin",
  ],
  [
    "a zone that nobody has",
    staff({ name: "hiredatetime", start: 1, length: 14, format: "YYYYMMDDhhmmss", zone: "Europe/Berlim" }),
    '/detail/fields/2/zone: is no zone that this program knows; did you mean "Europe/Berlin"?',
  ],
  [
    "a choice of instants where every hour comes once",
    staff({ name: "hiredatetime", start: 1, length: 14, format: "YYYYMMDDhhmmss", zone: "+01:00", disambiguation: "later" }),
    "/detail/fields/2/disambiguation: is for a zone whose clocks are set forward and back, such as Europe/Berlin",
  ],
  [
    "a pivot of a whole year",
    staff({ name: "birthday", start: 1, length: 8, format: "YYYYMMDD", pivot: 50 }),
    "/detail/fields/2/pivot: is for a format with a year of two digits (YY)",
  ],
  [
    "a format with a part twice",
    staff({ name: "birthday", start: 1, length: 10, format: "YYYYMMDDMM" }),
    "/detail/fields/2/format: has a part twice",
  ],
  [
    "a time of an hour alone",
    staff({ name: "begins", start: 1, length: 2, format: "hh" }),
    "/detail/fields/2/format: needs hh and mm for a time",
  ],
  [
    "a zone that resembles none",
    staff({ name: "hiredatetime", start: 1, length: 12, format: "YYYYMMDDhhmm", zone: "Qwertz/Uiop" }),
    "/detail/fields/2/zone: is no zone that this program knows; write it as in Europe/Berlin",
  ],
  [
    "a code that the encoding does not have",
    { ...(staff({ name: "badge", start: 1, length: 7, null: "Ł" }) as object), encoding: "cp037", lineEnd: "none" },
    '/detail/fields/2/null: "Ł" has a character that this encoding does not have',
  ],
  [
    "a field that resembles none",
    fields({ name: "qwertz", start: 70, length: 2 }),
    '/detail/fields/4/name: Customers have no field "qwertz"; there are objectId, firstName, lastName, accountID; "skip": true reads a field for a total only',
  ],
  [
    "fractions of no second",
    staff({ name: "hiredatetime", start: 1, length: 15, format: "YYYYMMDDhhmmfff", zone: "Z" }),
    "/detail/fields/2/format: needs ss before fractions of a second (f)",
  ],
  [
    "a format without room",
    staff({ name: "birthday", start: 1, length: 6, format: "YYYYMMDD" }),
    "/detail/fields/2/format: has 8 characters; the field has 6",
  ],
  [
    "a marker that padding hides",
    staff({ name: "location", start: 1, length: 9, null: ["-", "none "] }),
    '/detail/fields/2/null: "none " is never found: in 9 bytes it is read as "none"; write it as it stands there without its padding',
  ],
  [
    "a code with a blank at its end",
    staff({ name: "permanent", start: 1, length: 3, values: { "Y ": "true" } }),
    '/detail/fields/2/values: "Y " is never found: in 3 bytes it is read as "Y"; write it as it stands there without its padding',
  ],
  [
    "a sign of ASCII in EBCDIC",
    { ...(staff({ name: "age", start: 1, length: 3, sign: "overpunch-ascii-leading" }) as object), encoding: "cp1141", lineEnd: "none" },
    "/detail/fields/2/sign: is for encodings with ASCII: in cp1141 it is overpunch-leading",
  ],
  [
    "decimals below 0 of a text",
    staff({ name: "badge", start: 1, length: 7, decimals: -2 }),
    "/detail/fields/2/decimals: is for a number; badge is of type string",
  ],
  [
    "a field of the dictionary that is skipped",
    fields({ name: "objectId", skip: true, start: 70, length: 2 }),
    "/detail/fields/4/skip: objectId is a field of Customers: call what is skipped otherwise",
  ],
];

describe("a field that could not be read is named with its path and what to do", () => {
  test.each(MISTAKEN)("%s", (_what, layout, expected) => {
    expect(mistakesOf(layout).split("\n")).toEqual(expect.arrayContaining(expected.split("\n")));
  });
});
