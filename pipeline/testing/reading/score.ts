// Reads a file as an upload does and compares the rows that pass with what the file says.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { rowsOf } from "../../containers/row-source.ts";
import { inspectFile } from "../../inspection/inspect-file.ts";
import type { Choices } from "../../model/dialect.ts";
import { FileError } from "../../model/file-error.ts";
import { wrongShape } from "../../reading/row-shape.ts";
import type { Truth } from "./corpus.ts";

/**
 * right: every row as the file says. refused: a person must act, and rightly or wrongly so. warned: a row that passes is not what
 * the file says, and a sentence about the file says that something is wrong. silent: nothing does.
 */
export const VERDICTS = ["right", "refused rightly", "refused wrongly", "warned", "silent"] as const;
export type Verdict = (typeof VERDICTS)[number];

interface Read {
  header: readonly string[];
  passed: string[];
  refused: number;
  isWarned: boolean;
}

export async function scoreFile(file: File, truth: Truth, collection: Collection): Promise<{ verdict: Verdict; why: string }> {
  let read: Read;
  try {
    read = await readAll(file, collection, truth.choices);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { verdict: truth.isRefused ? "refused rightly" : "refused wrongly", why: error.message };
  }
  const says = truth.rows.flatMap((cells) => (cells ? [keyOf(cells)] : []));
  const lost = countLost(read.passed, says);
  const isOtherHeader = keyOf(read.header) !== keyOf(truth.header);
  const unsaid = Math.max(0, truth.rows.length - read.passed.length - read.refused);
  if (lost.wrong > 0 || isOtherHeader || (unsaid > 0 && lost.missing > 0)) {
    const why = isOtherHeader ? `heading ${keyOf(read.header)}` : (lost.first ?? `${unsaid} rows are missing`);
    return { verdict: read.isWarned ? "warned" : "silent", why };
  }
  if (lost.missing > 0) return { verdict: "refused wrongly", why: `${lost.missing} rows refused` };
  return { verdict: truth.rows.includes(null) ? "refused rightly" : "right", why: "" };
}

async function readAll(file: File, collection: Collection, choices: Choices = {}): Promise<Read> {
  const { dialect, plausible } = await inspectFile(file, collection, choices);
  const read: Read = { header: [], passed: [], refused: 0, isWarned: false };
  for await (const { header, rows, malformed, strayQuotes, notes } of rowsOf({ file, plan: { dialect } })) {
    read.header = header;
    read.isWarned = plausible.length > 0 || strayQuotes !== undefined || (notes ?? []).length > 0;
    for (const [i, cells] of rows.entries()) {
      if (wrongShape(cells, { malformed: malformed.get(i), width: header.length, padding: dialect.padding }))
        read.refused += linesIn(cells);
      else read.passed.push(keyOf(cells.slice(0, header.length)));
    }
  }
  return read;
}

/** A row that is refused with its lines says so for each. */
function linesIn(cells: readonly string[]): number {
  return 1 + cells.join("").split("\n").length - 1;
}

/** Spaces at the ends of a cell are no difference: the check takes them off. */
function keyOf(cells: readonly string[]): string {
  return JSON.stringify(cells.map((cell) => cell.trim()));
}

/** Compares as sequences: rows that passed and are not in the truth, and rows of the truth that did not pass. */
function countLost(passed: readonly string[], says: readonly string[]): { wrong: number; missing: number; first: string | undefined } {
  let [at, wrong] = [0, 0];
  let first: string | undefined;
  for (const row of passed) {
    const found = says.indexOf(row, at);
    if (found === -1) {
      wrong++;
      first ??= row;
    } else at = found + 1;
  }
  return { wrong, missing: says.length - (passed.length - wrong), first };
}
