// Counts the stored records that break rules of today.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { type ViolationCounts, violationsPath } from "../../core/contract/violations.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { keys } from "./records.ts";

/** Its key is one of the lists', so that whoever changes records has it read anew. */
export function violationCountsQuery(client: Client, collection: Collection) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "violations"],
    queryFn: async ({ signal }) => (await client.request("GET", violationsPath(collection.name), { signal })).json as ViolationCounts,
    retry: false,
  });
}
