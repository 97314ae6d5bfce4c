// Compares a page of a list that is shown with what it would be if it were read now.

import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "../../../client/http-client.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { filterName, MAX_FILTER_VALUES } from "../../../core/dictionary/filters.ts";
import { idOf, type ListQuery, listQuery, type Page } from "../../service/records.ts";
import { readFirstPage } from "../../service/related-records.ts";

export interface PageNews {
  /** Holds the page as it is shown from now on: the same rows in the same places, with the values of now. */
  page: Page;
  /** The rows that have other values than before. */
  changed: WireRecord[];
  /** The keys of rows whose records are deleted. */
  deleted: number[];
  /** Records that would stand on the page and do not. */
  added: WireRecord[];
}

/** Puts the values of now into the rows that are shown. Undefined when the page is not shown, or is being read anew. */
export async function refreshPage(
  queries: QueryClient,
  client: Client,
  collection: Collection,
  query: ListQuery,
): Promise<PageNews | undefined> {
  const { queryKey } = listQuery(client, collection, query);
  const shown = queries.getQueryData(queryKey);
  if (!shown) return undefined;
  const keyOf = (record: WireRecord) => idOf(collection, record);
  const ids = shown.records.map(keyOf);
  const there = await readFirstPage(client, collection, query);
  const added = there.filter((record) => !ids.includes(keyOf(record)));
  const now = new Map(there.map((record) => [keyOf(record), record]));
  // They may have moved to another page, or not match any more.
  const elsewhere = ids.filter((id) => !now.has(id)).slice(0, MAX_FILTER_VALUES);
  if (elsewhere.length > 0) {
    const byId = { [filterName(collection.key.name, "in")]: elsewhere.join(","), limit: String(elsewhere.length) };
    for (const record of await readFirstPage(client, collection, byId)) now.set(keyOf(record), record);
  }
  const state = queries.getQueryState(queryKey);
  if (state?.data !== shown || state.fetchStatus === "fetching") return undefined;
  const newerOf = (record: WireRecord) => {
    const found = now.get(keyOf(record));
    return found && found.version > record.version ? found : undefined;
  };
  const records = shown.records.map((record) => newerOf(record) ?? record);
  const page = queries.setQueryData(queryKey, { ...shown, records }, { updatedAt: state.dataUpdatedAt }) ?? shown;
  const changed = shown.records.flatMap((record) => newerOf(record) ?? []);
  return { page, changed, deleted: elsewhere.filter((id) => !now.has(id)), added };
}
