// Runs in the thread that writes. All writes of the process happen here, one after the other.

import type { Database } from "libsql";
import type { Source } from "../../../core/contract/history.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { emptyStep } from "../../erasure/empty-retired.ts";
import { createEraser, type Eraser } from "../../erasure/erase-sqlite.ts";
import { sweepAnswers } from "../../erasure/stored-answers.ts";
import { readGone } from "../../history/store/reads.ts";
import { type Cutoffs, OF_SQLITE, sweepHistory } from "../../history/store/retention.ts";
import { collectionIn } from "../columns.ts";
import { formulasText } from "../formulas.ts";
import { knownFields, lostFields } from "../known-fields.ts";
import { DictionaryRefused, refusedByRecords } from "../migrate-dictionary.ts";
import { beginRenewal, renewWords } from "../renew-words.ts";
import { createRun } from "../script/run-sqlite.ts";
import { runScript, type Script, scriptNamed } from "../script/script.ts";
import { type Subject, writesOf } from "../scripts.ts";
import { collectionsOf } from "../spread.ts";
import { type Batch, type InUse, StoreOutdated, type ToAnswer, type Written } from "../store.ts";
import { keepVersion, type NewVersion } from "../versions.ts";
import { checkpointsOf } from "./backup.ts";
import type { Thread } from "./calls.ts";
import { closeFile, connect } from "./file.ts";
import { createPrincipals, type Principals } from "./principals.ts";
import { rewriteFile } from "./rewrite.ts";
import { applyDictionary } from "./schema.ts";
import { storeWords } from "./table.ts";
import type { TakenDictionary } from "./taken-dictionary.ts";
import { transact } from "./transaction.ts";
import { createWriter, type Writer } from "./write.ts";

const MOST_TOGETHER = 2_000; // records of batches that are committed together; more would keep the first waiting
const OLD_REQUESTS_END = 10 * 60_000; // ms, after which no request goes on that began with the dictionary before
const CACHE = 49_152; // KiB; enough for the inner pages of every sort index at a million records

/** A batch as it crosses between threads; the other side has the collection itself, in the dictionary of this number. */
export type SentBatch = Omit<Batch, "collection"> & { collection: string; dictionary: number };

/** The store with one dictionary. Batches that began with an earlier one are written with that. */
interface OpenDictionary {
  collections: ReadonlyMap<string, Collection>;
  queue: WriteQueue;
  renewWords(): boolean;
}

interface OpenStore {
  db: Database;
  dictionaries: OpenDictionary[];
  /** Opens another dictionary, for which the tables are ready. */
  add(collections: readonly Collection[]): void;
  /** Runs one script in a transaction. */
  script(of: Subject, name: string, args: readonly unknown[]): unknown;
  checkpoints: ReturnType<typeof checkpointsOf>;
  /** Knows the collections of the newest dictionary. */
  eraser: Eraser;
  sweepHistory(cutoffs: Cutoffs): boolean;
  sweepAnswers(before: number): boolean;
  emptyStep(collection: Collection, id: string): boolean;
  principals: Principals;
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
      stores.set(file, openStore(file, collections, toAnswer));
    },
    /** Does what `Store.takeDictionary` says; `isOld`: words of records are to be renewed. A refusal is answered, for its class does not cross between threads. */
    takeDictionary(file: string, collections: readonly Collection[], next: NewVersion | number): TakenDictionary {
      return takeDictionary(opened(file), collections, next);
    },
    write(file: string, batch: SentBatch): Promise<Written> {
      const store = opened(file);
      const { collections, queue } = dictionaryFor(store, batch);
      for (const name of collectionsOf(batch)) {
        const collection = collectionIn(collections, name);
        const now = newestOf(store).collections.get(name);
        if (!now || lostFields(now, knownFields([collection])).length > 0) throw new StoreOutdated(); // its values are of another kind
        if (formulasText(now) !== formulasText(collection)) throw new StoreOutdated(); // a run would not find what it computes
      }
      return queue.add({ ...batch, collection: collectionIn(collections, batch.collection) });
    },
    /** Runs the transaction of an erasure, as `Store.erase`. */
    erase(file: string, dictionary: number, name: string, id: number, by: Principal, source: Source): boolean | InUse {
      const { db, principals, eraser } = opened(file);
      const { collections } = dictionaryOf(opened(file), dictionary);
      const collection = collectionIn(collections, name);
      const number = transact(db, () => principals.numberOf(by));
      return eraser.erase(collection, id, { now: Date.now(), by: number, source });
    },
    sweepHistory: (file: string, cutoffs: Cutoffs) => opened(file).sweepHistory(cutoffs),
    sweepAnswers: (file: string, before: number) => opened(file).sweepAnswers(before),
    /** One step; false when nothing is left to do. */
    renewWords: (file: string) => newestOf(opened(file)).renewWords(),
    emptyStep: (file: string, collection: Collection, id: string) => opened(file).emptyStep(collection, id),
    finishErasures: (file: string) => opened(file).eraser.finish(),
    /** Does what `Store.rewrite` says. */
    rewrite(file: string, isAlone: boolean): Promise<void> {
      const { db, eraser } = opened(file);
      return rewriteFile({ writer: db, file, moveLog: eraser.moveLog }, isAlone);
    },
    script: (file: string, of: Subject, name: string, args: readonly unknown[]) => opened(file).script(of, name, args),
    stopCheckpoints: (file: string) => opened(file).checkpoints.stop(),
    startCheckpoints: (file: string) => opened(file).checkpoints.start(),
    runCheckpoint: (file: string) => opened(file).checkpoints.run(),
    /** The store may not grow beyond so many pages, as on a disk that is full. Tests need it. */
    setMostPages: (file: string, pages: number) => void opened(file).db.pragma(`max_page_count = ${pages}`),
    close(file: string): void {
      const { db, dictionaries, eraser } = opened(file);
      for (const { queue } of dictionaries) queue.writeAll();
      closeFile(db);
      eraser.close();
      stores.delete(file);
    },
  };
}

function takeDictionary(store: OpenStore, collections: readonly Collection[], next: NewVersion | number): TakenDictionary {
  const { db, add, dictionaries } = store;
  try {
    for (const { queue } of dictionaries) queue.writeAll(); // with the tables that they were made for
    const text = typeof next === "number" ? undefined : next.text;
    const taken = transact(db, () => {
      const notes = applyDictionary(db, collections, { mayChange: true, text, isCounted: true });
      const run = createRun(db);
      const version = typeof next === "number" ? next : runScript(keepVersion(next), run);
      return { version, notes, gone: runScript(readGone(), run), isOld: runScript(beginRenewal(collections, OLD_REQUESTS_END), run) };
    });
    add(collections);
    return { status: "taken", ...taken };
  } catch (error) {
    if (error instanceof StoreOutdated) return { status: "outdated" };
    if (error instanceof DictionaryRefused) return { status: "refused", sentence: error.sentence, reasons: error.reasons };
    // It was not counted, or somebody has stored a value twice since.
    const [, place] = /^UNIQUE constraint failed: (?:c_|index 'u_)([^\s,']+)/.exec((error as Error).message) ?? [];
    if (place) return { status: "refused", ...refusedByRecords([`${place}: some records share values that must be unique now`]) };
    throw error;
  }
}

function openStore(file: string, collections: readonly Collection[], toAnswer: ToAnswer): OpenStore {
  const db = connect(file, CACHE);
  const run = createRun(db);
  const inTransaction = <T>(script: () => Script<T>) => transact(db, () => runScript(script(), run));
  const checkpoints = checkpointsOf(db);
  const dictionaries: OpenDictionary[] = [];
  const newest = new Map<string, Collection>();
  const add = (all: readonly Collection[]) => {
    newest.clear();
    for (const collection of all) newest.set(collection.name, collection);
    dictionaries.push({
      collections: new Map(newest),
      queue: createQueue(createWriter(db, all, toAnswer)),
      // It leaves the room for the writes of others.
      renewWords: () => transact(db, () => runScript(renewWords(all, storeWords), run), { usesReserve: false }),
    });
  };
  add(collections);
  return {
    db,
    dictionaries,
    add,
    script: (of, name, args) => inTransaction(() => scriptNamed(writesOf(of), name, args)),
    checkpoints,
    eraser: createEraser({ db, collections: newest, transact: inTransaction, emptyLog: checkpoints.runUnlessStopped }),
    sweepHistory: (cutoffs) => inTransaction(() => sweepHistory(cutoffs, OF_SQLITE)),
    sweepAnswers: (before) => inTransaction(() => sweepAnswers(before)),
    emptyStep: (collection, id) => inTransaction(() => emptyStep(collection, { id })),
    principals: createPrincipals(db),
  };
}

function dictionaryOf({ dictionaries }: Pick<OpenStore, "dictionaries">, number: number): OpenDictionary {
  const found = dictionaries[number];
  if (!found) throw new Error(`the store has no dictionary ${number}`);
  return found;
}

/**
 * Returns the dictionary of a batch; the one after it where that has begun to convert a field into one that the first does not have. It
 * differs in nothing else, and what the batch writes is converted along.
 */
function dictionaryFor({ dictionaries }: OpenStore, batch: SentBatch): OpenDictionary {
  const own = dictionaryOf({ dictionaries }, batch.dictionary);
  const isConvertedNext = collectionsOf(batch).some((name) => {
    const [before, next] = [own, dictionaries[batch.dictionary + 1]].map((one) => one?.collections.get(name)?.converting.length ?? 0);
    return (next ?? 0) > (before ?? 0);
  });
  return isConvertedNext ? dictionaryOf({ dictionaries }, batch.dictionary + 1) : own;
}

function newestOf({ dictionaries }: OpenStore): OpenDictionary {
  return dictionaries.at(-1) as OpenDictionary;
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
