// The data dictionary that the service serves now. Another one may come while it runs.

import { setTimeout as sleep } from "node:timers/promises";
import type { Principal } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { type ReportWork, unattended } from "../engine/background.ts";
import { StoreOutdated } from "../engine/store.ts";
import type { NewVersion } from "../engine/versions.ts";
import { nameStore } from "./named-store.ts";
import { readWithRetired } from "./retired.ts";
import type { Served } from "./served-routes.ts";

const ASK_EVERY = 1_000; // ms

/** Says who applies a dictionary, and why. `base`: the version from which it was made; the one that is served where it is left out. */
export interface Applied {
  by?: Principal | null;
  comment?: string;
  base?: number;
}

/** The sentences say what a dictionary means for stored records. */
export interface AppliedDictionary {
  version: number;
  notes: readonly string[];
}

export interface LivingDictionary {
  served(): Omit<Served, "gone">;
  /** Calls `serve` with each other dictionary from now on, before the first request gets it. */
  onChange(serve: (served: Served) => void): void;
  /**
   * Brings the store to another dictionary, keeps it as the next version, and serves it to all requests that begin from then on. Those that
   * have begun end with the old one. The one that is served is not kept again. Throws StoreOpenError, and changes nothing, where stored
   * records forbid it, and StoreOutdated where `base` is not the newest version any more.
   */
  apply(dataPackage: unknown, collections: readonly Collection[], applied?: Applied): Promise<AppliedDictionary>;
  /** Serves what another process has applied, if it did. Only with PostgreSQL are there others. */
  refresh(): Promise<void>;
  /** Refreshes again and again, where there may be other processes. */
  run(signal: AbortSignal): Promise<void>;
}

/** `first`: the dictionary with which the store was opened, and its version there. */
export function createLivingDictionary(first: Omit<Served, "gone">, report: ReportWork): LivingDictionary {
  let served: Omit<Served, "gone"> = { ...first, store: nameStore(first.store, first.collections) };
  let text = JSON.stringify(first.dataPackage);
  let last: Promise<unknown> = Promise.resolve();
  const listeners: ((served: Served) => void)[] = [];
  /** Lets one change wait for the one before. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next;
    return next;
  }
  async function use(dataPackage: unknown, collections: readonly Collection[], taken: NewVersion | number): Promise<AppliedDictionary> {
    const { store, version, notes, gone } = await served.store.takeDictionary(collections, taken);
    const next = { dataPackage, collections, store: nameStore(store, collections), version, gone };
    [served, text] = [next, JSON.stringify(dataPackage)];
    for (const serve of listeners) serve(next);
    return { version, notes };
  }
  async function takeOther(): Promise<void> {
    const newest = await served.store.versions.readOther(served.version);
    if (newest === undefined) return;
    const dataPackage: unknown = JSON.parse(newest.text);
    const read = readWithRetired(dataPackage);
    if ("mistakes" in read) throw new Error(`this version cannot read the dictionary of another process: ${read.mistakes[0]?.message}`);
    await use(dataPackage, read.collections, newest.version).catch((error) => {
      if (!(error instanceof StoreOutdated)) throw error; // a newer one was applied meanwhile, which is read next
    });
  }
  return {
    served: () => served,
    onChange: (serve) => void listeners.push(serve),
    apply: (dataPackage, collections, { by = null, comment = "", base } = {}) =>
      inTurn(async () => {
        await takeOther(); // another process may have applied one since the last look
        const own = JSON.stringify(dataPackage);
        if (own === text) return { version: served.version, notes: [] };
        return use(dataPackage, collections, { base: base ?? served.version, text: own, by, comment });
      }),
    refresh: () => inTurn(takeOther),
    async run(signal) {
      while (first.store.isShared && !signal.aborted) {
        await sleep(ASK_EVERY, undefined, { signal }).catch(() => undefined); // it is only aborted
        if (!signal.aborted) await unattended("dictionary", report, () => inTurn(takeOther));
      }
    },
  };
}
