// Says when the service has another dictionary, or the user other rights.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { DICTIONARY_PATH } from "../../core/contract/paths.ts";
import type { Dictionary } from "./dictionary.ts";

const ASK_EVERY = 60_000; // ms

/** Says whether there is another dictionary by now, or the user sees other parts of it, fields or records. Asked while the tab is seen. */
export function dictionaryNewsQuery(
  client: Client,
  { etag, rights }: { etag: Dictionary["etag"] | undefined; rights: Dictionary["rights"] | undefined },
) {
  return queryOptions({
    queryKey: ["dictionary news", etag, rights],
    async queryFn({ signal }) {
      const { headers } = await client.request("HEAD", DICTIONARY_PATH, { signal });
      return headers.get("ETag") !== etag || headers.get("Intake-Rights") !== rights;
    },
    initialData: false,
    staleTime: ASK_EVERY,
    refetchInterval: ASK_EVERY,
    refetchOnWindowFocus: "always",
    enabled: Boolean(etag),
    retry: false,
  });
}
