// POST to a collection: one record or many, all or nothing or each on its own.

import type { FastifyRequest } from "fastify";
import type { Problem, ProblemDetail } from "../../../core/contract/problems.ts";
import {
  type BatchReply,
  type BatchResult,
  type OnConflict,
  type OnMissing,
  type WireRecord,
  WRITE_OUTCOMES,
  type WriteOutcome,
} from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import { validateRecord } from "../../../core/dictionary/validate.ts";
import { httpErrors } from "../../http/errors.ts";
import { answerOf } from "../../http/idempotency.ts";
import { bodyForms, listOf, named, object, resultsSchema, schemaNames } from "../../http/json-schemas.ts";
import type { Limits } from "../../http/limits.ts";
import { parseJson } from "../../http/parse-json-body.ts";
import { problemAnswer } from "../../http/problem.ts";
import { oneOf, readParameters } from "../../http/query-parameters.ts";
import { pathOf } from "../../http/request.ts";
import { jsonAnswer, recordAnswer } from "../../http/responses.ts";
import { JSON_TYPE, type RouteHandler } from "../../http/route.ts";
import type { Answer, Decision, Store, WriteOp } from "../../store/store.ts";
import { BULK_PARAMETERS, bulkIdempotencyOf, failedResult, isVersion, mostValues, type Rejected, versionMissing } from "./bulk-write.ts";
import { httpErrorOf, httpErrorOfAll, toDetails } from "./store-errors.ts";
import { notRecord, type Sent, unwrap } from "./unwrap-body.ts";

interface Options {
  onConflict: OnConflict;
  onMissing: OnMissing;
  match?: "version";
}

const PARAMETERS = {
  ...BULK_PARAMETERS,
  onConflict: oneOf<OnConflict>("error", "skip", "update"),
  onMissing: oneOf<OnMissing>("create", "error"),
};

export function createHandler(collection: Collection, store: Store, limits: Limits): RouteHandler {
  return {
    scope: "write",
    acceptedTypes: [JSON_TYPE],
    bodyLimit: limits.collectionBytes,
    acceptsGzip: true,
    doc: postDoc(collection, limits),
    async handle(request, session) {
      const given = readParameters(request.query, PARAMETERS);
      const { onError = "stop", onConflict = "error", onMissing = "create", dryRun = false, match } = given;
      const body = parseJson(request.body, mostValues(collection, limits));
      const sent = unwrap(collection, body, limits.recordsPerRequest);
      const { ops, rejected } = validate(collection, sent, { onConflict, onMissing, ...(match && { match }) });
      const atomic = onError === "stop";
      const toAnswer = (decisions: readonly Decision[]) =>
        atomic ? answerAll(collection, request, sent, rejected, decisions) : answerEach(collection, sent, rejected, decisions);
      const batch = { collection, ops, atomic, dryRun: dryRun || (atomic && rejected.size > 0) }; // the store still says what else is wrong
      return answerOf(await store.write({ ...batch, ...bulkIdempotencyOf(request, session.keyId, batch.dryRun) }, toAnswer));
    },
  };
}

function postDoc(collection: Collection, limits: Limits): RouteHandler["doc"] {
  const names = schemaNames(collection);
  const written = { anyOf: [named(names.record), object({ [collection.name]: listOf(named(names.record)) })] };
  return {
    id: `post_${collection.name}`,
    summary: `${collection.title}: writes one or many, all or nothing or each for itself`,
    parameters: PARAMETERS,
    headers: ["Idempotency-Key"],
    body: bodyForms(collection, named(names.part), limits.recordsPerRequest),
    responses: { 200: written, 201: written, 207: resultsSchema(collection, WRITE_OUTCOMES) },
    sentHeaders: { 200: ["ETag?"], 201: ["ETag?", "Location?"] }, // of one record
    errors: [404, 409, 412, 422],
  };
}

/** Valid records as ops, in order; the problems of the others by their index. */
function validate(collection: Collection, sent: Sent, options: Options): { ops: WriteOp[]; rejected: Map<number, ProblemDetail[]> } {
  const { key } = collection;
  const check = { from: "json", partial: options.onConflict === "update" } as const;
  const ops: WriteOp[] = [];
  const rejected = new Map<number, ProblemDetail[]>();
  for (const [i, item] of sent.items.entries()) {
    if (!isObject(item)) {
      rejected.set(i, notRecord(collection, sent.pointerOf(i)).extra.errors ?? []);
      continue;
    }
    const { record, problems } = validateRecord(collection, item, check);
    if (problems) {
      rejected.set(i, toDetails(problems, sent.pointerOf(i)));
      continue;
    }
    const id = (record[key.name] ?? null) as number | null;
    const missing = findMissing(collection, id, item, options);
    if (missing) rejected.set(i, toDetails([missing], sent.pointerOf(i)));
    else {
      const { onConflict, onMissing } = options;
      const ifMatch = options.match && isVersion(item.version) ? { ifMatch: [item.version] } : {};
      ops.push({ verb: "post", id, given: record, onConflict, onMissing, ...ifMatch });
    }
  }
  return { ops, rejected };
}

/** The key or version that these options need and the record lacks. */
function findMissing({ key }: Collection, id: number | null, item: Record<string, unknown>, options: Options): Problem | undefined {
  if (id === null && options.onMissing === "error") {
    return { field: key.name, code: "REQUIRED", message: `Without ${key.title} there is no telling which one to change.` };
  }
  const isBlind = options.match && id !== null && options.onConflict === "update" && !isVersion(item.version);
  return isBlind ? versionMissing() : undefined;
}

/** The answer to all or nothing. */
function answerAll(
  collection: Collection,
  request: FastifyRequest,
  sent: Sent,
  rejected: Rejected,
  decisions: readonly Decision[],
): Answer {
  const httpError = httpErrorOfAll(collection, sent, rejected, decisions);
  if (httpError) return problemAnswer(httpError, { instance: pathOf(request), requestId: request.id });
  const records = decisions.flatMap((decision) => ("record" in decision ? [decision.record] : []));
  const status = decisions.some(({ outcome }) => outcome === "created") ? 201 : 200;
  const [first] = records;
  return sent.isMany || !first ? jsonAnswer(status, { [collection.name]: records }) : recordAnswer(status, collection, first);
}

/** The answer to each record on its own: always 207, with the results in the order of the request. */
function answerEach(collection: Collection, sent: Sent, rejected: Rejected, decisions: readonly Decision[]): Answer {
  const summary: BatchReply["summary"] = { total: sent.items.length, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
  let next = 0;
  const results = sent.items.map((item, index) => {
    const details = rejected.get(index);
    const decision = details ? undefined : decisions[next++];
    const result = details
      ? failedResult(collection, index, item, httpErrors.validation(details))
      : resultOf(collection, index, item, decision, sent.pointerOf(index));
    summary[result.outcome]++;
    return result;
  });
  return jsonAnswer(207, { results, summary } satisfies BatchReply);
}

function resultOf(collection: Collection, index: number, item: unknown, decision: Decision | undefined, pointer: string): BatchResult {
  if (!decision) throw new Error("the store decided nothing");
  const done = (outcome: WriteOutcome, record: WireRecord): BatchResult => {
    const status = outcome === "created" ? 201 : 200;
    return { index, outcome, status, [collection.key.name]: record[collection.key.name], version: record.version };
  };
  switch (decision.outcome) {
    case "created":
    case "unchanged":
    case "skipped":
      return done(decision.outcome, decision.record);
    case "updated":
      return { ...done("updated", decision.record), changes: decision.changes };
    case "failed":
      return failedResult(collection, index, item, httpErrorOf(collection, decision.failure, pointer));
    case "deleted":
    case "gone":
      throw new Error("a POST deletes nothing");
  }
}
