// The only way from a stored value to anything that is sent.

import type { FieldChanges, HistoryEntry } from "../../core/contract/history.ts";
import { maskOf } from "../../core/dictionary/masks.ts";
import type { Unseen, UnseenFields } from "../people/auth/access-tokens.ts";

/** Returns the record without its hidden fields, and with masks in place of values that the caller may not see; the same object where all is seen. */
export function present<One extends object>(record: One, unseen: UnseenFields | undefined): One {
  return presentBy(record, unseen, (value, how) => maskOf(value, how === "maskedText"));
}

/** Does the same with the changes of a record, which are pairs of values. */
export function presentChanges<Changes extends object>(changes: Changes, unseen: UnseenFields | undefined): Changes {
  return presentBy(changes, unseen, (pair, how) => (pair as unknown[]).map((one) => maskOf(one, how === "maskedText")));
}

function presentBy<One extends object>(
  record: One,
  unseen: UnseenFields | undefined,
  masked: (value: unknown, how: Unseen) => unknown,
): One {
  if (!unseen) return record;
  const shown = Object.entries(record).flatMap(([name, value]) => {
    const how = unseen.get(name);
    if (how === "hidden") return [];
    return [[name, how === undefined ? value : masked(value, how)]];
  });
  return Object.fromEntries(shown);
}

/** Does the same with a record that is JSON. */
export function presentJson(json: string, unseen: UnseenFields | undefined): string {
  return unseen ? JSON.stringify(present(JSON.parse(json), unseen)) : json;
}

/** Returns an entry of a history without the values of fields that are not seen, and without the rules that read them. */
export function presentEntry<Entry extends Pick<HistoryEntry, "acknowledged"> & { changes: FieldChanges | null }>(
  entry: Entry,
  unseen: UnseenFields | undefined,
  isHiddenRule: (rule: string) => boolean,
): Entry {
  if (!unseen) return entry;
  const { acknowledged, ...others } = entry;
  const rules = acknowledged?.filter((rule) => !isHiddenRule(rule)) ?? [];
  const changes = entry.changes && presentChanges(entry.changes, unseen);
  return { ...others, changes, ...(rules.length > 0 && { acknowledged: rules }) } as Entry;
}
