// Knows the store's timeline, which a cursor of the feed names: a store that was restored from a copy begins a new one.

import { randomBytes } from "node:crypto";
import { ask, type Script } from "../../engine/script/script.ts";

interface Timeline {
  /** The end of every cursor. */
  tag: string;
  /** The server and the tables. Empty with SQLite. */
  home: string;
  /** Says what is added to ids of transactions before they are stored or compared; with PostgreSQL. */
  ahead: number;
}

/** Is where a store is opened. */
export interface Home {
  home: string;
  /** Says whether ids of transactions that are stored are not below those that come next: another server gave them. */
  isBehind: (ahead: number) => boolean;
  /** Says what must be added so that those that come next are above all that are stored. */
  ahead: number;
}

export const HOME_OF_SQLITE: Home = { home: "", isBehind: () => false, ahead: 0 };

/** The row of the settings that says that the store was brought back from a copy. The next start removes it. */
export const RESTORED = "restored";

export const TIMELINE = "timeline";

/** It begins with a letter, so that it is never a number of a cursor. */
const newTag = () => `.t${randomBytes(4).toString("hex")}`;

/** The end of a cursor, in a pattern. */
export const TAG_PATTERN = "(?<tag>(?:\\.t[0-9a-f]{8})?)";

const READ = `SELECT value FROM settings WHERE name = '${TIMELINE}'`;

function timelineOf(value: unknown): Timeline | undefined {
  return value ? (JSON.parse(new TextDecoder().decode(value as Uint8Array)) as Timeline) : undefined;
}

/** `value`: of the row in the settings. */
export function timelineTagOf(value: unknown): string {
  return timelineOf(value)?.tag ?? "";
}

export function* readTag(): Script<string> {
  return timelineTagOf((yield* ask(READ)).rows[0]?.[0]);
}

/**
 * Runs in the transaction of a start, when all tables are there. A new store, one that was restored, and one on another server begin a
 * new timeline, in which cursors from before are no longer good; those of the webhooks in the store go on.
 * True when the store was restored or moved.
 */
export function* beginTimeline({ home, isBehind, ahead }: Home, isNewStore: boolean): Script<boolean> {
  const stored = timelineOf((yield* ask(READ)).rows[0]?.[0]);
  const isRestored = (yield* ask("DELETE FROM settings WHERE name = $1", RESTORED)).count > 0;
  const isMoved = (stored !== undefined && stored.home !== home) || isBehind(stored?.ahead ?? 0);
  if (stored && !isRestored && !isMoved) return false;
  const next: Timeline = { tag: newTag(), home, ahead: isMoved ? ahead : (stored?.ahead ?? 0) };
  yield* ask("DELETE FROM settings WHERE name = $1", TIMELINE);
  yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", TIMELINE, new TextEncoder().encode(JSON.stringify(next)));
  yield* renewCursors(stored?.tag ?? "", next.tag);
  return !isNewStore;
}

/** Whoever sends for a webhook just now loses the right to, so that nobody notes a cursor from before. */
function* renewCursors(from: string, to: string): Script<void> {
  yield* ask("UPDATE webhooks SET lease_holder = NULL, lease_until = 0");
  yield* ask("UPDATE webhooks SET cursor = replace(cursor, $1, '') || $2 WHERE cursor <> ''", from, to);
  const ends = "begins = replace(begins, $1, '') || $2, ends = replace(ends, $1, '') || $2";
  yield* ask(`UPDATE webhook_deliveries SET ${ends} WHERE begins IS NOT NULL`, from, to);
}
