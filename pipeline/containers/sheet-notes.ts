// Collects what people should know of a sheet: what is hidden or merged, formulas without results, long numbers.

import { tCount, tNumber } from "../../core/i18n/translate.ts";

type Fact = "hiddenRows" | "hiddenColumns" | "merged" | "noResult" | "longNumbers" | "noDate";

interface Found {
  count: number;
  examples: string[];
}

const SHOWN = 5;
const WHOLE_SHEET = 1_000; // columns hidden at once: the rest of the sheet, to the right of its table

const SENTENCES: Record<Fact, (n: number, list: string) => string> = {
  hiddenRows: (n, list) =>
    tCount(n, "{n} hidden row is read like the others: {list}.", "{n} hidden rows are read like the others: {list}.", { list }),
  hiddenColumns: (n, list) =>
    tCount(n, "{n} hidden column is read like the others: {list}.", "{n} hidden columns are read like the others: {list}.", { list }),
  merged: (n, list) =>
    tCount(
      n,
      "{n} block of cells is merged: {list}. Its value is in its first cell; the others are empty.",
      "{n} blocks of cells are merged: {list}. Their values are in their first cells; the others are empty.",
      { list },
    ),
  noResult: (n, list) =>
    tCount(
      n,
      "{n} formula has no stored result: {list}. Open the workbook in its program and save it there.",
      "{n} formulas have no stored result: {list}. Open the workbook in its program and save it there.",
      { list },
    ),
  longNumbers: (n, list) =>
    tCount(
      n,
      "{n} number has 16 digits or more: {list}. Spreadsheets keep only 15, so its last digits may be wrong. Ask for it as text.",
      "{n} numbers have 16 digits or more: {list}. Spreadsheets keep only 15, so their last digits may be wrong. Ask for them as text.",
      { list },
    ),
  noDate: (n, list) =>
    tCount(
      n,
      "{n} cell is formatted as a date but holds none: {list}. Its number is read.",
      "{n} cells are formatted as dates but hold none: {list}. Their numbers are read.",
      { list },
    ),
};

/** Collects while a sheet is read. The sentences are about the part that was read. */
export class SheetNotes {
  readonly #found = new Map<Fact, Found>();
  #sentences: string[] | undefined;

  /** `example`: a row, a column, a cell or a range. */
  add(fact: Fact, example: string): void {
    const found = this.#found.get(fact) ?? { count: 0, examples: [] };
    found.count++;
    if (found.examples.length < SHOWN) found.examples.push(example);
    this.#found.set(fact, found);
    this.#sentences = undefined;
  }

  hiddenRow(line: number): void {
    this.add("hiddenRows", tNumber(line));
  }

  /** Both count from 0. */
  hiddenColumns(from: number, to: number): void {
    if (to - from < WHOLE_SHEET) for (let at = from; at <= to; at++) this.add("hiddenColumns", columnName(at));
  }

  sentences(): readonly string[] {
    this.#sentences ??= [...this.#found].map(([fact, { count, examples }]) =>
      SENTENCES[fact](count, examples.join(", ") + (count > examples.length ? " …" : "")),
    );
    return this.#sentences;
  }
}

/** Returns "A" for 0, "AA" for 26. */
export function columnName(at: number): string {
  let name = "";
  for (let n = at + 1; n > 0; n = Math.floor((n - 1) / 26)) name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  return name;
}
