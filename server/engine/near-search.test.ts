import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import { withoutCovered } from "./near-search.ts";
import type { Store } from "./store.ts";

const schema = {
  fields: [
    { name: "id", type: "integer" },
    { name: "first", type: "string" },
    { name: "last", type: "string" },
  ],
  primaryKey: "id",
};
const read = readDataPackage({ resources: [{ name: "people", singular: "person", schema }] });
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;

const PEOPLE = [
  ["Jürgen", "Müller"],
  ["Anna", "Müller"],
  ["Karl", "Mueller"],
  ["Ken", "Muller"],
  ["Sinéad", "O'Brien"],
  ["Max", "Oconnor"],
  ["Hans-Peter", "Schmidt"],
  ["Eva", "Schmidtbauer"],
  ["Pia", "Schmitz"],
  ["Олег", "Петров"],
  ["Smith", "Smythe"],
];

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await database.open([collection]);
  const ops = PEOPLE.map(([first, last], i) => ({ id: i + 1, given: { id: i + 1, first: first as string, last: last as string } }));
  await writeEach(
    store,
    collection,
    ops.map((op) => ({ verb: "post", onConflict: "error", onMissing: "create", ...op })),
    { atomic: true },
  );
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

test.each([
  ["Schmitd", ["Schmidt", "Schmitz", "Schmidtbauer"]],
  ["Schmidtt", ["Schmidt", "Schmidtbauer"]],
  ["Schmilz", ["Schmitz"]],
  ["Muler", ["Müller"]],
  ["Muelller", ["Müller", "Mueller"]],
  ["Mueler", ["Müller", "Mueller"]],
  ["OBrien", ["O Brien"]],
  ["O'Connor", ["Oconnor"]],
  ["Hanspeter Schmidt", ["Hans Peter Schmidt"]],
  ["Hanspeter Schmitd", ["Hans Peter Schmidt"]],
  ["Jurgen Muelle", ["Jurgen Müller"]],
  ["Anna Schmitz", []],
  ["Петрв", ["Петров"]],
  ["Xylophon", []],
  ["ab", []],
  ["one two three four five", []],
])("a search for %s that finds nothing leads to %j", async (typed, near) => {
  expect(await store.near(collection, { words: typed.split(/[ ']/), isFound: false })).toEqual(near);
});

test.each([
  ["Mueller", ["Müller"]],
  ["Müller", ["Mueller"]],
  ["Muller", []],
  ["Karl Mueller", []],
  ["Smith", []],
])("a search for %s that finds something leads to %j as well", async (typed, near) => {
  expect(await store.near(collection, { words: typed.split(" "), isFound: true })).toEqual(near);
});

test("of several words only those are left that no beginning of another one covers", () => {
  const word = (text: string) => [{ word: text.replace("*", ""), isBegin: text.endsWith("*") }];
  const two = [...word("schmit"), ...word("z")];
  const left = [word("schmit*"), word("schmidt*"), word("schm"), two];
  expect(withoutCovered([word("schmitz*"), word("schmitt"), ...left])).toEqual(left);
});
