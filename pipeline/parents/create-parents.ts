// Creates the parents that a file names and that are not there, before the first of its rows is sent.

import { ADVISED_BATCH } from "../../core/contract/limits.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { lookupName } from "../../core/dictionary/lookup-name.ts";
import { type Fields, isProblem, validateValue } from "../../core/dictionary/validate.ts";
import { plainCell } from "../../core/text/csv.ts";
import { withCells } from "../checking/validate-row.ts";
import type { ParentsReport } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import { KeyTrust } from "../sending/key-trust.ts";
import { NOTHING_STORED } from "../sending/reconcile.ts";
import type { ParentService, PostBatch } from "../sending/responses.ts";
import type { Scheduler } from "../sending/scheduler.ts";
import { type BatchSending, type Marks, sendBatch } from "../sending/send-batch.ts";
import { eachRecord, type ParentColumn, type ParentSource, parentColumns } from "./find-missing.ts";

/** A record that the file makes of a parent. `problem`: why it cannot be stored as the file has it, a sentence. */
export interface NewParent {
  text: string;
  record: Fields;
  problem: string | undefined;
}

export interface NewParents {
  column: ParentColumn;
  parents: NewParent[];
}

const MOST_REASONS = 100;

/** Says which parents the plan creates: field → the texts of their values. */
export function chosenParents({ fixes }: Pick<Plan, "fixes">): Map<string, Set<string>> {
  const chosen = new Map<string, Set<string>>();
  for (const { field, from, to } of fixes?.parents ?? []) if (to === "new") chosen.set(field, (chosen.get(field) ?? new Set()).add(from));
  return chosen;
}

/** Returns the titles of what the dictionary requires of a parent and the file does not say; with such ones none can be created. */
export function lackingFields(column: ParentColumn, collection: Collection, columns: Plan["columns"]): string[] {
  const has = columnsOfParent(column, collection, columns);
  return column.collection.fields
    .filter((field) => field.required && field.default === undefined && field.computed === undefined && field.autoNumber === undefined)
    .filter((field) => field !== column.by && !has.some((one) => one.field === field))
    .map(({ title }) => title);
}

/** Returns the columns of the file that belong to the parent, besides the one that names it. */
export function columnsOfParent(
  { fills, collection: parent }: ParentColumn,
  { parentFields, byName }: Collection,
  columns: Plan["columns"],
): { at: number; field: Field }[] {
  const as = byName.get(fills)?.reference?.as ?? "";
  return parent.fields.flatMap((field) => {
    const name = lookupName(as, field.name);
    const at = parentFields?.has(name) ? columns.indexOf(name) : -1;
    return at === -1 ? [] : [{ at, field }];
  });
}

/**
 * Reads the file once for the parents that the plan creates. Each has the first value that a row with it has in each column. The same
 * file and plan give the same parents in the same order.
 */
export async function gatherParents(source: ParentSource): Promise<NewParents[]> {
  const chosen = chosenParents(source.plan);
  const { collection, plan } = source;
  const all = parentColumns(collection, plan)
    .filter(({ field, mayCreate }) => mayCreate && chosen.has(field.name))
    .map((column) => ({ column, parents: new Map<string, NewParent>(), columns: columnsOfParent(column, collection, plan.columns) }));
  if (all.length === 0) return [];
  const { edits = {} } = plan.fixes ?? {};
  await eachRecord(source, (record, cells, row) => {
    for (const { column, parents, columns } of all) {
      const value = record[column.field.name] ?? null;
      if (value === null || !chosen.get(column.field.name)?.has(String(value))) continue;
      const parent = parents.get(String(value)) ?? createParent(column, value);
      parents.set(parent.text, parent);
      fill(parent, columns, edits[row] ? withCells(cells, edits[row]) : cells, plan);
    }
  });
  return all.map(({ column, parents }) => ({ column, parents: [...parents.values()] }));
}

/** Values are cloned, because a cell keeps its block of text. */
function createParent({ by }: ParentColumn, value: Value): NewParent {
  const own = structuredClone(value);
  return { text: String(own), record: { [by.name]: own }, problem: undefined };
}

function fill(parent: NewParent, columns: ReturnType<typeof columnsOfParent>, cells: readonly string[], { dialect }: Plan): void {
  for (const { at, field } of columns) {
    if (field.name in parent.record) continue;
    const value = validateValue({ ...field, required: false }, plainCell(cells[at] ?? "", dialect.isExact), "text");
    if (isProblem(value)) parent.problem ??= value.message;
    else if (value !== null) parent.record[field.name] = structuredClone(value);
  }
}

export interface ParentsJob extends ParentSource {
  uploadId: string;
  scheduler: Scheduler;
  signIn(): Promise<void>;
  postIn: ParentService["post"];
  /** Is called after each batch with how many parents are done. */
  onDone?: () => void;
}

/**
 * Sends them in batches whose keys and records are the same in each run of the upload: one that got no answer is repeated, and the
 * service answers it again. Where it has forgotten its answer, the unique value keeps it from storing a parent twice.
 */
export async function createParents(job: ParentsJob): Promise<ParentsReport[]> {
  const reports: ParentsReport[] = [];
  for (const [i, { column, parents }] of (await gatherParents(job)).entries()) {
    const report: ParentsReport = { collection: column.collection.name, created: 0, there: 0, failed: 0, reasons: [] };
    const fail = (text: string, reason: string) => {
      report.failed++;
      if (report.reasons.length < MOST_REASONS) report.reasons.push({ text, reason });
    };
    for (const { text, problem } of parents) if (problem !== undefined) fail(text, problem);
    const sound = parents.filter(({ problem }) => problem === undefined);
    for (let from = 0; from < sound.length && !job.scheduler.over.aborted; from += ADVISED_BATCH) {
      const some = sound.slice(from, from + ADVISED_BATCH);
      await sendParents(job, column, `${job.uploadId}-p${i}-${from}`, some, ({ text }, outcome, reason, result) => {
        if (outcome === "created") report.created++;
        else if (isThere(column, result)) report.there++;
        else fail(text, reason ?? "");
      });
    }
    reports.push(report);
  }
  return reports;
}

/** Asks the service what it would do with the parents. Resolves to those that it would refuse, and why; undefined where it does not answer. */
export async function refusedParents(
  { column, parents }: NewParents,
  dryPost: PostBatch,
  signal: AbortSignal,
): Promise<Map<string, string> | undefined> {
  const refused = new Map(parents.flatMap(({ text, problem }) => (problem === undefined ? [] : [[text, problem] as const])));
  const sound = parents.filter(({ problem }) => problem === undefined);
  for (let from = 0; from < sound.length; from += ADVISED_BATCH) {
    const some = sound.slice(from, from + ADVISED_BATCH);
    const records = some.map(({ record }) => record);
    const answer = await dryPost(records, "", "create", signal);
    if (answer.kind !== "answered") return undefined;
    for (const result of answer.results) {
      const { text } = some[result.index] ?? {};
      if (text === undefined || result.outcome !== "failed" || isThere(column, result)) continue;
      refused.set(text, (result.problem?.errors ?? []).map(({ detail }) => detail).join(" ") || (result.problem?.detail ?? ""));
    }
  }
  return refused;
}

/** The refusal says that a record has the value by which the parent is named. */
function isThere({ by, collection }: ParentColumn, result: BatchResult | undefined): boolean {
  const { code, errors = [] } = result?.problem ?? {};
  if (by === collection.key) return code === "ALREADY_EXISTS";
  return errors.length > 0 && errors.every((error) => error.code === "UNIQUE" && error.pointer?.split("/").at(-1) === by.name);
}

type OnParent = (parent: NewParent, ...outcome: Tail<Parameters<BatchSending["recordOutcome"]>>) => void;
type Tail<All extends unknown[]> = All extends [unknown, unknown, ...infer Rest] ? Rest : never;

const NO_MARKS: Marks = { sent: () => Promise.resolve(), split: () => Promise.resolve(), isSplit: () => false };

async function sendParents(
  { scheduler, signIn, postIn, onDone }: ParentsJob,
  { collection }: ParentColumn,
  key: string,
  parents: readonly NewParent[],
  onParent: OnParent,
): Promise<void> {
  const places = parents.map((_, i) => i);
  const records = parents.map(({ record }) => record);
  await sendBatch(
    { key, rows: places, lines: places, records },
    {
      ...{ collection, scheduler, signIn, mode: "create", postBatch: postIn(collection), readBack: NOTHING_STORED, marks: NO_MARKS },
      trust: new KeyTrust({ hours: Number.POSITIVE_INFINITY }, () => scheduler.now()),
      recordOutcome: (at, _, ...rest) => onParent(parents[at] as NewParent, ...rest),
    },
  );
  onDone?.();
}
