// Checks a whole file in one pass, with the corrections of the plan.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type OpenRows, rowsOf } from "../containers/row-source.ts";
import { type DamageWatch, watchDamage } from "../inspection/spreadsheet-damage.ts";
import { noteComputed } from "../mapping/column-notes.ts";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import { KeySet } from "../model/key-set.ts";
import type { Malformed, Plan, RowMode } from "../model/plan.ts";
import type { ReadForm } from "../model/value-fixes.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import type { PointWatch } from "./decimal-points.ts";
import type { Findings, Verdict } from "./findings.ts";
import { createTwinKey } from "./repeated-rows.ts";
import { createRowValidator, groupKey, loadForms, withCells } from "./validate-row.ts";

/** Fills `findings`, which are complete at the end. Yields after every block. Memory grows only by a few bits for each row. */
export async function* checkFile(
  file: Blob,
  collection: Collection,
  plan: Plan,
  findings: Findings,
  openRows?: OpenRows,
  points?: PointWatch,
): AsyncGenerator<void> {
  const damage = watchDamage(collection, plan.columns);
  const check = createCheck(collection, plan, findings, damage, await loadForms(plan, collection));
  for await (const block of rowsOf({ file, plan, openRows })) {
    damage.see(block.rows);
    points?.see(block.rows);
    check(block);
    findings.strayQuotes = block.strayQuotes;
    findings.notes = [...(block.notes ?? []), ...noteComputed(collection, block.header, plan.columns)];
    findings.rowsRead += block.rows.length;
    findings.bytesRead = block.bytesRead;
    findings.unpacked = block.unpacked ?? block.bytesRead;
    yield;
  }
  findings.damage = damage.notes();
}

function createCheck(
  collection: Collection,
  plan: Plan,
  findings: Findings,
  damage: DamageWatch,
  readForm: ReadForm | undefined,
): (block: RowBlock) => void {
  const { edits, leftOut } = plan.fixes ?? NO_CORRECTIONS;
  const touched = new Set([...Object.keys(edits).map(Number), ...leftOut]);
  const keys = new KeySet();
  const twins = new KeySet(true);
  const twinKey = createTwinKey(plan);
  let current = 0; // the row that is validated
  const validateRow = createVerdicts(
    collection,
    plan,
    readForm,
    (key) => !keys.add(key),
    () => {
      findings.repeated.add(current);
      return false;
    },
  );
  const asInFile = validateOneRow(collection, { ...plan, fixes: { ...(plan.fixes ?? NO_CORRECTIONS), edits: {}, leftOut: [] } }, readForm);
  return ({ rows, lines, malformed, first, modes }) => {
    for (let i = 0; i < rows.length; i++) {
      const cells = rows[i] as string[];
      const row = first + i;
      current = row;
      const verdict = validateRow(row, cells, malformed.get(i), modes?.[i]);
      const { problems } = verdict;
      const isTouched = touched.size > 0 && touched.has(row);
      if (problems || isTouched) damage.seeBad(cells); // what is wrong in the file, corrected or not
      const counted = edits[row] && withCells(cells, edits[row]);
      if (!problems && verdict.key === undefined) {
        if (++findings.keyless <= MOST_COMPARED && !twins.add(twinKey(counted ?? cells))) findings.twins.add(row);
      }
      if (!problems && verdict.fixed.length === 0 && !isTouched) continue;
      findings.note(row, verdict, counted ?? cells);
      if (!isTouched && (!problems || !findings.hasRoomFor(verdict))) continue;
      // It is a clone, because a cell from the parser keeps its whole block of text in memory.
      const seenIn = new Set(isTouched ? asInFile(row, cells, malformed.get(i), () => false).problems?.map(groupKey) : []);
      findings.keep({
        row,
        line: lines[i] as number,
        cells: structuredClone(cells),
        counted,
        malformed: malformed.get(i),
        verdict,
        seenIn,
      });
    }
  };
}

const MOST_COMPARED = 1_000_000; // rows that name no record: a number for each stays in memory

/** Validates single rows in any order. `isRepeated` says whether an earlier row has the key. */
export function validateOneRow(
  collection: Collection,
  plan: Plan,
  readForm: ReadForm | undefined,
): (row: number, cells: readonly string[], malformed: Malformed | undefined, isRepeated: (key: number) => boolean) => Verdict {
  let query: (key: number) => boolean = () => false;
  const validateRow = createVerdicts(collection, plan, readForm, (key) => query(key));
  return (row, cells, malformed, isRepeated) => {
    query = isRepeated;
    return validateRow(row, cells, malformed);
  };
}

const NONE: number[] = []; // one for all rows that no rule changed

/** Returns the problems of a row, the automatic fixes it needed, and its key. */
function createVerdicts(
  collection: Collection,
  plan: Plan,
  readForm: ReadForm | undefined,
  isRepeated: (key: number) => boolean,
  onRepeat?: () => boolean,
): (row: number, cells: readonly string[], malformed: Malformed | undefined, mode?: RowMode) => Verdict {
  let fixed: number[] = NONE;
  let claimed: number | undefined;
  const validateRow = createRowValidator(collection, plan, {
    readForm,
    onFix: (index) => {
      fixed = [...fixed, index];
    },
    isRepeated(key) {
      claimed = key;
      return isRepeated(key);
    },
    ...(onRepeat && { onRepeat }),
  });
  return (row, cells, malformed, mode) => {
    fixed = NONE;
    claimed = undefined;
    const problems = validateRow(row, cells, malformed, undefined, mode);
    return { problems, fixed, key: claimed };
  };
}
