// A file that holds room on the disk. When the disk is full, it is given up for signing in, deleting and starting.

import { randomBytes } from "node:crypto";
import { appendFileSync, rmSync, statfsSync, statSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "libsql";

const LEAST = 4 * 1024 * 1024; // bytes; besides what a checkpoint takes: some hundred sign-ins or deletes, until the log begins again
const STEP = 256 * 1024; // bytes by which it grows
const MOST_SPARE = 64 * 1024 * 1024; // bytes; the log mostly grows so far again
const START_NEEDS = 1024 * 1024; // bytes

/**
 * Holds the room that moving the log into the file would take, and LEAST more: on a full disk the log could not begin again otherwise.
 * In a transaction its own pages count, too. False when the reserve has been given up (it is made again if `makes`), and when the disk has
 * no room for it.
 */
export function holdReserve(db: Database, { makes = true } = {}): boolean {
  const { file, pageSize } = knownOf(db);
  const { page_count: pages } = db.prepare("PRAGMA page_count").get() as { page_count: number };
  const path = pathOf(file);
  const held = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (held === 0 && !makes) return false;
  const wanted = LEAST + Math.max(0, pages * pageSize - statSync(file).size);
  if (held > wanted + MOST_SPARE) truncateSync(path, wanted);
  if (held >= wanted) return true;
  try {
    appendFileSync(path, randomBytes(Math.ceil((wanted - held) / STEP) * STEP), { mode: 0o600 }); // zeros would be no room on a disk that compresses
    return true;
  } catch (error) {
    if (held > 0) truncateSync(path, held);
    else rmSync(path, { force: true });
    return !["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException).code));
  }
}

interface Known {
  file: string;
  /** Bytes. */
  pageSize: number;
}

/** Keeps for each connection what never changes: every transaction asks for it. A statement would hold the connection open. */
const known = new WeakMap<Database, Known>();

function knownOf(db: Database): Known {
  const found = known.get(db);
  if (found) return found;
  const { file } = db.prepare("PRAGMA database_list").get() as { file: string };
  const { page_size: pageSize } = db.prepare("PRAGMA page_size").get() as { page_size: number };
  const own = { file, pageSize };
  known.set(db, own);
  return own;
}

/** Returns the file of a connection; libsql's own `name` is empty. */
export function fileOf(db: Database): string {
  return knownOf(db).file;
}

/** Returns false when there is none to give up. */
export function giveUpReserve(db: Database): boolean {
  return removeReserve(fileOf(db));
}

function removeReserve(file: string): boolean {
  const isHeld = statSync(pathOf(file), { throwIfNoEntry: false }) !== undefined;
  if (isHeld) rmSync(pathOf(file), { force: true });
  return isHeld;
}

/** Gives up the reserve on a disk that is full, also of other files. */
export function makeRoomToStart(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < START_NEEDS) removeReserve(file);
}

/**
 * Moves the log into the file, so that the log begins again in the room that it has. False when that did not work, or when a
 * backup forbids it (backup.ts).
 */
export function reuseLog(db: Database): boolean {
  try {
    const { wal_autocheckpoint: every } = db.prepare("PRAGMA wal_autocheckpoint").get() as { wal_autocheckpoint: number };
    if (every === 0) return false;
    const { busy, log, checkpointed } = db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get() as Record<string, number>;
    return busy === 0 && log === checkpointed && log !== 0;
  } catch {
    return false; // then the write's own error is thrown
  }
}

function pathOf(file: string): string {
  return `${file}.reserve`;
}
