// Finds the rows of a checked file that look like stored records, by a dry run that asks for duplicates.

import type { SimilarRecord } from "../../core/contract/duplicates.ts";
import type { BatchResult } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { comparedFields } from "../../core/dictionary/match.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { readForm } from "../../core/forms/readings.ts";
import { createRowValidator } from "../checking/validate-row.ts";
import type { Clock } from "../model/clock.ts";
import type { SimilarChoice } from "../model/corrections.ts";
import { hashOf, KeySet } from "../model/key-set.ts";
import type { Plan } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { Concurrency } from "../sending/concurrency.ts";
import type { PostBatch, QueryCompared, ReadBack } from "../sending/responses.ts";
import { Scheduler } from "../sending/scheduler.ts";
import { sendFile } from "../sending/send-file.ts";
import { createTicker } from "../sending/throttle.ts";
import { dryRun } from "./preview.ts";
import { type FoundSimilar, NOT_COMPARED, type SimilarAct, type SimilarRow, type SimilarState } from "./similar-state.ts";

export interface CompareService {
  dryPost: PostBatch;
  readBack: ReadBack;
  queryCompared: QueryCompared;
}

export interface CompareJob extends CompareService {
  file: File;
  collection: Collection;
  plan: Plan;
  rowsTotal: number;
  signal: AbortSignal;
  clock: Clock;
}

interface Found {
  record: Fields;
  found: readonly FoundSimilar[];
}

const IN_FLIGHT = 1; // request: comparing takes the service much longer than writing, and others wait
const FIRST_BATCH = 200; // rows, so that the first figures come soon; batches grow
const MOST_ROWS = 10_000; // that look like stored records: nobody decides about more, and they are held in memory
const SHOWN_RANGES = 6;

/** Holds what is known of the rows of one file. A row that is compared once is not asked about again while what is compared of it stays. */
export class SimilarWatch {
  /** Rows, by a number for what is compared of them. */
  #asked = new KeySet(true);
  #found = new Map<number, Found>();
  /** Row → what it looks like. */
  #rows = new Map<number, Found>();
  #progress: Pick<SimilarState, "is" | "rowsDone" | "rowsTotal" | "why" | "isSignedOut" | "progress" | "refused"> = NOT_COMPARED;

  get is(): SimilarState["is"] {
    return this.#progress.is;
  }

  get isSignedOut(): boolean {
    return this.#progress.isSignedOut === true;
  }

  /** Forgets what was found: stored records may have changed. */
  forget(): void {
    this.#asked = new KeySet(true);
    this.#found = new Map();
    this.#rows = new Map();
  }

  /** The user wants no more rows to be compared. What was found stays. */
  stop(): void {
    if (this.#progress.is === "comparing") this.#progress = { ...this.#progress, is: "stopped", why: undefined };
  }

  state({ fixes }: Pick<Plan, "fixes">): SimilarState {
    const choices = Object.values(fixes?.similar ?? {});
    const listed = this.#listed(fixes?.similar);
    const rows = new RowSet();
    for (const { row } of listed) rows.add(row);
    const open = listed.filter(({ to }) => to === undefined);
    const outdated = open.filter(({ isOutdated }) => isOutdated).length;
    return {
      ...this.#progress,
      rows: listed.length,
      same: listed.filter(({ found }) => found.some(({ level }) => level === "same")).length,
      ranges: rows.ranges(SHOWN_RANGES).ranges,
      open: open.length - outdated,
      outdated,
      clear: clearOf(open).length,
      updated: choices.filter((to) => to !== null && to !== "new").length - outdated,
      added: choices.filter((to) => to === "new").length,
      leftOut: choices.filter((to) => to === null).length,
    };
  }

  /** Returns the rows that look like stored records, in the order of the file. */
  values({ fixes }: Pick<Plan, "fixes">): SimilarRow[] {
    return this.#listed(fixes?.similar);
  }

  /** Says what an act means for each row. */
  choicesOf(act: SimilarAct, plan: Plan): readonly { row: number; to: SimilarChoice | undefined }[] {
    if (act.do === "similar") return act.choices;
    const { to } = act;
    if (to === undefined) return Object.keys(plan.fixes?.similar ?? {}).map((row) => ({ row: Number(row), to }));
    const open = this.values(plan).filter((one) => one.to === undefined);
    if (to !== "update") return open.map(({ row }) => ({ row, to }));
    return clearOf(open).map(({ row, target: { id, version } }) => ({ row, to: { id, version } }));
  }

  #listed(similar: Readonly<Record<number, SimilarChoice>> = {}): SimilarRow[] {
    const takers = new Map<number, number>();
    for (const [row, to] of Object.entries(similar)) if (to !== null && to !== "new") takers.set(to.id, Number(row));
    return [...this.#rows]
      .sort(([a], [b]) => a - b)
      .map(([row, { record, found }]) => {
        const to = similar[row];
        const target = to === null || to === "new" ? undefined : to;
        const isOutdated = target !== undefined && found.some(({ id, version }) => id === target.id && version !== target.version);
        const taken = found.flatMap(({ id }) => {
          const taker = takers.get(id);
          return taker === undefined || taker === row ? [] : [[id, taker] as const];
        });
        return { row, record, found, to: isOutdated ? undefined : to, isOutdated, taken: Object.fromEntries(taken) };
      });
  }

  /** Compares the rows that pass the check, some at a time. `onNews` is called at most about ten times a second, and at the end. */
  async compare(job: CompareJob, onNews: () => void): Promise<void> {
    const { collection, rowsTotal, signal, clock } = job;
    const plan = undecided(job.plan);
    const own = new AbortController();
    const end = AbortSignal.any([signal, own.signal]);
    const rows = new Map<number, Found>();
    if (this.#rows.size === 0) this.#rows = rows; // otherwise what is shown stays until all is compared anew
    this.#progress = { ...NOT_COMPARED, is: "comparing", rowsTotal };
    onNews();
    const compared = await job.queryCompared(end);
    if (signal.aborted) return;
    if (compared.kind === "read") this.#progress = { ...this.#progress, progress: compared.progress };
    const ticker = createTicker(clock);
    const scheduler = new Scheduler(clock, end, ticker.ring, undefined, new Concurrency(IN_FLIGHT));
    scheduler.concurrency.batchRows = FIRST_BATCH;
    const ofResult = new WeakMap<BatchResult, Found>();
    const counts = { done: 0, refused: 0 };
    let hasTooMany = false;
    const work = sendFile({
      ...dryRun({ file: job.file, collection, plan, dryPost: job.dryPost, signal: end, clock }, clock),
      // A row that repeats the key of an earlier one has no preview either: that one is not stored yet.
      validateRow: createRowValidator(collection, plan, { readForm, onRepeat: () => true }),
      postBatch: this.#asking(job, ofResult),
      scheduler,
      recordOutcome: (row, _, outcome, __, result) => {
        if (outcome === "notSent" || outcome === "inDoubt") return;
        counts.done++;
        if (outcome === "failed") counts.refused++;
        const found = result && ofResult.get(result);
        if (found) rows.set(row, found);
        if (rows.size >= MOST_ROWS && !hasTooMany) {
          hasTooMany = true;
          own.abort();
        }
        ticker.ring();
      },
    });
    work.catch(() => undefined); // thrown below
    end.addEventListener("abort", () => scheduler.close(), { once: true });
    const keep = (change: Partial<SimilarState>) => {
      this.#progress = { ...this.#progress, rowsDone: counts.done, refused: counts.refused, ...change };
      onNews();
    };
    try {
      for await (const _ of ticker.states(work, () => undefined)) if (!end.aborted) keep({});
    } finally {
      scheduler.close();
    }
    if (signal.aborted) return;
    this.#rows = rows;
    const { why, isSignedOut } = scheduler;
    if (hasTooMany) keep({ is: "stopped", why: "MANY" });
    else if (why === undefined) keep({ is: "done" });
    else keep({ is: "stopped", why, isSignedOut });
  }

  /** Makes a post that asks about the rows of which nothing is known yet, and stores nothing. */
  #asking({ collection, dryPost, readBack }: CompareJob, ofResult: WeakMap<BatchResult, Found>): PostBatch {
    const { key, label, match } = collection;
    const compared = match ? comparedFields(match) : [];
    const shown = [...new Set([...label.map(({ name }) => name), ...compared])];
    const numberOf = (record: Fields, mode: string) =>
      hashOf(JSON.stringify([mode, record[key.name] ?? null, ...compared.map((name) => record[name] ?? null)]));
    return async (records, batchKey, modes, signal, how) => {
      const modeAt = (at: number) => (typeof modes === "string" ? modes : (modes[at] ?? ""));
      const numbers = records.map((record, at) => numberOf(record, modeAt(at)));
      const places = [...records.keys()].filter((at) => !this.#asked.has(numbers[at] as number));
      const results: BatchResult[] = records.map((_, index) => ({ index, outcome: "unchanged", status: 200 }));
      if (places.length > 0) {
        const some = places.map((at) => records[at] as Fields);
        const answer = await dryPost(
          some,
          batchKey,
          typeof modes === "string" ? modes : places.map((at) => modes[at] ?? "create"),
          signal,
          {
            ...how,
            onDuplicate: "warn",
          },
        );
        if (answer.kind !== "answered") return answer;
        const similar = new Map<number, SimilarRecord[]>();
        for (const { index, outcome, warnings = [], problem } of answer.results) {
          const at = places[index];
          if (at === undefined) continue;
          if (outcome === "failed") results[at] = { index: at, outcome, status: 422, ...(problem && { problem }) };
          const like = warnings.flatMap((warning) => warning.similar ?? []);
          if (outcome === "created" && like.length > 0) similar.set(at, like);
        }
        const ids = [...new Set([...similar.values()].flat().map(({ id }) => id))];
        const read = await readAll(ids, readBack, signal);
        if (read.kind !== "read") return read;
        for (const at of places) {
          if (results[at]?.outcome === "failed") continue;
          this.#asked.add(numbers[at] as number);
          const found = (similar.get(at) ?? []).flatMap((one): FoundSimilar[] => {
            const record = read.records.get(one.id);
            return record ? [{ ...one, version: Number(record.version), record: pick(record, shown) }] : [];
          });
          // It is a clone, because a cell keeps its block of text.
          if (found.length > 0)
            this.#found.set(numbers[at] as number, { record: structuredClone(pick(records[at] as Fields, shown)), found });
        }
      }
      for (const [at, result] of results.entries()) {
        const found = this.#found.get(numbers[at] as number);
        if (found && result.outcome !== "failed") ofResult.set(result, found);
      }
      return { kind: "answered", results };
    };
  }
}

const READ_AT_ONCE = 100; // records

async function readAll(ids: readonly number[], readBack: ReadBack, signal: AbortSignal): ReturnType<ReadBack> {
  const records = new Map<number, Fields>();
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const answer = await readBack(ids.slice(from, from + READ_AT_ONCE), signal);
    if (answer.kind !== "read") return answer;
    for (const [id, record] of answer.records) records.set(id, record);
  }
  return { kind: "read", records };
}

function pick(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => ((record[name] ?? null) === null ? [] : [[name, record[name]]]))) as Fields;
}

/** Returns the plan as if nothing was decided about rows that look like stored records. */
function undecided(plan: Plan): Plan {
  if (!plan.fixes?.similar) return plan;
  const { similar: _, ...fixes } = plan.fixes;
  return { ...plan, fixes };
}

/** Finds the rows that are the same as one record alone, which no other row changes. Of two that are the same as one record the first counts. */
function clearOf(open: readonly SimilarRow[]): { row: number; target: FoundSimilar }[] {
  const chosen = new Set<number>();
  return open.flatMap(({ row, found, taken }) => {
    const same = found.filter(({ level }) => level === "same");
    const [target] = same;
    if (!target || same.length > 1 || target.id in taken || chosen.has(target.id)) return [];
    chosen.add(target.id);
    return [{ row, target }];
  });
}
