import fc from "fast-check";
import { expect, test } from "vitest";
import { readItems, writeItems } from "./items.ts";

test.each<[text: string, delimiter: string, items: string[]]>([
  ["a,b", ",", ["a", "b"]],
  [" a ; b;; c ;", ";", ["a", "b", "c"]],
  ['"a,b" , c', ",", ["a,b", "c"]],
  ['5" disk, "x', ",", ['5" disk', '"x']],
  ['"a" b, c', ",", ['"a" b', "c"]],
  ["a | b", "|", ["a", "b"]],
  ["a\nb\n", "\n", ["a", "b"]],
  ['["a,b", 2]', ";", ["a,b", "2"]],
  ["[a], b", ",", ["[a]", "b"]],
  ["", ",", []],
  [" , ,", ",", []],
])("%j with %j between", (text, delimiter, items) => expect(readItems(text, delimiter)).toEqual(items));

test("what is written is read again", () => {
  const item = fc
    .stringMatching(/^[a-c1",;| [\]]{1,6}$/)
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const delimiter = fc.constantFrom(",", ";", "|", "\n", "||");
  fc.assert(
    fc.property(fc.array(item), delimiter, (items, by) => {
      expect(readItems(writeItems(items, by), by)).toEqual(items);
    }),
  );
});
