// A batch of writes as one SQLite transaction: read what is held, let planWrite decide, apply, keep the answer.

import type { Database, Statement } from "libsql";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import {
  type Cell,
  cells,
  columnsOf,
  quoted,
  searchedFields,
  searchTableOf,
  searchWords,
  storedColumns,
  tableOf,
  toCell,
  toRecord,
} from "../columns.ts";
import type { AimedOp } from "../decide.ts";
import { drawIds, firstAssignedId, type Known, planWrite, type RowChange, rowChangeOf, uniqueFields } from "../plan-write.ts";
import type { Answer, Batch, Decision, Written } from "../store.ts";
import { packResponse, RESPONSE_LIFETIME, replay, type StoredResponse, SWEEP_EVERY } from "../stored-responses.ts";
import { transact } from "./transaction.ts";

type AnswerOf = (decisions: readonly Decision[]) => Answer;

/** The returned function runs the whole batch, commits it and answers; what it throws has left nothing. */
export function createWriter(db: Database, collections: readonly Collection[]): (batch: Batch, answer: AnswerOf) => Written {
  const tables = new Map(collections.map((collection) => [collection.name, createTable(db, collection)]));
  const replies = createStoredResponses(db);
  let swept = 0;
  return (batch, answerOf) => {
    const table = tables.get(batch.collection.name);
    if (!table) throw new Error(`no table for ${batch.collection.name}`);
    const now = Date.now();
    return transact(db, () => {
      if (now - swept > SWEEP_EVERY) {
        swept = now;
        replies.sweep(now - RESPONSE_LIFETIME);
      }
      const kept = batch.idempotency && replies.find(batch.idempotency.key);
      if (kept) return replay(kept, batch.idempotency?.fingerprint);
      const decisions = runOps(db, table, batch, now);
      const answer = answerOf(decisions);
      if (batch.idempotency) replies.keep(batch.idempotency, answer, now);
      return { answer, replayed: false };
    });
  };
}

function runOps(db: Database, table: Table, batch: Batch, now: number): Decision[] {
  const ops = table.aim(batch);
  const decisions = planWrite(batch.collection, ops, table.known(ops), new Date(now).toISOString());
  const undone = batch.dryRun || (batch.atomic && decisions.some((decision) => decision.outcome === "failed"));
  if (undone) {
    // Only ids may have been drawn so far; they go back. The transaction goes on, to keep the answer.
    db.exec("ROLLBACK; BEGIN IMMEDIATE");
    return decisions;
  }
  for (const [i, decision] of decisions.entries()) {
    const change = rowChangeOf(decision);
    if (change) table.apply((ops[i] as AimedOp).id, change, now);
  }
  return decisions;
}

type Table = ReturnType<typeof createTable>;
type Applier<Change> = (id: number, change: Change, now: number) => void;
type Appliers = { [Outcome in RowChange["outcome"]]: Applier<Extract<RowChange, { outcome: Outcome }>> };

function createTable(db: Database, collection: Collection) {
  const statements = prepareTable(db, collection);
  const { key } = collection;
  const keyAt = collection.fields.indexOf(key);
  const searched = searchedFields(collection);
  const unique = uniqueFields(collection).map((field) => ({
    field,
    find: db.prepare(`SELECT ${quoted(key.name)} AS id FROM ${tableOf(collection)} WHERE ${quoted(field.name)} = ?`).raw(),
  }));

  /** Gives an id to every op that has none. */
  function aim(batch: Batch): AimedOp[] {
    const lacking = batch.ops.filter((op) => op.id === null).length;
    if (lacking === 0) return batch.ops as AimedOp[];
    const asked = new Set(batch.ops.map((op) => op.id));
    const row = statements.readNext.get(collection.name) as { next: number } | undefined;
    const drawn = drawIds(lacking, row?.next ?? firstAssignedId(key), (from, to) => {
      const used = statements.usedIds.all(from, to, collection.name, from, to) as { id: number }[];
      const taken = new Set(used.map(({ id }) => id));
      for (const id of asked) if (id !== null && id >= from && id <= to) taken.add(id);
      return taken;
    });
    statements.writeNext.run(collection.name, drawn.next);
    let i = 0;
    return batch.ops.map((op) => (op.id === null ? { ...op, id: drawn.ids[i++] as number } : (op as AimedOp)));
  }

  function known(ops: readonly AimedOp[]): Known {
    const ids = JSON.stringify(ops.map((op) => op.id));
    const rows = statements.readMany.all(ids) as Cell[][];
    const tombstones = statements.readTombstones.all(collection.name, ids) as { id: number; version: number }[];
    return {
      records: new Map(rows.map((row) => [row[keyAt] as number, toRecord(collection, row)])),
      tombstones: new Map(tombstones.map(({ id, version }) => [id, version])),
      holders: new Map(unique.map(({ field, find }) => [field.name, holders(find, ops, field.name)])),
    };
  }

  const appliers: Appliers = {
    created(id, { record }, now) {
      statements.insert.run(...cells(collection, record), now, now, record.version);
      if (record.version > 1) statements.removeTombstone.run(collection.name, id); // its version goes on above the tombstone's
      if (searched.length > 0) statements.index?.run(id, searchWords(searched, record));
    },
    updated(id, { record, changes }, now) {
      statements.update.run(...cells(collection, record), now, record.version, id);
      const isReworded = searched.some((field) => Object.hasOwn(changes, field.name));
      if (isReworded) statements.reindex?.run(searchWords(searched, record), id);
    },
    deleted(id, { record }, now) {
      statements.remove.run(id);
      statements.putTombstone.run(collection.name, id, record.version, now);
      statements.unindex?.run(id);
    },
  };

  function apply(id: number, change: RowChange, now: number): void {
    (appliers[change.outcome] as Applier<RowChange>)(id, change, now);
  }
  return { aim, known, apply };
}

/** One by one and bound as they are: SQLite reads one number of 10,000 in a JSON text as its neighbour. */
function holders(find: Statement, ops: readonly AimedOp[], name: string): Map<Value, number> {
  const held = new Map<Value, number>();
  for (const op of ops) {
    const value = op.verb === "delete" ? null : (op.given[name] ?? null);
    const row = value === null ? undefined : (find.get([toCell(value)]) as [number] | undefined);
    if (row && value !== null) held.set(value, row[0]);
  }
  return held;
}

function prepareTable(db: Database, collection: Collection) {
  const table = tableOf(collection);
  const key = quoted(collection.key.name);
  const search = searchTableOf(collection);
  const ifSearched = (sql: string) => (searchedFields(collection).length > 0 ? db.prepare(sql) : undefined);
  const columns = storedColumns(collection).map(({ column }) => column);
  const all = [...columns, "createdAt", "updatedAt", "version"];
  const set = [...columns, "updatedAt", "version"].map((column) => `${column} = ?`).join(", ");
  const among = "IN (SELECT value FROM json_each(?))";
  return {
    readMany: db.prepare(`SELECT ${columnsOf(collection)} FROM ${table} WHERE ${key} ${among}`).raw(),
    readTombstones: db.prepare(`SELECT id, version FROM tombstones WHERE collection = ? AND id ${among}`),
    insert: db.prepare(`INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`),
    update: db.prepare(`UPDATE ${table} SET ${set} WHERE ${key} = ?`),
    remove: db.prepare(`DELETE FROM ${table} WHERE ${key} = ?`),
    putTombstone: db.prepare("INSERT OR REPLACE INTO tombstones (collection, id, version, deleted_at) VALUES (?, ?, ?, ?)"),
    removeTombstone: db.prepare("DELETE FROM tombstones WHERE collection = ? AND id = ?"),
    readNext: db.prepare("SELECT next FROM sequences WHERE collection = ?"),
    writeNext: db.prepare("INSERT OR REPLACE INTO sequences (collection, next) VALUES (?, ?)"),
    usedIds: db.prepare(
      `SELECT ${key} AS id FROM ${table} WHERE ${key} BETWEEN ? AND ? UNION SELECT id FROM tombstones WHERE collection = ? AND id BETWEEN ? AND ?`,
    ),
    index: ifSearched(`INSERT INTO ${search} (rowid, words) VALUES (?, ?)`),
    reindex: ifSearched(`UPDATE ${search} SET words = ? WHERE rowid = ?`),
    unindex: ifSearched(`DELETE FROM ${search} WHERE rowid = ?`),
  };
}

function createStoredResponses(db: Database) {
  const find = db.prepare("SELECT fingerprint, status, headers, body FROM replies WHERE key = ?");
  const keep = db.prepare("INSERT INTO replies (key, fingerprint, status, headers, body, created_at) VALUES (?, ?, ?, ?, ?, ?)");
  const sweep = db.prepare("DELETE FROM replies WHERE created_at < ?");
  return {
    find: (key: string) => find.get(key) as StoredResponse | undefined,
    keep(idempotency: { key: string; fingerprint: string }, answer: Answer, now: number): void {
      const { status, headers, body } = packResponse(answer);
      keep.run(idempotency.key, idempotency.fingerprint, status, headers, body, now);
    },
    sweep: (before: number) => sweep.run(before),
  };
}
