// One collection's table in SQLite: reads what is stored for a batch, and writes one change after the other.

import type { Database, Statement } from "libsql";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { comparing, type Unique, uniquesOf, valuesOfUnique } from "../../../core/dictionary/unique-keys.ts";
import {
  type Cell,
  cells,
  columnOf,
  columnsOf,
  searchTableOf,
  storedColumns,
  tableOf,
  toCell,
  toRecord,
  uniqueColumns,
} from "../columns.ts";
import type { OpWithId } from "../decide.ts";
import { type EntryRow, entryOf, keepOriginsSql, operationsOf, type WriteStamp } from "../history-entries.ts";
import { assignIds, firstAssignedId, type Known, type RowChange, valuesOf } from "../plan-write.ts";
import type { ReadWords } from "../renew-words.ts";
import { ask, type Script } from "../script/script.ts";
import { searchedFields, searchWords } from "../search-words.ts";
import type { Batch } from "../store.ts";
import type { Principals } from "./principals.ts";

const TOGETHER = 20; // new records in one statement
const FEW = 4; // new records for which a list in JSON costs more than it saves
const MOST_PARAMETERS = 32_766; // of a statement of SQLite

export type RecordTable = ReturnType<typeof createRecordTable>;
type Statements = ReturnType<typeof prepareTable>;
type Change<Outcome> = Extract<RowChange, { outcome: Outcome }>;

export function createRecordTable(db: Database, collection: Collection, principals: Principals) {
  const statements = prepareTable(db, collection);
  const { key } = collection;
  const searched = searchedFields(collection);
  const uniques = uniquesOf(collection).map((unique) => {
    const isSame = uniqueColumns(unique)
      .map((column) => `${column} = ?`)
      .join(" AND ");
    return { unique, find: db.prepare(`SELECT ${columnOf(key)} AS id FROM ${tableOf(collection)} WHERE ${isSame}`).raw() };
  });

  /** Finds an id for every op that has none. `take` writes down that they are taken. */
  function withIds(batch: Batch): { ops: OpWithId[]; take(): void } {
    const lacking = batch.ops.filter((op) => op.id === null).length;
    if (lacking === 0) return { ops: batch.ops as OpWithId[], take: () => undefined };
    const requested = new Set(batch.ops.map((op) => op.id));
    const row = statements.readNext.get(collection.name) as { next: number } | undefined;
    const assigned = assignIds(lacking, row?.next ?? firstAssignedId(key), (from, to) => {
      const used = statements.usedIds.all(from, to, collection.name, from, to) as { id: number }[];
      const taken = new Set(used.map(({ id }) => id));
      for (const id of requested) if (id !== null && id >= from && id <= to) taken.add(id);
      return taken;
    });
    let i = 0;
    const ops = batch.ops.map((op) => (op.id === null ? { ...op, id: assigned.ids[i++] as number } : (op as OpWithId)));
    return { ops, take: () => void statements.writeNext.run(collection.name, assigned.next) };
  }

  function known(ops: readonly OpWithId[]): Known {
    const ids = JSON.stringify(ops.map((op) => op.id));
    const rows = statements.readMany.all(ids) as Cell[][];
    const tombstones = statements.readTombstones.all(collection.name, ids) as { id: number; version: number; deletedAt: number }[];
    const records = new Map(
      principals.name(rows.map((row) => toRecord(collection, row))).map((record) => [record[key.name] as number, record]),
    );
    return {
      records,
      tombstones: new Map(tombstones.map(({ id, version }) => [id, version])),
      deletions: new Map(tombstones.map(({ id, deletedAt }) => [id, deletedAt])),
      holders: new Map(uniques.map(({ unique, find }) => [unique.name, holders(find, valuesOf(ops, unique, records), unique)])),
    };
  }

  /** Writes the changes, and the history of this write. Each id comes once. */
  function apply(changes: readonly RowChange[], stamp: WriteStamp): void {
    if (changes.length === 0) return;
    const { now, by, source, isRestore } = stamp;
    const entries = changes.map((change) => entryOf(collection, change, isRestore));
    const facts = [collection.name, now, by, source.type, source.run, changes.length, operationsOf(entries)];
    const write = statements.addWrite.run(...facts).lastInsertRowid;
    const groups: { [Outcome in RowChange["outcome"]]: Change<Outcome>[] } = { deleted: [], updated: [], created: [] };
    for (const change of changes) (groups[change.outcome] as RowChange[]).push(change);
    const { deleted, updated, created } = groups;
    // Deletions come first and new records last: a unique value that one of them has may be that of a record which was deleted or changed just now.
    if (deleted.length > 0) removeRecords(statements, collection, deleted, now);
    for (const { record } of updated) statements.update.run(...cells(collection, record), now, by, record.version, record[key.name]);
    // It comes after all of them: a statement on another table in between would make FTS5 write down each as a part of its index.
    for (const { record, changes } of updated)
      if (searched.some(({ name }) => Object.hasOwn(changes, name)))
        statements.reindex?.run(searchWords(searched, record), record[key.name]);
    if (created.length > 0) insertRecords(statements, { collection, searched }, created, stamp);
    addHistory(statements, write, entries);
  }
  return { withIds, findKeys: (name: string, values: readonly Value[]) => findKeys(uniques, name, values), known, apply };
}

function removeRecords(statements: Statements, { name, key }: Collection, deleted: readonly Change<"deleted">[], now: number): void {
  const ids = JSON.stringify(deleted.map(({ record }) => record[key.name]));
  statements.putTombstones.run(name, now, ids);
  statements.removeMany.run(ids);
  statements.unindexMany?.run(ids);
}

function addHistory(statements: Statements, write: number | bigint, entries: readonly EntryRow[]): void {
  const isFirst = ({ operation, version, warnings }: EntryRow) => operation === "created" && version === 1 && warnings === null;
  const [first, others] = [entries.filter(isFirst), entries.filter((entry) => !isFirst(entry))];
  if (first.length > 0) statements.addCreated.run(write, JSON.stringify(first.map(({ id }) => id)));
  const rows = others.map(({ id, version, operation, changes, warnings }) => [id, version, operation, changes, warnings]);
  if (rows.length > 0) statements.addHistory.run(write, JSON.stringify(rows));
}

/** Inserts new records, many in one statement: a call of SQLite takes as long as what it does for a row. */
function insertRecords(
  statements: Statements,
  { collection, searched }: { collection: Collection; searched: readonly Field[] },
  changes: readonly Change<"created">[],
  { now, by, isRestore }: WriteStamp,
): void {
  const { together } = statements;
  const alone = changes.length % together;
  let row: Cell[] = [];
  for (const [at, { record }] of changes.entries()) {
    row.push(...cells(collection, record), now, now, by, by, record.version);
    if (at >= alone && (at + 1 - alone) % together > 0) continue;
    (at < alone ? statements.insert : statements.insertMany).run(row);
    row = [];
  }
  const idOf = (record: WireRecord) => record[collection.key.name] as number;
  if (isRestore) statements.keepOrigins.run(JSON.stringify(changes.map(({ record }) => idOf(record))), collection.name);
  // The version of a record that comes back goes on above its tombstone's.
  for (const { record } of changes) if (record.version > 1) statements.removeTombstone.run(collection.name, idOf(record));
  if (searched.length === 0) return;
  const entries = changes.map(({ record }): [number, string] => [idOf(record), searchWords(searched, record)]);
  if (entries.length > FEW) statements.indexMany?.run(JSON.stringify(entries));
  else for (const entry of entries) statements.index?.run(entry);
}

/** Runs in the transaction in which the records were read. */
export function* storeWords(collection: Collection, records: readonly ReadWords[]): Script<void> {
  const search = searchTableOf(collection);
  for (const { id, words } of records) {
    yield* ask(`DELETE FROM ${search} WHERE rowid = $1`, id); // an earlier dictionary may have had no words to search
    yield* ask(`INSERT INTO ${search} (rowid, words) VALUES ($1, $2)`, id, words);
  }
}

/** Returns the keys of the records that have these values of what is unique. */
function findKeys(uniques: readonly { unique: Unique; find: Statement }[], name: string, values: readonly Value[]): Map<Value, number> {
  const own = uniques.find(({ unique }) => unique.name === name);
  if (!own) return new Map();
  const compared = comparing(own.unique, values);
  return compared.underAsked(holders(own.find, compared.values, own.unique));
}

/** Asks for one after the other: passed as JSON text, SQLite misreads about one number in 10,000 by its last digit. */
function holders(find: Statement, values: readonly Value[], unique: Unique): Map<Value, number> {
  const ids = new Map<Value, number>();
  for (const value of values) {
    const own = valuesOfUnique(unique, value);
    const row = find.get(unique.fields.map(({ kind }, i) => toCell(kind, own[i] as Value))) as [number] | undefined;
    if (row) ids.set(value, row[0]);
  }
  return ids;
}

function prepareTable(db: Database, collection: Collection) {
  const table = tableOf(collection);
  const key = columnOf(collection.key);
  const search = searchTableOf(collection);
  const prepareSearch = (sql: string) => (searchedFields(collection).length > 0 ? db.prepare(sql) : undefined);
  const columns = storedColumns(collection).map(({ column }) => column);
  const all = [...columns, "createdAt", "updatedAt", "createdBy", "updatedBy", "version"];
  const together = Math.max(1, Math.min(TOGETHER, Math.floor(MOST_PARAMETERS / all.length)));
  const row = `(${all.map(() => "?").join(", ")})`;
  const set = [...columns, "updatedAt", "updatedBy", "version"].map((column) => `${column} = ?`).join(", ");
  const among = "IN (SELECT value FROM json_each(?))";
  return {
    readMany: db.prepare(`SELECT ${columnsOf(collection)} FROM ${table} WHERE ${key} ${among}`).raw(),
    readTombstones: db.prepare(`SELECT id, version, deleted_at AS deletedAt FROM tombstones WHERE collection = ? AND id ${among}`),
    insert: db.prepare(`INSERT INTO ${table} (${all.join(", ")}) VALUES ${row}`),
    together,
    insertMany: db.prepare(`INSERT INTO ${table} (${all.join(", ")}) VALUES ${Array(together).fill(row).join(", ")}`),
    update: db.prepare(`UPDATE ${table} SET ${set} WHERE ${key} = ?`),
    removeMany: db.prepare(`DELETE FROM ${table} WHERE ${key} ${among}`),
    putTombstones: db.prepare(
      `INSERT OR REPLACE INTO tombstones (collection, id, version, deleted_at, created_at, created_by)
       SELECT ?, ${key}, version + 1, ?, createdAt, createdBy FROM ${table} WHERE ${key} ${among}`,
    ),
    keepOrigins: db.prepare(keepOriginsSql(collection, (column) => `${column} ${among}`)),
    removeTombstone: db.prepare("DELETE FROM tombstones WHERE collection = ? AND id = ?"),
    addWrite: db.prepare("INSERT INTO writes (collection, at, by, source, run, size, operations) VALUES (?, ?, ?, ?, ?, ?, ?)"),
    addCreated: db.prepare(
      "INSERT INTO history (write, id, version, operation, changes) SELECT ?, value, 1, 'created', NULL FROM json_each(?)",
    ),
    addHistory: db.prepare(
      `INSERT INTO history (write, id, version, operation, changes, warnings) SELECT ?, ${[0, 1, 2, 3, 4].map((at) => `value ->> ${at}`)} FROM json_each(?)`,
    ),
    readNext: db.prepare("SELECT next FROM sequences WHERE collection = ?"),
    writeNext: db.prepare("INSERT OR REPLACE INTO sequences (collection, next) VALUES (?, ?)"),
    usedIds: db.prepare(
      `SELECT ${key} AS id FROM ${table} WHERE ${key} BETWEEN ? AND ? UNION SELECT id FROM tombstones WHERE collection = ? AND id BETWEEN ? AND ?`,
    ),
    index: prepareSearch(`INSERT INTO ${search} (rowid, words) VALUES (?, ?)`),
    indexMany: prepareSearch(`INSERT INTO ${search} (rowid, words) SELECT value ->> 0, value ->> 1 FROM json_each(?)`),
    reindex: prepareSearch(`UPDATE ${search} SET words = ? WHERE rowid = ?`),
    unindexMany: prepareSearch(`DELETE FROM ${search} WHERE rowid ${among}`),
  };
}
