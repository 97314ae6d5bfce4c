// The SQLite file itself: its lock, and what is on disk after closing.

import { copyFileSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { openStore } from "../../open-store.ts";
import { createTestDatabase, outcomesOf, type TestDatabase, writeEach } from "../../testing/store.ts";
import { DEFAULT_SETTINGS, type Store } from "../store.ts";
import { transact } from "./transaction.ts";

const fields = [{ name: "id", type: "integer" }];
const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;

let database: TestDatabase;
let store: Store;
beforeEach(async () => {
  database = await createTestDatabase();
  store = await database.open([collection]);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

test("a second service cannot open the same file", async () => {
  await expect(database.open([])).rejects.toThrow("is in use by another service");
});

test("a closed store is one plain file, besides the empty one that held the lock and the reserve", async () => {
  const folder = join(database.folder, "own");
  const own = await openStore([collection], { folder, url: undefined });
  await own.list(collection, { limit: 1, sort: [{ name: "id", descending: false }], words: [] });
  await own.close();
  expect(readdirSync(folder)).toEqual(["intake.db", "intake.db.lock", "intake.db.reserve"]);
  expect(statSync(join(folder, "intake.db.lock")).size).toBe(0);
});

test("the reserve holds what moving the log into the file would take, and more", async () => {
  const file = join(database.folder, "intake.db");
  const lacking = () => {
    const db = new Database(file, { readonly: true });
    const { page_count: pages } = db.prepare("PRAGMA page_count").get() as { page_count: number };
    db.close();
    return pages * 4_096 - statSync(file).size;
  };
  for (let first = 1; lacking() < 8 * 1024 * 1024; first += 1_000) {
    const ops = Array.from({ length: 1_000 }, (_, i) => ({ verb: "put" as const, id: first + i, given: {} }));
    await writeEach(store, collection, ops);
    expect(statSync(`${file}.reserve`).size - lacking()).toBeGreaterThanOrEqual(4 * 1024 * 1024);
  }
});

test.each(["intake.db", "intake.db-wal"])("when %s is removed or replaced, the store is not ready and refuses writes", async (name) => {
  const [path, away] = [join(database.folder, name), join(database.folder, "away")];
  const put = (id: number) => writeEach(store, collection, [{ verb: "put", id, given: {} }]);
  const gone = "removed or replaced";
  await put(1);
  await store.ping();
  renameSync(path, away);
  for (let i = 0; i < 2; i++) {
    await expect(store.ping()).rejects.toThrow(gone);
    await expect(put(2)).rejects.toThrow(gone);
    if (i === 0) copyFileSync(away, path); // another file under its name
  }
  renameSync(away, path);
  await store.ping();
  expect(outcomesOf(await put(2))).toEqual(["created"]);
});

test("a start says that a copy lacks its log, and says nothing of a store that was closed or killed", async () => {
  const warnings: string[] = [];
  const openIn = (name: string, ...files: string[]) => {
    const folder = join(database.folder, name);
    mkdirSync(folder, { mode: 0o700 });
    for (const file of files) copyFileSync(join(database.folder, file), join(folder, file));
    const settings = { ...DEFAULT_SETTINGS, onWarning: (text: string) => void warnings.push(text) };
    return openStore([collection], { folder, url: undefined }, settings);
  };
  await (await openIn("new")).close();
  await (await openIn("killed", "intake.db", "intake.db-wal")).close();
  expect(warnings).toEqual([]);
  await (await openIn("copied", "intake.db")).close();
  expect(warnings).toEqual([expect.stringContaining("its latest writes are missing")]);
});

test("writes that are under way when the store closes are on disk", async () => {
  const folder = join(database.folder, "own");
  const open = () => openStore([collection], { folder, url: undefined });
  const own = await open();
  const ids = Array.from({ length: 20 }, (_, i) => i + 1);
  const writes = ids.map((id) => writeEach(own, collection, [{ verb: "put", id, given: {} }]));
  await own.close();
  expect((await Promise.all(writes)).flatMap(outcomesOf)).toEqual(ids.map(() => "created"));
  const again = await open();
  expect(await again.count(collection, { words: [] })).toBe(ids.length);
  await again.close();
});

test("a read sees every write that was answered before, whatever is under way beside it", async () => {
  const versionOf = async (id: number) => (await store.read(collection, id))?.version;
  const versions: unknown[] = [];
  for (let i = 1; i <= 20; i++) {
    const own = writeEach(store, collection, [{ verb: "put", id: 1, given: {} }]);
    const others = writeEach(store, collection, [{ verb: "put", id: 1_000 + i, given: {} }]);
    await versionOf(2); // what it finds must not be remembered
    await own;
    versions.push(await versionOf(1));
    await others;
    versions.push(await versionOf(1_000 + i));
  }
  expect(versions).toEqual(Array.from({ length: 20 }, () => [1, 1]).flat());
});

test("reads do not keep the log from being emptied", async () => {
  const folder = join(database.folder, "own");
  const own = await openStore([collection], { folder, url: undefined });
  const log = () => statSync(join(folder, "intake.db-wal")).size;
  await writeEach(own, collection, [{ verb: "put", id: 1, given: {} }]);
  const before = log();
  expect(await own.read(collection, 1)).toMatchObject({ id: 1 });
  await own.erase(collection, 1, { type: "key", id: "k", name: "k" }, { type: "api", run: null }); // empties the log
  expect(log()).toBeLessThan(before);
  await own.close();
});

test("a transaction of a closed database fails, and does not end the process", () => {
  const db = new Database(join(database.folder, "closed.db"));
  db.close();
  expect(() => transact(db, () => undefined)).toThrow("not open");
});
