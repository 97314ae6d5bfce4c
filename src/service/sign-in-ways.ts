import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { SIGN_IN_PATH } from "../../core/contract/paths.ts";
import type { SignInWays } from "../../core/contract/people.ts";

export function signInWaysQuery(client: Client) {
  return queryOptions({
    queryKey: ["ways to sign in"],
    retry: false,
    queryFn: async ({ signal }) => (await client.request("GET", SIGN_IN_PATH, { open: true, signal })).json as SignInWays,
  });
}
