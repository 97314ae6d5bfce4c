// Runs in the threads that read: pages and counts, each within its budget of time.

import Database from "libsql/promise";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { FeedFilter } from "../../history/store/feed.ts";
import { type FeedCursor, readFeed } from "../../history/store/feed-sqlite.ts";
import { HISTORY_READS } from "../../history/store/queries.ts";
import { type LaterQuery, readLater } from "../../history/store/reads.ts";
import { type Cell, collectionIn } from "../columns.ts";
import { countValues } from "../count-values.ts";
import { impactOf } from "../dictionary-findings.ts";
import type { NearQuery } from "../near-search.ts";
import { runOn } from "../script/run-postgres.ts";
import { withSqlitePlaces } from "../script/run-sqlite.ts";
import { type Result, type Script, scriptNamed } from "../script/script.ts";
import { type CountedSelection, type Page, StoreTooCostly } from "../store.ts";
import { type SummaryQuery, summarize } from "../summary.ts";
import { countBroken, countRules, type FindQuery, findBroken, type RuleQuery, SCANNED, type ViolationQuery } from "../violations.ts";
import type { Thread } from "./calls.ts";
import { collectGarbage } from "./file.ts";
import { createLister, type Lister, type QueryRows, SUMMARY_SQL } from "./list.ts";

const CACHE = 16_384; // KiB
const PATIENCE = 5_000; // ms that a statement waits for a lock, which only recovery after a crash holds
const INTERRUPT_EVERY = 20; // ms; SQLite forgets an interrupt that comes just before the statement begins
const MAX_STATEMENTS = 200; // prepared and cached; clients choose the orders, so their number needs a limit

interface OpenStore {
  db: Database;
  lister: Lister;
  query: QueryRows;
  collections: ReadonlyMap<string, Collection>;
}

export type ReaderCalls = ReturnType<typeof createReaderCalls>;
export type ReaderThread = Thread<ReaderCalls>;

/** Does one read at a time. `budget` in ms; throws StoreTooCostly when it is used up, or after a call of `interrupt`. */
export function createReaderCalls() {
  const stores = new Map<string, OpenStore>();
  let isOver = false;
  let stop = () => {}; // ends the read that runs
  let ended: Promise<unknown> = Promise.resolve(); // when the read that runs has ended
  const within = async <T>(file: string, budget: number, read: (store: OpenStore) => Promise<T>) => {
    const store = stores.get(file);
    if (!store) throw new Error("the store is closed");
    const { db } = store;
    isOver = false;
    let again: NodeJS.Timeout | undefined;
    stop = () => {
      isOver = true;
      db.interrupt();
      again ??= setInterval(() => db.interrupt(), INTERRUPT_EVERY);
    };
    const timer = setTimeout(stop, budget);
    const reading = read(store);
    ended = reading.catch(() => undefined); // the caller is given the error
    try {
      return await reading;
    } catch (error) {
      throw (error as { code?: string }).code === "SQLITE_INTERRUPT" ? new StoreTooCostly("the read was interrupted") : error;
    } finally {
      clearTimeout(timer);
      clearInterval(again);
      stop = () => {};
    }
  };
  const runIn: RunIn = (file, budget, script) => within(file, budget, ({ query }) => runOn(scriptQuery(query), script));
  return {
    /** Answers once the thread can be called. */
    ready: () => undefined,
    /** `name`: by which the other calls name it. A file has one for each dictionary. */
    async open(name: string, file: string, collections: readonly Collection[]): Promise<void> {
      const db = new Database(file, {});
      await db.exec(`PRAGMA busy_timeout = ${PATIENCE}; PRAGMA cache_size = -${CACHE}; PRAGMA query_only = ON`);
      const query = queryRows(db, () => isOver);
      stores.set(name, {
        db,
        lister: createLister(query),
        query,
        collections: new Map(collections.map((collection) => [collection.name, collection])),
      });
    },
    list: (file: string, collection: string, page: Page, budget: number) =>
      within(file, budget, (store) => store.lister.list(collectionIn(store.collections, collection), page)),
    count: (file: string, collection: string, selection: CountedSelection, budget: number) =>
      within(file, budget, (store) => store.lister.count(collectionIn(store.collections, collection), selection)),
    summarize: (file: string, of: Collection, query: SummaryQuery, budget: number) =>
      runIn(file, budget, summarize(of, query, SUMMARY_SQL)),
    near: (file: string, collection: string, query: NearQuery, budget: number) =>
      within(file, budget, (store) => store.lister.near(collectionIn(store.collections, collection), query)),
    feedPage: (file: string, after: FeedCursor | undefined, filter: FeedFilter, limit: number, budget: number) =>
      runIn(file, budget, readFeed(after, filter, limit)),
    /** Runs one of HISTORY_READS. */
    history: (file: string, name: string, args: readonly unknown[], budget: number) =>
      runIn(file, budget, scriptNamed(HISTORY_READS, name, args)),
    readLater: (file: string, query: LaterQuery, budget: number) => runIn(file, budget, readLater(query)),
    ...countingCalls(runIn),
    /** Nothing when no read runs: the next one does not feel it. */
    interrupt: () => stop(),
    /** Waits for the read that runs: libsql ends the whole process when a closed database is interrupted. */
    async close(file: string): Promise<void> {
      await ended;
      stores.get(file)?.db.close();
      stores.delete(file);
      await collectGarbage();
    },
  };
}

type RunIn = <T>(file: string, budget: number, script: Script<T>) => Promise<T>;

function countingCalls(runIn: RunIn) {
  return {
    impactOf: (file: string, all: readonly Collection[], budget: number) => runIn(file, budget, impactOf(all)),
    countValues: (file: string, of: Collection, field: Field, budget: number) => runIn(file, budget, countValues(of, field)),
    countBroken: (file: string, of: Collection, query: ViolationQuery, budget: number) =>
      runIn(file, budget, countBroken(of, query, budget * SCANNED)),
    findBroken: (file: string, of: Collection, query: FindQuery, budget: number) =>
      runIn(file, budget, findBroken(of, query, budget * SCANNED)),
    countRules: (file: string, of: Collection, query: RuleQuery, budget: number) => runIn(file, budget, countRules(of, query)),
  };
}

/** Asks for scripts, which write $1 for a parameter. */
function scriptQuery(query: QueryRows): (sql: string, parameters: readonly unknown[]) => Promise<Result> {
  return async (sql, parameters) => {
    const rows = await query(withSqlitePlaces(sql), parameters as Cell[]);
    return { rows, count: rows.length };
  };
}

/**
 * libsql runs only the first step of a statement outside of JavaScript. So every query is materialized: its first step does
 * all the work, while this thread's timer can interrupt it.
 */
function queryRows(db: Database, isOver: () => boolean): QueryRows {
  const statements = new Map<string, Promise<Statement>>();
  const prepare = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statement = db
        .prepare(`WITH found AS MATERIALIZED (${sql}) SELECT * FROM found`)
        .then((prepared: Statement) => prepared.raw()) as Promise<Statement>;
      statement.catch(() => statements.delete(sql)); // interrupted
      statements.set(sql, statement);
    }
    return statement;
  };
  return async (sql, params) => {
    const statement = await prepare(sql);
    if (isOver()) throw new StoreTooCostly("the read took too long");
    return statement.all(params);
  };
}

/** Types a part of libsql that its own types leave open. */
interface Statement {
  raw(): Statement;
  all(params: readonly unknown[]): Promise<Cell[][]>;
}
