// The list of drafts of the dictionary. The start page reads it, and nothing else of the dictionary's editor.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { DictionaryDraft } from "../../core/contract/dictionary.ts";
import { DRAFTS_PATH } from "../../core/contract/paths.ts";

export const DRAFT_KEYS = ["dictionary drafts"] as const;

export interface Drafts {
  drafts: readonly DictionaryDraft[];
  /** A file is the dictionary: drafts can be downloaded and not applied. */
  isFile: boolean;
  /** Another person than the one who changed a draft last applies it. */
  needsApproval: boolean;
}

export function draftsQuery(client: Client) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "all"],
    queryFn: async ({ signal }) => (await client.request("GET", DRAFTS_PATH, { signal })).json as Drafts,
    refetchOnMount: "always",
  });
}
