// Stores which files of records come in several requests, and their pieces. Both engines use the same statements.

import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";

/** Times in ms since 1970. */
export interface FileUpload {
  id: string;
  collection: string;
  record: number;
  /** The column of the field, which a rename leaves as it is. */
  field: string;
  /** Says under whose name it is begun, as Session.limitedAs has it: nobody else finds it. */
  owner: string;
  fileName: string;
  /** Bytes of the whole file. */
  length: number;
  /** Bytes that are kept. */
  received: number;
  /** The record has the file, and nothing is kept of it here any more. */
  isDone: boolean;
  expiresAt: number;
}

/** Says how much of one person may be under way. */
export interface MostUploads {
  count: number;
  bytes: number;
}

/** `holder`: the request that adds to it now. Another one that comes takes it over. */
export interface HeldUpload {
  id: string;
  holder: string;
}

/** A piece that stands where the content of files is. `first`: the place of its first byte in the file. */
export interface Piece {
  first: number;
  bytes: number;
  name: string;
}

const COLUMNS = "id, collection, record, field, owner, file_name, length, received, done, expires_at";
const AT_ONCE = 200;

function toUpload([id, collection, record, field, owner, fileName, length, received, done, expiresAt]: readonly Cell[]): FileUpload {
  return {
    ...{ id: String(id), collection: String(collection), record: Number(record), field: String(field) },
    ...{ owner: String(owner), fileName: String(fileName), length: Number(length), received: Number(received) },
    ...{ isDone: Number(done) === 1, expiresAt: Number(expiresAt) },
  };
}

/**
 * Answers `false` where its owner has as many under way as they may. Then those of the same file go first that a closed tab has left: nobody
 * knows their address any more.
 */
function* addUpload(given: Omit<FileUpload, "received" | "isDone">, most: MostUploads, now: number): Script<boolean> {
  yield* lockByName("file uploads"); // of two at once the later one counts the first
  const { id, collection, record, field, owner, fileName, length, expiresAt } = given;
  if (!(yield* hasRoom(owner, length, most, now))) {
    const same = `SELECT id FROM file_uploads WHERE owner = $1 AND collection = $2 AND record = $3 AND field = $4 AND file_name = $5 AND length = $6
      AND done = 0`;
    const { rows } = yield* ask(same, owner, collection, record, field, fileName, length);
    for (const [left] of rows) yield* removeUpload(String(left)); // a sweep removes its pieces
    if (!(yield* hasRoom(owner, length, most, now))) return false;
  }
  const insert = `INSERT INTO file_uploads (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8)`;
  yield* ask(insert, id, collection, record, field, owner, fileName, length, expiresAt);
  return true;
}

function* hasRoom(owner: string, length: number, most: MostUploads, now: number): Script<boolean> {
  const sql = "SELECT count(*), coalesce(sum(length), 0) FROM file_uploads WHERE owner = $1 AND done = 0 AND expires_at > $2";
  const [count, bytes] = (yield* ask(sql, owner, now)).rows[0] ?? [];
  return Number(count) < most.count && Number(bytes) + length <= most.bytes;
}

/** Returns undefined for one that has expired, too. */
function* readUpload(id: string, now: number): Script<FileUpload | undefined> {
  const { rows } = yield* ask(`SELECT ${COLUMNS} FROM file_uploads WHERE id = $1 AND expires_at > $2`, id, now);
  return rows[0] && toUpload(rows[0]);
}

/** Lets a request add to it from `offset` on, in place of whichever did. `false`: it has more or fewer bytes, or is no longer under way. */
function* holdUpload({ id, holder }: HeldUpload, offset: number): Script<boolean> {
  const sql = "UPDATE file_uploads SET holder = $2 WHERE id = $1 AND received = $3 AND done = 0";
  return (yield* ask(sql, id, holder, offset)).count > 0;
}

/** Counts a piece that is kept. `false`: another request has taken over, or it is no longer under way. */
function* addPiece({ id, holder }: HeldUpload, { first, bytes, name }: Piece, expiresAt: number): Script<boolean> {
  const sql = `UPDATE file_uploads SET received = received + $4, expires_at = $5
    WHERE id = $1 AND holder = $2 AND received = $3 AND received + $4 <= length AND done = 0`;
  if ((yield* ask(sql, id, holder, first, bytes, expiresAt)).count === 0) return false;
  yield* ask("INSERT INTO file_pieces (upload, first, bytes, name) VALUES ($1, $2, $3, $4)", id, first, bytes, name);
  return true;
}

function* listPieces(id: string): Script<Piece[]> {
  const { rows } = yield* ask("SELECT first, bytes, name FROM file_pieces WHERE upload = $1 ORDER BY first", id);
  return rows.map(([first, bytes, name]) => ({ first: Number(first), bytes: Number(bytes), name: String(name) }));
}

/** Notes that the record has the file: whoever asks again is told so, until it expires. */
function* endUpload(id: string): Script<void> {
  yield* ask("UPDATE file_uploads SET done = 1, holder = NULL WHERE id = $1", id);
  yield* ask("DELETE FROM file_pieces WHERE upload = $1", id);
}

function* removeUpload(id: string): Script<void> {
  yield* ask("DELETE FROM file_pieces WHERE upload = $1", id);
  yield* ask("DELETE FROM file_uploads WHERE id = $1", id);
}

/** Forgets those that have expired, some at once. False when nothing is left to do. */
function* sweepUploads(now: number): Script<boolean> {
  const { rows } = yield* ask(`SELECT id FROM file_uploads WHERE expires_at <= $1 ORDER BY id LIMIT ${AT_ONCE}`, now);
  for (const [id] of rows) yield* removeUpload(String(id));
  return rows.length === AT_ONCE;
}

/** Lists those that are under way. */
function* listUploads(): Script<string[]> {
  return (yield* ask("SELECT id FROM file_uploads WHERE done = 0")).rows.map(([id]) => String(id));
}

/** Serves an erasure. Their pieces are removed afterwards, because nothing names them any more. */
export function* forgetUploads(collection: string, record: number): Script<void> {
  const own = "SELECT id FROM file_uploads WHERE collection = $1 AND record = $2";
  for (const [id] of (yield* ask(own, collection, record)).rows) yield* removeUpload(String(id));
}

export const FILE_UPLOAD_SCRIPTS = {
  reads: { readUpload, listPieces, listUploads },
  writes: { addUpload, holdUpload, addPiece, endUpload, removeUpload, sweepUploads },
};
