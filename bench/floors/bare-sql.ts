// The floor for writing: a loop of the store's INSERTs on its tables, without HTTP, in a process of its own.

import { join } from "node:path";
import Database from "libsql";
import type { WireRecord } from "../../core/contract/records.ts";
import { readDictionary } from "../../server/dictionary/read-dictionary.ts";
import { cells, searchTableOf, storedColumns, tableOf } from "../../server/engine/columns.ts";
import { searchedFields, searchWords } from "../../server/engine/search-words.ts";
import { openStore } from "../../server/open-store.ts";
import { DEFAULT_DICTIONARY } from "../../server/package-folder.ts";
import { customerRows } from "../support/customers.ts";

const BATCH = 1_000; // rows in one transaction

const [, , folder = "", rows = "0", history] = process.argv;
const { collections } = readDictionary(DEFAULT_DICTIONARY);
const collection = collections.find(({ name }) => name === "customers");
if (!collection || !folder) throw new Error("bare-sql <folder> <rows> [history]");

await (await openStore(collections, { folder, url: undefined })).close(); // makes the tables and indexes
const db = new Database(join(folder, "intake.db"));
for (const pragma of ["locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL", "cache_size = -49152"]) db.pragma(pragma);
db.pragma("wal_autocheckpoint = 16000");
const columns = [...storedColumns(collection).map(({ column }) => column), "createdAt", "updatedAt", "version"];
const insert = db.prepare(`INSERT INTO ${tableOf(collection)} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`);
const index = db.prepare(`INSERT INTO ${searchTableOf(collection)} (rowid, words) VALUES (?, ?)`);
const strings = searchedFields(collection);
const addWrite = db.prepare("INSERT INTO writes (collection, at, by, source, size, operations) VALUES (?, 0, 1, 'api', ?, 1)");
const addHistory = db.prepare("INSERT INTO history (write, id, version, operation) VALUES (?, ?, 1, 'created')");

const took: number[] = []; // ms a batch
let cpu = 0; // µs of all batches
let batch: { row: (string | number | null)[]; words: string }[] = [];
for (const [id, firstName, lastName, accountID] of customerRows(Number(rows))) {
  const record = { objectId: Number(id), firstName: firstName || null, lastName, accountID } as unknown as WireRecord;
  batch.push({ row: [...cells(collection, record), 0, 0, 1], words: searchWords(strings, record) });
  if (batch.length < BATCH) continue;
  const [started, before] = [performance.now(), process.cpuUsage()];
  db.exec("BEGIN IMMEDIATE");
  for (const { row, words } of batch) {
    insert.run(row);
    index.run([row[0], words]);
  }
  if (history) {
    const write = addWrite.run(collection.name, batch.length).lastInsertRowid;
    for (const { row } of batch) addHistory.run(write, row[0]);
  }
  db.exec("COMMIT");
  took.push(performance.now() - started);
  const { user, system } = process.cpuUsage(before);
  cpu += user + system;
  batch = [];
}
process.stdout.write(JSON.stringify({ took, cpu }));
process.exit(0); // do not wait for libsql to close the file
