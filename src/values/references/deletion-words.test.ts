import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import ordersPackage from "../../../core/dictionary/orders.example.json" with { type: "json" };
import { wordsForChildren, wordsForGrandchildren } from "./deletion-words.ts";

const read = readDataPackage(ordersPackage);
const collections = "mistakes" in read ? [] : read.collections;
const of = (name: string) => collections.find((one) => one.name === name) as Collection;

test("a deletion of parents says what becomes of children and of their children", () => {
  expect(wordsForChildren(collections, of("customers"))).toEqual([
    "Contacts that refer to them are deleted with them.",
    "Orders that refer to these contacts stay without “Contact”.",
  ]);
  expect(wordsForChildren(collections, of("orders"))).toEqual([]);
});

test("children that refer to one another are named once", () => {
  const contacts = of("contacts");
  const [field] = contacts.references;
  const reference = { ...(field as NonNullable<typeof field>).reference, collection: "contacts", onDelete: "cascade" as const };
  const circle: Collection = { ...contacts, references: [{ ...(field as NonNullable<typeof field>), reference }] };
  expect(wordsForGrandchildren([circle], [circle])).toEqual(["Contacts that refer to these contacts are deleted as well."]);
});
