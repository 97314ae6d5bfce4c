// Finds single rows by reading the file once more, because rows without problems are not stored.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type RowSource, rowsOf } from "../containers/row-source.ts";
import type { Plan } from "../model/plan.ts";
import type { ListedRow } from "./findings.ts";
import { createRowValidator, loadForms } from "./validate-row.ts";

/** Finds the first row with each of these keys. Stops as soon as all are found; after an abort returns those found so far. */
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
  const validateRow = createRowValidator(source.collection, source.plan, {
    isRepeated,
    readForm: await loadForms(source.plan, source.collection),
  });
  for await (const { rows, first, malformed } of rowsOf(source)) {
    for (let i = 0; i < rows.length; i++) {
      row = first + i;
      validateRow(row, rows[i] as string[], malformed.get(i), undefined);
    }
    if (signal.aborted || found.size === keys.size) break;
  }
  return found;
}

/** Rows as in the file, in its order. After an abort returns those found so far. */
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
