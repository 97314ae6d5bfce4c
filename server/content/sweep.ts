// Removes content that neither a record nor a version of one names, as erasures and old history leave it.

import { setTimeout as sleep } from "node:timers/promises";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readFileValue } from "../../core/dictionary/files.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { type ReportWork, unattended } from "../engine/background.ts";
import type { NamesPlace } from "../engine/content-names.ts";
import type { Store } from "../engine/store.ts";
import type { ErasedContent } from "../history/erasure.ts";
import { statesOf } from "../history/new-records.ts";
import type { ContentFolder } from "./content-folder.ts";

/** In ms. */
export interface SweepTiming {
  first: number;
  every: number;
}

const TIMING: SweepTiming = { first: 600_000, every: 6 * 3_600_000 };
const PAUSE = 5; // ms between two steps, in which others read and write

/** Finds those of the hashes that a record or a version of one names. */
export async function namedAmong(store: Pick<Store, "contentNames">, hashes: ReadonlySet<string>): Promise<Set<string>> {
  const named = new Set<string>();
  for (let place: NamesPlace | undefined; ; await sleep(PAUSE)) {
    const step = await store.contentNames.readNames(place);
    for (const hash of step.hashes) if (hashes.has(hash)) named.add(hash);
    place = step.next;
    if (!place || named.size === hashes.size) return named;
  }
}

/** Removes all content that nothing names, and answers how much that was. Several processes may do so at once. */
export async function sweepContent(folder: ContentFolder, store: Pick<Store, "contentNames">): Promise<number> {
  const all = new Set(await folder.list());
  const named = all.size > 0 ? await namedAmong(store, all) : all;
  return folder.remove(
    [...all].filter((hash) => !named.has(hash)),
    (hashes) => namedAmong(store, hashes),
  );
}

/** Lists the hashes that a record and all versions of it name. */
export async function contentOf(collection: Collection, store: Store, id: number): Promise<string[]> {
  const fields = collection.fields.filter(({ file }) => file);
  const hashes = new Set<string>();
  if (fields.length === 0) return [];
  const add = (values: Readonly<Record<string, unknown>>) => {
    for (const { name } of fields) {
      const hash = readFileValue(values[name] as Value | null)?.hash;
      if (hash !== undefined) hashes.add(hash);
    }
  };
  add((await store.read(collection, id)) ?? {});
  for await (const { entry, state } of statesOf(collection, store, id)) {
    add(state);
    for (const { name } of fields) for (const value of entry.changes?.[name] ?? []) add({ [name]: value });
  }
  return [...hashes];
}

/** Gives an erasure what it needs of the content. */
export function erasedContent(folder: ContentFolder): ErasedContent {
  return {
    of: contentOf,
    async remove(hashes, store) {
      await folder.remove(hashes, (taken) => namedAmong(store, taken));
    },
  };
}

/** Sweeps until the signal is aborted. Without a folder there is nothing to be swept. */
export function createContentSweeper(
  folder: ContentFolder | undefined,
  store: Pick<Store, "contentNames">,
  report: ReportWork,
  timing = TIMING,
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    if (!folder) return;
    const pause = (ms: number): Promise<boolean> => sleep(ms, true, { signal, ref: false }).catch(() => false); // aborted
    for (let wait = timing.first; await pause(wait); wait = timing.every)
      await unattended("files", report, async () => (await sweepContent(folder, store)) > 0);
  };
}
