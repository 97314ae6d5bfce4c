// Comparing changed records anew reads no whole table of keys or pairs, on either engine.

import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Collection } from "../../core/dictionary/collections.ts";
import { DICTIONARY, readCollections } from "../testing/service.ts";
import { createTestDatabase, type TestDatabase, writeEach } from "../testing/store.ts";
import { SCAN_WRITES, type Scan } from "./match-scan.ts";
import { matchedTable } from "./matched-records.ts";
import { asQuery } from "./script/run-postgres.ts";
import { createRun, withSqlitePlaces } from "./script/run-sqlite.ts";
import type { Result, Script, Statement } from "./script/script.ts";
import type { Store } from "./store.ts";

const RECORDS = 4_000;
const CHANGED = 30;
const [customers] = readCollections(DICTIONARY).collections as [Collection];
const matched = matchedTable(customers);

let database: TestDatabase;
let store: Store;
let run: (statement: Statement) => Promise<Result>;
let explain: (statement: Statement) => Promise<string>;
let end: () => Promise<unknown>;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await database.open([customers]);
  const given = (i: number) => ({ objectId: i + 1, firstName: `First ${i}`, lastName: `Last ${i}`, accountID: `A-${i}` });
  const all = Array.from({ length: RECORDS }, (_, i) => ({
    ...{ verb: "post", id: i + 1, given: given(i), onConflict: "error", onMissing: "create" },
  })) as never[];
  for (let from = 0; from < RECORDS; from += 1_000) await writeEach(store, customers, all.slice(from, from + 1_000));
  if (database.url === undefined) {
    const file = new Database(join(database.folder, "intake.db"));
    const runOnFile = createRun(file);
    run = async (statement) => runOnFile(statement);
    explain = async ({ sql, parameters }) =>
      (file.prepare(`EXPLAIN QUERY PLAN ${withSqlitePlaces(sql)}`).all(...(parameters as never[])) as { detail: string }[])
        .map(({ detail }) => detail)
        .join("\n");
    end = async () => file.close();
    return;
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const query = async (statement: Statement) => {
    const [text, values] = asQuery(statement);
    const { rows, rowCount } = await client.query({ text, values: values as unknown[], rowMode: "array" });
    return { rows, count: rowCount ?? 0 };
  };
  run = query;
  explain = async (statement) => (await query({ ...statement, sql: `EXPLAIN ${statement.sql}` })).rows.flat().join("\n");
  end = () => client.end();
}, 120_000);
afterAll(async () => {
  await end?.();
  await store.close();
  await database.drop();
});

async function play<T>(script: Script<T>, each: (statement: Statement) => Promise<void> = async () => undefined): Promise<T> {
  let step = script.next();
  while (!step.done) {
    await each(step.value);
    step = script.next(await run(step.value));
  }
  return step.value;
}

const READS_ALL = {
  // The key of the table begins with the collection, which alone leads to all of it.
  sqlite: /SCAN (?:match_|duplicate_|different_)\w+(?! USING)|(?:match_|duplicate_|different_)\w+ USING [\w ]+\(collection=\?\)$/m,
  postgres: /Seq Scan on (?:match_|duplicate_|different_)/,
};

test("what is compared anew reads no whole table", async () => {
  if (!matched) throw new Error("the customers are not compared");
  const scan: Scan = {
    ...{ collection: customers.name, version: 1, compared: "", phase: "clear", after: null, seen: 0, keys: 0, total: RECORDS },
    ...{ cursor: "", touchedAt: 0 },
  };
  let current = await play(SCAN_WRITES.beginScan(scan));
  while (current && current.phase !== "pairs") current = await play(SCAN_WRITES.noteStep(matched, current));
  expect(current?.seen).toBe(RECORDS);
  expect(current?.keys).toBeGreaterThan(RECORDS);
  if (!current) throw new Error("there is no scan");
  // Their keys are sorted as those that a change brings, so that the table has those of many records.
  const ids = Array.from({ length: RECORDS }, (_, i) => i + 1);
  const changesOf = (some: readonly number[]) => some.map((id) => ({ id, at: Date.now(), isCompared: true }));
  for (let from = 0; from < RECORDS; from += 500)
    current = (await play(SCAN_WRITES.followChanges(matched, current, changesOf(ids.slice(from, from + 500)), `${from}`))) ?? current;
  if (database.url !== undefined)
    for (const table of ["match_keys", "match_records"]) await run({ sql: `ANALYZE ${table}`, parameters: [] });

  const plans: [string, string][] = [];
  await play(SCAN_WRITES.followChanges(matched, current, changesOf(ids.slice(100, 100 + CHANGED)), "last"), async (statement) => {
    const isOne = statement.sql.endsWith("LIMIT 1"); // it ends with the first row of the table
    const isInsert = statement.rows !== undefined; // it reads nothing
    if (!isOne && !isInsert && /\b(?:match_|duplicate_|different_)/.test(statement.sql))
      plans.push([statement.sql, await explain(statement)]);
  });
  const readsAll = database.url === undefined ? READS_ALL.sqlite : READS_ALL.postgres;
  expect(plans.filter(([, plan]) => readsAll.test(plan))).toEqual([]);
  expect(plans.filter(([sql]) => sql.startsWith("DELETE FROM match_keys")).length).toBeGreaterThan(0);
}, 120_000);
