// Finds stored records that may be the same as values that are not stored: as somebody types, and for `onDuplicate`.

import type { SimilarRecord } from "../../core/contract/duplicates.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { compareRecords, toCompared } from "../../core/dictionary/compare-records.ts";
import type { Match } from "../../core/dictionary/match.ts";
import { keysOf } from "../../core/dictionary/match-keys.ts";
import { matchedTable } from "../engine/matched-records.ts";
import type { ReadOptions, Store } from "../engine/store.ts";

export interface FoundSimilar {
  similar: SimilarRecord;
  record: WireRecord;
}

/** Bounds how many are named. */
export const MOST_FOUND = 5;

const ASKED_AT_ONCE = 100; // then other requests have a turn
const READ_AT_ONCE = 1_000;

/**
 * Finds, for the values of each record, up to MOST_FOUND of those that the caller sees, the most alike first. `collection`, `match` and `store`: as
 * the caller knows them, so that what is hidden is neither compared nor named.
 */
export async function findSimilar(
  collection: Collection,
  match: Match,
  store: Store,
  asked: readonly Record<string, unknown>[],
  options: ReadOptions,
): Promise<FoundSimilar[][]> {
  const matched = matchedTable(collection);
  if (!matched) return asked.map(() => []);
  const known = new Map<number, Compared>(); // those that several are compared with are read once
  const findSome = async (some: typeof asked): Promise<FoundSimilar[][]> => {
    const compared = some.map((values) => toCompared(match, values));
    const keys = compared.map((one) => keysOf(match, one));
    const byKey = await store.duplicates.findByKeys(collection.name, [...new Set(keys.flat())]);
    const near = keys.map((own) => [...new Set(own.flatMap((key) => byKey.get(key) ?? []))]);
    // Many share a key and few are alike: the others are read no further than they are compared.
    const unknown = [...new Set(near.flat())].filter((id) => !known.has(id));
    const stored = await store.duplicates.readCompared(matched, unknown);
    for (const id of unknown) known.set(id, stored.get(id));
    const like = near.map((ids, i) => ids.filter((id) => isSimilar(match, compared[i], known.get(id))));
    const seen = await readSeen(collection, store, like.flat(), options);
    return like.map((ids, i) => {
      const all = ids.flatMap((id): FoundSimilar[] => {
        const record = seen.get(id);
        const likeness = record && compareRecords(match, compared[i] ?? [], toCompared(match, record));
        if (!record || !likeness?.level) return [];
        const { level, score, reasons } = likeness;
        return [{ similar: { id, level, score, reasons }, record }];
      });
      return all.sort(({ similar: one }, { similar: other }) => other.score - one.score || one.id - other.id).slice(0, MOST_FOUND);
    });
  };
  const found: FoundSimilar[][] = [];
  for (let at = 0; at < asked.length; at += ASKED_AT_ONCE) found.push(...(await findSome(asked.slice(at, at + ASKED_AT_ONCE))));
  return found;
}

type Compared = ReturnType<typeof toCompared> | undefined;

function isSimilar(match: Match, one: Compared, other: Compared): boolean {
  return one !== undefined && other !== undefined && compareRecords(match, one, other).level !== undefined;
}

/** Reads those of the records that the caller sees, by their keys. */
export async function readSeen(
  collection: Collection,
  store: Store,
  ids: readonly number[],
  options: ReadOptions,
): Promise<Map<number, WireRecord>> {
  const { name } = collection.key;
  const all = [...new Set(ids)];
  const seen = new Map<number, WireRecord>();
  for (let at = 0; at < all.length; at += READ_AT_ONCE) {
    const values = all.slice(at, at + READ_AT_ONCE);
    const page = {
      words: [],
      filters: [{ name, operator: "in" as const, values }],
      sort: [{ name, descending: false }],
      limit: values.length,
    };
    for (const record of (await store.list(collection, page, options)).records) seen.set(record[name] as number, record);
  }
  return seen;
}
