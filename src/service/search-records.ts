// A search for records by what the palette was typed.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { searchRecords } from "../../client/read-records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";

const MOST = 5; // records of a collection

/** Reads the first records of a search in these collections, or of the search that was probably meant if it finds nothing. */
export function searchQuery(client: Client, collections: readonly Collection[], q: string) {
  const collection = collections.map(({ name }) => name).join(",");
  return queryOptions({
    queryKey: ["search", collection, q],
    retry: false,
    gcTime: 0, // nobody else finds later what was found now
    queryFn: ({ signal }) => searchRecords(client, q, { limit: String(MOST), collection }, signal),
  });
}
