import type { Change, ChangePage } from "../core/contract/history.ts";
import { CHANGES_PATH } from "../core/contract/paths.ts";
import { ApiError, NoReply } from "./errors.ts";
import type { Client } from "./http-client.ts";

export interface FollowOptions {
  /** Names of collections; all that the token may read unless given. */
  collections?: readonly string[];
  /** Send the record along as it is now, or what was changed, or both. */
  include?: readonly ("record" | "changes")[];
  /** Ends the following, with an AbortError. */
  signal?: AbortSignal;
}

const WAIT = 25; // seconds that the service holds a request until there is something; less than the client's patience
const LONGEST_PAUSE = 30_000; // ms

/**
 * Calls `onChange` for every change, one after the other, in the order of commits. It goes on until `signal` is aborted or `onChange`
 * throws; a service that cannot be reached is asked again. Store the change's `cursor` together with what you do with it: begun
 * again from there, you miss nothing and get nothing twice.
 *
 * @param cursor Of the last change that you dealt with; "now" for those from now on; undefined for all that the service keeps.
 * @example
 * await followChanges(client, lastCursor, async (change) => copy(change), { include: ["record"] });
 */
export async function followChanges(
  client: Client,
  cursor: string | undefined,
  onChange: (change: Change) => Promise<void> | void,
  { collections, include, signal }: FollowOptions = {},
): Promise<never> {
  const filter = { collection: collections?.join(","), include: include?.join(",") };
  for (let after = cursor; ; ) {
    const { changes, next } = await nextPage(client, { ...filter, after, limit: "1000", wait: String(WAIT) }, signal);
    for (const change of changes) {
      signal?.throwIfAborted();
      await onChange(change);
    }
    after = next;
  }
}

async function nextPage(client: Client, query: Record<string, string | undefined>, signal: AbortSignal | undefined): Promise<ChangePage> {
  for (let failures = 1; ; failures++) {
    try {
      return (await client.request("GET", CHANGES_PATH, { query, signal })).json as ChangePage;
    } catch (error) {
      if (signal?.aborted || !isPassing(error)) throw error;
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
      await pause(Math.max(asked, Math.min(LONGEST_PAUSE, 250 * 2 ** Math.min(failures, 8))), signal);
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof NoReply || (error instanceof ApiError && (error.status === 429 || error.status >= 500));
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
