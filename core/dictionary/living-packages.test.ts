// Finds what a package renames, retires and changes, and brings two changes together.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesOf } from "./changes.ts";
import dictionarySchema from "./dictionary.schema.json" with { type: "json" };
import { identify } from "./identify.ts";
import { mergePackages } from "./merge-packages.ts";
import type { Package, PackageField } from "./packages.ts";

let last = 0;
const newId = () => String(++last).padStart(10, "0");

function first(...names: string[]): Package {
  const fields = ["id", ...names].map((name) => ({ name, type: name === "id" ? "integer" : "string" }));
  return next({ resources: [{ name: "things", schema: { fields, primaryKey: ["id"] } }] }, undefined);
}

function next(dataPackage: unknown, base: unknown): Package {
  const found = identify(dataPackage, base, newId);
  if ("mistakes" in found) throw new Error(JSON.stringify(found.mistakes));
  return found.dataPackage as Package;
}

const fieldsOf = ({ resources }: Package) => resources[0]?.schema.fields ?? [];
const named = (all: Package, name: string) => fieldsOf(all).find((field) => field.name === name) as PackageField;

/** The package with other fields in its only collection. */
function withFields(all: Package, change: (fields: PackageField[]) => PackageField[]): Package {
  const copy = structuredClone(all);
  const [resource] = copy.resources;
  if (!resource) throw new Error("no resource");
  return { ...copy, resources: [{ ...resource, schema: { ...resource.schema, fields: change([...resource.schema.fields]) } }] };
}

const renamed = (all: Package, from: string, to: string) =>
  withFields(all, (fields) => fields.map((field) => (field.name === from ? { ...field, name: to } : field)));

function mistakesOf(dataPackage: unknown, base: unknown): string[] {
  const found = identify(dataPackage, base, newId);
  return "mistakes" in found ? found.mistakes.map(({ path, message }) => `${path}: ${message}`) : [];
}

describe("a field with another name", () => {
  test("keeps its id and the name of its column through every chain, back to the first name, too", () => {
    let all = first("a");
    const { id } = named(all, "a");
    for (const [from, to, former] of [
      ["a", "b", ["a"]],
      ["b", "c", ["a", "b"]],
      ["c", "b", ["a", "c"]],
      ["b", "a", ["a", "c", "b"]],
      ["a", "d", ["a", "c", "b"]],
    ] as const) {
      all = next(renamed(all, from, to), all);
      expect(named(all, to)).toMatchObject({ id, formerNames: former });
    }
  });

  test("is found by formerNames in a file without ids", () => {
    const base = first("phone");
    const file = {
      resources: [
        {
          name: "things",
          schema: {
            fields: [
              { name: "id", type: "integer" },
              { name: "mobile", formerNames: ["phone"] },
            ],
            primaryKey: "id",
          },
        },
      ],
    };
    expect(named(next(file, base), "mobile")).toMatchObject({ id: named(base, "phone").id, formerNames: ["phone"] });
  });

  test("is meant by orders and references that have its former name", () => {
    const base = next(
      {
        resources: [
          {
            name: "parents",
            label: ["title"],
            schema: { fields: [{ name: "no", type: "integer" }, { name: "title" }], primaryKey: ["no"] },
          },
          {
            name: "children",
            schema: {
              fields: [
                { name: "id", type: "integer" },
                { name: "parentNo", type: "integer" },
              ],
              primaryKey: ["id"],
              foreignKeys: [{ fields: ["parentNo"], reference: { resource: "parents", fields: ["no"] } }],
            },
          },
        ],
      },
      undefined,
    );
    const draft: { resources: { schema: { fields: { name: string }[] } }[] } = JSON.parse(JSON.stringify(base));
    for (const { schema } of draft.resources) for (const field of schema.fields) field.name = `${field.name}New`;
    const [parents, children] = next(draft, base).resources;
    expect([parents?.label, parents?.schema.primaryKey]).toEqual([["titleNew"], ["noNew"]]);
    expect(children?.schema.foreignKeys).toEqual([{ fields: ["parentNoNew"], reference: { resource: "parents", fields: ["noNew"] } }]);
    expect(changesOf(base, next(draft, base)).map(({ kind }) => kind)).toEqual(["renamed", "renamed", "renamed", "renamed"]);
  });

  test("changes no name by which answers have the parent, if it refers", () => {
    const fields = [
      { name: "id", type: "integer" },
      { name: "customerId", type: "integer" },
      { name: "city", type: "string" },
    ];
    const foreignKeys = [{ fields: ["customerId"], reference: { resource: "customers", fields: ["id"] } }];
    const base = next(
      {
        resources: [
          { name: "customers", schema: { fields: [fields[0], fields[2]], primaryKey: ["id"] } },
          { name: "orders", schema: { fields, primaryKey: ["id"], foreignKeys } },
        ],
      },
      undefined,
    );
    const draft: { resources: { schema: { fields: { name: string }[]; foreignKeys?: object[] } }[] } = JSON.parse(JSON.stringify(base));
    for (const field of draft.resources[1]?.schema.fields ?? []) if (field.name === "customerId") field.name = "clientId";
    const now = next(draft, base);
    expect(now.resources[1]?.schema.foreignKeys).toMatchObject([{ fields: ["clientId"], as: "customer" }]);
    expect(changesOf(base, now).map(({ kind }) => kind)).toEqual(["renamed"]);

    const held: typeof draft = JSON.parse(JSON.stringify(base));
    Object.assign(held.resources[1]?.schema.foreignKeys?.[0] ?? {}, { where: { city: "city" } });
    expect(changesOf(base, held).map(({ kind, path }) => [kind, path])).toEqual([["narrowed", "orders.customerId"]]);
    expect(changesOf(held, base).map(({ kind }) => kind)).toEqual(["loosened"]);
  });

  test("takes no name that stands for another one", () => {
    const origin = first("a", "x");
    const now = next(renamed(origin, "a", "b"), origin);
    const added = withFields(now, (fields) => [...fields, { name: "A", type: "string" }]);
    expect(mistakesOf(added, now)).toEqual([
      '/resources/0/schema/fields/3/name: "A" was the name of "b" and still stands for it; choose another name',
    ]);
    const swapped = withFields(origin, (fields) =>
      fields.map((field) => ({ ...field, name: { a: "x", x: "a" }[field.name] ?? field.name })),
    );
    expect(mistakesOf(swapped, origin)).toHaveLength(2);
    const gone = next(
      withFields(origin, (fields) => fields.filter(({ name }) => name !== "x")),
      origin,
    );
    expect(mistakesOf(renamed(gone, "a", "x"), gone)).toEqual([
      '/resources/0/schema/fields/1/name: "x" is retired: bring it back, or choose another name',
    ]);
  });
});

test("what is left out is retired at its end, and comes back by its name or id", () => {
  const base = first("a", "b");
  const gone = next(
    withFields(base, (fields) => fields.filter(({ name }) => name !== "a")),
    base,
  );
  expect(fieldsOf(gone).map(({ name, retired = false }) => [name, retired])).toEqual([
    ["id", false],
    ["b", false],
    ["a", true],
  ]);
  expect(next(gone, gone)).toEqual(gone);
  const file = {
    resources: [{ name: "things", schema: { fields: [{ name: "id", type: "integer" }, { name: "a" }, { name: "b" }], primaryKey: "id" } }],
  };
  expect(named(next(file, gone), "a")).toMatchObject({ id: named(base, "a").id });
  expect(named(next(file, gone), "a").retired).toBeUndefined();
  const others = { resources: [{ name: "others", schema: { fields: [{ name: "id", type: "integer" }], primaryKey: "id" } }] };
  expect(next(others, base).resources.map(({ name, retired = false }) => [name, retired])).toEqual([
    ["others", false],
    ["things", true],
  ]);
});

test("former names in a file are those of one field that was there, by any of its names", () => {
  const file = (...fields: object[]) => ({
    resources: [{ name: "things", schema: { fields: [{ name: "id", type: "integer" }, ...fields], primaryKey: "id" } }],
  });
  const origin = first("a");
  const base = next(renamed(origin, "a", "z"), origin);
  expect(named(next(file({ name: "y", formerNames: ["a"] }), base), "y")).toMatchObject({
    id: named(base, "z").id,
    formerNames: ["a", "z"],
  });
  expect(mistakesOf(file({ name: "z" }, { name: "q", formerNames: ["a"] }), base)[0]).toContain(
    "/resources/0/schema/fields/2/formerNames: no field",
  );
  expect(mistakesOf(file({ name: "q", formerNames: ["aa"] }), base)[0]).toContain("was called aa");
  expect(mistakesOf(file({ name: "p", formerNames: ["xx"] }, { name: "q", formerNames: ["XX"] }), undefined)).toHaveLength(2);
  const retired = { ...file({ name: "q" }) };
  const [resource] = retired.resources;
  expect(
    mistakesOf(
      { resources: [{ ...resource, schema: { ...resource?.schema, fields: [{ name: "id", type: "integer", retired: true }] } }] },
      undefined,
    ),
  ).toEqual(['/resources/0/schema/primaryKey: the key stays "id": every record is known by it']);
});

test("retiring and bringing back is no other order, and two may begin the constraints of a field", () => {
  const base = first("a", "b");
  const gone = next(
    withFields(base, (fields) => fields.filter(({ name }) => name !== "a")),
    base,
  );
  expect(changesOf(base, gone).map(({ kind }) => kind)).toEqual(["retired"]);
  expect(changesOf(gone, base).map(({ kind }) => kind)).toEqual(["revived"]);
  const having = (constraints: object) =>
    withFields(base, (fields) => fields.map((field) => (field.name === "a" ? { ...field, constraints } : field)));
  const { package: both, conflicts } = mergePackages(base, having({ required: true }), having({ maxLength: 5 }));
  expect([conflicts, named(both as Package, "a").constraints]).toEqual([[], { maxLength: 5, required: true }]);
});

test("what cannot follow is refused at its place: another key, another name of a collection, an id of nothing or of two", () => {
  const base = first("a");
  const [resource] = base.resources;
  const withKey = { ...base, resources: [{ ...resource, schema: { ...resource?.schema, primaryKey: ["a"] } }] };
  expect(mistakesOf(withKey, base)).toEqual(['/resources/0/schema/primaryKey: the key stays "id": every record is known by it']);
  expect(mistakesOf({ ...base, resources: [{ ...resource, name: "items" }] }, base)[0]).toContain(
    '/resources/0/name: "things" keeps its name',
  );
  const twice = withFields(base, (fields) => [...fields, { ...named(base, "a"), name: "again" }]);
  expect(mistakesOf(twice, base)[0]).toContain("/resources/0/schema/fields/2/id: another field has this id");
  const nothing = withFields(base, (fields) => [...fields, { id: "zzzzzzzzzz", name: "z" }]);
  expect(mistakesOf(nothing, base)[0]).toContain("/resources/0/schema/fields/2/id: no field has this id");
});

test.each<[string, object, object, string[]]>([
  ["a longer text", { constraints: { maxLength: 5 } }, { constraints: { maxLength: 9 } }, ["loosened"]],
  ["a shorter text", { constraints: { maxLength: 9 } }, { constraints: { maxLength: 5 } }, ["narrowed"]],
  ["a later first date", { constraints: { minimum: "2020-01-01" } }, { constraints: { minimum: "2021-01-01" } }, ["narrowed"]],
  ["a value less", { constraints: { enum: ["a", "b"] } }, { constraints: { enum: ["b"] } }, ["narrowed"]],
  ["a value more", { constraints: { enum: ["b"] } }, { constraints: { enum: ["a", "b"] } }, ["loosened"]],
  ["required", {}, { constraints: { required: true } }, ["required"]],
  ["required no more", { constraints: { required: true } }, {}, ["loosened"]],
  ["unique and a title", {}, { title: "A", constraints: { unique: true } }, ["text", "unique"]],
  ["another kind", { type: "string" }, { type: "integer" }, ["converted"]],
  ["another order of words", { constraints: { required: true, unique: true } }, { constraints: { unique: true, required: true } }, []],
])("a change is named by what it does: %s", (_, before, after, kinds) => {
  const base = first("a");
  const withOwn = (own: object) => withFields(base, (fields) => fields.map((field) => (field.name === "a" ? { ...field, ...own } : field)));
  expect(changesOf(withOwn(before), withOwn(after)).map(({ kind, path }) => `${kind} ${path}`)).toEqual(
    kinds.map((kind) => `${kind} things.a`),
  );
});

test("each word of the schema is a change when it changes", () => {
  const { properties } = dictionarySchema.$defs.field as { properties: Record<string, unknown> };
  const base = first("a");
  for (const word of Object.keys(properties).filter(
    (one) => !["id", "name", "formerNames", "withdrawnNames", "constraints"].includes(one),
  )) {
    const other = withFields(base, (fields) =>
      fields.map((field) => (field.name === "a" ? { ...field, [word]: word === "retired" ? true : ["x"] } : field)),
    );
    expect(changesOf(base, other).length, word).toBeGreaterThan(0);
  }
});

/** Random changes of titles, lengths, orders and new fields. */
const edits = fc.array(
  fc.oneof(
    fc.record({ at: fc.nat(3), title: fc.constantFrom("One", "Two", "Three") }),
    fc.record({ at: fc.nat(3), maxLength: fc.nat(9) }),
    fc.record({ added: fc.constantFrom("p", "q") }),
    fc.record({ moved: fc.nat(3) }),
  ),
  { maxLength: 5 },
);

function edited(base: Package, all: readonly Record<string, unknown>[], sign: string): Package {
  return withFields(base, (given) => {
    let fields = given;
    for (const edit of all) {
      if (typeof edit.added === "string")
        fields = [...fields, { id: newId(), name: `${sign}${edit.added}${fields.length}`, type: "string" }];
      else if (typeof edit.moved === "number") fields = [...fields.slice(edit.moved), ...fields.slice(0, edit.moved)];
      else
        fields = fields.map((field, i) =>
          i === edit.at
            ? { ...field, ...(edit.title !== undefined ? { title: edit.title } : { constraints: { maxLength: edit.maxLength } }) }
            : field,
        );
    }
    return fields;
  });
}

test("with what nobody changed a change stays as it is, and two that do not touch come together, whoever is first", () => {
  const base = first("a", "b", "c");
  fc.assert(
    fc.property(edits, edits, (one, other) => {
      const [mine, theirs] = [edited(base, one, "m"), edited(base, other, "t")];
      expect(mergePackages(base, mine, base)).toEqual({ package: mine, conflicts: [] });
      expect(mergePackages(base, base, theirs)).toEqual({ package: theirs, conflicts: [] });
      expect(mergePackages(base, mine, mine)).toEqual({ package: mine, conflicts: [] });
      const [forth, back] = [mergePackages(base, mine, theirs), mergePackages(base, theirs, mine)];
      expect(forth.conflicts.length).toBe(back.conflicts.length);
      const sorted = (all: unknown) => [...fieldsOf(all as Package)].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
      if (forth.conflicts.length === 0) expect(sorted(forth.package)).toEqual(sorted(back.package));
      expect(fieldsOf(forth.package as Package)).toHaveLength(new Set([...fieldsOf(mine), ...fieldsOf(theirs)].map(({ id }) => id)).size);
    }),
  );
});

test("the same property changed to two values is a conflict at its place", () => {
  const base = first("a");
  const titled = (title: string) => withFields(base, (fields) => fields.map((field) => (field.name === "a" ? { ...field, title } : field)));
  expect(mergePackages(base, titled("One"), titled("Two")).conflicts).toMatchObject([
    { path: "things.a", property: "title", mine: "One", theirs: "Two" },
  ]);
});
