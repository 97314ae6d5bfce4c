// What several administrators may change at once is written only as it was read a moment before.

import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";

/** Holds what is stored now, and the ETag with which only this is overwritten. */
export interface Current<T> {
  now: T;
  etag: string | null;
}

/** Reads it, and puts it into the list where it stands. */
export async function readCurrent<T extends { id: string }>(
  client: Client,
  queries: QueryClient,
  path: string,
  list: QueryKey,
): Promise<Current<T>> {
  const { json, headers } = await client.request("GET", path);
  const now = json as T;
  queries.setQueryData<T[]>(list, (all) => all?.map((one) => (one.id === now.id ? now : one)));
  return { now, etag: headers.get("ETag") };
}

/** Changes what is stored now. `write` is called again, with what is stored then, when somebody else was faster. */
export async function writeCurrent<T>(read: () => Promise<Current<T>>, write: (current: Current<T>) => Promise<void>): Promise<void> {
  try {
    await write(await read());
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 412)) throw error;
    await write(await read());
  }
}

/** Returns header fields for a write that is refused with 412 when another version is stored. */
export function ifMatch(etag: string | null): Record<string, string> {
  return etag ? { "If-Match": etag } : {};
}
