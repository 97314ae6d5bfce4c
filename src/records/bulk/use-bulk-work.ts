// Runs one change or deletion of many records: preview, send, report, retry, undo.

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Client } from "../../../client/http-client.ts";
import { undoPart } from "../../../client/write-records.ts";
import type { UndoCounts } from "../../../core/contract/history.ts";
import type { Acknowledged, WireRecord } from "../../../core/contract/records.ts";
import { ruleMessage } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCode } from "../../../core/i18n/translate.ts";
import { newIdempotencyKey } from "../../app/services/idempotency-key.ts";
import { useServices } from "../../app/services/services.ts";
import { type BulkResult, readByIds, writeMany } from "../../service/bulk.ts";
import { invalidateCollection } from "../../service/cache-updates.ts";
import { idOf } from "../../service/records.ts";
import { whoChanged } from "../../values/change-words.ts";
import type { Selection } from "../query/selection.ts";
import {
  isOpen,
  type Job,
  MAX_TRIES,
  type NoResult,
  type PostResult,
  planItems,
  planRequests,
  type RecordOutcome,
  type Request,
  runRequests,
  type Transport,
  toNoResult,
} from "./bulk-requests.ts";

export type BulkStep =
  | { at: "asking" }
  | { at: "previewing" }
  | { at: "preview"; outcomes: RecordOutcome[] }
  | { at: "sending"; done: number; whole: number }
  | { at: "report"; outcomes: RecordOutcome[] }
  | { at: "failed"; why: string };

export interface BulkWork {
  step: BulkStep;
  /** `acknowledge`: the warnings that the user has confirmed. */
  preview(job: Job, acknowledge?: Acknowledged): Promise<void>;
  /** Previews the same change, with or without the warnings that the preview has named. */
  confirm(isConfirmed: boolean): Promise<void>;
  isConfirmed: boolean;
  send(): Promise<void>;
  /** Reads failed records again and retries them. Sends what is in doubt or was not sent unchanged, with its key. */
  retryRest(): Promise<void>;
  stop(): void;
  /** Takes back what was done, and reads again what is `selected`. Called again, it goes on where the service did not reply. */
  undo(selected: Pick<Selection, "has">): Promise<UndoResult>;
}

/** How many records are as before, were changed since, could not be taken back, and are still to be looked at. */
export interface UndoResult extends UndoCounts {
  open: number;
  /** The selected ones as they are now. */
  records: WireRecord[];
}

interface BulkState {
  job?: Job;
  acknowledge: Acknowledged;
  requests: Request[];
  outcomes: Map<number, RecordOutcome>;
  records: Map<number, WireRecord>;
  /** All that the dialog does is one run in the history. */
  run: string;
  undo: UndoCounts & { after?: string; isDone?: boolean };
}

export function useBulkWork(collection: Collection, records: readonly WireRecord[]): BulkWork {
  const { client } = useServices();
  const queries = useQueryClient();
  const [step, setStep] = useState<BulkStep>({ at: "asking" });
  const state = useBulkState(collection, records);
  const stopped = useStopped();
  const transport = (isPreview: boolean) => transportOf(client, collection, state, isPreview, () => stopped.current);
  const showOutcomes = (at: "preview" | "report") => setStep({ at, outcomes: [...state.outcomes.values()] });

  async function preview(job: Job, acknowledge: Acknowledged = []): Promise<void> {
    setStep({ at: "previewing" });
    Object.assign(state, { job, acknowledge, outcomes: new Map() });
    state.requests = planRequests(job.verb, planItems(collection, job, [...state.records.values()]), newIdempotencyKey);
    for await (const { outcomes } of runRequests(state.requests, transport(true))) record(outcomes, state.outcomes);
    if (openRequests(state).length === 0) showOutcomes("preview");
    else setStep({ at: "failed", why: t("The service did not reply. Nothing was changed.") });
  }

  async function confirm(isConfirmed: boolean): Promise<void> {
    const rules = [...state.outcomes.values()].flatMap(({ warnings = [] }) => warnings);
    const names = [...new Set(rules.filter((rule) => rule !== undefined))];
    if (state.job) await preview(state.job, isConfirmed ? (rules.includes(undefined) ? "all" : names) : []);
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

  async function undo(selected: Pick<Selection, "has">): Promise<UndoResult> {
    const done = [...state.outcomes.values()].filter(({ outcome }) => outcome === "updated" || outcome === "deleted").map(({ id }) => id);
    for (let tries = 1; !state.undo.isDone && tries <= MAX_TRIES; ) {
      const reply = await undoNext(client, collection, state);
      if (reply !== "done") await sleep("wait" in reply ? reply.wait : 2 ** tries);
      tries = reply === "done" ? 1 : tries + 1;
    }
    await invalidateCollection(queries, collection);
    const { reversed, kept, failed } = state.undo;
    const shown = done.filter((id) => selected.has(id));
    const records = await readByIds(client, collection, shown).catch(() => []); // they stay selected in a version that is too old
    return { reversed, kept, failed, open: Math.max(0, done.length - reversed - kept - failed), records };
  }

  function stop(): void {
    stopped.current = true;
  }

  return { step, preview, confirm, isConfirmed: state.acknowledge.length > 0, send, retryRest, stop, undo };
}

function useBulkState(collection: Collection, records: readonly WireRecord[]): BulkState {
  const state = useRef<BulkState>(undefined);
  state.current ??= {
    acknowledge: [],
    requests: [],
    outcomes: new Map(),
    records: new Map(records.map((record) => [idOf(collection, record), record])),
    run: newIdempotencyKey(),
    undo: { reversed: 0, kept: 0, failed: 0 },
  };
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

/** Has the next part of the run taken back, and adds up what became of it. A part that is sent again does nothing twice. */
async function undoNext(client: Client, collection: Collection, { run, undo }: BulkState): Promise<"done" | NoResult> {
  try {
    const part = await undoPart(client, collection.name, { run, after: undo.after });
    for (const name of ["reversed", "kept", "failed"] as const) undo[name] += part[name];
    if (part.next === null) undo.isDone = true;
    else undo.after = part.next;
    return "done";
  } catch (error) {
    const result = toNoResult(error);
    if ("refused" in result) throw error;
    return result;
  }
}

function transportOf(
  client: Client,
  collection: Collection,
  { run, acknowledge }: Pick<BulkState, "run" | "acknowledge">,
  isPreview: boolean,
  isStopped: () => boolean,
): Transport {
  return {
    async post({ verb, sendKey, items }: Request): Promise<PostResult> {
      const body = items.map((item) => item.body);
      try {
        return {
          results: (await writeMany(client, collection, { verb, body, sendKey, run, isPreview, acknowledge })).map((result) =>
            toOutcome(collection, result),
          ),
        };
      } catch (error) {
        return toNoResult(error);
      }
    },
    sleep,
    isStopped,
  };
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}

function toOutcome(collection: Collection, { outcome, problem, version, changes, warnings }: BulkResult): Omit<RecordOutcome, "id"> {
  const isWarned = problem?.code === "WARNING";
  const sentences = problem?.errors?.map(({ detail }) => ruleMessage(collection, detail)) ?? [];
  const words = problem && (isWarned ? [...new Set(sentences)].join(" ") : tCode(problem.code, problem.detail ?? problem.title));
  const why = problem?.code === "PRECONDITION_FAILED" ? whoChanged(problem.current) : words;
  const rules = (isWarned ? problem.errors : warnings)?.map(({ rule }) => rule);
  return {
    outcome: outcome === "skipped" ? "unchanged" : outcome,
    ...(why && { why }),
    ...(version !== undefined && { version }),
    ...(changes && { changes }),
    ...(rules && { warnings: rules }),
  };
}
