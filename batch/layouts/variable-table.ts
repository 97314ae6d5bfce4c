// Tables of which a field says how many items they have (OCCURS DEPENDING ON).

import type { VariableTable } from "./layout.ts";

export function inOrder(tables: readonly VariableTable[] = []): VariableTable[] {
  return [...tables].sort((a, b) => a.start - b.start);
}

/** Which item of the table a place is in, both counted from 0; undefined when it is in none. */
export function itemAt({ start, length, max }: VariableTable, from: number): number | undefined {
  const item = Math.floor((from - (start - 1)) / length);
  return item >= 0 && item < max ? item : undefined;
}

/** Whether what stands behind the table moves up when it is not full. */
export function slides({ slides = true }: VariableTable): boolean {
  return slides;
}
