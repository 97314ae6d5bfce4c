// The records of a collection that are deleted and can be brought back.

import type { FastifyRequest } from "fastify";
import { DEFAULT_PAGE, MAX_SEARCH } from "../../core/contract/limits.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { hasWords } from "../engine/scan-in-order.ts";
import { wordsOfSearch } from "../engine/search-words.ts";
import type { Answer, Store } from "../engine/store.ts";
import { type DeletedPlace, type ListedDeletions, placeOfDeletion, type StoredEntry } from "../history/store/reads.ts";
import type { Cursors } from "../http/cursor.ts";
import { rejectIfMatch } from "../http/preconditions.ts";
import { clampedCount, oneOf, parameterText, readParameters, text } from "../http/query-parameters.ts";
import { jsonAnswer, showing } from "../http/responses.ts";
import type { Shows } from "../people/auth/read-audit.ts";

export const DELETED = oneOf("true");

// A search reads the deletions themselves: no index has their words. The next page goes on where one answer stops.
const READ_AT_ONCE = 500; // deletions
const MOST_READS = 10; // for one answer

/** Below a parent nothing is listed: what is deleted refers to nobody. */
export function noDeletedBelow({ name, title }: Collection): ProblemDetail {
  const detail = `There is no list of what was deleted below a parent. /v1/${name}?deleted=true has all of the collection (${title}).`;
  return { parameter: "deleted", code: "BAD_PARAMETER", detail };
}

/** Says whether a list of deleted records is asked for. */
export function wantsDeleted({ query }: FastifyRequest): boolean {
  return parameterText(query, "deleted") !== undefined;
}

/**
 * Reads a page of them, the latest deletion first: the values that they had, and when and by whom they were deleted. `version` is the
 * deletion's; the one before it brings the record back. With `q` those that have all its words, as a search of the list finds them, or
 * that key. Such a page, and one of a caller who sees some records only, may have fewer records than there is room for although there is a
 * next one.
 */
export async function listDeleted(
  request: FastifyRequest,
  collection: Collection,
  { store, cursors, mostRecords }: { store: Store; cursors: Cursors; mostRecords: number },
): Promise<Answer & Shows> {
  const given = readParameters<{ deleted: "true"; q: string; limit: number; cursor: string }>(request.query, {
    deleted: DELETED,
    q: text(MAX_SEARCH),
    limit: clampedCount(mostRecords),
    cursor: text(4_000),
  });
  rejectIfMatch(request);
  const { limit = DEFAULT_PAGE, cursor, q = "" } = given;
  const sought = q.trim();
  const name = JSON.stringify(["deleted", collection.name, ...(sought ? [sought] : [])]);
  const opened = cursor === undefined ? undefined : (cursors.open(name, cursor) as { after: [number, number] }).after;
  const after = opened ? { deletedAt: opened[0], id: opened[1] } : null;
  const step = sought ? READ_AT_ONCE : limit + 1;
  const read = (place: DeletedPlace | null) => store.history.listDeletions(collection.name, place, step);
  const { found, next } = await findDeletions(read, { after, limit, isSought: searchOf(collection, sought) });
  const sealed = next && { next: cursors.seal(name, { after: [next.deletedAt, next.id] }) };
  const answer = jsonAnswer(200, { [collection.name]: found.map((entry) => toDeleted(collection, entry)), ...sealed });
  return showing(answer, () => [{ collection: collection.name, ids: found.map(({ id }) => id) }]);
}

interface Wanted {
  after: DeletedPlace | null;
  limit: number;
  isSought: (entry: StoredEntry) => boolean;
}

/** `next`: the place after which there may be more. */
async function findDeletions(
  read: (after: DeletedPlace | null) => Promise<ListedDeletions>,
  { after, limit, isSought }: Wanted,
): Promise<{ found: StoredEntry[]; next?: DeletedPlace }> {
  const found: StoredEntry[] = [];
  let last = after;
  for (let reads = 0; reads < MOST_READS; reads++) {
    const { entries, rest } = await read(last);
    for (const entry of entries) {
      if (isSought(entry)) {
        if (found.length === limit && last) return { found, next: last };
        found.push(entry);
      }
      last = placeOfDeletion(entry);
    }
    if (!rest) return { found };
    last = rest;
  }
  return { found, ...(last && { next: last }) };
}

/** Says whether a deleted record has all the words of a search, as beginnings of its own, or is the one with this key. */
function searchOf(collection: Collection, q: string): (entry: StoredEntry) => boolean {
  if (q === "") return () => true;
  const words = wordsOfSearch(collection, q);
  return (entry) => String(entry.id) === q || (words.length > 0 && hasWords(collection, toDeleted(collection, entry), words));
}

function toDeleted({ fields, key }: Collection, { id, at, by, version, changes }: StoredEntry): Record<string, unknown> {
  const values = Object.fromEntries(fields.map(({ name }) => [name, changes?.[name]?.[0] ?? null]));
  return { ...values, [key.name]: id, version, deletedAt: at, deletedBy: by };
}
