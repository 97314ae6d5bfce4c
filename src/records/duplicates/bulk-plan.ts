// Decides by a rule which records become one, which of them stays, and what it gets.

import type { DuplicatePair } from "../../../core/contract/duplicates.ts";
import { type MergeRequest, MOST_MERGED } from "../../../core/contract/merges.ts";
import type { WireRecord, WireValue } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { idOf } from "../../service/records.ts";
import { fieldValue } from "../../values/field-value.ts";
import { changedValues, firstSurvivor, mergedFields, preselect, type Source } from "../merge/merge-values.ts";

export const SURVIVORS = ["oldest", "newest", "fullest"] as const;

export interface MergeRule {
  /** Says which record stays: the one that was made first or last, or the one with the most values; of equal ones the oldest. */
  survivor: (typeof SURVIVORS)[number];
  source: Source;
}

/**
 * Groups records of which each is the same as each other one. `unclear`: groups in which two are the same as a third and not as each other, or
 * that are too large; somebody has to look at them.
 */
export function groupsOf(pairs: readonly DuplicatePair[]): { groups: number[][]; unclear: number } {
  const others = new Map<number, Set<number>>();
  for (const { a, b, level } of pairs) {
    if (level !== "same") continue;
    others.set(a, (others.get(a) ?? new Set()).add(b));
    others.set(b, (others.get(b) ?? new Set()).add(a));
  }
  const groups: number[][] = [];
  const seen = new Set<number>();
  let unclear = 0;
  for (const id of others.keys()) {
    if (seen.has(id)) continue;
    const group = [id];
    seen.add(id);
    for (const one of group)
      for (const other of others.get(one) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        group.push(other);
      }
    const isClear = group.length <= MOST_MERGED && group.every((one) => others.get(one)?.size === group.length - 1);
    if (isClear) groups.push(group.sort((one, other) => one - other));
    else unclear++;
  }
  return { groups, unclear };
}

/** Makes the merge that the rule means for these records. */
export function mergeBy(rule: MergeRule, collection: Collection, records: readonly WireRecord[], run: string): MergeRequest {
  const survivor = survivorOf(rule, collection, records);
  const ids = records.map((record) => idOf(collection, record));
  const picks = preselect(collection, records, rule.source, survivor);
  return {
    survivor,
    others: ids.filter((id) => id !== survivor),
    values: changedValues(collection, records, survivor, picks) as Record<string, WireValue | null>,
    versions: Object.fromEntries(records.map((record) => [String(idOf(collection, record)), record.version])),
    run,
  };
}

function survivorOf({ survivor }: MergeRule, collection: Collection, records: readonly WireRecord[]): number {
  const filled = (record: WireRecord) => mergedFields(collection).filter((field) => fieldValue(record, field) !== null).length;
  const most = Math.max(...records.map(filled));
  const newest = records.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), "");
  const meant = {
    oldest: records,
    newest: records.filter(({ createdAt }) => createdAt === newest),
    fullest: records.filter((record) => filled(record) === most),
  }[survivor];
  return firstSurvivor(collection, meant) as number;
}
