import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { SIGN_IN_PATH } from "../../core/contract/paths.ts";
import type { SignInWays } from "../../core/contract/people.ts";

/** A service from before there were people has only API keys. */
const KEYS_ONLY: SignInWays = { hasUsers: false, signUp: "invite", canMailLinks: false, oidc: null };

export function signInWaysQuery(client: Client) {
  return queryOptions({
    queryKey: ["ways to sign in"],
    retry: false,
    queryFn: async ({ signal }): Promise<SignInWays> => {
      try {
        return (await client.request("GET", SIGN_IN_PATH, { open: true, signal })).json as SignInWays;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return KEYS_ONLY;
        throw error;
      }
    },
  });
}
