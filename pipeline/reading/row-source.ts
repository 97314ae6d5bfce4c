import type { Plan } from "../model/plan.ts";
import { parseRows, type RowBlock } from "./csv-rows.ts";
import { readText } from "./text-blocks.ts";

/**
 * Begins with the first row whenever it is called. An upload reads its file more than once and relies on the same rows under
 * the same numbers. A FileError ends the upload with its message.
 */
export type OpenRows = () => AsyncIterable<RowBlock>;

export interface RowSource {
  file: Blob;
  plan: Pick<Plan, "dialect">;
  /** Reads the rows instead of the CSV reader. The plan's dialect is then only for the errors file. */
  openRows?: OpenRows | undefined;
}

export function rowsOf({ file, plan: { dialect }, openRows }: RowSource): AsyncIterable<RowBlock> {
  return openRows ? openRows() : parseRows(readText(file, dialect), dialect);
}
