// Looks through all stored records for those that an uploaded file has no row for.

import { ApiError, NoReply } from "../../../client/errors.ts";
import { createClient } from "../../../client/http-client.ts";
import { allRecords } from "../../../client/read-records.ts";
import { withRetries } from "../../../client/retries.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { responseMessages } from "../../../core/i18n/client-messages.ts";
import { t } from "../../../core/i18n/translate.ts";
import { FileError } from "../../../pipeline/model/file-error.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import {
  comparedQuery,
  comparedWith,
  findMissing,
  type LookUpNames,
  type MissingRecords,
  mergedInFile,
  metNames,
  namesInFile,
} from "../../../pipeline/runs/missing-records.ts";
import { lookUp } from "../../../pipeline/sending/find-records.ts";

export const MOST_MISSING = 10_000; // records, which the list then has selected

interface UploadedFile {
  file: File;
  collection: Collection;
  plan: Plan;
}

/** `refused`: a sentence that says why nothing can be compared. */
export type MissingFound = MissingRecords | { refused: string };

/** Rejects when the signal is aborted. */
export async function findMissingIn(
  { file, collection, plan }: UploadedFile,
  { baseUrl, token }: { baseUrl: string; token: string },
  signal: AbortSignal,
): Promise<MissingFound> {
  const named = await namesInFile({ file, plan }, collection, signal).catch((error: unknown) => {
    if (error instanceof FileError) return { status: "unread" as const, message: error.message };
    throw error;
  });
  if (named.status === "unread") return { refused: named.message };
  if (named.status === "empty") return { refused: t("This file has a heading but no rows.") };
  if (named.status === "nameless")
    return {
      refused: t("Line {line} does not say which record it means, so it is not known which ones the file lacks.", { line: named.line }),
    };
  if (named.status === "indirect")
    return { refused: t("No column is {field} itself, so stored records cannot be compared with the rows.", { field: named.field.title }) };
  // The page renews a token that is old before it asks for this, which takes a minute or two at most.
  const session = { token: () => token, renew: () => Promise.reject(new ApiError(401)) };
  const client = createClient({ baseUrl, session, messages: responseMessages });
  const patient = {
    ...client,
    request: (...asked: Parameters<typeof client.request>) => withRetries(() => client.request(...asked), { signal }),
  };
  const pages = allRecords(patient, collection.name, comparedQuery(collection, plan.matchBy), signal);
  const met = metNames(plan.matchBy);
  const compare = comparedWith(named.names, collection, plan.matchBy, met);
  try {
    const found = await findMissing(pages, compare, collection.key.name, MOST_MISSING);
    if (found.ids.length === 0) return found;
    const ask: LookUpNames = (field, values) => lookUp(patient, collection, field, values, signal);
    const merged = await mergedInFile({ file, plan }, collection, met, ask, signal);
    return { ...found, ids: found.ids.filter((id) => !merged.has(id)) };
  } catch (error) {
    if (error instanceof ApiError || error instanceof NoReply || error instanceof FileError) return { refused: error.message };
    throw error;
  }
}
