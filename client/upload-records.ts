import { ADVISED_BATCH, MAX_COLLECTION_BODY } from "../core/contract/limits.ts";
import type { BatchReply, BatchResult, WriteOutcome } from "../core/contract/records.ts";
import type { Client } from "./http-client.ts";
import { type RetryOptions, withRetries } from "./retries.ts";
import { type WriteManyOptions, writeRecords } from "./write-records.ts";

export interface UploadOptions
  extends RetryOptions,
    Pick<WriteManyOptions, "onConflict" | "onMissing" | "matchBy" | "match" | "onDuplicate" | "acknowledge" | "dryRun"> {
  /**
   * A text of your own for this upload. Who uploads the same records with the same key again within 24 hours, signed in as before,
   * stores none of them twice, and gets the results of the first time for those that were stored: so a program that was killed begins anew.
   * With a client whose `source` names a run, that holds for another API key or person, too.
   * Visible ASCII, at most 200 characters. A random one unless given, which is enough for answers that get lost on the way.
   */
  key?: string;
  /** 1,000 unless given, at most 10,000. The same for an upload that begins anew. */
  batchSize?: number;
  /** Batches that are under way at once: 2 unless given. */
  inFlight?: number;
}

export interface UploadedBatch {
  /** Counts the records before this batch. */
  from: number;
  /** One for each record, in order; `index` counts from 0 within the upload. */
  results: BatchResult[];
  /** Counts the records by their outcomes, up to and with this batch. */
  summary: BatchReply["summary"];
}

/** An upload could not go on. What came before `from` is stored as its results said; the rest may be. */
export class UploadStopped extends Error {
  override name = "UploadStopped";
  /** The first record without a result, counted from 0. */
  readonly from: number;

  constructor(from: number, cause: unknown) {
    super(`The upload stopped at record ${from + 1}: ${(cause as Error).message}`, { cause });
    this.from = from;
  }
}

/**
 * Writes any number of records, batch by batch, each record for itself, and asks for more of them only when there is room. A batch
 * that gets no answer is sent again with its idempotency key. Yields the results in the order of the records.
 *
 * Throws `UploadStopped` when the service refuses a batch as a whole or cannot be reached for `patience`.
 *
 * @param records Plain objects; from an array, a generator, a stream of rows.
 * @example
 * for await (const { results } of uploadRecords(client, "customers", readRows(), { onConflict: "update", key: "nightly-2026-11-24" })) {
 *   for (const { index, outcome, problem } of results) if (outcome === "failed") console.error(index, problem?.detail);
 * }
 */
export async function* uploadRecords(
  client: Client,
  collection: string,
  records: AsyncIterable<unknown> | Iterable<unknown>,
  { key = crypto.randomUUID(), batchSize = ADVISED_BATCH, inFlight = 2, patience, signal, ...options }: UploadOptions = {},
): AsyncGenerator<UploadedBatch> {
  let summary: BatchReply["summary"] = { total: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
  const underWay: { from: number; reply: Promise<BatchReply> }[] = [];
  const stop = new AbortController();
  const signals = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);

  async function first(): Promise<UploadedBatch> {
    const { from, reply } = underWay.shift() as (typeof underWay)[number];
    const batch = await reply.catch((cause) => {
      throw signal?.aborted ? cause : new UploadStopped(from, cause);
    });
    summary = added(summary, batch.summary);
    return { from, results: batch.results.map((result) => ({ ...result, index: from + result.index })), summary };
  }

  try {
    let from = 0;
    for await (const batch of inBatches(records, batchSize)) {
      const sent = { ...options, idempotencyKey: `${key}:${from}`, signal: signals };
      const reply = withRetries(() => writeRecords(client, collection, batch, sent), { patience, signal: signals });
      reply.catch(() => {}); // it is looked at in its turn
      underWay.push({ from, reply });
      from += batch.length;
      if (underWay.length >= inFlight) yield await first();
    }
    while (underWay.length > 0) yield await first();
  } finally {
    stop.abort(); // whoever stops looking at the results stops the upload
  }
}

function added(one: BatchReply["summary"], other: BatchReply["summary"]): BatchReply["summary"] {
  const sums = Object.entries(one).map(([name, count]) => [name, count + other[name as WriteOutcome]]);
  return Object.fromEntries(sums) as BatchReply["summary"];
}

const encoder = new TextEncoder();

/** Yields as many records as `size`, fewer where the body would be too large for the service. */
async function* inBatches(records: AsyncIterable<unknown> | Iterable<unknown>, size: number): AsyncGenerator<unknown[]> {
  let batch: unknown[] = [];
  let bytes = 0;
  for await (const record of records) {
    const length = encoder.encode(JSON.stringify(record)).length + 1;
    if (batch.length > 0 && (batch.length === size || bytes + length + 2 > MAX_COLLECTION_BODY)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}
