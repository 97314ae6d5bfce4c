import { useQuery } from "@tanstack/react-query";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { useServices } from "../../app/services/services.ts";
import { optionsQuery } from "../../service/references.ts";
import { TYPING_PAUSE_MS, useDebounced } from "../../ui/use-debounced.ts";

export interface Found {
  /** Holds those of the search before while a search runs. */
  records: readonly WireRecord[];
  /** They were found with the words that are typed now. */
  isFresh: boolean;
  isSearching: boolean;
  error: Error | null;
}

/** Returns the records that a picker offers for these words. `held`: as of optionsQuery. */
export function useFound(parent: Collection, words: string, held: Readonly<Record<string, string>>, isWanted: boolean): Found {
  const { client } = useServices();
  const q = useDebounced(words, TYPING_PAUSE_MS);
  const { data, error, isPlaceholderData } = useQuery({ ...optionsQuery(client, parent, q, held), enabled: isWanted });
  const isFresh = q === words && data !== undefined && !isPlaceholderData && !error;
  return { records: error ? [] : (data ?? []), isFresh, isSearching: isWanted && !error && !isFresh, error };
}
