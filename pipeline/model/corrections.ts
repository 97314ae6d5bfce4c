// What the user mended at the check, as plain data that a journal can keep. Each function gives a new value and changes none.

import type { RowSet } from "./row-set.ts";
import type { AutoFixName } from "./value-fixes.ts";

export interface Corrections {
  /** Row number → column of the file → the text that stands there instead. */
  edits: Readonly<Record<number, Readonly<Record<number, string>>>>;
  /** Rows that the user left out one by one. */
  leftOut: readonly number[];
  /** Every row that has this problem after all other fixes is left out: a rule, so that a million rows take no room. */
  leftOutGroups: readonly { field: string; code: string }[];
  /** Rows that the service would have refused, left out together: a RowSet's bits. */
  refused?: Uint32Array | undefined;
  /** Applied to every cell of the field's column that fails its check; also a rule. */
  autoFixes: readonly { field: string; name: AutoFixName }[];
}

/** Steps back and forth. `row`: the only row that the step is about. */
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

/** `text` undefined: the cell is as it is in the file. */
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

/** `refused`: the rows that the service would refuse now, beside those that are left out already. Undefined: none of them is left out. */
export function withRefusedOut(fixes: Corrections, refused: RowSet | undefined): Corrections {
  if (!refused) return fixes.refused ? { ...fixes, refused: undefined } : fixes;
  const bits = refused.bits();
  const all = new Uint32Array(Math.max(bits.length, fixes.refused?.length ?? 0));
  return { ...fixes, refused: all.map((_, i) => (bits[i] ?? 0) | (fixes.refused?.[i] ?? 0)) };
}

const MAX_AUTO_FIXES = 31; // a row remembers as bits which ones it needed

export function withAutoFix(fixes: Corrections, field: string, name: AutoFixName, isOn: boolean): Corrections {
  if (isOn && fixes.autoFixes.length === MAX_AUTO_FIXES) return fixes;
  const others = fixes.autoFixes.filter((other) => other.field !== field || other.name !== name);
  return { ...fixes, autoFixes: isOn ? [...others, { field, name }] : others };
}
