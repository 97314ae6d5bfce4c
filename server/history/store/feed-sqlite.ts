// The change feed of SQLite: one thread writes, so the numbers of the writes are the order of its commits.

import { ask, type Result, runScript, type Script, type Statement } from "../../engine/script/script.ts";
import {
  CursorExpired,
  CursorUnknown,
  END,
  type Feed,
  type FeedFilter,
  type FeedPage,
  type FeedPlace,
  type ReadOptions,
  readWrites,
  upTo,
} from "./feed.ts";
import type { LaterChange, LaterQuery } from "./reads.ts";
import { readSwept } from "./retention.ts";
import { readTag, TAG_PATTERN } from "./timeline.ts";

const CURSOR = new RegExp(`^s\\.(?<write>\\d{1,15})\\.(?<id>\\d{1,16})${TAG_PATTERN}$`);

/** Says where pages are read: in a thread of their own, because one of them may take long. */
export interface FeedThread {
  feedPage(after: FeedCursor | undefined, filter: FeedFilter, limit: number, options?: ReadOptions): Promise<FeedPage | "expired">;
  readLater(query: LaterQuery, options?: ReadOptions): Promise<LaterChange[]>;
}

/** `run`: reads in this thread what takes microseconds. */
export function createFeed(run: (statement: Statement) => Result, { feedPage, readLater }: FeedThread): Feed {
  const read: Feed["read"] = async (after, filter, limit, options) => {
    const page = await feedPage(after === undefined ? undefined : placeOf(after), filter, limit, options);
    if (page === "expired") throw new CursorExpired(); // no class of an error crosses between threads
    return page;
  };
  return {
    state: async () => runScript(newest(), run),
    now: async () => runScript(newest(), run),
    read,
    readAgain: async (begins, ends, filter, limit) => upTo(placeOf(ends), (await read(begins, filter, limit)).entries),
    readLater,
  };
}

function* newest(): Script<string> {
  return cursorOf({ write: yield* newestWrite(), id: END }, yield* readTag());
}

function* newestWrite(): Script<number> {
  return Number((yield* ask("SELECT coalesce(max(number), 0) FROM writes")).rows[0]?.[0]);
}

/** Returns "expired" where changes after the cursor are no longer kept, or it is of another timeline. */
export function* readFeed(given: FeedCursor | undefined, filter: FeedFilter, limit: number): Script<FeedPage | "expired"> {
  const from = given ?? { write: 0, id: END };
  const { entries, rest, more } = yield* readWrites(from, "1 = 1", filter, limit);
  const tag = yield* readTag();
  if (given && (given.tag !== tag || given.write > (yield* newestWrite()))) return "expired"; // of another timeline
  const { changes: swept } = yield* readSwept(); // afterwards, because the sweep may come while the page is read
  const isExpired = from.write < swept || (from.write === swept && from.id !== END);
  if (given && isExpired) return "expired";
  const page = entries.map((entry) => ({ ...entry, cursor: cursorOf(entry, tag) }));
  const next = (entries.length === limit && page.at(-1)?.cursor) || cursorOf(rest, tag);
  return { entries: page, begins: cursorOf(from, tag), next, more };
}

function cursorOf({ write, id }: FeedPlace, tag: string): string {
  return `s.${write}.${id}${tag}`;
}

/** A cursor that was read. */
export type FeedCursor = FeedPlace & { tag: string };

function placeOf(cursor: string): FeedCursor {
  const { write, id, tag = "" } = CURSOR.exec(cursor)?.groups ?? {};
  if (write === undefined) throw new CursorUnknown();
  return { write: Number(write), id: Number(id), tag };
}
