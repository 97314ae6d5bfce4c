// One collection's table in SQLite: reads what is stored for a batch, and writes one change after the other.

import type { Database, Statement } from "libsql";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { type Cell, cells, columnsOf, quoted, searchTableOf, storedColumns, tableOf, toCell, toRecord } from "../columns.ts";
import { deletionVersion, type OpWithId } from "../decide.ts";
import { type EntryRow, entryOf, operationsOf, type WriteStamp } from "../history-entries.ts";
import { ask, type Script } from "../people/script.ts";
import { assignIds, firstAssignedId, type Known, type RowChange, uniqueFields, valuesOf } from "../plan-write.ts";
import { searchedFields, searchWords } from "../search-words.ts";
import type { Batch } from "../store.ts";
import type { Principals } from "./principals.ts";

export type RecordTable = ReturnType<typeof createRecordTable>;
type Applier<Change> = (id: number, change: Change, stamp: WriteStamp) => void;
type Appliers = { [Outcome in RowChange["outcome"]]: Applier<Extract<RowChange, { outcome: Outcome }>> };

export function createRecordTable(db: Database, collection: Collection, principals: Principals) {
  const statements = prepareTable(db, collection);
  const { key } = collection;
  const searched = searchedFields(collection);
  const unique = uniqueFields(collection).map((field) => ({
    field,
    find: db.prepare(`SELECT ${quoted(key.name)} AS id FROM ${tableOf(collection)} WHERE ${quoted(field.name)} = ?`).raw(),
  }));

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
    const tombstones = statements.readTombstones.all(collection.name, ids) as { id: number; version: number }[];
    return {
      records: new Map(principals.name(rows.map((row) => toRecord(collection, row))).map((record) => [record[key.name] as number, record])),
      tombstones: new Map(tombstones.map(({ id, version }) => [id, version])),
      holders: new Map(unique.map(({ field, find }) => [field.name, holders(find, valuesOf(ops, field), field)])),
    };
  }

  const appliers: Appliers = {
    created(id, { record }, { now, by }) {
      statements.insert.run(...cells(collection, record), now, now, by, by, record.version);
      if (record.version > 1) statements.removeTombstone.run(collection.name, id); // its version goes on above the tombstone's
      if (searched.length > 0) statements.index?.run(id, searchWords(searched, record));
    },
    updated(id, { record, changes }, { now, by }) {
      statements.update.run(...cells(collection, record), now, by, record.version, id);
      const isReworded = searched.some((field) => Object.hasOwn(changes, field.name));
      if (isReworded) statements.reindex?.run(searchWords(searched, record), id);
    },
    deleted(id, { record }, { now }) {
      statements.remove.run(id);
      statements.putTombstone.run(collection.name, id, deletionVersion(record), now);
      statements.unindex?.run(id);
    },
  };

  /** Writes the changes, and the history of this write. */
  function apply(changes: readonly RowChange[], stamp: WriteStamp): void {
    if (changes.length === 0) return;
    const { now, by, source, isRestore } = stamp;
    const entries = changes.map((change) => entryOf(collection, change, isRestore));
    const facts = [collection.name, now, by, source.type, source.run, changes.length, operationsOf(entries)];
    const write = statements.addWrite.run(...facts).lastInsertRowid;
    for (const [i, change] of changes.entries()) {
      const entry = entries[i] as EntryRow;
      (appliers[change.outcome] as Applier<RowChange>)(entry.id, change, stamp);
      statements.addHistory.run(write, entry.id, entry.version, entry.operation, entry.changes);
    }
  }
  return { withIds, findKeys: (name: string, values: readonly Value[]) => findKeys(unique, name, values), known, apply };
}

/** Within the transaction in which the record was read. */
export function* storeWords(collection: Collection, { id, words }: { id: number; words: string }): Script<void> {
  const search = searchTableOf(collection);
  yield* ask(`DELETE FROM ${search} WHERE rowid = $1`, id); // an earlier dictionary may have had no words to search
  yield* ask(`INSERT INTO ${search} (rowid, words) VALUES ($1, $2)`, id, words);
}

/** The keys of the records that have these values of a unique field. */
function findKeys(unique: readonly { field: Field; find: Statement }[], name: string, values: readonly Value[]): Map<Value, number> {
  const own = unique.find(({ field }) => field.name === name);
  return own ? holders(own.find, values, own.field) : new Map();
}

/** Queried one by one: passed as JSON text, SQLite misreads about one number in 10,000 by its last digit. */
function holders(find: Statement, values: readonly Value[], { kind }: Field): Map<Value, number> {
  const ids = new Map<Value, number>();
  for (const value of values) {
    const row = find.get([toCell(kind, value)]) as [number] | undefined;
    if (row) ids.set(value, row[0]);
  }
  return ids;
}

function prepareTable(db: Database, collection: Collection) {
  const table = tableOf(collection);
  const key = quoted(collection.key.name);
  const search = searchTableOf(collection);
  const prepareSearch = (sql: string) => (searchedFields(collection).length > 0 ? db.prepare(sql) : undefined);
  const columns = storedColumns(collection).map(({ column }) => column);
  const all = [...columns, "createdAt", "updatedAt", "createdBy", "updatedBy", "version"];
  const set = [...columns, "updatedAt", "updatedBy", "version"].map((column) => `${column} = ?`).join(", ");
  const among = "IN (SELECT value FROM json_each(?))";
  return {
    readMany: db.prepare(`SELECT ${columnsOf(collection)} FROM ${table} WHERE ${key} ${among}`).raw(),
    readTombstones: db.prepare(`SELECT id, version FROM tombstones WHERE collection = ? AND id ${among}`),
    insert: db.prepare(`INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`),
    update: db.prepare(`UPDATE ${table} SET ${set} WHERE ${key} = ?`),
    remove: db.prepare(`DELETE FROM ${table} WHERE ${key} = ?`),
    putTombstone: db.prepare("INSERT OR REPLACE INTO tombstones (collection, id, version, deleted_at) VALUES (?, ?, ?, ?)"),
    removeTombstone: db.prepare("DELETE FROM tombstones WHERE collection = ? AND id = ?"),
    addWrite: db.prepare("INSERT INTO writes (collection, at, by, source, run, size, operations) VALUES (?, ?, ?, ?, ?, ?, ?)"),
    addHistory: db.prepare("INSERT INTO history (write, id, version, operation, changes) VALUES (?, ?, ?, ?, ?)"),
    readNext: db.prepare("SELECT next FROM sequences WHERE collection = ?"),
    writeNext: db.prepare("INSERT OR REPLACE INTO sequences (collection, next) VALUES (?, ?)"),
    usedIds: db.prepare(
      `SELECT ${key} AS id FROM ${table} WHERE ${key} BETWEEN ? AND ? UNION SELECT id FROM tombstones WHERE collection = ? AND id BETWEEN ? AND ?`,
    ),
    index: prepareSearch(`INSERT INTO ${search} (rowid, words) VALUES (?, ?)`),
    reindex: prepareSearch(`UPDATE ${search} SET words = ? WHERE rowid = ?`),
    unindex: prepareSearch(`DELETE FROM ${search} WHERE rowid = ?`),
  };
}
