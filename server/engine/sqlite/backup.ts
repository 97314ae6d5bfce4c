// Copies the SQLite file as it is at one moment, while writing goes on.

import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { type FileHandle, open, statfs, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "libsql";
import { type StoreCopy, StoreFull, StoreUnavailable } from "../store.ts";
import { giveUpReserve } from "./disk-reserve.ts";
import { CHECKPOINT_EVERY, closeFile, connect, lockFile, PATIENCE } from "./file.ts";

const CHUNK = 4 * 1024 * 1024; // bytes that are copied at once
const READ = CHUNK / 4; // bytes
const ROOM_FOR_WRITERS = 256 * 1024 * 1024; // bytes that a copy leaves free on the disk

const COPY_PATIENCE = 60_000; // ms that a copy waits for reads that began before it
const LOG_PATIENCE = 100; // ms that a checkpoint waits for the reads that run; all who write wait with it, so a long read is waited for in between
const PAUSE = 100; // ms before the next attempt
const CACHE = 2_048; // KiB

/** The connection that writes, in whichever thread it is. */
export interface Checkpoints {
  /** Keeps the log from being moved into the file by itself from now on, so that the file stays as it is. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Moves the whole log into the file now. False while a read still needs the log. */
  run(): Promise<boolean>;
}

/** `copied` is settled once the store's file is no longer needed. Then the stream may still be read. */
export interface RunningCopy extends StoreCopy {
  copied: Promise<void>;
}

export interface Copier {
  /**
   * Makes one copy at a time, until its stream has ended. Throws StoreUnavailable for a second one, StoreFull without disk space for it.
   * The stream begins at once and follows the copying: nobody waits minutes for the first byte of a large store.
   */
  copy(): Promise<RunningCopy>;
  /** Cancels a running copy. Call it after the file's lock was released. */
  close(): Promise<void>;
}

/**
 * A checkpoint moves everything committed from the log into the file, and none follows until the copy is made. So the file
 * is the state of that moment, and later writes are in the log only. The copy is a file of its own, so its reader may be
 * slower than the disk. Its name is removed at once, so that nothing of it is left behind.
 */
export function createCopier(checkpoints: Checkpoints, file: string): Copier {
  let isClosed = false;
  let isTaken = false;
  let running: Promise<unknown> = Promise.resolve();
  // Stays open: when a process closes any handle of a file, the system releases all its locks on that file.
  let source: FileHandle | undefined;

  async function make(): Promise<RunningCopy> {
    source ??= await open(file, "r");
    const from = source;
    const to = await openUnnamed(file);
    const allowCheckpoints = async () => {
      if (!isClosed) await checkpoints.start();
    };
    let bytes = 0;
    try {
      bytes = await freezeFile(from);
      if (bytes + ROOM_FOR_WRITERS > (await freeBytes(file))) throw new StoreFull("the disk has no room for a copy");
    } catch (error) {
      await to.close();
      await allowCheckpoints();
      throw error;
    }
    let isUnwanted = false;
    const progress: Progress = { written: 0, changed: new EventEmitter() };
    const copied = copyBytes(from, to, bytes, progress, () => isClosed || isUnwanted)
      .finally(allowCheckpoints)
      .catch((error) => {
        throw toStoreError(error);
      });
    const ended = copied.catch(() => undefined); // whoever reads the stream is told
    running = ended;
    const stream = Readable.from(readBehind(to, bytes, progress, copied), { objectMode: false, highWaterMark: READ });
    stream.once("close", async () => {
      isUnwanted = true;
      await ended;
      isTaken = false;
      await to.close();
    });
    return { bytes, stream, copied };
  }

  /** Stops checkpoints after a last one, and answers the bytes of the file. */
  async function freezeFile(handle: FileHandle): Promise<number> {
    await checkpoints.stop();
    const end = Date.now() + COPY_PATIENCE;
    while (!(await checkpoints.run())) {
      if (isClosed || Date.now() > end) throw new StoreUnavailable("the log could not be moved into the file");
      await sleep(PAUSE);
    }
    return (await handle.stat()).size;
  }

  return {
    async copy() {
      if (isTaken || isClosed) throw new StoreUnavailable("another copy is being made");
      isTaken = true;
      const made = make().catch((error) => {
        isTaken = false;
        throw toStoreError(error);
      });
      running = made.catch(() => undefined); // the caller is given the error
      return made;
    },
    async close() {
      isClosed = true;
      await running; // until the copying has begun
      await running; // until it has ended
      await source?.close();
    },
  };
}

async function openUnnamed(file: string): Promise<FileHandle> {
  const path = `${file}.copy-${randomBytes(8).toString("hex")}`;
  const handle = await open(path, "wx+", 0o600);
  await unlink(path);
  return handle;
}

async function freeBytes(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}

/** Counts the bytes of a copy that are written. `changed` has an event for each change. */
interface Progress {
  written: number;
  changed: EventEmitter<{ written: [] }>;
}

async function copyBytes(from: FileHandle, to: FileHandle, bytes: number, progress: Progress, isCancelled: () => boolean): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, bytes));
  while (progress.written < bytes) {
    if (isCancelled()) throw new StoreUnavailable("the store was closed, or nobody reads the copy");
    const at = progress.written;
    const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.length, bytes - at), at);
    if (bytesRead === 0) throw new StoreUnavailable("the file is shorter than it was");
    await writeAll(to, chunk.subarray(0, bytesRead), at);
    progress.written += bytesRead;
    progress.changed.emit("written");
  }
}

/** Writes by position, because the same handle is read meanwhile. */
async function writeAll(to: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await to.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

/** Yields the bytes of a copy while it is written, as far as it is. Throws what `copied` throws. */
async function* readBehind(copy: FileHandle, bytes: number, progress: Progress, copied: Promise<void>): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    if (at === progress.written) await Promise.race([once(progress.changed, "written"), copied]);
    const { buffer, bytesRead } = await copy.read(Buffer.allocUnsafe(Math.min(READ, progress.written - at)), 0, null, at);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

function toStoreError(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code === "ENOSPC" || code === "SQLITE_FULL") return new StoreFull("the disk has no room for a copy", { cause: error });
  return error instanceof StoreUnavailable ? error : new StoreUnavailable("the store could not be copied", { cause: error });
}

/** Makes the checkpoints of a connection in this thread. `runUnlessStopped` resolves with false while they are stopped. */
export function checkpointsOf(db: Database): Checkpoints & { runUnlessStopped(): Promise<boolean> } {
  let isStopped = false;
  const move = () => {
    db.pragma(`busy_timeout = ${LOG_PATIENCE}`);
    try {
      return (db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number }).busy === 0;
    } finally {
      db.pragma(`busy_timeout = ${PATIENCE}`);
    }
  };
  const run = async () => {
    try {
      return move();
    } catch (error) {
      if (!giveUpReserve(db)) throw error;
      return move();
    }
  };
  return {
    async stop() {
      isStopped = true;
      db.pragma("wal_autocheckpoint = 0");
    },
    async start() {
      isStopped = false;
      db.pragma(`wal_autocheckpoint = ${CHECKPOINT_EVERY}`);
    },
    run,
    runUnlessStopped: async () => !isStopped && (await run()),
  };
}

/** Makes the copy of a file that no service holds. Throws StoreOpenError as lockFile and connect do. */
export async function copyUnusedFile(file: string): Promise<StoreCopy> {
  const lock = lockFile(file);
  try {
    const db = connect(file, CACHE);
    const copier = createCopier(checkpointsOf(db), file);
    try {
      const copy = await copier.copy();
      await copy.copied;
      return copy;
    } finally {
      closeFile(db);
      await copier.close();
    }
  } finally {
    lock.release();
  }
}
