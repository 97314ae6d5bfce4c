// Asks the service what it would do with the valid rows, by the code of the upload with a post that stores nothing.

import type { ProblemBody } from "../../core/contract/problems.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import { ruleMessage } from "../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { readForm } from "../../core/forms/readings.ts";
import { t } from "../../core/i18n/translate.ts";
import { type Rejection, rejectionKey } from "../checking/findings.ts";
import { SHOWN_RANGES } from "../checking/problem-groups.ts";
import { createRowValidator, type ValidateRow } from "../checking/validate-row.ts";
import type { OpenRows } from "../containers/row-source.ts";
import { type Clock, realClock } from "../model/clock.ts";
import type { RecordOutcome } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { awaitingParents } from "../parents/parent-watch.ts";
import { Concurrency } from "../sending/concurrency.ts";
import { FORGETFUL_LOG } from "../sending/journal.ts";
import { KeyTrust } from "../sending/key-trust.ts";
import { NOTHING_STORED } from "../sending/reconcile.ts";
import type { FindTwin, PostBatch } from "../sending/responses.ts";
import { Scheduler } from "../sending/scheduler.ts";
import { fieldOfProblem } from "../sending/send-batch.ts";
import { type SendJob, sendFile } from "../sending/send-file.ts";
import { createSpeed, createTicker } from "../sending/throttle.ts";
import type { Preview, PreviewCounts, PreviewFigures, RecordChange, RejectionGroup, Warned } from "./correction-state.ts";
import { findingTwins } from "./stored-twins.ts";
import { refusingRepeats } from "./unique-repeats.ts";

export interface PreviewJob {
  file: File;
  collection: Collection;
  plan: Plan;
  /** Reads the rows instead of the CSV reader. */
  openRows?: OpenRows | undefined;
  /** The number of valid rows. */
  rowsTotal: number;
  /** Works like the upload's, but stores nothing. */
  dryPost: PostBatch;
  /** Left out: no rows are looked up. */
  findTwin?: FindTwin | undefined;
  /** Parents that are created before the rows: field → the texts of their values. */
  created?: ReadonlyMap<string, ReadonlySet<string>>;
  signal: AbortSignal;
  clock?: Clock;
}

/** A row that the service would refuse. */
export interface RejectedRow extends Rejection {
  row: number;
  line: number;
}

export const IN_FLIGHT = 2; // requests: half as many as an upload, because others may be waiting
const SHOWN_CHANGES = 100; // records

const NO_COUNTS: PreviewCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  repeats: 0,
  awaiting: 0,
  unknown: 0,
  existing: 0,
  absent: 0,
  warned: 0,
};

/** Ends with "done", "stopped" or "unavailable"; after an abort with none of them. `onRefused` gets the refused rows, in any order. */
export async function* runPreview(job: PreviewJob, onRefused: (rejection: RejectedRow) => void): AsyncGenerator<Preview> {
  const { collection, rowsTotal, signal, clock = realClock } = job;
  const counts = { ...NO_COUNTS };
  const warned = new Map<string, Warned>();
  const changes: RecordChange[] = [];
  const left = new Map<string, number>();
  const ticker = createTicker(clock);
  const scheduler = new Scheduler(clock, signal, ticker.ring, undefined, new Concurrency(IN_FLIGHT));
  const speed = createSpeed(clock);
  const sent = new WeakMap<BatchResult, Fields>();
  const rejections = new Rejections();
  const awaiting = new WeakSet<object>();
  const { validateRow, recordOutcome } = createCount(job, counts, awaiting, (rejection, result) => {
    if (rejection.warnings) counts.warned++;
    else rejections.add(rejection, (result && sent.get(result)) ?? {});
    countWarnings(collection, rejection, warned);
    onRefused(rejection);
  });
  const { post, twins } = findingTwins(
    collection,
    refusingRepeats(
      collection,
      awaitingParents(job.dryPost, job.created ?? new Map(), (result) => awaiting.add(result)),
    ),
    job.findTwin ?? (() => Promise.resolve(undefined)),
  );
  const figures = () => {
    const rowsDone = sumOf(counts);
    const { rowsPerSecond } = speed(rowsTotal, rowsDone, scheduler.waiting);
    return {
      counts: { ...counts },
      rowsDone,
      rowsTotal,
      rowsPerSecond,
      changes: [...changes],
      twins: twins(),
      warned: [...warned.values()],
      left: new Map(left),
      rejections: rejections.list(),
    };
  };
  let bug: unknown;
  const work = sendFile({
    ...dryRun(job, clock),
    validateRow,
    postBatch: noting(post, collection, { changes, counts, sent, left }),
    scheduler,
    recordOutcome(...outcome) {
      recordOutcome(...outcome);
      ticker.ring();
    },
  }).catch((error: unknown) => {
    bug = error;
  });
  signal.addEventListener("abort", () => scheduler.close(), { once: true }); // nobody waits for the last responses
  try {
    yield* ticker.states(work, () => ({ is: "counting" as const, ...figures() }));
  } finally {
    scheduler.close();
  }
  if (signal.aborted) return;
  const why = bug instanceof Error ? bug.message : scheduler.why;
  yield why === undefined ? { is: "done", ...figures() } : stopped(figures(), why, scheduler.isSignedOut);
}

/** Rows without an answer do not count as done. */
function stopped(figures: PreviewFigures, why: string, isSignedOut: boolean): Preview {
  const { counts } = figures;
  if (counts.created + counts.updated + counts.unchanged + counts.awaiting + counts.failed === 0)
    return { is: "unavailable", why, isSignedOut };
  const rowsDone = figures.rowsDone - counts.unknown;
  return { is: "stopped", ...figures, rowsDone, counts: { ...counts, unknown: 0 }, why, isSignedOut };
}

export type DryRun = Pick<PreviewJob, "file" | "collection" | "plan" | "openRows" | "dryPost" | "signal" | "clock">;

/** Makes the job that sends a file's rows where nothing is to be stored. A dry run leaves no trace, so it can always be repeated. */
export function dryRun(
  { file, collection, plan, openRows }: DryRun,
  clock: Clock,
): Omit<SendJob, "postBatch" | "scheduler" | "recordOutcome"> {
  return {
    ...{ file, collection, plan, openRows, mode: plan.mode },
    uploadId: "preview",
    log: FORGETFUL_LOG,
    trust: new KeyTrust({ hours: Number.POSITIVE_INFINITY }, clock.now),
    readBack: NOTHING_STORED,
    signIn: () => Promise.reject(), // the user is not asked to sign in
    readOn: () => false,
  };
}

/** A row with the key of an earlier row has no preview, because the earlier one is not stored. It is counted separately. */
function createCount(
  { collection, plan }: PreviewJob,
  counts: PreviewCounts,
  awaiting: WeakSet<object>,
  onRefused: (rejection: RejectedRow, result: BatchResult | undefined) => void,
): { validateRow: ValidateRow; recordOutcome: RecordOutcome } {
  let validatedOut = 0; // the latest row that is not valid
  let isRepeat = false;
  const query = createRowValidator(collection, plan, {
    readForm,
    onRepeat: () => {
      isRepeat = true;
      return true;
    },
  });
  return {
    validateRow(row, ...rest) {
      isRepeat = false;
      const problems = query(row, ...rest);
      if (!problems) return undefined;
      validatedOut = row;
      if (isRepeat && problems.length === 1) counts.repeats++;
      return problems;
    },
    recordOutcome(row, line, outcome, reason, result) {
      if (row === validatedOut) return;
      const isUnknown = outcome === "inDoubt" || outcome === "notSent" || outcome === "skipped";
      counts[isUnknown ? "unknown" : result && awaiting.has(result) ? "awaiting" : outcome]++;
      if (outcome !== "failed") return;
      const { problem } = result ?? {};
      const warnings = problem?.code === "WARNING" && { warnings: problem.errors ?? [] };
      const [first] = problem?.errors ?? [];
      const code = first?.rule === undefined ? (first?.code ?? problem?.code ?? "") : `${first.code}.${first.rule}`;
      const rejection = {
        row,
        line,
        reason: reason ?? t("The service would refuse this row."),
        field: wrongField(problem),
        code,
        ...warnings,
      };
      onRefused(rejection, result);
    },
  };
}

const COUNTED_VALUES = 10_000; // of one group
const SHOWN_VALUES = 5;

/** Puts each refused row into one group, by the field and the code of its problem, and counts the values that the field has in it. */
class Rejections {
  readonly #groups = new Map<string, { first: RejectedRow; rows: RowSet; values: Map<Value, number> }>();

  add(rejection: RejectedRow, record: Fields): void {
    const key = rejectionKey(rejection);
    const group = this.#groups.get(key) ?? { first: rejection, rows: new RowSet(), values: new Map<Value, number>() };
    this.#groups.set(key, group);
    group.rows.add(rejection.row);
    const value = record[rejection.field] ?? null;
    const isCounted = value !== null && (group.values.has(value) || group.values.size < COUNTED_VALUES);
    if (isCounted) group.values.set(value, (group.values.get(value) ?? 0) + 1);
  }

  list(): RejectionGroup[] {
    const groups = [...this.#groups].map(([key, { first, rows, values }]): RejectionGroup => {
      const { field, code, reason: message } = first;
      const shown = [...values].sort(([, a], [, b]) => b - a).slice(0, SHOWN_VALUES);
      const others = rows.size - shown.reduce((sum, [, count]) => sum + count, 0);
      const listed = shown.map(([value, count]) => ({ value, rows: count }));
      return { key, field, code, message, rows: rows.size, ...rows.ranges(SHOWN_RANGES), values: listed, others };
    });
    return groups.sort((a, b) => b.rows - a.rows);
  }
}

/** Counts the row once for each rule that warns of it. */
function countWarnings(collection: Collection, { warnings = [] }: RejectedRow, warned: Map<string, Warned>): void {
  const rules = new Map(warnings.map(({ rule = "all", detail }) => [rule, detail]));
  for (const [rule, detail] of rules) {
    const { rows } = warned.get(rule) ?? { rows: 0 };
    warned.set(rule, { code: `WARNING.${rule}`, message: ruleMessage(collection, detail), rows: rows + 1 });
  }
}

function wrongField(problem: ProblemBody | undefined): string {
  const names = new Set(problem?.errors?.map(fieldOfProblem));
  const [only = ""] = names;
  return names.size === 1 ? only : "";
}

/** Every row has one of these outcomes. */
function sumOf({ created, updated, unchanged, failed, repeats, awaiting, unknown }: PreviewCounts): number {
  return created + updated + unchanged + failed + repeats + awaiting + unknown;
}

interface Noted {
  changes: RecordChange[];
  counts: PreviewCounts;
  sent: WeakMap<BatchResult, Fields>;
  left: Map<string, number>;
}

/** Also collects the changed fields of the first records, and counts what another mode would store. */
function noting(post: PostBatch, collection: Collection, { changes, counts, sent, left }: Noted): PostBatch {
  return async (...given) => {
    const answer = await post(...given);
    if (answer.kind !== "answered") return answer;
    for (const result of answer.results) {
      if (result.problem) sent.set(result, given[0][result.index] ?? {});
      for (const name of result.leftBehind ?? []) left.set(name, (left.get(name) ?? 0) + 1);
      if (result.problem?.code === "ALREADY_EXISTS") counts.existing++;
      if (result.problem?.code === "NOT_FOUND") counts.absent++;
      if (changes.length < SHOWN_CHANGES && result.outcome === "updated" && result.changes)
        changes.push(changeOf(result, given[0], collection));
    }
    return answer;
  };
}

function changeOf(result: BatchResult, records: readonly Fields[], { key: { name: key }, label }: Collection): RecordChange {
  const fields = Object.entries(result.changes ?? {}).map(([field, values]) => {
    const old = values.length > 1 ? ((values[0] ?? null) as Value | null) : undefined;
    return { field, old, now: (values.at(-1) ?? null) as Value | null };
  });
  const row = records[result.index] ?? {};
  const named = label.flatMap(({ name, reference }) => (reference || row[name] === undefined ? [] : [[name, row[name]] as const]));
  return { key: (result[key] ?? row[key] ?? "") as Value, label: Object.fromEntries(named), fields };
}
