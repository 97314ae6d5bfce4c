// Single rows during correction: as the page shows them, after an act, and where the next problem is.

import type { Collection } from "../../core/dictionary/collections.ts";
import { isSame } from "../../core/dictionary/kinds.ts";
import { type Fields, validateValue } from "../../core/dictionary/validate.ts";
import { readForm } from "../../core/forms/readings.ts";
import { t, tNumber } from "../../core/i18n/translate.ts";
import { plainCell } from "../../core/text/csv.ts";
import { fold } from "../../core/text/fold.ts";
import { type FieldValues, groupsOfRejection, type ListedRow } from "../checking/findings.ts";
import { createRowValidator, groupKey, type ValidateRow, withCells } from "../checking/validate-row.ts";
import { addedColumns } from "../model/column-rules.ts";
import {
  type Corrections,
  NO_CORRECTIONS,
  withAccepted,
  withAutoFix,
  withBlock,
  withEdits,
  withLeftOut,
  withLeftOutGroup,
  withParents,
  withRefusedOut,
  withSimilar,
  withValues,
} from "../model/corrections.ts";
import type { Plan, RowProblem } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { wrongShape } from "../reading/row-shape.ts";
import { type Act, type CellPlace, type GridRow, placeOf, type RowFilter, type shownFields } from "./correction-state.ts";

type Shown = ReturnType<typeof shownFields>;
type Block = Pick<Extract<Act, { do: "editCells" }>, "rows" | "columns" | "texts">;

interface RowView {
  collection: Collection;
  plan: Plan;
  shown: Shown;
  /** Repeated key → the row that has it first, as far as it is known. */
  firsts: ReadonlyMap<number, number>;
}

/** Shows rows as the page draws them. */
export function createRowView({ collection, plan, shown, firsts }: RowView): (listed: ListedRow) => GridRow {
  const fixedCells = createFixedCells(collection, plan, shown);
  const leftOut = new Set(plan.fixes?.leftOut);
  return (listed) => showRow(listed, { plan, shown, firsts, leftOut, becomes: fixedCells(listed) });
}

/** Returns what the rules of the plan make of the cells of a row. */
function createFixedCells(collection: Collection, plan: Plan, shown: Shown): (listed: ListedRow) => GridRow["becomes"] {
  let validateRow: ValidateRow | undefined; // few rows need it, and a plan may have 10,000 rules
  return ({ row, cells, malformed, verdict }) => {
    if (verdict.fixed.length === 0) return shown.map(() => undefined);
    const record: Fields = {};
    validateRow ??= createRowValidator(collection, plan, { isRepeated: () => false, readForm });
    validateRow(row, cells, malformed, record);
    const edited = withCells(cells, plan.fixes?.edits[row] ?? {});
    const isWrong = (name: string) => verdict.problems?.some(({ field }) => field === name) ?? false;
    return shown.map(({ field, column }) => {
      const value = record[field.name] ?? null;
      const isAsItStands = isSame(value, validateValue(field, plainCell(edited[column] ?? "", plan.dialect.isExact), "text"));
      return isAsItStands || isWrong(field.name) ? undefined : value;
    });
  };
}

function showRow(
  listed: ListedRow,
  { plan, shown, firsts, leftOut, becomes }: Omit<RowView, "collection"> & { leftOut: ReadonlySet<number>; becomes: GridRow["becomes"] },
): GridRow {
  const { row, line, malformed, verdict, rejection } = listed;
  const edits = plan.fixes?.edits[row] ?? {};
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
    is: isOut ? "leftOut" : problems.length > 0 ? "wrong" : rejection === undefined ? "corrected" : "refused",
    cells: shown.map(({ column }) => cells[column] ?? ""),
    inFile: shown.map(({ column }) => (column in edits ? (listed.cells[column] ?? "") : undefined)),
    becomes,
    problems,
    rejection,
    isOfOtherShape: wrongShape(listed.cells, shape) !== undefined && problems.some(({ field }) => field === ""),
    isLeftOutAlone: leftOut.has(row),
  };
}

function withFirst(problem: RowProblem, first: number, shown: Shown): RowProblem {
  const key = shown.find(({ field }) => field.name === problem.field)?.field.title ?? problem.field;
  return { ...problem, message: t("Row {row} has the same {key}.", { row: tNumber(first), key }) };
}

/** Says whether a row has the text of the filter, in the file or as edited. */
export function hasText({ text = "", field: name }: RowFilter, shown: Shown, plan: Plan): (listed: ListedRow) => boolean {
  const wanted = fold(text.trim());
  if (wanted === "") return () => true;
  const columns = shown.filter(({ field }) => name === undefined || field.name === name).map(({ column }) => column);
  const has = (cell: string | undefined) => cell !== undefined && fold(cell).includes(wanted);
  return ({ row, cells }) => columns.some((column) => has(cells[column]) || has(plan.fixes?.edits[row]?.[column]));
}

interface Wanted extends Pick<RowFilter, "group"> {
  shown: Shown;
  key: string;
}

/** Finds the next place with a problem after this one, or before it; after the last comes the first. Undefined when there is none. */
export function answerNext(list: readonly ListedRow[], wanted: Wanted, at: CellPlace, by: 1 | -1): CellPlace | undefined {
  for (let step = 0; step <= list.length && list.length > 0; step++) {
    const index = (((at.index + by * step) % list.length) + list.length) % list.length;
    const wrong = wrongPlaces(list[index] as ListedRow, wanted);
    // It takes the places after this one in the same row first; after a full turn, the others.
    const left = step === 0 ? wrong.filter((field) => (field - at.field) * by > 0) : wrong;
    const field = by === 1 ? left[0] : left.at(-1);
    if (field !== undefined) return { index, field };
  }
  return undefined;
}

/** Takes only the problems of the group, if one is named: the others are not what the user came for. */
function wrongPlaces({ verdict, rejection }: ListedRow, { shown, key, group }: Wanted): number[] {
  const problems = verdict.problems ?? [];
  if (problems[0]?.code === "LEFT_OUT") return [];
  const meant = problems.filter((problem) => group === undefined || groupKey(problem) === group);
  const places = new Set(meant.map(({ field }) => placeOf(field, shown, key)));
  if (rejection !== undefined && (group === undefined || groupsOfRejection(rejection).includes(group)))
    places.add(placeOf(rejection.field, shown, key));
  return [...places].sort((a, b) => a - b);
}

interface FixContext {
  find(row: number): ListedRow | undefined;
  shown: Shown;
  refused: ReadonlyMap<string | undefined, RowSet>;
  /** Names the problem groups that the act is about. */
  values: readonly FieldValues[];
}

/** Returns the corrections after this act; the same object when it changes nothing. */
export function fixBy(
  act: Exclude<Act, { do: "undo" | "redo" | "allParents" | "allSimilar" | "compare" }>,
  fixes: Corrections,
  { find, shown, refused, values }: FixContext,
): Corrections {
  switch (act.do) {
    case "edit": {
      const { row, column, text } = act;
      return editCells(fixes, { rows: [row], columns: [column], texts: [[text]] }, find);
    }
    case "editCells":
      return editCells(fixes, act, find);
    case "confirm": {
      const listed = find(act.row);
      if (!listed) return fixes;
      const cells = withCells(listed.cells, fixes.edits[act.row] ?? {});
      return withEdits(fixes, act.row, Object.fromEntries(shown.map(({ column }) => [column, cells[column] ?? ""])));
    }
    case "leaveOut":
      return withLeftOut(fixes, act.rows, act.isOut);
    case "leaveOutGroup":
      return withLeftOutGroup(fixes, act.field, act.code, act.isOut);
    case "accept":
      return withAccepted(fixes, act.code, act.isOn);
    case "leaveOutRefused":
      return withRefusedOut(fixes, act.isOut ? (refused.get(act.group) ?? new RowSet()) : undefined);
    case "repeats":
      return { ...fixes, repeats: act.keep };
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
    case "parents":
      return withParents(
        fixes,
        act.values.map((rule) => ({ ...rule, field: act.field })),
      );
    case "similar":
      return withSimilar(fixes, act.choices);
    case "proposals":
      return values.reduce(withProposals, fixes);
  }
}

/** Returns the edit with the text that counts. The file's own way of writing comes first: in a column with decimal points 1.234 stays what it is. */
export function asRead(act: Act, collection: Collection, plan: Plan): Act {
  if (act.do !== "edit" || act.meant === undefined) return act;
  const { row, column, text, meant } = act;
  // A row of this cell alone, so that nothing else of the real one matters.
  const fixes = { ...(plan.fixes ?? NO_CORRECTIONS), edits: {} };
  const { padding: _, ...dialect } = plan.dialect;
  const alone = { ...plan, fixes, dialect };
  const validateRow = createRowValidator(collection, alone, { isRepeated: () => false, readForm });
  const problemOf = (cell: string) =>
    validateRow(
      row,
      plan.columns.map((_, i) => (i === column ? cell : "")),
      undefined,
      undefined,
    )?.find(({ field }) => field === plan.columns[column]);
  const wrong = problemOf(text);
  const isMeant = wrong !== undefined && (wrong.code === "KIND" || problemOf(meant) === undefined);
  return isMeant ? { ...act, text: meant } : act;
}

function editCells(fixes: Corrections, { rows, columns, texts }: Block, find: FixContext["find"]): Corrections {
  const changes = new Map<number, Map<number, string | undefined>>();
  const width = Math.max(...texts.map((line) => line.length));
  for (const [i, row] of rows.entries()) {
    const listed = find(row);
    if (!listed) continue;
    for (const [j, column] of columns.entries()) {
      const given = texts[i % texts.length]?.[j % width];
      if (given === undefined) continue;
      const inFile = listed.cells[column];
      const text = given ?? inFile ?? "";
      if ((fixes.edits[row]?.[column] ?? inFile ?? "") === text) continue;
      const cells = changes.get(row) ?? new Map<number, string | undefined>();
      changes.set(row, cells.set(column, given === null || inFile === text ? undefined : text));
    }
  }
  return changes.size > 0 ? withBlock(fixes, changes) : fixes;
}

function withProposals(fixes: Corrections, { field, values }: FieldValues): Corrections {
  const offers = values.offers().flatMap(({ choices }) => (choices.length === 1 ? choices : []));
  const rules = values.proposals().map(({ text, proposal }) => ({ field, from: text, to: proposal?.to }));
  if (offers.length + rules.length === 0) return fixes;
  const fixed = offers.reduce((before, { name }) => withAutoFix(before, field, name, true), fixes);
  return withValues(fixed, rules);
}
