// Sends the requests of a bulk change, and has the service choose the records where a list's filter says which they are.

import type { Client } from "../../../client/http-client.ts";
import { allRecords } from "../../../client/read-records.ts";
import { type Choice, tryChosen, writeChosen } from "../../../client/write-chosen.ts";
import type { Acknowledged, WireRecord } from "../../../core/contract/records.ts";
import { ruleMessage } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { filterName, MAX_FILTER_VALUES } from "../../../core/dictionary/filters.ts";
import { t, tCode } from "../../../core/i18n/translate.ts";
import { newIdempotencyKey } from "../../app/services/idempotency-key.ts";
import { type BulkResult, writeMany } from "../../service/bulk.ts";
import { idOf } from "../../service/records.ts";
import { whoChanged } from "../../values/change-words.ts";
import {
  isNoResult,
  type Job,
  type PostResult,
  type RecordOutcome,
  type Request,
  type Transport,
  toNoResult,
  untilAnswered,
} from "./bulk-requests.ts";

/** Chooses all that a list has, without those that were taken out. */
export interface ChosenByFilter {
  query: Readonly<Record<string, string>>;
  without: readonly number[];
}

/**
 * Has the service choose, and answers with the requests that do what it has shown. What follows from the values of each record, and what no
 * filter leaves out, takes the records themselves. Throws with a sentence where the service refuses or does not reply.
 */
export async function tryMatching(
  client: Client,
  collection: Collection,
  { query, without, job, acknowledge }: ChosenByFilter & { job: Job; acknowledge: Acknowledged },
  transport: Transport,
): Promise<{ requests: Request[]; outcomes: RecordOutcome[] } | { records: WireRecord[] }> {
  const fields = job.verb === "delete" ? null : job.same;
  const filtered = withoutThese(collection, query, without);
  if (fields === undefined || !filtered) return { records: await readMatching(client, collection, { query, without }, transport) };
  const requests: Request[] = [];
  const outcomes: RecordOutcome[] = [];
  for (let cursor: string | null | undefined; cursor !== null && !transport.isStopped(); ) {
    const choice: Choice = { query: filtered, fields, cursor, acknowledge };
    const part = await untilAnswered(() => tryChosen(client, collection.name, choice).catch(toNoResult), transport);
    if (isNoResult(part)) throw new Error("refused" in part ? part.refused : t("The service did not reply. Nothing was changed."));
    const results = part.results.map((result) => ({ id: result[collection.key.name] as number, ...toOutcome(collection, result) }));
    outcomes.push(...results);
    const items = results.map(({ id }) => ({ id, body: {} }));
    if (items.length > 0) requests.push({ verb: job.verb, sendKey: newIdempotencyKey(), items, chosen: { choice, token: part.token } });
    cursor = part.next;
  }
  return { requests, outcomes };
}

/** Reads by key, which never changes: in another order a record that someone saves in the meantime could be missed. */
async function readMatching(
  client: Client,
  collection: Collection,
  { query, without }: ChosenByFilter,
  { isStopped }: Pick<Transport, "isStopped">,
): Promise<WireRecord[]> {
  const left = new Set(without);
  const records: WireRecord[] = [];
  for await (const page of allRecords(client, collection.name, { ...query, sort: collection.key.name })) {
    if (isStopped()) break;
    records.push(...page.filter((record) => !left.has(idOf(collection, record))));
  }
  return records;
}

/** Returns the query without these records; undefined where they are too many for a filter. */
function withoutThese({ key }: Collection, query: ChosenByFilter["query"], without: readonly number[]) {
  if (without.length === 0) return query;
  const name = filterName(key.name, "notIn");
  const all = [...(query[name]?.split(",") ?? []), ...without];
  return all.length <= MAX_FILTER_VALUES ? { ...query, [name]: all.join(",") } : undefined;
}

/** `isPreview`: asks only what would happen. */
export function transportOf(
  client: Client,
  collection: Collection,
  { run, acknowledge }: { run: string; acknowledge: Acknowledged },
  isPreview: boolean,
  isStopped: () => boolean,
): Transport {
  return {
    async post({ verb, sendKey, items, chosen }: Request): Promise<PostResult> {
      if (chosen) return postChosen(client, collection, { chosen, sendKey, items, run }).catch(toNoResult);
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

/** What is not among the results was changed meanwhile, so that it was left alone. */
async function postChosen(
  client: Client,
  collection: Collection,
  { chosen, sendKey, items, run }: Required<Pick<Request, "chosen" | "sendKey" | "items">> & { run: string },
): Promise<PostResult> {
  const { results } = await writeChosen(client, collection.name, chosen.choice, chosen.token, {
    idempotencyKey: sendKey,
    source: `form; run=${run}`,
  });
  const byId = new Map(results.map((result) => [result[collection.key.name], toOutcome(collection, result)]));
  const left = { outcome: "failed", why: t("Somebody has changed it since. Nothing was done.") } as const;
  return { results: items.map(({ id }) => byId.get(id) ?? left) };
}

export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}

function toOutcome(
  collection: Collection,
  { outcome, problem, version, changes, warnings, leftBehind }: Omit<BulkResult, "changes"> & { changes?: unknown },
): Omit<RecordOutcome, "id"> {
  const isWarned = problem?.code === "WARNING";
  const sentences = problem?.errors?.map(({ detail }) => ruleMessage(collection, detail)) ?? [];
  const words = problem && (isWarned ? [...new Set(sentences)].join(" ") : tCode(problem.code, problem.detail ?? problem.title));
  const why = problem?.code === "PRECONDITION_FAILED" ? whoChanged(problem.current) : words;
  const rules = (isWarned ? problem.errors : warnings)?.map(({ rule }) => rule);
  return {
    outcome: outcome === "skipped" ? "unchanged" : outcome,
    ...(why && { why }),
    ...(version !== undefined && { version }),
    ...(changes !== undefined && { changes: changes as NonNullable<RecordOutcome["changes"]> }),
    ...(rules && { warnings: rules }),
    ...(leftBehind && { leftBehind }),
  };
}
