// A file that holds room on the disk. When the disk is full, it is given up for signing in, deleting and starting.

import { randomBytes } from "node:crypto";
import { rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "libsql";

const BYTES = 4 * 1024 * 1024; // some hundred sign-ins or deletes, until the log begins again
const START_NEEDS = 1024 * 1024; // bytes

/** Holds the room again if it was given up. False when the disk has no room for it. */
export function holdReserve(file: string): boolean {
  const path = pathOf(file);
  if (statSync(path, { throwIfNoEntry: false })?.size === BYTES) return true;
  try {
    rmSync(path, { force: true }); // incomplete
    writeFileSync(path, randomBytes(BYTES), { flag: "wx", mode: 0o600 }); // zeros would be no room on a disk that compresses
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    return !["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException).code));
  }
}

/** The file of a connection; libsql's own `name` is empty. */
export function fileOf(db: Database): string {
  return (db.prepare("PRAGMA database_list").get() as { file: string }).file;
}

/** False when there is none to give up. */
export function giveUpReserve(file: string): boolean {
  const isHeld = statSync(pathOf(file), { throwIfNoEntry: false }) !== undefined;
  if (isHeld) rmSync(pathOf(file), { force: true });
  return isHeld;
}

/** Gives up the reserve on a disk that is full, also of other files. */
export function makeRoomToStart(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < START_NEEDS) giveUpReserve(file);
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
