// The data dictionary as the service sends it, read into collections, and a collection's template file.

import { queryOptions } from "@tanstack/react-query";
import { type Collection, readDataPackage } from "../../dictionary/collections.ts";
import { DICTIONARY_PATH, templatePath } from "../../dictionary/wire.ts";
import { ApiError, type Client, noService } from "./client.ts";

export interface Dictionary {
  title: string;
  collections: Collection[];
}

export function dictionaryQuery(client: Client) {
  return queryOptions({
    queryKey: ["dictionary"],
    queryFn: ({ signal }) => fetchDictionary(client, signal),
    retry: false, // whoever waits for it is told, and it is tried again from there
    staleTime: Number.POSITIVE_INFINITY, // it changes only when the service is deployed anew
  });
}

async function fetchDictionary(client: Client, signal: AbortSignal): Promise<Dictionary> {
  const json = await fetchPackage(client, signal);
  const read = readDataPackage(json);
  if ("mistakes" in read) {
    const [first] = read.mistakes;
    throw new Error(`The service's data dictionary cannot be read: ${first?.path} ${first?.message}.`);
  }
  return read;
}

async function fetchPackage(client: Client, signal: AbortSignal): Promise<unknown> {
  try {
    const { json } = await client.request("GET", DICTIONARY_PATH, { signal });
    if (json !== undefined) return json; // a host of plain files answers every address with a page
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  throw noService(client.baseUrl);
}

/** The file that users fill in: a header row that always matches. */
export async function fetchTemplate(client: Client, collection: Collection): Promise<Blob> {
  const { text } = await client.request("GET", templatePath(collection.name), { headers: { Accept: "text/csv" } });
  // Response.text() takes the BOM off; without it a spreadsheet would guess the encoding.
  return new Blob(["\uFEFF", text], { type: "text/csv" });
}
