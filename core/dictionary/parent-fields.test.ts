import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "./collections.ts";
import { operatorsOf } from "./filters.ts";
import { fieldOfParent, fieldsOfParents } from "./parent-fields.ts";

const text = (name: string, more: object = {}) => ({ name, title: name.toUpperCase(), type: "string", ...more });
const number = (name: string, more: object = {}) => text(name, { type: "integer", ...more });
const refers = (field: string, resource: string, as: string) => ({ fields: [field], reference: { resource, fields: ["id"] }, as });
const collection = (name: string, singular: string, fields: object[], foreignKeys: object[] = []) => ({
  ...{ name, singular },
  schema: { fields: [number("id"), ...fields], primaryKey: ["id"], foreignKeys },
});
const read = readDataPackage({
  resources: [
    collection("lands", "land", [text("name"), number("size")]),
    collection("regions", "region", [text("name"), number("landId")], [refers("landId", "lands", "land")]),
    collection("customers", "customer", [text("city"), number("regionId")], [refers("regionId", "regions", "region")]),
    collection(
      "orders",
      "order",
      [text("number"), number("customerId"), number("billedTo"), number("beforeId")],
      [refers("customerId", "customers", "customer"), refers("billedTo", "customers", "payer"), refers("beforeId", "orders", "before")],
    ),
  ],
});
if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
const [lands, , , orders] = read.collections as [Collection, Collection, Collection, Collection];

test("each reference offers the fields of its parent, in their order, with the times at which it was written", () => {
  expect(fieldsOfParents(lands)).toEqual([]);
  expect(fieldsOfParents(orders).map(({ reference, fields }) => [reference.name, fields.map(({ name }) => name)])).toEqual([
    ["customerId", ["customer.id", "customer.city", "customer.regionId", "customer.updatedAt", "customer.createdAt"]],
    ["billedTo", ["payer.id", "payer.city", "payer.regionId", "payer.updatedAt", "payer.createdAt"]],
    [
      "beforeId",
      ["before.id", "before.number", "before.customerId", "before.billedTo", "before.beforeId", "before.updatedAt", "before.createdAt"],
    ],
  ]);
});

test.each([
  ["customer.city", "CUSTOMERID: CITY"],
  ["payer.city", "BILLEDTO: CITY"],
  ["before.beforeId", "BEFOREID: BEFOREID"],
  ["customer.createdAt", "CUSTOMERID: Created"],
  ["customer.region.name", "CUSTOMERID: REGIONID: NAME"],
  ["before.before.number", "BEFOREID: BEFOREID: NUMBER"],
])("%s is called “%s”", (name, title) => {
  expect(fieldOfParent(orders, name)).toMatchObject({ name, title });
});

test.each([
  "city",
  "customerId.city",
  "customer.",
  ".city",
  "customer.town",
  "nobody.city",
  "customer.updatedBy",
  "customer.region.land.name",
])("%s names no field of a parent", (name) => {
  expect(fieldOfParent(orders, name)).toBeUndefined();
});

test("a parent's field has its own operators, and leads to its own parent", () => {
  expect(operatorsOf(fieldOfParent(orders, "customer.city") as never)).toContain("prefix");
  expect(fieldOfParent(orders, "customer.regionId")?.reference).toMatchObject({ collection: "regions" });
});

test("a field that a mask covers is not offered", () => {
  const masked = readDataPackage({
    resources: [
      collection("customers", "customer", [text("city")]),
      collection("orders", "order", [number("customerId")], [refers("customerId", "customers", "customer")]),
    ],
  });
  if ("mistakes" in masked) throw new Error(JSON.stringify(masked.mistakes));
  const [customers, own] = masked.collections as [Collection, Collection];
  Object.assign(customers.byName.get("city") as object, { masked: true });
  expect(fieldOfParent(own, "customer.city")).toBeUndefined();
});
