// The change feed of PostgreSQL, where several processes write at once.

import {
  CursorExpired,
  CursorUnknown,
  END,
  type Feed,
  type FeedFilter,
  type FeedPage,
  type FeedPlace,
  readWrites,
  upTo,
} from "../../history/store/feed.ts";
import { OLDEST_RUNNING } from "../../history/store/home-postgres.ts";
import { readLater } from "../../history/store/reads.ts";
import { readSwept, type Swept } from "../../history/store/retention.ts";
import { readTag, TAG_PATTERN, TIMELINE, timelineTagOf } from "../../history/store/timeline.ts";
import { runOn } from "../script/run-postgres.ts";
import type { ReadOptions } from "../store.ts";
import type { Query } from "./pool.ts";

/**
 * A place in the feed. Numbers of writes are drawn before the commit, so a number can become visible after a higher one. Ids of
 * transactions can, too; but once all transactions below an id have ended, nothing below it is added any more. So the feed
 * is read window by window: the writes of the transactions from `from` up to, not including, `to`, in the order of their numbers, which
 * is the order of versions for each record. A window ends before the oldest transaction that is running when it is opened: whatever
 * a later transaction wrote to a record came after all that this window has of it.
 */
interface Place extends FeedPlace {
  from: number;
  to: number;
  /** The highest number in the window. */
  last: number;
  /** The tag of the timeline. */
  tag: string;
}

const CURSOR = new RegExp(
  `^p\\.(?<from>\\d{1,15})\\.(?<to>\\d{1,15})\\.(?<last>\\d{1,15})\\.(?<write>\\d{1,15})\\.(?<id>\\d{1,16})${TAG_PATTERN}$`,
);

/** Runs `work` when it is the turn of whoever reads. */
type InTurn = <T>(options: ReadOptions | undefined, work: () => Promise<T>) => Promise<T>;

export function createFeed(read: Query, inTurn: InTurn): Feed {
  return {
    state: async () => String(await lastToRead(read)),
    async now() {
      const tag = await runOn(read, readTag());
      const { xid } = await runOn(read, readSwept());
      return cursorOf(endOf(Math.max(await lastToRead(read), xid) + 1, tag));
    },
    read: (after, filter, limit, options) => inTurn(options, () => readPage(read, after, filter, limit)),
    readLater: (query, options) => inTurn(options, () => runOn(read, readLater(query))),
    async readAgain(begins, ends, filter, limit) {
      const from = placeOf(begins);
      const { entries } = await readWindow(read, from, filter, limit);
      if (isExpired(from, await runOn(read, readSwept()))) throw new CursorExpired();
      return upTo(placeOf(ends), entries);
    },
  };
}

async function readPage(read: Query, after: string | undefined, filter: FeedFilter, limit: number): Promise<FeedPage> {
  const given = after === undefined ? undefined : placeOf(after);
  const { tag, end } = await presentOf(read);
  if (given && (given.tag !== tag || given.to > end)) throw new CursorExpired();
  const page = await readWindow(read, await openWindow(read, given ?? endOf(0, tag)), filter, limit);
  // Afterwards, because the sweep may come while the page is read.
  if (given && isExpired(given, await runOn(read, readSwept()))) throw new CursorExpired();
  return page;
}

/**
 * Reads the id of the last transaction that can be read: of those that wrote something, below all that are running. Another one whenever there
 * is more to read: a transaction that ends makes its own id, or that of one that waited behind it, the last.
 */
async function lastToRead(read: Query): Promise<number> {
  const { rows } = await read(`SELECT xid FROM writes WHERE xid < (SELECT ${OLDEST_RUNNING}) ORDER BY xid DESC LIMIT 1`, []);
  return Number(rows[0]?.[0] ?? 0);
}

/** No cursor goes further than `end`. Unlike `lastToRead` it never falls, though an erasure may remove the last write. */
async function presentOf(read: Query): Promise<{ tag: string; end: number }> {
  const { rows } = await read(`SELECT (SELECT value FROM settings WHERE name = '${TIMELINE}'), ${OLDEST_RUNNING}`, []);
  return { tag: timelineTagOf(rows[0]?.[0]), end: Number(rows[0]?.[1]) };
}

/** Everything below the transaction `to` has been read. */
function endOf(to: number, tag: string): Place {
  return { from: to, to, last: 0, write: 0, id: END, tag };
}

/** Is true where something that comes after the place has been swept away; or may have been, within a window that is read. */
function isExpired(place: Place, swept: Swept): boolean {
  return place.to <= swept.xid || (!isRead(place) && place.write < swept.changes);
}

function isRead({ write, id, last }: Place): boolean {
  return write > last || (write === last && id === END) || last === 0;
}

/** Returns the place itself, or the beginning of the next window when its own has been read. */
async function openWindow(read: Query, place: Place): Promise<Place> {
  if (!isRead(place)) return place;
  const { to: from, tag } = place;
  const to = (await lastToRead(read)) + 1;
  if (to <= from) return endOf(from, tag);
  const bounds = "SELECT coalesce(min(number), 1) - 1, coalesce(max(number), 0) FROM writes WHERE xid >= $1 AND xid < $2";
  const all = "SELECT 0, coalesce((SELECT number FROM writes WHERE xid < $1 ORDER BY number DESC LIMIT 1), 0)";
  const { rows } = from === 0 ? await read(all, [to]) : await read(bounds, [from, to]);
  return { from, to, last: Number(rows[0]?.[1]), write: Number(rows[0]?.[0]), id: END, tag };
}

async function readWindow(read: Query, place: Place, filter: FeedFilter, limit: number): Promise<FeedPage> {
  const end = cursorOf(endOf(place.to, place.tag));
  if (isRead(place)) return { entries: [], begins: end, next: end, more: false };
  const begins = cursorOf(place);
  // The sums keep the planner from reading the whole window by its transactions and sorting it for each page.
  const within = `w.number <= ${place.last} AND w.xid + 0 >= ${place.from} AND w.xid + 0 < ${place.to}`;
  const script = readWrites(place, within, filter, limit);
  const { entries, rest, more } = await runOn(read, script);
  const page = entries.map((entry) => ({ ...entry, cursor: cursorOf({ ...place, write: entry.write, id: entry.id }) }));
  const full = entries.length === limit ? page.at(-1) : undefined;
  if (full) return { entries: page, begins, next: full.cursor, more: true };
  return { entries: page, begins, next: more ? cursorOf({ ...place, ...rest }) : end, more: true };
}

function cursorOf({ from, to, last, write, id, tag }: Place): string {
  return `p.${from}.${to}.${last}.${write}.${id}${tag}`;
}

function placeOf(cursor: string): Place {
  const { from, to, last, write, id, tag = "" } = CURSOR.exec(cursor)?.groups ?? {};
  if (from === undefined) throw new CursorUnknown();
  return { from: Number(from), to: Number(to), last: Number(last), write: Number(write), id: Number(id), tag };
}
