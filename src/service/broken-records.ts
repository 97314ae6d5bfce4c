// Lists the records that break rules, sets some of them apart, and reads how the counts went.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import {
  type Broken,
  type Exception,
  exceptionPath,
  type ViolationDay,
  type ViolationPage,
  violationsPath,
} from "../../core/contract/violations.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readByIds } from "./bulk.ts";
import { idOf, keys, parentsBy } from "./records.ts";

const AT_ONCE = 1_000; // records, the most that the service answers
const MOST = 100_000; // records held in memory

export function violationDaysQuery(client: Client, collection: Collection) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "violations", "days"],
    queryFn: async ({ signal }) => {
      const { json } = await client.request("GET", violationsPath(collection.name), { query: { days: "true" }, signal });
      return (json as { days: ViolationDay[] }).days;
    },
    retry: false,
  });
}

/** `isExcepted`: instead of those that are counted, those that break the rule on purpose. */
export function violationPageQuery(client: Client, collection: Collection, rule: Broken, isExcepted: boolean, cursor?: string) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "violations", rule, isExcepted, cursor ?? null],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) =>
      requestPage(client, collection, rule, { limit: "25", cursor, exceptions: isExcepted ? "true" : undefined }, signal),
  });
}

/** Reads all records that break the rule, or the first hundred thousand. */
export async function readViolations(client: Client, collection: Collection, rule: Broken): Promise<WireRecord[]> {
  const found: WireRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const { records, next } = await requestPage(client, collection, rule, { limit: String(AT_ONCE), cursor });
    found.push(...records);
    if (next === undefined || found.length >= MOST) return found;
    cursor = next;
  }
}

async function requestPage(
  client: Client,
  collection: Collection,
  { constraint, rule, field }: Broken,
  page: Record<string, string | undefined>,
  signal?: AbortSignal,
): Promise<ViolationPage> {
  const query = { ...page, ...(rule === undefined ? { constraint, field } : { rule }) };
  const { json } = await client.request("GET", violationsPath(collection.name), { query, signal });
  const reply = json as { next?: string; exceptions?: Exception[] } & Record<string, unknown>;
  const records = reply[collection.name] as WireRecord[];
  const { next, exceptions = [] } = reply;
  return { records: parentsBy(collection.label).length > 0 ? await withParents(client, collection, records) : records, next, exceptions };
}

/** Returns the records as a list has them, with the parents by which they are called. */
async function withParents(client: Client, collection: Collection, records: readonly WireRecord[]): Promise<WireRecord[]> {
  const ids = records.map((record) => idOf(collection, record));
  const found = new Map((await readByIds(client, collection, ids)).map((record) => [idOf(collection, record), record]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Leaves the records as they are on purpose; without a reason they count again. Each is asked for by itself. */
export async function setExceptions(
  client: Client,
  collection: Collection,
  { rule, constraint, field }: Broken,
  ids: readonly number[],
  reason: string | undefined,
): Promise<void> {
  const query = rule === undefined ? { field } : {};
  for (const id of ids) {
    const path = exceptionPath(collection.name, rule ?? constraint, id);
    if (reason === undefined) await client.request("DELETE", path, { query });
    else await client.request("PUT", path, { query, body: { reason } });
  }
}
