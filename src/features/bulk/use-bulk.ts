// One change or deletion of many records, step by step: preview, sending, report, again, undo. Joins list/bulk.ts to the service.

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, type Client } from "../../../client/http-client.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCode } from "../../../core/i18n/translate.ts";
import { type BulkResult, readAgain, writeMany } from "../../api/bulk.ts";
import { forgetCollection } from "../../api/cache-updates.ts";
import { idOf } from "../../api/records.ts";
import { newIdempotencyKey } from "../../context/idempotency-key.ts";
import { useServices } from "../../context/services.ts";
import {
  type Answer,
  isOpen,
  type Job,
  type Means,
  type Outcome,
  planItems,
  planRequests,
  planUndo,
  type Request,
  runRequests,
} from "../../state/bulk-requests.ts";

export type Step =
  | { at: "asking" }
  | { at: "previewing" }
  | { at: "preview"; outcomes: Outcome[] }
  | { at: "sending"; done: number; whole: number }
  | { at: "report"; outcomes: Outcome[] }
  | { at: "failed"; why: string };

export interface Work {
  step: Step;
  preview(job: Job): Promise<void>;
  send(): Promise<void>;
  /** What failed is read anew and sent again; what is in doubt or was not sent goes again as it was. */
  again(): Promise<void>;
  stop(): void;
  /** Puts back what this work has done so far. Once more, it goes on with what got no answer. */
  undo(): Promise<Undone>;
}

/** `back`: how many records are as they were; `open`: of how many it is not known. */
export interface Undone {
  back: number;
  open: number;
  outcomes: Outcome[];
}

interface Held {
  job?: Job;
  requests: Request[];
  outcomes: Map<number, Outcome>;
  records: Map<number, WireRecord>;
  undo?: { requests: Request[]; outcomes: Map<number, Outcome> };
}

export function useBulkWork(collection: Collection, records: readonly WireRecord[]): Work {
  const { client } = useServices();
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>({ at: "asking" });
  const work = useRef<Held>(undefined);
  work.current ??= { requests: [], outcomes: new Map(), records: new Map(records.map((record) => [idOf(collection, record), record])) };
  const held = work.current;
  const stopped = useRef(false);
  useEffect(() => {
    stopped.current = false;
    return () => {
      stopped.current = true;
    };
  }, []);
  const isStopped = useCallback(() => stopped.current, []);

  const tell = (at: "preview" | "report") => setStep({ at, outcomes: [...held.outcomes.values()] });

  async function preview(job: Job): Promise<void> {
    setStep({ at: "previewing" });
    Object.assign(held, { job, outcomes: new Map() });
    held.requests = planRequests(job.verb, planItems(collection, job, [...held.records.values()]), newIdempotencyKey);
    for await (const { outcomes } of runRequests(held.requests, meansOf(client, collection, true, isStopped))) note(outcomes);
    const isWhole = [...held.outcomes.values()].every(({ became }) => became !== "inDoubt" && became !== "notSent");
    if (isWhole) tell("preview");
    else setStep({ at: "failed", why: t("The service gave no answer. Nothing was changed.") });
  }

  async function send(requests = held.requests): Promise<void> {
    stopped.current = false;
    const whole = requests.reduce((sum, { items }) => sum + items.length, 0);
    let done = 0;
    setStep({ at: "sending", done, whole });
    for await (const { outcomes } of runRequests(requests, meansOf(client, collection, false, isStopped))) {
      note(outcomes);
      done += outcomes.length;
      setStep({ at: "sending", done, whole });
    }
    tell("report");
    await forgetCollection(queries, collection);
  }

  async function again(): Promise<void> {
    const { job, requests, outcomes } = held;
    if (!job) return;
    const open = requests.filter(({ items }) => items.some(({ id }) => isOpen(outcomes.get(id))));
    const failed = [...outcomes.values()].filter(({ became }) => became === "failed").map(({ id }) => id);
    setStep({ at: "sending", done: 0, whole: failed.length }); // at once: pressed twice, it would go twice
    try {
      const fresh = await readAgain(client, collection, failed);
      for (const record of fresh) held.records.set(idOf(collection, record), record);
      held.requests = [...open, ...planRequests(job.verb, planItems(collection, job, fresh), newIdempotencyKey)];
      await send(held.requests);
    } catch (error) {
      setStep({ at: "failed", why: (error as Error).message });
    }
  }

  /** Planned once: what goes again goes under its own key, and is not done twice. */
  function planOfUndo(): Request[] {
    const done = [...held.outcomes.values()];
    if (held.job?.verb !== "delete") return planRequests("change", planUndo(collection, done), newIdempotencyKey);
    const gone = done.filter(({ became }) => became === "deleted").flatMap(({ id }) => held.records.get(id) ?? []);
    return planRequests("restore", planItems(collection, { verb: "restore" }, gone), newIdempotencyKey);
  }

  async function undo(): Promise<Undone> {
    held.undo ??= { requests: planOfUndo(), outcomes: new Map() };
    const { requests, outcomes: found } = held.undo;
    const left = requests.filter(({ items }) => items.some(({ id }) => isOpen(found.get(id))));
    const means = meansOf(client, collection, false, () => false);
    for await (const { outcomes } of runRequests(left, means)) for (const outcome of outcomes) found.set(outcome.id, outcome);
    await forgetCollection(queries, collection);
    const outcomes = [...found.values()];
    const back = outcomes.filter(({ became }) => became === "created" || became === "updated" || became === "unchanged").length;
    return { back, open: outcomes.filter(isOpen).length, outcomes };
  }

  function note(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) held.outcomes.set(outcome.id, outcome);
  }

  function stop(): void {
    stopped.current = true;
  }

  return { step, preview, send: () => send(), again, stop, undo };
}

function meansOf(client: Client, collection: Collection, isPreview: boolean, isStopped: () => boolean): Means {
  return {
    async post({ verb, sendKey, items }: Request): Promise<Answer> {
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

function toOutcome({ outcome, problem, version, changes }: BulkResult): Omit<Outcome, "id"> {
  const became = outcome === "skipped" ? "unchanged" : outcome;
  const why =
    problem?.code === "PRECONDITION_FAILED"
      ? t("Someone else changed it meanwhile.")
      : problem && tCode(problem.code, problem.detail ?? problem.title);
  return { became, ...(why && { why }), ...(version !== undefined && { version }), ...(changes && { changes }) };
}
