// Names what the service can answer to a batch, and what the upload does then.

import type { UndoReply } from "../../core/contract/history.ts";
import type { Problem } from "../../core/contract/problems.ts";
import type { Acknowledged, BatchResult, OnDuplicate } from "../../core/contract/records.ts";
import type { PutRun, RunUpdate } from "../../core/contract/runs.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { t } from "../../core/i18n/translate.ts";
import type { RowMode } from "../model/plan.ts";

/** `code`: of the problem document, empty when there was none. `retryAfter`: seconds. */
export interface Refused {
  kind: "refused";
  status: number;
  code: string;
  detail: string;
  problems: Problem[];
  retryAfter: number | null;
}

/** Nobody knows whether the service got the request. */
export interface NoReply {
  kind: "noReply";
  detail: string;
}

export interface Answered {
  kind: "answered";
  results: BatchResult[];
}

export type BatchAnswer = Answered | Refused | NoReply;

/** Sends one batch, whose records have one mode or one each. Never rejects: "noReply" also after an abort. */
export type PostBatch = (
  records: Fields[],
  key: string,
  mode: RowMode | readonly RowMode[],
  signal: AbortSignal,
  how?: HowToWrite,
) => Promise<BatchAnswer>;

export interface HowToWrite {
  /** The warnings that are confirmed. */
  acknowledge?: Acknowledged;
  /** Means what it does as `Plan.matchBy`. It does not count where the records have modes of their own. */
  matchBy?: string | undefined;
  /** Means what it does as `Plan.onDuplicate`. */
  onDuplicate?: OnDuplicate | undefined;
  /** The version that the stored record of each row must have; undefined for rows of which none is asked. Modes of their own go with them. */
  versions?: readonly (number | undefined)[] | undefined;
}

/** The key of a stored record that has all these values; undefined when there is none, or when it cannot be known. Never rejects. */
export type FindTwin = (record: Fields, signal: AbortSignal) => Promise<number | undefined>;

/** Tells the service that a run begins, or hands its report in. Never rejects. */
export type QueryPutRun = (
  run: string,
  update: RunUpdate,
  signal: AbortSignal,
) => Promise<{ kind: "read"; put: PutRun } | Refused | NoReply>;

/** The stored records with these keys, by key. Never rejects. */
export type ReadBack = (
  ids: readonly number[],
  signal: AbortSignal,
) => Promise<{ kind: "read"; records: Map<number, Fields> } | Refused | NoReply>;

/** Asks which part of the stored records the service has looked through for duplicates, from 0 to 1. Never rejects. */
export type QueryCompared = (signal: AbortSignal) => Promise<{ kind: "read"; progress: number } | Refused | NoReply>;

/** Asks for which of these values of a unique field a record is there; `found`: these, as texts. Never rejects. */
export type FindParents = (
  parent: Collection,
  by: Field,
  values: readonly Value[],
  signal: AbortSignal,
) => Promise<{ kind: "read"; found: ReadonlySet<string> } | Refused | NoReply>;

/** Finds stored records whose value of a field begins like this text: key, value, and the fields of the name. Empty also where it cannot be known. */
export type FindNear = (parent: Collection, by: Field, text: string, signal: AbortSignal) => Promise<Fields[]>;

/** Asks and writes in the collections to which the records of an upload refer. */
export interface ParentService {
  find: FindParents;
  findNear: FindNear;
  post(parent: Collection): PostBatch;
  /** The service decides as for `post` and stores nothing. */
  dryPost(parent: Collection): PostBatch;
}

/** Asks how long the service promises to store responses under their keys, and its time. It never rejects. */
export type QueryKeyHours = (signal: AbortSignal) => Promise<KeyHours | Refused | NoReply>;

/** Asks what time it is by the service's clock (RFC 3339); undefined where it cannot be asked, or does not say. It never rejects. */
export type QueryTime = (signal: AbortSignal) => Promise<string | undefined>;

/** Takes a part of a run back; `after`: where the last reply said to go on. Never rejects. */
export type PostUndo = (
  run: string,
  after: string | undefined,
  signal: AbortSignal,
) => Promise<{ kind: "read"; reply: UndoReply } | Refused | NoReply>;

/** Asks in which collections a run has changed records. Never rejects. */
export type QueryRun = (run: string, signal: AbortSignal) => Promise<{ kind: "read"; collections: string[] } | Refused | NoReply>;

export interface KeyHours {
  kind: "read";
  hours: number;
  now?: number | undefined;
}

export type Verdict = "take" | "signIn" | "again" | "cut" | "stop";

/** take: record the results. signIn: wait for a token. again: wait and repeat. cut: send in halves. stop: end the upload. */
export function classifyResponse(answer: { kind: "answered" | "read" } | Refused | NoReply): Verdict {
  if (answer.kind === "noReply") return "again";
  if (answer.kind !== "refused") return "take";
  const { status, retryAfter } = answer;
  if (status === 401) return "signIn";
  if (status === 408 || status === 425 || status === 429 || status >= 500) return "again";
  if (status === 409 && retryAfter !== null) return "again"; // our own first request is still running there
  if (status === 400 || status === 409 || status === 413 || status === 422) return "cut";
  return "stop"; // 403, 404, 405, 415 …: true of every batch
}

/** Says whether the request may have been carried out: a plain 503 means it was not, but other 5xx and no reply can follow a commit. */
export function isUnclear(answer: BatchAnswer): boolean {
  if (answer.kind !== "refused") return answer.kind === "noReply";
  return answer.status >= 500 && (answer.status !== 503 || answer.code === "OUTCOME_UNKNOWN");
}

/** The service is overloaded. */
export function isBusy(answer: Refused | NoReply): boolean {
  return answer.kind === "noReply" || [408, 429, 502, 503, 504].includes(answer.status);
}

/** The request was too large for the service or for a proxy. */
export function isTooMuch(answer: Refused | NoReply): boolean {
  return answer.kind === "refused" && [408, 413, 504].includes(answer.status);
}

/** Says it in a sentence. */
export function busyMessage(answer: Refused | NoReply): string {
  if (answer.kind === "noReply") return t("The service does not respond.");
  if (answer.status === 429 || answer.status === 503) return t("The service is busy.");
  return t("The service reports an error ({status}).", { status: answer.status });
}
