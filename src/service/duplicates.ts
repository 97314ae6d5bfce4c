// Reads which stored records may be the same, and says of pairs that they are not.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { type DuplicatePage, differentPath, duplicatesPath, type SimilarRecord, similarPath } from "../../core/contract/duplicates.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { idOf, keys } from "./records.ts";

const AT_ONCE = "50"; // pairs

/** Its key is one of the lists', so that whoever changes records has it read anew. */
export function duplicatesQuery(client: Client, collection: Collection, cursor: string | undefined) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "duplicates", cursor ?? null],
    retry: false,
    queryFn: async ({ signal }): Promise<DuplicatePage<WireRecord>> => {
      const { json } = await client.request("GET", duplicatesPath(collection.name), { query: { limit: AT_ONCE, cursor }, signal });
      const { pairs, progress, next, ...others } = json as Omit<DuplicatePage<WireRecord>, "records">;
      return { pairs, progress, next, records: (others as Record<string, WireRecord[]>)[collection.name] ?? [] };
    },
  });
}

/** A stored record that is like the one that is typed. */
export type FoundSimilar = SimilarRecord & { record: WireRecord };

/** `typed`: values by the names of their fields, as JSON. */
export function similarQuery(client: Client, collection: Collection, typed: string) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "similar", typed],
    retry: false,
    queryFn: async ({ signal }): Promise<FoundSimilar[]> => {
      const body = { [collection.singular]: JSON.parse(typed) };
      const { json } = await client.request("POST", similarPath(collection.name), { body, signal });
      const { similar } = json as { similar: SimilarRecord[] };
      const records = (json as Record<string, WireRecord[]>)[collection.name] ?? [];
      return similar.flatMap((one) => {
        const record = records.find((other) => idOf(collection, other) === one.id);
        return record ? [{ ...one, record }] : [];
      });
    },
  });
}

/** Says that two records are not the same, or takes that back. */
export async function setDifferent(
  client: Client,
  collection: Collection,
  pair: { a: number; b: number },
  isDifferent: boolean,
): Promise<void> {
  const path = differentPath(collection.name, `${pair.a}-${pair.b}`);
  if (isDifferent) await client.request("PUT", path, { body: { same: false } });
  else await client.request("DELETE", path);
}
