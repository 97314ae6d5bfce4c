import type { QueryClient } from "@tanstack/react-query";
import type { Principal } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { compareNames } from "../../core/text/compare-names.ts";
import { cachedPages } from "./related-records.ts";

/** Names who wrote the records of this collection's lists that were read lately, in the order of their names. */
export function seenPrincipals(queries: QueryClient, collection: Collection): Principal[] {
  const records = cachedPages(queries, collection).flatMap(({ page }) => page.records);
  const seen = new Map(records.flatMap(({ createdBy, updatedBy }) => [createdBy, updatedBy]).map((who) => [who?.id, who]));
  return [...seen.values()].filter((who) => !!who).sort((a, b) => compareNames(a.name, b.name));
}
