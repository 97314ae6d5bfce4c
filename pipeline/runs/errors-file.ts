// The rows that were not stored, as a CSV file with the reasons. Uploading it again touches only those rows.

import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { BOM, csvLine, guardFormula, plainCell } from "../../core/text/csv.ts";
import { createRowValidator, describeProblems, loadForms, withCells } from "../checking/validate-row.ts";
import { type OpenRows, rowsOf } from "../containers/row-source.ts";
import { isOurHeading, REASON_HEADING, ROW_HEADING } from "../mapping/match-columns.ts";
import type { Delimiter } from "../model/dialect.ts";
import { isNotStored, type OutcomeLog } from "../model/outcomes.ts";
import type { Plan, RowProblem } from "../model/plan.ts";
import { withNamesOfToday } from "../model/renamed-plan.ts";

/**
 * Reads the file once more. With an outcome log: the rows that ended as failed, in doubt or not sent. Without one: the rows
 * that fail the check. Cells are written as they are, or as the user edited them, guarded against spreadsheets, with the
 * file's own delimiter if spreadsheets know it. Our two columns come first, because a row with too few cells must stay as short as it was.
 */
export async function makeErrorsFile(
  file: Blob,
  collection: Collection,
  begun: Plan,
  outcomeLog?: OutcomeLog,
  openRows?: OpenRows,
): Promise<Blob> {
  const plan = withNamesOfToday(begun, collection);
  const { isExact = false } = plan.dialect;
  const delimiter = USUAL.includes(plan.dialect.delimiter) ? plan.dialect.delimiter : ",";
  const validateRow = createRowValidator(collection, plan, { readForm: await loadForms(plan, collection) });
  const parts: Blob[] = [];
  let own: ((cells: readonly string[]) => string[]) | undefined;
  for await (const { header, rows, first, malformed } of rowsOf({ file, plan, openRows })) {
    let text = "";
    if (!own) {
      own = withoutOurs(header);
      text = BOM + line([t(REASON_HEADING), t(ROW_HEADING), ...own(header)], delimiter);
    }
    for (const [i, cells] of rows.entries()) {
      const problems = validateRow(first + i, cells, malformed.get(i), undefined); // called for every row, because it remembers the keys
      const why = reasonFor(first + i, problems, outcomeLog);
      if (why === undefined) continue;
      const edits = plan.fixes?.edits[first + i];
      text += line([why, String(first + i), ...own(edits ? withCells(cells, edits) : cells)], delimiter, isExact);
    }
    parts.push(new Blob([text])); // outside the heap: the browser may keep it on disk
  }
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

/** Lists the delimiters for which csvLine puts cells in quotation marks. */
const USUAL: readonly Delimiter[] = [",", ";", "\t", "|"];

function reasonFor(row: number, problems: RowProblem[] | undefined, outcomeLog: OutcomeLog | undefined): string | undefined {
  const outcome = outcomeLog?.outcomeOf(row) ?? "notSent";
  if (!isNotStored(outcome)) return undefined;
  const known = outcomeLog?.reasonOf(row);
  if (known !== undefined) return known;
  return problems ? describeProblems(problems) : outcomeLog?.rest;
}

/** An errors file that is uploaded again has our two columns already. They are replaced, not doubled. */
function withoutOurs(header: readonly string[]): (cells: readonly string[]) => string[] {
  const ours = new Set(header.flatMap((heading, i) => (isOurHeading(heading) ? i : [])));
  return (cells) => cells.filter((_, i) => !ours.has(i));
}

function line(given: readonly string[], delimiter: Delimiter, isExact = false): string {
  const cells = given.map((cell) => guardFormula(plainCell(cell, isExact))); // one guard, also where the file had one
  if (delimiter === ",") return csvLine(cells);
  return `${cells.map((cell) => csvLine([cell]).slice(0, -2)).join(delimiter)}\r\n`;
}
