// Leaves out rows that mean the record of another row or are the same, so that the first, the last or none of them stays.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type RowSource, rowsOf } from "../containers/row-source.ts";
import type { KeptRepeat } from "../model/corrections.ts";
import { hashOfCells, KeySet } from "../model/key-set.ts";
import type { Plan } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { createRowValidator, loadForms, withCells } from "./validate-row.ts";

interface Source extends RowSource {
  collection: Collection;
  plan: Plan;
}

/** Returns the plan with the rows that its corrections leave out as repeats; without any where they say nothing of it. */
export async function withRepeats(source: Source, signal: AbortSignal): Promise<Plan> {
  const { repeatsOut: _, ...plan } = source.plan;
  const keep = plan.fixes?.repeats;
  if (keep === undefined) return plan;
  const rows = await findRepeats({ ...source, plan }, keep, signal);
  return { ...plan, repeatsOut: [...rows.bits()] };
}

/** Rows with problems of their own neither stay nor keep others out. Reads the file twice, so that only keys that come again take memory. */
async function findRepeats(source: Source, keep: KeptRepeat, signal: AbortSignal): Promise<RowSet> {
  const out = new RowSet();
  const keys = new KeySet();
  const again = new Set<number>();
  for await (const [row, key] of keysOf(source)) {
    if (signal.aborted) return out;
    if (keys.add(key)) continue;
    if (keep === "first") out.add(row);
    else again.add(key);
  }
  if (again.size === 0) return out;
  const lasts = new Map<number, number>();
  for await (const [row, key] of keysOf(source)) {
    if (signal.aborted) return out;
    if (!again.has(key)) continue;
    const before = lasts.get(key);
    if (keep === "none") out.add(row);
    else if (before !== undefined) out.add(before);
    lasts.set(key, row);
  }
  return out;
}

/** Returns what makes a number of a row that names no record, the same for rows that are the same in all columns that are read. */
export function createTwinKey({ columns }: Plan): (cells: readonly string[]) => number {
  const read = columns.flatMap((name, at) => (name === null ? [] : at));
  return (cells) => hashOfCells(cells, read);
}

/** Yields the rows that would be sent, each with what names its record; where nothing does, with a number below zero for what stands in it. */
async function* keysOf(source: Source): AsyncGenerator<[row: number, key: number]> {
  let key: number | undefined;
  const twinKey = createTwinKey(source.plan);
  const edits = source.plan.fixes?.edits ?? {};
  const validateRow = createRowValidator(source.collection, source.plan, {
    readForm: await loadForms(source.plan, source.collection),
    isRepeated(own) {
      key = own;
      return false;
    },
  });
  for await (const { rows, first, malformed, modes } of rowsOf(source)) {
    for (let i = 0; i < rows.length; i++) {
      key = undefined;
      const cells = rows[i] as string[];
      const problems = validateRow(first + i, cells, malformed.get(i), undefined, modes?.[i]);
      const edited = edits[first + i];
      if (!problems) yield [first + i, key ?? -twinKey(edited ? withCells(cells, edited) : cells)];
    }
  }
}
