// React Query reads of records, one factory for each kind of read. Every query key of records is made here.

import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { collectionPath } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { t } from "../../core/i18n/translate.ts";

/** The query parameters of a list. */
export type ListQuery = Readonly<Record<string, string>>;

export interface Page {
  records: WireRecord[];
  /** Cursors of the next and the previous page. */
  next: string | undefined;
  prev: string | undefined;
  /** Other searches that find something. */
  didYouMean?: string[] | undefined;
}

export const keys = {
  all: (collection: Collection) => [collection.name] as const,
  lists: (collection: Collection) => [collection.name, "list"] as const,
  permissions: ["allowed"] as const,
  /** The parent's key and the fields of its name, without the names of the parents by which it may be called itself. */
  parent: (collection: string, id: unknown) => [collection, "list", "parent", id] as const,
  record: (collection: Collection, id: number) => [collection.name, "record", id] as const,
};

/** Returns the names under which an answer has the parents of these fields. Whoever may not read a parent has no reference to it. */
export function parentsBy(fields: readonly Field[]): string[] {
  return fields.flatMap(({ reference }) => reference?.as ?? []);
}

/** Returns the parameter that asks for those parents. */
export function expanding(fields: readonly Field[]): ListQuery {
  const expand = parentsBy(fields).join();
  return expand ? { expand } : {};
}

/** Returns the answer to a list, whose records have the parents of `fields` with them, as `nameOf` needs them. Throws ApiError and NoReply. */
export async function requestList(
  client: Client,
  { name, label }: Collection,
  query: ListQuery,
  signal?: AbortSignal,
  fields: readonly Field[] = label,
): Promise<Record<string, unknown>> {
  const { json } = await client.request("GET", collectionPath(name), { query: { ...query, ...expanding(fields) }, signal });
  return json as Record<string, unknown>;
}

/** Keeps the parents that came with the records, so that nobody asks for their names. With the records stay those of `label`. */
export function keepParents(queries: QueryClient, collection: Collection, records: readonly WireRecord[], label: readonly Field[]): void {
  for (const { name, reference } of collection.references)
    for (const record of records) {
      queries.setQueryData(keys.parent(reference.collection, record[name]), record[reference.as]);
      if (!label.some((field) => field.name === name)) delete record[reference.as];
    }
}

/** Is never retried by React Query: the page shows the error and a countdown. */
export function listQuery(client: Client, collection: Collection, query: ListQuery) {
  return queryOptions({
    queryKey: [...keys.lists(collection), query],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal, client: queries }): Promise<Page> => {
      const answer = await requestList(client, collection, query, signal, collection.references);
      const reply = answer as { next?: string; prev?: string; didYouMean?: string[] } & Record<string, unknown>;
      if (!Array.isArray(reply?.[collection.name])) throw new Error(t("The reply does not come from an Intake service: it has no list."));
      const records = withExact(collection, reply);
      keepParents(queries, collection, records, collection.label);
      return { records, next: reply.next, prev: reply.prev, didYouMean: reply.didYouMean };
    },
  });
}

/** Returns the records of a reply to a search, those whose key or number was typed before all others. */
export function withExact(collection: Collection, reply: Record<string, unknown>): WireRecord[] {
  const [exact = [], found = []] = [reply.exact, reply[collection.name]] as WireRecord[][];
  const isNew = (record: WireRecord) => exact.every((one) => idOf(collection, one) !== idOf(collection, record));
  return [...exact, ...found.filter(isNew)];
}

export interface Counted {
  total: number;
  /** There are more, which the service does not count. */
  totalIsAtLeast?: true;
}

/** Records that are counted without anybody asking. To count so many takes no time, however many there are. */
const COUNTED_AT_ONCE = 10_000;

/** Reads the number of matching records, counted up to `most`. "exact" is slow on large collections: only for whoever asks for it. */
export function countQuery(client: Client, collection: Collection, query: ListQuery, most: number | "exact" = COUNTED_AT_ONCE) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "count", query, most],
    retry: false,
    queryFn: async ({ signal }): Promise<Counted> => {
      const params = { ...query, limit: "1", count: String(most) };
      const { json } = await client.request("GET", collectionPath(collection.name), { query: params, signal });
      const { total, totalIsAtLeast } = json as Counted;
      return { total, ...(totalIsAtLeast && { totalIsAtLeast }) };
    },
  });
}

/** Call after a new sign-in. What is shown stays until the new permissions have arrived, because someone may be typing. */
export function invalidatePermissions(queries: QueryClient): Promise<void> {
  queries.removeQueries({ queryKey: keys.permissions, type: "inactive" });
  return queries.invalidateQueries({ queryKey: keys.permissions });
}

export function idOf(collection: Collection, record: WireRecord): number {
  return record[collection.key.name] as number;
}
