// Reads back the records of requests that got no response and may not be repeated.

import type { BatchResult } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { MAX_FILTER_VALUES } from "../../core/dictionary/filters.ts";
import { isSame } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { message, t } from "../../core/i18n/translate.ts";
import type { RecordOutcome } from "../model/outcomes.ts";
import type { RowMode } from "../model/plan.ts";
import type { Batch } from "./batches.ts";
import type { KeyTrust } from "./key-trust.ts";
import { busyMessage, classifyResponse, type NoReply, type ReadBack, type Refused } from "./responses.ts";
import type { FailureStreak, Scheduler } from "./scheduler.ts";

export interface Lookup {
  readBack: ReadBack;
  mode: RowMode;
  collection: Collection;
  scheduler: Scheduler;
  /** Resolves when there is a new token. The user is asked only once at a time. Rejects when there will be none. */
  signIn(): Promise<void>;
  recordOutcome: RecordOutcome;
}

export const MAYBE_STORED = message("The service did not reply for this row. It may or may not be stored.");
const OTHER = message("A record with this key has other values. Perhaps this row was stored and then changed.");

/**
 * Records the outcome of the rows that it can. Returns the indexes of rows that may be sent: they are certainly not stored, or
 * storing them once more does no harm. Rows without a key, or whose key comes several times, cannot be found again and are in doubt. `sentAt`, epoch ms: when
 * these records were first sent.
 */
export async function reconcile(batch: Batch, to: Lookup & { trust: KeyTrust }, streak: FailureStreak, sentAt: number): Promise<number[]> {
  const idAt = (at: number): number | undefined => batch.records[at]?.[to.collection.key.name] as number | undefined;
  const times = new Map<number | undefined, number>();
  for (const at of batch.records.keys()) times.set(idAt(at), (times.get(idAt(at)) ?? 0) + 1);
  // If the batch names a record several times, what is stored does not say how far it came.
  const named = [...batch.records.keys()].filter((at) => idAt(at) !== undefined && times.get(idAt(at)) === 1);
  const recordOutcome = (at: number, outcome: "created" | "updated" | "inDoubt", reason?: string, result?: BatchResult): void =>
    to.recordOutcome(batch.rows[at] as number, batch.lines[at] as number, outcome, reason, result);
  for (const at of batch.rows.keys()) if (!named.includes(at)) recordOutcome(at, "inDoubt", t(MAYBE_STORED));
  const stored = await readAll(
    named.flatMap((at) => idAt(at) ?? []),
    to,
    streak,
  );
  const rest: number[] = [];
  for (const at of named) {
    const record = stored?.get(idAt(at) as number);
    const mode = batch.modes?.[at] ?? to.mode;
    if (!stored) recordOutcome(at, "inDoubt", t(MAYBE_STORED));
    else if (mode === "delete") {
      if (record) rest.push(at);
      else recordOutcome(at, "updated");
    } else if (record && mode !== "update" && isOurs(record, batch.records[at] as Fields, to.trust, sentAt))
      recordOutcome(at, "created", undefined, seen(to.collection.key.name, record, at));
    else if (record && containsAll(record, batch.records[at] as Fields)) recordOutcome(at, mode === "create" ? "created" : "updated");
    else if (record && mode === "create") recordOutcome(at, "inDoubt", t(OTHER));
    else rest.push(at);
  }
  return rest;
}

/** Returns undefined when the upload ended first. */
export async function readAll(
  ids: readonly number[],
  to: Pick<Lookup, "readBack" | "scheduler" | "signIn">,
  streak?: FailureStreak,
): Promise<Map<number, Fields> | undefined> {
  const all = new Map<number, Fields>();
  for (let from = 0; from < ids.length; from += MAX_FILTER_VALUES) {
    const part = ids.slice(from, from + MAX_FILTER_VALUES);
    const answer = await retry((signal) => to.readBack(part, signal), to, streak);
    if (!answer) return undefined;
    for (const [id, record] of answer.records) all.set(id, record);
  }
  return all;
}

/** Repeats a request that changes nothing until it is answered. Undefined when the service refuses it or the upload is over. */
export async function retry<T extends { kind: "read" }>(
  request: (signal: AbortSignal) => Promise<T | Refused | NoReply>,
  to: Pick<Lookup, "scheduler" | "signIn">,
  streak: FailureStreak = { since: undefined, tries: 0 },
): Promise<T | undefined> {
  for (;;) {
    const answer = await to.scheduler.run(request);
    if (!answer) return undefined;
    if (answer.kind === "read") return answer;
    const verdict = classifyResponse(answer);
    if (verdict === "signIn" && (await signedIn(to))) continue;
    const retryAfter = answer.kind === "refused" ? answer.retryAfter : null;
    if (verdict !== "again" || !(await to.scheduler.backOff(streak, busyMessage(answer), retryAfter))) return undefined;
  }
}

/** Returns false when the upload is over before anyone has signed in. */
export async function signedIn(to: Pick<Lookup, "scheduler" | "signIn">): Promise<boolean> {
  const { scheduler } = to;
  const cancelled = new Promise<void>((resolve) => scheduler.over.addEventListener("abort", () => resolve(), { once: true }));
  try {
    await Promise.race([to.signIn(), cancelled]);
  } catch {
    scheduler.stop(t("Nobody is signed in any more."), true);
  }
  return !scheduler.over.aborted;
}

/** Serves requests that can be repeated without harm: none of their records counts as stored. */
export const NOTHING_STORED: ReadBack = () => Promise.resolve({ kind: "read", records: new Map() });

/**
 * The record was created since it was sent, with the values that were sent, and has not changed since: this request created it,
 * and an undo may delete it. Only someone else who made the same record under the same key at that time could be taken for us.
 */
function isOurs(record: Fields, sent: Fields, trust: KeyTrust, sentAt: number): boolean {
  return record.createdAt === record.updatedAt && trust.isSince(record.createdAt, sentAt) && containsAll(record, sent);
}

/** Makes the result that the service would have sent. */
function seen(keyField: string, record: Fields, index: number): BatchResult {
  return { index, outcome: "created", status: 201, version: record.version as number, [keyField]: record[keyField] };
}

/** Is true where every field that was sent is stored with that value. Of a parent (`customer.accountNumber`) only its key is stored. */
export function containsAll(stored: Fields, sent: Fields): boolean {
  return Object.entries(sent).every(([name, value]) => name.includes(".") || isSame(stored[name], value));
}
