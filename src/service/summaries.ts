// Counts and sums a list in groups.

import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { type Summary, summarizeRecords } from "../../client/read-records.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { filterName } from "../../core/dictionary/filters.ts";
import { idOf, keys, type ListQuery, requestList } from "./records.ts";

/** The groups that a panel has room for, the largest first or in the order of their days. */
const AT_ONCE = 50;

/** `match`: the parameters that choose the records. `parent`: by whose records they are grouped; all their names come with one request. */
export function summaryQuery(client: Client, collection: Collection, match: ListQuery, asked: ListQuery, parent?: Collection) {
  const query = { ...match, ...asked, limit: String(AT_ONCE), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  return queryOptions({
    queryKey: [...keys.lists(collection), "summary", query],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal, client: queries }): Promise<Summary> => {
      const summary = await summarizeRecords(client, collection.name, query, signal);
      if (parent) await keepParentsOf(queries, client, parent, summary.groups, asked.group ?? "", signal);
      return summary;
    },
  });
}

async function keepParentsOf(
  queries: QueryClient,
  client: Client,
  parent: Collection,
  groups: Summary["groups"],
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const ids = groups.flatMap((group) => group[name] ?? []);
  if (ids.length === 0) return;
  const found = await requestList(client, parent, { [filterName(parent.key.name, "in")]: ids.join(","), limit: String(AT_ONCE) }, signal);
  for (const record of found[parent.name] as WireRecord[]) queries.setQueryData(keys.parent(parent.name, idOf(parent, record)), record);
}
