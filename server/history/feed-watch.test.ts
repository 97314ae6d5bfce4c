import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import type { Store } from "../engine/store.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import { createFeedWatch } from "./feed-watch.ts";
import type { Feed } from "./store/feed.ts";

const schema = { fields: [{ name: "id", type: "integer" }], primaryKey: "id" };
const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema }] });
if ("mistakes" in read) throw new Error("package");
const [things] = read.collections as [Collection];

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await database.open(read.collections);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** The store's feed, and how often a page of it was read. */
function countReads(): { feed: Feed; reads: () => number } {
  let reads = 0;
  const feed: Feed = {
    ...store.feed,
    read(...given) {
      reads++;
      return store.feed.read(...given);
    },
  };
  return { feed, reads: () => reads };
}

test("who waits at the same place shares one read; another place, filter or state is read for itself", async () => {
  const { feed, reads } = countReads();
  const watch = createFeedWatch(feed, () => false);
  const begin = await store.feed.now();
  await writeEach(store, things, [{ verb: "put", id: 1, given: { id: 1 } }]);
  const state = await watch.state();
  const filter = { collections: ["things"] };
  const pages = await Promise.all(Array.from({ length: 100 }, () => watch.read(state, begin, { ...filter }, 10)));
  expect(reads()).toBe(1);
  expect(new Set(pages.map(({ entries }) => entries.map(({ id }) => id).join())).size).toBe(1);
  await Promise.all([
    watch.read(state, begin, filter, 10),
    watch.read(state, begin, filter, 5),
    watch.read(state, begin, { ...filter, run: "7" }, 10),
    watch.read("another", begin, filter, 10), // what came since the first began is not in its page
  ]);
  expect(reads()).toBe(5);
  await watch.read(state, begin, filter, 10);
  expect(reads()).toBe(6); // nothing is kept when the read has ended
});

test("a read that fails fails for all who share it, and the next one is made anew", async () => {
  const { feed, reads } = countReads();
  const watch = createFeedWatch(feed, () => false);
  const ask = () => watch.read("state", "no cursor of this store", { collections: ["things"] }, 10);
  const results = await Promise.allSettled([ask(), ask()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(reads()).toBe(1);
  await expect(ask()).rejects.toThrow();
  expect(reads()).toBe(2);
});
