import { expect, test } from "vitest";
import { printable } from "./printable.ts";

test.each([
  ["a.csv", "a.csv"],
  ["Ångström 王 é\t😀.csv", "Ångström 王 é\t😀.csv"],
  ["a\nb\r\nc", "a\\u000ab\\u000d\\u000ac"],
  ["\u001b[2J\u009b31m\u007f\0", "\\u001b[2J\\u009b31m\\u007f\\u0000"],
  ["invoice\u202efdp.exe\u2066\u200f", "invoice\\u202efdp.exe\\u2066\\u200f"],
  ["a\u2028b\u0085c", "a\\u2028b\\u0085c"],
])("%j is shown as %j, and is the same text in JSON", (text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(JSON.parse(printable(JSON.stringify(text)))).toBe(text);
});
