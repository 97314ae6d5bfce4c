// The change feed of SQLite: one thread writes, so the numbers of the writes are the order of its commits.

import { ask, type Result, runScript, type Script, type Statement } from "../people/script.ts";
import { CursorExpired, CursorUnknown, END, type Feed, type FeedFilter, type FeedPage, type FeedPlace, readWrites, upTo } from "./feed.ts";
import { readSwept } from "./retention.ts";

const CURSOR = /^s\.(?<write>\d{1,15})\.(?<id>\d{1,16})$/;

export function createFeed(run: (statement: Statement) => Result): Feed {
  return {
    state: async () => runScript(newest(), run),
    now: async () => runScript(newest(), run),
    read: async (after, filter, limit) => runScript(readFeed(after, filter, limit), run),
    readAgain: async (begins, ends, filter, limit) => upTo(placeOf(ends), runScript(readFeed(begins, filter, limit), run).entries),
  };
}

function* newest(): Script<string> {
  const { rows } = yield* ask("SELECT coalesce(max(number), 0) FROM writes");
  return cursorOf({ write: Number(rows[0]?.[0]), id: END });
}

function* readFeed(after: string | undefined, filter: FeedFilter, limit: number): Script<FeedPage> {
  const from = after === undefined ? { write: 0, id: END } : placeOf(after);
  const { entries, rest, more } = yield* readWrites(from, "1 = 1", filter, limit);
  const { changes: swept } = yield* readSwept(); // afterwards, because the sweep may come while the page is read
  const isExpired = from.write < swept || (from.write === swept && from.id !== END);
  if (after !== undefined && isExpired) throw new CursorExpired();
  const page = entries.map((entry) => ({ ...entry, cursor: cursorOf(entry) }));
  return { entries: page, begins: cursorOf(from), next: (entries.length === limit && page.at(-1)?.cursor) || cursorOf(rest), more };
}

function cursorOf({ write, id }: FeedPlace): string {
  return `s.${write}.${id}`;
}

function placeOf(cursor: string): FeedPlace {
  const { write, id } = CURSOR.exec(cursor)?.groups ?? {};
  if (write === undefined) throw new CursorUnknown();
  return { write: Number(write), id: Number(id) };
}
