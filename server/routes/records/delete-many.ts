// Many deletions in one request, all or nothing or each on its own.

import { SOURCE_HEADER } from "../../../core/contract/history.ts";
import { API_ROOT, deletionsPath } from "../../../core/contract/paths.ts";
import type { ProblemDetail } from "../../../core/contract/problems.ts";
import type { DeletionOutcome } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import { validateValue } from "../../../core/dictionary/validate.ts";
import { answerOf } from "../../http/idempotency.ts";
import { bodyForms, fieldSchema, object, resultsSchema } from "../../http/json-schemas.ts";
import type { Limits } from "../../http/limits.ts";
import { parseJsonRecords } from "../../http/parse-json-body.ts";
import { readParameters } from "../../http/query-parameters.ts";
import { pathOf } from "../../http/request.ts";
import { JSON_TYPE, type Route } from "../../http/route.ts";
import type { AnswerForm, Rejected, Store, WriteOp } from "../../store/store.ts";
import { BULK_PARAMETERS, bulkIdempotencyOf, idsOf, isVersion, mostValues, versionMissing } from "./bulk-write.ts";
import { toDetails } from "./store-errors.ts";
import { notRecord, pointerOf, type Sent, unwrap } from "./unwrap-body.ts";
import { writeSourceOf } from "./write-source.ts";

const OUTCOMES = Object.keys({ deleted: 0, unchanged: 0, failed: 0 } satisfies Record<DeletionOutcome, 0>);

export function deletionsRoute(collection: Collection, store: Store, limits: Limits): Route {
  const named = object({ [collection.key.name]: fieldSchema(collection.key), version: { type: "integer" } }, [collection.key.name]);
  const results = resultsSchema(collection, OUTCOMES);
  return {
    url: API_ROOT + deletionsPath(collection.name),
    POST: {
      scope: `${collection.name}:delete`,
      acceptedTypes: [JSON_TYPE],
      bodyLimit: limits.collectionBytes,
      acceptsGzip: true,
      doc: {
        id: `post_${collection.name}_deletions`,
        summary: `${collection.title}: deletes many, each named by its ${collection.key.name}`,
        parameters: BULK_PARAMETERS,
        headers: ["Idempotency-Key", SOURCE_HEADER],
        body: bodyForms(collection, named, limits.recordsPerRequest),
        responses: { 200: results, 207: results },
        errors: [404, 409, 412, 422],
      },
      async handle(request, session) {
        const { onError = "stop", match, dryRun = false } = readParameters(request.query, BULK_PARAMETERS);
        const body = await parseJsonRecords(request.body, mostValues(collection, limits));
        const sent = unwrap(collection, body, limits.recordsPerRequest);
        const { ops, rejected } = validate(collection, sent, match !== undefined);
        const atomic = onError === "stop";
        const form: AnswerForm = {
          kind: "results",
          verb: "delete",
          atomic,
          pointer: sent.pointer,
          isMany: sent.isMany,
          ids: idsOf(collection, sent.items),
          rejected,
          instance: pathOf(request),
          requestId: request.id,
        };
        // With a record that was rejected nothing is deleted, but the store still says what else is wrong.
        const batch = {
          collection,
          by: session.principal,
          source: writeSourceOf(request),
          ops,
          atomic,
          dryRun: dryRun || (atomic && rejected.size > 0),
          form,
        };
        return answerOf(await store.write({ ...batch, ...bulkIdempotencyOf(request, session.owner, batch.dryRun) }));
      },
    },
  };
}

/** Only the key and the version are read, so whole records may be sent. */
function validate(collection: Collection, sent: Sent, isMatched: boolean): { ops: WriteOp[]; rejected: Rejected } {
  const { key } = collection;
  const ops: WriteOp[] = [];
  const rejected = new Map<number, ProblemDetail[]>();
  for (const [i, item] of sent.items.entries()) {
    const pointer = pointerOf(sent, i);
    if (!isObject(item)) {
      rejected.set(i, notRecord(collection, pointer).extra.errors ?? []);
      continue;
    }
    const id = validateValue({ ...key, required: true }, item[key.name], "json");
    if (typeof id !== "number") rejected.set(i, toDetails(typeof id === "object" && id !== null ? [id] : [], pointer));
    else if (!isMatched) ops.push({ verb: "delete", id });
    else if (isVersion(item.version)) ops.push({ verb: "delete", id, ifMatch: [item.version] });
    else rejected.set(i, toDetails([versionMissing()], pointer));
  }
  return { ops, rejected };
}
