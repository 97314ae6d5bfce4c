// The rows that were not stored as the service keeps them: with their cells by field, and what their reasons are about.

import { MAX_REASON, MAX_RUN_ROWS, MAX_RUN_TEXT, type RunRow } from "../../core/contract/runs.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { textOfValue } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { plainCell } from "../../core/text/csv.ts";
import { createRowValidator, describeProblems, loadForms, withCells } from "../checking/validate-row.ts";
import { type OpenRows, rowsOf } from "../containers/row-source.ts";
import { countNotStored, isNotStored, type OutcomeLog } from "../model/outcomes.ts";
import type { Plan, RowProblem } from "../model/plan.ts";
import { withNamesOfToday } from "../model/renamed-plan.ts";

export interface RowsJob {
  file: Blob;
  collection: Collection;
  plan: Plan;
  outcomeLog: OutcomeLog;
  openRows?: OpenRows | undefined;
  /** The column with the number of a row in the file from which these rows came. */
  numbersIn?: number;
}

/**
 * Reads the file once more, until all such rows or as many as the service takes are found. A cell that could be read is written as the service
 * gives it in a file, so that no correction is needed a second time; others are as the file has them, or as they were edited. Columns that fill
 * no field stay out. Throws FileError.
 */
export async function findRowsNotStored({ file, collection, plan: begun, outcomeLog, openRows, numbersIn }: RowsJob): Promise<RunRow[]> {
  const missing = countNotStored(outcomeLog.counts);
  const found: RunRow[] = [];
  if (missing === 0) return found;
  const plan = withNamesOfToday(begun, collection);
  const validateRow = createRowValidator(collection, plan, { readForm: await loadForms(plan, collection) });
  const cellsOf = createCellReader(collection, plan);
  let room = MAX_RUN_TEXT - 2;
  for await (const { rows, lines, first, malformed, modes } of rowsOf({ file, plan, openRows })) {
    for (const [i, cells] of rows.entries()) {
      const row = first + i;
      const record: Fields = {};
      const problems = validateRow(row, cells, malformed.get(i), record, modes?.[i]); // called for every row, because it remembers the keys
      const outcome = outcomeLog.outcomeOf(row);
      if (!isNotStored(outcome)) continue;
      const edits = plan.fixes?.edits[row];
      const values = cellsOf(edits ? withCells(cells, edits) : cells, record);
      const number = numbersIn === undefined ? row : Number(cells[numbersIn]);
      const next = { row: number, line: lines[i] ?? 0, outcome, ...whyNot(row, problems, outcomeLog, collection), values };
      room -= JSON.stringify(next).length + 1;
      if (room < 0 || found.length >= MAX_RUN_ROWS) return found;
      if (found.push(next) === missing) return found;
    }
  }
  return found;
}

function createCellReader(
  { byName }: Collection,
  { columns, dialect }: Plan,
): (cells: readonly string[], record: Fields) => RunRow["values"] {
  const places = columns.flatMap((name, at) => {
    const field = name === null ? undefined : byName.get(name);
    return field ? [{ at, field }] : [];
  });
  return (cells, record) => {
    const values: RunRow["values"] = {};
    for (const { at, field } of places) {
      const value = field.isPerson ? undefined : record[field.name]; // a person is better known by the name in the file
      const cell = plainCell(cells[at] ?? "", dialect.isExact).trim();
      values[field.name] = value === undefined ? cell : value === null ? "" : textOfValue(field, value);
    }
    return values;
  };
}

function whyNot(
  row: number,
  problems: readonly RowProblem[] | undefined,
  outcomeLog: OutcomeLog,
  { byName }: Collection,
): Pick<RunRow, "reason" | "fields" | "codes"> {
  const known = outcomeLog.reasonOf(row);
  const about = known === undefined ? (problems ?? []) : (outcomeLog.problemsOf(row) ?? []);
  const reason = known ?? (problems ? describeProblems(problems) : outcomeLog.rest);
  const names = about.map(({ field }) => field);
  const isKnown = names.every((name) => byName.has(name)); // one that is about the whole row may be about any field
  return {
    reason: reason.slice(0, MAX_REASON),
    fields: isKnown ? [...new Set(names)] : [],
    codes: [...new Set(about.map(({ code }) => code))],
  };
}
