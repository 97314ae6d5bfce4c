// The only way from a stored value to anything that is sent.

import type { FieldChanges, HistoryEntry } from "../../core/contract/history.ts";

/** Returns the record without its hidden fields; the same object where none is hidden. */
export function present<One extends object>(record: One, hidden: ReadonlySet<string> | undefined): One {
  return hidden ? (Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.has(name))) as One) : record;
}

/** Does the same with a record that is JSON. */
export function presentJson(json: string, hidden: ReadonlySet<string> | undefined): string {
  return hidden ? JSON.stringify(present(JSON.parse(json), hidden)) : json;
}

/** Returns an entry of a history without the changes of hidden fields, and without the rules that read them. */
export function presentEntry<Entry extends Pick<HistoryEntry, "acknowledged"> & { changes: FieldChanges | null }>(
  entry: Entry,
  hidden: ReadonlySet<string> | undefined,
  isHiddenRule: (rule: string) => boolean,
): Entry {
  if (!hidden) return entry;
  const { acknowledged, ...others } = entry;
  const rules = acknowledged?.filter((rule) => !isHiddenRule(rule)) ?? [];
  const changes = entry.changes && present(entry.changes, hidden);
  return { ...others, changes, ...(rules.length > 0 && { acknowledged: rules }) } as Entry;
}
