// Finds pairs of records that may be the same, in small steps: all of a collection, and those that have changed since.

import { type ComparedRecord, compareRecords } from "../../core/dictionary/compare-records.ts";
import { keysOf, MOST_SHARING, NUMBER_OF_KEYS } from "../../core/dictionary/match-keys.ts";
import { addKeys, forgetKeys, type KeyOfRecord, keepKeysOf, keysAfter } from "./match-keys.ts";
import { addTo, type ComparedRecords, deleteOf, findByKeys, type MatchedTable, readRecords, readRecordsAfter } from "./matched-records.ts";
import { ask, insertRows, lockByName, type Script } from "./script/script.ts";

/** Says how far a collection is compared. It stands in the settings. Times in ms since 1970. */
export interface Scan {
  collection: string;
  /** The version of the dictionary by which it is compared. */
  version: number;
  /** Says what is compared: with another text the scan begins anew. */
  compared: string;
  /** First what was found before goes, then the keys of each record are noted, then they are sorted, and those that share keys compared. */
  phase: "clear" | "keys" | "pairs" | "done";
  /** The last record whose keys were noted, or how many slices of the keys are done. */
  after: number | null;
  /** Counts the records that have been looked at by now, their keys, and the records that there were at the beginning. */
  seen: number;
  keys: number;
  total: number;
  /** The changes after this cursor of the feed have not been looked at. */
  cursor: string;
  /** Says when a step was taken last. It rises with each. */
  touchedAt: number;
}

/** A record that has changed. `isCompared`: in what is compared, or it was deleted. `at`: ms since 1970. */
export interface ChangedRecord {
  id: number;
  at: number;
  isCompared: boolean;
}

const ROW = "matching";
const TURN = "turn of matching";
const CLEARED_AT_ONCE = 2_000; // rows
const RECORDS_AT_ONCE = 1_000; // so long others wait for their writes
const KEYS_IN_A_SLICE = 2_000;
const LOWEST = Number.MIN_SAFE_INTEGER;

function* readScan(collection: string): Script<Scan | undefined> {
  const { rows } = yield* ask("SELECT value FROM settings WHERE name = $1", `${ROW} ${collection}`);
  return rows[0] && (JSON.parse(Buffer.from(rows[0][0] as Uint8Array).toString()) as Scan);
}

/** Runs `work` unless another process has taken a step since `scan` was read, and keeps what it returns. */
function* inTurn(scan: Pick<Scan, "collection" | "touchedAt">, work: () => Script<Omit<Scan, "touchedAt">>): Script<Scan | undefined> {
  yield* lockByName(TURN);
  const stored = yield* readScan(scan.collection);
  if ((stored?.touchedAt ?? 0) !== scan.touchedAt) return undefined;
  return yield* keepScan(yield* work(), scan.touchedAt);
}

function* keepScan(scan: Omit<Scan, "touchedAt">, before: number): Script<Scan> {
  const next: Scan = { ...scan, touchedAt: Math.max(Date.now(), before + 1) };
  const sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  yield* ask(sql, `${ROW} ${scan.collection}`, Buffer.from(JSON.stringify(next)));
  return next;
}

/** Serves a transaction that takes keys away before the feed tells of it: whoever has read them, to sort them, reads them anew. */
export function* interruptScan(collection: string): Script<void> {
  yield* lockByName(TURN);
  const scan = yield* readScan(collection);
  if (scan?.phase === "pairs") yield* keepScan(scan, scan.touchedAt);
}

/** Begins anew. `scan.touchedAt`: of the scan before, or 0. */
function* beginScan(scan: Scan): Script<Scan | undefined> {
  return yield* inTurn(scan, function* () {
    yield* ask("SELECT 1");
    return scan;
  });
}

/** Takes one step of the first two phases: what was found before goes, or the keys of some more records are noted. */
function* noteStep(matched: MatchedTable, scan: Scan): Script<Scan | undefined> {
  return yield* inTurn(scan, () => (scan.phase === "clear" ? clear(scan) : noteKeys(matched, scan)));
}

function* clear(scan: Scan): Script<Scan> {
  return (yield* clearSome(scan.collection)) ? scan : { ...scan, phase: "keys", after: null };
}

function* noteKeys(matched: MatchedTable, scan: Scan): Script<Scan> {
  const records = yield* readRecordsAfter(matched, scan.after ?? LOWEST, RECORDS_AT_ONCE);
  const keys = new Map([...records].map(([id, record]) => [id, keysOf(matched.match, record)] as const));
  yield* keepKeysOf(matched.name, keys);
  const next = { ...scan, seen: scan.seen + records.size, keys: scan.keys + [...keys.values()].flat().length };
  if (records.size < RECORDS_AT_ONCE) return { ...next, phase: "pairs", after: 0 };
  return { ...next, after: [...records.keys()].at(-1) as number };
}

/** Returns into how many slices all keys are cut, none of which has many records unless they share a key. */
export function slicesOf({ keys }: Pick<Scan, "keys">): number {
  return Math.max(1, Math.ceil(keys / KEYS_IN_A_SLICE));
}

/** Returns how many keys, taken or not, a slice of these is wide. */
export function widthOf(scan: Pick<Scan, "keys">): number {
  return Math.ceil(NUMBER_OF_KEYS / slicesOf(scan));
}

/** Adds records with their keys to those of a slice. With the last of them those that share a key are compared, and the slice is done. */
function* addToSlice(matched: MatchedTable, scan: Scan, rows: readonly KeyOfRecord[], isLast: boolean): Script<Scan | undefined> {
  return yield* inTurn(scan, function* () {
    const slice = scan.after ?? 0;
    const range = { from: slice * widthOf(scan), to: (slice + 1) * widthOf(scan) };
    const known = isLast ? yield* keysBetween(matched.name, range) : undefined;
    if (!known) yield* addKeys(matched.name, rows);
    if (!isLast) return scan;
    const added = known ? without(rows, known) : [];
    const groups = groupsOf(known ? [...known, ...added] : yield* sharedBetween(matched.name, range));
    const records = yield* readRecords(matched, [...new Set(groups.flat())]);
    yield* addKeys(matched.name, added, ""); // PostgreSQL inserts them while the records are compared
    yield* keepPairs(matched, records, groups);
    return slice + 1 < slicesOf(scan) ? { ...scan, after: slice + 1 } : { ...scan, phase: "done", after: null };
  });
}

interface Range {
  from: number;
  to: number;
}

const MOST_KNOWN = 2 * KEYS_IN_A_SLICE;

/** Reads the keys of a slice by which records are found already, as those that have changed. Undefined for a slice that is full of one key. */
function* keysBetween(collection: string, { from, to }: Range): Script<KeyOfRecord[] | undefined> {
  const sql = `SELECT key, id FROM match_keys WHERE collection = $1 AND key >= $2 AND key < $3 LIMIT ${MOST_KNOWN + 1}`;
  const { rows } = yield* ask(sql, collection, from, to);
  return rows.length > MOST_KNOWN ? undefined : rows.map(([key, id]) => [Number(key), Number(id)]);
}

function* sharedBetween(collection: string, { from, to }: Range): Script<KeyOfRecord[]> {
  const shared = `SELECT key FROM match_keys WHERE collection = $1 AND key >= $2 AND key < $3
    GROUP BY key HAVING count(*) BETWEEN 2 AND ${MOST_SHARING}`;
  const sql = `SELECT key, id FROM match_keys WHERE collection = $4 AND key IN (${shared})`;
  return (yield* ask(sql, collection, from, to, collection)).rows.map(([key, id]) => [Number(key), Number(id)]);
}

function without(rows: readonly KeyOfRecord[], known: readonly KeyOfRecord[]): readonly KeyOfRecord[] {
  const texts = new Set(known.map(String));
  return texts.size === 0 ? rows : rows.filter((row) => !texts.has(String(row)));
}

/** Returns the records that share a key, for each key, unless it has too many. */
function groupsOf(rows: readonly KeyOfRecord[]): number[][] {
  const byKey = new Map<number, number[]>();
  for (const [key, id] of rows) addTo(byKey, key, id);
  return [...byKey.values()].filter(({ length }) => length >= 2 && length <= MOST_SHARING);
}

/** Compares the records of each group with each other, and keeps those that are, or may be, the same. Two of them may share several groups. */
function* keepPairs({ name, match }: MatchedTable, records: ComparedRecords, groups: readonly (readonly number[])[]): Script<void> {
  const cells = new Map<string, readonly number[]>();
  for (const ids of groups)
    for (const [i, a] of ids.entries()) {
      const one = records.get(a);
      if (!one) continue;
      for (let k = i + 1; k < ids.length; k++) {
        const b = ids[k] as number;
        const other = records.get(b);
        if (!other) continue;
        const { level, score } = a < b ? compareRecords(match, one, other) : compareRecords(match, other, one);
        if (!level) continue;
        const pair = a < b ? [a, b] : [b, a];
        cells.set(pair.join(), [...pair, -Math.round(score * 100)]);
      }
    }
  // Most have been found by another key already: such a row is not written again.
  const onConflict = "ON CONFLICT (collection, a, b) DO UPDATE SET place = excluded.place WHERE duplicate_pairs.place <> excluded.place";
  const rows = { of: name, types: ["bigint", "bigint", "bigint"], cells: [...cells.values()], onConflict } as const;
  yield* insertRows("duplicate_pairs (collection, a, b, place)", rows);
}

/** Compares anew what has changed, up to this cursor of the feed. */
function* followChanges(matched: MatchedTable, scan: Scan, changes: readonly ChangedRecord[], cursor: string): Script<Scan | undefined> {
  return yield* inTurn(scan, function* () {
    const ids = [...new Set(changes.flatMap(({ id, isCompared }) => (isCompared ? id : [])))];
    if (ids.length > 0) {
      yield* forgetDifferent(matched.name, changes);
      yield* compareAnew(matched, ids);
    }
    return { ...scan, cursor };
  });
}

function* compareAnew(matched: MatchedTable, ids: readonly number[]): Script<void> {
  const { name, match } = matched;
  yield* forgetKeys(name, ids);
  for (const column of ["a", "b"]) yield* deleteOf("duplicate_pairs", name, column, ids);
  const changed = yield* readRecords(matched, ids);
  const keys = new Map<number, readonly number[]>([...changed].map(([id, record]) => [id, keysOf(match, record)]));
  yield* keepKeysOf(name, keys);
  yield* addKeys(
    name,
    [...keys].flatMap(([id, own]) => own.map((key) => [key, id] as const)),
  );
  const found = yield* findByKeys(name, [...new Set([...keys.values()].flat())]);
  const sharing = [...keys].map(([id, own]) => [id, new Set(own.flatMap((key) => found.get(key) ?? []))] as const);
  const pairs = sharing.flatMap(([id, others]) => [...others].flatMap((other) => (other === id ? [] : [[id, other]])));
  const others = [...new Set(pairs.flat())].filter((id) => !changed.has(id));
  const records = new Map<number, ComparedRecord>([...changed, ...(yield* readRecords(matched, others))]);
  yield* keepPairs(matched, records, pairs);
}

/** Two records of which somebody has said that they are not the same may be the same after one of them has changed. */
function* forgetDifferent(collection: string, changes: readonly ChangedRecord[]): Script<void> {
  if ((yield* ask("SELECT 1 FROM different_records WHERE collection = $1 LIMIT 1", collection)).rows.length === 0) return;
  for (const { id, at, isCompared } of changes) {
    if (!isCompared) continue;
    for (const column of ["a", "b"])
      yield* ask(`DELETE FROM different_records WHERE collection = $1 AND ${column} = $2 AND at <= $3`, collection, id, at);
  }
}

/** Takes one step of forgetting what was found in a collection that is not compared any more. False when nothing is left to do. */
function* forgetScan(collection: string): Script<boolean> {
  if (yield* clearSome(collection)) return true;
  yield* ask("DELETE FROM settings WHERE name = $1", `${ROW} ${collection}`);
  return false;
}

/** Deletes some rows of what was found. False when there are none any more. */
function* clearSome(collection: string): Script<boolean> {
  for (const [table, column] of [
    ["duplicate_pairs", "a"],
    ["match_keys", "key"],
    ["match_records", "id"],
  ] as const) {
    const beyond = `SELECT ${column} FROM ${table} WHERE collection = $1 ORDER BY ${column} LIMIT 1 OFFSET ${CLEARED_AT_ONCE}`;
    const last = (yield* ask(beyond, collection)).rows[0]?.[0];
    if (last !== undefined) {
      yield* ask(`DELETE FROM ${table} WHERE collection = $1 AND ${column} <= $2`, collection, last);
      return true;
    }
    yield* ask(`DELETE FROM ${table} WHERE collection = $1`, collection);
  }
  return false;
}

/** Lists the collections that were compared once. */
function* listScans(): Script<string[]> {
  const { rows } = yield* ask(`SELECT name FROM settings WHERE name LIKE '${ROW} %'`);
  return rows.map(([name]) => String(name).slice(ROW.length + 1));
}

export const SCAN_READS = { readScan, listScans, keysAfter };
export const SCAN_WRITES = { beginScan, noteStep, addToSlice, followChanges, forgetScan };
