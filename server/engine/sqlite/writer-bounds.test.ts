// The thread that writes does a bounded piece of work at a time, however much there is of a record: counted, not timed.

import { join } from "node:path";
import type { Database } from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { createEraser } from "../../erasure/erase-sqlite.ts";
import { packResponse } from "../../erasure/stored-answers.ts";
import { toAnswer } from "../../records/answers.ts";
import { sqliteThreads } from "../../sqlite-threads.ts";
import { createTestDatabase, SOMEBODY, type TestDatabase, writeEach } from "../../testing/store.ts";
import { createRun } from "../script/run-sqlite.ts";
import { runScript, type Script } from "../script/script.ts";
import type { Batch, Store, WriteOp } from "../store.ts";
import { checkpointsOf } from "./backup.ts";
import { connect, PATIENCE } from "./file.ts";
import { openSqlite } from "./store.ts";
import { transact } from "./transaction.ts";
import { createWriter } from "./write.ts";

const VERSIONS = 4_500;
const MOST_ROWS = 3_100; // that one transaction of an erasure changes

const fields = [
  { name: "id", type: "integer" },
  { name: "name", type: "string" },
];
const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;

const put = (id: number): WriteOp => ({ verb: "put", id, given: { id, name: `thing number ${id}` } });
const LONG_HISTORY = [
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${VERSIONS})
    INSERT INTO writes (collection, at, by, source, size, operations) SELECT 'things', i, 1, 'api', 1, 2 FROM n`,
  `INSERT INTO history (write, id, version, operation, changes) SELECT number, 1, number, 'updated', '{"name":["a","b"]}' FROM writes WHERE number > 1`,
  `UPDATE c_things SET version = ${VERSIONS} + 1 WHERE id = 1`,
];

let database: TestDatabase;
let file: string;
beforeAll(async () => {
  database = await createTestDatabase();
  file = join(database.folder, "intake.db");
  const store = await database.open([collection]);
  await writeEach(store, collection, [put(1)]);
  await store.close();
  await database.run(LONG_HISTORY);
});
afterAll(() => database.drop());

test("what is read of a long history is not read by the thread that writes", async () => {
  const calls: string[] = [];
  const { writer, ...others } = sqliteThreads();
  const counting: typeof writer = {
    call(name, ...args) {
      calls.push(name);
      return writer.call(name, ...args);
    },
  };
  const store: Store = await openSqlite(file, [collection], { threads: () => ({ ...others, writer: counting }), readBudget: 60_000 });
  try {
    calls.length = 0;
    const entries = await store.history.listEntries("things", 1, 10, 5);
    expect(entries.map(({ version }) => version)).toEqual([9, 8, 7, 6, 5]);
    const filter = { collections: ["things"] };
    const later = await store.feed.readLater({ collection: "things", ids: [1], from: 1, after: { id: 0, write: 0 }, limit: 5_000 });
    expect(later).toHaveLength(VERSIONS + 1);
    expect((await store.feed.read(undefined, filter, 1_000)).entries).toHaveLength(1_000);
    expect((await store.history.listActivity(filter, { at: Number.MAX_SAFE_INTEGER, write: 0, id: 0 }, 10)).lines).toHaveLength(10);
    expect(await store.count(collection, { words: ["thing"] })).toBe(1);
    expect(calls.filter((name) => name !== "renewWords")).toEqual([]); // words are renewed without anybody asking
  } finally {
    await store.close();
  }
});

/** How many rows each transaction has changed. */
function countRows(db: Database): { rows: number[]; transactScript: <T>(script: () => Script<T>) => T } {
  const run = createRun(db);
  const total = () => (db.prepare("SELECT total_changes() AS n").get() as { n: number }).n;
  const rows: number[] = [];
  return {
    rows,
    transactScript(script) {
      const before = total();
      const result = transact(db, () => runScript(script(), run));
      rows.push(total() - before);
      return result;
    },
  };
}

test("a deletion of many changes the words of each once", () => {
  const db = connect(file, 1_024);
  try {
    const write = createWriter(db, [collection], toAnswer);
    const ids = Array.from({ length: 500 }, (_, i) => i + 100);
    const send = (ops: WriteOp[]) => {
      const form = { kind: "results", verb: "mixed", atomic: true, pointer: "", isMany: true, instance: "", requestId: "" } as const;
      const batch: Batch = {
        collection,
        by: SOMEBODY,
        source: { type: "api", run: null },
        ops,
        atomic: true,
        form: { ...form, ids, rejected: new Map() },
      };
      expect(write([batch])).toMatchObject([{ status: "fulfilled", value: { answer: { status: 200 } } }]);
    };
    const changes = () => (db.prepare("SELECT total_changes() AS n").get() as { n: number }).n;
    send(ids.map(put));
    const before = changes();
    send(ids.map((id) => ({ verb: "patch", id, given: { name: `other ${id}` } })));
    send(ids.map((id) => ({ verb: "delete", id })));
    expect(changes() - before).toBeLessThan(6_500); // 6 for each change and each deletion; 7 where each is a part of the index of words
  } finally {
    db.close();
  }
});

test("an erasure takes steps, between which others may write", async () => {
  const db = connect(file, 1_024);
  try {
    const answer = JSON.stringify({ things: Array.from({ length: 4_000 }, (_, i) => ({ id: 1 + (i % 9), name: "x".repeat(90) })) });
    const { status, headers, body } = packResponse({ status: 200, headers: {}, body: answer });
    const keep = db.prepare("INSERT INTO replies (key, fingerprint, status, headers, body, created_at) VALUES (?, '', ?, ?, ?, 1)");
    for (let i = 0; i < 15; i++) keep.run(`key ${i}`, status, headers, body);
    const { rows, transactScript } = countRows(db);
    const eraser = createEraser({
      db,
      collections: new Map([[collection.name, collection]]),
      transact: transactScript,
      emptyLog: checkpointsOf(db).run,
    });
    expect(eraser.erase(collection, 1, { now: Date.now(), by: 1, source: { type: "api", run: null } })).toBe(true);
    await eraser.finish();
    expect(Math.max(...rows)).toBeLessThan(MOST_ROWS);
    expect(rows.filter((count) => count === 3)).toHaveLength(5); // three answers of 400 KB in each step
    expect(db.prepare("SELECT operation FROM history WHERE id = 1").pluck().all()).toEqual(["erased"]);
    eraser.close();
  } finally {
    db.close();
  }
});

test("a checkpoint does not wait long for a read, because all who write wait with it", async () => {
  const [db, reader] = [connect(file, 1_024), connect(file, 1_024)];
  try {
    const checkpoints = checkpointsOf(db);
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM history").get();
    db.prepare("INSERT INTO settings (name, value) VALUES ('read', x'')").run();
    const began = performance.now();
    expect(await checkpoints.run()).toBe(false);
    expect(performance.now() - began).toBeLessThan(PATIENCE); // as long as any other statement would wait, at least
    reader.exec("COMMIT");
    expect(await checkpoints.run()).toBe(true);
    expect(db.prepare("PRAGMA busy_timeout").get()).toMatchObject({ timeout: PATIENCE });
  } finally {
    reader.close();
    db.close();
  }
});
