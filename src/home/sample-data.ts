// Sample data is a run under a name of its own, so that it can be taken back by others and on any computer.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { undoPart } from "../../client/write-records.ts";
import type { ActivityPage } from "../../core/contract/history.ts";
import { ACTIVITY_PATH } from "../../core/contract/paths.ts";
import type { Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readByIds } from "../service/bulk.ts";
import { invalidateCollection } from "../service/cache-updates.ts";

export const SAMPLE_RUN = "sample-data";
/** The fields that the records of the sample have. */
export const SAMPLE_FIELDS = ["firstName", "lastName", "accountID"] as const;
/** The rights to add the sample and to remove it again: it is offered to nobody who lacks one. */
export const SAMPLE_RIGHTS: readonly Right[] = ["create", "update", "delete"];

const MOST_ASKED = "200"; // the most that the service lists at once

/** Counts the records of the sample that are there and as they were made: what was changed since is somebody's own by now. */
export function sampleLeftQuery(client: Client, collection: Collection) {
  return queryOptions({
    queryKey: [collection.name, "sample"],
    retry: false,
    queryFn: async ({ signal }): Promise<number> => {
      const query = { run: SAMPLE_RUN, collection: collection.name, operation: "created", limit: MOST_ASKED };
      const { activity } = (await client.request("GET", ACTIVITY_PATH, { query, signal })).json as ActivityPage;
      const records = await readByIds(
        client,
        collection,
        activity.map(({ objectId }) => objectId),
      );
      return records.filter(({ version }) => version === 1).length;
    },
  });
}

/** Takes the sample back, and returns how many records of it stay because somebody has changed them. Throws ApiError and NoReply. */
export async function removeSample(client: Client, queries: QueryClient, collection: Collection): Promise<number> {
  let kept = 0;
  try {
    for (let after: string | null | undefined; after !== null; ) {
      const reply = await undoPart(client, collection.name, { run: SAMPLE_RUN, after });
      kept += reply.kept + reply.failed;
      after = reply.next;
    }
  } finally {
    await refresh(queries, collection);
  }
  return kept;
}

/** Call after the sample was added or removed. */
export async function refresh(queries: QueryClient, collection: Collection): Promise<void> {
  await Promise.all([invalidateCollection(queries, collection), queries.invalidateQueries({ queryKey: ["activity"] })]);
}
