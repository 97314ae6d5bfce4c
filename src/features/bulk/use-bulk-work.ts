// Runs one change or deletion of many records: preview, send, report, retry, undo.

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCode } from "../../../core/i18n/translate.ts";
import { type BulkResult, readByIds, writeMany } from "../../api/bulk.ts";
import { invalidateCollection } from "../../api/cache-updates.ts";
import { idOf } from "../../api/records.ts";
import { newIdempotencyKey } from "../../context/idempotency-key.ts";
import { useServices } from "../../context/services.ts";
import {
  isOpen,
  type Job,
  type PostResult,
  planItems,
  planRequests,
  planUndo,
  type RecordOutcome,
  type Request,
  runRequests,
  type Transport,
} from "../../state/bulk-requests.ts";

export type BulkStep =
  | { at: "asking" }
  | { at: "previewing" }
  | { at: "preview"; outcomes: RecordOutcome[] }
  | { at: "sending"; done: number; whole: number }
  | { at: "report"; outcomes: RecordOutcome[] }
  | { at: "failed"; why: string };

export interface BulkWork {
  step: BulkStep;
  preview(job: Job): Promise<void>;
  send(): Promise<void>;
  /** Reads failed records again and retries them. Sends what is in doubt or was not sent unchanged, with its key. */
  retryRest(): Promise<void>;
  stop(): void;
  /** Reverts what was done. Called again, it retries what got no reply. */
  undo(): Promise<UndoResult>;
}

/** `back`: the number of records restored. `open`: the number without a reply. */
export interface UndoResult {
  back: number;
  open: number;
  outcomes: RecordOutcome[];
}

interface BulkState {
  job?: Job;
  requests: Request[];
  outcomes: Map<number, RecordOutcome>;
  records: Map<number, WireRecord>;
  undo?: Pick<BulkState, "requests" | "outcomes">;
}

export function useBulkWork(collection: Collection, records: readonly WireRecord[]): BulkWork {
  const { client } = useServices();
  const queries = useQueryClient();
  const [step, setStep] = useState<BulkStep>({ at: "asking" });
  const state = useBulkState(collection, records);
  const stopped = useStopped();
  const transport = (isPreview: boolean) => transportOf(client, collection, isPreview, () => stopped.current);
  const showOutcomes = (at: "preview" | "report") => setStep({ at, outcomes: [...state.outcomes.values()] });

  async function preview(job: Job): Promise<void> {
    setStep({ at: "previewing" });
    Object.assign(state, { job, outcomes: new Map() });
    state.requests = planRequests(job.verb, planItems(collection, job, [...state.records.values()]), newIdempotencyKey);
    for await (const { outcomes } of runRequests(state.requests, transport(true))) record(outcomes, state.outcomes);
    if (openRequests(state).length === 0) showOutcomes("preview");
    else setStep({ at: "failed", why: t("The service did not reply. Nothing was changed.") });
  }

  async function send(): Promise<void> {
    stopped.current = false;
    const { requests } = state;
    const whole = requests.reduce((sum, { items }) => sum + items.length, 0);
    let done = 0;
    setStep({ at: "sending", done, whole });
    for await (const { outcomes } of runRequests(requests, transport(false))) {
      record(outcomes, state.outcomes);
      done += outcomes.length;
      setStep({ at: "sending", done, whole });
    }
    showOutcomes("report");
    await invalidateCollection(queries, collection);
  }

  async function retryRest(): Promise<void> {
    if (!state.job) return;
    const failed = [...state.outcomes.values()].filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
    setStep({ at: "sending", done: 0, whole: failed.length }); // at once, so that a second press does nothing
    try {
      const fresh = await readByIds(client, collection, failed);
      state.requests = planRest(collection, state, state.job, fresh);
      await send();
    } catch (error) {
      setStep({ at: "failed", why: (error as Error).message });
    }
  }

  async function undo(): Promise<UndoResult> {
    state.undo ??= { requests: planUndoRequests(collection, state), outcomes: new Map() };
    const unstoppable = transportOf(client, collection, false, () => false);
    for await (const { outcomes } of runRequests(openRequests(state.undo), unstoppable)) record(outcomes, state.undo.outcomes);
    await invalidateCollection(queries, collection);
    return countUndone([...state.undo.outcomes.values()]);
  }

  function stop(): void {
    stopped.current = true;
  }

  return { step, preview, send, retryRest, stop, undo };
}

function useBulkState(collection: Collection, records: readonly WireRecord[]): BulkState {
  const state = useRef<BulkState>(undefined);
  state.current ??= { requests: [], outcomes: new Map(), records: new Map(records.map((record) => [idOf(collection, record), record])) };
  return state.current;
}

/** Set while the component is unmounted, and by the user. */
function useStopped(): RefObject<boolean> {
  const stopped = useRef(false);
  useEffect(() => {
    stopped.current = false;
    return () => {
      stopped.current = true;
    };
  }, []);
  return stopped;
}

function record(outcomes: readonly RecordOutcome[], into: Map<number, RecordOutcome>): void {
  for (const outcome of outcomes) into.set(outcome.id, outcome);
}

/** The requests with a record that has no answer yet. */
function openRequests({ requests, outcomes }: Pick<BulkState, "requests" | "outcomes">): Request[] {
  return requests.filter(({ items }) => items.some(({ id }) => isOpen(outcomes.get(id))));
}

/** What has no answer yet goes again with its key. `fresh`: the failed records, as they are stored now. */
function planRest(collection: Collection, state: BulkState, job: Job, fresh: WireRecord[]): Request[] {
  for (const record of fresh) state.records.set(idOf(collection, record), record);
  return [...openRequests(state), ...planRequests(job.verb, planItems(collection, job, fresh), newIdempotencyKey)];
}

/** To be called once, so that a retry reuses the idempotency keys. */
function planUndoRequests(collection: Collection, { job, outcomes, records }: BulkState): Request[] {
  const done = [...outcomes.values()];
  if (job?.verb !== "delete") return planRequests("change", planUndo(collection, done), newIdempotencyKey);
  const gone = done.filter(({ outcome }) => outcome === "deleted").flatMap(({ id }) => records.get(id) ?? []);
  return planRequests("restore", planItems(collection, { verb: "restore" }, gone), newIdempotencyKey);
}

function countUndone(outcomes: RecordOutcome[]): UndoResult {
  const back = outcomes.filter(({ outcome }) => outcome === "created" || outcome === "updated" || outcome === "unchanged").length;
  return { back, open: outcomes.filter(isOpen).length, outcomes };
}

function transportOf(client: Client, collection: Collection, isPreview: boolean, isStopped: () => boolean): Transport {
  return {
    async post({ verb, sendKey, items }: Request): Promise<PostResult> {
      const body = items.map((item) => item.body);
      try {
        return { results: (await writeMany(client, collection, { verb, body, sendKey, isPreview })).map(toOutcome) };
      } catch (error) {
        if (!(error instanceof ApiError)) return { lost: true };
        const isPassing = error.status === 429 || error.status === 503 || error.code === "IDEMPOTENCY_IN_PROGRESS";
        if (isPassing) return { wait: error.retryAfter ?? 2 };
        return error.status >= 500 ? { lost: true } : { refused: error.message };
      }
    },
    sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000)),
    isStopped,
  };
}

function toOutcome({ outcome, problem, version, changes }: BulkResult): Omit<RecordOutcome, "id"> {
  const why =
    problem?.code === "PRECONDITION_FAILED"
      ? t("Someone else changed it meanwhile.")
      : problem && tCode(problem.code, problem.detail ?? problem.title);
  return {
    outcome: outcome === "skipped" ? "unchanged" : outcome,
    ...(why && { why }),
    ...(version !== undefined && { version }),
    ...(changes && { changes }),
  };
}
