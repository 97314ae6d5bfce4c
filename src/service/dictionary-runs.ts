// Conversions of fields, and what is retired, for whoever may shape the dictionary.

import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { Computation, Conversion, ConversionOrder, ConversionPreview, RetiredPart } from "../../core/contract/dictionary.ts";
import { COMPUTATIONS_PATH, CONVERSIONS_PATH, RETIRED_PATH } from "../../core/contract/paths.ts";
import { DRAFT_KEYS } from "./open-drafts.ts";

const ASK_EVERY = 500; // ms, while something runs

export function previewQuery(client: Client, order: ConversionOrder) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "preview", order],
    queryFn: async ({ signal }) =>
      (await client.request("POST", CONVERSIONS_PATH, { body: { ...order, dryRun: true }, signal })).json as ConversionPreview,
    retry: false,
    staleTime: 0,
    placeholderData: (before) => before,
  });
}

export function conversionQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "conversion", id],
    queryFn: async ({ signal }) => (await client.request("GET", `${CONVERSIONS_PATH}/${id}`, { signal })).json as Conversion,
    refetchInterval: ({ state }) => (state.data && state.data.state !== "running" ? false : ASK_EVERY),
  });
}

export function conversionsQuery(client: Client) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "conversions"],
    queryFn: async ({ signal }) =>
      ((await client.request("GET", CONVERSIONS_PATH, { signal })).json as { conversions: Conversion[] }).conversions,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === "running") ? ASK_EVERY : false),
  });
}

export function computationsQuery(client: Client) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "computations"],
    queryFn: async ({ signal }) =>
      ((await client.request("GET", COMPUTATIONS_PATH, { signal })).json as { computations: Computation[] }).computations,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === "running") ? ASK_EVERY : false),
  });
}

export async function startConversion(client: Client, order: ConversionOrder): Promise<Conversion> {
  return (await client.request("POST", CONVERSIONS_PATH, { body: order })).json as Conversion;
}

export async function cancelConversion(client: Client, id: string): Promise<void> {
  await client.request("DELETE", `${CONVERSIONS_PATH}/${id}`);
}

export async function undoConversion(client: Client, id: string): Promise<Conversion> {
  return (await client.request("POST", `${CONVERSIONS_PATH}/${id}/undo`)).json as Conversion;
}

export function retiredQuery(client: Client) {
  return queryOptions({
    queryKey: [...DRAFT_KEYS, "retired"],
    queryFn: async ({ signal }) => ((await client.request("GET", RETIRED_PATH, { signal })).json as { retired: RetiredPart[] }).retired,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.some((one) => one.isEmptying) ? ASK_EVERY : false),
  });
}

/** `confirm`: its name. */
export async function emptyRetired(client: Client, id: string, confirm: string): Promise<void> {
  await client.request("DELETE", `${RETIRED_PATH}/${encodeURIComponent(id)}?confirm=${encodeURIComponent(confirm)}`);
}
