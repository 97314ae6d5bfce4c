// Looks for records that are stored twice, beside requests: through all of a collection once, then at each change.

import { setTimeout as sleep } from "node:timers/promises";
import { canonical } from "../../core/dictionary/canonical.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { comparedFields } from "../../core/dictionary/match.ts";
import type { LivingDictionary } from "../access/living-dictionary.ts";
import type { Served } from "../access/served-routes.ts";
import { type ReportWork, unattended } from "../engine/background.ts";
import type { ChangedRecord, Scan } from "../engine/match-scan.ts";
import { type MatchedTable, matchedTable } from "../engine/matched-records.ts";
import { type Store, StoreTooCostly } from "../engine/store.ts";
import { CursorExpired, CursorUnknown } from "../history/store/feed.ts";
import type { CatchUp } from "../records/on-duplicate.ts";
import { createSorter, type Sorter } from "./sorter.ts";

type Living = Pick<LivingDictionary, "served">;

const CHECK_EVERY = 300; // ms
const SCANNED_FOR = 500; // ms, after which changes are looked at again
const CHANGES_AT_ONCE = 100;
const WAYS = 2; // rises when records are compared in another way, or found by other keys

/** Goes on until the signal is aborted. A scan that is interrupted goes on at the next start. */
export function createMatcher(living: Living, report: ReportWork): (signal: AbortSignal) => Promise<void> {
  const follower = createFollower();
  let rest = { at: "", since: 0 };
  /** One look at the feed says whether anything has changed; from time to time it is seen whether another process has left a scan. */
  async function check(signal: AbortSignal): Promise<boolean> {
    const { store, version } = living.served();
    const at = `${version} ${await store.feed.state()}`;
    if (rest.at === at && performance.now() - rest.since < KEPT_EVERY) return false;
    const isBusy = await checkOnce(living, follower, signal);
    rest = { at: isBusy ? "" : at, since: performance.now() };
    return isBusy;
  }
  return async (signal) => {
    while (!signal.aborted) {
      const isBusy = await unattended("duplicates", report, () => check(signal));
      if (!isBusy) await sleep(CHECK_EVERY, undefined, { signal, ref: false }).catch(() => undefined); // it is only aborted
    }
  };
}

/** Looks once at what has changed, and goes on with scans for a while. True while there is more to do. */
export async function checkOnce(living: Living, follower = createFollower(), signal = new AbortController().signal): Promise<boolean> {
  const { collections, store } = living.served();
  let isBusy = false;
  for (const collection of collections) {
    if (signal.aborted) return false;
    const matched = matchedTable(collection);
    if (matched && (await tend(living, matched, collection, follower, signal))) isBusy = true;
  }
  const isCompared = (name: string) => collections.some((one) => one.name === name && one.match);
  for (const name of await store.duplicates.listScans())
    if (!isCompared(name)) isBusy = (await store.duplicates.forgetScan(name)) || isBusy;
  return isBusy;
}

async function tend(
  living: Living,
  matched: MatchedTable,
  collection: Collection,
  follower: Follower,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, version } = living.served();
  const compared = comparedText(matched);
  let scan: Scan | undefined = await store.duplicates.readScan(matched.name);
  if (scan && scan.version > version) return false; // this process has not heard of the newest dictionary
  if (scan?.compared !== compared) scan = await begin(store, collection, { compared, version, touchedAt: scan?.touchedAt ?? 0 });
  if (!scan) return true; // another process has begun it
  const followed = await follower.follow(store, matched, scan);
  if (followed === "expired") return (await begin(store, collection, { compared, version, touchedAt: scan.touchedAt })) !== undefined;
  let { scan: now, more } = followed;
  const until = performance.now() + SCANNED_FOR;
  while (now && now.phase !== "done" && !signal.aborted && performance.now() < until) {
    const began = performance.now();
    now = now.phase === "pairs" ? await follower.sorter.step(store, matched, now) : await store.duplicates.noteStep(matched, now);
    // The rest of the time is for writes of others, which wait for a step where one process has the store.
    if (!store.isShared) await sleep((performance.now() - began) / 6, undefined, { signal }).catch(() => undefined); // it is only aborted
  }
  return more || now?.phase !== "done";
}

/** Names all that the pairs follow from. */
function comparedText({ match, fields }: MatchedTable): string {
  return canonical([WAYS, match, comparedFields(match), fields.map(({ column, kind }) => [column, kind])]);
}

type Begun = Pick<Scan, "compared" | "version" | "touchedAt">;

async function begin(store: Store, collection: Collection, begun: Begun): Promise<Scan | undefined> {
  const cursor = await store.feed.now();
  const total = await store.count(collection, { words: [] }).catch((error) => {
    if (error instanceof StoreTooCostly) return 0;
    throw error;
  });
  return store.duplicates.beginScan({
    collection: collection.name,
    phase: "clear",
    after: null,
    seen: 0,
    keys: 0,
    total,
    cursor,
    ...begun,
  });
}

interface Follower {
  sorter: Sorter;
  /** Returns "expired" where changes are no longer kept that nobody has looked at. `scan`: undefined where another process has looked. */
  follow(store: Store, matched: MatchedTable, scan: Scan): Promise<"expired" | { scan: Scan | undefined; more: boolean }>;
}

const KEPT_EVERY = 60_000; // ms, after which a cursor is kept though nothing of the collection has changed

/** Remembers how far it has read, so that nothing is read or written while nothing changes, and the keys that it is sorting. */
export function createFollower(): Follower {
  const sorter = createSorter();
  const places = new Map<string, { touchedAt: number; cursor: string; state?: string; keptAt: number }>();
  return {
    sorter,
    async follow(store, matched, scan) {
      const { name } = matched;
      const known = places.get(name);
      const place = known?.touchedAt === scan.touchedAt ? known : { touchedAt: scan.touchedAt, cursor: scan.cursor, keptAt: Date.now() };
      const state = await store.feed.state();
      if (place.state === state) return { scan, more: false };
      const page = await readChanges(store, name, place.cursor);
      if (!page) return "expired";
      const changes = page.entries.map((entry) => changeOf(matched, entry));
      const isQuiet = changes.length === 0 && Date.now() - place.keptAt < KEPT_EVERY;
      const next = isQuiet ? scan : await store.duplicates.followChanges(matched, scan, changes, page.next);
      if (next !== scan)
        sorter.pass(
          scan,
          changes.flatMap(({ id, isCompared }) => (isCompared ? id : [])),
          next,
        );
      const isRead = !page.more && changes.length === 0;
      places.set(name, {
        ...{ touchedAt: next?.touchedAt ?? 0, cursor: page.next, keptAt: isQuiet ? place.keptAt : Date.now() },
        ...(isRead && { state }),
      });
      return { scan: next, more: page.more };
    },
  };
}

/** Returns undefined where changes after the cursor are no longer kept. */
async function readChanges(store: Store, name: string, cursor: string) {
  try {
    return await store.feed.read(cursor, { collections: [name] }, CHANGES_AT_ONCE);
  } catch (error) {
    if (error instanceof CursorExpired || error instanceof CursorUnknown) return undefined;
    throw error;
  }
}

const CAUGHT_UP_FOR = 200; // ms, after which a request goes on with what is known

/**
 * Makes what compares, for a request that asks for duplicates, what was written before it: it does the matcher's next steps, which has them no
 * more to do. It does nothing while a scan runs, which would have to read its keys anew, nor by another dictionary than the scan's.
 */
export function createCatchUp({ collections, store, version }: Pick<Served, "collections" | "store" | "version">): CatchUp {
  const seen = new Map<string, string>(); // the state of the feed up to which a collection is compared
  return async (name) => {
    const collection = collections.find((one) => one.name === name);
    const matched = collection && matchedTable(collection);
    const state = await store.feed.state();
    if (!matched || seen.get(name) === state) return;
    const until = performance.now() + CAUGHT_UP_FOR;
    while (performance.now() < until) {
      const scan = await store.duplicates.readScan(name);
      if (scan?.phase !== "done" || scan.version > version || scan.compared !== comparedText(matched)) return;
      const page = await readChanges(store, name, scan.cursor);
      if (!page) return;
      const changes = page.entries.map((entry) => changeOf(matched, entry));
      if (changes.length === 0 && !page.more) return void seen.set(name, state);
      await store.duplicates.followChanges(matched, scan, changes, page.next); // where another process has done it, its cursor is read
    }
  };
}

type FeedEntries = Awaited<ReturnType<Store["feed"]["read"]>>["entries"];

/** The feed names fields as they are called now. An update that has no values any more may have changed anything. */
function changeOf({ match }: MatchedTable, { id, at, operation, changes, isForgotten }: FeedEntries[number]): ChangedRecord {
  const names = Object.keys(changes ?? {});
  const isUpdate = operation === "updated" && !isForgotten;
  return { id, at: Date.parse(at), isCompared: !isUpdate || comparedFields(match).some((name) => names.includes(name)) };
}
