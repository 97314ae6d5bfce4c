// Many deletions in one request, all or nothing or each on its own.

import { SOURCE_HEADER } from "../../core/contract/history.ts";
import { API_ROOT, deletionsPath } from "../../core/contract/paths.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import type { DeletionOutcome } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { scopesAlongDeletion } from "../../core/dictionary/deletion-rights.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { isProblem, validateValue, valueOfKind } from "../../core/dictionary/validate.ts";
import type { AnswerForm, Store, WriteOp } from "../engine/store.ts";
import { bodyForms, named, resultsSchema, schemaNames } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { parseJsonRecords } from "../http/parse-json-body.ts";
import { readParameters } from "../http/query-parameters.ts";
import { pathOf } from "../http/request.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import { BULK_PARAMETERS, idsOf, isVersion, mostValues, toOps, versionMissing, writeBulk } from "./bulk-write.ts";
import { toDetails } from "./store-errors.ts";
import { notRecord, pointerOf, unwrap } from "./unwrap-body.ts";

const OUTCOMES = Object.keys({ deleted: 0, unchanged: 0, failed: 0 } satisfies Record<DeletionOutcome, 0>);

export function deletionsRoute(collection: Collection, collections: readonly Collection[], store: Store, limits: Limits): Route {
  const alongDeletion = scopesAlongDeletion(collection, collections);
  const results = resultsSchema(collection, OUTCOMES);
  return {
    url: API_ROOT + deletionsPath(collection.name),
    POST: {
      scope: `${collection.name}:delete`,
      alsoNeeds: () => alongDeletion,
      acceptedTypes: [JSON_TYPE],
      bodyLimit: limits.collectionBytes,
      acceptsGzip: true,
      doc: {
        id: `post_${collection.name}_deletions`,
        summary: `${collection.title}: deletes many, each named by its ${collection.key.name}`,
        parameters: BULK_PARAMETERS,
        headers: ["Idempotency-Key", SOURCE_HEADER],
        body: bodyForms(collection, named(schemaNames(collection).place), limits.recordsPerRequest),
        responses: { 200: results, 207: results },
        errors: [404, 409, 412, 422],
      },
      async handle(request, session) {
        const { onError = "stop", match, dryRun = false, unlessChangedSince } = readParameters(request.query, BULK_PARAMETERS);
        const body = await parseJsonRecords(request.body, mostValues(collection, limits));
        const sent = unwrap(collection, body, limits.recordsPerRequest);
        const isMatched = match !== undefined;
        const { ops, rejected } = await toOps(sent.items, (item, i) => toDeletion(collection, item, pointerOf(sent, i), isMatched));
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
        return writeBulk(store, request, session, { collection, ops, atomic, dryRun, unlessChangedSince, form });
      },
    },
  };
}

/** Reads only the key and the version, so a whole record may be sent. Says what is wrong with it, if it is no deletion. */
export function toDeletion(collection: Collection, item: unknown, pointer: string, isMatched: boolean): WriteOp | ProblemDetail[] {
  if (!isObject(item)) return notRecord(collection, pointer).extra.errors ?? [];
  const { key } = collection;
  const named = valueOfKind(key, item[key.name], "json"); // it may be stored under other rules
  const id = named ?? validateValue({ ...key, required: true }, null, "json");
  if (typeof id !== "number") return toDetails(isProblem(id) ? [id] : [], pointer);
  if (!isMatched) return { verb: "delete", id };
  return isVersion(item.version) ? { verb: "delete", id, ifMatch: [item.version] } : toDetails([versionMissing()], pointer);
}
