// Forgets, once somebody has other rights, what this browser keeps and they may see no more.

import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import { recordPath } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import { allowsSome } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { isOf, personKey } from "../../browser/person.ts";
import { type Draft, isShown, openDrafts, placeOfKey, typedOf, withNamesOfToday } from "../../records/drafts/draft-store.ts";
import { type Dictionary, dictionaryQuery } from "../../service/dictionary.ts";
import { meQuery } from "../../service/me.ts";
import type { Services } from "./services.ts";

/**
 * Call when the dictionary of the new rights, `now`, has been read. Whatever was read before is dropped and read again by the pages that show
 * it. Of drafts what was typed stays, for records and fields that are still seen. Uploads that have ended, and remembered columns, go.
 */
export async function forgetUnseen(
  services: Services,
  queries: QueryClient,
  before: readonly Collection[],
  now: Dictionary,
): Promise<void> {
  const { client, selections, toasts, uploadManager, views } = services;
  const kept = JSON.stringify(dictionaryQuery(client).queryKey);
  queries.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey) !== kept });
  selections.clear();
  toasts.clear();
  for (const collection of before) forgetView(collection, now, views);
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS)); // a form that was open has written its draft by then
  const me = await queries.fetchQuery(meQuery(client)).catch(() => undefined);
  await forgetDrafts(services, now);
  await uploadManager.clear().catch(() => {}); // a browser that stores nothing has none
  for (const { id, collection, isElsewhere } of await uploadManager.uploads().catch(() => []))
    if (me && !isElsewhere && !(allowsSome(me.scope, collection) && now.collections.some(({ name }) => name === collection)))
      await uploadManager.drop(id).catch(() => {}); // it is listed no more, and its rows go after a week
}

const SETTLED_MS = 500;

/** Columns and a home view may name fields, and a view has what was searched for. */
function forgetView(collection: Collection, { collections }: Dictionary, views: Services["views"]): void {
  const now = collections.find(({ name }) => name === collection.name);
  const isGone = ({ name }: { name: string }) => !isShown(now?.byName.get(name));
  if (now && !collection.fields.some(isGone)) return;
  const { isFavourite, isFolded } = views.of(collection);
  views.put(collection, { isFavourite, isFolded });
}

/** Is also to be called when the app starts: the rights may have been changed while it was closed. */
export async function forgetDrafts({ client, session }: Services, { collections, rights }: Dictionary): Promise<void> {
  const drafts = openDrafts(() => session.state() !== "signedOut");
  const person = personKey(client.baseUrl, session.owner());
  for (const [key, draft] of await drafts.all()) {
    if (!isOf(person, key) || draft.rights === rights) continue;
    const place = placeOfKey(key);
    const collection = collections.find(({ name }) => name === place.collection);
    const seen = collection && (place.id === undefined || (await isSeen(client, collection, place.id)));
    if (!seen) await drafts.clear(key);
    else await drafts.write(key, { ...withKnownFields(collection, draft, seen === true), rights });
  }
}

const NOT_SEEN = [403, 404, 410]; // a request too many, or a session that has ended, says nothing of the record

/** Is "unknown" where nobody can say: what was typed stays then, without what was stored. */
async function isSeen(client: Client, collection: Collection, id: number): Promise<boolean | "unknown"> {
  try {
    await client.request("HEAD", recordPath(collection.name, id));
    return true;
  } catch (error) {
    return error instanceof ApiError && NOT_SEEN.includes(error.status) ? false : "unknown";
  }
}

/** Returns what is kept of a draft once its reader has other rights, of its parents nothing. `isSeen`: they see its record. */
function withKnownFields(collection: Collection, draft: Draft, isSeen: boolean): Draft {
  const { sent, base: seen, ...typed } = withNamesOfToday(collection, draft);
  const parents = new Set<string>(collection.references.map(({ reference }) => reference.as));
  const base = isSeen && seen ? (Object.fromEntries(Object.entries(seen).filter(([name]) => !parents.has(name))) as WireRecord) : undefined;
  return { ...typed, base, ...(sent && { sent: { ...sent, fields: typedOf(collection, sent.fields) } }) };
}
