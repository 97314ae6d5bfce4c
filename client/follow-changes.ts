import type { Change, ChangePage } from "../core/contract/history.ts";
import { CHANGES_PATH } from "../core/contract/paths.ts";
import type { Client } from "./http-client.ts";
import { withRetries } from "./retries.ts";

export interface FollowOptions {
  /** Names of collections; all that the token may read unless given. */
  collections?: readonly string[];
  /** Send the record along as it is now, or what was changed, or both. */
  include?: readonly ("record" | "changes")[];
  /** Ends the following, with an AbortError. */
  signal?: AbortSignal;
}

const WAIT = 25; // seconds that the service holds a request until there is something; less than the client's patience

/**
 * Calls `onChange` for every change, one after the other: those of one record in the order of its versions. It goes on until `signal` is aborted or `onChange`
 * throws; a service that cannot be reached is asked again. Store the change's `cursor` together with what you do with it: begun
 * again from there, you miss nothing and get nothing twice.
 *
 * Rejects with an ApiError whose `code` is CURSOR_EXPIRED when the changes after the cursor are no longer kept, or the service has been
 * restored from a backup since: ask `GET /changes?after=now` for its `next`, read all records anew, and follow from there.
 *
 * @param cursor Of the last change that you dealt with; "now" for those from now on; undefined for all that the service keeps.
 * @example
 * await followChanges(client, lastCursor, async (change) => copy(change), { include: ["record"] });
 */
export async function followChanges(
  client: Client,
  cursor: string | undefined,
  onChange: (change: Change) => Promise<void> | void,
  options: FollowOptions = {},
): Promise<never> {
  for (let after = cursor; ; ) {
    const { changes, next } = await nextChanges(client, after, options);
    for (const change of changes) {
      options.signal?.throwIfAborted();
      await onChange(change);
    }
    after = next;
  }
}

/**
 * Reads the next page of up to 1,000 changes, for programs that store a page at once: with its `next`, the cursor from which you go on. Waits
 * about half a minute for a change; a page without changes has a `next`, too, so that yours does not grow older than what the service keeps.
 * Throws `ApiError` with status 410 when it has.
 *
 * @example
 * const { changes, next } = await nextChanges(client, cursor, { include: ["record"] });
 */
export async function nextChanges(
  client: Client,
  after: string | undefined,
  { collections, include, signal }: FollowOptions = {},
): Promise<ChangePage> {
  const query = { collection: collections?.join(","), include: include?.join(","), after, limit: "1000", wait: String(WAIT) };
  const read = () => client.request("GET", CHANGES_PATH, { query, signal });
  return (await withRetries(read, { patience: Number.POSITIVE_INFINITY, signal })).json as ChangePage;
}

/**
 * Reads the cursor of this moment. Read it before you read all records: who then follows from it misses no change that came meanwhile.
 *
 * @example
 * const cursor = await currentCursor(client);
 */
export async function currentCursor(client: Client, signal?: AbortSignal): Promise<string> {
  const { json } = await client.request("GET", CHANGES_PATH, { query: { after: "now", limit: "1" }, signal });
  return (json as ChangePage).next;
}
