// Removes content that neither a record nor a version of one names, as erasures and old history leave it.

import { setTimeout as sleep } from "node:timers/promises";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readFileValues } from "../../core/dictionary/files.ts";
import { type ReportWork, unattended } from "../engine/background.ts";
import type { NamesPlace } from "../engine/content-names.ts";
import type { Store } from "../engine/store.ts";
import type { ErasedContent } from "../history/erasure.ts";
import { statesOf } from "../history/new-records.ts";
import type { Content } from "./content.ts";
import { sweepPieces, sweepUploads } from "./sweep-uploads.ts";

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
export async function sweepContent(content: Content, store: Pick<Store, "contentNames">): Promise<number> {
  const all = new Set(await content.list());
  const named = all.size > 0 ? await namedAmong(store, all) : all;
  return content.remove(
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
    for (const { name } of fields) for (const { hash } of readFileValues(values[name])) hashes.add(hash);
  };
  add((await store.read(collection, id)) ?? {});
  for await (const { entry, state } of statesOf(collection, store, id)) {
    add(state);
    for (const { name } of fields) for (const value of entry.changes?.[name] ?? []) add({ [name]: value });
  }
  return [...hashes];
}

/** Gives an erasure what it needs of the content. */
export function erasedContent(content: Content): ErasedContent {
  return {
    async of(collection, store, id) {
      const hashes = await contentOf(collection, store, id);
      // Where the content cannot be reached this throws before anything is erased: afterwards nobody would know what the record had.
      for (const hash of hashes.slice(0, 1)) await (await content.find(hash))?.close();
      return hashes;
    },
    async remove(hashes, store) {
      await sweepPieces(content, store);
      await content.remove(hashes, (taken) => namedAmong(store, taken));
    },
  };
}

/** Sweeps until the signal is aborted. Without content there is nothing to be swept. */
export function createContentSweeper(
  content: Content | undefined,
  store: Pick<Store, "contentNames" | "fileUploads">,
  report: ReportWork,
  timing = TIMING,
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    if (!content) return;
    const pause = (ms: number): Promise<boolean> => sleep(ms, true, { signal, ref: false }).catch(() => false); // aborted
    for (let wait = timing.first; await pause(wait); wait = timing.every)
      await unattended("files", report, async () => (await sweepUploads(content, store)) + (await sweepContent(content, store)) > 0);
  };
}
