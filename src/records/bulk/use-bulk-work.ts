// Runs one change or deletion of many records: preview, send, report, retry, undo.

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Client } from "../../../client/http-client.ts";
import { undoPart } from "../../../client/write-records.ts";
import type { UndoCounts } from "../../../core/contract/history.ts";
import type { Acknowledged, WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { newIdempotencyKey } from "../../app/services/idempotency-key.ts";
import { useServices } from "../../app/services/services.ts";
import { readByIds } from "../../service/bulk.ts";
import { invalidateCollection } from "../../service/cache-updates.ts";
import { idOf } from "../../service/records.ts";
import type { Selection } from "../query/selection.ts";
import { namedIn } from "./bulk-outcomes.tsx";
import {
  isOpen,
  type Job,
  MAX_TRIES,
  type NoResult,
  planItems,
  planRequests,
  type RecordOutcome,
  type Request,
  runRequests,
  toNoResult,
} from "./bulk-requests.ts";
import { type ChosenByFilter, sleep, transportOf, tryMatching } from "./bulk-transport.ts";

export type BulkStep =
  | { at: "asking" }
  | { at: "previewing" }
  | { at: "preview"; outcomes: RecordOutcome[] }
  | { at: "sending"; done: number; whole: number }
  | { at: "report"; outcomes: RecordOutcome[] }
  | { at: "failed"; why: string };

export interface BulkWork {
  step: BulkStep;
  /** Holds what is known of the records. */
  records: readonly WireRecord[];
  /** `acknowledge`: the warnings that the user has confirmed. */
  preview(job: Job, acknowledge?: Acknowledged): Promise<void>;
  /** Previews the same change, with or without the warnings that the preview has named. */
  confirm(isConfirmed: boolean): Promise<void>;
  isConfirmed: boolean;
  /** Previews the same change, which clears this field in the records that would keep its value although it is hidden. */
  clear(field: string): Promise<void>;
  send(): Promise<void>;
  /** Reads failed records again and retries them. Sends what is in doubt or was not sent unchanged, with its key. */
  retryRest(): Promise<void>;
  stop(): void;
  /** Takes back what was done, and reads again what is `selected`. Called again, it goes on where the service did not reply. */
  undo(selected: Pick<Selection, "has">): Promise<UndoResult>;
}

/** Counts the records that are as before, were changed since, could not be taken back, and are still to be looked at. */
export interface UndoResult extends UndoCounts {
  open: number;
  /** The selected ones as they are now. */
  records: WireRecord[];
}

interface BulkState {
  /** Is undefined where the records themselves were selected. */
  chosen: ChosenByFilter | undefined;
  job?: Job;
  acknowledge: Acknowledged;
  requests: Request[];
  outcomes: Map<number, RecordOutcome>;
  records: Map<number, WireRecord>;
  /** All that the dialog does is one run in the history. */
  run: string;
  undo: UndoCounts & { after?: string; isDone?: boolean };
}

export function useBulkWork(collection: Collection, records: readonly WireRecord[], chosen?: ChosenByFilter): BulkWork {
  const { client } = useServices();
  const queries = useQueryClient();
  const [step, setStep] = useState<BulkStep>({ at: "asking" });
  const state = useBulkState(collection, records, chosen);
  const stopped = useStopped();

  async function showOutcomes(at: "preview" | "report"): Promise<void> {
    await readNamed(client, collection, state);
    setStep({ at, outcomes: [...state.outcomes.values()] });
  }

  async function preview(job: Job, acknowledge: Acknowledged = []): Promise<void> {
    setStep({ at: "previewing" });
    Object.assign(state, { job, acknowledge, outcomes: new Map() });
    const why = await tryAll(client, collection, state, job, () => stopped.current).catch((error: Error) => error.message);
    if (why === undefined) await showOutcomes("preview");
    else setStep({ at: "failed", why });
  }

  async function confirm(isConfirmed: boolean): Promise<void> {
    if (state.job) await preview(state.job, isConfirmed ? warnedOf([...state.outcomes.values()]) : []);
  }

  async function send(): Promise<void> {
    stopped.current = false;
    const { requests } = state;
    const whole = requests.reduce((sum, { items }) => sum + items.length, 0);
    let done = 0;
    setStep({ at: "sending", done, whole });
    const transport = transportOf(client, collection, state, false, () => stopped.current);
    for await (const { outcomes } of runRequests(requests, transport)) {
      record(outcomes, state.outcomes);
      done += outcomes.length;
      setStep({ at: "sending", done, whole });
    }
    await showOutcomes("report");
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
    const done = await undoRun(client, collection, state);
    const { reversed, kept, failed } = state.undo;
    const ids = done.filter((id) => selected.has(id));
    const [records] = await Promise.all([
      readByIds(client, collection, ids).catch(() => []), // they stay selected in a version that is too old
      invalidateCollection(queries, collection),
    ]);
    return { reversed, kept, failed, open: Math.max(0, done.length - reversed - kept - failed), records };
  }

  function stop(): void {
    stopped.current = true;
  }

  const clear = async (field: string) => state.job && preview(clearing(state.job, field, state.outcomes), state.acknowledge);
  const known = { records: [...state.records.values()], isConfirmed: state.acknowledge.length > 0 };
  return { step, ...known, preview, confirm, clear, send, retryRest, stop, undo };
}

/** Returns the same change, which also clears the field in the records that would keep its value. */
function clearing(job: Job, field: string, outcomes: BulkState["outcomes"]): Job {
  if (job.verb === "delete") return job;
  const left = new Set([...outcomes.values()].filter(({ leftBehind }) => leftBehind?.includes(field)).map(({ id }) => id));
  return { verb: "change", values: (id, record) => ({ ...job.values(id, record), ...(left.has(id) && { [field]: null }) }) };
}

/** Returns the rules that warn; all of them where one cannot be named. */
function warnedOf(outcomes: readonly RecordOutcome[]): Acknowledged {
  const rules = outcomes.flatMap(({ warnings = [] }) => warnings);
  return rules.includes(undefined) ? "all" : [...new Set(rules.filter((rule) => rule !== undefined))];
}

function useBulkState(collection: Collection, records: readonly WireRecord[], chosen: ChosenByFilter | undefined): BulkState {
  const state = useRef<BulkState>(undefined);
  state.current ??= {
    chosen,
    acknowledge: [],
    requests: [],
    outcomes: new Map(),
    records: new Map(records.map((record) => [idOf(collection, record), record])),
    run: newIdempotencyKey(),
    undo: { reversed: 0, kept: 0, failed: 0 },
  };
  return state.current;
}

/** Is set while the component is unmounted, and by the user. */
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

/** Returns the requests with a record that has no answer yet. */
function openRequests({ requests, outcomes }: Pick<BulkState, "requests" | "outcomes">): Request[] {
  return requests.filter(({ items }) => items.some(({ id }) => isOpen(outcomes.get(id))));
}

/** Plans the requests and asks what would become of each record. Returns, or throws with, a sentence where that cannot be known. */
async function tryAll(
  client: Client,
  collection: Collection,
  state: BulkState,
  job: Job,
  isStopped: () => boolean,
): Promise<string | undefined> {
  const transport = transportOf(client, collection, state, true, isStopped);
  const tried =
    state.chosen && (await tryMatching(client, collection, { ...state.chosen, job, acknowledge: state.acknowledge }, transport));
  if (tried && "requests" in tried) {
    state.requests = tried.requests;
    record(tried.outcomes, state.outcomes);
    return undefined;
  }
  if (tried) {
    for (const one of tried.records) state.records.set(idOf(collection, one), one);
    state.chosen = undefined;
  }
  state.requests = planRequests(job.verb, planItems(collection, job, [...state.records.values()]), newIdempotencyKey);
  for await (const { outcomes } of runRequests(state.requests, transport)) record(outcomes, state.outcomes);
  return openRequests(state).length > 0 ? t("The service did not reply. Nothing was changed.") : undefined;
}

/** What has no answer yet goes again with its key. `fresh`: the failed records, as they are stored now. */
function planRest(collection: Collection, state: BulkState, job: Job, fresh: WireRecord[]): Request[] {
  for (const record of fresh) state.records.set(idOf(collection, record), record);
  return [...openRequests(state), ...planRequests(job.verb, planItems(collection, job, fresh), newIdempotencyKey)];
}

/** Reads the records whose names are shown, where the service has chosen them. Without an answer their keys stand there. */
async function readNamed(client: Client, collection: Collection, { chosen, outcomes, records }: BulkState): Promise<void> {
  const unread = chosen ? namedIn([...outcomes.values()]).filter((id) => !records.has(id)) : [];
  const read = unread.length > 0 ? await readByIds(client, collection, unread).catch(() => []) : [];
  for (const record of read) records.set(idOf(collection, record), record);
}

/** Takes the run back part by part, and returns the records that it had changed. */
async function undoRun(client: Client, collection: Collection, state: BulkState): Promise<number[]> {
  for (let tries = 1; !state.undo.isDone && tries <= MAX_TRIES; ) {
    const reply = await undoNext(client, collection, state);
    if (reply !== "done") await sleep("wait" in reply ? reply.wait : 2 ** tries);
    tries = reply === "done" ? 1 : tries + 1;
  }
  const isDone = ({ outcome }: RecordOutcome) => outcome === "updated" || outcome === "deleted";
  return [...state.outcomes.values()].filter(isDone).map(({ id }) => id);
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
