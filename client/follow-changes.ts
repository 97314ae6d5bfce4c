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
    const query = { ...filter, after, limit: "1000", wait: String(WAIT) };
    const read = () => client.request("GET", CHANGES_PATH, { query, signal });
    const { changes, next } = (await withRetries(read, { patience: Number.POSITIVE_INFINITY, signal })).json as ChangePage;
    for (const change of changes) {
      signal?.throwIfAborted();
      await onChange(change);
    }
    after = next;
  }
}
