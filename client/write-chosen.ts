import type { ChosenDryRun } from "../core/contract/chosen-writes.ts";
import { SOURCE_HEADER } from "../core/contract/history.ts";
import { collectionPath } from "../core/contract/paths.ts";
import type { Acknowledged, BatchReply, DeletionReply } from "../core/contract/records.ts";
import type { Client } from "./http-client.ts";
import { acknowledgement, type FieldValues, type WriteManyOptions } from "./write-records.ts";

/** Says which records are meant, and what becomes of them. */
export interface Choice {
  /** The filters of a list, and `q`. */
  query?: Readonly<Record<string, string>>;
  /** Holds what they shall have; null deletes them. */
  fields: FieldValues | null;
  /** Bounds the records of one request; 1,000 unless given. */
  limit?: number;
  /** `next` of the dry run of the part before. */
  cursor?: string | undefined;
  acknowledge?: Acknowledged | undefined;
}

/** The results are in the order of keys. `run`: under which `undoPart` takes all of it back. */
export interface ChosenReply {
  run: string;
  results: (BatchReply["results"][number] | DeletionReply["results"][number])[];
  summary: Partial<BatchReply["summary"] & DeletionReply["summary"]> & { total: number };
}

/**
 * Says what would become of the records that a filter chooses, and gives the token for `writeChosen`. It holds for half an hour. Go on with
 * `cursor: reply.next` until that is null: all parts are one run.
 *
 * @example
 * const choice = { query: { "city": "Bonn" }, fields: { region: "west" } };
 * const { token, summary } = await tryChosen(client, "customers", choice);
 * if (summary.failed === 0) await writeChosen(client, "customers", choice, token);
 */
export async function tryChosen(
  client: Client,
  collection: string,
  choice: Choice,
  options: Pick<WriteManyOptions, "signal"> = {},
): Promise<ChosenDryRun & ChosenReply> {
  return (await sendChosen(client, collection, choice, { dryRun: "true" }, options)) as ChosenDryRun & ChosenReply;
}

/** Does what `tryChosen` has shown with the same choice. What was made or changed since, by whomever, is left alone. */
export async function writeChosen(
  client: Client,
  collection: string,
  choice: Choice,
  token: string,
  options: Pick<WriteManyOptions, "idempotencyKey" | "source" | "signal"> = {},
): Promise<ChosenReply> {
  return (await sendChosen(client, collection, choice, { token }, options)) as ChosenReply;
}

async function sendChosen(
  client: Client,
  collection: string,
  { query, fields, limit, cursor, acknowledge }: Choice,
  step: Readonly<Record<string, string>>,
  { idempotencyKey, source, signal }: WriteManyOptions,
): Promise<unknown> {
  const part = { ...(limit !== undefined && { limit: String(limit) }), ...(cursor !== undefined && { cursor }) };
  const headers: Record<string, string> = {
    ...(fields && { "Content-Type": "application/merge-patch+json" }),
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    ...(source !== undefined && { [SOURCE_HEADER]: source }),
  };
  const sent = { query: { ...query, ...part, ...acknowledgement(acknowledge), ...step }, headers, signal };
  const body = fields === null ? {} : { body: JSON.stringify(fields) };
  return (await client.request(fields === null ? "DELETE" : "PATCH", collectionPath(collection), { ...sent, ...body })).json;
}
