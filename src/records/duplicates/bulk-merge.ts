// Merges many records by a rule: reads what it means, tries it, does it, and takes a run of it apart.

import { ApiError } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import { type DuplicatePair, duplicatesPath } from "../../../core/contract/duplicates.ts";
import { type MergeList, type MergeRequest, runOfMerge } from "../../../core/contract/merges.ts";
import { mergesPath } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { readByIds } from "../../service/bulk.ts";
import { asksOwners, mergePreview, sendMerge, takeMergeApart } from "../../service/merges.ts";
import { idOf } from "../../service/records.ts";
import { groupsOf, type MergeRule, mergeBy } from "./bulk-plan.ts";

/** One merge of a plan, and what stands in its way, a sentence. */
export interface PlannedMerge {
  body: MergeRequest;
  records: readonly WireRecord[];
  moved: number;
  refused: string | undefined;
}

export interface BulkPlan {
  run: string;
  merges: readonly PlannedMerge[];
  unclear: number;
  /** There are more pairs than are read at once. */
  isPart: boolean;
}

/** Tells how much of the work is done, and how much there is. */
export type OnStep = (done: number, total: number) => void;

const PAIRS_AT_ONCE = 100;
const MOST_PAIRS = 2_000; // each is tried before, with a request of its own
const MOST_PAGES = 200; // of pairs, for whoever gets them in another order than that of their points
const MOST_LISTED = 100; // merges that a list has at most

/** Reads the pairs that are the same, and tries each merge. Rejects when the signal is aborted. */
export async function planMerges(
  client: Client,
  collection: Collection,
  rule: MergeRule,
  signal: AbortSignal,
  onStep: OnStep,
): Promise<BulkPlan> {
  const { pairs, isPart } = await readSame(client, collection, signal);
  const { groups, unclear } = groupsOf(pairs);
  const run = newRun();
  const merges: PlannedMerge[] = [];
  for (const [i, ids] of groups.entries()) {
    onStep(i, groups.length);
    const found = await readByIds(client, collection, ids);
    signal.throwIfAborted();
    if (found.length < ids.length) continue; // one is gone meanwhile
    const records = ids.flatMap((id) => found.filter((record) => idOf(collection, record) === id));
    const body = mergeBy(rule, collection, records, run);
    const preview = await mergePreview(client, collection, body, signal).catch(unlessGone);
    if (!preview) continue;
    const { moved, errors } = preview;
    const sum = Object.values(moved).reduce((all, n) => all + n, 0);
    merges.push({ body, records, moved: sum, refused: errors[0]?.detail });
  }
  return { run, merges, unclear, isPart };
}

/** Somebody has changed or deleted one of the records meanwhile: the next look finds what is left. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 412)) throw error;
}

async function readSame(client: Client, collection: Collection, signal: AbortSignal): Promise<{ pairs: DuplicatePair[]; isPart: boolean }> {
  const pairs: DuplicatePair[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const query = { limit: String(PAIRS_AT_ONCE), cursor };
    const { json } = await client.request("GET", duplicatesPath(collection.name), { query, signal });
    const page = json as { pairs: DuplicatePair[]; next?: string };
    pairs.push(...page.pairs.filter(({ level }) => level === "same"));
    cursor = page.next;
  } while (cursor !== undefined && pairs.length < MOST_PAIRS && ++pages < MOST_PAGES);
  return { pairs, isPart: cursor !== undefined };
}

/** Letters and digits, as the service takes them. */
function newRun(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 24);
}

export interface BulkResult {
  done: number;
  /** Somebody changed or deleted one of the records since the merge was tried. */
  changed: number;
  refused: number;
  isStopped: boolean;
}

/** Does each merge that nothing stands in the way of, one after the other, each as a whole or not at all. */
export async function runMerges(
  client: Client,
  collection: Collection,
  plan: BulkPlan,
  signal: AbortSignal,
  onStep: OnStep,
): Promise<BulkResult> {
  const open = plan.merges.filter(({ refused }) => refused === undefined);
  const result: BulkResult = { done: 0, changed: 0, refused: 0, isStopped: false };
  for (const [i, { body }] of open.entries()) {
    if (signal.aborted) return { ...result, isStopped: true };
    onStep(i, open.length);
    try {
      await sendMerge(client, collection, body, { sendKey: `${plan.run}-${body.survivor}` });
      result.done++;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      if (error.status === 404 || error.status === 412) result.changed++;
      else result.refused++;
    }
  }
  return result;
}

export interface UndoResult {
  back: number;
  /** Merges that stay: fields were changed since, or they cannot be taken apart. */
  kept: number;
  /** So many stay that a list has no others: there may be more. */
  isPart: boolean;
}

/** Takes every merge of a run apart that can be without a question, the latest first. */
export async function undoRun(client: Client, collection: Collection, run: string, onStep: OnStep): Promise<UndoResult> {
  const kept = new Set<string>();
  let back = 0;
  for (;;) {
    const listed = await listMerges(client, collection, { run });
    const merges = listed.filter(({ id }) => !kept.has(id));
    if (merges.length === 0) return { back, kept: kept.size, isPart: listed.length >= MOST_LISTED };
    for (const { id } of merges) {
      onStep(back + kept.size, back + kept.size + merges.length);
      try {
        back += (await takeMergeApart(client, collection, id)).back.length;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) continue; // somebody has done it
        if (!asksOwners(error) && !(error instanceof ApiError && [409, 422].includes(error.status))) throw error;
        kept.add(id);
      }
    }
  }
}

export interface MergeRun {
  run: string;
  /** Counts them up to what a list has at most. */
  merges: number;
  at: string;
}

/** Lists the runs of the latest merges that can be taken apart, the latest first. */
export async function listRuns(client: Client, collection: Collection): Promise<MergeRun[]> {
  const runs = new Map<string, MergeRun>();
  for (const { id, at } of await listMerges(client, collection, {})) {
    const run = runOfMerge(id);
    if (run === undefined) continue;
    const known = runs.get(run) ?? { run, merges: 0, at };
    runs.set(run, { ...known, merges: known.merges + 1 });
  }
  return [...runs.values()];
}

async function listMerges(client: Client, { name }: Collection, of: { run?: string }): Promise<MergeList["merges"]> {
  return ((await client.request("GET", mergesPath(name), { query: { ...of, limit: String(MOST_LISTED) } })).json as MergeList).merges;
}
