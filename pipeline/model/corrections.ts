// Holds what the user corrected at the check, as plain data for the journal. No function changes its arguments.

import type { Acknowledged } from "../../core/contract/records.ts";
import type { ColumnRule } from "./column-rules.ts";
import type { Dialect } from "./dialect.ts";
import type { SuspectCode, WarningCode } from "./plan.ts";
import type { RowSet } from "./row-set.ts";
import type { AutoFixName } from "./value-fixes.ts";

export interface Corrections {
  /** Row number → column of the file → the text that replaces the cell. */
  edits: Readonly<Record<number, Readonly<Record<number, string>>>>;
  /** Rows that the user left out one by one. */
  leftOut: readonly number[];
  /** Every row that still has this problem after all other corrections is left out. A rule, so that a million rows need no memory. */
  leftOutGroups: readonly { field: string; code: string }[];
  /** Rows that the service would refuse, left out together: the bits of a RowSet. */
  refused?: Uint32Array | undefined;
  /** Is applied to every cell of the field's column that fails its check. Also a rule. */
  autoFixes: readonly { field: string; name: AutoFixName }[];
  /** Rows that look like no data, by what they look like, or that rules warn of, and that are uploaded all the same. */
  accepted?: readonly AcceptedCode[];
  /** Says which row stays of those that mean one record. Without it the later ones are problems, or are applied in their order. */
  repeats?: KeptRepeat | undefined;
  /** Says what wrong values become. These come before the automatic fixes. Plans of version 0.1.0 have none. */
  values?: readonly ValueRule[];
  /** Says what becomes of values that name parents which are not there. Without a rule the service refuses their rows. */
  parents?: readonly ParentRule[];
  /** Row number → what becomes of a row that looks like a stored record. Without a choice it is sent like every other row. */
  similar?: Readonly<Record<number, SimilarChoice>>;
}

/** The stored record as it was when the row was compared with it: a later version is not overwritten. */
export interface SimilarTarget {
  id: number;
  version: number;
}

/** The row is a new record all the same, it changes the stored one, or it is left out (null). */
export type SimilarChoice = "new" | SimilarTarget | null;

export const KEPT_REPEATS = ["first", "last", "none"] as const;
export type KeptRepeat = (typeof KEPT_REPEATS)[number];

/** Gives every cell of the field that fails its check and has this text another text, "" for no value; null: the row is left out. */
export interface ValueRule {
  field: string;
  /** Is trimmed. */
  from: string;
  to: string | null;
}

/**
 * Decides about a value by which no parent is stored: a new parent gets it, or the stored one with this key is meant; null: its rows are
 * left out.
 */
export interface ParentRule {
  /** The field that refers, or one that stands for it. */
  field: string;
  /** The value as text. */
  from: string;
  to: "new" | number | null;
}

/** Serves undo and redo. `rows`: the only rows that the step changed; undefined: any may have changed. */
export interface History {
  fixes: Corrections;
  past: Step[];
  future: Step[];
}
export interface Step {
  fixes: Corrections;
  rows: readonly number[] | undefined;
}

/** Holds what is needed to go on with the corrections when the file is read again. */
export interface Corrected {
  dialect: Dialect;
  history: History;
  /** The rules for columns, and how many columns the file has without those that they add. */
  rules: readonly ColumnRule[];
  width: number;
  /** The rows that some step is about, as the rules make them. */
  rows: { row: number; line: number; cells: string[] }[];
}

export const NO_CORRECTIONS: Corrections = { edits: {}, leftOut: [], leftOutGroups: [], autoFixes: [] };

export function withEdits(fixes: Corrections, row: number, cells: Readonly<Record<number, string>>): Corrections {
  const { [row]: _, ...edits } = fixes.edits;
  return { ...fixes, edits: Object.keys(cells).length > 0 ? { ...edits, [row]: cells } : edits };
}

/** `texts`: for each row, column → text; undefined: the cell is as in the file. */
export function withBlock(fixes: Corrections, texts: ReadonlyMap<number, ReadonlyMap<number, string | undefined>>): Corrections {
  const edits = { ...fixes.edits };
  for (const [row, cells] of texts) {
    const now = { ...edits[row] };
    for (const [column, text] of cells) {
      if (text === undefined) delete now[column];
      else now[column] = text;
    }
    if (Object.keys(now).length > 0) edits[row] = now;
    else delete edits[row];
  }
  return { ...fixes, edits };
}

export function withLeftOut(fixes: Corrections, rows: readonly number[], isOut: boolean): Corrections {
  const left = new Set(fixes.leftOut);
  for (const row of rows) {
    if (isOut) left.add(row);
    else left.delete(row);
  }
  return { ...fixes, leftOut: [...left].sort((a, b) => a - b) };
}

export function withLeftOutGroup(fixes: Corrections, field: string, code: string, isOut: boolean): Corrections {
  const others = fixes.leftOutGroups.filter((other) => other.field !== field || other.code !== code);
  return { ...fixes, leftOutGroups: isOut ? [...others, { field, code }] : others };
}

export type AcceptedCode = SuspectCode | WarningCode;

const WARNING = /^WARNING\.(\w+)$/;

export function isWarning(code: unknown): code is WarningCode {
  return typeof code === "string" && WARNING.test(code);
}

/** Returns the rules whose warnings are confirmed, as requests name them. */
export function acknowledgedBy({ accepted = [] }: Corrections = NO_CORRECTIONS): Acknowledged {
  const names = accepted.flatMap((code) => WARNING.exec(code)?.[1] ?? []);
  return names.includes("all") ? "all" : names;
}

export function withAccepted(fixes: Corrections, code: AcceptedCode, isOn: boolean): Corrections {
  const others = (fixes.accepted ?? []).filter((other) => other !== code);
  return { ...withLeftOutGroup(fixes, "", code, false), accepted: isOn ? [...others, code] : others };
}

/** `refused`: the rows that the service would refuse now, in addition to those already left out. Undefined: leaves out none of them. */
export function withRefusedOut(fixes: Corrections, refused: RowSet | undefined): Corrections {
  if (!refused) return fixes.refused ? { ...fixes, refused: undefined } : fixes;
  const bits = refused.bits();
  const all = new Uint32Array(Math.max(bits.length, fixes.refused?.length ?? 0));
  return { ...fixes, refused: all.map((_, i) => (bits[i] ?? 0) | (fixes.refused?.[i] ?? 0)) };
}

export function withAutoFix(fixes: Corrections, field: string, name: AutoFixName, isOn: boolean): Corrections {
  const others = fixes.autoFixes.filter((other) => other.field !== field || other.name !== name);
  return { ...fixes, autoFixes: isOn ? [...others, { field, name }] : others };
}

/** `to` undefined: the value stays as it is. Later rules take the place of earlier ones for the same value. */
export function withValues(
  fixes: Corrections,
  rules: readonly { field: string; from: string; to: string | null | undefined }[],
): Corrections {
  const all = new Map((fixes.values ?? []).map((rule) => [valueKey(rule), rule]));
  for (const { field, from, to } of rules) {
    if (to === undefined) all.delete(valueKey({ field, from }));
    else all.set(valueKey({ field, from }), { field, from, to });
  }
  const { values: _, ...others } = fixes;
  return all.size > 0 ? { ...others, values: [...all.values()] } : others;
}

/** `to` undefined: nothing is said of the value any more. */
export function withParents(
  fixes: Corrections,
  rules: readonly (Pick<ParentRule, "field" | "from"> & { to: ParentRule["to"] | undefined })[],
): Corrections {
  const all = new Map((fixes.parents ?? []).map((rule) => [valueKey(rule), rule]));
  for (const { field, from, to } of rules) {
    if (to === undefined) all.delete(valueKey({ field, from }));
    else all.set(valueKey({ field, from }), { field, from, to });
  }
  const { parents: _, ...others } = fixes;
  return all.size > 0 ? { ...others, parents: [...all.values()] } : others;
}

/** `to` undefined: nothing is said of the row any more. */
export function withSimilar(fixes: Corrections, rows: readonly { row: number; to: SimilarChoice | undefined }[]): Corrections {
  const all: Record<number, SimilarChoice> = { ...fixes.similar };
  for (const { row, to } of rows) {
    if (to === undefined) delete all[row];
    else all[row] = to;
  }
  const { similar: _, ...others } = fixes;
  return Object.keys(all).length > 0 ? { ...others, similar: all } : others;
}

function valueKey({ field, from }: { field: string; from: string }): string {
  return `${field} ${from}`;
}

/** Returns the fields that have rules for values, in the order of the first rule of each. Their rules are counted together. */
export function fieldsWithValues({ values = [] }: Corrections): string[] {
  return [...new Set(values.map(({ field }) => field))];
}
