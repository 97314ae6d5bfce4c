// Pages in the order of parents against a sort in memory: few records are sorted, of many the parents are walked.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WireRecord } from "../../core/contract/records.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import { sortKey } from "./columns.ts";
import type { Through } from "./keyset.ts";
import type { Selection, SortTerm, Store } from "./store.ts";

const integer = (name: string) => ({ name, type: "integer" });
const text = (name: string) => ({ name, type: "string" });
const read = readDataPackage({
  resources: [
    { name: "owners", singular: "owner", schema: { fields: [integer("id"), text("name"), integer("size")], primaryKey: "id" } },
    {
      name: "things",
      singular: "thing",
      schema: {
        fields: [integer("id"), text("name"), integer("size"), integer("ownerId"), integer("makerId")],
        primaryKey: "id",
        foreignKeys: ["owner", "maker"].map((as) => ({ fields: `${as}Id`, reference: { resource: "owners", fields: "id" }, as })),
      },
    },
  ],
});
if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
const [owners, things] = read.collections as [Collection, Collection];

const NAMES = ["Ångström", "angstrom", "Zoë", null, "", "'t Hoff", "Straße", "王", "b", "B"];
const OWNERS = Array.from({ length: 40 }, (_, i) => ({
  id: i + 1,
  name: (NAMES[(i * 7) % NAMES.length] || null) as string | null,
  size: i % 3 === 0 ? null : i % 4,
}));
const ownerOf = (id: unknown) => OWNERS.find((one) => one.id === id);
const isOwned = (i: number) => i % 11 !== 0;

function thingsOf(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    name: i % 5 === 0 ? null : `Thing ${"xyz"[i % 3]}`,
    size: (i * 31) % 13,
    ownerId: isOwned(i) ? ((i * 17) % 35) + 1 : null, // five owners have nothing
    makerId: i % 2 === 0 ? ((i * 5) % 40) + 1 : null,
  }));
}

const through = (field: string, name: string): Through => ({
  ...{ field, column: field, collection: "owners", keyColumn: "id" },
  of: owners.byName.get(name),
});
const byOwner = (name: string, descending = false): SortTerm => ({ name, descending, through: through("ownerId", name) });
const own = (name: string, descending = false): SortTerm => ({ name, descending });

const ORDERS: Record<string, SortTerm[]> = {
  "by the owner's name": [byOwner("name"), own("ownerId"), own("id")],
  "by the owner's name, descending": [byOwner("name", true), own("ownerId", true), own("id", true)],
  "by the owner's name, then by a field": [byOwner("name"), own("ownerId"), own("size", true), own("id", true)],
  "by a field, then by the owner's name": [own("size"), byOwner("name", true), own("ownerId", true), own("id")],
  "by the owner's number, which may be missing": [byOwner("size"), own("ownerId"), own("id")],
  "by two values of the owner": [byOwner("name"), byOwner("size", true), own("ownerId"), own("id")],
  "by two parents": [
    byOwner("name"),
    own("ownerId"),
    { name: "name", descending: true, through: through("makerId", "name") },
    own("makerId", true),
    own("id"),
  ],
};

/** Null is before every value; a sort key of text never is. */
function sortedBy(record: WireRecord, { name, through: parent }: SortTerm): Value | null {
  const from = parent ? ownerOf(record[parent.field]) : record;
  if (!from) return null;
  const value = (from as Record<string, Value | null>)[name] ?? null;
  return name === "name" ? sortKey(value) : value;
}

function compare(a: WireRecord, b: WireRecord, sort: readonly SortTerm[]): number {
  for (const term of sort) {
    const [x, y] = [sortedBy(a, term), sortedBy(b, term)];
    if (x === y) continue;
    const isBefore =
      x === null || (y !== null && (typeof x === "string" ? Buffer.compare(Buffer.from(x), Buffer.from(String(y))) < 0 : x < y));
    return isBefore !== term.descending ? -1 : 1;
  }
  return 0;
}

const SELECTIONS: Record<string, [Selection, (thing: WireRecord) => boolean]> = {
  all: [{ words: [] }, () => true],
  "a filter": [{ words: [], filters: [{ name: "size", operator: "gte", values: [6] }] }, ({ size }) => Number(size) >= 6],
  "a search": [{ words: ["x"] }, ({ name }) => String(name).endsWith("x")],
  "a filter on the parent": [
    { words: [], filters: [{ name: "size", operator: "eq", values: [2], through: through("ownerId", "size") }] },
    ({ ownerId }) => ownerOf(ownerId)?.size === 2,
  ],
};

describe.each([
  ["few records", 300, 7],
  ["so many records that they are not sorted", 22_000, 1_500],
])("%s", (_, count, limit) => {
  let database: TestDatabase;
  let store: Store;
  let all: WireRecord[];
  beforeAll(async () => {
    database = await createTestDatabase();
    store = await database.open(read.collections);
    const fill = async (collection: Collection, records: readonly { id: number }[]) => {
      for (let i = 0; i < records.length; i += 1_000) {
        const ops = records.slice(i, i + 1_000).map((given) => ({ verb: "put", id: given.id, given: { ...given } }) as const);
        await writeEach(store, collection, ops, { atomic: true });
      }
    };
    await fill(owners, OWNERS);
    await fill(things, thingsOf(count));
    all = thingsOf(count) as unknown as WireRecord[];
  }, 120_000);
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  async function readPages(sort: readonly SortTerm[], selection: Selection): Promise<number[]> {
    const ids: number[] = [];
    for (let after: (Value | null)[] | undefined; ; ) {
      const { records, more } = await store.list(things, { limit, sort, ...selection, ...(after && { after }) });
      ids.push(...records.map(({ id }) => Number(id)));
      const last = records.at(-1);
      if (!more || !last) return ids;
      after = sort.map((term) => sortedBy(last, term));
    }
  }

  for (const [order, sort] of Object.entries(ORDERS)) {
    test.each(Object.entries(SELECTIONS))(`${order}: %s`, async (_, [selection, isWanted]) => {
      const wanted = all.filter(isWanted).sort((a, b) => compare(a, b, sort));
      expect(await readPages(sort, selection)).toEqual(wanted.map(({ id }) => id));
    });
  }

  test("an offset leaves out the first ones", async () => {
    const sort = ORDERS["by the owner's name"] as SortTerm[];
    const wanted = [...all].sort((a, b) => compare(a, b, sort)).slice(25, 30);
    const { records, more } = await store.list(things, { limit: 5, offset: 25, sort, words: [] });
    expect([records.map(({ id }) => id), more]).toEqual([wanted.map(({ id }) => id), true]);
  });
});

test("a filter on the parent leaves the order of the list, however the database joins", async () => {
  const COUNT = 4_000;
  const database = await createTestDatabase();
  const people = readDataPackage({
    resources: [
      {
        name: "people",
        singular: "person",
        schema: {
          fields: [integer("id"), integer("size"), integer("bossId")],
          primaryKey: "id",
          foreignKeys: [{ fields: "bossId", reference: { resource: "people", fields: "id" }, as: "boss" }],
        },
      },
    ],
  });
  if ("mistakes" in people) throw new Error(JSON.stringify(people.mistakes));
  const collection = people.collections[0] as Collection;
  const bossOf = (id: number) => ((id * 7_919) % COUNT) + 1;
  try {
    const filling = await database.open(people.collections);
    for (let id = 1; id <= COUNT; id += 1_000) {
      const ops = Array.from(
        { length: 1_000 },
        (_, i) => ({ verb: "put", id: id + i, given: { id: id + i, size: (id + i) % 2 } }) as const,
      );
      await writeEach(filling, collection, ops, { atomic: true });
    }
    for (let id = 1; id <= COUNT; id += 1_000) {
      const ops = Array.from({ length: 1_000 }, (_, i) => ({ verb: "patch", id: id + i, given: { bossId: bossOf(id + i) } }) as const);
      await writeEach(filling, collection, ops, { atomic: true });
    }
    await filling.close();
    // With what PostgreSQL then knows of the tables it puts the records read in order into a hash, and asks the parents for theirs.
    if (database.url) await database.run(["ANALYZE"]);
    const store = await database.open(people.collections);
    const parent: Through = { field: "bossId", column: "bossId", collection: "people", keyColumn: "id", of: collection.byName.get("size") };
    const filters = [{ name: "size", operator: "eq", values: [1], through: parent } as const];
    for (const descending of [false, true]) {
      const { records } = await store.list(collection, { limit: 50, sort: [own("id", descending)], words: [], filters });
      const ids = Array.from({ length: COUNT }, (_, i) => i + 1).filter((id) => bossOf(id) % 2 === 1);
      expect(records.map(({ id }) => id)).toEqual((descending ? ids.reverse() : ids).slice(0, 50));
    }
    await store.close();
  } finally {
    await database.drop();
  }
});
