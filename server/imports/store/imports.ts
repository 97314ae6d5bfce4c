// Stores import jobs and the batches of theirs that were sent. Both engines use the same statements.

import type { ImportEnd, ImportOptions, ImportProgress, ImportState } from "../../../core/contract/imports.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";

/** Times in ms since 1970. */
export interface StoredImport {
  id: string;
  collection: string;
  fileName: string;
  bytes: number;
  /** The SHA-256 of the file, under which it is kept; null once the import has ended. */
  body: string | null;
  options: ImportOptions;
  /** Says under whose name limits count, as Session.limitedAs has it. */
  owner: string;
  /** Says whose rights it has, and no more than these. */
  byType: "user" | "key";
  byId: string;
  scope: string;
  /** The tag of the rights with which it was asked for, as Session.rightsTag has it. */
  rights: string;
  state: ImportState;
  isCancelled: boolean;
  attempts: number;
  /** Says how the file is read, with what the check said of it, as JSON; null before that is known, and empty once it has ended. */
  begun: string | null;
  progress: ImportProgress;
  result: Pick<ImportEnd, "problems" | "notes" | "why">;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

export interface NewImport
  extends Pick<StoredImport, "id" | "collection" | "fileName" | "bytes" | "options" | "owner" | "byType" | "byId" | "scope" | "rights"> {
  body: string;
  /** A hash of the idempotency key and of whose it is. */
  key: string | null;
  /** Says what was asked for: another request under the same key is refused. */
  fingerprint: string;
  now: number;
}

/** `id`: of the import. `holder`: who works on it; a process that has lost it changes nothing any more. */
export interface Held {
  id: string;
  holder: string;
}

const COLUMNS = `id, collection, file_name, bytes, body, options, owner, by_type, by_id, scope, rights, state, cancelled, attempts, begun, progress, result,
  created_at, started_at, ended_at`;
const IS_OPEN = "state IN ('queued', 'running')";
const SWEPT_AT_ONCE = 200;
const NOT_BEGUN: ImportProgress = { rowsTotal: null, rowsDone: 0, counts: null };
const NO_RESULT: StoredImport["result"] = { problems: [], notes: [], why: null };

function toImport(cells: readonly Cell[]): StoredImport {
  const [id, collection, fileName, bytes, body, options, owner, byType, byId, scope, rights, state, ...more] = cells;
  const [cancelled, attempts, ...rest] = more;
  const [begun, progress, result, createdAt, startedAt, endedAt] = rest;
  const timeOf = (cell: Cell | undefined) => (cell === null ? null : Number(cell));
  const texts = { id, collection, fileName, body, owner, byType, byId, scope, rights, state, begun };
  return {
    ...(texts as Pick<StoredImport, keyof typeof texts>),
    bytes: Number(bytes),
    options: JSON.parse(String(options)) as ImportOptions,
    isCancelled: Number(cancelled) === 1,
    attempts: Number(attempts),
    progress: progress === null ? NOT_BEGUN : (JSON.parse(String(progress)) as ImportProgress),
    result: result === null ? NO_RESULT : (JSON.parse(String(result)) as StoredImport["result"]),
    createdAt: Number(createdAt),
    startedAt: timeOf(startedAt),
    endedAt: timeOf(endedAt),
  };
}

function* readImport(id: string): Script<StoredImport | undefined> {
  const { rows } = yield* ask(`SELECT ${COLUMNS} FROM imports WHERE id = $1`, id);
  return rows[0] && toImport(rows[0]);
}

/** Adds an import. `many`: its owner has `most` that have not ended. `reused`: its key was used for another request. */
function* addImport(given: NewImport, most: number): Script<{ import: StoredImport; isNew: boolean } | "many" | "reused"> {
  yield* lockByName("imports"); // of two requests with one key at once the later one waits
  const { id, collection, fileName, bytes, body, options, owner, byType, byId, scope, rights, key, fingerprint, now } = given;
  const before = key === null ? [] : (yield* ask("SELECT id, fingerprint FROM imports WHERE key = $1", key)).rows;
  if (before[0]) {
    if (before[0][1] !== fingerprint) return "reused";
    return { import: (yield* readImport(String(before[0][0]))) as StoredImport, isNew: false };
  }
  const { rows } = yield* ask(`SELECT count(*) FROM imports WHERE ${IS_OPEN} AND owner = $1`, owner);
  if (Number(rows[0]?.[0]) >= most) return "many";
  const sql = `INSERT INTO imports (id, collection, file_name, bytes, body, options, owner, by_type, by_id, scope, rights, key, fingerprint, state,
    cancelled, lease_until, attempts, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'queued', 0, 0, 0, $14)`;
  const text = JSON.stringify(options);
  yield* ask(sql, id, collection, fileName, bytes, body, text, owner, byType, byId, scope, rights, key, fingerprint, now);
  return { import: (yield* readImport(id)) as StoredImport, isNew: true };
}

const FREE = `SELECT id FROM imports WHERE ${IS_OPEN} AND lease_until < $1 ORDER BY created_at, id LIMIT 1`;

/** Says whether there is one that nobody works on. */
function* hasFreeImport(now: number): Script<boolean> {
  return (yield* ask(FREE, now)).count > 0;
}

/** Takes the oldest one that nobody works on. */
function* takeImport(holder: string, now: number, until: number): Script<StoredImport | undefined> {
  yield* lockByName("imports");
  const [free] = (yield* ask(FREE, now)).rows;
  if (!free) return undefined;
  const id = String(free[0]);
  // PostgreSQL reads the row anew where its holder has just renewed it.
  const sql = `UPDATE imports SET state = 'running', holder = $2, lease_until = $3, attempts = attempts + 1, started_at = coalesce(started_at, $4)
    WHERE id = $1 AND ${IS_OPEN} AND lease_until < $4`;
  return (yield* ask(sql, id, holder, until, now)).count > 0 ? yield* readImport(id) : undefined;
}

/** Leaves all to whoever comes: nobody but the caller has the store, so that nobody works on one. */
function* freeImports(): Script<void> {
  yield* ask("UPDATE imports SET lease_until = 0, holder = NULL WHERE state = 'running'");
}

const OWN = `id = $1 AND holder = $2 AND ${IS_OPEN}`;

/** Says whether it is still theirs. */
function* isOwnImport({ id, holder }: Held): Script<boolean> {
  return (yield* ask(`SELECT 1 FROM imports WHERE ${OWN}`, id, holder)).count > 0;
}

/** Keeps it for longer. `lost`: another process has it. `cancel`: somebody has asked for its end. */
function* renewImport({ id, holder }: Held, until: number, progress: ImportProgress): Script<"go" | "cancel" | "lost"> {
  const sql = `UPDATE imports SET lease_until = $3, progress = $4 WHERE ${OWN}`;
  if ((yield* ask(sql, id, holder, until, JSON.stringify(progress))).count === 0) return "lost";
  return (yield* readImport(id))?.isCancelled ? "cancel" : "go";
}

/** Leaves it to whoever comes, from a time on. */
function* releaseImport({ id, holder }: Held, from: number): Script<void> {
  yield* ask(`UPDATE imports SET lease_until = $3, holder = NULL WHERE ${OWN}`, id, holder, from);
}

/** Keeps how the file is read, before its first row is sent. False: another process has it. */
function* beginImport({ id, holder }: Held, begun: string): Script<boolean> {
  return (yield* ask(`UPDATE imports SET begun = $3 WHERE ${OWN}`, id, holder, begun)).count > 0;
}

/**
 * Keeps what was sent. False: another process has the import, and has seen all entries that were kept before. It changes the row of the import, so that
 * of a batch and a process that takes the import over the later one waits.
 */
function* keepImportBatch({ id, holder }: Held, first: number, entry: string): Script<boolean> {
  if ((yield* ask(`UPDATE imports SET attempts = 0 WHERE ${OWN}`, id, holder)).count === 0) return false;
  const sql = `INSERT INTO import_batches (job, first, entry) VALUES ($1, $2, $3)
    ON CONFLICT (job, first) DO UPDATE SET entry = excluded.entry`;
  yield* ask(sql, id, first, entry);
  return true;
}

/** Returns the entry of the sent batch with the lowest first row from `row` on. */
function* readImportBatch(id: string, row: number): Script<string | undefined> {
  const sql = "SELECT entry FROM import_batches WHERE job = $1 AND first >= $2 ORDER BY first LIMIT 1";
  const { rows } = yield* ask(sql, id, row);
  return rows[0] && String(rows[0][0]);
}

/** Ends it, with everything that only its work needs. False: another process has it. */
function* endImport(
  { id, holder }: Held,
  { state, counts, rowsTotal, ...result }: Omit<ImportEnd, "seconds" | "isReported">,
  now: number,
): Script<boolean> {
  const known = yield* readImport(id);
  const done = counts ? Object.values(counts).reduce((sum, one) => sum + one, 0) : (known?.progress.rowsDone ?? 0);
  const progress: ImportProgress = { rowsTotal: rowsTotal ?? known?.progress.rowsTotal ?? null, rowsDone: done, counts };
  const sql = `UPDATE imports SET state = $3, progress = $4, result = $5, ended_at = $6, body = NULL, holder = NULL,
    begun = CASE WHEN begun IS NULL THEN NULL ELSE '' END WHERE ${OWN}`;
  const { count } = yield* ask(sql, id, holder, state, JSON.stringify(progress), JSON.stringify(result), now);
  if (count > 0) yield* ask("DELETE FROM import_batches WHERE job = $1", id);
  return count > 0;
}

/** Asks for its end: one that nobody works on has ended then. */
function* cancelImport(id: string, now: number): Script<StoredImport | undefined> {
  yield* ask(`UPDATE imports SET cancelled = 1 WHERE id = $1 AND ${IS_OPEN}`, id);
  const sql = "UPDATE imports SET state = 'cancelled', ended_at = $2, body = NULL WHERE id = $1 AND state = 'queued'";
  yield* ask(sql, id, now);
  return yield* readImport(id);
}

/** Lists the hashes of the files that are still needed. */
function* listImportBodies(): Script<string[]> {
  const { rows } = yield* ask("SELECT DISTINCT body FROM imports WHERE body IS NOT NULL");
  return rows.map(([body]) => String(body));
}

/** Forgets those that ended before a time, some at once. False when nothing is left to do. */
function* sweepImports(before: number): Script<boolean> {
  const { rows } = yield* ask(`SELECT id FROM imports WHERE ended_at < $1 ORDER BY id LIMIT ${SWEPT_AT_ONCE}`, before);
  for (const [id] of rows) yield* ask("DELETE FROM imports WHERE id = $1", String(id));
  return rows.length === SWEPT_AT_ONCE;
}

/** Serves an erasure: sentences may quote what was erased, also those that one which is not over keeps for its end. */
export function* forgetImportWords(): Script<void> {
  yield* ask("UPDATE imports SET result = NULL WHERE result IS NOT NULL");
  const { rows } = yield* ask(`SELECT id, begun FROM imports WHERE ${IS_OPEN} AND begun IS NOT NULL`);
  for (const [id, begun] of rows) {
    const kept = JSON.stringify({ ...JSON.parse(String(begun)), problems: [], notes: [] });
    yield* ask("UPDATE imports SET begun = $2 WHERE id = $1", String(id), kept);
  }
}

export const IMPORT_SCRIPTS = {
  reads: { readImport, hasFreeImport, isOwnImport, readImportBatch, listImportBodies },
  writes: {
    ...{ addImport, takeImport, renewImport, releaseImport, beginImport, keepImportBatch, endImport, cancelImport },
    ...{ freeImports, sweepImports },
  },
};
