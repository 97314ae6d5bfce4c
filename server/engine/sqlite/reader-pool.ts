// The threads that read one file: pages, counts and what the history answers, each owner in turn (read-turns.ts).

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { FeedFilter } from "../../history/store/feed.ts";
import type { FeedCursor } from "../../history/store/feed-sqlite.ts";
import type { LaterQuery } from "../../history/store/reads.ts";
import { NEAR_BUDGET, type NearQuery } from "../near-search.ts";
import { createReadTurns, isPlain, type ReadTurns, type TurnOptions } from "../read-turns.ts";
import type { CountedSelection, Page, ReadOptions } from "../store.ts";
import type { SummaryQuery } from "../summary.ts";
import type { FindQuery, RuleQuery, ViolationQuery } from "../violations.ts";
import type { ReaderThread } from "./reader.ts";

export type ReaderPool = ReadTurns<ReaderThread>;

/** `size` threads, as createReadTurns shares them. */
export function createReaderPool(size: number, start: () => Promise<ReaderThread>, clock?: () => number): ReaderPool {
  return createReadTurns(size, { start, interrupt: (reader) => void reader.call("interrupt") }, clock);
}

/** Pages and counts of the file at `path` with one of its dictionaries, read by the pool. `budget`: ms that each may take. */
export function createReads(
  pool: ReaderPool,
  { path, dictionary, collections, budget }: { path: string; dictionary: number; collections: readonly Collection[]; budget: number },
) {
  const file = `${path} ${dictionary}`; // as the thread calls it
  const opened = new Map<ReaderThread, Promise<unknown>>();
  let reads = 0; // of the history
  const ready = async (reader: ReaderThread): Promise<void> => {
    const opening = opened.get(reader) ?? reader.call("open", file, path, collections);
    opened.set(reader, opening);
    await opening.catch((error) => {
      opened.delete(reader); // the next read tries again
      throw error;
    });
  };
  const run = <T>(options: TurnOptions, read: (reader: ReaderThread) => Promise<T>) =>
    pool.run(options, async (reader) => {
      await ready(reader);
      options.signal?.throwIfAborted(); // the pool's interrupt came while the file was opened
      return read(reader);
    });
  return {
    list: (collection: string, page: Page, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: !isPlain(page) }, (reader) => reader.call("list", file, collection, page, budget)),
    count: (collection: string, selection: CountedSelection, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: true }, (reader) => reader.call("count", file, collection, selection, budget)),
    summarize: (collection: Collection, query: SummaryQuery, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: true }, (reader) => reader.call("summarize", file, collection, query, budget)),
    near: (collection: string, query: NearQuery, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: true }, (reader) => reader.call("near", file, collection, query, Math.min(budget, NEAR_BUDGET))),
    feedPage: (after: FeedCursor | undefined, filter: FeedFilter, limit: number, options: ReadOptions = {}) =>
      run(options, (reader) => reader.call("feedPage", file, after, filter, limit, budget)),
    // Each read is an owner of its own: it does not say for whom it is, and they must not all wait for each other.
    history: (name: string, args: readonly unknown[]) =>
      run({ owner: `history ${++reads}` }, (reader) => reader.call("history", file, name, args, budget)),
    readLater: (query: LaterQuery, options: ReadOptions = {}) => run(options, (reader) => reader.call("readLater", file, query, budget)),
    impactOf: (all: readonly Collection[]) => run({ mayBeLong: true }, (reader) => reader.call("impactOf", file, all, budget)),
    countValues: (collection: Collection, field: Field) =>
      run({ mayBeLong: true }, (reader) => reader.call("countValues", file, collection, field, budget)),
    countBroken: (collection: Collection, query: ViolationQuery, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: true }, (reader) => reader.call("countBroken", file, collection, query, budget)),
    findBroken: (collection: Collection, query: FindQuery, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: true }, (reader) => reader.call("findBroken", file, collection, query, budget)),
    countRules: (collection: Collection, query: RuleQuery, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: true }, (reader) => reader.call("countRules", file, collection, query, budget)),
    async close(): Promise<void> {
      for (const [reader, opening] of opened) {
        await opening;
        await reader.call("close", file);
      }
      opened.clear();
    },
  };
}
