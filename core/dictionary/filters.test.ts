import fc from "fast-check";
import { expect, test } from "vitest";
import { filterName, OPERATORS_OF, readFilterName, readValueList, writeValueList } from "./filters.ts";

test("the URL parameter of every operator reads back", () => {
  for (const operator of Object.values(OPERATORS_OF).flat()) {
    expect(readFilterName(filterName("lastName", operator))).toEqual({ name: "lastName", operator });
  }
});

test.each(["age[like]", "age[eq]", "age[", "[gte]", "age[gte][lte]", ""])("%s is not a filter", (text) => {
  expect(readFilterName(text)).toBeUndefined();
});

test("a list of values reads back, whatever they contain", () => {
  const values = fc.array(fc.string(), { minLength: 1 });
  fc.assert(
    fc.property(values, (given) => {
      expect(readValueList(writeValueList(given))).toEqual(given);
    }),
  );
});

test("a list with a quotation mark that is not closed is refused", () => {
  expect(readValueList('a,"b')).toBeUndefined();
});
