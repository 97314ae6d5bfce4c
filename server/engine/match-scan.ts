// Finds pairs of records that may be the same, in small steps: all of a collection, and those that have changed since.

import { type ComparedRecord, compareRecords } from "../../core/dictionary/compare-records.ts";
import { keysOf, MOST_SHARING } from "../../core/dictionary/match-keys.ts";
import { padded, placesFor } from "../history/store/reads.ts";
import {
  addTo,
  type ComparedRecords,
  findByKeys,
  insertRows,
  type MatchedTable,
  readRecords,
  readRecordsAfter,
} from "./matched-records.ts";
import { ask, lockByName, type Script } from "./script/script.ts";

/** Says how far a collection is compared. It stands in the settings. Times in ms since 1970. */
export interface Scan {
  collection: string;
  /** The version of the dictionary by which it is compared. */
  version: number;
  /** Says what is compared: with another text the scan begins anew. */
  compared: string;
  /** First the pairs of before go, then each record gets its keys, then those that share keys are compared. */
  phase: "clear" | "keys" | "pairs" | "done";
  /** The last record, or the last key, that was looked at in this phase. */
  after: number | null;
  /** How many records have their keys by now, and how many there were at the beginning. */
  seen: number;
  total: number;
  /** The changes after this cursor of the feed have not been looked at. */
  cursor: string;
  /** When a step was taken last. It rises with each. */
  touchedAt: number;
}

/** A record that has changed. `isCompared`: in what is compared, or it was deleted. `at`: ms since 1970. */
export interface ChangedRecord {
  id: number;
  at: number;
  isCompared: boolean;
}

const ROW = "matching";
const CLEARED_AT_ONCE = 2_000; // rows
const RECORDS_AT_ONCE = 300; // so long others wait for their writes
const KEYS_AT_ONCE = 800;
const LOWEST = Number.MIN_SAFE_INTEGER;

function* readScan(collection: string): Script<Scan | undefined> {
  const { rows } = yield* ask("SELECT value FROM settings WHERE name = $1", `${ROW} ${collection}`);
  return rows[0] && (JSON.parse(Buffer.from(rows[0][0] as Uint8Array).toString()) as Scan);
}

/** Runs `work` unless another process has taken a step since `scan` was read, and keeps what it returns. */
function* inTurn(scan: Pick<Scan, "collection" | "touchedAt">, work: () => Script<Omit<Scan, "touchedAt">>): Script<Scan | undefined> {
  yield* lockByName("turn of matching");
  const stored = yield* readScan(scan.collection);
  if ((stored?.touchedAt ?? 0) !== scan.touchedAt) return undefined;
  const next: Scan = { ...(yield* work()), touchedAt: Math.max(Date.now(), scan.touchedAt + 1) };
  const sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  yield* ask(sql, `${ROW} ${scan.collection}`, Buffer.from(JSON.stringify(next)));
  return next;
}

/** Begins anew. `scan.touchedAt`: of the scan before, or 0. */
function* beginScan(scan: Scan): Script<Scan | undefined> {
  return yield* inTurn(scan, function* () {
    yield* ask("SELECT 1");
    return scan;
  });
}

/** One step of the scan. */
function* scanStep(matched: MatchedTable, scan: Scan): Script<Scan | undefined> {
  const steps = { clear: clearPairs, keys: addKeys, pairs: comparePairs };
  const { phase } = scan;
  return phase === "done" ? scan : yield* inTurn(scan, () => steps[phase](matched, scan));
}

function* clearPairs({ name }: MatchedTable, scan: Scan): Script<Scan> {
  const beyond = `SELECT a FROM duplicate_pairs WHERE collection = $1 ORDER BY a, b LIMIT 1 OFFSET ${CLEARED_AT_ONCE}`;
  const last = (yield* ask(beyond, name)).rows[0]?.[0];
  if (last === undefined) {
    yield* ask("DELETE FROM duplicate_pairs WHERE collection = $1", name);
    return { ...scan, phase: "keys", after: null };
  }
  yield* ask("DELETE FROM duplicate_pairs WHERE collection = $1 AND a <= $2", name, last);
  return scan;
}

function* addKeys(matched: MatchedTable, scan: Scan): Script<Scan> {
  const after = scan.after ?? LOWEST;
  const records = yield* readRecordsAfter(matched, after, RECORDS_AT_ONCE);
  const isEnd = records.size < RECORDS_AT_ONCE;
  const last = isEnd ? Number.MAX_SAFE_INTEGER : ([...records.keys()].at(-1) as number);
  yield* ask("DELETE FROM match_keys WHERE collection = $1 AND id > $2 AND id <= $3", matched.name, after, last);
  yield* insertKeys(matched, records);
  return { ...scan, seen: scan.seen + records.size, ...(isEnd ? { phase: "pairs", after: null } : { after: last }) };
}

function* insertKeys(matched: MatchedTable, records: ComparedRecords): Script<void> {
  const rows = [...records].flatMap(([id, record]) => keysOf(matched.match, record).map((key) => [matched.name, id, key]));
  yield* insertRows("match_keys (collection, id, key)", rows, "ON CONFLICT DO NOTHING");
}

/** Compares the records that share one of the next keys. */
function* comparePairs(matched: MatchedTable, scan: Scan): Script<Scan> {
  const sql = `SELECT key, id FROM match_keys WHERE collection = $1 AND key > $2 ORDER BY key, id LIMIT ${KEYS_AT_ONCE}`;
  const { rows } = yield* ask(sql, matched.name, scan.after ?? LOWEST);
  const byKey = new Map<number, number[]>();
  for (const [key, id] of rows) addTo(byKey, Number(key), Number(id));
  const isEnd = rows.length < KEYS_AT_ONCE;
  const [key, ids] = [...byKey].at(-1) ?? [];
  // The last key may have more records than were read: it is read again, unless it has too many already.
  if (!isEnd && key !== undefined && ids && ids.length <= MOST_SHARING) byKey.delete(key);
  const groups = [...byKey.values()].filter(({ length }) => length > 1 && length <= MOST_SHARING);
  const records = yield* readRecords(matched, [...new Set(groups.flat())]);
  yield* keepPairs(matched, records, groups.flatMap(pairsOf));
  return { ...scan, ...(isEnd ? { phase: "done", after: null } : { after: [...byKey.keys()].at(-1) ?? scan.after }) };
}

type Pair = readonly [a: number, b: number];

function pairsOf(ids: readonly number[]): Pair[] {
  return ids.flatMap((one, i) => ids.slice(i + 1).map((other): Pair => (one < other ? [one, other] : [other, one])));
}

/** Keeps those of the pairs that are, or may be, the same. */
function* keepPairs({ name, match }: MatchedTable, records: ComparedRecords, pairs: readonly Pair[]): Script<void> {
  const rows = new Map<string, (string | number)[]>();
  for (const [a, b] of pairs) {
    const [one, other] = [records.get(a), records.get(b)];
    if (!one || !other || rows.has(`${a} ${b}`)) continue;
    const { level, score } = compareRecords(match, one, other);
    if (level) rows.set(`${a} ${b}`, [name, a, b, -Math.round(score * 100)]);
  }
  const replace = "ON CONFLICT (collection, a, b) DO UPDATE SET place = excluded.place";
  yield* insertRows("duplicate_pairs (collection, a, b, place)", [...rows.values()], replace);
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
  for (const [table, column] of [
    ["match_keys", "id"],
    ["duplicate_pairs", "a"],
    ["duplicate_pairs", "b"],
  ] as const)
    yield* ask(`DELETE FROM ${table} WHERE collection = $1 AND ${column} IN (${placesFor(ids, 2)})`, name, ...padded(ids));
  const changed = yield* readRecords(matched, ids);
  yield* insertKeys(matched, changed);
  const keys = new Map<number, readonly number[]>([...changed].map(([id, record]) => [id, keysOf(match, record)]));
  const found = yield* findByKeys(name, [...new Set([...keys.values()].flat())]);
  const pairs = [...keys].flatMap(([id, own]) =>
    own.flatMap((key) => found.get(key) ?? []).flatMap((other) => (other === id ? [] : pairsOf([id, other]))),
  );
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

/** One step of forgetting what was found in a collection that is not compared any more. False when nothing is left to do. */
function* forgetScan(collection: string): Script<boolean> {
  for (const [table, column] of [
    ["duplicate_pairs", "a"],
    ["match_keys", "id"],
  ] as const) {
    const beyond = `SELECT ${column} FROM ${table} WHERE collection = $1 ORDER BY ${column} LIMIT 1 OFFSET ${CLEARED_AT_ONCE}`;
    const last = (yield* ask(beyond, collection)).rows[0]?.[0];
    if (last !== undefined) {
      yield* ask(`DELETE FROM ${table} WHERE collection = $1 AND ${column} <= $2`, collection, last);
      return true;
    }
    yield* ask(`DELETE FROM ${table} WHERE collection = $1`, collection);
  }
  yield* ask("DELETE FROM settings WHERE name = $1", `${ROW} ${collection}`);
  return false;
}

/** The collections that were compared once. */
function* listScans(): Script<string[]> {
  const { rows } = yield* ask(`SELECT name FROM settings WHERE name LIKE '${ROW} %'`);
  return rows.map(([name]) => String(name).slice(ROW.length + 1));
}

export const SCAN_READS = { readScan, listScans };
export const SCAN_WRITES = { beginScan, scanStep, followChanges, forgetScan };
