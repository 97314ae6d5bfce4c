// Search along an order: what is common is met sooner by reading on from the page's place than by gathering every hit to sort it. No SQL.

import type { Collection } from "../../dictionary/collections.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { searchWord, searchWords, sortValue, stringFields } from "./columns.ts";
import type { Page } from "./store.ts";

const STRIDE = 400; // records read at a time; as many as the page has where that is more
const STRIDES = 10; // at most

export interface Found {
  records: WireRecord[];
  more: boolean;
}

/** A stride: all records that follow in the order, and which of them meet the page's filters; undefined: there are none to meet. */
export interface Stride extends Found {
  isMet?: readonly boolean[];
}

/**
 * The page, read by `read` as pages without words. Undefined where what is looked for is too far apart for a walk, which the
 * first stride mostly tells.
 */
export async function walk(collection: Collection, page: Page, read: (page: Page) => Promise<Stride>): Promise<Found | undefined> {
  const { sort, words, limit, filters = [] } = page;
  const stride = Math.max(STRIDE, limit);
  const records: WireRecord[] = [];
  let after = page.after;
  for (let strides = 1; strides <= STRIDES; strides++) {
    const step = await read({ sort, words: [], filters, limit: stride, ...(after && { after }) });
    records.push(...step.records.filter((record, i) => (step.isMet?.[i] ?? true) && hasWords(collection, record, words)));
    const last = step.records.at(-1);
    if (records.length > limit || !step.more || !last) return { records: records.slice(0, limit), more: records.length > limit };
    if (records.length * (STRIDES / strides) <= limit) return undefined;
    after = sort.map(({ name }) => sortValue(collection, last, name));
  }
  return undefined;
}

/** What a search index says of a record: each of the folded words begins some word of its string fields. */
export function hasWords(collection: Collection, record: WireRecord, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const own = ` ${searchWords(stringFields(collection), record)}`;
  return words.every((word) => own.includes(` ${searchWord(word)}`));
}
