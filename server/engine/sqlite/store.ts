// The store in one SQLite file (libsql). One thread writes, others read lists; here runs what takes microseconds.

import { existsSync, rmSync, statSync } from "node:fs";
import type { Database } from "libsql";
import { childrenOf } from "../../../core/dictionary/children.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { createFeed } from "../../history/store/feed-sqlite.ts";
import { HISTORY_READS } from "../../history/store/queries.ts";
import { beginTimeline, HOME_OF_SQLITE } from "../../history/store/timeline.ts";
import { NAME_WRITES } from "../../people/store/people.ts";
import type { StoredRecord } from "../../people/store/principals.ts";
import { NO_REPORT, type ReportWork, runInSteps, unattended } from "../background.ts";
import { type Cell, columnOf, columnsOf, tableOf, toRecord } from "../columns.ts";
import { createCredentials } from "../credentials.ts";
import { findHolders, type UniqueSql } from "../find-holders.ts";
import { countBefore } from "../migrate-dictionary.ts";
import { beginRenewal, leaveOldNames } from "../renew-words.ts";
import { createRun } from "../script/run-sqlite.ts";
import { type Result, runnable, runScript, type Script, type Statement } from "../script/script.ts";
import { type RunWrite, scriptStores } from "../scripts.ts";
import type { MasterSecrets, SecretsSettings } from "../secrets/master-secrets.ts";
import { leaveSecrets, takeSecrets } from "../secrets/take-secrets.ts";
import { isSpread } from "../spread.ts";
import {
  type OnUpgrade,
  type Store,
  StoreFull,
  StoreOpenError,
  StoreOutdated,
  type StoreSettings,
  StoreUnavailable,
  type WriteOp,
} from "../store.ts";
import { chosenFrom, type GivenDictionary, keepChosen, readNewest } from "../versions.ts";
import { createViewersInMemory } from "../viewers.ts";
import { type Checkpoints, createCopier } from "./backup.ts";
import { holdReserve, makeRoomToStart } from "./disk-reserve.ts";
import { closeFile, collectGarbage, connect, type FileLock, lockFile, requireSameFile } from "./file.ts";
import { MIGRATIONS, migrate } from "./migrations.ts";
import { createPrincipals, type Principals } from "./principals.ts";
import { createReads, type ReaderPool } from "./reader-pool.ts";
import { createRecordCache, type RecordCache } from "./record-cache.ts";
import { applyDictionary, raiseVersions } from "./schema.ts";
import { damaged, isCorrupt, isLogMissing, LACKS_LOG, refuseEmptyFile, requireWhole } from "./start-checks.ts";
import { requireTaken } from "./taken-dictionary.ts";
import { createSnapshot, type Snapshot, transact } from "./transaction.ts";
import type { WriterThread } from "./writer.ts";

const START_CACHE = 49_152; // KiB; the start may have to make indexes
const CACHE = 8_192; // KiB; single records and credentials

/** The threads of a process, which all its stores share. */
export interface SqliteThreads {
  writer: WriterThread;
  readers: ReaderPool;
}

export interface SqliteSettings extends SecretsSettings {
  threads: () => SqliteThreads;
  /** ms that a page or a count may take. */
  readBudget: number;
  /** An empty log may stay beside the closed file. Saves a garbage collection, which takes long in a process with a large heap. */
  leavesLog?: boolean;
  onUpgrade?: OnUpgrade | undefined;
  report?: ReportWork | undefined;
  onWarning?: StoreSettings["onWarning"] | undefined;
  /** Means what it does in StoreSettings. */
  mayChangeTables?: boolean | undefined;
}

/**
 * Opens the file, or creates it and its folder, and brings its tables up to the dictionary. Throws StoreOpenError when another
 * service has the file, it cannot be written, or the dictionary does not fit the stored data.
 */
export async function openSqlite(
  file: string,
  given: GivenDictionary,
  { threads, readBudget, leavesLog = false, report = NO_REPORT, ...settings }: SqliteSettings,
): Promise<Store> {
  const lock = lockFile(file);
  let db: Database | undefined;
  const isNew = !existsSync(file);
  const lacksLog = isLogMissing(file);
  try {
    refuseEmptyFile(file);
    makeRoomToStart(file);
    db = connect(file, START_CACHE);
    if (!isNew) requireWhole(db, file);
    if (lacksLog) settings.onWarning?.(LACKS_LOG);
    const { collections, hasOldWords, secrets, notes } = prepareTables(db, given, settings);
    for (const note of notes) settings.onWarning?.(`dictionary: ${note}`);
    db.pragma(`cache_size = -${CACHE}`);
    db.pragma("query_only = ON");
    const snapshot = createSnapshot(db);
    const { readers } = threads();
    const writer = snapshot.endBefore(threads().writer);
    await writer.call("open", file, collections);
    await unattended("erasures", report, () => writer.call("finishErasures", file)); // a full disk is no reason not to start
    holdReserve(db);
    return createStore({
      db,
      snapshot,
      file,
      lock,
      leavesLog,
      collections,
      writer,
      secrets,
      readsOf: (all, dictionary) => createReads(readers, { path: file, dictionary, collections: all, budget: readBudget }),
      renew: (isNeeded) => (isNeeded ? runInSteps("search words", report, () => writer.call("renewWords", file)) : async () => undefined),
      hasOldWords,
    });
  } catch (error) {
    if (db) closeFile(db);
    if (isNew && statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file);
    lock.release();
    if (isCorrupt(error)) throw new StoreOpenError(damaged(file, (error as Error).message));
    const isDiskError = error instanceof StoreFull || error instanceof StoreUnavailable;
    throw isDiskError ? new StoreOpenError(`${file} cannot be written: ${error.message}`) : error;
  }
}

interface Prepared {
  collections: readonly Collection[];
  /** There are words to renew. */
  hasOldWords: boolean;
  secrets: MasterSecrets;
  /** Sentences about the dictionary. */
  notes: readonly string[];
}

function prepareTables(
  db: Database,
  given: GivenDictionary,
  { onUpgrade, mayChangeTables = true, ...settings }: Omit<SqliteSettings, "threads" | "readBudget">,
): Prepared {
  return transact(db, () => {
    migrate(db, MIGRATIONS, onUpgrade);
    const run = createRun(db);
    const kept = runScript(readNewest(), run);
    const chosen = chosenFrom(given, kept);
    const { collections } = chosen;
    const notes = applyDictionary(db, collections, { mayChange: mayChangeTables, text: chosen.text });
    if (mayChangeTables) runScript(keepChosen(chosen, kept), run);
    const taken = runScript(mayChangeTables ? takeSecrets(settings) : leaveSecrets(), run);
    if (taken.status === "refused") throw new StoreOpenError(taken.why);
    const { secrets, isNewStore } = taken;
    if (runScript(beginTimeline(HOME_OF_SQLITE, isNewStore), run)) runScript(leaveOldNames(collections, raiseVersions), run);
    return { collections, secrets, hasOldWords: runScript(beginRenewal(collections, 0), run), notes };
  });
}

interface Parts {
  /** It only reads. */
  db: Database;
  snapshot: Snapshot;
  file: string;
  lock: FileLock;
  leavesLog: boolean;
  collections: readonly Collection[];
  writer: WriterThread;
  secrets: MasterSecrets;
  /** Makes the reads with a dictionary, which has a number. */
  readsOf(collections: readonly Collection[], dictionary: number): ReturnType<typeof createReads>;
  /** Renews the words of records, where it is needed, and returns a function that stops it. */
  renew(isNeeded: boolean): () => Promise<void>;
  hasOldWords: boolean;
}

/** The unique indexes have the columns themselves. */
const asStored: UniqueSql = (_, value) => value;

function createStore({ db, snapshot, file, lock, leavesLog, collections, writer, secrets, readsOf, renew, hasOldWords }: Parts): Store {
  let own: OwnReads | undefined = createOwnReads(db);
  const open = (): OwnReads => {
    if (!own) throw new StoreUnavailable("the store is closed");
    snapshot.begin();
    return own;
  };
  let stopRenewal = renew(hasOldWords);
  const copier = createCopier(checkpointsBy(writer, file), file);
  /** They have one for each dictionary, in the order of their numbers. A record that is written with one is forgotten for all. */
  const [caches, allReads]: [RecordCache[], ReturnType<typeof createReads>[]] = [[], []];
  const first = readsOf(collections, 0);
  let taking = 0; // dictionaries: their tables may be there already
  const readHere = async (script: Script<unknown>) => runScript(script, open().run);
  const writeThere: RunWrite = (of, name, args) => writer.call("script", file, of, name, args);
  const forgetNames = () => {
    own?.principals.forget(); // first, or a record would be remembered with an old name
    for (const cache of caches) cache.clear();
  };
  const shared: Omit<Store, RecordCalls> = {
    ...createCredentials(readHere, afterRenaming(forgetNames, writeThere)),
    secrets,
    feed: createFeed((statement) => open().run(statement), first),
    viewers: createViewersInMemory(),
    history: runnable(HISTORY_READS, first.history),
    ...scriptStores(readHere, writeThere),
    ...{ ...countsOf(first), findHolders: async (...asked) => runScript(findHolders(...asked, asStored), open().run) },
    isShared: false,
    async takeDictionary(all, next) {
      const counted = typeof next === "number" ? [] : await countBefore(first.impactOf(all));
      taking += 1;
      const taken = writer.call("takeDictionary", file, all, next).finally(() => setImmediate(() => (taking -= 1)));
      const { version, notes, isOld, gone } = requireTaken(await taken);
      for (const cache of caches) cache.clear(); // those of earlier dictionaries serve a few requests yet
      const store = withDictionary(all, readsOf(all, allReads.length));
      await stopRenewal();
      stopRenewal = renew(isOld);
      return { store, version, notes: [...notes, ...counted], gone };
    },
    emptyStep: (collection, id) => emptyStep(writer, file, collection, id),
    sweepHistory: (cutoffs) => writer.call("sweepHistory", file, cutoffs),
    sweepAnswers: (before) => writer.call("sweepAnswers", file, before),
    rewrite: (isAlone) => writer.call("rewrite", file, isAlone),
    copy: copier.copy,
    time: () => Date.now() - 1, // what is written in this ms, but later, is not to be missed
    async ping() {
      open().ping();
      requireSameFile(db, file);
    },
    async close() {
      if (!own) return;
      own = undefined; // its statements hold the connection
      snapshot.end();
      await stopRenewal();
      for (const reads of allReads) await reads.close();
      db.close();
      if (!leavesLog) await collectGarbage();
      await writer.call("close", file);
      await copier.close();
      lock.release();
    },
  };
  function withDictionary(all: readonly Collection[], reads: ReturnType<typeof createReads>): Store {
    const dictionary = allReads.push(reads) - 1;
    return { ...shared, ...recordCalls({ collections: all, dictionary, reads, open, writer, file, caches, isTaking: () => taking > 0 }) };
  }
  return withDictionary(collections, first);
}

/** Calls `forget` after each write by which somebody may have another name. */
function afterRenaming(forget: () => void, write: RunWrite): RunWrite {
  return async (of, name, args) => {
    try {
      return await write(of, name, args);
    } finally {
      if (name in NAME_WRITES) forget();
    }
  };
}

function countsOf({ impactOf, countValues, countBroken, findBroken, countRules, summarize }: ReturnType<typeof createReads>) {
  return { impactOf, countValues, countBroken, findBroken, countRules, summarize };
}

async function emptyStep(writer: WriterThread, file: string, collection: Collection, id: string): Promise<boolean> {
  const hasMore = await writer.call("emptyStep", file, collection, id);
  if (!hasMore) await writer.call("finishErasures", file);
  return hasMore;
}

type RecordCalls = "read" | "readJson" | "list" | "count" | "near" | "write" | "erase";

interface RecordParts extends Pick<Parts, "collections" | "writer" | "file"> {
  /** The number of the dictionary. */
  dictionary: number;
  reads: ReturnType<typeof createReads>;
  open(): OwnReads;
  caches: RecordCache[];
  /** Another dictionary is being taken. */
  isTaking(): boolean;
}

/** Reads and writes records as one dictionary has them. */
function recordCalls({ collections, dictionary, reads, open, writer, file, caches, isTaking }: RecordParts): Pick<Store, RecordCalls> {
  /** Explains an error by another dictionary that was taken meanwhile: its tables may lack what this one names. With the newest it is a bug. */
  const explained = (error: unknown) => {
    const isReplaced = dictionary < caches.length - 1 || isTaking();
    return isReplaced && isOfOtherTables(error) ? new StoreOutdated(undefined, { cause: error }) : error;
  };
  const explain = (error: unknown) => {
    throw explained(error);
  };
  const recordCache = createRecordCache((collection, id) => {
    const { find, principals } = open();
    try {
      const stored = find(collection, id);
      return stored && principals.name([stored])[0];
    } catch (error) {
      throw explained(error);
    }
  });
  caches.push(recordCache);
  return {
    read: recordCache.read,
    readJson: recordCache.readJson,
    async list(collection, page, options) {
      const { records, more } = await reads.list(collection.name, page, options).catch(explain);
      return { records: open().principals.name(records), more };
    },
    count: (collection, selection, options) => reads.count(collection.name, selection, options).catch(explain),
    near: (collection, query, options) => reads.near(collection.name, query, options).catch(explain),
    async write(batch) {
      let isElsewhere = batch.merge !== undefined || isSpread(batch);
      try {
        const written = await writer.call("write", file, { ...batch, collection: batch.collection.name, dictionary }).catch(explain);
        isElsewhere ||= "answer" in written && written.isElsewhere === true;
        return written;
      } finally {
        const isParent = childrenOf(collections, batch.collection).length > 0;
        const isMatched = (op: WriteOp) => op.verb === "post" && op.match !== undefined; // another field says which record is meant
        for (const cache of caches) {
          if (isElsewhere || batch.ops.some((op) => isParent && op.verb === "delete")) cache.clear();
          else if (batch.ops.some(isMatched)) cache.clear(batch.collection);
          else cache.forget(batch);
        }
      }
    },
    async erase(collection, id, by, source) {
      try {
        const outcome = await writer.call("erase", file, dictionary, collection.name, id, by, source).catch(explain);
        if (outcome !== true) return outcome;
      } finally {
        for (const cache of caches) cache.forget({ collection, ops: [{ id }] });
      }
      await writer.call("finishErasures", file);
      return true;
    },
  };
}

/** Is true where a statement names a column or table that is not there, or a value is not of the column's type (STRICT tables). */
function isOfOtherTables(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    code === "SQLITE_CONSTRAINT_DATATYPE" || (code === "SQLITE_ERROR" && /no such (?:column|table)|has no column/.test(String(message)))
  );
}

function checkpointsBy(writer: WriterThread, file: string): Checkpoints {
  return {
    stop: () => writer.call("stopCheckpoints", file),
    start: () => writer.call("startCheckpoints", file),
    run: () => writer.call("runCheckpoint", file),
  };
}

/** Reads in this thread what takes microseconds. */
interface OwnReads {
  find(collection: Collection, id: number): StoredRecord | undefined;
  principals: Principals;
  /** Runs one statement of a script that only reads. */
  run(statement: Statement): Result;
  ping(): void;
}

function createOwnReads(db: Database): OwnReads {
  const statements = new WeakMap<Collection, ReturnType<Database["prepare"]>>();
  const statementFor = (collection: Collection) => {
    const known = statements.get(collection);
    if (known) return known;
    const sql = `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE ${columnOf(collection.key)} = ?`;
    const statement = db.prepare(sql).raw();
    statements.set(collection, statement);
    return statement;
  };
  const ping = db.prepare("SELECT 1");
  return {
    find(collection, id) {
      const row = statementFor(collection).get([id]) as Cell[] | undefined;
      return row && toRecord(collection, row);
    },
    principals: createPrincipals(db),
    run: createRun(db),
    ping: () => void ping.get(),
  };
}
