// A search for records by what the palette was typed.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { keys, requestList, withExact } from "./records.ts";

const MOST = 5; // records of a collection

export interface Searched {
  records: WireRecord[];
  /** The search that found them, where it is not the one that was typed. */
  meant?: string;
}

/** The first records of a search, or of the search that was probably meant if it finds nothing. */
export function searchQuery(client: Client, collection: Collection, q: string) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "search", q],
    retry: false,
    queryFn: async ({ signal }): Promise<Searched> => {
      const limit = String(MOST);
      const answer = await requestList(client, collection, { q, limit, hints: "true" }, signal);
      const records = withExact(collection, answer);
      const [meant] = (answer as { didYouMean?: string[] }).didYouMean ?? [];
      if (records.length > 0 || !meant) return { records };
      return { records: withExact(collection, await requestList(client, collection, { q: meant, limit }, signal)), meant };
    },
  });
}
