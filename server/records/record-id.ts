// The record id in a route's path.

import type { FastifyRequest } from "fastify";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { validateValue } from "../../core/dictionary/validate.ts";
import { type HttpError, httpErrors } from "../http/errors.ts";

/** The `:id` of the path. Throws 404 for text that is no id: no record has it. */
export function recordIdOf(collection: Collection, request: FastifyRequest): number {
  const id = readId(collection, request);
  if (typeof id !== "number") throw recordNotFound(collection);
  return id;
}

/** Works as recordIdOf, for PUT, which may create the record: text that is no id is a 422 that says why. */
export function newRecordIdOf(collection: Collection, request: FastifyRequest): number {
  const id = readId(collection, request);
  if (typeof id === "number") return id;
  const detail = typeof id === "object" && id !== null ? id.message : "The address ends without an id.";
  throw httpErrors.validation([{ parameter: "id", code: "KIND", detail }]);
}

/** `errors` name the records of a bulk write. */
export function recordNotFound(collection: Collection, errors?: ProblemDetail[]): HttpError {
  return httpErrors.notFound(`There is no ${collection.noun} with this ${collection.key.title}.`, errors);
}

function readId(collection: Collection, request: FastifyRequest) {
  return validateValue(collection.key, (request.params as { id: string }).id, "text");
}
