// What POST of many records and deletions have in common.

import type { FastifyRequest } from "fastify";
import type { Problem, ProblemDetail } from "../../../core/contract/problems.ts";
import type { BatchResult, OnError } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import type { HttpError } from "../../http/errors.ts";
import { idempotencyOf } from "../../http/idempotency.ts";
import type { Limits } from "../../http/limits.ts";
import { problemBody } from "../../http/problem.ts";
import { flag, oneOf } from "../../http/query-parameters.ts";

/** What is wrong with the records that fail the check, by their index in the request. */
export type Rejected = ReadonlyMap<number, ProblemDetail[]>;

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

export function isVersion(version: unknown): version is number {
  return Number.isSafeInteger(version);
}

export function versionMissing(): Problem {
  return { field: "version", code: "REQUIRED", message: "With match=version each record needs the version that was read." };
}

/** The result of a record that failed. `item` is the record as it was sent. */
export function failedResult(
  collection: Collection,
  index: number,
  item: unknown,
  httpError: HttpError,
): BatchResult & { outcome: "failed" } {
  const key = collection.key.name;
  const id = isObject(item) && Number.isSafeInteger(item[key]) ? { [key]: item[key] } : {};
  return { index, outcome: "failed", status: httpError.status, ...id, problem: problemBody(httpError) };
}
