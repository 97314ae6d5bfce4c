// Where the rows of a file come from: a CSV file as the plan says, unless someone brings another way. Refuses: nothing by itself.

import type { Plan } from "../model/plan.ts";
import { parseRows, type RowBlock } from "./csv-rows.ts";
import { readText } from "./text-blocks.ts";

/**
 * Begins anew with the first row whenever it is called: an upload reads its file more than once, and takes it that every pass gives
 * the same rows under the same numbers. What it throws as FileRefused ends the upload with those words.
 */
export type OpenRows = () => AsyncIterable<RowBlock>;

export interface RowSource {
  file: Blob;
  plan: Pick<Plan, "dialect">;
  /** In the place of reading the file as CSV; the plan's dialect then only says how an errors file is written. */
  openRows?: OpenRows | undefined;
}

export function rowsOf({ file, plan: { dialect }, openRows }: RowSource): AsyncIterable<RowBlock> {
  return openRows ? openRows() : parseRows(readText(file, dialect), dialect);
}
