// Changes cells and adds columns by the plan's rules while rows are read. Nothing is kept from row to row.

import { plainCell } from "../../core/text/csv.ts";
import { addedColumns, type ColumnRule, compileFind, type LetterCase } from "../model/column-rules.ts";
import type { Dialect } from "../model/dialect.ts";
import type { RowBlock } from "./csv-rows.ts";
import { wrongShape } from "./row-shape.ts";

/** Gets a row of as many cells as the heading of the file, and changes it: the cells of added columns come at its end. */
export type ChangeRow = (cells: string[]) => void;

/** The longest cell that a rule makes, in UTF-16 units. A change that would make it longer leaves the cell as it was. */
export const MAX_CELL = 1_000_000;

/** Makes the function that does to a row what the rules say. Rules that the file cannot be read with have no effect. `isExact`: see `Dialect.isExact`. */
export function createRowChange(rules: readonly ColumnRule[], isExact?: boolean): ChangeRow {
  const steps = rules.map((rule) => createStep(rule, (cells, column) => plainCell(cells[column] ?? "", isExact)));
  return (cells) => {
    for (const step of steps) step(cells);
  };
}

/**
 * Rows that are not as wide as the heading, or malformed, are not changed: nobody knows which cell is which. They get empty cells
 * for the added columns, so that they are as much too wide or too narrow as before. Surplus
 * cells stay, behind the added ones.
 */
export async function* applyColumnRules(
  blocks: AsyncIterable<RowBlock>,
  rules: readonly ColumnRule[],
  { padding, isExact }: Pick<Dialect, "padding" | "isExact">,
): AsyncGenerator<RowBlock> {
  const change = createRowChange(rules, isExact);
  const added = addedColumns(rules);
  const gap = added.map(() => "");
  let given: readonly string[] | undefined;
  let header: readonly string[] = [];
  for await (const block of blocks) {
    if (given !== block.header) {
      given = block.header;
      header = [...given, ...added];
    }
    const width = given.length;
    for (const [i, cells] of block.rows.entries()) {
      const surplus = cells.splice(width);
      if (wrongShape(surplus.length > 0 ? [...cells, ...surplus] : cells, { malformed: block.malformed.get(i), width, padding }))
        cells.push(...gap);
      else change(cells);
      cells.push(...surplus);
    }
    yield { ...block, header };
  }
}

/** Returns the text of a cell. Our own file of rows that were not stored guards it against spreadsheets, and rules see it without the guard. */
type CellAt = (cells: readonly string[], column: number) => string;

function createStep(rule: ColumnRule, cellAt: CellAt): ChangeRow {
  const inColumn = (column: number, change: (cell: string) => string) => changeColumn(column, change, cellAt);
  switch (rule.do) {
    case "replace": {
      const find = compileFind(rule);
      // The replacement is a function, so that "$" in a text stays a "$".
      return find
        ? inColumn(rule.column, (cell) => (rule.isPattern ? cell.replace(find, rule.to) : cell.replace(find, () => rule.to)))
        : () => {};
    }
    case "case":
      return inColumn(rule.column, CASES[rule.to]);
    case "trim":
      return inColumn(rule.column, (cell) => cell.trim());
    case "digits":
      return inColumn(rule.column, (cell) => cell.replace(/[^0-9]+/g, ""));
    case "unite": {
      const meant = new Map(rule.spellings.flatMap(({ from, to }) => from.map((text) => [text.trim(), to] as const)));
      return inColumn(rule.column, (cell) => meant.get(cell.trim()) ?? cell);
    }
    case "fill":
      return (cells) => {
        if (rule.column >= 0 && rule.column < cells.length && cellAt(cells, rule.column).trim() === "")
          cells[rule.column] = cellAt(cells, rule.from);
      };
    case "split":
      return (cells) => void cells.push(...splitCell(cellAt(cells, rule.column), rule));
    case "join":
      return (cells) => {
        const parts = rule.columns.map((column) => cellAt(cells, column)).filter((cell) => cell.trim() !== "");
        const joined = parts.join(rule.separator);
        cells.push(joined.length <= MAX_CELL ? joined : "");
      };
    case "constant":
      return (cells) => void cells.push(rule.value);
  }
}

/** Engines throw RangeError for a text beyond their own limit, which is far above ours. */
function withinLimit(before: string, change: (cell: string) => string): string {
  try {
    return change(before);
  } catch (error) {
    if (error instanceof RangeError) return before;
    throw error;
  }
}

function changeColumn(column: number, change: (cell: string) => string, cellAt: CellAt): ChangeRow {
  if (column < 0) return () => {};
  return (cells) => {
    if (column >= cells.length) return;
    const before = cellAt(cells, column);
    const after = withinLimit(before, change);
    if (after !== before && after.length <= MAX_CELL) cells[column] = after;
  };
}

/** Independent of the machine's language. */
const CASES: Record<LetterCase, (cell: string) => string> = {
  upper: (cell) => cell.toUpperCase(),
  lower: (cell) => cell.toLowerCase(),
  title: (cell) =>
    cell.toLowerCase().replace(/(\p{L})[\p{L}\p{M}\p{N}’']*/gu, (word, first: string) => first.toUpperCase() + word.slice(first.length)),
};

/** Returns as many texts as there are new columns, without spaces around them. */
export function splitCell(cell: string, { separator, at, into }: Extract<ColumnRule, { do: "split" }>): string[] {
  const parts = at === "every" ? splitEvery(cell, separator, into.length) : splitOnce(cell, separator, at);
  return into.map((_, i) => parts[i]?.trim() ?? "");
}

function splitOnce(cell: string, separator: string, at: "first" | "last"): string[] {
  const text = separator.trim() === "" ? cell.trim() : cell; // a space at the end separates nothing
  const place = at === "first" ? text.indexOf(separator) : text.lastIndexOf(separator);
  return place === -1 ? [text] : [text.slice(0, place), text.slice(place + separator.length)];
}

function splitEvery(cell: string, separator: string, most: number): string[] {
  const parts = (separator.trim() === "" ? cell.trim() : cell).split(separator);
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}
