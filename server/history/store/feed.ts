// The change feed: writes in an order, and within each its records by their ids. Both engines read it so.

import type { Change, SourceType } from "../../../core/contract/history.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";
import { ENTRY, type LaterChange, type LaterQuery, padded, placesFor, type StoredEntry, toEntry, WITH_NAMES } from "./reads.ts";

export interface ReadOptions {
  /**
   * Says whose read it is, as Session.limitedAs names it. Reads take turns by owner, so that the costly ones of one owner do not delay
   * those of another.
   */
  owner?: string;
  /**
   * Is aborted when nobody waits for the answer any more. A read that waits for its turn is then not begun, and one that runs is
   * interrupted with SQLite; with PostgreSQL it runs on until it ends or READ_SECONDS are over.
   */
  signal?: AbortSignal;
}

/** Says which changes are wanted. Undefined: all of them. */
export interface FeedFilter {
  collections: readonly string[];
  /** The id of a person or a key. */
  by?: string | undefined;
  source?: SourceType | undefined;
  run?: string | undefined;
}

export type FeedEntry = StoredEntry & { cursor: string };

/** Returns a change as it is shown to others, without its values. */
export function toChange({
  write: _,
  id,
  changes: _changes,
  isForgotten: _isForgotten,
  acknowledged: _acknowledged,
  ...entry
}: FeedEntry): Change {
  return { ...entry, objectId: id };
}

export interface FeedPage {
  /** Entries of one record come in the order of its versions, and each after all that was acknowledged before it was sent. Each has the cursor from which the feed goes on after it. */
  entries: FeedEntry[];
  /** From here the same page can be read again at any time, however much has been written since. */
  begins: string;
  next: string;
  /** There may be more right now. */
  more: boolean;
}

export interface Feed {
  /** Returns another text whenever there may be more to read. It is cheap: it is asked again and again while somebody waits. */
  state(): Promise<string>;
  /** Returns the cursor after everything that can be seen now. */
  now(): Promise<string>;
  /**
   * Reads up to `limit` changes after a cursor, or from the oldest that is kept. Takes turns as `Store.list` does. Throws CursorUnknown
   * and CursorExpired.
   */
  read(after: string | undefined, filter: FeedFilter, limit: number, options?: ReadOptions): Promise<FeedPage>;
  /** Says what a page that began at `begins` had up to and with the change at the cursor `ends`. Throws as `read` does. */
  readAgain(begins: string, ends: string, filter: FeedFilter, limit: number): Promise<FeedEntry[]>;
  /** Says what became of many records, from which follows what they were before (readLater). */
  readLater(query: LaterQuery, options?: ReadOptions): Promise<LaterChange[]>;
}

/** The cursor was made by another engine, or for something else. */
export class CursorUnknown extends Error {}

/** Changes after the cursor are no longer kept, or this timeline of the store never gave it. */
export class CursorExpired extends Error {}

/** Stands after the record `id` of a write; with END after a whole write. */
export interface FeedPlace {
  write: number;
  id: number;
}

export function upTo({ write, id }: FeedPlace, entries: readonly FeedEntry[]): FeedEntry[] {
  return entries.filter((entry) => entry.write < write || (entry.write === write && entry.id <= id));
}

export const END = Number.MAX_SAFE_INTEGER;

/** Writes that one read looks through at most: with a filter that few of them meet, it answers early and without any. */
const MOST_SCANNED = 5_000;

/** Says what follows a place. `rest`: where to go on when the entries are fewer than was asked for. */
export interface Reading {
  entries: StoredEntry[];
  rest: FeedPlace;
  more: boolean;
}

/** `within`: a condition on the writes `w`, without parameters. */
export function* readWrites(from: FeedPlace, within: string, filter: FeedFilter, limit: number): Script<Reading> {
  // It reads first where the search ends: each statement sees what has been committed meanwhile.
  const scan = `SELECT count(*), max(number) FROM (SELECT number FROM writes w WHERE number >= $1 AND ${within} ORDER BY number LIMIT $2) s`;
  const [count, last] = (yield* ask(scan, from.write, MOST_SCANNED)).rows[0] ?? [];
  if (!count) return { entries: [], rest: from, more: false };
  const { numbers, isCut } = yield* findWrites(from, Number(last), within, filter, limit);
  const entries = numbers.length === 0 ? [] : yield* readEntries(from, numbers, limit);
  // An erasure that comes in between leaves fewer entries than the sizes said: then more writes follow these.
  const rest = { write: isCut ? (numbers.at(-1) as number) : Number(last), id: END };
  return { entries, rest, more: isCut || entries.length === limit || Number(count) === MOST_SCANNED };
}

interface FoundWrites {
  numbers: number[];
  /** There may be more of them. */
  isCut: boolean;
}

/** Finds the first writes that meet the filter and have, together, what is asked for. */
function* findWrites(from: FeedPlace, last: number, within: string, filter: FeedFilter, limit: number): Script<FoundWrites> {
  const { sql, parameters } = conditionOf(filter, 4);
  const first = from.id === END ? from.write + 1 : from.write;
  const select = `SELECT number, size FROM writes w WHERE number >= $1 AND number <= $2 AND ${within} AND ${sql} ORDER BY number LIMIT $3`;
  const { rows } = yield* ask(select, first, last, limit + 1, ...parameters);
  let left = limit;
  const numbers: number[] = [];
  for (const [number, size] of rows) {
    numbers.push(Number(number));
    if (number !== from.write) left -= Number(size); // of the first one a part may have been read already
    if (left <= 0) return { numbers, isCut: true };
  }
  return { numbers, isCut: rows.length > limit };
}

function* readEntries(from: FeedPlace, writes: readonly number[], limit: number): Script<StoredEntry[]> {
  const sql = `SELECT ${ENTRY} FROM history h JOIN writes w ON w.number = h.write ${WITH_NAMES}
    WHERE h.write IN (${placesFor(writes, 4)}) AND (h.write > $1 OR h.id > $2) ORDER BY h.write, h.id LIMIT $3`;
  return (yield* ask(sql, from.write, from.id, limit, ...padded(writes))).rows.map(toEntry);
}

/** Writes the filter as a condition on `w`, whose parameters are numbered from `first` on. */
function conditionOf({ collections, by, source, run }: FeedFilter, first: number): { sql: string; parameters: Cell[] } {
  const parameters: Cell[] = [];
  const place = (value: Cell) => `$${first + parameters.push(value) - 1}`;
  const conditions = [
    collections.length === 0 ? "1 = 0" : `w.collection IN (${collections.map(place).join(", ")})`,
    ...(by === undefined ? [] : [`w.by IN (SELECT p.number FROM principals p WHERE p.id = ${place(by)})`]),
    ...(source === undefined ? [] : [`w.source = ${place(source)}`]),
    ...(run === undefined ? [] : [`w.run = ${place(run)}`]),
  ];
  return { sql: conditions.join(" AND "), parameters };
}
