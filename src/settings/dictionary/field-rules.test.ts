import { afterEach, expect, test } from "vitest";
import { readDataPackage } from "../../../core/dictionary/collections.ts";
import orders from "../../../core/dictionary/orders.example.json" with { type: "json" };
import { collectionOf } from "../../testing/fields.ts";
import { setLocale } from "../../values/format.ts";
import { rulesOf } from "./field-rules.ts";

afterEach(() => setLocale(""));

test.each([
  [{ type: "number", constraints: { maximum: 1234.5 } }, "1,234.5 or less"],
  [{ type: "number", decimals: 2, constraints: { maximum: 1234.5 } }, "1,234.50 or less, exact, with at most 2 digits behind the point"],
  [{ type: "integer", constraints: { minimum: 0 } }, "0 or more"],
  [{ visibleIf: "id > 1" }, "asked for where id > 1"],
  [{ choicesIf: [{ when: "true", values: ["a", "b"] }], default: '"a"' }, 'one of a, b where true, begins with "a"'],
  [{ type: "date", constraints: { minimum: "1900-01-01" } }, "1900-01-01 or later"],
])("the rules of %j read “optional, %s”", (given, expected) => {
  setLocale("en");
  const collection = collectionOf([{ name: "thing", title: "Thing", ...given }]);
  const field = collection.byName.get("thing");
  if (!field) throw new Error("The collection has no field.");
  expect(rulesOf(collection, field).join(", ")).toBe(`optional, ${expected}`);
});

test("a reference has no bounds of its key among its rules", () => {
  const read = readDataPackage(orders);
  const contacts = "mistakes" in read ? undefined : read.collections.find(({ name }) => name === "contacts");
  const field = contacts?.byName.get("customerId");
  if (!contacts || !field) throw new Error("The example has no contacts of customers.");
  expect(rulesOf(contacts, field)).toEqual(["required"]);
});
