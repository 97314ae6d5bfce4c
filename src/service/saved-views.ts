import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { VIEWS_PATH } from "../../core/contract/paths.ts";
import type { View } from "../../core/contract/views.ts";

export const VIEW_KEYS = ["views"];

/** Reads the views of all collections that the caller sees, in their order. */
export function viewsQuery(client: Client) {
  return queryOptions({
    queryKey: VIEW_KEYS,
    queryFn: async ({ signal }): Promise<readonly View[]> =>
      ((await client.request("GET", VIEWS_PATH, { signal })).json as { views: View[] }).views,
  });
}
