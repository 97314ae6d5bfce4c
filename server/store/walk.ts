// Search along an order: common words are met sooner among the records that follow the page's place than by gathering every hit to sort it. No SQL.

import type { Collection } from "../../dictionary/collections.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { searchWord, searchWords, stringFields } from "./columns.ts";
import type { Page } from "./store.ts";

const NEAR = 500; // records; those with the words among them tell whether it is worth going further
const FAR = 12_000; // records

export interface Found {
  records: WireRecord[];
  more: boolean;
}

/**
 * The page, of what `look` finds among so many records from the page's place on. Undefined where the words are too far
 * apart for that, and where filters choose the records already.
 */
export async function walk({ words, filters, limit }: Page, look: (within: number) => Promise<WireRecord[]>): Promise<Found | undefined> {
  if (words.length === 0 || filters?.length) return undefined;
  for (const within of [NEAR, FAR]) {
    const records = await look(within);
    if (records.length > limit) return { records: records.slice(0, limit), more: true };
    if (records.length * (FAR / NEAR) <= limit) return undefined;
  }
  return undefined;
}

/** What was found in one run of the order, and whether the run was read to its end. */
export interface Step {
  records: WireRecord[];
  isWhole: boolean;
}

/**
 * Run after run, until there is one record more than the page holds. A run that was not read to its end is the last one:
 * going on would pass over its rest.
 */
export async function lookAlong<Run>(
  runs: readonly Run[],
  limit: number,
  read: (run: Run, wanted: number) => Step | Promise<Step>,
): Promise<WireRecord[]> {
  const records: WireRecord[] = [];
  for (const run of runs) {
    const step = await read(run, limit + 1 - records.length);
    records.push(...step.records);
    if (!step.isWhole || records.length > limit) break;
  }
  return records;
}

/** What a search index says of a record: each of the folded words begins some word of its string fields. */
export function hasWords(collection: Collection, record: WireRecord, words: readonly string[]): boolean {
  const own = ` ${searchWords(stringFields(collection), record)}`;
  return words.every((word) => own.includes(` ${searchWord(word)}`));
}
