// The selected cells: a block between the cell where the selection began and the focused one.

import type { CellPlace } from "../../pipeline/correction/correction-state.ts";

/** First and last, both within. */
export interface Block {
  rows: [first: number, last: number];
  fields: [first: number, last: number];
}

/** `from` undefined: the one cell. Fields beyond `fieldCount` are the buttons of a row, which are never selected. */
export function blockOf(at: CellPlace, from: CellPlace | undefined, fieldCount: number): Block {
  const other = from ?? at;
  const last = fieldCount - 1;
  return {
    rows: [Math.min(at.index, other.index), Math.max(at.index, other.index)],
    fields: [Math.min(at.field, other.field, last), Math.min(Math.max(at.field, other.field), last)],
  };
}

/** Returns the opposite corners of the whole rows or columns of a block, or of everything. */
export function wholeOf(
  what: "rows" | "columns" | "all",
  { rows, fields }: Block,
  size: { rows: number; fields: number },
): [first: CellPlace, last: CellPlace] {
  const [firstRow, lastRow] = what === "rows" ? rows : [0, Math.max(0, size.rows - 1)];
  const [firstField, lastField] = what === "columns" ? fields : [0, size.fields - 1];
  return [
    { index: firstRow, field: firstField },
    { index: lastRow, field: lastField },
  ];
}

/** Cells in it. */
export function sizeOf({ rows, fields }: Block): number {
  return (rows[1] - rows[0] + 1) * (fields[1] - fields[0] + 1);
}

/** Says whether a cell is in it. */
export function isWithin({ rows, fields }: Block, { index, field }: CellPlace): boolean {
  return index >= rows[0] && index <= rows[1] && field >= fields[0] && field <= fields[1];
}

/** Says whether a cell is its last one. */
export function isLastOf({ rows, fields }: Block, { index, field }: CellPlace): boolean {
  return index === rows[1] && field === fields[1];
}

/** Returns the cells that a pasted block fills: the selection if the block fits into it an even number of times, else as many as it has. */
export function targetOf(selected: Block, texts: readonly (readonly string[])[]): Block {
  const span = ([first, last]: [number, number], size: number): [number, number] =>
    (last - first + 1) % size === 0 ? [first, last] : [first, first + size - 1];
  const width = Math.max(1, ...texts.map((line) => line.length));
  return { rows: span(selected.rows, Math.max(1, texts.length)), fields: span(selected.fields, width) };
}
