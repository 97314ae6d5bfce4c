// Adds up what rules of a draft would find among stored records, which are counted stretch by stretch.

import type { DictionaryChange, DictionaryImpact } from "../contract/dictionary.ts";
import { canonical } from "./canonical.ts";

export const MOST_LISTED = 25; // keys of records that break a rule, as many as stand on a page

/** Returns a change with the records that would break its rule: how many there are, and the keys of the first. */
export function withRecords(change: DictionaryChange, violations: number, examples: readonly number[]): DictionaryChange {
  const records = `${violations.toLocaleString("en")} ${violations === 1 ? "record breaks" : "records break"}`;
  const detail = `${records} it; they stay as they are until they are next changed`;
  const found = { ...change, violations, examples: examples.slice(0, MOST_LISTED) };
  return violations > 0 ? { ...found, effect: "stands", detail } : { ...found, effect: "at once" };
}

/** Returns an impact with what was counted after it, as its cursor led there. */
export function addImpact(first: DictionaryImpact, { changes, complete, next }: DictionaryImpact): DictionaryImpact {
  const all = first.changes.map((change) => {
    const more = changes.find((one) => one.path === change.path && canonical(one.to) === canonical(change.to));
    const count = (change.violations ?? 0) + (more?.violations ?? 0);
    return more?.violations === undefined ? change : withRecords(change, count, [...(change.examples ?? []), ...(more.examples ?? [])]);
  });
  return { ...(first.roles && { roles: first.roles }), changes: all, complete, ...(next !== undefined && { next }) };
}
