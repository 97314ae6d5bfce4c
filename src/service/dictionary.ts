// Fetches the data dictionary, and the template file of a collection.

import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { DICTIONARY_PATH } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readCollections } from "../../core/dictionary/read-collections.ts";
import { currentCatalogue, t } from "../../core/i18n/translate.ts";
import { explainNoReply, UnreachableError } from "./reachability.ts";

export interface Dictionary {
  title: string;
  collections: Collection[];
  /** Belongs to the answer from which it was read. */
  etag?: string | null;
  /** Changes once the caller's rights do. */
  rights?: string | null;
  /** Changes once people have other names; left out where no field names people. */
  peopleTag?: string;
}

export function dictionaryQuery(client: Client) {
  return queryOptions({
    queryKey: ["dictionary", currentCatalogue().language],
    queryFn: ({ signal }) => fetchDictionary(client, signal),
    retry: false, // the page shows the error and retries
    staleTime: Number.POSITIVE_INFINITY, // dictionary-news.ts says when there is another
  });
}

/** Finds what not every package has, and what reads it. */
const HAS_MORE =
  /"(foreignKeys|uniqueKeys|categories|visibleIf|requiredIf|choicesIf|default|computed|sticky|sections|autoNumber|caseless)"/;

async function fetchDictionary(client: Client, signal: AbortSignal): Promise<Dictionary> {
  const { json, text, headers } = await client.request("GET", DICTIONARY_PATH, { signal }).catch(async (error) => {
    const isElsewhere = error instanceof ApiError && error.status === 404; // every Intake service has this address
    throw isElsewhere ? new UnreachableError("notIntake", client.baseUrl, error.status) : await explainNoReply(error, client);
  });
  if (json === undefined) throw new UnreachableError("notIntake", client.baseUrl); // a web page: the host answers every address with one
  const hasMore = HAS_MORE.test(text);
  const { READ_PARTS = {} } = hasMore ? await import("../../core/dictionary/read-parts.ts") : {};
  const ofFiles = /"format":\s?"file"/.test(text) ? await import("../../core/dictionary/read-files.ts") : {};
  const read = readCollections(json, currentCatalogue().language, { ...READ_PARTS, ...ofFiles });
  if ("mistakes" in read) {
    const [first] = read.mistakes;
    throw new Error(t("The service's data dictionary cannot be read: {path} {mistake}.", { path: first?.path, mistake: first?.message }));
  }
  const peopleTag = /"format":\s?"person"/.test(text)
    ? await (await import("./known-people.ts")).addPeople(client, read.collections, signal)
    : undefined;
  return { ...read, etag: headers.get("ETag"), rights: headers.get("Intake-Rights"), ...(peopleTag && { peopleTag }) };
}
