import { checkSync } from "recheck/lib/browser.js";
import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "./collections.ts";
import { hasPatterns, slowPatterns } from "./slow-patterns.ts";

function customersWith(constraints: Record<string, unknown>): Collection[] {
  const schema = {
    fields: [
      { name: "id", type: "integer" },
      { name: "code", constraints },
    ],
    primaryKey: ["id"],
  };
  const read = readDataPackage({ resources: [{ name: "customers", schema }] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections;
}

const found = (pattern: string, maxLength?: number) =>
  slowPatterns(customersWith({ pattern, ...(maxLength && { maxLength }) }), checkSync).map(({ path, message }) => `${path}: ${message}`);

test.each(["(a+)+", "(a|a)*", "(\\w+\\s?)*", "([0-9]+)*x"])("the pattern %s takes exponential time and is refused", (pattern) => {
  expect(found(pattern, 10)).toEqual([
    expect.stringMatching(/^\/resources\/0\/schema\/fields\/1\/constraints\/pattern: the pattern takes exponential time .* such as '/),
  ]);
});

test.each([
  "NL-[0-9]{4}",
  "[^@ ]+@[^@ ]+\\.[a-z]+",
  "(?:[a-z0-9]+-)*[a-z0-9]+",
  "[\\p{L} ]{1,50}",
  "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}",
])("the pattern %s is as fast as its text is long", (pattern) => {
  expect(found(pattern)).toEqual([]);
});

test("a pattern of the third degree needs a field of few letters", () => {
  expect(found(".*a.*b.*c", 100)).toEqual([]);
  for (const maxLength of [200, undefined]) expect(found(".*a.*b.*c", maxLength)).toEqual([expect.stringContaining("smaller maxLength")]);
});

test("a dictionary without patterns needs no check", () => {
  expect([hasPatterns(customersWith({})), hasPatterns(customersWith({ pattern: "a" }))]).toEqual([false, true]);
});
