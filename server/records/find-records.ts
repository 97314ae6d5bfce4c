// Finds the records of a list, also for callers who may not search all of their fields.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Parent } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { hasWords } from "../engine/scan-in-order.ts";
import type { CountedSelection, Page, ReadOptions, Store } from "../engine/store.ts";
import type { HiddenFields } from "../people/auth/access-tokens.ts";
import { placesOf } from "./sort.ts";

const READ_AT_ONCE = 500; // records

export interface FindParts {
  collection: Collection;
  parents: readonly Parent[];
  store: Store;
  /** Holds what is hidden from the caller. */
  hidden: HiddenFields | undefined;
}

/** Reads a page as `Store.list` does. Words are found in the fields alone that the caller may know: the index has those of all. */
export async function findRecords(parts: FindParts, page: Page, options: ReadOptions): Promise<{ records: WireRecord[]; more: boolean }> {
  if (!isSearchPartial(parts, page)) return parts.store.list(parts.collection, page, options);
  const { offset = 0, limit, ...rest } = page;
  const records: WireRecord[] = [];
  for await (const found of findHits(parts, rest, options)) {
    records.push(...found);
    if (records.length > offset + limit) return { records: records.slice(offset, offset + limit), more: true };
  }
  return { records: records.slice(offset), more: false };
}

/** Counts as `Store.count` does. */
export async function countRecords(
  parts: FindParts,
  selection: CountedSelection & Pick<Page, "sort">,
  options: ReadOptions,
): Promise<number> {
  if (!isSearchPartial(parts, selection)) return parts.store.count(parts.collection, selection, options);
  const { most = Number.POSITIVE_INFINITY, ...rest } = selection;
  let count = 0;
  for await (const found of findHits(parts, rest, options)) {
    count += found.length;
    if (count > most) return most + 1;
  }
  return count;
}

/** Is true where the index of words has fields that the caller may not know. */
export function isSearchPartial({ collection, hidden }: FindParts, { words }: Pick<Page, "words">): boolean {
  return words.length > 0 && (hidden?.has(collection.name) ?? false);
}

/** Yields, page by page, those of all hits that have the words in a field that the caller may know. */
export async function* findHits(
  { collection, parents, store }: FindParts,
  page: Omit<Page, "limit">,
  options: ReadOptions,
): AsyncGenerator<WireRecord[]> {
  for (let after = page.after; ; ) {
    const { records, more } = await store.list(collection, { ...page, limit: READ_AT_ONCE, ...(after && { after }) }, options);
    yield records.filter((record) => hasWords(collection, record, page.words));
    const last = records.at(-1);
    if (!more || !last) return;
    [after] = await placesOf([last], page.sort, { collection, parents, store, options });
  }
}
