// Plans the requests of a bulk change, sends them one after another, and gives every record one outcome.

import { ApiError } from "../../../client/errors.ts";
import type { Choice } from "../../../client/write-chosen.ts";
import { ADVISED_BATCH } from "../../../core/contract/limits.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";

type Values = Readonly<Record<string, Value | null>>;

/** `values`: what the fields of one record shall be, of which some follow from what it has. `same`: they are these for all. */
export type Job = { verb: "change"; values: (id: number, record: WireRecord) => Values; same?: Values } | { verb: "delete" };

export interface Item {
  id: number;
  body: Readonly<Record<string, unknown>>;
}

/** Sent again with the same `sendKey`, it is not done twice. `chosen`: the items are those that a dry run has shown. */
export interface Request {
  verb: Job["verb"];
  sendKey: string;
  items: readonly Item[];
  chosen?: { choice: Choice; token: string };
}

export type WriteResult = "created" | "updated" | "deleted" | "unchanged";

export interface RecordOutcome {
  id: number;
  outcome: WriteResult | "failed" | "inDoubt" | "notSent";
  /** The service's reason, if it failed. */
  why?: string;
  version?: number;
  changes?: Record<string, [old: Value | null, now: Value | null]>;
  /** The rules that warn of it, also where that is confirmed; without a name one that reads what this person may not see. */
  warnings?: (string | undefined)[];
  /** The fields that keep a value although the change hides them. */
  leftBehind?: readonly string[];
}

/** Each record's result in the order sent, the reason why the whole request was refused, seconds to wait, or no reply. */
export type PostResult = { results: Omit<RecordOutcome, "id">[] } | { refused: string } | { wait: number } | { lost: true };

export type NoResult = Exclude<PostResult, { results: unknown }>;

export interface Transport {
  post(request: Request): Promise<PostResult>;
  sleep(seconds: number): Promise<void>;
  /** When true, nothing more is sent. */
  isStopped(): boolean;
}

/** Bounds the tries of each request, when no reply comes or the service asks to wait. */
export const MAX_TRIES = 5;

/** Items carry the version for `match=version`. */
export function planItems(collection: Collection, job: Job, records: readonly WireRecord[]): Item[] {
  const key = collection.key.name;
  return records.map((record) => {
    const id = record[key] as number;
    const named = { [key]: id, version: record.version };
    return { id, body: job.verb === "delete" ? named : { ...named, ...job.values(id, record) } };
  });
}

export function planRequests(verb: Job["verb"], items: readonly Item[], newKey: () => string): Request[] {
  return Array.from({ length: Math.ceil(items.length / ADVISED_BATCH) }, (_, i) => ({
    verb,
    sendKey: newKey(),
    items: items.slice(i * ADVISED_BATCH, (i + 1) * ADVISED_BATCH),
  }));
}

/** Says whether the record may have to be sent again. */
export function isOpen(outcome: RecordOutcome | undefined): boolean {
  return outcome === undefined || outcome.outcome === "inDoubt" || outcome.outcome === "notSent";
}

/** Yields each request's outcomes, one for every record. After a request without a reply the rest is not sent. */
export async function* runRequests(
  requests: readonly Request[],
  transport: Transport,
): AsyncGenerator<{ request: Request; outcomes: RecordOutcome[] }> {
  let isSilent = false;
  for (const request of requests) {
    const isSent: boolean = !isSilent && !transport.isStopped();
    const answer: PostResult | undefined = isSent ? await retry(request, transport) : undefined;
    isSilent ||= answer !== undefined && "lost" in answer;
    yield { request, outcomes: request.items.map(({ id }, i) => ({ id, ...outcomeAt(answer, i) })) };
  }
}

function retry(request: Request, transport: Transport): Promise<PostResult> {
  return untilAnswered(() => transport.post(request), transport);
}

/** Asks again after no reply, and as long as the service asks to wait. */
export async function untilAnswered<Answer extends object>(
  ask: () => Promise<Answer | NoResult>,
  transport: Pick<Transport, "sleep" | "isStopped">,
): Promise<Answer | NoResult> {
  let isLost = false; // an earlier attempt may have been carried out, so that no refusal of a later one says it was not
  for (let failures = 0; ; failures++) {
    const answer = await ask();
    if (!isNoResult(answer)) return answer;
    isLost ||= "lost" in answer;
    if ("refused" in answer || failures === MAX_TRIES - 1 || transport.isStopped()) return isLost ? { lost: true } : answer;
    await transport.sleep("wait" in answer ? answer.wait : 2 ** failures);
  }
}

export function isNoResult(answer: object): answer is NoResult {
  return "refused" in answer || "wait" in answer || "lost" in answer;
}

/** Whatever leaves it open whether the request was carried out counts as no reply. */
export function toNoResult(error: unknown): NoResult {
  if (!(error instanceof ApiError)) return { lost: true };
  const { status, code, retryAfter, message } = error;
  if (status === 429 || (status === 503 && code !== "OUTCOME_UNKNOWN")) return { wait: retryAfter ?? 2 };
  return status >= 500 || code === "IDEMPOTENCY_IN_PROGRESS" ? { lost: true } : { refused: message };
}

function outcomeAt(answer: PostResult | undefined, at: number): Omit<RecordOutcome, "id"> {
  if (!answer || "wait" in answer) return { outcome: "notSent" };
  if ("lost" in answer) return { outcome: "inDoubt" };
  if ("refused" in answer) return { outcome: "failed", why: answer.refused };
  return answer.results[at] ?? { outcome: "inDoubt" };
}
