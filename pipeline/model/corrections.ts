// What the user mended at the check, as plain data that a journal can keep. Each function gives a new value and changes none.

import type { RowSet } from "./row-set.ts";
import type { RemedyName } from "./value-fixes.ts";

export interface Fixes {
  /** Row number → column of the file → the text that stands there instead. */
  edits: Readonly<Record<number, Readonly<Record<number, string>>>>;
  /** Rows that the user left out one by one. */
  leftOut: readonly number[];
  /** Every row that has this problem after all other fixes is left out: a rule, so that a million rows take no room. */
  leftOutGroups: readonly { field: string; code: string }[];
  /** Rows that the service would have refused, left out together: a RowSet's bits. */
  refused?: Uint32Array | undefined;
  /** Applied to every cell of the field's column that fails its check; also a rule. */
  remedies: readonly { field: string; name: RemedyName }[];
}

/** Steps back and forth. `row`: the only row that the step is about. */
export interface History {
  fixes: Fixes;
  past: Step[];
  future: Step[];
}
export interface Step {
  fixes: Fixes;
  row: number | undefined;
}

export const NO_FIXES: Fixes = { edits: {}, leftOut: [], leftOutGroups: [], remedies: [] };

/** `text` undefined: the cell is as it is in the file. */
export function withEdit(fixes: Fixes, row: number, column: number, text: string | undefined): Fixes {
  const { [column]: _, ...others } = fixes.edits[row] ?? {};
  return withEdits(fixes, row, text === undefined ? others : { ...others, [column]: text });
}

export function withEdits(fixes: Fixes, row: number, cells: Readonly<Record<number, string>>): Fixes {
  const { [row]: _, ...edits } = fixes.edits;
  return { ...fixes, edits: Object.keys(cells).length > 0 ? { ...edits, [row]: cells } : edits };
}

export function withLeftOut(fixes: Fixes, row: number, isOut: boolean): Fixes {
  const others = fixes.leftOut.filter((other) => other !== row);
  return { ...fixes, leftOut: isOut ? [...others, row].sort((a, b) => a - b) : others };
}

export function withLeftOutGroup(fixes: Fixes, field: string, code: string, isOut: boolean): Fixes {
  const others = fixes.leftOutGroups.filter((other) => other.field !== field || other.code !== code);
  return { ...fixes, leftOutGroups: isOut ? [...others, { field, code }] : others };
}

/** `refused`: the rows that the service would refuse now, beside those that are left out already. Undefined: none of them is left out. */
export function withRefusedOut(fixes: Fixes, refused: RowSet | undefined): Fixes {
  if (!refused) return fixes.refused ? { ...fixes, refused: undefined } : fixes;
  const bits = refused.bits();
  const all = new Uint32Array(Math.max(bits.length, fixes.refused?.length ?? 0));
  return { ...fixes, refused: all.map((_, i) => (bits[i] ?? 0) | (fixes.refused?.[i] ?? 0)) };
}

const MOST_REMEDIES = 31; // a row remembers as bits which ones it needed

export function withRemedy(fixes: Fixes, field: string, name: RemedyName, isOn: boolean): Fixes {
  if (isOn && fixes.remedies.length === MOST_REMEDIES) return fixes;
  const others = fixes.remedies.filter((other) => other.field !== field || other.name !== name);
  return { ...fixes, remedies: isOn ? [...others, { field, name }] : others };
}
