// What POST of many records and deletions have in common.

import type { FastifyRequest } from "fastify";
import type { Problem } from "../../../core/contract/problems.ts";
import type { BatchResult, OnError } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import type { HttpError } from "../../http/errors.ts";
import { idempotencyOf } from "../../http/idempotency.ts";
import type { Limits } from "../../http/limits.ts";
import { problemBody } from "../../http/problem.ts";
import { flag, oneOf } from "../../http/query-parameters.ts";

/** The query parameters of every bulk write. */
export const BULK_PARAMETERS = {
  onError: oneOf<OnError>("stop", "continue"),
  match: oneOf("version"),
  dryRun: flag,
};

const SERVICE_VALUES = 12;

/** As idempotencyOf. A dry run stores nothing, not even its answer, so the same key stays free for the write itself. */
export function bulkIdempotencyOf(request: FastifyRequest, owner: string, dryRun: boolean): ReturnType<typeof idempotencyOf> {
  const idempotency = idempotencyOf(request, owner); // also checks the header of a dry run
  return dryRun ? {} : idempotency;
}

/**
 * How many values the body of a bulk write may have: those of as many records as it may have, as a client reads them, with
 * what the service sets (version, times, and who did it with kind, id and name).
 */
export function mostValues(collection: Collection, { recordsPerRequest }: Limits): number {
  return recordsPerRequest * (collection.fields.length + SERVICE_VALUES);
}

/** The key of each record as it was sent, whatever it is. */
export function idsOf(collection: Collection, items: readonly unknown[]): unknown[] {
  return items.map((item) => (isObject(item) ? item[collection.key.name] : undefined));
}

export function isVersion(version: unknown): version is number {
  return Number.isSafeInteger(version);
}

export function versionMissing(): Problem {
  return { field: "version", code: "REQUIRED", message: "With match=version each record needs the version that was read." };
}

/** The result of a record that failed. `id` is its key as it was sent. */
export function failedResult(
  collection: Collection,
  index: number,
  id: unknown,
  httpError: HttpError,
): BatchResult & { outcome: "failed" } {
  const named = Number.isSafeInteger(id) ? { [collection.key.name]: id } : {};
  return { index, outcome: "failed", status: httpError.status, ...named, problem: problemBody(httpError) };
}
