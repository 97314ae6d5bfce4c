// Finds which content records and their history name, in small steps that both engines run.

import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import { columnOf, tableOf } from "./columns.ts";
import { ask, type Script } from "./script/script.ts";

const RECORDS = 2_000; // of one step
const ENTRIES = 5_000; // of the history, of one step and those of one write more

const HASHES = /, sha256 ([0-9a-f]{64})\)/g;

/** A column of files, and the key of its table. */
interface FileColumn {
  collection: string;
  column: string;
  key: string;
}

/** A place after which the search goes on: first through the records of each column, then through the history from its beginning. */
export type NamesPlace = { phase: "records"; column: FileColumn; rest: FileColumn[]; after: number } | { phase: "history"; after: number };

export interface NamesStep {
  hashes: string[];
  /** Is undefined at the end. */
  next: NamesPlace | undefined;
}

/**
 * Takes one step. Records come before the history and that goes to its newest entry: a value that moves to another record while the steps are
 * made stands there in an entry that comes later. `place`: undefined at the beginning.
 */
function* readNames(place: NamesPlace | undefined): Script<NamesStep> {
  if (!place) return { hashes: [], next: placeBefore(yield* fileColumns()) };
  return place.phase === "records" ? yield* inRecords(place) : yield* inHistory(place.after);
}

/** Returns the place before the records of these columns, or before the history where there are none. */
function placeBefore([column, ...rest]: readonly FileColumn[]): NamesPlace {
  return column ? { phase: "records", column, rest, after: Number.MIN_SAFE_INTEGER } : { phase: "history", after: 0 };
}

/** Lists the columns of retired collections and fields, too. */
function* fileColumns(): Script<FileColumn[]> {
  const { rows } = yield* ask("SELECT collection, name, kind, is_key FROM fields ORDER BY collection, name");
  const keys = new Map(rows.filter(([, , , isKey]) => Number(isKey) === 1).map(([collection, name]) => [collection, String(name)]));
  return rows
    .filter(([, , kind]) => KIND_TRAITS[kind as Kind]?.isFile) // a newer version may have stored other kinds
    .map(([collection, name]) => ({ collection: String(collection), column: String(name), key: keys.get(collection as string) ?? "" }));
}

function* inRecords({ column: own, rest, after }: NamesPlace & { phase: "records" }): Script<NamesStep> {
  const [table, key, column] = [tableOf({ name: own.collection }), columnOf({ name: own.key }), columnOf({ name: own.column })];
  const sql = `SELECT ${key}, ${column} FROM ${table} WHERE ${key} > $1 AND ${column} IS NOT NULL ORDER BY ${key} LIMIT ${RECORDS}`;
  const { rows } = yield* ask(sql, after);
  const hashes = rows.flatMap(([, value]) => hashesIn(value));
  if (rows.length === RECORDS) return { hashes, next: { phase: "records", column: own, rest, after: Number(rows.at(-1)?.[0]) } };
  return { hashes, next: placeBefore(rest) };
}

function* inHistory(after: number): Script<NamesStep> {
  const some = `SELECT write FROM history WHERE write > $1 ORDER BY write LIMIT ${ENTRIES}`;
  const last = (yield* ask(`SELECT max(write) FROM (${some}) part`, after)).rows[0]?.[0];
  if (last === null || last === undefined) return { hashes: [], next: undefined };
  const sql = "SELECT changes FROM history WHERE write > $1 AND write <= $2 AND changes LIKE '%, sha256 %'";
  const { rows } = yield* ask(sql, after, Number(last));
  return { hashes: rows.flatMap(([changes]) => hashesIn(changes)), next: { phase: "history", after: Number(last) } };
}

function hashesIn(value: unknown): string[] {
  return [...String(value ?? "").matchAll(HASHES)].map(([, hash = ""]) => hash);
}

export const CONTENT_NAME_SCRIPTS = { reads: { readNames }, writes: {} };
