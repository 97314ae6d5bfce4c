// Drafts and versions of the dictionary, for whoever may shape it.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { BroughtRole, DictionaryImpact, DictionaryVersion, FormerName, WholeDraft } from "../../core/contract/dictionary.ts";
import { DRAFTS_PATH, FORMER_NAMES_PATH, VERSIONS_PATH } from "../../core/contract/paths.ts";
import type { Package } from "../../core/dictionary/packages.ts";
import { type Current, ifMatch } from "./current.ts";
import { DRAFT_KEYS } from "./open-drafts.ts";

const pathOf = (id: string, more = "") => `${DRAFTS_PATH}/${encodeURIComponent(id)}${more}`;

export type OpenDraft = Omit<WholeDraft, "package"> & { package: Package };

export function draftQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, id],
    queryFn: async ({ signal }): Promise<Current<OpenDraft>> => {
      const { json, headers } = await client.request("GET", pathOf(id), { signal });
      return { now: json as OpenDraft, etag: headers.get("ETag") };
    },
    refetchOnMount: "always",
    refetchOnWindowFocus: false, // what is typed meanwhile would stand against it
  });
}

/** `counted`: the ETag of the draft, whose other versions have another impact. */
export function impactQuery(client: Client, id: string, counted: string | null) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, id, "impact", counted],
    queryFn: ({ signal }) => readImpact(client, id, undefined, signal),
    retry: false,
    staleTime: 0,
  });
}

/** Counts rules on with the cursor of an answer. */
export async function readImpact(client: Client, id: string, cursor: string | undefined, signal: AbortSignal): Promise<DictionaryImpact> {
  const query = cursor === undefined ? {} : { cursor };
  return (await client.request("GET", pathOf(id, "/impact"), { query, signal })).json as DictionaryImpact;
}

export function versionsQuery(client: Client) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "versions"],
    queryFn: async ({ signal }) =>
      ((await client.request("GET", VERSIONS_PATH, { signal })).json as { versions: DictionaryVersion[] }).versions,
    refetchOnMount: "always",
  });
}

/** Reads the names that fields had before and that still work, with their uses. */
export function formerNamesQuery(client: Client) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "former names"],
    queryFn: async ({ signal }) => ((await client.request("GET", FORMER_NAMES_PATH, { signal })).json as { names: FormerName[] }).names,
    staleTime: 60_000,
  });
}

/** Reads the data package of a version, which never changes. */
export function versionQuery(client: Client, version: number) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "version", version],
    queryFn: async ({ signal }) => (await client.request("GET", `${VERSIONS_PATH}/${version}`, { signal })).json as Package,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Begins with the package of the version that is served, unless one is given. `base`: the version from which that one differs, if it is another. */
export async function createDraft(client: Client, order: { title: string; package?: Package; base?: number }): Promise<OpenDraft> {
  return (await client.request("POST", DRAFTS_PATH, { body: order })).json as OpenDraft;
}

/** Changes only the version with this ETag. */
export async function changeDraft(
  client: Client,
  id: string,
  change: { comment?: string; package?: Package },
  etag: string | null,
): Promise<Current<OpenDraft>> {
  const { json, headers } = await client.request("PATCH", pathOf(id), { body: change, headers: ifMatch(etag) });
  return { now: json as OpenDraft, etag: headers.get("ETag") };
}

/** Brings the draft to the version that is served. `prefer`: whose value counts where both changed the same. */
export async function bringDraftUp(
  client: Client,
  id: string,
  prefer: "mine" | "theirs",
  etag: string | null,
): Promise<Current<OpenDraft>> {
  const { json, headers } = await client.request("PATCH", pathOf(id), { body: { prefer }, headers: ifMatch(etag) });
  return { now: json as OpenDraft, etag: headers.get("ETag") };
}

export async function discardDraft(client: Client, id: string): Promise<void> {
  await client.request("DELETE", pathOf(id));
}

interface AppliedDraft {
  version: number;
  notes: string[];
  roles?: readonly BroughtRole[];
}

export async function applyDraft(client: Client, id: string, etag: string | null): Promise<AppliedDraft> {
  return (await client.request("POST", pathOf(id, "/apply"), { headers: ifMatch(etag) })).json as AppliedDraft;
}
