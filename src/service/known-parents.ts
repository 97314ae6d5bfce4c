// The collections whose records a file may name as parents, and may create.

import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { Me } from "../../core/contract/people.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { KnownParents } from "../../core/dictionary/lookups.ts";
import { dictionaryQuery } from "./dictionary.ts";
import { meQuery } from "./me.ts";

/** Until the rights are known everything is offered, as elsewhere. */
export function toKnownParents(collections: readonly Collection[], me: Me | undefined): KnownParents {
  return { collections, mayCreate: (name) => !me || allows(me.scope, `${name}:create`) };
}

/** What the app has read already; undefined before there is a dictionary. */
export function readKnownParents(queries: QueryClient, client: Client): KnownParents | undefined {
  const dictionary = queries.getQueryData(dictionaryQuery(client).queryKey);
  return dictionary && toKnownParents(dictionary.collections, queries.getQueryData(meQuery(client).queryKey));
}
