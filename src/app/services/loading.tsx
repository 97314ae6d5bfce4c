import type { UseQueryResult } from "@tanstack/react-query";
import { Skeleton } from "../../ui/primitives.tsx";
import { ErrorRetry } from "./error-retry.tsx";

/** Stands in the place of data that is being read, and says what went wrong with reading it. */
export function Loading({ query }: { query: UseQueryResult }) {
  const { data, error, errorUpdateCount, isFetching, refetch } = query;
  if (error) return <ErrorRetry error={error} failures={errorUpdateCount} isTrying={isFetching} retry={refetch} />;
  return data === undefined ? <Skeleton width="60%" /> : null;
}
