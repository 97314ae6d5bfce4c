// Forgets, once somebody has other rights, what this browser keeps and they may see no more.

import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../../client/errors.ts";
import type { Client } from "../../../client/http-client.ts";
import { recordPath } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import { allowsSome } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { isOf, personKey } from "../../browser/person.ts";
import { type Draft, openDrafts, placeOfKey } from "../../records/drafts/draft-store.ts";
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
  const { client, session, selections, toasts, uploadManager, views } = services;
  const kept = JSON.stringify(dictionaryQuery(client).queryKey);
  queries.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey) !== kept });
  selections.clear();
  toasts.clear();
  for (const collection of before) forgetView(collection, now, views);
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS)); // a form that was open has written its draft by then
  const me = await queries.fetchQuery(meQuery(client)).catch(() => undefined);
  await forgetDrafts(client, personKey(client.baseUrl, session.owner()), now);
  await uploadManager.clear().catch(() => {}); // a browser that stores nothing has none
  for (const { id, collection, isElsewhere } of await uploadManager.uploads().catch(() => []))
    if (me && !isElsewhere && !(allowsSome(me.scope, collection) && now.collections.some(({ name }) => name === collection)))
      await uploadManager.drop(id).catch(() => {}); // it is listed no more, and its rows go after a week
}

const SETTLED_MS = 500;

/** A mask takes the place of what was read. */
function isShown(field: Field | undefined): boolean {
  return field !== undefined && !field.masked;
}

/** Columns and a home view may name fields, and a view has what was searched for. */
function forgetView(collection: Collection, { collections }: Dictionary, views: Services["views"]): void {
  const now = collections.find(({ name }) => name === collection.name);
  const isGone = ({ name }: { name: string }) => !isShown(now?.byName.get(name));
  if (now && !collection.fields.some(isGone)) return;
  const { isFavourite, isFolded } = views.of(collection);
  views.put(collection, { isFavourite, isFolded });
}

async function forgetDrafts(client: Client, person: string, { collections }: Dictionary): Promise<void> {
  const drafts = openDrafts(() => true);
  for (const [key, draft] of await drafts.all()) {
    if (!isOf(person, key)) continue;
    const place = placeOfKey(key);
    const collection = collections.find(({ name }) => name === place.collection);
    const seen = collection && (place.id === undefined || (await isSeen(client, collection, place.id)));
    if (!seen) await drafts.clear(key);
    else await drafts.write(key, withKnownFields(draft, collection, seen === true));
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

const OF_SERVICE = ["version", "createdAt", "updatedAt", "createdBy", "updatedBy"];

function withKnownFields(draft: Draft, { byName }: Collection, hasBase: boolean): Draft {
  const base = Object.entries(draft.base ?? {}).filter(([name]) => isShown(byName.get(name)) || OF_SERVICE.includes(name));
  const known = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => byName.has(name) && !byName.get(name)?.readOnly));
  const { sent, ...typed } = draft;
  const stored = hasBase && draft.base ? (Object.fromEntries(base) as WireRecord) : undefined;
  return { ...typed, base: stored, texts: known(draft.texts), ...(sent && { sent: { ...sent, fields: known(sent.fields) } }) };
}
