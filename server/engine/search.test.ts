// Search among so many records that both ways of searching occur: scanning the order and gathering hits.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { WireRecord } from "../../core/contract/records.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import { sortValue } from "./columns.ts";
import type { Filter, SortTerm, Store } from "./store.ts";

const SIZE = 30_000;
const BATCH = 5_000;
const read = readDataPackage({
  resources: [
    {
      name: "people",
      singular: "person",
      schema: {
        fields: [
          { name: "id", type: "integer" },
          { name: "name", type: "string" },
          { name: "note", type: "string" },
          { name: "late", type: "boolean" },
          { name: "half", type: "boolean" },
        ],
        primaryKey: "id",
      },
    },
  ],
});
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await database.open([collection]);
  for (let from = 0; from < SIZE; from += BATCH) await add(from, from + BATCH);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

// Ids and names are in different orders. "Älska" is in every record, "östlund" in the last 23,000 names, "sixth" in every sixth record.
// "小三" is one word, but two in every fifth record. "far" comes after the part of a text that its sort key has.
function nameOf(id: number): number {
  return (id * 7_919) % SIZE;
}
function wordsOf(id: number): string[] {
  return [
    "älska",
    ...(nameOf(id) >= 7_000 ? ["östlund"] : []),
    ...(id % 6 === 0 ? ["sixth"] : []),
    ...(id % 5 === 0 ? ["小", "三"] : ["小三"]),
  ];
}
/** All but the first tenth: a cursor there lies in a segment that no scan reads to its end. */
function isLate(id: number): boolean {
  return id > SIZE / 10;
}
const LONG = "y".repeat(130);
function noteOf(id: number): string {
  return [...wordsOf(id), ...(id % 3 === 0 ? [LONG, "far"] : [])].join("-");
}

async function add(from: number, to: number): Promise<void> {
  const records = Array.from({ length: to - from }, (_, i) => {
    const id = from + i + 1;
    return { id, name: `N${String(nameOf(id)).padStart(6, "0")}`, note: noteOf(id), late: isLate(id), half: id % 2 === 0 };
  });
  const ops = records.map((given) => ({ verb: "post", id: given.id, given, onConflict: "error", onMissing: "create" }) as const);
  await writeEach(store, collection, ops, { atomic: true });
}

async function everyPage(
  words: readonly string[],
  sort: readonly SortTerm[],
  limit: number,
  filters: readonly Filter[] = [],
): Promise<number[]> {
  const ids: number[] = [];
  let after: ReturnType<typeof sortValue>[] | undefined;
  for (;;) {
    const { records, more } = await store.list(collection, { limit, sort, words, filters, ...(after && { after }) });
    ids.push(...records.map(({ id }) => id as number));
    const last = records.at(-1) as WireRecord;
    if (!more) return ids;
    after = sort.map(({ name }) => sortValue(collection, last, name));
  }
}

test.each([
  [["al"], "name", false],
  [["al"], "name", true],
  [["ostlund"], "name", false],
  [["ostlund", "a"], "name", true],
  [["ostlund", "six"], "name", false],
  [["三"], "name", false],
  [["far"], "name", true],
  [["lund"], "name", false],
  [["sixth"], "late", false],
  [["ostlund"], "late", true],
])("the pages of the search %j by %s (descending: %s) add up to all records with the words", async (words, by, descending) => {
  const sort = [by, "id"].map((name) => ({ name, descending }));
  const has = (id: number) =>
    words.every((word) =>
      noteOf(id)
        .split("-")
        .some((own) => own.normalize("NFD").replace(/\p{M}/gu, "").startsWith(word)),
    );
  const first = (id: number) => (by === "name" ? nameOf(id) : Number(isLate(id)));
  const expected = Array.from({ length: SIZE }, (_, i) => i + 1)
    .filter(has)
    .sort((a, b) => (first(a) - first(b) || a - b) * (descending ? -1 : 1));
  expect(await everyPage(words, sort, 399)).toEqual(expected);
  expect(await store.count(collection, { words })).toBe(expected.length);
});

// Met by every second record, by all but few, by few, by none, and by half of all, none of which stands near the order's begin.
const FILTERS: Record<string, [filters: Filter[], isMet: (id: number) => boolean]> = {
  half: [[{ name: "half", operator: "eq", values: [true] }], (id) => id % 2 === 0],
  most: [[{ name: "id", operator: "gte", values: [500] }], (id) => id >= 500],
  few: [[{ name: "id", operator: "lte", values: [30] }], (id) => id <= 30],
  none: [[{ name: "name", operator: "prefix", values: ["zzz"] }], () => false],
  far: [[{ name: "name", operator: "gte", values: ["n015000"] }], (id) => nameOf(id) >= 15_000],
  "few of half": [
    [
      { name: "half", operator: "eq", values: [true] },
      { name: "name", operator: "prefix", values: ["n0001"] },
    ],
    (id) => id % 2 === 0 && nameOf(id) >= 100 && nameOf(id) < 200,
  ],
};

test.each(Object.keys(FILTERS).flatMap((name) => [[], ["six"], ["ostlund"]].map((words) => [name, words] as const)))(
  "the pages with the filter %s and the words %j add up, in any order, to all records that meet both",
  async (name, words) => {
    const [filters, isMet] = FILTERS[name] as [Filter[], (id: number) => boolean];
    const plain = (id: number) => wordsOf(id).map((own) => own.normalize("NFD").replace(/\p{M}/gu, ""));
    const met = Array.from({ length: SIZE }, (_, i) => i + 1).filter(
      (id) => isMet(id) && words.every((word) => plain(id).some((own) => own.startsWith(word))),
    );
    const byId = [{ name: "id", descending: true }];
    const byName = ["name", "id"].map((one) => ({ name: one, descending: false }));
    const byHalf = ["half", "id"].map((one) => ({ name: one, descending: true }));
    expect(await store.count(collection, { words, filters })).toBe(met.length);
    expect(await everyPage(words, byId, 999, filters)).toEqual(met.toReversed());
    expect(await everyPage(words, byName, 999, filters)).toEqual(met.toSorted((a, b) => nameOf(a) - nameOf(b)));
    expect(await everyPage(words, byHalf, 999, filters)).toEqual(
      met.toSorted((a, b) => (b % 2 === 0 ? 1 : 0) - (a % 2 === 0 ? 1 : 0) || b - a),
    );
  },
);

test.each([
  [["ostlumd"], ["östlund"]],
  [["sixht"], ["sixth"]],
  [["alska", "sixht"], ["alska sixth"]],
  [["sixht", "n017514"], ["sixth n017514"]],
  [["alskaostlund", "sixth"], ["älska östlund sixth"]],
  [["sixth", "nowhere"], []],
])("what is near %j is found among words of every frequency", async (words, expected) => {
  expect(await store.near(collection, { words, isFound: false })).toEqual(expected);
});

test("a record with more words than PostgreSQL takes is stored whole, and found by the first of them", async () => {
  const note = Array.from({ length: 160_000 }, (_, i) => `w${i}`).join(" ");
  const longer = `${note} ${note.replaceAll("w", "verylong")}`;
  await writeEach(store, collection, [{ verb: "put", id: SIZE + 1, given: { id: SIZE + 1, name: "Long", note: longer } }]);
  expect((await store.read(collection, SIZE + 1))?.note).toBe(longer);
  const { records } = await store.list(collection, { sort: [{ name: "id", descending: false }], words: ["w77777"], limit: 2 });
  expect(records.map(({ id }) => id)).toEqual([SIZE + 1]);
});
