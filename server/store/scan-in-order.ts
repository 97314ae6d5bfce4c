// Search along an order: what is common is met sooner among the records that follow the page's place than by gathering every hit to sort it. No SQL.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { searchedFields, searchWord, searchWords } from "./columns.ts";
import type { Page } from "./store.ts";

const NEAR = 500; // records; what is met among them tells whether it is worth going further
const FAR = 12_000; // records

export interface Found {
  records: WireRecord[];
  more: boolean;
}

/** What was met among some records in a row, and whether there are none after those. */
export interface Met {
  records: WireRecord[];
  isEnd: boolean;
}

/** The page, of what `look` meets among so many records from the page's place on. Undefined where what is asked for is too far apart for that. */
export async function scanInOrder({ limit }: Page, look: (within: number) => Promise<Met>): Promise<Found | undefined> {
  for (const within of [NEAR, FAR]) {
    const { records, isEnd } = await look(within);
    if (isEnd || records.length > limit) return { records: records.slice(0, limit), more: records.length > limit };
    if (records.length * (FAR / NEAR) <= limit) return undefined;
  }
  return undefined;
}

/**
 * Run after run of the order, until there is one record more than the page holds. A run that was not read to its end is
 * the last one: going on would pass over its rest.
 */
export async function scanAlong<Run>(
  runs: readonly Run[],
  limit: number,
  read: (run: Run, wanted: number) => Met | Promise<Met>,
): Promise<Met> {
  const records: WireRecord[] = [];
  for (const run of runs) {
    const met = await read(run, limit + 1 - records.length);
    records.push(...met.records);
    if (!met.isEnd || records.length > limit) return { records, isEnd: false };
  }
  return { records, isEnd: true };
}

/** What a search index says of a record: each of the folded words begins some word of its string fields. */
export function hasWords(collection: Collection, record: WireRecord, words: readonly string[]): boolean {
  const own = ` ${searchWords(searchedFields(collection), record)}`;
  return words.every((word) => own.includes(` ${searchWord(word)}`));
}
