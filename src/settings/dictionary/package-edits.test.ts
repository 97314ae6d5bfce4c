import { expect, test } from "vitest";
import { readDataPackage } from "../../../core/dictionary/collections.ts";
import { nameFrom } from "../../../core/dictionary/name-from-title.ts";
import orders from "../../../core/dictionary/orders.example.json" with { type: "json" };
import type { Package } from "../../../core/dictionary/packages.ts";
import {
  addCollection,
  addField,
  changeField,
  moved,
  moveField,
  placeAfterMove,
  referTo,
  removeField,
  takenNames,
} from "./package-edits.ts";

const PACKAGE = orders as unknown as Package;
const fieldsOf = (all: Package, at = 0) => all.resources[at]?.schema.fields.map(({ name }) => name);

test.each([
  ["Phone", "phone"],
  ["E-mail address", "eMailAddress"],
  ["Straße und Hausnr.", "strasseUndHausnr"],
  ["ID", "id"],
  ["Prénom", "prenom"],
  ["2nd line", "field2ndLine"],
  ["電話", "field"],
])("the title %s proposes the name %s", (title, name) => expect(nameFrom(title)).toBe(name));

test("a field that gets another name keeps its place in orders, keys and references", () => {
  const renamed = changeField(changeField(PACKAGE, 0, 1, { name: "company" }), 0, 0, { name: "number" });
  const [customers, contacts] = renamed.resources;
  expect(customers?.label).toEqual(["company"]);
  expect(customers?.list).toEqual(["company", "accountNumber", "city", "number"]);
  expect(customers?.schema.primaryKey).toEqual(["number"]);
  expect(contacts?.schema.foreignKeys?.[0]?.reference.fields).toEqual(["number"]);
  expect(contacts?.schema.primaryKey).toEqual(["objectId"]);
  expect("collections" in readDataPackage(renamed)).toBe(true);
  expect(fieldsOf(PACKAGE)).toEqual(["objectId", "name", "accountNumber", "city"]);
});

test("a moved field moves in the form, too", () => {
  const moved = moveField(PACKAGE, 0, 3, 1);
  expect(fieldsOf(moved)).toEqual(["objectId", "city", "name", "accountNumber"]);
  expect(moved.resources[0]?.form).toEqual(fieldsOf(moved));
});

test("what is moved past others leaves each where the list has it then", () => {
  const places = [0, 1, 2, 3];
  for (const from of places)
    for (const to of places) {
      const now = moved(places, from, to);
      expect(places.map((place) => now[placeAfterMove(place, from, to)])).toEqual(places);
    }
});

test("a new field refers to a collection and goes again without a trace", () => {
  const added = addField(PACKAGE, 0, { name: "boss", title: "Boss", type: "integer" });
  const parent = added.resources[1];
  const referring = referTo(added, 0, 4, parent);
  expect(referring.resources[0]?.schema.foreignKeys).toEqual([
    { fields: ["bossId"], reference: { resource: "contacts", fields: ["objectId"] } },
  ]);
  expect(removeField(referring, 0, 4)).toEqual(PACKAGE);
});

test.each([
  ["contact", "contactId", undefined], // the parent stands under the name without "Id"
  ["contactId", "contactId", undefined],
  ["customer", "customerId", "customerIdRecord"], // the collection itself is called so
  ["city", "cityId", "cityIdRecord"], // another field is
])("a new field %s refers under a name that is free, and so does its parent", (name, named, as) => {
  const [own, parent] = PACKAGE.resources;
  const added = addField(PACKAGE, 0, {
    name: own?.schema.fields.some((one) => one.name === name) ? `${name}Id` : name,
    title: "X",
    type: "integer",
  });
  const referring = referTo(added, 0, own?.schema.fields.length ?? 0, parent);
  const [key] = referring.resources[0]?.schema.foreignKeys ?? [];
  expect([key?.fields, key?.as]).toEqual([[named], as]);
  expect("collections" in readDataPackage(referring)).toBe(true);
});

test("a field that is stored keeps its name when it refers, and its parent gets a free one", () => {
  const added = addField(PACKAGE, 0, { id: "abcdefghij", name: "contact", title: "Contact", type: "integer" });
  const referring = referTo(added, 0, 4, added.resources[1]);
  expect(referring.resources[0]?.schema.foreignKeys).toMatchObject([{ fields: ["contact"], as: "contactRecord" }]);
  expect("collections" in readDataPackage(referring)).toBe(true);
});

test("a new collection is a valid one", () => {
  const added = addCollection(PACKAGE, { title: "Fahrzeuge", noun: "Fahrzeug", icon: "car", color: "", firstField: "ID" });
  expect(added.resources.at(-1)).toMatchObject({ name: "fahrzeuge", singular: "fahrzeug", label: ["id2"], icon: "car" });
  expect("collections" in readDataPackage(added)).toBe(true);
  const again = addCollection(added, { title: "Fahrzeuge", noun: "Fahrzeuge", icon: "", color: "teal", firstField: "Kennzeichen" });
  expect(again.resources.at(-1)).toMatchObject({ name: "fahrzeuge2", singular: "fahrzeuge", color: "teal" });
});

test("an emptied word goes, and names of before are taken", () => {
  const named = changeField(PACKAGE, 0, 3, { description: "", formerNames: ["town"] });
  const resource = named.resources[0];
  expect(resource && takenNames(resource, resource.schema.fields[0])).toEqual(["name", "accountNumber", "city", "town"]);
  expect(changeField(named, 0, 3, { formerNames: undefined })).toEqual(PACKAGE);
});
