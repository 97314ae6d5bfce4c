// Carries corrections over when the same file is read in another way.

import type { ListedRow } from "../checking/findings.ts";
import { rowsOf } from "../containers/row-source.ts";
import { addedColumns } from "../model/column-rules.ts";
import { type Corrected, type Corrections, type History, type Step, withSimilar } from "../model/corrections.ts";
import type { Dialect } from "../model/dialect.ts";
import type { Plan } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import type { Loss } from "./correction-state.ts";

export function correctedOf(plan: Plan, history: History, find: (row: number) => ListedRow | undefined): Corrected {
  const touched = new Set<number>();
  for (const { edits, leftOut, similar } of [history, ...history.past, ...history.future].map(({ fixes }) => fixes)) {
    for (const row in { ...edits, ...similar }) touched.add(Number(row));
    for (const row of leftOut) touched.add(row);
  }
  const rows = [...touched].flatMap((row) => {
    const found = find(row);
    return found ? { row, line: found.line, cells: found.cells } : [];
  });
  const { dialect, rules = [], columns } = plan;
  return { dialect, history, rules, width: columns.length - addedColumns(rules).length, rows };
}

/**
 * Rows on the same line with the same cells are the same row. Reads no further than it must. `onBlock` gets the progress and
 * ends the reading with false. Throws FileError.
 */
export async function carryOver(
  corrected: Corrected,
  { file, dialect: next, rules = [] }: { file: Blob } & Pick<Plan, "dialect" | "rules">,
  onBlock: (block: RowBlock) => boolean = () => true,
): Promise<{ history: History; loss: Loss }> {
  const { dialect, rows } = corrected;
  const { history, lost } = withoutGoneColumns(corrected, addedColumns(rules));
  if (JSON.stringify(dialect) === JSON.stringify(next)) return { history, loss: { cells: lost, rows: 0 } };
  const similar = dialect.encoding === next.encoding ? String : inAscii;
  const wanted = new Map(rows.map((one) => [one.line, one]));
  const lastLine = Math.max(0, ...wanted.keys());
  const moved = new Map<number, number>();
  if (lastLine > 0) {
    for await (const block of rowsOf({ file, plan: { dialect: next, rules: corrected.rules } })) {
      for (const [i, line] of block.lines.entries()) {
        const was = wanted.get(line);
        if (was && areSimilar(was.cells, block.rows[i] as string[], similar)) moved.set(was.row, block.first + i);
      }
      if (!onBlock(block) || (block.lines.at(-1) ?? 0) >= lastLine) break;
    }
  }
  const keepsNumbers = haveSameRows(dialect, next);
  const move = ({ refused, ...fixes }: Corrections): Corrections => ({
    ...moveFixes(fixes, moved),
    refused: keepsNumbers ? refused : undefined,
  });
  const moveRows = (rows: readonly number[]) => {
    const now = rows.flatMap((row) => moved.get(row) ?? []);
    return now.length === rows.length ? now : undefined;
  };
  const step = ({ fixes, rows }: Step): Step => ({ fixes: move(fixes), rows: rows && moveRows(rows) });
  const { fixes, past, future } = history;
  return {
    history: { fixes: move(fixes), past: past.map(step), future: future.map(step) },
    loss: lossOf(fixes, moved, keepsNumbers, lost),
  };
}

/** Drops the edits of columns that rules added, where other columns stand now. `lost`: cells that are edited no longer. */
function withoutGoneColumns({ history, rules, width }: Corrected, now: readonly string[]): { history: History; lost: number } {
  const before = addedColumns(rules);
  if (before.every((name, i) => name === now[i])) return { history, lost: 0 };
  const stays = (column: string) => Number(column) < width || before[Number(column) - width] === now[Number(column) - width];
  const strip = (fixes: Corrections): Corrections => ({
    ...fixes,
    edits: Object.fromEntries(
      Object.entries(fixes.edits).flatMap(([row, cells]) => {
        const left = Object.entries(cells).filter(([column]) => stays(column));
        return left.length > 0 ? [[row, Object.fromEntries(left)]] : [];
      }),
    ),
  });
  const step = ({ fixes, rows }: Step): Step => ({ fixes: strip(fixes), rows });
  const lost = Object.values(history.fixes.edits)
    .flatMap((cells) => Object.keys(cells))
    .filter((column) => !stays(column)).length;
  return { history: { fixes: strip(history.fixes), past: history.past.map(step), future: history.future.map(step) }, lost };
}

/** Encodings that contain ASCII and whose other characters have no ASCII byte. */
function haveSameRows({ encoding: a, bom: _a, ...one }: Dialect, { encoding: b, bom: _b, ...other }: Dialect): boolean {
  return JSON.stringify(one) === JSON.stringify(other) && ![a, b].some((each) => /^(UTF-16|Shift|GB|Big)/.test(each));
}

function areSimilar(a: readonly string[], b: readonly string[], similar: (cell: string) => string): boolean {
  return a.length === b.length && a.every((cell, i) => similar(cell) === similar(b[i] as string));
}

/** Returns what a cell has in common in all encodings that contain ASCII. */
function inAscii(cell: string): string {
  return cell.replace(/[^\0-\x7f]+/g, "\0");
}

function moveFixes({ edits, leftOut, similar = {}, ...rules }: Corrections, moved: ReadonlyMap<number, number>): Corrections {
  const stay = Object.entries(edits).flatMap(([row, cells]) => {
    const now = moved.get(Number(row));
    return now === undefined ? [] : [[now, cells] as const];
  });
  const out = leftOut.flatMap((row) => moved.get(row) ?? []);
  const chosen = Object.entries(similar).flatMap(([row, to]) => {
    const now = moved.get(Number(row));
    return now === undefined ? [] : [{ row: now, to }];
  });
  return withSimilar({ ...rules, edits: Object.fromEntries(stay), leftOut: out.sort((a, b) => a - b) }, chosen);
}

function lossOf(
  { edits, leftOut, refused, similar = {} }: Corrections,
  moved: ReadonlyMap<number, number>,
  keepsNumbers: boolean,
  lost: number,
): Loss {
  const lostEdits = Object.entries(edits).filter(([row]) => !moved.has(Number(row)));
  return {
    cells: lostEdits.reduce((sum, [, cells]) => sum + Object.keys(cells).length, lost),
    rows:
      [...leftOut, ...Object.keys(similar).map(Number)].filter((row) => !moved.has(row)).length +
      (refused && !keepsNumbers ? RowSet.of(refused).size : 0),
  };
}
