// What a cell of the grid shows.

import type { Field } from "../../../../core/dictionary/fields.ts";
import type { GridRow } from "../../../../pipeline/correction/correction-state.ts";
import { formatValue } from "../../../fields/format-value.ts";

/** The text of a cell: what a rule makes of it, else as edited, else as in the file. */
export function shownText({ cells, becomes }: GridRow, field: Field, i: number): string {
  const value = becomes[i];
  return value === undefined ? (cells[i] ?? "") : formatValue(field, value);
}

/** What the file has, where the grid shows something else; otherwise undefined. */
export function textInFile({ cells, inFile, becomes }: GridRow, i: number): string | undefined {
  return inFile[i] ?? (becomes[i] === undefined ? undefined : cells[i]);
}
