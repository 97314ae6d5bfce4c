// Reads what the service keeps of uploads and batch runs: their reports, and the rows that they did not store.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { RUNS_PATH, runReportPath, runRowsPath } from "../../core/contract/paths.ts";
import type { Run, RunRow } from "../../core/contract/runs.ts";

/** Begins the keys of all that is read of runs. */
export const RUN_KEYS = ["runs"];
const ON_PAGE = 20;

interface RunPage {
  runs: Run[];
  next: string | null;
}

/** Reads the runs of all collections that the caller reads, newest first, page by page. */
export function runsQuery(client: Client) {
  return infiniteQueryOptions({
    queryKey: [...RUN_KEYS, "list"],
    queryFn: async ({ pageParam, signal }): Promise<RunPage> =>
      (await client.request("GET", RUNS_PATH, { query: { before: pageParam, limit: String(ON_PAGE) }, signal })).json as RunPage,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: RunPage) => next ?? undefined,
    staleTime: 0,
  });
}

/** Reads the report of a run; null where the service has none. */
export function runReportQuery(client: Client, run: string) {
  return queryOptions({
    queryKey: [...RUN_KEYS, "report", run],
    queryFn: async ({ signal }): Promise<Run | null> => {
      try {
        return (await client.request("GET", runReportPath(run), { signal })).json as Run;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: 0,
  });
}

/** Reads the first rows that a run did not store. */
export function firstRowsQuery(client: Client, { id, round, reportedAt }: Run) {
  return queryOptions({
    queryKey: [...RUN_KEYS, "rows", id, round, reportedAt],
    queryFn: async ({ signal }): Promise<RunRow[]> => (await readRows(client, id, 0, signal)).rows,
    staleTime: 0,
  });
}

/** Reads all rows that a run did not store and the service keeps. */
export async function readAllRows(client: Client, run: string): Promise<RunRow[]> {
  const all: RunRow[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { rows: RunRow[]; next: number | null } = await readRows(client, run, after);
    all.push(...page.rows);
    after = page.next;
  }
  return all;
}

async function readRows(client: Client, run: string, after: number, signal?: AbortSignal) {
  const { json } = await client.request("GET", runRowsPath(run), { query: { after: String(after) }, ...(signal && { signal }) });
  return json as { rows: RunRow[]; next: number | null };
}
