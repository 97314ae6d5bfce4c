// Knows who calls: each with a client of their own, and what the service says of them, for a minute.

import { createHash } from "node:crypto";
import { ApiError } from "../../client/errors.ts";
import { type Client, createClient, type Session } from "../../client/http-client.ts";
import { collectionsIn } from "../../client/read-dictionary.ts";
import { DICTIONARY_PATH, ME_PATH } from "../../core/contract/paths.ts";
import type { Me } from "../../core/contract/people.ts";
import type { Principal } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";

export interface Caller {
  /** Sends everything with the caller's own key: the service decides what they see and may do. */
  client: Client;
  principal: Principal;
  /** Names to whom proposals belong: a key or a person, and who looks at the service as that person. */
  owner: string;
  /** Says what they may do, as words (core/contract/scopes.ts). */
  scope: string;
  /** Returns the dictionary as this caller may know it, at most a minute old. `anew`: as it is now. */
  collections(signal: AbortSignal, anew?: boolean): Promise<readonly Collection[]>;
}

export interface Callers {
  /**
   * Asks the service whose key this is, at most once a minute for each. `bearer`: an API key or an access token, which is passed on as it is.
   * Throws ApiError with status 401 for one that the service does not accept, and NoReply.
   */
  identify(bearer: string, signal?: AbortSignal): Promise<Caller>;
}

const REMEMBERED = 60_000; // ms
const MOST_REMEMBERED = 1_000; // callers

interface Known {
  until: number;
  me: Me;
  collections?: readonly Collection[];
}

/** No key is kept: what is remembered stands under its hash. `baseUrl`: of the service, with the root path of the API. */
export function createCallers(baseUrl: string, now: () => number): Callers {
  const known = new Map<string, Known>();
  const remember = (hash: string, me: Me): Known => {
    const entry: Known = { until: now() + REMEMBERED, me };
    known.delete(hash);
    known.set(hash, entry);
    if (known.size > MOST_REMEMBERED) for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest);
    return entry;
  };
  return {
    async identify(bearer, signal) {
      const client = createClient({ baseUrl, session: sessionOf(bearer) });
      const hash = createHash("sha256").update(bearer).digest("base64url");
      const fresh = known.get(hash);
      const isFresh = fresh !== undefined && fresh.until > now();
      const entry = isFresh ? fresh : remember(hash, (await client.request("GET", ME_PATH, { signal })).json as Me);
      const { principal, viewer, scope } = entry.me;
      return {
        client,
        principal,
        owner: JSON.stringify([principal.type, principal.id, viewer?.id ?? null]),
        scope,
        async collections(given, anew = false) {
          if (anew || !entry.collections)
            entry.collections = collectionsIn((await client.request("GET", DICTIONARY_PATH, { signal: given })).json);
          return entry.collections;
        },
      };
    },
  };
}

/** The service takes an API key in place of an access token. A key that it refuses cannot be renewed. */
function sessionOf(bearer: string): Session {
  return {
    token: () => bearer,
    renew: () => Promise.reject(new ApiError(401, { code: "UNAUTHENTICATED", detail: "The service does not accept this key." })),
  };
}
