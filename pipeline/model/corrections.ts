// What the user corrected at the check, as plain data for the journal. No function changes its arguments.

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
  /** Applied to every cell of the field's column that fails its check. Also a rule. */
  autoFixes: readonly { field: string; name: AutoFixName }[];
}

/** For undo and redo. `row`: the only row that the step changed. */
export interface History {
  fixes: Corrections;
  past: Step[];
  future: Step[];
}
export interface Step {
  fixes: Corrections;
  row: number | undefined;
}

export const NO_CORRECTIONS: Corrections = { edits: {}, leftOut: [], leftOutGroups: [], autoFixes: [] };

/** `text` undefined: the cell is as in the file. */
export function withEdit(fixes: Corrections, row: number, column: number, text: string | undefined): Corrections {
  const { [column]: _, ...others } = fixes.edits[row] ?? {};
  return withEdits(fixes, row, text === undefined ? others : { ...others, [column]: text });
}

export function withEdits(fixes: Corrections, row: number, cells: Readonly<Record<number, string>>): Corrections {
  const { [row]: _, ...edits } = fixes.edits;
  return { ...fixes, edits: Object.keys(cells).length > 0 ? { ...edits, [row]: cells } : edits };
}

export function withLeftOut(fixes: Corrections, row: number, isOut: boolean): Corrections {
  const others = fixes.leftOut.filter((other) => other !== row);
  return { ...fixes, leftOut: isOut ? [...others, row].sort((a, b) => a - b) : others };
}

export function withLeftOutGroup(fixes: Corrections, field: string, code: string, isOut: boolean): Corrections {
  const others = fixes.leftOutGroups.filter((other) => other.field !== field || other.code !== code);
  return { ...fixes, leftOutGroups: isOut ? [...others, { field, code }] : others };
}

/** `refused`: the rows that the service would refuse now, in addition to those already left out. Undefined: leaves out none of them. */
export function withRefusedOut(fixes: Corrections, refused: RowSet | undefined): Corrections {
  if (!refused) return fixes.refused ? { ...fixes, refused: undefined } : fixes;
  const bits = refused.bits();
  const all = new Uint32Array(Math.max(bits.length, fixes.refused?.length ?? 0));
  return { ...fixes, refused: all.map((_, i) => (bits[i] ?? 0) | (fixes.refused?.[i] ?? 0)) };
}

const MAX_AUTO_FIXES = 31; // a row stores as bits which ones it needed

export function withAutoFix(fixes: Corrections, field: string, name: AutoFixName, isOn: boolean): Corrections {
  if (isOn && fixes.autoFixes.length === MAX_AUTO_FIXES) return fixes;
  const others = fixes.autoFixes.filter((other) => other.field !== field || other.name !== name);
  return { ...fixes, autoFixes: isOn ? [...others, { field, name }] : others };
}
