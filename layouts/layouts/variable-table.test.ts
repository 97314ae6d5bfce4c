// Tests which field says to which record the items of a table belong.

import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";

import { ownerField } from "./variable-table.ts";

const key = { name: "id", type: "integer" };
const resource = (name: string, fields: object[], foreignKeys: object[] = []) => ({
  ...{ name, singular: name.slice(0, -1), noun: name.slice(0, -1), title: name },
  schema: { primaryKey: ["id"], fields: [key, ...fields], ...(foreignKeys.length > 0 && { foreignKeys }) },
});
const refersTo = (name: string, field: string) => ({
  ...{ fields: [field], reference: { resource: name, fields: ["id"] } },
  ...{ as: field.slice(0, -2), onDelete: "restrict" },
});

test("the field that refers to the record's own collection says it, whatever stands before it", () => {
  const read = readDataPackage({
    resources: [
      resource("regions", [{ name: "name", type: "string" }]),
      resource("orders", [{ name: "name", type: "string" }]),
      resource(
        "items",
        [
          { name: "regionId", type: "integer" },
          { name: "orderId", type: "integer" },
        ],
        [refersTo("regions", "regionId"), refersTo("orders", "orderId")],
      ),
    ],
  });
  const items = ("collections" in read ? read.collections : []).find(({ name }) => name === "items") as Collection;
  const fields = [
    { name: "regionId", start: 1, length: 3 },
    { name: "orderId", start: 4, length: 3 },
    { name: "id", start: 7, length: 3 },
  ];
  const table = { collection: "items", start: 7, length: 3, max: 2, fields };
  expect(ownerField({ ...table, owner: "orders" }, items)?.name).toBe("orderId");
  expect(ownerField({ ...table, owner: "customers" }, items)).toBeUndefined();
});
