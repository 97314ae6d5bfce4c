// Lists of values with labels (Table Schema, "categories"). A value is stored, its label is shown and read.

import type { Value } from "./kinds.ts";

export interface Categories {
  enum: readonly Value[];
  /** Holds what people call each value, in the language shown, by the value as text. */
  labels: ReadonlyMap<string, string>;
  /** The value, as text, that a folded label means in whatever language. */
  byLabel: ReadonlyMap<string, string>;
  /** All that people call each value, in whatever language: by the value as text. */
  allLabels: ReadonlyMap<string, readonly string[]>;
}

/** Returns a value of a closed list as people call it; other values as they are. */
export function labelOf({ labels }: { labels?: ReadonlyMap<string, string> }, value: Value): string {
  return labels?.get(String(value)) ?? String(value);
}

/** Returns each value as text, and each of its labels in whatever language, with that value: all that a file may have meant. */
export function meaningsOf({ enum: values = [], allLabels }: Partial<Categories>): Map<string, string> {
  const texts = values.map(String);
  return new Map(texts.flatMap((text) => [text, ...(allLabels?.get(text) ?? [])].map((name) => [name, text] as const)));
}
