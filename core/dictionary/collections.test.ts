import { describe, expect, test } from "vitest";
import { readDataPackage } from "./collections.ts";
import customersPackage from "./datapackage.json" with { type: "json" };

function withSchema(change: (resource: Record<string, unknown>, fields: Record<string, unknown>[]) => void): unknown {
  const copy = structuredClone(customersPackage) as unknown as {
    resources: [Record<string, unknown> & { schema: { fields: Record<string, unknown>[] } }];
  };
  change(copy.resources[0], copy.resources[0].schema.fields);
  return copy;
}

function mistakesIn(input: unknown): string[] {
  const read = readDataPackage(input);
  return "mistakes" in read ? read.mistakes.map(({ path }) => path) : [];
}

test("the shipped data package is valid", () => {
  const read = readDataPackage(customersPackage);
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  const [customers] = read.collections;
  expect(customers).toMatchObject({ name: "customers", singular: "customer", title: "Customers", noun: "customer" });
  expect(customers?.key).toMatchObject({ name: "objectId", required: false, unique: true, minimum: 1 });
  expect(customers?.label.map(({ name }) => name)).toEqual(["firstName", "lastName"]);
});

test("orders, titles and nouns have defaults", () => {
  const read = readDataPackage({
    resources: [{ name: "rooms", schema: { fields: [{ name: "id", type: "integer" }, { name: "floor" }], primaryKey: "id" } }],
  });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  expect(read.collections[0]).toMatchObject({ singular: "room", title: "rooms", noun: "room" });
  expect(read.collections[0]?.list.map(({ name }) => name)).toEqual(["id", "floor"]);
});

test("a noun that nobody has translated is written as German writes nouns", () => {
  const schema = { fields: [{ name: "id", type: "integer" }], primaryKey: "id" };
  const nounIn = (language: string, more: object) => {
    const read = readDataPackage({ resources: [{ name: "employees", schema, ...more }] }, language);
    return "mistakes" in read ? read.mistakes : read.collections[0]?.noun;
  };
  expect([nounIn("en", {}), nounIn("de", {})]).toEqual(["employee", "Employee"]);
  expect(nounIn("de", { noun: "staff member" })).toBe("Staff member");
  expect(nounIn("de", { translations: { de: { noun: "neue Person" } } })).toBe("neue Person");
});

test("sections order the form: fields of none stand first, the key last, and each has the reader's words", () => {
  const fields = [
    { name: "id", type: "integer" },
    { name: "city", section: "address" },
    { name: "note" },
    { name: "mail", section: "contact" },
    { name: "street", section: "address" },
  ];
  const sections = [
    { name: "contact", title: "Contact", translations: { de: { title: "Kontakt", description: "Wie wir sie erreichen." } } },
    { name: "address", collapsed: true },
    { name: "later", title: "Later" },
  ];
  const read = readDataPackage({ resources: [{ name: "rooms", sections, schema: { fields, primaryKey: "id" } }] }, "de");
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  const [rooms] = read.collections;
  expect(rooms?.form.map(({ name }) => name)).toEqual(["note", "mail", "city", "street", "id"]);
  expect(rooms?.formParts?.map(({ section, fields }) => [section, fields.map(({ name }) => name)])).toEqual([
    [undefined, ["note"]],
    [{ name: "contact", title: "Kontakt", description: "Wie wir sie erreichen.", isCollapsed: false }, ["mail"]],
    [{ name: "address", title: "address", description: "", isCollapsed: true }, ["city", "street"]],
    [{ name: "later", title: "Later", description: "", isCollapsed: false }, ["id"]],
  ]);
});

describe("a mistake in a data package is reported with its path", () => {
  test.each<[string, unknown, string]>([
    ["not an object", [], ""],
    ["no resources", {}, "/resources"],
    ["no schema", withSchema((r) => delete r.schema), "/resources/0/schema"],
    ["a bad name", withSchema((r) => Object.assign(r, { name: "Custo mers" })), "/resources/0/name"],
    ["a name of the service's own", withSchema((r) => Object.assign(r, { name: "oauth" })), "/resources/0/name"],
    ["a name that the answer to a list has already", withSchema((r) => Object.assign(r, { name: "next" })), "/resources/0/name"],
    ["no singular to be guessed", withSchema((r) => Object.assign(r, { name: "staff", singular: undefined })), "/resources/0/singular"],
    ["a kind that is not known", withSchema((_, f) => Object.assign(f[1] ?? {}, { type: "text" })), "/resources/0/schema/fields/1/type"],
    ["a field named twice", withSchema((_, f) => Object.assign(f[1] ?? {}, { name: "LASTNAME" })), "/resources/0/schema/fields/2/name"],
    [
      "a field named as a parameter",
      withSchema((_, f) => Object.assign(f[1] ?? {}, { name: "sort" })),
      "/resources/0/schema/fields/1/name",
    ],
    [
      "a key of another kind",
      withSchema((r) => Object.assign(r.schema as object, { primaryKey: ["lastName"] })),
      "/resources/0/schema/primaryKey",
    ],
    [
      "a key that is no field",
      withSchema((r) => Object.assign(r.schema as object, { primaryKey: "nope" })),
      "/resources/0/schema/primaryKey",
    ],
    ["two keys", withSchema((r) => Object.assign(r.schema as object, { primaryKey: ["a", "b"] })), "/resources/0/schema/primaryKey"],
    [
      "a key named as a part of results",
      withSchema((r, f) => Object.assign(r.schema as object, { primaryKey: "status" }) && Object.assign(f[0] ?? {}, { name: "status" })),
      "/resources/0/schema/primaryKey",
    ],
    [
      "two collections with one singular",
      { resources: ["people", "persons"].map((name) => ({ ...structuredClone(customersPackage.resources[0]), name, singular: "person" })) },
      "/resources/1/singular",
    ],
    ["a list with an unknown field", withSchema((r) => Object.assign(r, { list: ["lastName", "nope"] })), "/resources/0/list/1"],
    ["another format", withSchema((_, f) => Object.assign(f[1] ?? {}, { format: "binary" })), "/resources/0/schema/fields/1/format"],
    [
      "a format of text on a number",
      withSchema((_, f) => Object.assign(f[1] ?? {}, { type: "number", format: "email" })),
      "/resources/0/schema/fields/1/format",
    ],
  ])("%s", (_, input, path) => {
    expect(mistakesIn(input)).toContain(path);
  });

  test.each<[string, unknown]>([
    ["maxLength", "long"],
    ["minLength", -1],
    ["pattern", "("],
    ["enum", []],
    ["required", "yes"],
    ["minimum", 3],
  ])("the constraint %s: %j", (constraint, value) => {
    const input = withSchema((_, fields) => Object.assign(fields[1] ?? {}, { constraints: { [constraint]: value } }));
    expect(mistakesIn(input)).toEqual([`/resources/0/schema/fields/1/constraints/${constraint}`]);
  });

  test("all mistakes are reported at once", () => {
    const input = withSchema((_, fields) => {
      Object.assign(fields[1] ?? {}, { type: "text" });
      Object.assign(fields[3] ?? {}, { constraints: { minLength: 9, maxLength: 3 } });
    });
    expect(mistakesIn(input)).toEqual(
      expect.arrayContaining(["/resources/0/schema/fields/1/type", "/resources/0/schema/fields/3/constraints/minLength"]),
    );
  });
});
