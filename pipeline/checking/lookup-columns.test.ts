// Columns that name a parent by another value than its key.

import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { withLookups } from "../../core/dictionary/lookups.ts";
import ordersPackage from "../../core/dictionary/orders.example.json" with { type: "json" };
import type { Fields } from "../../core/dictionary/validate.ts";
import { matchHeader, missingFields, withField } from "../mapping/match-columns.ts";
import type { UploadMode } from "../model/plan.ts";
import { containsAll } from "../sending/reconcile.ts";
import { plainDialect } from "../testing/fake-service.ts";
import { createRowValidator } from "./validate-row.ts";

const read = readDataPackage(ordersPackage);
if ("mistakes" in read) throw new Error("package");
const orders = withLookups(read.collections.find(({ name }) => name === "orders") as Collection);

function validate(columns: string[], cells: string[], mode: UploadMode = "create"): [Fields, [string, string][]] {
  const record: Fields = {};
  const problems = createRowValidator(orders, { dialect: plainDialect, columns, mode })(1, cells, undefined, record) ?? [];
  return [record, problems.map(({ field, code }) => [field, code])];
}

test("a unique field of the parent is a field of the file, once", () => {
  expect(orders.fields.map(({ name }) => name).slice(0, 5)).toEqual([
    "objectId",
    "customerId",
    "customer.accountNumber",
    "contactId",
    "contact.email",
  ]);
  expect(withLookups(orders)).toBe(orders);
});

test.each([
  [
    ["customer.accountNumber", "orderNumber"],
    ["customer.accountNumber", "orderNumber"],
  ],
  [
    ["Customer: Account number", "Order no"],
    ["customer.accountNumber", "orderNumber"],
  ],
  [
    ["customer_account_number", "Contact E-mail"],
    ["customer.accountNumber", "contact.email"],
  ],
  [
    ["Customer", "Customer account"],
    ["customerId", "customer.accountNumber"],
  ],
])("the headings %j are matched", (header, columns) => {
  expect(matchHeader(orders, header)).toEqual(columns);
});

test("it stands for a required reference, which is not missing then, and is held to none of the rules that the parent may have been stored without", () => {
  const columns = ["orderNumber", "customer.accountNumber"];
  expect(missingFields(orders, columns, "create")).toEqual([]);
  expect(missingFields(orders, ["orderNumber"], "create").map(({ name }) => name)).toEqual(["customerId"]);
  expect(validate(columns, ["B-1", " A-7 "])).toEqual([{ orderNumber: "B-1", "customer.accountNumber": "A-7" }, []]);
  expect(validate(columns, ["B-1", ""])[1]).toEqual([["customer.accountNumber", "REQUIRED"]]);
  expect(validate(columns, ["B-1", "x".repeat(41)])[1]).toEqual([]);
  expect(validate(["objectId", ...columns], ["7", "", ""], "update")).toEqual([{ objectId: 7 }, []]);
  expect(validate(["orderNumber", "customerId", "contact.email"], ["B-1", "7", ""])[1]).toEqual([]);
});

test("of a column and one text for all rows, only what was chosen last names the parent", () => {
  const rules = [
    { do: "split", column: 0, separator: "-", at: "first", into: ["a", "b"] },
    { do: "constant", value: "7", into: "Customer" },
  ] as const;
  const choose = (columns: (string | null)[], at: number, name: string | null) => withField(orders, { columns, rules }, at, name);
  const byConstant = ["orderNumber", null, null, null, "customerId"];
  const byLookup = ["orderNumber", "customer.accountNumber", null, null, null];
  expect(choose(byConstant, 1, "customer.accountNumber")).toEqual(byLookup);
  expect(choose(byLookup, 4, "customerId")).toEqual(byConstant);
  expect(choose(byConstant, 1, "contact.email")).toEqual(["orderNumber", "contact.email", null, null, "customerId"]);
  expect(choose(byConstant, 1, null)).toEqual(byConstant);
  expect(choose(byConstant, 3, "orderNumber")).toEqual([null, null, null, "orderNumber", "customerId"]);
});

test("in two columns of the file each row may name its parent in one of them", () => {
  expect(withField(orders, { columns: ["customerId", null] }, 1, "customer.accountNumber")).toEqual([
    "customerId",
    "customer.accountNumber",
  ]);
});

test("what was stored is recognised although only the parent's key is in it", () => {
  const stored = { orderNumber: "B-1", customerId: 7 };
  expect(containsAll(stored, { orderNumber: "B-1", "customer.accountNumber": "A-7" })).toBe(true);
  expect(containsAll(stored, { orderNumber: "B-2", "customer.accountNumber": "A-7" })).toBe(false);
});
