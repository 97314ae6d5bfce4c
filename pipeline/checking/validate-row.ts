// One row against the plan, fixes included: a checked record by the dictionary's judge, or its problems. Refuses: rows of another width, torn quotation marks, keys that an earlier row has, rows left out, what the dictionary refuses.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { checkValue, type Fields, type Problem } from "../../core/dictionary/validate.ts";
import { say } from "../../core/i18n/translate.ts";
import { unguardFormula } from "../../core/text/csv.ts";
import { missingFields } from "../mapping/match-columns.ts";
import { type Fixes, NO_FIXES } from "../model/corrections.ts";
import { KeySet } from "../model/key-set.ts";
import type { Plan, RowMode, RowProblem } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { mendCell, REMEDIES, remediesFor } from "../model/value-fixes.ts";
import { wrongShape } from "../reading/row-shape.ts";

/**
 * One row against the plan, or against a mode of its own: then a key that an earlier row has is no problem, as rows go in the
 * order of the file. Gives its problems, or undefined and then `into`, when given, holds the record. To be asked of every row in
 * the order of the file, once: it remembers the keys. A row that was left out has LEFT_OUT before its other problems.
 *
 * An empty cell is left out of the record: a new record has no value there, an existing one keeps the value it has. So a
 * file with gaps never wipes data, as with the importers of the large CRMs (blank cells do not overwrite); a value is cleared in the form.
 */
export type JudgeRow = (
  row: number,
  cells: readonly string[],
  torn: string | undefined,
  into: Fields | undefined,
  mode?: RowMode,
) => RowProblem[] | undefined;

export interface JudgeOptions {
  /** Whether an earlier row has the key, in the place of the judge's own memory. */
  isRepeated?: (key: number) => boolean;
  /** Told of each row whose key an earlier one has, where that is no problem because the later row wins. True: refuse it. */
  onRepeat?: () => boolean;
  /** Told which of the plan's remedies mended a cell. */
  onRemedy?: (index: number) => void;
  /** Say with each problem which remedies would mend it. */
  withRemedies?: boolean;
}

/** Whether a row is as it should be is decided cell by cell; `at` is the cell's column. */
interface Place {
  at: number;
  field: Field;
  isKey: boolean;
  isText: boolean;
  /** The plan's remedies for this field: their index in the plan, and in REMEDIES. */
  planned: { index: number; remedy: (typeof REMEDIES)[number] }[];
  possible: ReturnType<typeof remediesFor>;
}

const APOSTROPHE = 39; // every cell is asked for it, so a call is saved

export function createJudge(collection: Collection, plan: Plan, options: JudgeOptions = {}): JudgeRow {
  const { fixes = NO_FIXES, mode } = plan;
  const width = plan.columns.length;
  const isRepeated = options.isRepeated ?? createMemory();
  const isLeftOut = createLeftOut(fixes);
  const hasEdits = Object.keys(fixes.edits).length > 0;
  const judges = new Map<RowMode, CellJudge>();
  const judgeFor = (rowMode: RowMode): CellJudge => {
    const judge = judges.get(rowMode) ?? createCellJudge(collection, plan, rowMode, options);
    judges.set(rowMode, judge);
    return judge;
  };
  const own = judgeFor(mode);
  return (row, given, torn, into, rowMode) => {
    const judge = rowMode ? judgeFor(rowMode) : own;
    const edits = hasEdits ? fixes.edits[row] : undefined;
    const shape = wrongShape(given, torn, width, plan.torn);
    judge.key = null;
    const problems = shape && !isConfirmed(edits, judge.places) ? [shape] : judge.cells(edits ? withCells(given, edits) : given, into);
    if (isLeftOut(row, problems)) return [leftOutByUser(), ...(problems ?? [])];
    if (typeof judge.key !== "number" || !isRepeated(judge.key)) return problems;
    if ((rowMode || mode !== "create") && !options.onRepeat?.()) return problems;
    const found = [...(problems ?? []), repeated(collection.key)];
    return isLeftOut(row, found) ? [leftOutByUser(), ...found] : found;
  };
}

interface CellJudge {
  places: readonly Place[];
  /** The key of the latest row, if its cell is right. */
  key: Value | null;
  cells(cells: readonly string[], into: Fields | undefined): RowProblem[] | undefined;
}

function createCellJudge(collection: Collection, plan: Plan, mode: RowMode, options: JudgeOptions): CellJudge {
  const places = placesOf(collection, plan, mode);
  const lacking = missingFields(collection, plan.columns, mode).map(
    (field) => checkValue({ ...field, required: true }, null, "text") as Problem,
  );
  const judge: CellJudge = {
    places,
    key: null,
    cells(cells, into) {
      let problems: RowProblem[] | undefined = lacking.length > 0 ? [...lacking] : undefined;
      for (let i = 0; i < places.length; i++) {
        const place = places[i] as Place;
        const given = cells[place.at] ?? "";
        const cell = place.isText && given.charCodeAt(0) === APOSTROPHE ? unguardFormula(given) : given;
        let judged = checkValue(place.field, cell, "text");
        if (typeof judged === "object" && judged !== null) {
          const mended = place.planned.length > 0 ? mend(place, cell, options) : undefined;
          if (mended === undefined) {
            const problem = describe(judged, place, cell, options);
            if (problems) problems.push(problem);
            else problems = [problem];
            continue;
          }
          judged = mended;
        }
        if (judged === null) continue;
        if (place.isKey) judge.key = judged;
        if (into) into[place.field.name] = judged;
      }
      return problems;
    },
  };
  return judge;
}

/** The value by the first of the plan's remedies that mends the cell. */
function mend({ field, planned }: Place, cell: string, { onRemedy }: JudgeOptions): Value | null | undefined {
  for (const { index, remedy } of planned) {
    const value = mendCell(remedy, field, cell);
    if (value === undefined) continue;
    onRemedy?.(index);
    return value;
  }
  return undefined;
}

function describe(problem: Problem, { field, possible }: Place, cell: string, { withRemedies }: JudgeOptions): RowProblem {
  const said: RowProblem = field.kind === "integer" && problem.code === "KIND" && DAMAGED.test(cell) ? damaged(field) : problem;
  if (!withRemedies || problem.code === "REQUIRED") return said;
  let bits = 0;
  for (let i = 0; i < possible.length; i++) {
    const { remedy, bit } = possible[i] as Place["possible"][number];
    if (mendCell(remedy, field, cell) !== undefined) bits |= bit;
  }
  said.remedies = bits; // the judge's own object, made for this cell
  return said;
}

function placesOf(collection: Collection, plan: Plan, mode: RowMode): Place[] {
  const { remedies } = plan.fixes ?? NO_FIXES;
  return collection.fields.flatMap((each) => {
    const at = plan.columns.indexOf(each.name);
    if (at === -1 || (mode === "delete" && each !== collection.key)) return [];
    const field = fieldIn(mode, collection, each);
    const planned = remedies.flatMap(({ field: name, name: wanted }, index) => {
      const remedy = name === field.name ? REMEDIES.find((one) => one.name === wanted) : undefined;
      return remedy ? [{ index, remedy }] : [];
    });
    return [{ at, field, isKey: each === collection.key, isText: field.kind === "string", planned, possible: remediesFor(field) }];
  });
}

/** What a mode asks of a field: an update needs the key, and only what is given of the rest; a delete nothing but the key. */
function fieldIn(mode: RowMode, collection: Collection, field: Field): Field {
  return mode === "update" || mode === "delete" ? { ...field, required: field === collection.key } : field;
}

function createMemory(): (key: number) => boolean {
  const keys = new KeySet();
  return (key) => !keys.add(key);
}

function createLeftOut({ leftOut, leftOutGroups, refused }: Fixes): (row: number, problems: readonly RowProblem[] | undefined) => boolean {
  if (leftOut.length + leftOutGroups.length === 0 && !refused) return () => false;
  const refusedRows = refused && RowSet.of(refused);
  const rows = new Set(leftOut);
  const groups = new Set(leftOutGroups.map(groupKey));
  return (row, problems) => rows.has(row) || refusedRows?.has(row) || (problems?.some((problem) => groups.has(groupKey(problem))) ?? false);
}

/** Problems of one field and one code are told, mended and left out together. */
export function groupKey({ field, code }: { field: string; code: string }): string {
  return `${field} ${code}`;
}

export function withCells(cells: readonly string[], edits: Readonly<Record<number, string>>): string[] {
  const next = [...cells];
  for (const column in edits) {
    while (next.length < Number(column)) next.push("");
    next[Number(column)] = edits[column] as string;
  }
  return next;
}

/**
 * In a row of another width, or with torn marks, who knows which cell is which: one edit does not make it right. It is taken
 * as it is shown once the user has confirmed every cell.
 */
function isConfirmed(edits: Readonly<Record<number, string>> | undefined, places: readonly Place[]): boolean {
  return edits !== undefined && places.every(({ at }) => at in edits);
}

function leftOutByUser(): RowProblem {
  return { field: "", code: "LEFT_OUT", message: say("You left this row out.") };
}

function repeated(key: Field): RowProblem {
  return { field: key.name, code: "DUPLICATE", message: say("An earlier row of this file has this {key} already.", { key: key.title }) };
}

const DAMAGED = /^\s*[+-]?[0-9]+([.,][0-9]+)?E\+?[0-9]+\s*$/i; // 5,58E+12

function damaged(field: Field): RowProblem {
  const message = say("{title} was damaged by a spreadsheet: its last digits are gone. Export the column as text, or type the number.", {
    title: field.title,
  });
  return { field: field.name, code: "DAMAGED", message };
}
export function describeProblems(problems: readonly Pick<Problem, "message">[]): string {
  return problems.map(({ message }) => message).join(" ");
}
