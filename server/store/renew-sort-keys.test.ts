import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import type { Filter } from "./store.ts";

const fields = [
  { name: "id", type: "integer" },
  { name: "name", type: "string" },
];
const read = readDataPackage({ resources: [{ name: "people", singular: "person", schema: { fields, primaryKey: "id" } }] });
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;
const NAMES = ["van Dijk", "'t Hoff", "“Ace” Ventura", "Adams", "...", "Šimon", "’s-Gravesande", null, "(Bo)", "Zola", "李"];
const SORTED = [null, "...", "“Ace” Ventura", "Adams", "(Bo)", "’s-Gravesande", "Šimon", "'t Hoff", "van Dijk", "Zola", "李"];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function namesOf(filters: readonly Filter[] = []): Promise<unknown[]> {
  const store = await database.open([collection]);
  try {
    const sort = ["name", "id"].map((name) => ({ name, descending: false }));
    return (await store.list(collection, { limit: 99, sort, words: [], filters })).records.map(({ name }) => name);
  } finally {
    await store.close();
  }
}

test("signs before the first letter or digit do not count in the order, also of records that an earlier version stored", async () => {
  const store = await database.open([collection]);
  const ops = NAMES.map(
    (name, i) => ({ verb: "post", id: i + 1, given: { id: i + 1, name }, onConflict: "error", onMissing: "create" }) as const,
  );
  await writeEach(store, collection, ops, { atomic: true });
  await store.close();
  expect(await namesOf()).toEqual(SORTED);

  // As it was stored before: folded, with the signs.
  const before = NAMES.flatMap((name, i) =>
    name && /^[^\p{L}\p{N}]/u.test(name)
      ? [`UPDATE c_people SET "name$fold" = '${name.toLowerCase().replaceAll("'", "''")}' WHERE id = ${i + 1}`]
      : [],
  );
  await database.run(before);
  expect(await namesOf()).not.toEqual(SORTED); // not read: only this version has written into a store that it made
  await database.run(["DELETE FROM settings WHERE name LIKE 'sort keys%'"]);
  expect(await namesOf([{ name: "name", operator: "prefix", values: ["s-gr"] }])).toEqual(["’s-Gravesande"]);
  expect(await namesOf()).toEqual(SORTED);

  // As a process of the version before goes on to store beside one that has renewed all; the next start puts it right.
  await database.run(before);
  expect(await namesOf()).toEqual(SORTED);
});
