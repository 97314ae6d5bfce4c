import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { ME_PATH } from "../../core/contract/paths.ts";
import type { Me } from "../../core/contract/people.ts";
import { keys } from "./records.ts";

/** Reads the caller and what it may do. Read again after each sign-in. */
export function meQuery(client: Client) {
  return queryOptions({
    queryKey: [...keys.permissions, "me"],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await client.request("GET", ME_PATH, { signal })).json as Me,
  });
}
