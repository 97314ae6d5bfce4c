// Gives the fields that name people the names: loaded only with dictionaries that have such fields.

import type { Client } from "../../client/http-client.ts";
import { NAMES_PATH } from "../../core/contract/paths.ts";
import type { PersonName } from "../../core/contract/people.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { withPeople } from "../../core/dictionary/people.ts";

/** Resolves to the ETag of the names. Without them, as while they cannot be read, ids stand in their place. */
export async function addPeople(client: Client, collections: readonly Collection[], signal: AbortSignal): Promise<string | undefined> {
  const reply = await client.request("GET", NAMES_PATH, { signal }).catch(() => undefined);
  if (reply) withPeople(collections, (reply.json as { people: PersonName[] }).people);
  return reply?.headers.get("ETag") ?? undefined;
}
