// The transaction that erases one record, the same on both engines.

import type { Source } from "../../core/contract/history.ts";
import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { forgetUploads } from "../content/store/file-uploads.ts";
import { columnOf, tableOf } from "../engine/columns.ts";
import { erasePairs } from "../engine/duplicate-pairs.ts";
import { ask, type Script } from "../engine/script/script.ts";
import type { InUse } from "../engine/store.ts";
import { forgetQueries } from "../history/store/export-log.ts";
import { padded, placesFor } from "../history/store/reads.ts";

/** Says what the engine does in its own words. */
export interface EngineSql {
  /** Adds the row of a write with its collection, time, principal, source and run ($1 to $5). */
  addWrite: string;
  /** The number of the write that this transaction has just added. */
  writeNumber: string;
  /** Takes the record out of the search index ($1 is its id), where that is a table of its own. */
  unindex?: string;
  /** Ends the select of the record: nobody may make others refer to it meanwhile. */
  lock: string;
}

/** `now` in ms since 1970; `by` is the number of the principal. */
export interface ErasureStamp {
  now: number;
  by: number;
  source: Source;
}

/** A record that was erased, and of which copies may be left. `version`: of the erasure, for its id may be used and erased again. */
export interface PendingErasure {
  collection: string;
  id: number;
  version: number;
}

const PENDING = "erasing";
const REMOVED_AT_ONCE = 1_000; // entries

/**
 * Erases the record, its history, what its deletion kept, and what exports were searched by; only the entry "erased" stays. Answers false
 * for an id that never was, and what is in the way while other records refer to it, whatever their `onDelete`: nothing is erased that was
 * not named. Until finishErasure it stands among the pending ones, so that the next start goes on after a crash; also when it was erased
 * before.
 */
export function* eraseRecord(
  collection: Collection,
  id: number,
  stamp: ErasureStamp,
  engine: EngineSql,
  collections: readonly Collection[],
): Script<boolean | InUse> {
  const { name } = collection;
  const inUse = yield* findUse(collection, id, engine, collections);
  if (inUse) return inUse;
  const merged = yield* ask("SELECT count(*) FROM merges WHERE collection = $1 AND survivor = $2 AND apart_at IS NULL", name, id);
  const parts = Number(merged.rows[0]?.[0]);
  if (parts > 0) return { collection: name, id, child: name, field: "", count: parts, reason: "merged" };
  const version = yield* removeRecord(collection, id, engine);
  if (version === undefined) return false;
  yield* ask("DELETE FROM exceptions WHERE collection = $1 AND id = $2", name, id);
  // It takes two statements: for one with OR, SQLite reads all merges of the collection.
  for (const column of ["id", "survivor"]) yield* ask(`DELETE FROM merges WHERE collection = $1 AND ${column} = $2`, name, id);
  yield* ask("DELETE FROM merged_values WHERE collection = $1 AND id = $2", name, id);
  yield* forgetUploads(name, id);
  yield* erasePairs(name, id);
  if (!(yield* wasErased(name, id))) {
    // This comes first: with SQLite the newest number must not come again.
    yield* ask(engine.addWrite, name, stamp.now, stamp.by, stamp.source.type, stamp.source.run);
    const number = Number((yield* ask(engine.writeNumber)).rows[0]?.[0]);
    yield* ask("INSERT INTO history (write, id, version, operation, changes) VALUES ($1, $2, $3, 'erased', NULL)", number, id, version);
    yield* removeEntries({ collection: name, id }); // the others follow in steps: nobody shall wait for a hundred thousand of them
    yield* ask("INSERT INTO tombstones (collection, id, version, deleted_at) VALUES ($1, $2, $3, $4)", name, id, version, stamp.now);
  }
  yield* forgetQueries();
  const pending = pendingName({ collection: name, id, version });
  yield* ask("DELETE FROM settings WHERE name = $1", pending);
  yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", pending, new Uint8Array());
  return true;
}

function* findUse(
  { name, key }: Collection,
  id: number,
  { lock }: EngineSql,
  collections: readonly Collection[],
): Script<InUse | undefined> {
  const children = childrenOf(collections, { name });
  if (children.length > 0 && lock !== "") yield* ask(`SELECT 1 FROM ${tableOf({ name })} WHERE ${columnOf(key)} = $1${lock}`, id);
  for (const { child, field } of children) {
    const { rows } = yield* ask(`SELECT count(*) FROM ${tableOf(child)} WHERE ${columnOf(field)} = $1`, id);
    const count = Number(rows[0]?.[0]);
    if (count > 0) return { collection: name, id, child: child.name, field: field.name, count, reason: "rule" };
  }
  return undefined;
}

/**
 * Takes one step of removing what the history has of a record from before its erasure. False when nothing is left to do. A write counts what it
 * has, because pages of the feed are cut by that: one that has nothing left goes as well.
 */
export function* removeEntries({ collection, id }: Pick<PendingErasure, "collection" | "id">): Script<boolean> {
  const own = "FROM history h JOIN writes w ON w.number = h.write WHERE h.id = $1 AND w.collection = $2";
  const erased = yield* ask(`SELECT h.write ${own} AND h.operation = 'erased' ORDER BY h.write DESC LIMIT 1`, id, collection);
  const before = `SELECT h.write ${own} AND h.write < $3 ORDER BY h.write LIMIT ${REMOVED_AT_ONCE}`;
  const writes = (yield* ask(before, id, collection, erased.rows[0]?.[0] ?? 0)).rows.map(([write]) => Number(write));
  if (writes.length === 0) return false;
  const [found, places] = [padded(writes), placesFor(writes, 2)];
  yield* ask(`DELETE FROM history WHERE id = $1 AND write IN (${places})`, id, ...found);
  yield* ask(`UPDATE writes SET size = size - $1 WHERE number IN (${places})`, 1, ...found);
  yield* ask(`DELETE FROM writes WHERE size = $1 AND number IN (${places})`, 0, ...found);
  return writes.length === REMOVED_AT_ONCE;
}

/** Deletes the record, or its tombstone unless it was erased before. Answers the version of its erasure; undefined for an id that never was. */
function* removeRecord({ name, key }: Collection, id: number, engine: EngineSql): Script<number | undefined> {
  const table = tableOf({ name });
  for (;;) {
    const record = (yield* ask(`SELECT version FROM ${table} WHERE ${columnOf(key)} = $1`, id)).rows[0];
    const tombstone = (yield* ask("SELECT version FROM tombstones WHERE collection = $1 AND id = $2", name, id)).rows[0];
    const version = Number((record ?? tombstone)?.[0]);
    if (Number.isNaN(version)) return undefined;
    if (!record && (yield* wasErased(name, id))) return version;
    const removed = record
      ? yield* ask(`DELETE FROM ${table} WHERE ${columnOf(key)} = $1 AND version = $2`, id, version)
      : yield* ask("DELETE FROM tombstones WHERE collection = $1 AND id = $2 AND version = $3", name, id, version);
    if (removed.count === 0) continue; // somebody changed it since it was read
    if (record && engine.unindex) yield* ask(engine.unindex, id);
    return version + 1;
  }
}

/** Is true where the newest that is known of the id is that it was erased. */
function* wasErased(collection: string, id: number): Script<boolean> {
  const sql = `SELECT h.operation FROM history h JOIN writes w ON w.number = h.write
    WHERE h.id = $1 AND w.collection = $2 ORDER BY h.write DESC LIMIT 1`;
  return (yield* ask(sql, id, collection)).rows[0]?.[0] === "erased";
}

/** Lists the erasures that a crash has left half done. */
export function* pendingErasures(): Script<PendingErasure[]> {
  const { rows } = yield* ask("SELECT name FROM settings WHERE name LIKE $1", `${PENDING} %`);
  return rows.map(([name]) => {
    const [, collection = "", id, version] = String(name).split(" ");
    return { collection, id: Number(id), version: Number(version) };
  });
}

/** What was taken out of a collection leaves no bytes either: the eraser does the rest of what it does for a record. */
export function* leaveForEraser({ name }: Pick<Collection, "name">): Script<void> {
  const pending = pendingName({ collection: name, id: 0, version: 0 }); // no record has this id
  yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", pending, new Uint8Array());
}

/** Nothing is left of the record. */
export function* finishErasure(erasure: PendingErasure): Script<void> {
  yield* ask("DELETE FROM settings WHERE name = $1", pendingName(erasure));
}

function pendingName({ collection, id, version }: PendingErasure): string {
  return `${PENDING} ${collection} ${id} ${version}`;
}
