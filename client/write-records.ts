import { SOURCE_HEADER, type UndoReply } from "../core/contract/history.ts";
import { batchPath, collectionPath, deletionsPath, recordPath, undoPath } from "../core/contract/paths.ts";
import {
  type Acknowledged,
  type Action,
  type BatchReply,
  type DeletionReply,
  etagOf,
  type OnConflict,
  type OnDuplicate,
  type OnError,
  type OnMissing,
  type OperationsReply,
  type WireRecord,
  type WireValue,
} from "../core/contract/records.ts";
import type { Client } from "./http-client.ts";

export type FieldValues = Readonly<Record<string, WireValue | null>>;

/**
 * Creates a record. Throws `ApiError` with its `problems` when a value is not valid.
 *
 * @param idempotencyKey A text of your own for this record. With it, sending the request once more after `NoReply` is safe.
 * @param acknowledge The rules whose warnings do not keep it from being written: those that a refusal with the code WARNING has named.
 * @param onDuplicate As `WriteManyOptions` has it.
 */
export async function createRecord(
  client: Client,
  collection: string,
  fields: FieldValues,
  idempotencyKey?: string,
  acknowledge?: Acknowledged,
  onDuplicate?: OnDuplicate,
): Promise<WireRecord> {
  const headers: Record<string, string> = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const query = { ...acknowledgement(acknowledge), ...(onDuplicate && { onDuplicate }) };
  return (await client.request("POST", collectionPath(collection), { query, body: fields, headers })).json as WireRecord;
}

/** Says as a part of an address which warnings are acknowledged. */
export function acknowledgement(acknowledge: Acknowledged | undefined): { acknowledge?: string } {
  if (!acknowledge?.length) return {};
  return { acknowledge: acknowledge === "all" ? acknowledge : acknowledge.join(",") };
}

/**
 * Changes the given fields of a record; null removes a value. Throws `ApiError` with status 412 when the record no longer has
 * `version`, because someone else has changed it. `acknowledge`: as `createRecord` has it.
 */
export async function updateRecord(
  client: Client,
  collection: string,
  { id, version }: { id: number; version: number },
  fields: FieldValues,
  acknowledge?: Acknowledged,
): Promise<WireRecord> {
  const query = acknowledgement(acknowledge);
  const headers = { "If-Match": etagOf(id, version), "Content-Type": "application/merge-patch+json" };
  return (await client.request("PATCH", recordPath(collection, id), { query, body: JSON.stringify(fields), headers })).json as WireRecord;
}

/** Deletes a record. Throws `ApiError` with status 412 when it no longer has `version`. */
export async function deleteRecord(client: Client, collection: string, { id, version }: { id: number; version: number }): Promise<void> {
  await client.request("DELETE", recordPath(collection, id), { headers: { "If-Match": etagOf(id, version) } });
}

export interface WriteManyOptions {
  /** Says what to do with a record whose key exists: "error" (unless given), "skip" or "update". */
  onConflict?: OnConflict;
  /** Says, with onConflict "update", what to do with a record whose key does not exist: "create" (unless given) or "error". */
  onMissing?: OnMissing;
  /** The unique field that says which record is meant; the key unless given. */
  matchBy?: string;
  /** Act only on records that still have the `version` sent along. */
  match?: "version";
  /**
   * Says what to do with a new record that is stored already, by the comparisons of the dictionary: "warn" stores it and names what is
   * like it in `warnings`, "error" refuses it with the code DUPLICATE where one is the same.
   */
  onDuplicate?: OnDuplicate;
  /** The rules whose warnings do not keep a record from being written. */
  acknowledge?: Acknowledged | undefined;
  /** The response says what would happen; nothing is stored. */
  dryRun?: boolean;
  /** With it, sending the same records once more after `NoReply` is safe. Not sent with a dry run. */
  idempotencyKey?: string;
  /** Says how the records came in, for their history: `form; run=7`. What the client was made with unless given. */
  source?: string;
  signal?: AbortSignal | undefined;
}

/**
 * Writes up to 10,000 records, each for itself: a record that is refused does not hold up the others. The results are in the order
 * of `records`.
 *
 * @example
 * const { summary, results } = await writeRecords(client, "customers", records, { onConflict: "update", idempotencyKey: crypto.randomUUID() });
 */
export async function writeRecords(
  client: Client,
  collection: string,
  records: readonly unknown[],
  options?: WriteManyOptions,
): Promise<BatchReply> {
  return (await postMany(client, collectionPath(collection), records, options)) as BatchReply;
}

/** Deletes up to 10,000 records, each for itself. A record has its key and, with `match`, its version. */
export async function deleteRecords(
  client: Client,
  collection: string,
  records: readonly unknown[],
  options?: Omit<WriteManyOptions, "onConflict" | "onMissing" | "matchBy" | "onDuplicate" | "acknowledge">,
): Promise<DeletionReply> {
  return (await postMany(client, deletionsPath(collection), records, options)) as DeletionReply;
}

/**
 * Takes up to 1,000 changes of a run back, the last first, and says what it left alone. Sent again it does nothing twice. Go on with
 * `after: reply.next` until that is null.
 */
export async function undoPart(
  client: Client,
  collection: string,
  body: { run: string; after: string | undefined },
  signal?: AbortSignal,
): Promise<UndoReply> {
  return (await client.request("POST", undoPath(collection), { body, signal })).json as UndoReply;
}

/** Says what to do with one record. To delete it its key is enough, and with `match` its version. */
export interface Operation<Fields = unknown> {
  action: Action;
  /** The record's collection, where it is another one than the others'. Only with `onError: "stop"`. */
  collection?: string;
  record: Fields;
  /** Overrides here what the option of all operations says. */
  acknowledge?: Acknowledged;
}

/**
 * Carries out up to 10,000 operations in their order, each for itself unless `onError` is "stop". One record may come several times: each
 * operation meets what those before it left. With "stop" a parent comes with its children: a reference may be `{ $ref: "0" }`, which is the
 * record of the first operation.
 *
 * @example
 * await writeBatch(client, "customers", [
 *   { action: "create", record: { lastName: "Lovelace", accountID: "0071" } },
 *   { action: "update", record: { objectId: 7, lastName: "Byron" } },
 *   { action: "delete", record: { objectId: 8 } },
 * ]);
 * await writeBatch(client, "customers", [
 *   { action: "create", record: { name: "Ada Fox", accountNumber: "A-7" } },
 *   { action: "create", collection: "orders", record: { customerId: { $ref: "0" }, orderNumber: "B-1" } },
 * ], { onError: "stop" });
 */
export async function writeBatch(
  client: Client,
  collection: string,
  operations: readonly Operation[],
  options?: Omit<WriteManyOptions, "onConflict" | "onMissing" | "matchBy"> & { onError?: OnError },
): Promise<OperationsReply> {
  return (await postMany(client, batchPath(collection), operations, options)) as OperationsReply;
}

async function postMany(client: Client, path: string, body: readonly unknown[], options: WriteManyOptions = {}): Promise<unknown> {
  const { dryRun, idempotencyKey, source, signal, acknowledge, ...rest } = options;
  const query = { onError: "continue", ...rest, ...acknowledgement(acknowledge), ...(dryRun && { dryRun: "true" }) };
  const headers: Record<string, string> = {
    ...(idempotencyKey !== undefined && !dryRun && { "Idempotency-Key": idempotencyKey }),
    ...(source !== undefined && { [SOURCE_HEADER]: source }),
  };
  return (await client.request("POST", path, { query, body, headers, signal })).json;
}
