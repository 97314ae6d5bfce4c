// Says what the history answers of one record and of deleted ones: the same statements on both engines.

import type { FieldChanges, HistoryEntry, Operation, SourceType } from "../../../core/contract/history.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";

/** An entry with where it belongs. */
export interface StoredEntry extends Omit<HistoryEntry, "changes"> {
  /** The number of its write. It rises with the versions of a record. */
  write: number;
  collection: string;
  id: number;
  /** Is null for a new record: what it had is in later entries and in itself. */
  changes: FieldChanges | null;
  /** Its values are no longer kept; then `changes` is empty. */
  isForgotten: boolean;
}

const NEWEST = Number.MAX_SAFE_INTEGER;

/** Is stored in place of changes whose values are no longer kept. */
export const FORGOTTEN = "";

/** A write's `operations` is the sum of those that its entries have. The numbers are stored. */
export const OPERATION_BITS: Record<Operation, number> = { created: 1, updated: 2, deleted: 4, restored: 8, erased: 16 };

/** The columns of who did it, as toPrincipal reads them. */
export const PRINCIPAL = "p.type, p.id AS who, coalesce(u.name, nullif(k.name, ''), p.id) AS name";

/** The columns of an entry, in the order that toEntry reads; `h` is the history, `w` the writes. */
export const ENTRY = `h.write, w.collection, h.id, h.version, w.at, h.operation, w.source, w.run, h.changes, h.warnings,
  CASE WHEN w.source = 'merge' AND h.operation = 'deleted' THEN (SELECT m.survivor FROM merges m
    WHERE m.collection = w.collection AND m.id = h.id AND m.merge = w.run) END AS merged_into, ${PRINCIPAL}`;

/** Says who made the entry, by the names that they have now. */
export const WITH_NAMES = `LEFT JOIN principals p ON p.number = w.by LEFT JOIN keys k ON p.type = 'key' AND k.id = p.id
  LEFT JOIN users u ON p.type = 'user' AND u.id = p.id`;

export function toEntry(cells: readonly Cell[]): StoredEntry {
  const [write, collection, id, version, at, operation, source, run, changes, warnings, mergedInto, ...by] = cells;
  return {
    write: Number(write),
    collection: String(collection),
    id: Number(id),
    version: Number(version),
    at: new Date(Number(at)).toISOString(),
    operation: operation as Operation,
    by: toPrincipal(by),
    source: { type: source as SourceType, run: run as string | null },
    changes: changes === null ? null : toFieldChanges(String(changes)),
    isForgotten: changes === FORGOTTEN,
    ...(warnings !== null && { acknowledged: JSON.parse(String(warnings)) as string[] }),
    ...(mergedInto !== null && { mergedInto: Number(mergedInto) }),
  };
}

export function toPrincipal([type, id, name]: readonly Cell[]): Principal | null {
  return type === null ? null : ({ type, id, name } as Principal);
}

/** Writes a value as a deletion keeps it: an array stands for the two values of a change there, so that several values are an object. */
export function keptValue(value: unknown): unknown {
  return Array.isArray(value) ? { list: value } : value;
}

/** Returns the value that `keptValue` has kept. */
export function valueKept(kept: unknown): unknown {
  return typeof kept === "object" && kept !== null && "list" in kept ? kept.list : kept;
}

/** Returns stored changes with both values of each field. Of a deleted record its values are stored, as `keptValue` has them. */
export function toFieldChanges(text: string): FieldChanges {
  if (text === FORGOTTEN) return {};
  const stored = JSON.parse(text) as Record<string, unknown>;
  const pairs = Object.entries(stored).map(([name, value]) => [name, Array.isArray(value) ? value : [valueKept(value), null]]);
  return Object.fromEntries(pairs);
}

/**
 * Lists the entries of a record below a version, newest first. Whoever goes through all of them names the last `write` that was read: only that
 * is found in the index, and a record may have a hundred thousand versions.
 */
export function* listEntries(collection: string, id: number, before: number, limit: number, write = NEWEST): Script<StoredEntry[]> {
  const sql = `SELECT ${ENTRY} FROM history h JOIN writes w ON w.number = h.write ${WITH_NAMES}
    WHERE h.id = $1 AND w.collection = $2 AND h.version < $3 AND h.write < $5 ORDER BY h.write DESC LIMIT $4`;
  return (yield* ask(sql, id, collection, before, limit, write)).rows.map(toEntry);
}

/** A change of a record, as it is stored, without who made it. `changes`: JSON, see entryOf; null for a record that was new; FORGOTTEN. */
export interface LaterChange {
  id: number;
  write: number;
  version: number;
  changes: string | null;
}

/** The changes of records of a collection from a write on, in the order of ids and writes, after a place in that order. */
export interface LaterQuery {
  collection: string;
  ids: readonly number[];
  from: number;
  after: { id: number; write: number };
  limit: number;
}

/** Reads the changes of many records at once: they say what the records were at any of their versions. */
export function* readLater({ collection, ids, from, after, limit }: LaterQuery): Script<LaterChange[]> {
  const sql = `SELECT h.id, h.write, h.version, h.changes FROM history h JOIN writes w ON w.number = h.write
    WHERE h.id IN (${placesFor(ids, 7)}) AND w.collection = $1 AND h.write >= $2 AND h.id >= $3 AND (h.id > $4 OR h.write > $5)
    ORDER BY h.id, h.write LIMIT $6`;
  const { rows } = yield* ask(sql, collection, from, after.id, after.id, after.write, limit, ...padded(ids));
  return rows.map(([id, write, version, changes]) => ({
    id: Number(id),
    write: Number(write),
    version: Number(version),
    changes: changes as string | null,
  }));
}

/** Lists in statements have one of these lengths, so that there are few statements. */
const LENGTHS = [1, 10, 100, 1_001];

/** Returns the list, with its last value repeated, so that it has one of a few lengths. */
export function padded<Cell>(values: readonly Cell[]): Cell[] {
  const length = LENGTHS.find((one) => one >= values.length) ?? values.length;
  return Array.from({ length }, (_, i) => values[i] ?? (values.at(-1) as Cell));
}

/** Writes the places in a statement of a list that is padded, whose numbers begin with `first`. */
export function placesFor(values: readonly unknown[], first: number): string {
  return padded(values)
    .map((_, i) => `$${i + first}`)
    .join(", ");
}

/** A place in the list of deleted records. */
export interface DeletedPlace {
  /** ms since 1970 */
  deletedAt: number;
  id: number;
}

/** Deletions, the latest first. */
export interface ListedDeletions {
  entries: StoredEntry[];
  /** Says where to go on; null: there is no more. A caller who may not see all of them may get fewer entries than were asked for, or none. */
  rest: DeletedPlace | null;
}

/**
 * Lists the deletions of records that are deleted now, after a place. Those whose values are not kept, and records that are part of others,
 * are left out.
 */
export function* listDeletions(collection: string, after: DeletedPlace | null, limit: number): Script<ListedDeletions> {
  const { deletedAt, id } = after ?? { deletedAt: Number.MAX_SAFE_INTEGER, id: 0 };
  const sql = `SELECT ${ENTRY} FROM tombstones t JOIN history h ON h.id = t.id AND h.version = t.version AND h.operation = 'deleted'
    JOIN writes w ON w.number = h.write AND w.collection = t.collection ${WITH_NAMES}
    WHERE t.collection = $1 AND h.changes <> '' AND (t.deleted_at, t.id) < ($2, $3)
      AND NOT EXISTS (SELECT 1 FROM merges m WHERE m.collection = t.collection AND m.id = t.id AND m.apart_at IS NULL)
    ORDER BY t.deleted_at DESC, t.id DESC LIMIT $4`;
  const entries = (yield* ask(sql, collection, deletedAt, id, limit)).rows.map(toEntry);
  const last = entries.length === limit ? entries.at(-1) : undefined;
  return { entries, rest: last ? placeOfDeletion(last) : null };
}

export function placeOfDeletion({ at, id }: Pick<StoredEntry, "at" | "id">): DeletedPlace {
  return { deletedAt: Date.parse(at), id };
}

/** Says when and by whom a deleted record was made. `version`: that of its deletion. */
export interface StoredOrigin {
  id: number;
  version: number;
  createdAt: string;
  createdBy: Principal | null;
}

/** Reads it for those of these records that are deleted. A tombstone of an earlier version of the service does not know it. */
export function* readOrigins(collection: string, ids: readonly number[]): Script<StoredOrigin[]> {
  if (ids.length === 0) return [];
  const sql = `SELECT t.id, t.version, t.created_at, ${PRINCIPAL} FROM tombstones t LEFT JOIN principals p ON p.number = t.created_by
    LEFT JOIN keys k ON p.type = 'key' AND k.id = p.id LEFT JOIN users u ON p.type = 'user' AND u.id = p.id
    WHERE t.collection = $1 AND t.created_at IS NOT NULL AND t.id IN (${placesFor(ids, 2)})`;
  const { rows } = yield* ask(sql, collection, ...padded(ids));
  return rows.map(([id, version, at, ...by]) => {
    const createdAt = new Date(Number(at)).toISOString();
    return { id: Number(id), version: Number(version), createdAt, createdBy: toPrincipal(by) };
  });
}

export const GONE = "gone "; // begins the rows of the settings that have the names of collections without a table

/** Reads the names of collections that are no longer in the dictionary, and of which the history knows. */
export function* readGone(): Script<string[]> {
  const { rows } = yield* ask("SELECT name FROM settings WHERE name LIKE $1", `${GONE}%`);
  return rows.map(([name]) => String(name).slice(GONE.length));
}
