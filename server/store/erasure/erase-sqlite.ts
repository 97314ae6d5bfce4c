// Erases in a SQLite file, down to the bytes that deleted rows have left in it.

import { closeSync, fsync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Database } from "libsql";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { searchTableOf } from "../columns.ts";
import { OPERATION_BITS } from "../history/reads.ts";
import { ask, type Script } from "../people/script.ts";
import { searchedFields } from "../search-words.ts";
import { type InUse, StoreUnavailable } from "../store.ts";
import { type EngineSql, type ErasureStamp, eraseRecord, finishErasure, pendingErasures, removeEntries } from "./erase-record.ts";
import { pagesInLog, scrubInSteps } from "./scrub-file.ts";
import { redactAnswers } from "./stored-answers.ts";

const MERGE_STEP = 500; // pages of the search index that are merged before others may write
const PAUSE = 100; // ms, in which others write while a long read needs the log
const PATIENCE = 60_000; // ms that the log may be in use by reads
const MOST_AT_ONCE = 1_000; // pages that are overwritten before others may write
const MOST_ROUNDS = 20; // so many can only be needed where others write as fast as the disk does
const sync = promisify(fsync); // in another thread

/** Moves of the log into the file, which one user at a time decides on. */
export interface HeldCheckpoints {
  /** From now on only the caller moves the log. False while a copy is made; until `giveBack` none begins. */
  take(): boolean;
  /** Moves the whole log into the file, at once. False while a read still needs the log. */
  moveLog(): boolean;
  giveBack(): void;
}

export interface EraserParts {
  db: Database;
  file: string;
  collections: ReadonlyMap<string, Collection>;
  /** Runs a script in a transaction of its own. */
  transact<T>(script: () => Script<T>): T;
  checkpoints: HeldCheckpoints;
}

export interface Eraser {
  /** False for an id that never was; what is in the way while other records refer to it. */
  erase(collection: Collection, id: number, stamp: ErasureStamp): boolean | InUse;
  /** Overwrites what is left of all records that were erased. Others write meanwhile. */
  finish(): Promise<void>;
  /** Call it after the last connection to the file was closed: the system ends every lock on a file when any handle of it is closed. */
  close(): void;
}

const UNSCRUBBED = "unscrubbed"; // a row of the settings

/** Has the next `finish` overwrite what deleted rows have left, whether a record was erased or not. */
export function* markUnscrubbed(): Script<void> {
  yield* unmark();
  yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", UNSCRUBBED, new Uint8Array());
}

function* isUnscrubbed(): Script<boolean> {
  return (yield* ask("SELECT 1 FROM settings WHERE name = $1", UNSCRUBBED)).count > 0;
}

function* unmark(): Script<void> {
  yield* ask("DELETE FROM settings WHERE name = $1", UNSCRUBBED);
}

/** Runs in the thread that writes. */
export function createEraser({ db, file, collections, transact, checkpoints }: EraserParts): Eraser {
  let isClosed = false;
  let running: Promise<void> | undefined;
  const scrubber = createScrubber({ db, file, checkpoints }, turn);

  async function finishAll(): Promise<void> {
    const pending = transact(pendingErasures);
    for (const erasure of pending) {
      const { collection: name, id } = erasure;
      while (transact(() => removeEntries(erasure))) await turn();
      const collection = collections.get(name);
      if (!collection) continue; // its table was dropped, with everything in it
      for (let after: string | undefined = ""; after !== undefined; await turn()) {
        const from: string = after;
        after = transact(() => redactAnswers(collection, id, from));
      }
    }
    for (const name of new Set(pending.map(({ collection }) => collection))) await mergeSearch(collections.get(name));
    const isMarked = transact(isUnscrubbed);
    if (pending.length > 0 || isMarked) await scrubber.scrub();
    for (const erasure of pending) transact(() => finishErasure(erasure));
    if (isMarked) transact(unmark);
  }

  /** SQLite forgets the words of deleted records only when it merges the parts of the index. */
  async function mergeSearch(collection: Collection | undefined): Promise<void> {
    if (!collection || searchedFields(collection).length === 0) return;
    const search = searchTableOf(collection);
    const merge = (pages: number) => transact(() => ask(`INSERT INTO ${search} (${search}, rank) VALUES ('merge', $1)`, pages));
    const total = db.prepare("SELECT total_changes() AS changes");
    merge(-MERGE_STEP); // negative: also parts that are not due
    for (let before = -2; ; ) {
      const { changes: now } = total.get() as { changes: number };
      if (now - before < 2) return; // nothing is left to be merged (FTS5, section 6.8)
      before = now;
      await turn();
      merge(MERGE_STEP);
    }
  }

  /** Lets others write. */
  async function turn(ms = 0): Promise<void> {
    await sleep(ms);
    if (isClosed) throw new StoreUnavailable("the store is closed");
  }

  return {
    erase: (collection, id, stamp) => transact(() => eraseRecord(collection, id, stamp, sqlOf(collection), [...collections.values()])),
    async finish() {
      while (running) await running.catch(() => undefined); // one that began before may not have seen the newest erasure
      running = finishAll();
      await running.finally(() => {
        running = undefined;
      });
    },
    close() {
      isClosed = true;
      scrubber.close();
    },
  };
}

/** Overwrites what deleted rows have left in the file. `turn` lets others write. */
function createScrubber({ db, file, checkpoints }: Pick<EraserParts, "db" | "file" | "checkpoints">, turn: (ms?: number) => Promise<void>) {
  let handle: number | undefined;

  /** Others write meanwhile, into the log. What they have written is looked at as well, and at last so little of it that nobody waits for that. */
  async function scrub(): Promise<void> {
    handle ??= openSync(file, "r+");
    while (!checkpoints.take()) await turn(PAUSE); // a backup needs the file as it is
    try {
      let pages: Set<number> | undefined; // first all of them
      let again: Iterable<number> = [];
      for (let round = 0; ; round++) {
        const written = await emptyLog();
        if (round > 0) pages = new Set([...written, ...again]);
        db.pragma("shrink_memory"); // pages in the cache would bring the old bytes back
        const steps = scrubInSteps(handle, pages);
        const isLast = pages !== undefined && (pages.size <= MOST_AT_ONCE || round === MOST_ROUNDS);
        let step = steps.next();
        for (; !step.done; step = steps.next()) if (!isLast) await turn();
        await sync(handle);
        await turn();
        if (isLast) return;
        again = step.value;
      }
    } finally {
      if (db.open) checkpoints.giveBack();
    }
  }

  /** Moves the log into the file, and returns the numbers of the pages that were in it. */
  async function emptyLog(): Promise<Set<number>> {
    for (const end = Date.now() + PATIENCE; ; await turn(PAUSE)) {
      const written = pagesInLog(`${file}-wal`);
      if (checkpoints.moveLog()) return written;
      if (Date.now() > end) throw new StoreUnavailable("the log could not be moved into the file");
    }
  }

  return {
    scrub,
    close() {
      if (handle !== undefined) closeSync(handle);
    },
  };
}

function sqlOf(collection: Collection): EngineSql {
  return {
    addWrite: `INSERT INTO writes (collection, at, by, source, run, size, operations) VALUES ($1, $2, $3, $4, $5, 1, ${OPERATION_BITS.erased})`,
    writeNumber: "SELECT max(number) FROM writes",
    lock: "",
    ...(searchedFields(collection).length > 0 && { unindex: `DELETE FROM ${searchTableOf(collection)} WHERE rowid = $1` }),
  };
}
