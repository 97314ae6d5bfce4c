import type { ColumnRule } from "../model/column-rules.ts";
import type { Dialect } from "../model/dialect.ts";
import { loadFailed } from "../model/file-error.ts";
import type { Plan } from "../model/plan.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import { parseTable } from "../reading/json-lines.ts";
import { readText } from "../reading/text-blocks.ts";
import { loadContainers } from "./load-containers.ts";

/**
 * Begins with the first row whenever it is called. An upload reads its file more than once and relies on the same rows under
 * the same numbers. A FileError ends the upload with its message.
 */
export type OpenRows = () => AsyncIterable<RowBlock>;

export interface RowSource {
  file: Blob;
  plan: Pick<Plan, "dialect" | "rules">;
  /** Reads the rows instead of the CSV reader. The plan's dialect is then only for the errors file. */
  openRows?: OpenRows | undefined;
}

/** Yields the rows as the plan's rules for columns change them. */
export function rowsOf(source: RowSource): AsyncIterable<RowBlock> {
  const { rules = [] } = source.plan;
  return rules.length > 0 ? changedRows(source, rules) : rowsInFile(source);
}

/** Few files have rules, so their code is loaded only when it is needed. */
async function* changedRows(source: RowSource, rules: readonly ColumnRule[]): AsyncGenerator<RowBlock> {
  const { applyColumnRules } = await import("../reading/apply-column-rules.ts").catch(loadFailed);
  yield* applyColumnRules(rowsInFile(source), rules, source.plan.dialect);
}

function rowsInFile({ file, plan: { dialect }, openRows }: RowSource): AsyncIterable<RowBlock> {
  if (openRows) return openRows();
  const blocks = isContained(dialect) ? readContainer(file, dialect) : parseTable(readText(file, dialect), dialect);
  return dialect.hasSuspects ? withSuspects(blocks) : blocks;
}

/** It stands apart from the reader, so that a page need not fetch it before a file is checked. */
async function* withSuspects(blocks: AsyncIterable<RowBlock>): AsyncGenerator<RowBlock> {
  const { nameSuspects } = await import("../reading/suspect-rows.ts").catch(loadFailed);
  yield* nameSuspects(blocks);
}

/** The rows are in a workbook or an archive. */
export function isContained({ sheet, entry }: Dialect): boolean {
  return (sheet ?? entry) !== undefined;
}

async function* readContainer(file: Blob, dialect: Dialect): AsyncGenerator<RowBlock> {
  yield* (await loadContainers()).readContainer(file, dialect);
}
