// Many records changed, deleted or put back: requests planned, sent one after another, and every row's outcome. Knows no network; it is given `post`.

import { ADVISED_BATCH } from "../../core/contract/limits.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";

/** What is done to each record. */
export type Job = { verb: "change"; field: string; value: Value | null } | { verb: "delete" } | { verb: "restore" };

/** One record of a request, and its key. */
export interface Item {
  id: number;
  body: Readonly<Record<string, unknown>>;
}

/** One request. Sent again with the same `sendKey` it is not done twice. */
export interface Request {
  verb: Job["verb"];
  sendKey: string;
  items: readonly Item[];
}

export type Done = "created" | "updated" | "deleted" | "unchanged";

export interface Outcome {
  id: number;
  became: Done | "failed" | "inDoubt" | "notSent";
  /** Why it failed, in the service's words. */
  why?: string;
  version?: number;
  changes?: Record<string, [old: Value | null, now: Value | null]>;
}

/** What `post` found: each row's result in the order sent, a refusal of the whole, a wait (seconds), or no answer at all. */
export type Answer = { results: Omit<Outcome, "id">[] } | { refused: string } | { wait: number } | { lost: true };

export interface Means {
  post(request: Request): Promise<Answer>;
  sleep(seconds: number): Promise<void>;
  /** True: what is not sent yet stays unsent. */
  isStopped(): boolean;
}

const TRIES = 5; // of one request, while the service is silent or asks to wait

/** `match=version` guards every row but those put back, which must not exist. */
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

/** The items that put back what a change changed; only where nobody has changed it since. */
export function planUndo(collection: Collection, outcomes: readonly Outcome[]): Item[] {
  return outcomes.flatMap(({ id, version, changes }) => {
    if (!changes) return [];
    const old = Object.fromEntries(Object.entries(changes).map(([name, [was]]) => [name, was]));
    return { id, body: { [collection.key.name]: id, version, ...old } };
  });
}

/** Whether the row may have to go once more; also one of which nothing is known yet. */
export function isOpen(outcome: Outcome | undefined): boolean {
  return outcome === undefined || outcome.became === "inDoubt" || outcome.became === "notSent";
}

/** Each request's outcomes as they come; every row gets exactly one. After silence the rest is not sent. */
export async function* runRequests(requests: readonly Request[], means: Means): AsyncGenerator<{ request: Request; outcomes: Outcome[] }> {
  let isSilent = false;
  for (const request of requests) {
    const isSent: boolean = !isSilent && !means.isStopped();
    const answer: Answer | undefined = isSent ? await retry(request, means) : undefined;
    isSilent ||= answer !== undefined && "lost" in answer;
    yield { request, outcomes: request.items.map(({ id }, i) => ({ id, ...outcomeAt(answer, i) })) };
  }
}

async function retry(request: Request, means: Means): Promise<Answer> {
  for (let failures = 0; ; failures++) {
    const answer = await means.post(request);
    const isFinal = "results" in answer || "refused" in answer;
    if (isFinal || failures === TRIES - 1 || means.isStopped()) return answer;
    await means.sleep("wait" in answer ? answer.wait : 2 ** failures);
  }
}

function outcomeAt(answer: Answer | undefined, at: number): Omit<Outcome, "id"> {
  if (!answer || "wait" in answer) return { became: "notSent" };
  if ("lost" in answer) return { became: "inDoubt" };
  if ("refused" in answer) return { became: "failed", why: answer.refused };
  return answer.results[at] ?? { became: "inDoubt" };
}

/** Without the service's own fields; fields without a value are left out, as in a new record. */
function fieldsOf(collection: Collection, record: WireRecord): Fields {
  return Object.fromEntries(collection.fields.map(({ name }) => [name, record[name] ?? null]).filter(([, value]) => value !== null));
}
