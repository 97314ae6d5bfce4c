// Sample data is a run under a name of its own, so that it can be taken back by others and on any computer.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { undoPart, writeRecords } from "../../client/write-records.ts";
import type { ActivityPage } from "../../core/contract/history.ts";
import { ACTIVITY_PATH } from "../../core/contract/paths.ts";
import type { Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { parentsFirst } from "../../core/dictionary/parents-first.ts";
import { t } from "../../core/i18n/translate.ts";
import { readByIds } from "./bulk.ts";
import { invalidateCollection } from "./cache-updates.ts";

const SAMPLE_RUN = "sample-data";
/** The rights to add the sample and to remove it again: it is offered to nobody who lacks one. */
export const SAMPLE_RIGHTS: readonly Right[] = ["create", "update", "delete"];

const MOST_ASKED = "200"; // the most that the service lists at once

/** Counts, for each collection, the records of the sample that are there and as they were made: what was changed since is somebody's own by now. */
export function sampleLeftQuery(client: Client, collections: readonly Collection[]) {
  const names = collections.map(({ name }) => name).join(",");
  return queryOptions({
    queryKey: ["sample", names],
    retry: false,
    enabled: names !== "",
    queryFn: async ({ signal }): Promise<number[]> => {
      const query = { run: SAMPLE_RUN, collection: names, operation: "created", limit: MOST_ASKED };
      const { activity } = (await client.request("GET", ACTIVITY_PATH, { query, signal })).json as ActivityPage;
      const count = async (one: Collection) => {
        const ids = activity.flatMap(({ collection, objectId }) => (collection === one.name ? objectId : []));
        return (await readByIds(client, one, ids)).filter(({ version }) => version === 1).length;
      };
      return Promise.all(collections.map(count));
    },
  });
}

interface SampleRecords {
  collection: Collection;
  records: readonly unknown[];
}

/**
 * Adds records of a sample, parents first. `sendKey`: of this press, so that they are sent again without adding them twice. Throws ApiError,
 * NoReply, and Error when the service refuses one.
 */
export async function addSample(client: Client, queries: QueryClient, samples: readonly SampleRecords[], sendKey: string): Promise<void> {
  try {
    for (const { collection, records } of samples) {
      const options = { source: `upload; run=${SAMPLE_RUN}`, idempotencyKey: `${sendKey}-${collection.name}` };
      const { summary } = await writeRecords(client, collection.name, records, options);
      if (summary.failed > 0) throw new Error(t("Not all of the sample data could be added."));
    }
  } finally {
    const collections = samples.map(({ collection }) => collection);
    await refreshSample(queries, collections);
  }
}

/** Takes the sample back, and returns how many records of it stay because somebody has changed them. Throws ApiError and NoReply. */
export async function removeSample(client: Client, queries: QueryClient, collections: readonly Collection[]): Promise<number> {
  let kept = 0;
  try {
    const names = collections.map(({ name }) => name);
    for (const name of parentsFirst(names, collections).reverse()) {
      // A parent can go only when nothing refers to it any more.
      for (let after: string | null | undefined; after !== null; ) {
        const reply = await undoPart(client, name, { run: SAMPLE_RUN, after });
        kept += reply.kept + reply.failed;
        after = reply.next;
      }
    }
  } finally {
    await refreshSample(queries, collections);
  }
  return kept;
}

/** Call after the sample was added or removed. */
export async function refreshSample(queries: QueryClient, collections: readonly Collection[]): Promise<void> {
  await Promise.all([
    ...collections.map((collection) => invalidateCollection(queries, collection)),
    ...["activity", "sample"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
  ]);
}
