// Reads what gives access to an account besides the password, and what its owner is told about it.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { ACCESS_PATH, ME_PATH, NOTICES_PATH, SESSIONS_PATH, USERS_PATH } from "../../core/contract/paths.ts";
import type { LastingAccess, SecurityNotice } from "../../core/contract/people.ts";

/** Lists one's own without this session, unless given a person's id. Is read anew each time, because it is a question of what is there now. */
export function accessQuery(client: Client, userId?: string) {
  const path = userId === undefined ? ME_PATH : `${USERS_PATH}/${encodeURIComponent(userId)}`;
  return queryOptions({
    queryKey: ["people", "access", userId ?? "own"],
    retry: false,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      ((await client.request("GET", path + ACCESS_PATH, { signal })).json as { access: LastingAccess[] }).access,
  });
}

/** Ends one's other sessions, and all other access whose ids are not in `keep`. */
export async function endOtherAccess(client: Client, keep: readonly string[]): Promise<void> {
  await client.request("DELETE", ME_PATH + SESSIONS_PATH, { query: { keep: keep.join(",") } });
}

export function noticesQuery(client: Client) {
  return queryOptions({
    queryKey: ["people", "notices"],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY, // with the next page load
    queryFn: async ({ signal }) =>
      ((await client.request("GET", ME_PATH + NOTICES_PATH, { signal })).json as { notices: SecurityNotice[] }).notices,
  });
}

export async function dismissNotice(client: Client, id: string): Promise<void> {
  await client.request("DELETE", `${ME_PATH}${NOTICES_PATH}/${encodeURIComponent(id)}`);
}
