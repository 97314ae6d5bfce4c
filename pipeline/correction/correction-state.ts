// The messages between the page and the correction of a file, as plain data.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { Rejection } from "../checking/findings.ts";
import type { ProblemGroup, WrongValue } from "../checking/problem-groups.ts";
import type { AcceptedCode, KeptRepeat } from "../model/corrections.ts";
import type { Plan, RowProblem, WarningCode } from "../model/plan.ts";
import type { AutoFixName } from "../model/value-fixes.ts";
import type { MissingValue, ParentGroup } from "../parents/parent-groups.ts";
import type { ParentAct } from "../parents/parent-watch.ts";
import type { SimilarAct, SimilarRow, SimilarState } from "./similar-state.ts";
import type { Twins } from "./stored-twins.ts";

/** One action of the user on the findings. */
export type Act =
  /** `meant`: what the reader's forms make of the text. It counts where the column cannot be read like the text. */
  | { do: "edit"; row: number; column: number; text: string; meant?: string | undefined }
  /** A block of cells as one step. The texts are repeated over the block; null: as in the file. */
  | { do: "editCells"; rows: readonly number[]; columns: readonly number[]; texts: readonly (readonly (string | null)[])[] }
  /** The cells of a row of another width are right as they are shown. */
  | { do: "confirm"; row: number }
  | { do: "leaveOut"; rows: readonly number[]; isOut: boolean }
  | { do: "leaveOutGroup"; field: string; code: string; isOut: boolean }
  /** All rows that look like this are data, or all of which this rule warns are meant so. */
  | { do: "accept"; code: AcceptedCode; isOn: boolean }
  /** All rows that the service would refuse, as far as the preview knows, or those of one group (`rejectionKey`). */
  | { do: "leaveOutRefused"; isOut: boolean; group?: string }
  /** This one stays of rows that mean one record; undefined: all as they come. */
  | { do: "repeats"; keep: KeptRepeat | undefined }
  | { do: "autoFix"; field: string; name: AutoFixName; isOn: boolean }
  /** Says what these values of the field become; `to` undefined: they stay as they are. */
  | { do: "values"; field: string; values: readonly { from: string; to: string | null | undefined }[] }
  /** All offers of a problem group that leave no doubt, and the proposals for its values. Without a group: those of all groups. */
  | { do: "proposals"; group?: string }
  /** All rules for values of the field are taken back. */
  | { do: "revertValues"; field: string }
  | ParentAct
  | SimilarAct
  /** Compares the rows with the stored records, or ends that. It is no correction. */
  | { do: "compare"; isOn: boolean }
  | { do: "undo" }
  | { do: "redo" };

/** Asks for what the page needs at that moment: rows to show, or the next cell with a problem. */
export type CheckQuery =
  | { for: "rows"; filter: RowFilter; first?: readonly string[]; from: number; to: number }
  | { for: "next"; filter: RowFilter; first?: readonly string[]; at: CellPlace; by: 1 | -1 }
  /** The distinct wrong values of a problem group, the commonest first. */
  | { for: "values"; group: string; from: number; to: number }
  /** The values of a field by which no parent is there, those of most rows first. */
  | { for: "parents"; field: string; from: number; to: number }
  /** The rows that look like stored records, in the order of the file. */
  | { for: "similar"; from: number; to: number };

/** The plan with the corrections so far, and the headings of the file: what a recipe is made of. */
export interface PlanQuery {
  for: "plan";
}

export type CheckAnswer =
  | { for: "rows"; rows: GridRow[]; total: number }
  | { for: "next"; at: CellPlace | undefined }
  | { for: "values"; values: WrongValue[]; total: number }
  | { for: "parents"; values: MissingValue[]; total: number }
  | { for: "similar"; rows: SimilarRow[]; total: number };

export interface PlanAnswer extends PlanQuery {
  plan: Plan;
  headings: readonly string[];
}

/** Says which of the listed rows are meant. Rows that met it before their correction still do, so that none disappears under the hands. */
export interface RowFilter {
  /** A problem group; undefined: all. */
  group?: string | undefined;
  /** A part of a cell, in any case and with any accents; "": all. */
  text?: string | undefined;
  /** The field whose cell has the text; undefined: any. */
  field?: string | undefined;
}

/** Indexes in the list of rows and in the shown fields, from 0. */
export interface CellPlace {
  index: number;
  field: number;
}

export interface GridRow {
  row: number;
  line: number;
  is: "wrong" | "refused" | "corrected" | "leftOut";
  /** One for each shown field, as edited. */
  cells: string[];
  /** Holds what is in the file, for each cell that was edited; undefined for the others. */
  inFile: (string | undefined)[];
  /** Holds what a rule makes of the cell: null for no value, undefined where no rule changes it. */
  becomes: (Value | null | undefined)[];
  problems: RowProblem[];
  /** Says why the service would refuse it. */
  rejection?: Rejection | undefined;
  /** The row has another width than the heading, and its cells must be confirmed. */
  isOfOtherShape: boolean;
  /** Is left out by itself, not with its group. */
  isLeftOutAlone: boolean;
}

/** Returns the fields that have a column, in the dictionary's order. Those whose names are in `first` come before the others. */
export function shownFields(
  collection: Collection,
  columns: readonly (string | null)[],
  first: readonly string[] = [],
): { field: Field; column: number }[] {
  const shown = collection.fields.flatMap((field) => {
    const column = columns.indexOf(field.name);
    return column === -1 ? [] : [{ field, column }];
  });
  const isFirst = ({ field }: { field: Field }) => first.includes(field.name);
  return [...shown.filter(isFirst), ...shown.filter((one) => !isFirst(one))];
}

/** Returns the column in which a problem of this field stands. One of the row as a whole, or of a field without a column, stands at the key, else at the first. */
export function placeOf(name: string, shown: ReturnType<typeof shownFields>, key: string): number {
  const find = (one: string) => shown.findIndex(({ field }) => field.name === one);
  const place = find(name);
  return place === -1 ? Math.max(0, find(key)) : place;
}

export interface CorrectionState {
  /** Changes whenever rows, counts or groups change that the page may show. */
  revision: number;
  /** Percent of a pass over the file after a correction of many rows; null: none is running. */
  recheck: number | null;
  canUndo: boolean;
  canRedo: boolean;
  preview: Preview;
  /** The parents that the file names and that are not there, as far as the service was asked. */
  parents: readonly ParentGroup[];
  /** The rows that look like stored records; undefined where nobody asked and nothing was decided. */
  similar?: SimilarState | undefined;
}

/**
 * awaiting: nothing stands against the row but a parent that is created before it. unknown: the service gave no answer. repeats: no preview, because an earlier row has the key. existing and absent are among
 * the failed: the record exists, and the row may only create; or it does not, and the row may only update. So are those with nothing but
 * warnings (warned).
 */
export interface PreviewCounts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  repeats: number;
  awaiting: number;
  unknown: number;
  existing: number;
  absent: number;
  warned: number;
}

/** Rows of which the service says that a rule warns. */
export interface Warned {
  code: WarningCode;
  message: string;
  rows: number;
}

export type Preview =
  /** It has not begun, or a correction ended it. */
  | { is: "none" }
  | ({ is: "counting" | "done" } & PreviewFigures)
  /** It ended early, with what was answered until then. */
  | ({ is: "stopped" } & PreviewFigures & Stopped)
  /** There is no preview. The upload may still go well. */
  | ({ is: "unavailable" } & Stopped);

interface Stopped {
  /** A sentence. */
  why: string;
  /** The service no longer accepts the token. */
  isSignedOut: boolean;
}

export interface PreviewFigures {
  counts: PreviewCounts;
  rowsDone: number;
  rowsTotal: number;
  rowsPerSecond: number;
  /** The first 100 records that would change. */
  changes: RecordChange[];
  /** Rows that would be created are stored already: their file was probably uploaded before. */
  twins?: Twins | undefined;
  warned: Warned[];
  /** Says in how many records a field keeps a value although it is not asked for any more. */
  left: ReadonlyMap<string, number>;
  /** The rows that the service would refuse, each in one group, the largest first. Rows with nothing but warnings are not among them. */
  rejections: RejectionGroup[];
}

/** Rows that the service would refuse for one reason at one field. */
export interface RejectionGroup extends Pick<ProblemGroup, "field" | "code" | "message" | "ranges" | "more"> {
  /** Names the group in acts and filters. */
  key: string;
  rows: number;
  /** The commonest values of the field; `others`: how many rows have further ones. */
  values: { value: Value; rows: number }[];
  others: number;
}

export interface RecordChange {
  key: Value;
  /** Holds the values of its label, as far as the row says them. */
  label: Fields;
  /** `old` is undefined for whoever may not read the record. */
  fields: { field: string; old: Value | null | undefined; now: Value | null }[];
}

export const UNCORRECTED: CorrectionState = {
  revision: 0,
  recheck: null,
  canUndo: false,
  canRedo: false,
  preview: { is: "none" },
  parents: [],
};
/** Counts what cannot be carried over: corrected cells, and rows that were left out one by one. */

export interface Loss {
  cells: number;
  rows: number;
}
