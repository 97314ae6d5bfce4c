// API keys: reading the list, making one and revoking one.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { ApiKey } from "../../core/contract/keys.ts";
import { KEYS_PATH } from "../../core/contract/paths.ts";

/** The answer that has the secret, for the only time. */
export interface CreatedKey extends ApiKey {
  key: string;
}

export interface KeyOrder {
  name: string;
  /** Has scope or roles; see ApiKey. */
  scope?: string;
  roles?: readonly string[];
  /** RFC 3339; null: never. */
  expiresAt: string | null;
}

export function apiKeysQuery(client: Client) {
  return queryOptions({
    queryKey: ["api keys"],
    retry: false,
    queryFn: async ({ signal }): Promise<ApiKey[]> => {
      const { json } = await client.request("GET", KEYS_PATH, { signal });
      return (json as { keys: ApiKey[] }).keys;
    },
  });
}

export async function createApiKey(client: Client, order: KeyOrder): Promise<CreatedKey> {
  return (await client.request("POST", KEYS_PATH, { body: order })).json as CreatedKey;
}

export async function revokeApiKey(client: Client, id: string): Promise<void> {
  await client.request("DELETE", `${KEYS_PATH}/${encodeURIComponent(id)}`);
}
