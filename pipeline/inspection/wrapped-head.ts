// Finds out whether every line of a file stands in quotation marks as a whole, and is CSV in itself.

import { USUAL_DELIMITERS } from "../model/dialect.ts";
import { parseSample, type SampleRow } from "../reading/csv-rows.ts";
import { unwrap } from "../reading/wrapped-lines.ts";
import { type CountNames, usualWidth } from "./detect-header.ts";

/**
 * Returns the text without the outer marks; undefined when it should stay as it is. A column of quoted names such as “Smith, Jo” is no
 * such file. `isChosen`: a person says that it is one.
 */
export function unwrapHead(text: string, isWhole: boolean, countNames: CountNames, isChosen: boolean): string | undefined {
  const { lines, plain } = unwrap(text, isWhole);
  if (isChosen) return lines;
  if (plain > 0) return undefined;
  return USUAL_DELIMITERS.some((delimiter) => isTable(parseSample(lines, delimiter, '"', isWhole), countNames)) ? lines : undefined;
}

function isTable({ rows, malformed }: { rows: readonly SampleRow[]; malformed: number }, countNames: CountNames): boolean {
  const [heading, ...below] = rows;
  const width = usualWidth(rows);
  if (!heading || heading.cells.length !== width || below.length === 0) return false;
  const similar = rows.filter(({ cells }) => cells.length === width);
  if (2 * (similar.length - malformed) <= rows.length || width < 2) return false;
  return countNames(heading.cells) >= 2 || (width > 2 && heading.cells.every((cell) => cell !== "" && !cell.startsWith(" ")));
}
