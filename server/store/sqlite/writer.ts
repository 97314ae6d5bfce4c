// What the thread that writes does. All writes of the process happen here, one after the other.

import type { Database } from "libsql";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { writeScript } from "../people/people.ts";
import { createRun } from "../people/run-sqlite.ts";
import { runScript } from "../people/script.ts";
import type { Batch, StoredKey, StoredToken, ToAnswer, Written } from "../store.ts";
import { checkpointsOf } from "./backup.ts";
import type { Thread } from "./calls.ts";
import { createCredentials } from "./credentials.ts";
import { closeFile, connect } from "./file.ts";
import { transact } from "./transaction.ts";
import { createWriter, type Writer } from "./write.ts";

const MOST_TOGETHER = 2_000; // records of batches that are committed together; more would keep the first waiting
const CACHE = 49_152; // KiB; enough for the inner pages of every sort index at a million records

/** A batch as it crosses between threads; the other side has the collection itself. */
export type SentBatch = Omit<Batch, "collection"> & { collection: string };

interface OpenStore {
  db: Database;
  collections: ReadonlyMap<string, Collection>;
  queue: WriteQueue;
  credentials: ReturnType<typeof createCredentials>;
  /** Runs one script of people.ts in a transaction. */
  people(name: string, args: readonly unknown[]): unknown;
  checkpoints: ReturnType<typeof checkpointsOf>;
}

export type WriterCalls = ReturnType<typeof createWriterCalls>;
export type WriterThread = Thread<WriterCalls>;

/** A process may have several stores open, each with a file of its own. */
export function createWriterCalls(toAnswer: ToAnswer) {
  const stores = new Map<string, OpenStore>();
  const opened = (file: string): OpenStore => {
    const found = stores.get(file);
    if (!found) throw new Error("the store is closed");
    return found;
  };
  return {
    /** The file's tables must be up to date. */
    open(file: string, collections: readonly Collection[]): void {
      const db = connect(file, CACHE);
      const run = createRun(db);
      stores.set(file, {
        db,
        collections: new Map(collections.map((collection) => [collection.name, collection])),
        queue: createQueue(createWriter(db, collections, toAnswer)),
        credentials: createCredentials(db),
        people: (name, args) => transact(db, () => runScript(writeScript(name)(...args), run)),
        checkpoints: checkpointsOf(db),
      });
    },
    write(file: string, batch: SentBatch): Promise<Written> {
      const { collections, queue } = opened(file);
      const collection = collections.get(batch.collection);
      if (!collection) throw new Error(`no table for ${batch.collection}`);
      return queue.add({ ...batch, collection });
    },
    putKey: (file: string, key: StoredKey) => opened(file).credentials.putKey(key),
    putFirstKey: (file: string, key: StoredKey) => opened(file).credentials.putFirstKey(key),
    revokeKey: (file: string, id: string, now: number) => opened(file).credentials.revokeKey(id, now),
    touchKey: (file: string, id: string, now: number) => opened(file).credentials.touchKey(id, now),
    endToken: (file: string, hash: Uint8Array) => opened(file).credentials.endToken(Buffer.from(hash)),
    addToken: (file: string, token: StoredToken, now: number, most: number) => opened(file).credentials.addToken(token, now, most),
    people: (file: string, name: string, args: readonly unknown[]) => opened(file).people(name, args),
    stopCheckpoints: (file: string) => opened(file).checkpoints.stop(),
    startCheckpoints: (file: string) => opened(file).checkpoints.start(),
    runCheckpoint: (file: string) => opened(file).checkpoints.run(),
    /** The store may not grow beyond so many pages, as on a disk that is full. Tests need it. */
    setMostPages: (file: string, pages: number) => void opened(file).db.pragma(`max_page_count = ${pages}`),
    /** Call it after every other connection to the file was closed. */
    close(file: string): void {
      const { db, queue } = opened(file);
      queue.writeAll();
      closeFile(db);
      stores.delete(file);
    },
  };
}

interface WriteQueue {
  add(batch: Batch): Promise<Written>;
  /** Writes what waits, now. */
  writeAll(): void;
}

/** What arrives while a commit waits for the disk is committed together afterwards, in the order of arrival. */
function createQueue(write: Writer): WriteQueue {
  const waiting: { batch: Batch; answer(result: PromiseSettledResult<Written>): void }[] = [];

  function writeNext(): void {
    let [count, records] = [0, 0];
    for (const { batch } of waiting) {
      records += batch.ops.length;
      if (count > 0 && records > MOST_TOGETHER) break;
      count += 1;
    }
    const next = waiting.splice(0, count);
    const results = write(next.map(({ batch }) => batch));
    for (const [i, { answer }] of next.entries()) answer(results[i] as PromiseSettledResult<Written>);
  }

  function writeInTurn(): void {
    writeNext();
    if (waiting.length > 0) setImmediate(writeInTurn); // after the messages that have arrived meanwhile
  }

  return {
    add: (batch) =>
      new Promise((resolve, reject) => {
        const answer = (result: PromiseSettledResult<Written>) =>
          result.status === "fulfilled" ? resolve(result.value) : reject(result.reason);
        waiting.push({ batch, answer });
        if (waiting.length === 1) setImmediate(writeInTurn);
      }),
    writeAll() {
      while (waiting.length > 0) writeNext();
    },
  };
}
