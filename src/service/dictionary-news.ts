// Says when the service has another dictionary, or the user other rights.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { DICTIONARY_PATH, NAMES_PATH } from "../../core/contract/paths.ts";
import type { Dictionary } from "./dictionary.ts";

const ASK_EVERY = 60_000; // ms

/** Is the key of what asks whether there is another dictionary; whoever hears of one makes it ask at once. */
export const DICTIONARY_NEWS = ["dictionary news"];

/** Says whether there is another dictionary by now, or the user sees other parts of it, fields or records, or people have other names. Asked while the tab is seen. */
export function dictionaryNewsQuery(
  client: Client,
  { etag, rights, peopleTag }: { [Tag in "etag" | "rights" | "peopleTag"]: Dictionary[Tag] | undefined },
) {
  return queryOptions({
    queryKey: [...DICTIONARY_NEWS, etag, rights, peopleTag],
    async queryFn({ signal }) {
      const { headers } = await client.request("HEAD", DICTIONARY_PATH, { signal });
      if (headers.get("ETag") !== etag || headers.get("Intake-Rights") !== rights) return "dictionary";
      return peopleTag && (await client.request("HEAD", NAMES_PATH, { signal })).headers.get("ETag") !== peopleTag ? "people" : false;
    },
    initialData: false as const,
    staleTime: ASK_EVERY,
    refetchInterval: ASK_EVERY,
    refetchOnWindowFocus: "always",
    enabled: Boolean(etag),
    retry: false,
  });
}
