// The records of a collection that are deleted and can be brought back.

import type { FastifyRequest } from "fastify";
import { DEFAULT_PAGE } from "../../../core/contract/limits.ts";
import type { ProblemDetail } from "../../../core/contract/problems.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Cursors } from "../../http/cursor.ts";
import { rejectIfMatch } from "../../http/preconditions.ts";
import { clampedCount, oneOf, parameterText, readParameters, text } from "../../http/query-parameters.ts";
import { jsonAnswer } from "../../http/responses.ts";
import type { StoredEntry } from "../../store/history/reads.ts";
import type { Answer, Store } from "../../store/store.ts";

export const DELETED = oneOf("true");

/** Below a parent nothing is listed: what is deleted refers to nobody. */
export function noDeletedBelow({ name, title }: Collection): ProblemDetail {
  const detail = `There is no list of what was deleted below a parent. /v1/${name}?deleted=true has all of the collection (${title}).`;
  return { parameter: "deleted", code: "BAD_PARAMETER", detail };
}

/** Whether a list of deleted records is asked for. */
export function wantsDeleted({ query }: FastifyRequest): boolean {
  return parameterText(query, "deleted") !== undefined;
}

/**
 * A page of them, the latest deletion first: the values that they had, and when and by whom they were deleted. `version` is the
 * deletion's; the one before it brings the record back.
 */
export async function listDeleted(
  request: FastifyRequest,
  collection: Collection,
  { store, cursors, mostRecords }: { store: Store; cursors: Cursors; mostRecords: number },
): Promise<Answer> {
  const given = readParameters<{ deleted: "true"; limit: number; cursor: string }>(request.query, {
    deleted: DELETED,
    limit: clampedCount(mostRecords),
    cursor: text(4_000),
  });
  rejectIfMatch(request);
  const { limit = DEFAULT_PAGE, cursor } = given;
  const name = JSON.stringify(["deleted", collection.name]);
  const place = cursor === undefined ? undefined : (cursors.open(name, cursor) as { after: [number, number] }).after;
  const after = place ? { deletedAt: place[0], id: place[1] } : null;
  const found = await store.history.listDeletions(collection.name, after, limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = found.length > limit && last ? { next: cursors.seal(name, { after: [Date.parse(last.at), last.id] }) } : {};
  return jsonAnswer(200, { [collection.name]: shown.map((entry) => toDeleted(collection, entry)), ...next });
}

function toDeleted({ fields, key }: Collection, { id, at, by, version, changes }: StoredEntry): Record<string, unknown> {
  const values = Object.fromEntries(fields.map(({ name }) => [name, changes?.[name]?.[0] ?? null]));
  return { ...values, [key.name]: id, version, deletedAt: at, deletedBy: by };
}
