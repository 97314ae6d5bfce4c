// Field names that are keywords of SQL, or names of the engines' or our own tables and columns.

import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { createTestDatabase, outcomesOf, type TestDatabase, writeEach } from "../testing/store.ts";
import type { Store, WriteOp } from "./store.ts";

let database: TestDatabase;
let store: Store | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await store?.close();
  await database.drop();
});

const SQL = ["order", "select", "limit_", "from", "where", "group", "table", "user", "index", "primary", "default", "null", "desc", "row"];
const ENGINES = ["rowid", "oid", "rank", "words", "value", "key", "atom", "json", "docid", "Xmin", "abort", "replace", "array", "lateral"];
const OURS = [
  "found",
  "next",
  "collection",
  "deleted_at",
  "u",
  "t",
  "c0",
  "c1",
  "excluded",
  "i_things_a",
  "s_things",
  "c_things",
  "unnest",
];
const LONG = `a${"b".repeat(62)}`;
const NAMES = [...SQL, ...ENGINES, ...OURS, LONG, `${LONG.slice(0, 62)}c`];

function read(names: readonly string[], key = "id"): Collection {
  const fields = [
    { name: key, type: "integer" },
    ...names.map((name, i) => ({ name, type: "string", constraints: { unique: i % 5 === 0 } })),
  ];
  const found = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: key } }] });
  if ("mistakes" in found) throw new Error(JSON.stringify(found.mistakes));
  return found.collections[0] as Collection;
}

async function write(collection: Collection, ops: WriteOp[]): Promise<string[]> {
  return store ? outcomesOf(await writeEach(store, collection, ops, { atomic: true })) : [];
}

async function live(collection: Collection): Promise<void> {
  const { key, fields } = collection;
  const texts = fields.filter((field) => field !== key);
  const recordOf = (id: number) => ({ [key.name]: id, ...Object.fromEntries(texts.map(({ name }) => [name, `${name} of ${id}`])) });
  store = await database.open([collection]);
  const post = (id: number) => ({ verb: "post", id, given: recordOf(id), onConflict: "error", onMissing: "create" }) as WriteOp;
  expect(await write(collection, [post(1), post(2), post(3)])).toEqual(["created", "created", "created"]);
  expect(await store.read(collection, 2)).toMatchObject(recordOf(2));
  const byKey = { name: key.name, descending: false };
  for (const { name } of texts) {
    const page = { limit: 10, words: ["of"], filters: [{ name, operator: "gte" as const, values: [`${name} of 2`] }] };
    for (const sort of [[byKey], [{ name, descending: true }, byKey]]) {
      const found = await store.list(collection, { ...page, sort });
      expect([name, found.records.map((record) => record[key.name])]).toEqual([name, sort.length === 1 ? [2, 3] : [3, 2]]);
    }
    expect(await store.count(collection, page)).toBe(2);
  }
  const given = Object.fromEntries(texts.map(({ name }) => [name, `new ${name}`]));
  expect(await write(collection, [{ verb: "patch", id: 3, given }])).toEqual(["updated"]);
  expect(await store.read(collection, 3)).toMatchObject(given);
  expect(await write(collection, [{ verb: "delete", id: 1 }])).toEqual(["deleted"]);
  await store.close();
  store = await database.open([collection]);
  expect(await store.read(collection, 3)).toMatchObject(given);
}

test("a field may have the name of an SQL keyword, of a table or column of ours, or 63 letters", { timeout: 180_000 }, async () => {
  await live(read(NAMES));
});

test.each(["rowid", "oid", "rank", "value", "order", "collection"])("the key field may have the name %s", async (key) => {
  await live(read(["a", "words"], key));
});

/** `count` fields besides the key, all with a value that is no short one. */
async function storeLongValues(count: number): Promise<void> {
  const collection = read(Array.from({ length: count }, (_, i) => `field${i}`));
  store = await database.open([collection]);
  const given = Object.fromEntries(collection.fields.map(({ name }, i) => [name, i === 0 ? 1 : `A value of some length, number ${i}`]));
  expect(await write(collection, [{ verb: "put", id: 1, given }])).toEqual(["created"]);
  expect(await store.read(collection, 1)).toMatchObject(given);
}

test("a record with 220 long values is stored whole", { timeout: 180_000 }, () => storeLongValues(220));

test("a record with 300 long values is stored by SQLite; with PostgreSQL the start refuses such a dictionary", {
  timeout: 180_000,
}, async () => {
  if (!inject("postgres")) return storeLongValues(300);
  await expect(storeLongValues(300)).rejects.toThrow('"things" has more fields (301) than PostgreSQL can hold in one row');
});
