// The data dictionary that the service serves now. Another one may come while it runs.

import { setTimeout as sleep } from "node:timers/promises";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { type ReportWork, unattended } from "../engine/background.ts";
import { StoreOutdated } from "../engine/store.ts";
import type { Served } from "./served-routes.ts";

const ASK_EVERY = 1_000; // ms

export interface LivingDictionary {
  served(): Pick<Served, "collections">;
  /** Calls `serve` with each other dictionary from now on, before the first request gets it. */
  onChange(serve: (served: Served) => void): void;
  /**
   * Brings the store to another dictionary, and serves it to all requests that begin from then on. Those that have begun end with the old
   * one. The sentences say what that means for stored records. Throws StoreOpenError, and changes nothing, where these forbid it.
   */
  apply(dataPackage: unknown, collections: readonly Collection[]): Promise<readonly string[]>;
  /** Serves what another process has applied, if it did. Only with PostgreSQL are there others. */
  refresh(): Promise<void>;
  /** Refreshes again and again, where there may be other processes. */
  run(signal: AbortSignal): Promise<void>;
}

export function createLivingDictionary(first: Omit<Served, "gone">, report: ReportWork): LivingDictionary {
  let served = first;
  let text = JSON.stringify(first.dataPackage);
  let last: Promise<unknown> = Promise.resolve();
  const listeners: ((served: Served) => void)[] = [];
  /** Lets one change wait for the one before. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next;
    return next;
  }
  async function use(dataPackage: unknown, collections: readonly Collection[], own: string, isKept: boolean): Promise<readonly string[]> {
    const { store, notes, gone } = await served.store.takeDictionary(collections, own, isKept);
    const next = { dataPackage, collections, store, gone };
    [served, text] = [next, own];
    for (const serve of listeners) serve(next);
    return notes;
  }
  /** Is false where a start of another process has brought the store to another dictionary. */
  const isCurrent = () =>
    served.store.ping().then(
      () => true,
      (error) => {
        if (error instanceof StoreOutdated) return false;
        throw error;
      },
    );
  const refresh = () =>
    inTurn(async () => {
      const stored = await served.store.readDictionary?.(text);
      if (stored === undefined) return;
      const dataPackage: unknown = JSON.parse(stored);
      const read = readDataPackage(dataPackage);
      if ("mistakes" in read) throw new Error(`this version cannot read the dictionary of another process: ${read.mistakes[0]?.message}`);
      await use(dataPackage, read.collections, stored, true).catch((error) => {
        if (!(error instanceof StoreOutdated)) throw error; // a newer one was applied meanwhile, which is read next
      });
    });
  return {
    served: () => served,
    onChange: (serve) => void listeners.push(serve),
    apply: (dataPackage, collections) =>
      inTurn(async () => {
        const own = JSON.stringify(dataPackage);
        return own === text && (await isCurrent()) ? [] : use(dataPackage, collections, own, false);
      }),
    refresh,
    async run(signal) {
      while (first.store.readDictionary && !signal.aborted) {
        await sleep(ASK_EVERY, undefined, { signal }).catch(() => undefined); // it is only aborted
        if (!signal.aborted) await unattended("dictionary", report, refresh);
      }
    },
  };
}
