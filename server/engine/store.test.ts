// The store: changes of the dictionary, assigned ids, dry runs, rollbacks and the first key.

import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { ADMIN_KEY_ROW, createTestDatabase, outcomesOf, SOMEBODY, type TestDatabase, writeEach } from "../testing/store.ts";
import { type Batch, type Store, StoreOutdated, StoreTooCostly, type WriteOp } from "./store.ts";

let database: TestDatabase;
let open: Store[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const store of open) await store.close();
  open = [];
  await database.drop();
});

interface FieldSpec {
  type: string;
  constraints?: Record<string, unknown>;
}
const KEY = { name: "id", type: "integer" };
/** A package with one collection "things" of these fields. */
function things(fields: Record<string, FieldSpec>, name = "things"): Collection[] {
  const specs = Object.entries(fields).map(([name, spec]) => ({ name, ...spec }));
  const read = readDataPackage({ resources: [{ name, singular: "thing", schema: { fields: [KEY, ...specs], primaryKey: "id" } }] });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections;
}

async function openStore(collections: Collection[]): Promise<{ store: Store; collection: Collection }> {
  const store = await database.open(collections);
  open.push(store);
  return { store, collection: collections[0] as Collection };
}

function write(store: Store, collection: Collection, records: Record<string, unknown>[], extra: Partial<Batch> = {}) {
  const ops = records.map(
    (record) => ({ verb: "post", id: record.id ?? null, given: record, onConflict: "update", onMissing: "create" }) as WriteOp,
  );
  return writeEach(store, collection, ops, extra);
}

/** Stores one record under the first dictionary, then opens it with the second. */
async function change(before: Record<string, FieldSpec>, record: Record<string, unknown>, after: Record<string, FieldSpec>, name?: string) {
  const { store, collection } = await openStore(things(before));
  await write(store, collection, [{ id: 1, ...record }]);
  await store.close();
  return openStore(things(after, name));
}

const TEXT = { a: { type: "string" } };

test("whoever still has the dictionary before does not store a value of the former kind", async () => {
  const { store, collection } = await openStore(things({ ...TEXT, since: { type: "string" } }));
  await write(store, collection, [{ id: 1, a: "x" }]);
  const next = { base: 0, text: "{}", by: null, comment: "" };
  const taken = await store.takeDictionary(things({ ...TEXT, since: { type: "date" } }), next);
  await expect(write(store, collection, [{ id: 2, since: "hello" }])).rejects.toThrow(StoreOutdated);
  await expect(write(store, collection, [{ id: 1, since: "hello" }])).rejects.toThrow(StoreOutdated);
  const later = await taken.store.takeDictionary(things({ ...TEXT, since: { type: "date" }, more: { type: "string" } }), {
    ...next,
    base: 1,
  });
  const [withDate] = things({ ...TEXT, since: { type: "date" } }) as [Collection];
  // A new field is no reason: what is not known is left alone.
  expect(outcomesOf(await write(taken.store, withDate, [{ id: 1, since: "2026-01-31" }]))).toEqual(["updated"]);
  expect(await later.store.read(withDate, 1)).toMatchObject({ since: "2026-01-31" });
});

test("what is unique from now on is refused while values are there twice, also where nobody has counted them", async () => {
  const { store, collection } = await openStore(things(TEXT));
  await write(store, collection, [
    { id: 1, a: "x" },
    { id: 2, a: "x" },
  ]);
  const unique = things({ a: { type: "string", constraints: { unique: true } } });
  const next = { base: 0, text: "{}", by: null, comment: "" };
  await expect(store.takeDictionary(unique, next)).rejects.toThrow("things.a: 2 records share their values with others");
  store.impactOf = () => Promise.reject(new StoreTooCostly("long"));
  await expect(store.takeDictionary(unique, next)).rejects.toThrow(/things\.a: .*records share their values/);
  await write(store, collection, [{ id: 2, a: "y" }]);
  const taken = await store.takeDictionary(unique, next);
  expect(outcomesOf(await write(taken.store, unique[0] as Collection, [{ id: 3, a: "y" }]))).toEqual(["VALIDATION"]);
});

test("a new field has no values, and can be sorted and searched", async () => {
  const { store, collection } = await change(TEXT, { a: "old" }, { ...TEXT, b: { type: "string" }, c: { type: "number" } });
  expect(await store.read(collection, 1)).toMatchObject({ a: "old", b: null, c: null });
  await write(store, collection, [
    { id: 1, b: "Neu" },
    { id: 2, a: "x", c: 1 },
  ]);
  const page = {
    limit: 10,
    sort: [
      { name: "b", descending: true },
      { name: "id", descending: true },
    ],
    words: [],
  };
  expect((await store.list(collection, page)).records.map((r) => r.id)).toEqual([1, 2]);
  expect((await store.list(collection, { ...page, words: ["ne"] })).records.map((r) => r.id)).toEqual([1]);
});

test("a field without data can be removed or change its kind; a required one can be added to an empty collection", async () => {
  const { store, collection } = await change(
    { ...TEXT, b: { type: "string" }, c: { type: "string" } },
    { a: "x" },
    { ...TEXT, c: { type: "date" } },
  );
  expect(await store.read(collection, 1)).toMatchObject({ a: "x", c: null });
});

test.each<[string, Record<string, FieldSpec>, Record<string, FieldSpec>, string]>([
  [
    "a field with data is gone",
    { ...TEXT, b: { type: "string" } },
    TEXT,
    "things.b: 1 record has a value there, but the field is no longer in the dictionary",
  ],
  [
    "a kind with data changed",
    { ...TEXT, b: { type: "string" } },
    { ...TEXT, b: { type: "integer" } },
    "things.b: 1 record has a value of type string, but the field is of type integer now",
  ],
])("the change of the dictionary is rejected: %s", async (_, before, after, sentence) => {
  await expect(change(before, { a: "x", b: "y" }, after)).rejects.toThrow(sentence);
  // Refused means untouched: the old dictionary still opens it.
  const { store, collection } = await openStore(things(before));
  expect(await store.read(collection, 1)).toMatchObject({ a: "x" });
});

test("a collection with records cannot be removed, one without records can", async () => {
  await expect(change(TEXT, { a: "x" }, TEXT, "others")).rejects.toThrow(
    "things: 1 record is stored, but the collection is no longer in the dictionary",
  );
  const { store, collection } = await openStore(things(TEXT));
  await writeEach(store, collection, [{ verb: "delete", id: 1 }]);
  await store.close();
  await openStore(things(TEXT, "others"));
});

test("a field can become unique if no values are shared, and not otherwise", async () => {
  const unique = { a: { type: "string", constraints: { unique: true } } };
  const { store, collection } = await change(TEXT, { a: "x" }, unique);
  const decisions = await write(store, collection, [{ id: 2, a: "x" }]);
  expect(outcomesOf(decisions)).toEqual(["VALIDATION"]);
  await store.close();
  const plain = await openStore(things(TEXT));
  await write(plain.store, plain.collection, [{ id: 2, a: "x" }]);
  await plain.store.close();
  await expect(openStore(things(unique))).rejects.toThrow(
    "things.a: 2 records share their values with others, but the field is unique now (1 and 2)",
  );
});

test("a start counts the records that break narrowed rules once, and says which columns it drops", async () => {
  const closed = (...values: string[]) => ({
    a: { type: "string", constraints: { enum: values } },
    n: { type: "integer" },
    gone: { type: "date" },
  });
  const opened = await openStore(things(closed("new", "gone")));
  await write(opened.store, opened.collection, [
    { id: 1, a: "gone", n: 12 },
    { id: 2, a: "gone", n: 3 },
    { id: 3, a: "new", n: 40 },
  ]);
  await opened.store.close();
  const seen: string[][] = [[], []];
  const narrowed = things({ a: { type: "string", constraints: { enum: ["new"] } }, n: { type: "integer", constraints: { maximum: 10 } } });
  for (let start = 0; start < 2; start += 1) {
    const store = await database.open(narrowed, { onWarning: (text) => seen[start]?.push(text) });
    await store.close();
  }
  expect(seen).toEqual([
    [
      "dictionary: things.gone: no record has a value there, and its column is dropped",
      'dictionary: things.a: 2 records have "gone", which is no value of the field any more; they stay as they are until they are next changed',
      "dictionary: things.n: 2 records have a value that the new rules refuse; they stay as they are until they are next changed",
    ],
    [],
  ]);
});

test("the key cannot become another field", async () => {
  const { store } = await openStore(things({ ...TEXT, n: { type: "integer" } }));
  await store.close();
  const read = readDataPackage({
    resources: [
      {
        name: "things",
        singular: "thing",
        schema: { fields: [KEY, { name: "n", type: "integer" }, { name: "a", type: "string" }], primaryKey: "n" },
      },
    ],
  });
  if ("mistakes" in read) throw new Error("package");
  await expect(openStore(read.collections)).rejects.toThrow('things: the key was "id" and cannot become "n"');
});

test("a record without an id is refused when no id is left", async () => {
  const read = readDataPackage({
    resources: [
      {
        name: "things",
        singular: "thing",
        schema: {
          fields: [
            { ...KEY, constraints: { maximum: 2 } },
            { name: "a", type: "string" },
          ],
          primaryKey: "id",
        },
      },
    ],
  });
  if ("mistakes" in read) throw new Error("package");
  const { store, collection } = await openStore(read.collections);
  const decisions = await write(store, collection, [{ a: "x" }, { a: "y" }, { a: "z" }]);
  expect(decisions.map(({ outcome }) => outcome)).toEqual(["created", "created", "failed"]);
});

test("a record that was read before shows every later write at once", async () => {
  const { store, collection } = await openStore(things(TEXT));
  const read = async () => (await store.read(collection, 1))?.a;
  await write(store, collection, [{ id: 1, a: "posted" }]);
  expect(await read()).toBe("posted");
  await write(store, collection, [{ id: 1, a: "merged" }, { a: "other" }]);
  expect(await read()).toBe("merged");
  await writeEach(store, collection, [{ verb: "put", id: 1, given: { id: 1, a: "put" } }]);
  expect(await read()).toBe("put");
  await writeEach(store, collection, [{ verb: "patch", id: 1, given: { a: "patched" } }]);
  expect(await read()).toBe("patched");
  await writeEach(store, collection, [{ verb: "delete", id: 1 }]);
  expect(await read()).toBeUndefined();
  await write(store, collection, [{ id: 1, a: "again" }]);
  expect(await read()).toBe("again");
});

test("a dry run decides the same and writes nothing", async () => {
  const { store, collection } = await openStore(things(TEXT));
  await write(store, collection, [{ id: 1, a: "x" }]);
  const decisions = await write(store, collection, [{ id: 1, a: "y" }, { a: "z" }], { dryRun: true });
  expect(decisions.map(({ outcome }) => outcome)).toEqual(["updated", "created"]);
  expect((await store.list(collection, { limit: 10, sort: [{ name: "id", descending: false }], words: [] })).records).toHaveLength(1);
});

test("a change and a delete can be bound to a version", async () => {
  const { store, collection } = await openStore(things(TEXT));
  await write(store, collection, [{ id: 1, a: "x" }]);
  const ops: WriteOp[] = [
    { verb: "post", id: 1, given: { a: "y" }, onConflict: "update", onMissing: "error", ifMatch: [7] },
    { verb: "delete", id: 2, ifMatch: [1] },
  ];
  expect(outcomesOf(await writeEach(store, collection, ops))).toEqual(["PRECONDITION_FAILED", "NOT_FOUND"]);
});

test("a write is rolled back if making its answer throws", async () => {
  const { store, collection } = await openStore(things(TEXT));
  const ops: WriteOp[] = [{ verb: "put", id: 1, given: { a: "x" } }];
  const form = { kind: "results", verb: "write", atomic: false, pointer: "", isMany: true, instance: "", requestId: "" } as const;
  const bug = { ...form, ids: [1, 2], rejected: new Map() }; // an answer to two records, of which only one is written
  await expect(store.write({ collection, by: SOMEBODY, source: { type: "api", run: null }, ops, atomic: true, form: bug })).rejects.toThrow(
    "decided nothing",
  );
  expect(await store.read(collection, 1)).toBeUndefined();
  await write(store, collection, [{ id: 1, a: "x" }]);
  expect(await store.read(collection, 1)).toMatchObject({ a: "x" });
});

test("of many concurrent calls for the first key, in any process, one succeeds", async () => {
  const stores = await Promise.all(Array.from({ length: inject("postgres") ? 4 : 1 }, async () => (await openStore([])).store));
  const putFirst = async (store: Store, i: number) => store.putFirstKey({ ...ADMIN_KEY_ROW, id: `key${i}` });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => putFirst(stores[i % stores.length] as Store, i)));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect((await stores[0]?.listKeys())?.map(({ id }) => id)).toEqual([`key${answers.indexOf(true)}`]);
  await stores[0]?.putKey({ ...ADMIN_KEY_ROW, id: "another" });
  expect(await stores[0]?.revokeKey(`key${answers.indexOf(true)}`, 2)).toBe("revoked");
  expect(await stores[0]?.putFirstKey({ ...ADMIN_KEY_ROW, id: "later" })).toBe(false);
});

test("the last valid key of an administrator is not revoked, also when all are revoked at once", async () => {
  const stores = await Promise.all(Array.from({ length: inject("postgres") ? 4 : 1 }, async () => (await openStore([])).store));
  const [store] = stores as [Store];
  const ids = Array.from({ length: 12 }, (_, i) => `admin${i}`);
  for (const id of ids) await store.putKey({ ...ADMIN_KEY_ROW, id });
  await store.putKey({ ...ADMIN_KEY_ROW, id: "writer", scope: "write" });
  await store.putKey({ ...ADMIN_KEY_ROW, id: "expired", expiresAt: 5 });
  const answers = await Promise.all(ids.map((id, i) => (stores[i % stores.length] as Store).revokeKey(id, 5)));
  expect(answers.toSorted()).toEqual(["last", ...ids.slice(1).map(() => "revoked")]);
  const last = ids[answers.indexOf("last")] as string;
  expect((await store.readKey(last))?.revokedAt).toBeNull();
  expect(await store.revokeKey(last, 5)).toBe("last");
  for (const id of ["writer", "expired"]) expect(await store.revokeKey(id, 5)).toBe("revoked");
  await store.putKey({ ...ADMIN_KEY_ROW, id: "new", expiresAt: 6 });
  expect(await store.revokeKey(last, 5)).toBe("revoked");
  expect(await store.revokeKey("nobody", 5)).toBe("unknown");
});

test("a key has at most so many tokens; the oldest end first, and other keys keep theirs", async () => {
  const { store } = await openStore([]);
  const add = (hash: number, keyId: string, expiresAt: number) =>
    store.addToken({ hash: Buffer.alloc(32, hash), keyId, scope: "read", expiresAt }, 1, 3, "192.0.2.7");
  const live = async () => {
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map((hash) => store.readToken(Buffer.alloc(32, hash), 1)));
    return all.flatMap((token) => (token ? [token.hash[0]] : []));
  };
  for (const id of ["a", "b"]) await store.putKey({ ...ADMIN_KEY_ROW, id });
  await add(6, "b", 5);
  for (const [hash, expiresAt] of [
    [4, 10],
    [3, 20],
    [2, 20],
  ] as const)
    await add(hash, "a", expiresAt);
  const before = store.generation();
  expect(await live()).toEqual([2, 3, 4, 6]);
  await add(5, "a", 20);
  expect(await live()).toEqual([2, 3, 5, 6]);
  if (before !== undefined) expect(store.generation()).not.toBe(before);
  await add(1, "a", 15); // the new one never ends, even with a clock that was set back
  expect(await live()).toContain(1);
});

test("a record as JSON is the record that is read, also after it was changed and deleted", async () => {
  const { store, collection } = await openStore(things(TEXT));
  expect(await store.readJson(collection, 1)).toBeUndefined();
  const isSame = async () => {
    for (let again = 0; again < 2; again++) {
      const found = await store.readJson(collection, 1);
      expect(JSON.parse(found?.json ?? "null")).toEqual(await store.read(collection, 1));
      if (again) return found;
    }
    return undefined;
  };
  await write(store, collection, [{ id: 1, a: "old" }]);
  expect(await isSame()).toMatchObject({ json: expect.stringContaining('"old"'), version: 1 });
  await write(store, collection, [{ id: 1, a: "new" }]);
  expect(await isSame()).toMatchObject({ json: expect.stringContaining('"new"'), version: 2 });
  await writeEach(store, collection, [{ verb: "delete", id: 1 }]);
  expect(await store.readJson(collection, 1)).toBeUndefined();
});
