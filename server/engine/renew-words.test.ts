// Records are found by the labels of closed lists and the digits of phone numbers, also those that were stored before.

import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { foldWords } from "../../core/text/fold.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import { beginRecheck, OLD_PROCESSES_END, recheckAt } from "./renew-words.ts";
import type { Store } from "./store.ts";

const BERLIN = { value: "BER", label: "Berlin" };
const MUNICH = { value: "MUC", label: "Munich", translations: { de: { label: "München" }, fr: { label: "Munich en Bavière" } } };
const STATES = [
  { value: 1, label: "Open" },
  { value: 2, label: "Closed for good" },
];

function placesWith(city: object, state: object = {}): Collection {
  const fields = [
    { name: "id", type: "integer" },
    { name: "name", type: "string" },
    { name: "city", type: "string", ...city },
    { name: "state", type: "integer", ...state },
  ];
  const read = readDataPackage({ resources: [{ name: "places", singular: "place", schema: { fields, primaryKey: "id" } }] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections[0] as Collection;
}

const bare = placesWith({});
const labelled = placesWith({ categories: [BERLIN, MUNICH] }, { categories: STATES });

let database: TestDatabase;
let open: Store[];
beforeEach(async () => {
  database = await createTestDatabase();
  open = [];
});
afterEach(async () => {
  for (const store of open) await store.close();
  await database.drop();
});

async function start(collection: Collection): Promise<Store> {
  const store = await database.open([collection]);
  open.push(store);
  return store;
}

async function stop(store: Store): Promise<void> {
  open = open.filter((one) => one !== store);
  await store.close();
}

async function put(store: Store, collection: Collection, records: readonly object[]): Promise<void> {
  const ops = records.map((given, i) => {
    const id = Number((given as { id?: number }).id ?? i + 1);
    return { verb: "put", id, given: { name: null, city: null, state: null, ...given, id } } as const;
  });
  await writeEach(store, collection, ops, { atomic: true });
}

async function found(store: Store, collection: Collection, q: string, sort = ["id"]): Promise<number[]> {
  const page = { limit: 1000, sort: sort.map((name) => ({ name, descending: false })), words: foldWords(q) };
  const ids = (await store.list(collection, page)).records.map(({ id }) => Number(id)).sort((a, b) => a - b);
  expect(await store.count(collection, { words: page.words })).toBe(ids.length);
  return ids;
}

test("a record is found by the label of its value, in every language, and by its beginning", async () => {
  const store = await start(labelled);
  await put(store, labelled, [
    { name: "Zoo", city: "BER", state: 1 },
    { name: "Zoo", city: "MUC", state: 2 },
    { name: "Berlin Hotel", city: "MUC" },
    { name: "none" },
  ]);
  for (const sort of [["id"], ["name", "id"], ["city", "id"]]) {
    expect(await found(store, labelled, "berlin", sort)).toEqual([1, 3]);
    expect(await found(store, labelled, "Münch", sort)).toEqual([2, 3]);
    expect(await found(store, labelled, "muc", sort)).toEqual([2, 3]);
    expect(await found(store, labelled, "baviere zoo", sort)).toEqual([2]);
    expect(await found(store, labelled, "closed", sort)).toEqual([2]); // of a list of numbers
    expect(await found(store, labelled, "zoo open", sort)).toEqual([1]);
    expect(await found(store, labelled, "2", sort)).toEqual([]);
  }
  await put(store, labelled, [{ id: 1, name: "Zoo", city: "MUC", state: 2 }]);
  expect(await found(store, labelled, "berlin")).toEqual([3]);
  expect(await found(store, labelled, "closed")).toEqual([1, 2]);
  expect(await store.near(labelled, { words: ["Berlim"], isFound: false })).toEqual(["Berlin"]);
  expect(await store.near(labelled, { words: ["Mumchen"], isFound: false })).toEqual(["München"]);
});

test("records are found by labels that the dictionary got later, and no more by those that it has lost", async () => {
  let store = await start(bare);
  const records = Array.from({ length: 450 }, (_, i) => ({ name: `N${i}`, city: i % 2 ? "BER" : "MUC", state: 1 + (i % 3) }));
  await put(store, bare, records);
  expect(await found(store, bare, "berlin")).toEqual([]);
  await stop(store);

  store = await start(labelled);
  await expect.poll(() => store.count(labelled, { words: ["berlin"] }), { timeout: 30_000 }).toBe(225);
  await expect.poll(() => store.count(labelled, { words: ["closed"] }), { timeout: 30_000 }).toBe(150);
  expect(await found(store, labelled, "munchen n8")).toEqual(
    records.flatMap(({ name, city }, i) => (city === "MUC" && name.startsWith("N8") ? [i + 1] : [])),
  );
  expect((await store.read(labelled, 7))?.version).toBe(1);
  await stop(store);

  const renamed = placesWith({ categories: [{ ...BERLIN, label: "Spree" }, MUNICH] });
  store = await start(renamed);
  await expect.poll(() => store.count(renamed, { words: ["spree"] }), { timeout: 30_000 }).toBe(225);
  await expect.poll(() => store.count(renamed, { words: ["berlin"] }), { timeout: 30_000 }).toBe(0);
  await expect.poll(() => store.count(renamed, { words: ["closed"] }), { timeout: 30_000 }).toBe(0);
});

test("a renewal that was ended in its middle goes on at the next start, and keeps what was written meanwhile", async () => {
  let store = await start(bare);
  await put(
    store,
    bare,
    Array.from({ length: 1_000 }, (_, i) => ({ name: `N${i}`, city: "BER" })),
  );
  await stop(store);
  for (let round = 0; round < 3; round++) {
    store = await start(labelled);
    await put(store, labelled, [
      { id: 1 + round, name: "early", city: "MUC" },
      { id: 1_000 - round, name: "late", city: "MUC" },
    ]);
    await stop(store); // after one step or two
  }
  store = await start(labelled);
  await expect.poll(() => store.count(labelled, { words: ["berlin"] }), { timeout: 30_000 }).toBe(994);
  expect(await found(store, labelled, "munchen")).toEqual([1, 2, 3, 998, 999, 1_000]);
});

test.runIf(inject("postgres"))("several processes renew the words together, while one of them writes", async () => {
  const first = await start(bare);
  await put(
    first,
    bare,
    Array.from({ length: 1_000 }, (_, i) => ({ name: `N${i}`, city: "BER" })),
  );
  await stop(first);
  const [one, other] = await Promise.all([start(labelled), start(labelled)]);
  for (let from = 1; from < 1_000; from += 100) {
    await put(
      one,
      labelled,
      Array.from({ length: 50 }, (_, i) => ({ id: from + i, name: "moved", city: "MUC" })),
    );
  }
  await expect.poll(() => other.count(labelled, { words: ["berlin"] }), { timeout: 30_000 }).toBe(500);
  expect(await other.count(labelled, { words: ["munich"] })).toBe(500);
  expect(await other.count(labelled, { words: ["munich", "moved"] })).toBe(500);
});

test.runIf(inject("postgres"))(
  "what a process with the dictionary before writes beside a new one is found after the next start",
  async () => {
    const old = await start(bare);
    await put(old, bare, [{ name: "before", city: "BER" }]);
    const renewed = await start(labelled);
    await expect.poll(() => renewed.count(labelled, { words: ["berlin"] }), { timeout: 30_000 }).toBe(1);
    await put(
      old,
      bare,
      Array.from({ length: 450 }, (_, i) => ({ id: i + 2, name: "beside", city: "BER" })),
    );
    await stop(old);
    expect(await renewed.count(labelled, { words: ["berlin"] })).toBe(1);
    const next = await start(labelled);
    await expect.poll(() => next.count(labelled, { words: ["berlin"] }), { timeout: 30_000 }).toBe(451);
  },
);

test("starts look again for a week", () => {
  const [begun, day] = [1_000_000_000, 24 * 3_600_000];
  const noted = beginRecheck(OLD_PROCESSES_END, begun);
  const second = recheckAt(noted, begun + 2 * day);
  expect(second?.from).toBeLessThan(begun);
  const third = recheckAt(second?.next ?? noted, begun + 30 * day);
  expect(third?.from).toBeLessThan(begun + 2 * day);
  expect(recheckAt(third?.next ?? noted, begun + 31 * day)).toBeUndefined();
  expect(recheckAt(beginRecheck(0, begun), begun + 1)).toBeUndefined(); // nobody else has the store open
});

test("a phone number is found as it is dialled, however it was written, also one that was stored before its field had the format", async () => {
  const [plain, phone] = [placesWith({}), placesWith({ format: "phone" })];
  const numbers = ["+91 98200 12345", "98200 12345", "+91-98200-12345", "(022) 4000 1234", "+44 (0)20 7123 4567"];
  const before = await start(plain);
  await put(
    before,
    plain,
    numbers.map((city) => ({ city })),
  );
  expect(await found(before, plain, "9820012345")).toEqual([]);
  await stop(before);
  const store = await start(phone);
  await expect.poll(() => found(store, phone, "9820012345"), { timeout: 50_000 }).toEqual([1, 2, 3]);
  await put(store, phone, [{ id: 6, city: "0091 98200/12345" }]);
  expect(await found(store, phone, "9820012")).toEqual([1, 2, 3, 6]);
  expect(await found(store, phone, "+919820012345")).toEqual([1, 3, 6]);
  expect(await found(store, phone, "98200 12345", ["name", "id"])).toEqual([1, 2, 3, 6]);
  expect(await found(store, phone, "9820012345", ["name", "id"])).toEqual([1, 2, 3, 6]);
  await expect.poll(() => found(store, phone, "40001234"), { timeout: 50_000 }).toEqual([4]);
  for (const dialled of ["442071234567", "02071234567", "2071234567", "71234567"])
    await expect.poll(() => found(store, phone, dialled), { timeout: 50_000 }).toEqual([5]);
  expect(await found(store, phone, "820012345")).toEqual([]);
});
