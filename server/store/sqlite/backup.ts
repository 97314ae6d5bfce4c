// Copies the SQLite file as it is at one moment, while writing goes on.

import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, statfs, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "libsql";
import { type StoreCopy, StoreFull, StoreUnavailable } from "../store.ts";
import { CHECKPOINT_EVERY, closeFile, connect, lockFile } from "./file.ts";

const CHUNK = 4 * 1024 * 1024; // bytes
const ROOM_FOR_WRITERS = 256 * 1024 * 1024; // bytes that a copy leaves free on the disk

const PATIENCE = 10_000; // ms that a copy waits for reads that began before it
const CACHE = 2_048; // KiB

/** The connection that writes, in whichever thread it is. */
export interface Checkpoints {
  /** From now on the log is not moved into the file by itself, so that the file stays as it is. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Moves the whole log into the file now. False while a read still needs the log. */
  run(): Promise<boolean>;
}

export interface Copier {
  /** One copy at a time, until its stream has ended. Throws StoreUnavailable for a second one, StoreFull without disk space for it. */
  copy(): Promise<StoreCopy>;
  /** Cancels a running copy. Call it after the file's lock was released. */
  close(): Promise<void>;
}

/**
 * A checkpoint moves everything committed from the log into the file, and none follows until the copy is made. So the file
 * is the state of that moment, and later writes are in the log only. The copy is a file of its own, so its reader may be
 * slow. Its name is removed at once, so that nothing of it is left behind.
 */
export function createCopier(checkpoints: Checkpoints, file: string): Copier {
  let isClosed = false;
  let isTaken = false;
  let running: Promise<unknown> = Promise.resolve();
  // Stays open: when a process closes any handle of a file, the system releases all its locks on that file.
  let source: FileHandle | undefined;

  async function make(): Promise<StoreCopy> {
    source ??= await open(file, "r");
    const copy = await openUnnamed(file);
    try {
      const bytes = await freezeFile(source);
      if (bytes + ROOM_FOR_WRITERS > (await freeBytes(file))) throw new StoreFull("the disk has no room for a copy");
      await copyBytes(source, copy, bytes, () => isClosed);
      return { bytes, stream: createReadStream("", { fd: copy, start: 0, highWaterMark: CHUNK / 4 }) };
    } catch (error) {
      await copy.close();
      throw error;
    } finally {
      if (!isClosed) await checkpoints.start();
    }
  }

  /** Stops checkpoints after a last one, and answers the bytes of the file. */
  async function freezeFile(handle: FileHandle): Promise<number> {
    await checkpoints.stop();
    const end = Date.now() + PATIENCE;
    while (!(await checkpoints.run())) {
      if (isClosed || Date.now() > end) throw new StoreUnavailable("the log could not be moved into the file");
      await sleep(20);
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
      running = made.catch(() => undefined);
      const copy = await made;
      copy.stream.once("close", () => {
        isTaken = false;
      });
      return copy;
    },
    async close() {
      isClosed = true;
      await running;
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

async function copyBytes(from: FileHandle, to: FileHandle, bytes: number, isCancelled: () => boolean): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, bytes));
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.length, bytes - at), at);
    if (bytesRead === 0) throw new StoreUnavailable("the file is shorter than it was");
    await to.writeFile(chunk.subarray(0, bytesRead));
    at += bytesRead;
    if (isCancelled()) throw new StoreUnavailable("the store was closed");
  }
}

function toStoreError(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code === "ENOSPC" || code === "SQLITE_FULL") return new StoreFull("the disk has no room for a copy", { cause: error });
  return error instanceof StoreUnavailable ? error : new StoreUnavailable("the store could not be copied", { cause: error });
}

/** Checkpoints of a connection in this thread. `runUnlessStopped`: as `run`; false while they are stopped. */
export function checkpointsOf(db: Database): Checkpoints & { runUnlessStopped(): Promise<boolean> } {
  let isStopped = false;
  const run = async () => {
    const [moved] = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all() as { busy: number }[];
    return moved?.busy === 0;
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

/** The copy of a file that no service holds. Throws StoreOpenError as lockFile and connect do. */
export async function copyUnusedFile(file: string): Promise<StoreCopy> {
  const lock = lockFile(file);
  try {
    const db = connect(file, CACHE);
    const copier = createCopier(checkpointsOf(db), file);
    try {
      return await copier.copy();
    } finally {
      closeFile(db);
      await copier.close();
    }
  } finally {
    lock.release();
  }
}
