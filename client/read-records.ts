import { MAX_PAGE } from "../core/contract/limits.ts";
import { childrenPath, collectionPath, recordPath, SEARCH_PATH } from "../core/contract/paths.ts";
import type { WireRecord } from "../core/contract/records.ts";
import type { FoundIn, SearchAnswer } from "../core/contract/search.ts";
import { summaryPath } from "../core/contract/summaries.ts";
import type { Value } from "../core/dictionary/kinds.ts";
import type { Client } from "./http-client.ts";

/** Parameters of a list by their names in the URL: `q`, `sort`, `limit`, `cursor`, and filters such as `lastName[prefix]`. */
export type ListQuery = Readonly<Record<string, string | undefined>>;

export interface RecordPage {
  records: WireRecord[];
  /** Cursors of the next and the previous page; undefined when there is none. */
  next: string | undefined;
  prev: string | undefined;
}

/**
 * Returns one page of a list.
 *
 * @example
 * const { records, next } = await listRecords(client, "customers", { "lastName[prefix]": "Sm", sort: "-updatedAt" });
 */
export async function listRecords(client: Client, collection: string, query: ListQuery = {}, signal?: AbortSignal): Promise<RecordPage> {
  return readPage(client, collectionPath(collection), collection, query, signal);
}

/**
 * Returns one page of the records of a collection that refer to one record of another, their parent.
 *
 * @example
 * const { records } = await listChildren(client, { collection: "customers", id: 7 }, "orders", { sort: "-orderedOn" });
 */
export async function listChildren(
  client: Client,
  parent: { collection: string; id: number },
  collection: string,
  query: ListQuery = {},
  signal?: AbortSignal,
): Promise<RecordPage> {
  return readPage(client, childrenPath(parent.collection, parent.id, collection), collection, query, signal);
}

async function readPage(
  client: Client,
  path: string,
  collection: string,
  query: ListQuery,
  signal: AbortSignal | undefined,
): Promise<RecordPage> {
  const { json } = await client.request("GET", path, { query, signal });
  const { next, prev, [collection]: records } = json as { next?: string; prev?: string } & Record<string, unknown>;
  return { records: records as WireRecord[], next, prev };
}

/**
 * Yields every record that matches, a page of up to 1,000 at a time.
 *
 * @example
 * for await (const records of allRecords(client, "customers")) for (const { objectId } of records) console.log(objectId);
 */
export async function* allRecords(
  client: Client,
  collection: string,
  query: ListQuery = {},
  signal?: AbortSignal,
): AsyncGenerator<WireRecord[]> {
  let cursor: string | undefined;
  do {
    const page = await listRecords(client, collection, { ...query, limit: String(MAX_PAGE), cursor }, signal);
    yield page.records;
    cursor = page.next;
  } while (cursor);
}

/** Counts and sums of a list, by the names that were asked for (`count`, `sum:total`). Sums and averages are texts with all their digits. */
export interface Summary {
  /** Each has the values of its fields besides. Null: no value. */
  groups: Readonly<Record<string, Value | null>>[];
  /** The same of all records together. */
  total: Readonly<Record<string, Value | null>>;
  /** The cursor of the next page; undefined when there is none. */
  next: string | undefined;
}

/**
 * Counts and sums what a list has, with the list's filters and `q`.
 *
 * @example
 * const { groups } = await summarizeRecords(client, "orders", { group: "status,orderedOn:month", measure: "count,sum:total" });
 */
export async function summarizeRecords(client: Client, collection: string, query: ListQuery = {}, signal?: AbortSignal): Promise<Summary> {
  const { json } = await client.request("GET", summaryPath(collection), { query, signal });
  const { groups, total, next } = json as Summary;
  return { groups, total, next };
}

/**
 * Returns the first records with these words, of each collection that the caller may read. Of one collection all are in `listRecords` with
 * `q`.
 *
 * @example
 * for (const { collection, records } of await searchRecords(client, "jansen utrecht")) console.log(collection, records.length);
 */
export async function searchRecords(client: Client, q: string, query: ListQuery = {}, signal?: AbortSignal): Promise<FoundIn[]> {
  const { json } = await client.request("GET", SEARCH_PATH, { query: { ...query, q }, signal });
  return (json as SearchAnswer).results;
}

/** Returns one record. Throws `ApiError` with status 404 when there is none. */
export async function readRecord(client: Client, collection: string, id: number, signal?: AbortSignal): Promise<WireRecord> {
  return (await client.request("GET", recordPath(collection, id), { signal })).json as WireRecord;
}
