// Single rows during correction: as the page shows them, after an act, and where the next problem is.

import { t, tNumber } from "../../core/i18n/translate.ts";
import type { FieldValues, ListedRow } from "../checking/findings.ts";
import { withCells } from "../checking/validate-row.ts";
import { addedColumns } from "../model/column-rules.ts";
import {
  type Corrections,
  NO_CORRECTIONS,
  withAccepted,
  withAutoFix,
  withEdit,
  withEdits,
  withLeftOut,
  withLeftOutGroup,
  withRefusedOut,
  withValues,
} from "../model/corrections.ts";
import type { Plan, RowProblem } from "../model/plan.ts";
import type { RowSet } from "../model/row-set.ts";
import { wrongShape } from "../reading/row-shape.ts";
import type { Act, CellPlace, GridRow, shownFields } from "./correction-state.ts";

type Shown = ReturnType<typeof shownFields>;

/** `firsts`: repeated key → the row that has it first, as far as it is known. */
export function showRow(listed: ListedRow, shown: Shown, plan: Plan, firsts: ReadonlyMap<number, number>): GridRow {
  const { row, line, malformed, verdict, rejection } = listed;
  const { edits: all, leftOut } = plan.fixes ?? NO_CORRECTIONS;
  const edits = all[row] ?? {};
  const cells = withCells(listed.cells, edits);
  const first = verdict.key === undefined ? undefined : firsts.get(verdict.key);
  const problems = (verdict.problems ?? []).flatMap((problem) =>
    problem.code === "LEFT_OUT" ? [] : problem.code === "DUPLICATE" && first !== undefined ? withFirst(problem, first, shown) : problem,
  );
  const shape = { malformed, width: plan.columns.length, added: addedColumns(plan.rules).length, padding: plan.dialect.padding };
  const isOut = verdict.problems?.[0]?.code === "LEFT_OUT";
  return {
    row,
    line,
    is: isOut ? "leftOut" : problems.length > 0 ? "wrong" : rejection === undefined ? "mended" : "refused",
    cells: shown.map(({ column }) => cells[column] ?? ""),
    edited: shown.map(({ column }) => column in edits),
    problems,
    rejection,
    isOfOtherShape: wrongShape(listed.cells, shape) !== undefined && problems.some(({ field }) => field === ""),
    isLeftOutAlone: leftOut.includes(row),
  };
}

function withFirst(problem: RowProblem, first: number, shown: Shown): RowProblem {
  const key = shown.find(({ field }) => field.name === problem.field)?.field.title ?? problem.field;
  return { ...problem, message: t("Row {row} has the same {key}.", { row: tNumber(first), key }) };
}

/** The next place with a problem after this one, or before it; after the last comes the first. Undefined when there is none. */
export function answerNext(list: readonly ListedRow[], shown: Shown, at: CellPlace, by: 1 | -1): CellPlace | undefined {
  for (let step = 0; step <= list.length && list.length > 0; step++) {
    const index = (((at.index + by * step) % list.length) + list.length) % list.length;
    const wrong = wrongPlaces(list[index] as ListedRow, shown);
    // In the same row the places after this one; after a full turn, the others.
    const left = step === 0 ? wrong.filter((field) => (field - at.field) * by > 0) : wrong;
    const field = by === 1 ? left[0] : left.at(-1);
    if (field !== undefined) return { index, field };
  }
  return undefined;
}

/** A problem of the row as a whole, or of a field without a column, is shown at the first cell. */
function wrongPlaces({ verdict, rejection }: ListedRow, shown: Shown): number[] {
  const problems = verdict.problems ?? [];
  if (problems[0]?.code === "LEFT_OUT") return [];
  const places = new Set(
    problems.map((problem) =>
      Math.max(
        0,
        shown.findIndex(({ field }) => field.name === problem.field),
      ),
    ),
  );
  if (rejection !== undefined) places.add(0);
  return [...places].sort((a, b) => a - b);
}

interface FixContext {
  listed: ListedRow | undefined;
  shown: Shown;
  refused: RowSet;
  /** Of the problem groups that the act is about. */
  values: readonly FieldValues[];
}

/** The corrections after this act; the same object when it changes nothing. `listed` is the row that it is about. */
export function fixBy(
  act: Exclude<Act, { do: "undo" | "redo" }>,
  fixes: Corrections,
  { listed, shown, refused, values }: FixContext,
): Corrections {
  switch (act.do) {
    case "edit": {
      const { row, column, text } = act;
      const inFile = listed?.cells[column];
      if (!listed || (fixes.edits[row]?.[column] ?? inFile ?? "") === text) return fixes;
      return withEdit(fixes, row, column, inFile === text ? undefined : text);
    }
    case "confirm": {
      if (!listed) return fixes;
      const cells = withCells(listed.cells, fixes.edits[act.row] ?? {});
      return withEdits(fixes, act.row, Object.fromEntries(shown.map(({ column }) => [column, cells[column] ?? ""])));
    }
    case "leaveOut":
      return withLeftOut(fixes, act.row, act.isOut);
    case "leaveOutGroup":
      return withLeftOutGroup(fixes, act.field, act.code, act.isOut);
    case "accept":
      return withAccepted(fixes, act.code, act.isOn);
    case "leaveOutRefused":
      return withRefusedOut(fixes, act.isOut ? refused : undefined);
    case "autoFix":
      return withAutoFix(fixes, act.field, act.name, act.isOn);
    case "values":
      return withValues(
        fixes,
        act.values.map((rule) => ({ ...rule, field: act.field })),
      );
    case "revertValues":
      return withValues(
        fixes,
        (fixes.values ?? []).flatMap(({ field, from }) => (field === act.field ? { field, from, to: undefined } : [])),
      );
    case "proposals":
      return values.reduce(withProposals, fixes);
  }
}

function withProposals(fixes: Corrections, { field, values }: FieldValues): Corrections {
  const offers = values.offers().flatMap(({ choices }) => (choices.length === 1 ? choices : []));
  const rules = values.proposals().map(({ text, proposal }) => ({ field, from: text, to: proposal?.to }));
  if (offers.length + rules.length === 0) return fixes;
  const fixed = offers.reduce((before, { name }) => withAutoFix(before, field, name, true), fixes);
  return withValues(fixed, rules);
}
