import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Offline, a request fails at once. The library's default would pause it and run it later without asking.
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: true, // "always" would turn it off
        staleTime: 5_000,
        // A 4xx stays one. Only a missing reply and a 5xx are worth a retry.
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
      },
    },
  });
}
