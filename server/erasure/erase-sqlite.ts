// Erases in a SQLite file. What rows that SQLite moved have left in it stays until it is rewritten: see docs/erasure.md.

import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "libsql";
import type { Collection } from "../../core/dictionary/collections.ts";
import { searchTableOf } from "../engine/columns.ts";
import { ask, type Script } from "../engine/script/script.ts";
import { searchedFields } from "../engine/search-words.ts";
import { type InUse, StoreUnavailable } from "../engine/store.ts";
import { OPERATION_BITS } from "../history/store/reads.ts";
import { forgetImportWords } from "../imports/store/imports.ts";
import { forgetRunRows } from "../runs/store/runs.ts";
import { type EngineSql, type ErasureStamp, eraseRecord, finishErasure, pendingErasures, removeEntries } from "./erase-record.ts";
import { redactAnswers } from "./stored-answers.ts";

const MERGE_STEP = 500; // pages of the search index that are merged before others may write
const PAUSE = 100; // ms; as long as a checkpoint may hold the thread
const PATIENCE = 60_000; // ms that the log may be in use by reads or by a backup

export interface EraserParts {
  db: Database;
  collections: ReadonlyMap<string, Collection>;
  /** Runs a script in a transaction of its own. */
  transact<T>(script: () => Script<T>): T;
  /** Moves the whole log into the file now. False while somebody needs the log as it is. */
  emptyLog(): Promise<boolean>;
}

export interface Eraser {
  /** Returns false if no such record ever existed, or the records that refer to it and so block the erasure. */
  erase(collection: Collection, id: number, stamp: ErasureStamp): boolean | InUse;
  /** Removes what is left of all records that were erased, and empties the log. Others write meanwhile. */
  finish(): Promise<void>;
  /** Moves the whole log into the file, as soon as nobody needs the log. Throws StoreUnavailable when that takes too long. */
  moveLog(): Promise<void>;
  close(): void;
}

/** Runs in the thread that writes. */
export function createEraser({ db, collections, transact, emptyLog }: EraserParts): Eraser {
  let isClosed = false;
  let running: Promise<void> | undefined;

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
    while (pending.length > 0 && transact(forgetRunRows)) await turn();
    if (pending.length > 0) transact(forgetImportWords);
    for (const name of new Set(pending.map(({ collection }) => collection))) await mergeSearch(collections.get(name));
    if (pending.length > 0) await moveLog(); // the pages in the file have the old bytes until then
    for (const erasure of pending) transact(() => finishErasure(erasure));
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

  async function moveLog(): Promise<void> {
    for (const end = Date.now() + PATIENCE; !(await emptyLog()); ) {
      if (Date.now() > end) throw new StoreUnavailable("the log could not be moved into the file");
      await turn(PAUSE);
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
    moveLog,
    close() {
      isClosed = true;
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
