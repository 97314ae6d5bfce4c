// The change feed of SQLite: one thread writes, so the numbers of the writes are the order of its commits.

import { ask, type Result, runScript, type Script, type Statement } from "../people/script.ts";
import { CursorUnknown, END, type Feed, type FeedFilter, type FeedPage, type FeedPlace, readWrites } from "./feed.ts";

const CURSOR = /^s\.(?<write>\d{1,15})\.(?<id>\d{1,16})$/;

export function createFeed(run: (statement: Statement) => Result): Feed {
  return {
    state: async () => runScript(newest(), run),
    now: async () => runScript(newest(), run),
    read: async (after, filter, limit) => runScript(readFeed(after, filter, limit), run),
  };
}

function* newest(): Script<string> {
  const { rows } = yield* ask("SELECT coalesce(max(number), 0) FROM writes");
  return cursorOf({ write: Number(rows[0]?.[0]), id: END });
}

function* readFeed(after: string | undefined, filter: FeedFilter, limit: number): Script<FeedPage> {
  const from = after === undefined ? { write: 0, id: END } : placeOf(after);
  const { entries, rest, more } = yield* readWrites(from, "1 = 1", filter, limit);
  const page = entries.map((entry) => ({ ...entry, cursor: cursorOf(entry) }));
  return { entries: page, next: (entries.length === limit && page.at(-1)?.cursor) || cursorOf(rest), more };
}

function cursorOf({ write, id }: FeedPlace): string {
  return `s.${write}.${id}`;
}

function placeOf(cursor: string): FeedPlace {
  const { write, id } = CURSOR.exec(cursor)?.groups ?? {};
  if (write === undefined) throw new CursorUnknown();
  return { write: Number(write), id: Number(id) };
}
