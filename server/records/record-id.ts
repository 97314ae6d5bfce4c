// The record id in a route's path.

import type { FastifyRequest } from "fastify";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isProblem, validateValue, valueOfKind } from "../../core/dictionary/validate.ts";
import type { Store } from "../engine/store.ts";
import { type HttpError, httpErrors } from "../http/errors.ts";

/** Returns the `:id` of the path. Throws 404 for text that is no id: no record has it. A stored id may break a rule that the key has today. */
export function recordIdOf(collection: Collection, request: FastifyRequest): number {
  const id = valueOfKind(collection.key, idIn(request), "text");
  if (typeof id !== "number") throw recordNotFound(collection);
  return id;
}

/** Works as recordIdOf, for PUT, which may create the record: text that can be no id, and is none, is a 422 that says why. */
export async function newRecordIdOf(collection: Collection, request: FastifyRequest, store: Store): Promise<number> {
  const id = validateValue(collection.key, idIn(request), "text");
  if (typeof id === "number") return id;
  const stored = valueOfKind(collection.key, idIn(request), "text");
  if (typeof stored === "number" && (await store.read(collection, stored))) return stored;
  const detail = isProblem(id) ? id.message : "The address ends without an id.";
  throw httpErrors.validation([{ parameter: "id", code: "KIND", detail }]);
}

/** `errors` name the records of a bulk write. */
export function recordNotFound(collection: Collection, errors?: ProblemDetail[]): HttpError {
  return httpErrors.notFound(`There is no ${collection.noun} with this ${collection.key.title}.`, errors);
}

function idIn(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}
