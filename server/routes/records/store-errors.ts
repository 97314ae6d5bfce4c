// Failures of the store and problems of the check as HTTP errors that point into the request body.

import { API_ROOT, recordPath } from "../../../core/contract/paths.ts";
import type { Problem, ProblemDetail } from "../../../core/contract/problems.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { type HttpError, httpErrors } from "../../http/errors.ts";
import type { Failure } from "../../store/store.ts";
import { recordNotFound } from "./record-id.ts";

/** `pointer` is the record's; the field's name is appended, with ~ and / escaped (RFC 6901 section 4). */
export function toDetails(problems: readonly Problem[], pointer: string): ProblemDetail[] {
  return problems.map(({ field, code, message }) => ({
    pointer: `${pointer}/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    code,
    detail: message,
  }));
}

/** The HTTP error for one failed op. `pointer` is the record's in the body. */
export function httpErrorOf(collection: Collection, failure: Failure, pointer: string): HttpError {
  const errors = failureDetails(collection, failure, pointer);
  switch (failure.code) {
    case "ALREADY_EXISTS":
      return httpErrors.alreadyExists(errors);
    case "NOT_FOUND":
      return recordNotFound(collection);
    case "PRECONDITION_FAILED":
      return httpErrors.preconditionFailed();
    case "VALIDATION":
    case "DUPLICATE_IN_REQUEST":
      return httpErrors.validation(errors, failure.code);
  }
}

/** The HTTP error for an atomic batch: the status that all failures share, otherwise 422. */
export function httpErrorOfAll(collection: Collection, failed: readonly { failure: Failure; pointer: string }[]): HttpError {
  const [first] = failed;
  const isSame = failed.every(({ failure }) => failure.code === first?.failure.code);
  const errors = failed.flatMap(({ failure, pointer }) => failureDetails(collection, failure, pointer));
  if (!first || !isSame) return httpErrors.validation(errors);
  const httpError = httpErrorOf(collection, first.failure, first.pointer);
  return first.failure.code === "ALREADY_EXISTS"
    ? httpErrors.alreadyExists(errors)
    : httpError.status === 422
      ? httpErrors.validation(errors, httpError.code)
      : httpError;
}

function failureDetails(collection: Collection, failure: Failure, pointer: string): ProblemDetail[] {
  const { key } = collection;
  const atKey = { pointer: `${pointer}/${key.name}`, code: failure.code };
  switch (failure.code) {
    case "VALIDATION":
      return toDetails(failure.problems ?? [], pointer);
    case "ALREADY_EXISTS": {
      const href = API_ROOT + recordPath(collection.name, failure.holder ?? 0);
      return [{ ...atKey, detail: `Another ${collection.noun} already has this ${key.title}.`, href }];
    }
    case "DUPLICATE_IN_REQUEST":
      return [{ ...atKey, detail: `An earlier record of this request has the same ${key.title}.` }];
    case "NOT_FOUND":
      return [{ ...atKey, detail: `There is no ${collection.noun} with this ${key.title}.` }];
    case "PRECONDITION_FAILED":
      return [{ ...atKey, detail: `The ${collection.noun} was changed meanwhile.` }];
  }
}
