import { expect, test } from "vitest";
import { collectionName, singularOf } from "./names.ts";

test.each([
  ["BRANCH-REC", "branches", "branch"],
  ["TAX-RECORD", "taxes", "tax"],
  ["ADDRESS", "addresses", "address"],
  ["CUSTOMER-REC", "customers", "customer"],
  ["COUNTRY", "countries", "country"],
  ["SALES", "sales", "sale"],
])("the records of %s are %s, and one of them is a %s", (record, plural, singular) => {
  expect(collectionName(record)).toBe(plural);
  expect(singularOf(plural)).toBe(singular);
});
