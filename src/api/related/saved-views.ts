import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import { VIEWS_PATH } from "../../../core/contract/paths.ts";
import type { View } from "../../../core/contract/views.ts";

export const VIEW_KEYS = ["views"];

/** The views of all collections that the caller sees, in their order; null from an older service, which keeps none. */
export function viewsQuery(client: Client) {
  return queryOptions({
    queryKey: VIEW_KEYS,
    queryFn: async ({ signal }): Promise<readonly View[] | null> => {
      try {
        return ((await client.request("GET", VIEWS_PATH, { signal })).json as { views: View[] }).views;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}
