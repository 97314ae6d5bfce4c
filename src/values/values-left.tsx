// Says of how many records a value stays although its field is not asked for any more. Nothing is cleared unseen.

import type { ReactNode } from "react";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { Notice } from "../ui/primitives.tsx";
import { countOf } from "./record-name.ts";

interface ValuesLeftProps {
  collection: Collection;
  /** Says in how many records each field keeps a value. */
  counts: ReadonlyMap<string, number>;
  /** Draws what may be done about a field. */
  actions?: (field: string) => ReactNode;
}

export function ValuesLeft({ collection, counts, actions }: ValuesLeftProps) {
  return [...counts].map(([name, records]) => {
    const { title = name } = collection.byName.get(name) ?? {};
    return (
      <Notice key={name} tone="doubt">
        <b>{t("{title} is not asked for any more.", { title })}</b>{" "}
        {t("It still has a value: {which}.", { which: countOf(collection, records) })}
        {actions?.(name)}
      </Notice>
    );
  });
}

/** Counts the records in which each field keeps a value. */
export function countLeft(results: Iterable<{ leftBehind?: readonly string[] }>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { leftBehind = [] } of results) for (const name of leftBehind) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
