import { DICTIONARY_PATH } from "../core/contract/paths.ts";
import type { Problem } from "../core/contract/problems.ts";
import type { OnError, OperationsReply, WireRecord } from "../core/contract/records.ts";
import type { Collection } from "../core/dictionary/collections.ts";
import { validateRecord } from "../core/dictionary/validate.ts";
import type { Client } from "./http-client.ts";
import { collectionsIn } from "./read-dictionary.ts";
import { allRecords, type ListQuery, listRecords, readRecord } from "./read-records.ts";
import { type RetryOptions, withRetries } from "./retries.ts";
import { type UploadedBatch, type UploadOptions, uploadRecords } from "./upload-records.ts";
import {
  createRecord,
  deleteRecord,
  type FieldValues,
  type Operation,
  updateRecord,
  type WriteManyOptions,
  writeBatch,
} from "./write-records.ts";

/** The rules whose warnings do not keep a record from being written. */
type Confirming = Pick<WriteManyOptions, "acknowledge">;

/** Says what becomes of a new record that is stored already, by the comparisons of the dictionary. */
type Comparing = Pick<WriteManyOptions, "onDuplicate">;

/**
 * A record as it was read: the value of its key, and its version. A key is a number, which the types of a program need not know,
 * because only the dictionary says which field it is.
 */
export interface RecordVersion {
  id: WireRecord[string] | undefined;
  version: number;
}

/** One collection. What it knows of fields comes from the service's dictionary, so a new field needs no new program. */
export interface OpenCollection<Fields extends object = FieldValues> {
  /** Its fields with their kinds and rules, its key, its names. */
  readonly collection: Collection;
  /** Finds what the service would refuse in these values, without asking it. Whether a value is taken already it cannot know. */
  check(fields: Fields): Problem[];
  /** Returns one page: `{ records, next, prev }`. */
  list(
    query?: ListQuery,
    signal?: AbortSignal,
  ): Promise<{ records: (Fields & WireRecord)[]; next: string | undefined; prev: string | undefined }>;
  /** Yields every record that matches, one after the other. */
  all(query?: ListQuery, signal?: AbortSignal): AsyncGenerator<Fields & WireRecord>;
  read(id: RecordVersion["id"], signal?: AbortSignal): Promise<Fields & WireRecord>;
  /** Sends it again with one idempotency key until there is an answer, so it makes one record. */
  create(fields: Fields, options?: RetryOptions & Confirming & Comparing & { idempotencyKey?: string }): Promise<Fields & WireRecord>;
  /** Changes the given fields, unless somebody else has changed the record since `version` (ApiError with status 412). */
  update(record: RecordVersion, fields: Partial<Fields>, options?: Confirming): Promise<Fields & WireRecord>;
  delete(record: RecordVersion): Promise<void>;
  /** Creates, changes and deletes in one request, in the order of the operations, each for itself or, with `onError: "stop"`, all or none. Sent again as `create` is. */
  write(
    operations: readonly Operation<Partial<Fields> | Record<string, unknown>>[],
    options?: RetryOptions & Confirming & Comparing & { match?: "version"; onError?: OnError; idempotencyKey?: string },
  ): Promise<OperationsReply>;
  upload(records: AsyncIterable<Fields> | Iterable<Fields>, options?: UploadOptions): AsyncGenerator<UploadedBatch>;
}

/**
 * Reads the dictionary once and gives the collection of this name.
 *
 * @param language Of titles and messages, such as "de"; the dictionary's own unless given.
 * @example
 * const customers = await openCollection<{ lastName: string; accountID: string }>(client, "customers");
 * const problems = customers.check({ lastName: "", accountID: "7" }); // [{ field: "lastName", code: "REQUIRED", … }]
 */
export async function openCollection<Fields extends object = FieldValues>(
  client: Client,
  name: string,
  language?: string,
): Promise<OpenCollection<Fields>> {
  type Stored = Fields & WireRecord;
  const collection = await readCollection(client, name, language);
  const keyOf = (id: RecordVersion["id"]): number => {
    if (typeof id === "number") return id;
    throw new TypeError(`The id must be the number in ${collection.key.name}, not ${JSON.stringify(id)}.`);
  };
  const asSent = (fields: Partial<Fields>) => fields as FieldValues;
  return {
    collection,
    check: (fields) => validateRecord(collection, fields as FieldValues, { from: "json" }).problems ?? [],
    list: async (query, signal) => (await listRecords(client, name, query, signal)) as Awaited<ReturnType<OpenCollection<Fields>["list"]>>,
    async *all(query, signal) {
      for await (const page of allRecords(client, name, query, signal)) yield* page as Stored[];
    },
    read: async (id, signal) => (await readRecord(client, name, keyOf(id), signal)) as Stored,
    async create(fields, { idempotencyKey = crypto.randomUUID(), acknowledge, onDuplicate, ...retry } = {}) {
      const sent = () => createRecord(client, name, asSent(fields), idempotencyKey, acknowledge, onDuplicate);
      return (await withRetries(sent, retry)) as Stored;
    },
    update: async ({ id, version }, fields, { acknowledge } = {}) =>
      (await updateRecord(client, name, { id: keyOf(id), version }, asSent(fields), acknowledge)) as Stored,
    delete: async ({ id, version }) => deleteRecord(client, name, { id: keyOf(id), version }),
    write(operations, { match, onError, onDuplicate, acknowledge, idempotencyKey = crypto.randomUUID(), ...retry } = {}) {
      const given = { ...(match && { match }), ...(onError && { onError }), ...(onDuplicate && { onDuplicate }) };
      const options = { ...given, acknowledge, idempotencyKey, signal: retry.signal };
      return withRetries(() => writeBatch(client, name, operations, options), retry);
    },
    upload: (records, options) => uploadRecords(client, name, records, options),
  };
}

async function readCollection(client: Client, name: string, language: string | undefined): Promise<Collection> {
  const { json } = await client.request("GET", DICTIONARY_PATH);
  const known = collectionsIn(json, language);
  const found = known.find((one) => one.name === name);
  if (found) return found;
  const names = known.map((one) => one.name).join(", ");
  throw new Error(`The service has no collection "${name}" for this key. It has: ${names || "none"}.`);
}
