// The rules of the open file with undo and redo. They outlive the step, not the file.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { fieldsThatFill, matchHeader } from "../../../pipeline/mapping/match-columns.ts";
import { addedColumns, type ColumnRule, withColumns } from "../../../pipeline/model/column-rules.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import type { UploadManager } from "../manager/upload-manager.ts";

type Snapshot = Pick<Plan, "rules" | "columns">;
interface History {
  file: File | undefined;
  past: Snapshot[];
  future: Snapshot[];
}

const histories = new WeakMap<UploadManager, History>();

function historyOf(manager: UploadManager): History {
  const { file } = manager.state();
  const known = histories.get(manager);
  if (known?.file === file && known) return known;
  const history: History = { file, past: [], future: [] };
  histories.set(manager, history);
  return history;
}

export function canStep(manager: UploadManager): { undo: boolean; redo: boolean } {
  const { past, future } = historyOf(manager);
  return { undo: past.length > 0, redo: future.length > 0 };
}

/** Takes the latest change of rules back, or does it again. Columns are matched as they were then. */
export function stepRules(manager: UploadManager, plan: Plan, step: "undo" | "redo"): void {
  const { past, future } = historyOf(manager);
  const [from, to] = step === "undo" ? [past, future] : [future, past];
  const next = from.pop();
  if (!next) return;
  to.push(snapshotOf(plan));
  choose(manager, plan, next);
}

export function changeRules(manager: UploadManager, plan: Plan, next: Snapshot): void {
  const { past, future } = historyOf(manager);
  past.push(snapshotOf(plan));
  future.length = 0;
  choose(manager, plan, next);
}

function snapshotOf({ rules, columns }: Plan): Snapshot {
  return { columns, ...(rules && { rules }) };
}

function choose(manager: UploadManager, { rules: _, ...plan }: Plan, { rules = [], columns }: Snapshot): void {
  manager.choose({ ...plan, columns, ...(rules.length > 0 && { rules }) });
}

/** A new column that has the name of a free field is matched with it. One text for all rows names no parent that a column names already. */
export function withRule({ rules = [], columns }: Plan, rule: ColumnRule, collection: Collection): Snapshot {
  const rivals = (name: string) => (rule.do === "constant" ? fieldsThatFill(collection, name) : [name]);
  const isFree = (name: string) => !rivals(name).some((one) => columns.includes(one));
  const proposed = matchHeader(collection, addedColumns([rule])).map((name) => (name !== null && isFree(name) ? name : null));
  return { rules: [...rules, rule], columns: [...columns, ...proposed] };
}

/** Later rules lose the columns that it added. */
export function withoutRule({ rules = [], columns }: Plan, at: number): Snapshot {
  const first = columns.length - addedColumns(rules.slice(at)).length;
  const count = addedColumns(rules.slice(at, at + 1)).length;
  const move = (column: number) => (column < first ? column : column < first + count ? -1 : column - count);
  const later = rules.slice(at + 1).map((rule) => withColumns(rule, move));
  return { rules: [...rules.slice(0, at), ...later], columns: [...columns.slice(0, first), ...columns.slice(first + count)] };
}
