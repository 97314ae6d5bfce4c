// Tests what the stores keep of every change, and in which order the feed gives it.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import type { StoredEntry } from "../history/store/reads.ts";
import { createTestDatabase, outcomesOf, SOMEBODY, type TestDatabase, writeEach } from "../testing/store.ts";
import type { Batch, Store, WriteOp } from "./store.ts";

const fields = [
  { name: "id", type: "integer" },
  { name: "name", type: "string" },
  { name: "rank", type: "integer" },
];
const read = readDataPackage({
  resources: ["things", "others"].map((name) => ({ name, singular: name.slice(0, -1), schema: { fields, primaryKey: "id" } })),
});
if ("mistakes" in read) throw new Error("package");
const [things, others] = read.collections as [Collection, Collection];

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

let last = 0;
const newId = () => ++last;
const put = (id: number, name: string | null, rank: number | null = null): WriteOp => ({ verb: "put", id, given: { id, name, rank } });
const remove = (id: number): WriteOp => ({ verb: "delete", id });
const write = async (ops: WriteOp[], extra: Partial<Batch> = {}, collection = things) =>
  outcomesOf(await writeEach(store, collection, ops, extra));
const entriesOf = (id: number, before = Number.MAX_SAFE_INTEGER, limit = 100) => store.history.listEntries("things", id, before, limit);
const shortOf = ({ version, operation, changes }: StoredEntry) => [version, operation, changes];

/**
 * The first `count` changes of these records after a cursor. On PostgreSQL other transactions on the server hold the feed up, and
 * changes from just before "now" may come after it.
 */
async function follow(after: string | undefined, ids: readonly number[], count: number, limit = 1_000) {
  const entries: (StoredEntry & { cursor: string })[] = [];
  let cursor = after;
  for (let tries = 0; tries < 3_000; tries++) {
    const page = await store.feed.read(cursor, { collections: ["things", "others"] }, limit);
    entries.push(...page.entries.filter(({ id }) => ids.includes(id)));
    cursor = page.next;
    if (entries.length >= count) return entries;
    if (!page.more) await new Promise((resolve) => setTimeout(resolve, 10)); // on PostgreSQL other transactions may hold it up
  }
  throw new Error(`the feed stood still after ${entries.length} changes`);
}

test("each change of a record is kept, with old and new values", async () => {
  const id = newId();
  await write([put(id, "Anna")], { source: { type: "form", run: null } });
  await write([put(id, "Anna", 3)], { source: { type: "upload", run: "u1" } });
  await write([put(id, "Anna", 3)]); // nothing changes
  await write([remove(id)]);
  await write([put(id, "Berta")]);
  const entries = await entriesOf(id);
  expect(entries.map(shortOf)).toEqual([
    [4, "created", null],
    [3, "deleted", { name: ["Anna", null], rank: [3, null] }],
    [2, "updated", { rank: [null, 3] }],
    [1, "created", null],
  ]);
  expect(entries.map(({ source }) => source)).toEqual([
    { type: "api", run: null },
    { type: "api", run: null },
    { type: "upload", run: "u1" },
    { type: "form", run: null },
  ]);
  expect(entries[0]?.by).toEqual(SOMEBODY);
  expect(Date.parse(entries[0]?.at ?? "")).toBeGreaterThan(Date.now() - 600_000);
});

test("a history is read in pages, newest first", async () => {
  const id = newId();
  for (let rank = 1; rank <= 5; rank++) await write([put(id, "A", rank)]);
  const first = await entriesOf(id, undefined, 2);
  expect(first.map(({ version }) => version)).toEqual([5, 4]);
  expect((await entriesOf(id, 4, 10)).map(({ version }) => version)).toEqual([3, 2, 1]);
});

test("what was not written has no history", async () => {
  const [id, other] = [newId(), newId()];
  await write([put(id, "A"), remove(other)], { dryRun: true });
  await writeEach(store, things, [put(id, "A")]);
  const failing = { verb: "patch", id: other, given: { name: "B" } } as const;
  expect(await write([put(id, "B"), failing])).toEqual(["updated", "NOT_FOUND"]);
  expect((await entriesOf(id)).map(({ version }) => version)).toEqual([2, 1]);
  expect(await entriesOf(other)).toEqual([]);
});

test("deleted records are listed by their deletion, the latest first, and not once they are back", async () => {
  const ids = [newId(), newId(), newId(), newId()];
  for (const id of ids) await write([put(id, `D${id}`)], {}, others);
  for (const id of ids) await write([remove(id)], {}, others);
  await write([put(ids[1] as number, "again")], {}, others);
  const list = async (after: Parameters<Store["history"]["listDeletions"]>[1], limit: number) =>
    (await store.history.listDeletions("others", after, limit)).entries;
  const all = await list(null, 10);
  expect(all.map(({ id }) => id).sort()).toEqual([ids[0], ids[2], ids[3]]);
  const first = all[0] as StoredEntry;
  const rest = await list({ deletedAt: Date.parse(first.at), id: first.id }, 10);
  expect(rest).toEqual(all.slice(1));
  expect(first.changes?.name?.[0]).toMatch(/^D/);
});

test("the feed gives every change once, from any cursor, in pages of any size", async () => {
  const start = await store.feed.now();
  const ids = [newId(), newId(), newId()];
  await write(ids.map((id) => put(id, "A")));
  await write([put(ids[0] as number, "B"), remove(ids[1] as number)]);
  await write([put(ids[2] as number, "C")], {}, others);
  const entries = await follow(start, ids, 6);
  const shown = entries.map(({ collection, id, version, operation }) => [collection, id, version, operation]);
  expect(shown.slice(0, 3).sort()).toEqual(ids.map((id) => ["things", id, 1, "created"]).sort());
  expect(shown.slice(3)).toEqual([
    ["things", ids[0], 2, "updated"],
    ["things", ids[1], 2, "deleted"],
    ["others", ids[2], 1, "created"],
  ]);
  const bySteps = await follow(start, ids, 6, 1);
  expect(bySteps.map(({ write, id }) => `${write} ${id}`)).toEqual(entries.map(({ write, id }) => `${write} ${id}`));
  for (const [i, { cursor }] of bySteps.entries()) {
    const rest = await follow(cursor, ids, 5 - i);
    expect(rest.map(({ write, id }) => `${write} ${id}`)).toEqual(entries.slice(i + 1).map(({ write, id }) => `${write} ${id}`));
  }
});

test("the feed's filters find what they name, and go on past what they do not", async () => {
  const start = await store.feed.now();
  const [one, two] = [newId(), newId()];
  await write([put(one, "A")], { source: { type: "upload", run: "run-7" } });
  await write([put(two, "A")], { by: { type: "key", id: "somebody-else", name: "x" } });
  await write([put(two, "B")], {}, others);
  await follow(start, [one, two], 3);
  const find = async (filter: object) => {
    const found: StoredEntry[] = [];
    for (let cursor = start, more = true; more; ) {
      const page = await store.feed.read(cursor, { collections: ["things", "others"], ...filter }, 10);
      found.push(...page.entries.filter(({ id }) => [one, two].includes(id)));
      [cursor, more] = [page.next, page.more];
    }
    return found.map(({ collection, id }) => [collection, id]);
  };
  expect(await find({ run: "run-7" })).toEqual([["things", one]]);
  expect(await find({ source: "upload" })).toEqual([["things", one]]);
  expect(await find({ by: "somebody-else" })).toEqual([["things", two]]);
  expect(await find({ collections: ["others"] })).toEqual([["others", two]]);
  expect(await find({ collections: [] })).toEqual([]);
});

test("a cursor of something else is refused", async () => {
  for (const cursor of ["", "s.", "p.1.2.3", "s.1", "s.1.2;", "x"]) {
    await expect(store.feed.read(cursor, { collections: ["things"] }, 1)).rejects.toThrow();
  }
});
