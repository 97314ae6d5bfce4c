import { describe, expect, test } from "vitest";
import { childrenOf } from "./children.ts";
import { readDataPackage } from "./collections.ts";
import ordersPackage from "./orders.example.json" with { type: "json" };

type Loose = Record<string, unknown>;
type Resource = Loose & { schema: Loose & { fields: Loose[]; foreignKeys: Loose[] } };

/** The example with another first foreign key of its orders. */
function withKey(change: (foreignKey: Loose, resources: Resource[]) => void): unknown {
  const copy = structuredClone(ordersPackage) as unknown as { resources: Resource[] };
  change(copy.resources[2]?.schema.foreignKeys[0] as Loose, copy.resources);
  return copy;
}

/** Holds the contact of an order to these fields. */
const held = (where: Loose) => (_: Loose, resources: Resource[]) =>
  void Object.assign(resources[2]?.schema.foreignKeys[1] ?? {}, { where });

function collectionsOf(input: unknown) {
  const read = readDataPackage(input);
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  const [customers, contacts, orders] = read.collections;
  if (!customers || !contacts || !orders) throw new Error("three collections are expected");
  return { customers, contacts, orders, all: read.collections };
}

function mistakesIn(input: unknown): string[] {
  const read = readDataPackage(input);
  return "mistakes" in read ? read.mistakes.map(({ path, message }) => `${path.replace("/resources/2/schema/", "")}: ${message}`) : [];
}

test("the example's fields say what they refer to, under which name, and what a deletion does", () => {
  const { orders, customers, contacts, all } = collectionsOf(ordersPackage);
  expect(orders.references.map(({ name, reference }) => [name, reference])).toEqual([
    ["customerId", { collection: "customers", key: "objectId", as: "customer", onDelete: "restrict" }],
    [
      "contactId",
      {
        collection: "contacts",
        key: "objectId",

        as: "contact",
        onDelete: "clear",
        where: [{ parent: "customerId", own: "customerId" }],
      },
    ],
  ]);
  expect(orders.byName.get("customerId")?.reference?.collection).toBe("customers");
  expect(orders.byName.get("customerId")).toMatchObject({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
  expect(customers.references).toEqual([]);
  expect(childrenOf(all, customers).map(({ child, field }) => `${child.name}.${field.name}`)).toEqual([
    "contacts.customerId",
    "orders.customerId",
  ]);
  expect(childrenOf(all, contacts).map(({ child }) => child.name)).toEqual(["orders"]);
});

test("a unique field of the parent is a lookup, with the parent's rules and both titles", () => {
  const { orders } = collectionsOf(ordersPackage);
  expect([...orders.lookups.keys()]).toEqual(["customer.accountNumber", "contact.email"]);
  expect(orders.lookups.get("customer.accountNumber")).toMatchObject({
    title: "Customer: Account number",
    kind: "string",
    maxLength: 40,
    required: false,
    fills: "customerId",
    by: "accountNumber",
  });
});

test("names may be texts instead of lists, as in version 1 of the Data Package, and `as` and `onDelete` may be left out", () => {
  const short = withKey((key) => {
    for (const name of Object.keys(key)) delete key[name];
    Object.assign(key, { fields: "customerId", reference: { resource: "customers", fields: "objectId" } });
  });
  expect(collectionsOf(short).orders.references[0]?.reference).toEqual({
    collection: "customers",
    key: "objectId",

    as: "customer",
    onDelete: "restrict",
  });
});

test("without `as` a field whose name does not end in Id takes the parent's singular", () => {
  const input = withKey((key, resources) => {
    delete key.as;
    Object.assign(key, { fields: ["buyer"] });
    Object.assign(resources[2]?.schema.fields[1] ?? {}, { name: "buyer" });
    Object.assign(resources[2] ?? {}, { list: undefined, form: undefined });
    delete resources[2]?.schema.foreignKeys[1]?.where;
  });
  expect(collectionsOf(input).orders.references[0]?.reference.as).toBe("customer");
});

describe("a mistake in a foreign key is reported with its place and what is wanted", () => {
  test.each<[string, (key: Loose, resources: Resource[]) => void, string]>([
    [
      "no object",
      (_, r) => Object.assign(r[2]?.schema ?? {}, { foreignKeys: ["customerId"] }),
      'foreignKeys/0: a foreign key has "fields"',
    ],
    ["no list", (_, r) => Object.assign(r[2]?.schema ?? {}, { foreignKeys: {} }), "foreignKeys: a list is needed"],
    [
      "where: no object",
      (_, r) => Object.assign(r[2]?.schema.foreignKeys[1] ?? {}, { where: "customerId" }),
      'foreignKeys/1/where: a field of "contacts" and one of "orders" are needed',
    ],
    ["where: no field of the parent", held({ nope: "customerId" }), 'foreignKeys/1/where/nope: "contacts" has no field "nope"'],
    ["where: no field of its own", held({ customerId: "nope" }), 'foreignKeys/1/where/customerId: "orders" has no field "nope"'],
    [
      "where: the reference itself",
      held({ customerId: "contactId" }),
      'foreignKeys/1/where/customerId: "contactId" is the reference itself',
    ],
    [
      "where: another type",
      held({ name: "customerId" }),
      'foreignKeys/1/where/name: "name" of "contacts" and "customerId" of "orders" must be of one type',
    ],
    [
      "where: a key beside a reference",
      held({ objectId: "customerId" }),
      'foreignKeys/1/where/objectId: "objectId" of "contacts" and "customerId" of',
    ],
    ["two fields", (key) => Object.assign(key, { fields: ["customerId", "contactId"] }), "foreignKeys/0/fields: exactly one field"],
    ["no such field", (key) => Object.assign(key, { fields: ["nope"] }), 'foreignKeys/0/fields: "orders" has no field "nope"'],
    ["the key itself", (key) => Object.assign(key, { fields: ["objectId"] }), 'foreignKeys/0/fields: "objectId" is the key'],
    [
      "a field of text",
      (key) => Object.assign(key, { fields: ["orderNumber"] }),
      'foreignKeys/0/fields: "orderNumber" must be of type integer',
    ],
    [
      "twice",
      (_, r) => r[2]?.schema.foreignKeys.splice(1, 1, r[2].schema.foreignKeys[0] as Loose),
      'foreignKeys/1/fields: "customerId" refers',
    ],
    [
      "no such resource",
      (key) => Object.assign(key, { reference: { resource: "nope", fields: "id" } }),
      "foreignKeys/0/reference/resource: there is no",
    ],
    [
      "itself",
      (key) => Object.assign(key, { reference: { fields: "objectId" } }),
      "foreignKeys/0/reference/resource: a resource must be named",
    ],
    [
      "another field",
      (key) => Object.assign(key, { reference: { resource: "customers", fields: "name" } }),
      "foreignKeys/0/reference/fields: must be the key",
    ],
    [
      "another rule",
      (key) => Object.assign(key, { onDelete: "setNull" }),
      "foreignKeys/0/onDelete: must be one of restrict, cascade, clear",
    ],
    ["clear, though required", (key) => Object.assign(key, { onDelete: "clear" }), 'foreignKeys/0/onDelete: "clear" takes the value away'],
    ["a field's name", (key) => Object.assign(key, { as: "Total" }), 'foreignKeys/0/as: "Total" is a field'],
    ["the service's name", (key) => Object.assign(key, { as: "version" }), "foreignKeys/0/as: a name such as"],
    ["one name for two", (key) => Object.assign(key, { as: "contact" }), 'foreignKeys/1/as: "contact" is the name of another parent'],
    ["its own name", (key) => Object.assign(key, { as: "order" }), 'foreignKeys/0/as: "order" is the name of the collection itself'],
    [
      "an address in use",
      (_, r) => Object.assign(r[2] ?? {}, { name: "history", singular: "entry" }),
      "foreignKeys/0/reference/resource: a collection named",
    ],
  ])("%s", (_, change, mistake) => {
    expect(mistakesIn(withKey(change)).join("\n")).toContain(mistake);
  });
});
