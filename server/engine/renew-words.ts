// Renews words after labels or formats of fields have changed, in small steps, and versions after a restore.
// Starts soon afterwards look once more at what was written meanwhile, which a process with the dictionary before may have done.

import { createHash } from "node:crypto";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { type Cell, columnOf, columnsOf, isFolded, tableOf, toValue, VERSION_AT } from "./columns.ts";
import { firstAssignedId } from "./plan-write.ts";
import { ask, type Script } from "./script/script.ts";
import { isDate, searchedFields, searchWords } from "./search-words.ts";

const AT_ONCE = 200; // records of one step

/** Stands after a record: says when it was changed (ms since 1970), and its key. */
type Place = readonly [at: number, id: number];

const BEGINNING: Place = [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Stands in the settings for a collection. */
interface Mark {
  labels: string;
  /** Marks how far the words are renewed, in the order of the last changes; null when all are. */
  after: Place | null;
  recheck: Recheck;
}

/** Times in ms since 1970. */
export interface Recheck {
  /** What was changed since is not yet looked at again. */
  since: number;
  /** The processes with the dictionary before have ended by then. */
  until: number;
}

/** Bounds, in ms, how long the processes with the dictionary before may go on, where several use a store. */
export const OLD_PROCESSES_END = 7 * 24 * 3_600_000;
const CLOCKS_DIFFER = 3_600_000; // ms, together with how long a write may take

/** `othersEnd`: for how long others may go on to write by the dictionary before, in ms. */
export function beginRecheck(othersEnd: number, now = Date.now()): Recheck {
  return { since: now, until: now + othersEnd };
}

/** Says at a later start from when on to look again, and what to note for the next start. Undefined when it is no longer necessary. */
export function recheckAt(noted: Recheck, now = Date.now()): { from: number; next: Recheck } | undefined {
  if (noted.since >= noted.until) return undefined;
  return { from: noted.since - CLOCKS_DIFFER, next: { ...noted, since: now } };
}

/** The words that a record shall be found by, and its version when it was read. */
export interface ReadWords {
  id: number;
  version: number;
  words: string;
}

/** Stores the words of records as the engine does, of those that have not been written since they were read. */
export type StoreWords = (collection: Collection, records: readonly ReadWords[]) => Script<void>;

function markOf({ name }: Collection): string {
  return `words ${name}`;
}

/**
 * Returns the same text for the same texts, labels, phone numbers and dates, and the same ways to take them apart. Empty for a collection
 * without any, so that it needs no mark.
 */
function fingerprint({ fields }: Collection): string {
  const special = fields.flatMap((field) => [
    ...(isFolded(field) ? [[columnName(field), "zeros"]] : []),
    ...(field.allLabels ? [[columnName(field), [...field.allLabels]]] : []),
    ...(field.format === "phone" ? [[columnName(field), "dialled in any groups"]] : []),
    ...(isDate(field) ? [[columnName(field), "date"]] : []),
  ]);
  return special.length === 0 ? "" : createHash("sha256").update(JSON.stringify(special)).digest("base64");
}

function* readMark(collection: Collection): Script<Mark | undefined> {
  const value = (yield* ask("SELECT value FROM settings WHERE name = $1", markOf(collection))).rows[0]?.[0];
  return value ? (JSON.parse(new TextDecoder().decode(value as Uint8Array)) as Mark) : undefined;
}

function* putMark(collection: Collection, mark: Mark): Script<void> {
  const put = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  yield* ask(put, markOf(collection), new TextEncoder().encode(JSON.stringify(mark)));
}

/**
 * Runs in the transaction of a start, or of another dictionary. Says whether there are words to renew. Writes nothing where the labels have
 * long been as they are. `othersEnd` as in beginRecheck: 0 where nobody else has the store open.
 */
export function* beginRenewal(collections: readonly Collection[], othersEnd: number): Script<boolean> {
  let isNeeded = false;
  for (const collection of collections) {
    const [labels, mark] = [fingerprint(collection), yield* readMark(collection)];
    if ((mark?.labels ?? "") !== labels) yield* putMark(collection, { labels, after: BEGINNING, recheck: beginRecheck(othersEnd) });
    else if (!mark) continue;
    else if (mark.after === null) {
      const again = recheckAt(mark.recheck);
      if (!again) continue;
      yield* putMark(collection, { labels, after: [again.from, Number.MIN_SAFE_INTEGER], recheck: again.next });
    }
    isNeeded = true;
  }
  return isNeeded;
}

/** All words of the collection are renewed when the next dictionary comes: values were taken out of its records. */
export function* renewAll(collection: Collection): Script<void> {
  yield* putMark(collection, { labels: fingerprint(collection), after: BEGINNING, recheck: beginRecheck(OLD_PROCESSES_END) });
}

/**
 * Takes one step, in a transaction of its own. False when nothing is left to do. Several processes take turns: the first statement that
 * writes makes the others wait. A process with another dictionary begins anew; then this one has nothing left to do.
 */
export function* renewWords(collections: readonly Collection[], store: StoreWords): Script<boolean> {
  for (const collection of collections) {
    if (!(yield* isPending(collection))) continue;
    yield* ask("UPDATE settings SET value = value WHERE name = $1", markOf(collection));
    const mark = yield* readMark(collection); // another process may have gone on meanwhile
    if (mark && (yield* isPending(collection))) yield* renewSome(collection, mark, store);
    return true;
  }
  return false;
}

function* isPending(collection: Collection): Script<boolean> {
  const mark = yield* readMark(collection);
  return mark !== undefined && mark.after !== null && mark.labels === fingerprint(collection);
}

function* renewSome(collection: Collection, mark: Mark, store: StoreWords): Script<void> {
  const key = columnOf(collection.key);
  const [at, id] = mark.after ?? BEGINNING;
  const sql = `SELECT ${columnsOf(collection)}, "updatedAt", ${key} FROM ${tableOf(collection)} WHERE ("updatedAt", ${key}) > ($1, $2)
    ORDER BY "updatedAt", ${key} LIMIT ${AT_ONCE}`;
  const { rows } = yield* ask(sql, at, id);
  const searched = searchedFields(collection);
  const read = (rows as readonly (readonly Cell[])[]).map((row) => {
    const record = Object.fromEntries(collection.fields.map(({ name, kind }, at) => [name, toValue(kind, row[at] ?? null)]));
    const version = Number(row[collection.fields.length + VERSION_AT]);
    return { id: Number(row.at(-1)), version, words: searchWords(searched, record) };
  });
  if (read.length > 0) yield* store(collection, read);
  const last = rows.at(-1);
  yield* putMark(collection, { ...mark, after: last && rows.length === AT_ONCE ? [Number(last.at(-2)), Number(last.at(-1))] : null });
}

const ID_JUMP = 1_000_000; // more than were assigned since the copy was made
/** Says by how much the versions of records rise when a store comes back from a copy. */
export const VERSION_JUMP = 100_000; // more changes than a record had since then

/**
 * The records that were lost had ids and versions, and clients still have them. So that none of their ETags means another record or another state, all
 * versions rise, and ids are assigned from further on; not where the key has no room for that. `raiseVersions`: the engine's statement.
 */
export function* leaveOldNames(collections: readonly Collection[], raiseVersions: (table: string, by: number) => string): Script<void> {
  for (const { name, key } of collections) {
    yield* ask(raiseVersions(tableOf({ name }), VERSION_JUMP));
    const [first, last] = [firstAssignedId(key), Number(key.maximum ?? Number.MAX_SAFE_INTEGER)];
    const next = "INSERT INTO sequences (collection, next) VALUES ($1, $2) ON CONFLICT (collection)";
    const jump = `${next} DO UPDATE SET next = sequences.next + $3 WHERE sequences.next + $3 < $4`;
    if (first + 2 * ID_JUMP < last) yield* ask(jump, name, first + ID_JUMP, ID_JUMP, last);
  }
  for (const table of ["tombstones", "history"]) yield* ask(raiseVersions(table, VERSION_JUMP));
}
