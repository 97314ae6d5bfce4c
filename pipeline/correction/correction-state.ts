// What a page and the mending of a file say to each other: plain data, made by mending.ts and drawn by the pages. Decides nothing.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { RowProblem } from "../model/plan.ts";
import type { AutoFixName } from "../model/value-fixes.ts";

/** One thing that the user does about what was found. */
export type Act =
  | { do: "edit"; row: number; column: number; text: string }
  /** The cells of a row of another width are right as they are shown. */
  | { do: "confirm"; row: number }
  | { do: "leaveOut"; row: number; isOut: boolean }
  | { do: "leaveOutGroup"; field: string; code: string; isOut: boolean }
  /** All rows that the service would refuse, as far as it was asked. */
  | { do: "leaveOutRefused"; isOut: boolean }
  | { do: "remedy"; field: string; name: AutoFixName; isOn: boolean }
  | { do: "undo" }
  | { do: "redo" };

/** What the page asks for when it needs it: rows to draw, or where the next cell is that needs a look. */
export type CheckQuery =
  | { for: "rows"; group: string | undefined; from: number; to: number }
  | { for: "next"; group: string | undefined; at: CellPlace; by: 1 | -1 };

export type CheckAnswer = { for: "rows"; rows: GridRow[]; total: number } | { for: "next"; at: CellPlace | undefined };

/** Places count from 0 in the list of rows and in the fields that are shown. */
export interface CellPlace {
  index: number;
  field: number;
}

export interface GridRow {
  row: number;
  line: number;
  is: "wrong" | "refused" | "mended" | "leftOut";
  /** One for each shown field, as edited. */
  cells: string[];
  edited: boolean[];
  problems: RowProblem[];
  /** What the service said against it. */
  rejection?: string | undefined;
  /** The row has another width than the heading, and its cells want to be confirmed. */
  isOfOtherShape: boolean;
  /** Left out by itself, and not with its group. */
  isLeftOutAlone: boolean;
}

/** The fields that have a column, in the dictionary's order. */
export function shownFields(collection: Collection, columns: readonly (string | null)[]): { field: Field; column: number }[] {
  return collection.fields.flatMap((field) => {
    const column = columns.indexOf(field.name);
    return column === -1 ? [] : [{ field, column }];
  });
}

export interface CorrectionState {
  /** Changes with whatever rows, counts or groups a page may have drawn. */
  revision: number;
  /** Percent of a pass over the file for a fix of many rows; null: there is none under way. */
  recheck: number | null;
  canUndo: boolean;
  canRedo: boolean;
  preview: Preview;
}

/** What would become of the rows. unknown: the service gave no answer. repeats: not foretold, as an earlier row has the key. */
export interface PreviewCounts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  repeats: number;
  unknown: number;
}

export type Preview =
  /** Not begun, or broken off by a fix. */
  | { is: "none" }
  | ({ is: "counting" | "done" } & PreviewFigures)
  /** It ended early: what was answered until then. */
  | ({ is: "stopped" } & PreviewFigures & Stopped)
  /** There is none. */
  | ({ is: "unavailable" } & Stopped);

/** The upload may still go well. */
interface Stopped {
  /** A sentence. */
  why: string;
  /** The service did not accept the token any more. */
  isSignedOut: boolean;
}

export interface PreviewFigures {
  counts: PreviewCounts;
  rowsDone: number;
  rowsTotal: number;
  rowsPerSecond: number;
  /** The first 100 records that would change. */
  changes: RecordChange[];
}

export interface RecordChange {
  key: Value;
  fields: { field: string; old: Value | null; now: Value | null }[];
}

export const UNCORRECTED: CorrectionState = { revision: 0, recheck: null, canUndo: false, canRedo: false, preview: { is: "none" } };
/** What cannot be carried over: mended cells, and rows that were left out, but by a rule. */

export interface Loss {
  cells: number;
  rows: number;
}
