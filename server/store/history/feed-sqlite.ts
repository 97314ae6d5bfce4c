// The change feed of SQLite: one thread writes, so the numbers of the writes are the order of its commits.

import { ask, type Result, runScript, type Script, type Statement } from "../people/script.ts";
import { CursorExpired, CursorUnknown, END, type Feed, type FeedFilter, type FeedPage, type FeedPlace, readWrites, upTo } from "./feed.ts";
import { readSwept } from "./retention.ts";
import { readTag, TAG_PATTERN } from "./timeline.ts";

const CURSOR = new RegExp(`^s\\.(?<write>\\d{1,15})\\.(?<id>\\d{1,16})${TAG_PATTERN}$`);

export function createFeed(run: (statement: Statement) => Result): Feed {
  return {
    state: async () => runScript(newest(), run),
    now: async () => runScript(newest(), run),
    read: async (after, filter, limit) => runScript(readFeed(after, filter, limit), run),
    readAgain: async (begins, ends, filter, limit) => upTo(placeOf(ends), runScript(readFeed(begins, filter, limit), run).entries),
  };
}

function* newest(): Script<string> {
  return cursorOf({ write: yield* newestWrite(), id: END }, yield* readTag());
}

function* newestWrite(): Script<number> {
  return Number((yield* ask("SELECT coalesce(max(number), 0) FROM writes")).rows[0]?.[0]);
}

function* readFeed(after: string | undefined, filter: FeedFilter, limit: number): Script<FeedPage> {
  const given = after === undefined ? undefined : placeOf(after);
  const from = given ?? { write: 0, id: END };
  const { entries, rest, more } = yield* readWrites(from, "1 = 1", filter, limit);
  const tag = yield* readTag();
  if (given && (given.tag !== tag || given.write > (yield* newestWrite()))) throw new CursorExpired(); // of another timeline
  const { changes: swept } = yield* readSwept(); // afterwards, because the sweep may come while the page is read
  const isExpired = from.write < swept || (from.write === swept && from.id !== END);
  if (given && isExpired) throw new CursorExpired();
  const page = entries.map((entry) => ({ ...entry, cursor: cursorOf(entry, tag) }));
  const next = (entries.length === limit && page.at(-1)?.cursor) || cursorOf(rest, tag);
  return { entries: page, begins: cursorOf(from, tag), next, more };
}

function cursorOf({ write, id }: FeedPlace, tag: string): string {
  return `s.${write}.${id}${tag}`;
}

function placeOf(cursor: string): FeedPlace & { tag: string } {
  const { write, id, tag = "" } = CURSOR.exec(cursor)?.groups ?? {};
  if (write === undefined) throw new CursorUnknown();
  return { write: Number(write), id: Number(id), tag };
}
