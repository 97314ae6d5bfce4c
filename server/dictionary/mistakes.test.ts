// Each kind of mistake is one sentence, with its mend, at the place where it stands.

import { describe, expect, test } from "vitest";
import { rightDictionary, WRONG_DICTIONARIES, withMistake } from "../testing/wrong-dictionaries.ts";
import { mistakesIn } from "./mistakes.ts";

test("a dictionary without a mistake has none", () => {
  expect(mistakesIn(rightDictionary())).toEqual([]);
});

describe("a mistake is said once, where it stands", () => {
  test.each(WRONG_DICTIONARIES)("%s", (_, change, path, message) => {
    expect(mistakesIn(withMistake(change))).toEqual([{ path, message }]);
  });
});

test("two mistakes are two sentences, also where one of them looks like a consequence", () => {
  const both = withMistake((things, parts) => {
    Object.assign(things.schema.fields[1] ?? {}, { name: "last name" });
    Object.assign(parts, { list: ["number"] });
    Object.assign(parts.schema.foreignKeys?.[0]?.reference as object, { resource: "" });
  });
  expect(mistakesIn(both).map(({ path }) => path)).toEqual([
    "/resources/0/schema/fields/1/name",
    "/resources/1/list/0",
    "/resources/1/schema/foreignKeys/0/reference/resource",
  ]);
});

test("what is no object, or no dictionary at all, is said as well", () => {
  for (const nothing of [null, [], "x", 7]) expect(mistakesIn(nothing)).toEqual([{ path: "", message: "a data package is a JSON object" }]);
});
