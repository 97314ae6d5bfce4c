// A whole file checked in one pass: counts, and its problems grouped. Refuses: nothing; what is wrong with a row is a finding.

import type { Collection } from "../../dictionary/collections.ts";
import { type DamageWatch, watchDamage } from "./damage.ts";
import { createJudge, type JudgeRow, type Plan, type RowProblem } from "./judge.ts";
import { parseRows, type RowBlock } from "./parse.ts";
import { readText } from "./read.ts";
import type { Stray } from "./stray.ts";

export interface ProblemGroup {
  field: string;
  title: string;
  code: string;
  message: string;
  count: number;
  /** Row numbers, from–to; the first 12 ranges. */
  ranges: [from: number, to: number][];
  /** Rows beyond those ranges. */
  more: number;
}

export interface BadRow {
  /** From 1 after the heading. */
  row: number;
  /** The physical line in the file. */
  line: number;
  cells: string[];
  problems: RowProblem[];
}

export interface CheckSummary {
  rowsRead: number;
  ready: number;
  /** The largest first. */
  groups: ProblemGroup[];
  /** The first 100. */
  badRows: BadRow[];
  /** What a spreadsheet did to the cells, in sentences. */
  damage?: string[];
  /** Rows that quotation marks may have torn or swallowed. */
  stray?: Stray | undefined;
  seconds: number;
}

const SHOWN_RANGES = 12;
const SHOWN_ROWS = 100;

/** How far a check is; the same object each time. */
export interface CheckProgress {
  rowsRead: number;
  bytesRead: number;
}

/** One pass over the file. Yields after every block; its memory does not depend on how many rows or problems there are. */
export async function* checkFile(
  file: Blob,
  collection: Collection,
  plan: Plan,
): AsyncGenerator<CheckProgress, Omit<CheckSummary, "seconds">> {
  const judge = createJudge(collection, plan);
  const findings = createFindings(collection);
  const damage = watchDamage(collection, plan.columns);
  const progress: CheckProgress = { rowsRead: 0, bytesRead: 0 };
  let stray: Stray | undefined;
  for await (const block of parseRows(readText(file, plan.dialect), plan.dialect)) {
    checkBlock(block, judge, findings, damage);
    stray = block.stray;
    progress.rowsRead += block.rows.length;
    progress.bytesRead = block.bytesRead;
    yield progress;
  }
  const { bad, badRows, groups } = findings;
  const largestFirst = [...groups.values()].sort((a, b) => b.count - a.count);
  return { rowsRead: progress.rowsRead, ready: progress.rowsRead - bad, groups: largestFirst, badRows, damage: damage.notes(), stray };
}

interface Findings {
  collection: Collection;
  bad: number;
  badRows: BadRow[];
  groups: Map<string, ProblemGroup>;
}

function createFindings(collection: Collection): Findings {
  return { collection, bad: 0, badRows: [], groups: new Map() };
}

function checkBlock(block: RowBlock, judge: JudgeRow, findings: Findings, damage: DamageWatch): void {
  const { rows, lines, torn, first } = block;
  damage.see(rows);
  for (let i = 0; i < rows.length; i++) {
    const cells = rows[i] as string[];
    const problems = judge(cells, torn.get(i), undefined);
    if (!problems) continue;
    damage.seeBad(cells);
    note(findings, { row: first + i, line: lines[i] as number, cells, problems });
  }
}

function note(findings: Findings, bad: BadRow): void {
  findings.bad++;
  // A clone, because a cell as it comes from the parser holds on to the whole block of text it was cut from.
  if (findings.badRows.length < SHOWN_ROWS) findings.badRows.push(structuredClone(bad));
  for (const problem of bad.problems) {
    const key = `${problem.field} ${problem.code}`;
    const group = findings.groups.get(key) ?? createGroup(findings.collection, problem);
    findings.groups.set(key, group);
    addRow(group, bad.row);
  }
}

function createGroup(collection: Collection, problem: RowProblem): ProblemGroup {
  const { field, code, message } = problem;
  // What is said of one row's value ("this has 231") is not true of the group.
  const words = code === "CELLS" ? "The row has more or fewer cells than the heading." : message.replace(/; this has .*$/, ".");
  const title = collection.byName.get(field)?.title ?? "The row";
  return { field, title, code, message: code === "QUOTES" ? QUOTES : words, count: 0, ranges: [], more: 0 };
}

const QUOTES = "A quotation mark is not closed, or not doubled within quoted text.";

function addRow(group: ProblemGroup, row: number): void {
  group.count++;
  const latest = group.ranges.at(-1);
  if (latest && group.more === 0 && latest[1] === row - 1) latest[1] = row;
  else if (group.ranges.length < SHOWN_RANGES) group.ranges.push([row, row]);
  else group.more++;
}
