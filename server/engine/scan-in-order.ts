// Searches for common words along the list's order: reading on until a page is full is faster than sorting all hits.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { StoredRecord } from "../people/store/principals.ts";
import { searchedFields, searchWord, searchWords } from "./search-words.ts";
import type { Page } from "./store.ts";

const NEAR = 500; // records; how many of them match decides whether to read on
const FAR = 12_000; // records

export interface Found {
  records: StoredRecord[];
  more: boolean;
}

/** The matching records of a scanned stretch, and whether the list ends with it. */
export interface Scanned {
  records: StoredRecord[];
  isEnd: boolean;
}

/**
 * Returns the page, from what `scan` finds in so many records after the page's cursor. Undefined where the matches are too far
 * apart: then gather them all instead.
 */
export async function scanInOrder({ limit }: Page, scan: (within: number) => Promise<Scanned>): Promise<Found | undefined> {
  for (const within of [NEAR, FAR]) {
    const { records, isEnd } = await scan(within);
    if (isEnd || records.length > limit) return { records: records.slice(0, limit), more: records.length > limit };
    if (records.length * (FAR / NEAR) <= limit) return undefined;
  }
  return undefined;
}

/**
 * Reads segment after segment of the order until there is one record more than the page holds. A segment that was not read
 * to its end is the last one: going on would skip its rest.
 */
export async function scanSegments<Segment>(
  segments: readonly Segment[],
  limit: number,
  read: (segment: Segment, wanted: number) => Scanned | Promise<Scanned>,
): Promise<Scanned> {
  const records: StoredRecord[] = [];
  for (const segment of segments) {
    const scanned = await read(segment, limit + 1 - records.length);
    records.push(...scanned.records);
    if (!scanned.isEnd || records.length > limit) return { records, isEnd: false };
  }
  return { records, isEnd: true };
}

/** Decides as the search index does: each of the folded words begins a word of the record's searched fields. */
export function hasWords(collection: Collection, record: Readonly<Record<string, unknown>>, words: readonly string[]): boolean {
  const own = ` ${searchWords(searchedFields(collection), record)}`;
  return words.every((word) => own.includes(` ${searchWord(word)}`));
}
