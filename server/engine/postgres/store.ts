// The store in a PostgreSQL database, which several processes may share.

import { setTimeout as sleep } from "node:timers/promises";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { emptyStep } from "../../erasure/empty-retired.ts";
import { sweepAnswers } from "../../erasure/stored-answers.ts";
import { OLDEST_RUNNING, readHome } from "../../history/store/home-postgres.ts";
import { HISTORY_READS, type HistoryReads } from "../../history/store/queries.ts";
import { readGone } from "../../history/store/reads.ts";
import { sweepHistory } from "../../history/store/retention.ts";
import { beginTimeline } from "../../history/store/timeline.ts";
import { createAttemptTable } from "../../people/store/attempts.ts";
import { NO_REPORT, type ReportWork, runInSteps, unattended } from "../background.ts";
import { type Cell, columnOf, columnsOf, tableOf, toRecord } from "../columns.ts";
import { countValues } from "../count-values.ts";
import { createCredentials } from "../credentials.ts";
import { impactOf } from "../dictionary-findings.ts";
import { findHolders } from "../find-holders.ts";
import { readKnownFields, rulesText } from "../known-fields.ts";
import { countBefore } from "../migrate-dictionary.ts";
import { NEAR_BUDGET } from "../near-search.ts";
import { createReadTurns, isPlain, type ReadTurns, type TurnOptions } from "../read-turns.ts";
import { beginRenewal, leaveOldNames, OLD_PROCESSES_END, renewWords } from "../renew-words.ts";
import { runOn } from "../script/run-postgres.ts";
import { runnable, type Script, scriptNamed } from "../script/script.ts";
import { scriptStores } from "../scripts.ts";
import type { MasterSecrets } from "../secrets/master-secrets.ts";
import { leaveSecrets, takeSecrets } from "../secrets/take-secrets.ts";
import {
  DEFAULT_SETTINGS,
  type ReadOptions,
  type Store,
  StoreOpenError,
  StoreOutdated,
  type StoreSettings,
  StoreUnavailable,
  type ToAnswer,
} from "../store.ts";
import { type SummaryQuery, summarize } from "../summary.ts";
import { chosenFrom, type GivenDictionary, keepChosen, keepVersion, readNewest, readOther } from "../versions.ts";
import { countBroken, countRules, type FindQuery, findBroken, type RuleQuery, SCANNED, type ViolationQuery } from "../violations.ts";
import { beforeRunning } from "./backend.ts";
import type { Connections, Reads } from "./connections.ts";
import { type Database, openDatabase } from "./database.ts";
import { codeOf, LOCK_NOT_AVAILABLE } from "./database-errors.ts";
import { createEraser, rewriteTables } from "./erase.ts";
import { createFeed } from "./feed.ts";
import { makeUnique, tendIndexes } from "./indexes.ts";
import { createLister, SUMMARY_SQL } from "./list.ts";
import { guard, MIGRATIONS, migrate, prepare, requireKnownSchema } from "./migrations.ts";
import type { Query } from "./pool.ts";
import { createPrincipals, type Principals } from "./principals.ts";
import type { ReadAnywhere } from "./replica.ts";
import { applyDictionary, raiseVersions, uniqueKey } from "./schema.ts";
import { createScriptCalls } from "./script-calls.ts";
import { storeWords } from "./table.ts";
import { createViewers } from "./viewers.ts";
import { createWriter } from "./write.ts";

/**
 * Connects and brings the tables up to the dictionary; several processes may do so at once. Throws StoreOpenError when the
 * server cannot be used or the dictionary does not fit the stored data.
 */
export async function openPostgres(url: string, given: GivenDictionary, toAnswer: ToAnswer, settings = DEFAULT_SETTINGS): Promise<Store> {
  const database = openDatabase(url, settings);
  try {
    const { collections, secrets, hasOldWords, notes } = await prepareTables(database.records, given, settings);
    if (settings.mayChangeTables !== false) database.expectRules(rulesText(collections));
    for (const note of notes) settings.onWarning?.(`dictionary: ${note}`);
    await database.ping();
    return createStore(database, { collections, toAnswer, secrets, hasOldWords, settings });
  } catch (error) {
    await database.close();
    throw error instanceof StoreOpenError ? error : new StoreOpenError(whyNotOpened(error), { cause: error });
  }
}

/**
 * Returns what a start with this dictionary would do to the store, which services may use meanwhile; undefined for a database without one.
 * Changes nothing. Throws as openPostgres does.
 */
export async function tryDictionary(url: string, given: GivenDictionary): Promise<string[] | undefined> {
  const database = openDatabase(url, DEFAULT_SETTINGS);
  try {
    return await database.records.transact(async (query) => {
      await query("SET TRANSACTION READ ONLY");
      await query("SET LOCAL statement_timeout = 0"); // it reads every record
      const { rows } = await query("SELECT to_regclass('fields') IS NOT NULL");
      if (!rows[0]?.[0]) return undefined;
      await requireKnownSchema(query);
      const { collections } = chosenFrom(given, await runOn(query, readNewest()));
      return applyDictionary(query, collections, { mayChange: true, isTrial: true });
    });
  } catch (error) {
    throw error instanceof StoreOpenError ? error : new StoreOpenError(whyNotOpened(error), { cause: error });
  } finally {
    await database.close();
  }
}

interface Prepared extends Pick<Parts, "collections" | "secrets" | "hasOldWords"> {
  /** Sentences about the dictionary. */
  notes: readonly string[];
}

async function prepareTables(
  { transact }: Connections,
  given: GivenDictionary,
  { onUpgrade, mayChangeTables = true, ...settings }: StoreSettings,
): Promise<Prepared> {
  await transact(requireUtf8);
  await transact(prepare);
  return transact(async (query) => {
    await guard(query);
    await migrate(query, MIGRATIONS, onUpgrade);
    const kept = await runOn(query, readNewest());
    const chosen = chosenFrom(given, kept);
    const { collections } = chosen;
    const notes = await applyDictionary(query, collections, { mayChange: mayChangeTables, text: chosen.text });
    if (mayChangeTables) await runOn(query, keepChosen(chosen, kept));
    const taken = await runOn(query, mayChangeTables ? takeSecrets(settings) : leaveSecrets());
    if (taken.status === "refused") throw new StoreOpenError(taken.why);
    const { secrets, isNewStore } = taken;
    const isRestored = await runOn(query, beginTimeline(await runOn(query, readHome()), isNewStore));
    if (isRestored) await runOn(query, leaveOldNames(collections, raiseVersions));
    return { collections, secrets, hasOldWords: await runOn(query, beginRenewal(collections, OLD_PROCESSES_END)), notes };
  });
}

/** Any other encoding refuses or garbles the names of most people. It cannot be changed afterwards. */
async function requireUtf8(query: Query): Promise<void> {
  const { rows } = await query("SELECT current_setting('server_encoding'), current_database()::text");
  const [encoding, name] = rows[0] ?? [];
  if (encoding === "UTF8") return;
  throw new StoreOpenError(
    `the database ${name} has the encoding ${encoding}, and must have UTF8. Make another one and name it in DATABASE_URL: createdb --encoding=UTF8 --template=template0 ${name}_utf8`,
  );
}

const SWEPT = { xid: "xid", isReadable: `CASE WHEN xid < ${OLDEST_RUNNING} THEN 1 ELSE 0 END` } as const;

/** Never contains the URL, which holds the password. */
function whyNotOpened(error: unknown): string {
  const { message = "", cause } = error as { message?: string; cause?: { message?: string } };
  const code = codeOf(error) || codeOf(cause ?? {});
  if (/^28/.test(code)) return "PostgreSQL refused the user or password of DATABASE_URL";
  if (code === "3D000") return "the database named in DATABASE_URL does not exist";
  if (code === "42501") return `the user of DATABASE_URL may not make tables (${message})`;
  return `the PostgreSQL server of DATABASE_URL cannot be used (${(error instanceof StoreUnavailable && cause?.message) || message || code})`;
}

interface Parts {
  collections: readonly Collection[];
  toAnswer: ToAnswer;
  secrets: MasterSecrets;
  /** Is true where there are words to renew. */
  hasOldWords: boolean;
  settings: StoreSettings;
}

/** What the next dictionary is judged by is read from the primary. */
function createCounts({ records, anywhere }: Database, turns: ReadTurns<boolean>, ms: number) {
  const countIn = <T>(readFrom: ReadAnywhere, begin: () => Script<T>, options: ReadOptions = {}) =>
    turns.run({ ...options, mayBeLong: true }, () => readFrom(({ readWithin }) => runOn(readWithin(ms, options.signal), begin())));
  const onPrimary: ReadAnywhere = (work) => work(records);
  return {
    impactOf: (all: readonly Collection[]) => countIn(onPrimary, () => impactOf(all)),
    countValues: (collection: Collection, field: Field) => countIn(onPrimary, () => countValues(collection, field)),
    countRules: (collection: Collection, query: RuleQuery, options?: ReadOptions) =>
      countIn(onPrimary, () => countRules(collection, query), options),
    countBroken: (collection: Collection, query: ViolationQuery, options?: ReadOptions) =>
      countIn(anywhere, () => countBroken(collection, query, ms * SCANNED), options),
    findBroken: (collection: Collection, query: FindQuery, options?: ReadOptions) =>
      countIn(anywhere, () => findBroken(collection, query, ms * SCANNED), options),
    summarize: (collection: Collection, query: SummaryQuery, options?: ReadOptions) =>
      countIn(anywhere, () => summarize(collection, query, SUMMARY_SQL), options),
  };
}

/** Lists the reads of the history for a page of many changes. The rest is about one record, or is what an undo goes by. */
const OVERVIEWS: ReadonlySet<string> = new Set<keyof HistoryReads>([
  "listActivity",
  "listChanges",
  "countChanges",
  "summarizeRun",
  "listDeletions",
]);

function createHistory({ records, anywhere }: Database): HistoryReads {
  return runnable(HISTORY_READS, (name, args) => {
    const run = ({ read }: Reads) => runOn(read, scriptNamed(HISTORY_READS, name, args));
    return OVERVIEWS.has(name) ? anywhere(run) : run(records);
  });
}

const REMEMBERED_FOR = 250; // ms that a process may not know yet which access another has ended

function createStore(database: Database, { collections, toAnswer, secrets, hasOldWords, settings }: Parts): Store {
  const { records, alone, ping, pools, readCounts } = database;
  const principals = createPrincipals(records);
  const scripts = createScriptCalls(records);
  const credentials = createScriptCalls(database.credentials);
  // A read that its client has left runs on until it ends, and so does its turn.
  const turns = createReadTurns(readersOf(settings), { start: async () => true, interrupt: () => undefined });
  const { report = NO_REPORT } = settings;
  void unattended("erasures", report, createEraser(records, principals, collections).finishAll); // tried again at the next start
  const upkeep = createUpkeep(database, report, collections);
  upkeep.renew(hasOldWords, collections);
  if (settings.mayChangeTables !== false) upkeep.tend();
  let closing: Promise<void> | undefined;
  const withDictionary = (all: readonly Collection[]): Store => ({
    ...shared,
    write: createWriter(records, principals, all, toAnswer),
    erase: createEraser(records, principals, all).erase,
    rewrite: () => rewriteTables(records, all, settings.readSeconds * 1_000),
  });
  const shared: Omit<Store, "write" | "erase" | "rewrite"> = {
    ...createCredentials(credentials.read, credentials.write, () => Math.floor(performance.now() / REMEMBERED_FOR)),
    secrets,
    history: createHistory(database),
    attempts: createAttemptTable(database.credentials.read),
    feed: createFeed(records.read, (options = {}, work) => turns.run(options, work)),
    viewers: createViewers(records.read),
    ...scriptStores(scripts.read, scripts.write),
    ...recordReads(database, principals, turns, settings.readSeconds * 1_000),
    ...createCounts(database, turns, settings.readSeconds * 1_000),
    isShared: true,
    async takeDictionary(all, next) {
      const isOwn = typeof next !== "number";
      const counted = isOwn ? await countBefore(shared.impactOf(all)) : [];
      const isHeld = !isOwn || (await makeUnique(alone, all, await runOn(records.read, readKnownFields())));
      const options = { mayChange: true, text: isOwn ? next.text : undefined, isCounted: isHeld };
      if (isOwn) await upkeep.untilIndexIsMade(INDEX_ENDS);
      const { version, notes, isOld, gone } = await withTables(records, async (query) => {
        if (!isOwn && (await runOn(query, readOther(next))) !== undefined) throw new StoreOutdated();
        const notes = await applyDictionary(query, all, options);
        const version = isOwn ? await runOn(query, keepVersion(next)) : next;
        return { version, notes, isOld: await runOn(query, beginRenewal(all, OLD_PROCESSES_END)), gone: await runOn(query, readGone()) };
      }).catch((error) => {
        if (isOwn) upkeep.tend(); // an index may have been made for it
        throw error;
      });
      if (isOwn) upkeep.tend(all); // those of others are made by whoever took it first
      database.expectRules(rulesText(all));
      await upkeep.stopRenewal();
      upkeep.renew(isOld, all);
      return { store: withDictionary(all), version, notes: isHeld ? [...notes, ...counted] : notes, gone };
    },
    sweepHistory: (cutoffs) => records.transact((query) => runOn(query, sweepHistory(cutoffs, SWEPT))),
    async emptyStep(collection, id) {
      const hasMore = await records.transact((query) => runOn(query, emptyStep(collection, { id })));
      if (!hasMore) await createEraser(records, principals, collections).finishAll();
      return hasMore;
    },
    sweepAnswers: (before) => records.transact((query) => runOn(query, sweepAnswers(before))),
    time: () => beforeRunning(records.read),
    ping,
    pools,
    ...(readCounts && { readCounts }),
    close() {
      closing ??= upkeep.stop().then(() => database.close());
      return closing;
    },
  };
  return withDictionary(collections);
}

/** Runs beside requests: it renews words, and makes and takes away indexes. */
function createUpkeep({ records, alone }: Database, report: ReportWork, first: readonly Collection[]) {
  let [newest, stopTending, stopRenewal] = [first, async () => {}, async () => {}];
  return {
    tend(all = newest): void {
      void stopTending(); // what is under way ends by itself
      newest = all;
      stopTending = runInSteps("indexes", report, () => tendIndexes(alone, newest));
    },
    /** Waits for an index that is being made, so that nobody who writes waits behind a change that waits for it; not longer than `most` ms. */
    async untilIndexIsMade(most: number): Promise<void> {
      await Promise.race([stopTending(), sleep(most, undefined, { ref: false })]);
    },
    renew(isNeeded: boolean, all: readonly Collection[]): void {
      stopRenewal = isNeeded ? runInSteps("search words", report, () => renewStep(records, all)) : async () => {};
    },
    stopRenewal: () => stopRenewal(),
    stop(): Promise<void> {
      void stopTending();
      return stopRenewal();
    },
  };
}

/** Reads records as the collection that is given has them. `budget`: ms that a page or a count may take. */
function recordReads(
  { records, anywhere }: Database,
  principals: Principals,
  turns: ReadTurns<boolean>,
  budget: number,
): Pick<Store, "read" | "readJson" | "findHolders" | "list" | "count" | "near"> {
  const listerOn = ({ readWithin, searchWithin, readByIndex }: Reads) =>
    createLister({
      read: (signal) => readWithin(budget, signal),
      search: (signal) => searchWithin(budget, signal),
      near: (signal) => readByIndex(Math.min(budget, NEAR_BUDGET), signal),
    });
  const inTurn = <T>(options: TurnOptions, work: (reads: Reads) => Promise<T>) => turns.run(options, () => anywhere(work));
  const read = async (collection: Collection, id: number) => {
    const sql = `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE ${columnOf(collection.key)} = $1`;
    const { rows } = await records.read(sql, [id]);
    return rows[0] && (await principals.name(records.read, [toRecord(collection, rows[0] as Cell[])]))[0];
  };
  return {
    read,
    async readJson(collection, id) {
      const record = await read(collection, id);
      return record && { json: JSON.stringify(record), version: record.version };
    },
    findHolders: (...asked) => runOn(records.read, findHolders(...asked, uniqueKey)),
    list: (collection, page, options) =>
      inTurn({ ...options, mayBeLong: !isPlain(page) }, async (reads) => {
        const { records: found, more } = await listerOn(reads).list(collection, page, options);
        return { records: await principals.name(reads.read, found), more };
      }),
    count: (collection, selection, options) =>
      inTurn({ ...options, mayBeLong: true }, (reads) => listerOn(reads).count(collection, selection, options)),
    near: (collection, query, options) =>
      inTurn({ ...options, mayBeLong: true }, (reads) => listerOn(reads).near(collection, query, options)),
  };
}

/** Counts the connections that read lists at once: one is left for single records and writes. */
function readersOf({ connections }: StoreSettings): number {
  return Math.max(2, connections - 1);
}

const INDEX_ENDS = 10_000; // ms; one that takes longer is waited for as LOCK_WAITS say

/**
 * Lists the waits in ms. After 1 s PostgreSQL ends its own work on the table, such as VACUUM; an index that is being made for the change
 * before takes longer.
 */
const LOCK_WAITS = [100, 200, 400, 400, 400, 1_200, 400, 400, 800, 1_200, 400, 800, 1_200, 400, 800, 1_200];

/**
 * Changes tables in a guarded transaction. Whoever waits for a table lets all others wait behind it, so it waits a short while first, and gives way in
 * between. Throws StoreUnavailable where a table is in use for long.
 */
async function withTables<T>(records: Connections, work: (query: Query) => Promise<T>, tries = 0): Promise<T> {
  try {
    return await records.transact(async (query) => {
      await guard(query);
      await query(`SET LOCAL lock_timeout = ${LOCK_WAITS[tries]}`);
      return work(query);
    });
  } catch (error) {
    const isInUse = error instanceof StoreUnavailable && codeOf(error.cause ?? {}) === LOCK_NOT_AVAILABLE;
    if (!isInUse || tries === LOCK_WAITS.length - 1) throw error;
    await sleep(LOCK_WAITS[tries]);
    return withTables(records, work, tries + 1);
  }
}

/** It gives way to whoever writes the same records, before PostgreSQL looks for a deadlock, and is tried again later. */
function renewStep({ transact }: Connections, collections: readonly Collection[]): Promise<boolean> {
  return transact(async (query) => {
    await query("SET LOCAL lock_timeout = 200"); // ms
    return runOn(query, renewWords(collections, storeWords));
  });
}
