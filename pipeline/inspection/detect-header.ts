// Finds the heading among the first rows: the row that names fields, or the first full one above the data.

import type { SampleRow } from "../reading/csv-rows.ts";

/** Counts the cells that name a field of the collection. */
export type CountNames = (cells: readonly string[]) => number;

const FIRST_ROWS = 30; // the user chooses a heading further down

/** Returns the physical line of the heading, or 0 when the first rows look like data alone. Below headings of groups it is the row with the names. */
export function guessHeading(rows: readonly SampleRow[], countNames: CountNames): number {
  const line = guessFirst(rows, countNames);
  const at = rows.findIndex((row) => row.line === line);
  const [groups, names, ...below] = at === -1 ? [] : rows.slice(at, at + 2 + FIRST_ROWS);
  return groups && names && areGroups(groups.cells, names.cells, below, countNames) ? names.line : line;
}

/**
 * The row has cells that are empty or repeated, and the one below it names every column: as fields, or where the rows have values. An
 * unnamed column alone makes no groups, because a row of data below it has values, too.
 */
function areGroups(groups: readonly string[], names: readonly string[], below: readonly SampleRow[], countNames: CountNames): boolean {
  const filled = names.map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== "");
  const isNamed = filled.length >= groups.length && new Set(filled).size === filled.length;
  if (!isNamed || new Set(groups.filter((cell) => cell.trim() !== "")).size >= filled.length) return false;
  if (filled.some((cell) => VALUE.test(cell) || NO_NAME.test(cell))) return false;
  const [above, named] = [countNames(groups), countNames(names)];
  if (named >= Math.max(2, above)) return true;
  if (above > 0 && named === 0) return false;
  return below.length > 1 && names.some((_, at) => below.every(({ cells }) => VALUE.test((cells[at] ?? "").trim())));
}

const NO_NAME = /^(?:n\/?a|none|null|\\n|unknown|k\. ?a\.|[-–—?]+)$/; // what stands for a value that lacks

function guessFirst(rows: readonly SampleRow[], countNames: CountNames): number {
  const width = usualWidth(rows);
  const first = rows.slice(0, FIRST_ROWS);
  const named = first.map(({ cells }) => countNames(cells));
  const most = Math.max(0, ...named);
  const full = first.findIndex(({ cells }) => isFilled(cells, width));
  const best = named.indexOf(most);
  // A single name may be a value, such as a customer called Konto. In the first full row it is a heading.
  if (most >= 2 || (most === 1 && best === full)) return first[best]?.line ?? 1;
  const heading = first[full];
  if (!heading) return first[0]?.line ?? 1;
  return isData(heading.cells, rows.slice(full + 1, full + 1 + FIRST_ROWS)) ? 0 : heading.line;
}

/** Returns the number of cells that most rows have. If two are equally common, that of the earlier rows. */
export function usualWidth(rows: readonly SampleRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  let [width, most] = [1, 0];
  for (const [cells, count] of counts) if (count > most) [width, most] = [cells, count];
  return width;
}

/** A line above the heading, such as a title, has fewer cells or leaves most of them empty. */
function isFilled(cells: readonly string[], width: number): boolean {
  return 2 * cells.filter((cell) => cell.trim() !== "").length > width;
}

const VALUE = /^[+-]?\d[\d.,:/ T+Z-]*$|^[^\s@]+@[^\s@]+\.[^\s@]+$/; // a number, a date, an address

/** The row has a value where a heading would have a name: in its first column with values below. */
function isData(cells: readonly string[], below: readonly SampleRow[]): boolean {
  if (areYears(cells, below)) return false;
  return cells.some(
    (cell, at) => VALUE.test(cell.trim()) && (below.length === 0 || below.some((row) => VALUE.test((row.cells[at] ?? "").trim()))),
  );
}

const YEAR = /^(19|20)\d\d$/;

/** Headings such as `state,2021,2022`: different years behind a name, above values that are no years. */
function areYears(cells: readonly string[], below: readonly SampleRow[]): boolean {
  const years = cells.filter((cell) => VALUE.test(cell.trim()));
  const isYear = (cell: string) => YEAR.test(cell.trim());
  if (below.length === 0 || years.length === cells.length || !years.every(isYear) || new Set(years).size < years.length) return false;
  return !cells.some((cell, at) => isYear(cell) && below.some((row) => isYear(row.cells[at] ?? "")));
}
