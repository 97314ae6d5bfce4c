// Plans the requests of a bulk change, sends them one after another, and gives every record one outcome.

import { ADVISED_BATCH } from "../../core/contract/limits.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";

export type Job = { verb: "change"; field: string; value: Value | null } | { verb: "delete" } | { verb: "restore" };

export interface Item {
  id: number;
  body: Readonly<Record<string, unknown>>;
}

/** Sent again with the same `sendKey`, it is not done twice. */
export interface Request {
  verb: Job["verb"];
  sendKey: string;
  items: readonly Item[];
}

export type WriteResult = "created" | "updated" | "deleted" | "unchanged";

export interface RecordOutcome {
  id: number;
  outcome: WriteResult | "failed" | "inDoubt" | "notSent";
  /** The service's reason, if it failed. */
  why?: string;
  version?: number;
  changes?: Record<string, [old: Value | null, now: Value | null]>;
}

/** Each record's result in the order sent, the reason why the whole request was refused, seconds to wait, or no reply. */
export type PostResult = { results: Omit<RecordOutcome, "id">[] } | { refused: string } | { wait: number } | { lost: true };

export interface Transport {
  post(request: Request): Promise<PostResult>;
  sleep(seconds: number): Promise<void>;
  /** When true, nothing more is sent. */
  isStopped(): boolean;
}

const MAX_TRIES = 5; // for each request, when no reply comes or the service asks to wait

/** Items carry the version for `match=version`, except in "restore", where the record must not exist. */
export function planItems(collection: Collection, job: Job, records: readonly WireRecord[]): Item[] {
  const key = collection.key.name;
  return records.map((record) => {
    const id = record[key] as number;
    if (job.verb === "restore") return { id, body: fieldsOf(collection, record) };
    const named = { [key]: id, version: record.version };
    return { id, body: job.verb === "delete" ? named : { ...named, [job.field]: job.value } };
  });
}

export function planRequests(verb: Job["verb"], items: readonly Item[], newKey: () => string): Request[] {
  return Array.from({ length: Math.ceil(items.length / ADVISED_BATCH) }, (_, i) => ({
    verb,
    sendKey: newKey(),
    items: items.slice(i * ADVISED_BATCH, (i + 1) * ADVISED_BATCH),
  }));
}

/** The items that restore the old values, unless someone has changed the record since. */
export function planUndo(collection: Collection, outcomes: readonly RecordOutcome[]): Item[] {
  return outcomes.flatMap(({ id, version, changes }) => {
    if (!changes) return [];
    const old = Object.fromEntries(Object.entries(changes).map(([name, [was]]) => [name, was]));
    return { id, body: { [collection.key.name]: id, version, ...old } };
  });
}

/** Whether the record may have to be sent again. */
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

async function retry(request: Request, transport: Transport): Promise<PostResult> {
  for (let failures = 0; ; failures++) {
    const answer = await transport.post(request);
    const isFinal = "results" in answer || "refused" in answer;
    if (isFinal || failures === MAX_TRIES - 1 || transport.isStopped()) return answer;
    await transport.sleep("wait" in answer ? answer.wait : 2 ** failures);
  }
}

function outcomeAt(answer: PostResult | undefined, at: number): Omit<RecordOutcome, "id"> {
  if (!answer || "wait" in answer) return { outcome: "notSent" };
  if ("lost" in answer) return { outcome: "inDoubt" };
  if ("refused" in answer) return { outcome: "failed", why: answer.refused };
  return answer.results[at] ?? { outcome: "inDoubt" };
}

/** Without the fields that the service sets and without empty ones, as for a new record. */
function fieldsOf(collection: Collection, record: WireRecord): Fields {
  return Object.fromEntries(collection.fields.map(({ name }) => [name, record[name] ?? null]).filter(([, value]) => value !== null));
}
