// Single rows of a checked file, found by reading it once more, as nothing of ready rows is kept. Refuses: nothing.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Plan } from "../model/plan.ts";
import { type RowSource, rowsOf } from "../reading/row-source.ts";
import type { ListedRow } from "./findings.ts";
import { createRowValidator } from "./validate-row.ts";

/** The first row that claims each of these keys. Reads no further than it must; after an abort what was found so far. */
export async function findFirstRows(
  source: RowSource & { collection: Collection; plan: Plan },
  keys: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  let row = 0;
  const isRepeated = (key: number) => {
    if (keys.has(key) && !found.has(key)) found.set(key, row);
    return false;
  };
  const validateRow = createRowValidator(source.collection, source.plan, { isRepeated });
  for await (const { rows, first, malformed } of rowsOf(source)) {
    for (let i = 0; i < rows.length; i++) {
      row = first + i;
      validateRow(row, rows[i] as string[], malformed.get(i), undefined);
    }
    if (signal.aborted || found.size === keys.size) break;
  }
  return found;
}

/** Rows as they stand in the file, in its order; after an abort those that were found so far. */
export async function readAgain(
  source: RowSource,
  wanted: { has(row: number): boolean; size: number },
  signal: AbortSignal,
): Promise<Pick<ListedRow, "row" | "line" | "cells" | "malformed">[]> {
  const found: Pick<ListedRow, "row" | "line" | "cells" | "malformed">[] = [];
  for await (const { rows, lines, first, malformed } of rowsOf(source)) {
    for (let i = 0; i < rows.length; i++) {
      if (!wanted.has(first + i)) continue;
      found.push({ row: first + i, line: lines[i] as number, cells: structuredClone(rows[i] as string[]), malformed: malformed.get(i) });
    }
    if (signal.aborted || found.length === wanted.size) break;
  }
  return found;
}
