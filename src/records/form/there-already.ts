import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { refetchRecord } from "../../service/cache-updates.ts";

/**
 * Reads the record that was in the way when `id` could not be restored with `error`. Undefined unless the error says that one is there
 * (412); null when it cannot be read.
 */
export async function findThere(
  queries: QueryClient,
  client: Client,
  collection: Collection,
  id: number,
  error: Error,
): Promise<WireRecord | null | undefined> {
  if (!(error instanceof ApiError) || error.status !== 412) return undefined;
  return refetchRecord(queries, client, collection, id).catch(() => null); // then the service's own sentence is shown
}

/** Says why a record was not restored: who has brought it back, or made it anew under its key. */
export function thereAlready({ updatedBy }: Pick<WireRecord, "updatedBy">): string {
  return updatedBy
    ? t("{name} has brought it back or made it anew meanwhile. Nothing was done.", { name: updatedBy.name })
    : t("Somebody has brought it back or made it anew meanwhile. Nothing was done.");
}
