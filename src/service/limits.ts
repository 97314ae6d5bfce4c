import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { LIMITS_PATH } from "../../core/contract/paths.ts";

export function limitsQuery(client: Client) {
  return queryOptions({
    queryKey: ["limits"],
    staleTime: Number.POSITIVE_INFINITY, // they change only when the service restarts
    retry: false,
    queryFn: async ({ signal }): Promise<Record<string, number>> => {
      const { json } = await client.request("GET", LIMITS_PATH, { signal });
      return json as Record<string, number>;
    },
  });
}
