// Keeps what a person is told about their own account, and the browsers they have signed in with. Times in ms since 1970.

import type { NoticeKind } from "../../../core/contract/people.ts";
import { ask, type Cell, type Script } from "../../engine/script/script.ts";

export interface StoredNotice {
  id: string;
  userId: string;
  kind: NoticeKind;
  at: number;
  /** The network from which it was done. */
  source: string;
  /** The key's or passkey's name, the User-Agent of a browser, or the address of before; may be empty. */
  name: string;
}

const MOST = 20; // notices of one person; with one more the oldest goes
const MOST_BROWSERS = 50; // of one person
const NOTICE = "id, user_id, kind, at, source, name";

/** Runs in the transaction that does what it tells of. */
export function* addNotice({ id, userId, kind, at, source, name }: StoredNotice): Script<unknown> {
  const { rows } = yield* ask("SELECT id FROM notices WHERE user_id = $1 ORDER BY at DESC, id", userId);
  for (const [old = null] of rows.slice(MOST - 1)) yield* ask("DELETE FROM notices WHERE id = $1", old);
  return yield* ask(`INSERT INTO notices (${NOTICE}) VALUES ($1, $2, $3, $4, $5, $6)`, id, userId, kind, at, source, name);
}

/** Lists the latest first. */
function* listNotices(userId: string): Script<StoredNotice[]> {
  return (yield* ask(`SELECT ${NOTICE} FROM notices WHERE user_id = $1 ORDER BY at DESC, id`, userId)).rows.map(toNotice);
}

function toNotice(cells: readonly Cell[]): StoredNotice {
  const [id, userId, kind, at, source, name] = cells as [string, string, NoticeKind, number, string, string];
  return { id, userId, kind, at, source, name };
}

/** Returns false when the person has no such notice. */
function* dismissNotice(id: string, userId: string): Script<boolean> {
  return (yield* ask("DELETE FROM notices WHERE id = $1 AND user_id = $2", id, userId)).count > 0;
}

/**
 * Remembers a browser by its `mark`, a hash. True for one that the person has not used before, but not for the very first one: it is
 * the one that the account began with.
 */
export function* isNewBrowser(userId: string, mark: string, now: number): Script<boolean> {
  const { rows } = yield* ask("SELECT mark FROM browsers WHERE user_id = $1 ORDER BY seen_at DESC, mark", userId);
  for (const [old = null] of rows.slice(MOST_BROWSERS - 1).filter(([one]) => one !== mark))
    yield* ask("DELETE FROM browsers WHERE user_id = $1 AND mark = $2", userId, old);
  const sql =
    "INSERT INTO browsers (user_id, mark, seen_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, mark) DO UPDATE SET seen_at = excluded.seen_at";
  yield* ask(sql, userId, mark, now);
  return rows.length > 0 && !rows.some(([one]) => one === mark);
}

export const NOTICE_READS = { listNotices };
/** Nothing that is remembered of tokens is wrong after them. */
export const NOTICE_WRITES = { dismissNotice };
