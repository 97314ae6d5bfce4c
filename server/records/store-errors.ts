// Failures of the store and problems of the check as HTTP errors that point into the request body.

import { API_ROOT, collectionPath, recordPath } from "../../core/contract/paths.ts";
import type { CurrentVersion, Problem, ProblemDetail } from "../../core/contract/problems.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { titlesOf, uniquesOf } from "../../core/dictionary/unique-keys.ts";
import type { Decision, Failure, FailureCode, InUse, Rejected, SentForm } from "../engine/store.ts";
import { HttpError, httpErrors } from "../http/errors.ts";
import { duplicateDetails } from "./on-duplicate.ts";
import { recordNotFound } from "./record-id.ts";
import { pointerOf } from "./unwrap-body.ts";

/** `pointer` is the record's; the field's name is appended, with ~ and / escaped (RFC 6901 section 4). */
export function toDetails(problems: readonly Problem[], pointer: string): ProblemDetail[] {
  return problems.map(({ field, code, message, rule, constraint }) => ({
    pointer: `${pointer}/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    code,
    detail: message,
    ...(rule !== undefined && { rule }),
    ...(constraint !== undefined && { constraint }),
  }));
}

/** No value of the record is wrong. */
const WHOLE_RECORD: ReadonlySet<FailureCode> = new Set(["NOT_FOUND", "PRECONDITION_FAILED", "CHANGED_BY_OTHERS"]);

/** Makes the HTTP error for one failed op. `pointer` is the record's in the body. */
export function httpErrorOf(collection: Collection, failure: Failure, pointer: string): HttpError {
  if (failure.code === "INSUFFICIENT_SCOPE") return httpErrors.forbiddenByRoles(failure.why ?? "");
  const isOfWhole = WHOLE_RECORD.has(failure.code) && failure.field === undefined; // a value that names no record is wrong itself
  const error = errorOf(collection, failure.code, isOfWhole ? [] : failureDetails(collection, failure, pointer));
  return new HttpError(error.code, error.message, { ...error.extra, ...currentOf(collection, failure) });
}

/** Returns who wrote the record last that stands against the write. Whoever may not read it gets none of this (`present-written.ts`). */
function currentOf(collection: Collection, { current }: Failure): { current?: CurrentVersion } {
  if (!current) return {};
  const { version, updatedAt, updatedBy } = current;
  const href = API_ROOT + recordPath(collection.name, Number(current[collection.key.name]));
  return { current: { version, updatedAt, updatedBy, href } };
}

function errorOf(collection: Collection, code: FailureCode, errors: ProblemDetail[]): HttpError {
  switch (code) {
    case "ALREADY_EXISTS":
      return httpErrors.alreadyExists(errors);
    case "DUPLICATE":
      return httpErrors.duplicate(errors);
    case "NOT_FOUND":
      return errors.length === 1 ? httpErrors.notFound(errors[0]?.detail, errors) : recordNotFound(collection, errors);
    case "PRECONDITION_FAILED":
      return httpErrors.preconditionFailed(errors);
    case "CHANGED_BY_OTHERS":
      return httpErrors.changedByOthers(errors);
    case "IN_USE":
      return httpErrors.inUse(errors);
    case "VALIDATION": {
      const common = (["REFERENCE_NOT_FOUND", "WARNING"] as const).find((one) => errors.every((error) => error.code === one));
      return httpErrors.validation(errors, errors.length > 0 ? common : code);
    }
    case "DUPLICATE_IN_REQUEST":
      return httpErrors.validation(errors, code);
    case "INSUFFICIENT_SCOPE":
      return httpErrors.forbiddenByRoles(errors[0]?.detail ?? "", errors);
    case "MERGED":
      return httpErrors.merged(errors);
    case "MERGE_FIXED":
      return httpErrors.mergeFixed(errors[0]?.detail ?? "");
  }
}

/**
 * Makes the HTTP error for all or nothing, undefined if nothing is in the way. It names every record that is, in the order of the
 * request: rejected by the check, and failed in the store's `decisions` on the others. The status is the one that all of
 * them share, otherwise 422. `ofItem`: the collection of the record at this place.
 */
export function httpErrorOfAll(
  ofItem: (index: number) => Collection,
  form: SentForm & { rejected: Rejected },
  decisions: readonly Decision[],
): HttpError | undefined {
  const codes = new Set<FailureCode>();
  const errors: ProblemDetail[] = [];
  let next = 0;
  let failed: Collection | undefined;
  for (let i = 0; i < form.rejected.size + decisions.length; i++) {
    const details = form.rejected.get(i);
    const decision = details ? undefined : decisions[next++];
    if (details) {
      codes.add("VALIDATION");
      errors.push(...details);
    } else if (decision?.outcome === "failed") {
      codes.add(decision.failure.code);
      errors.push(...failureDetails(ofItem(i), decision.failure, pointerOf(form, i)));
      failed ??= ofItem(i);
    }
  }
  const [code, ...others] = codes;
  if (code === undefined) return undefined;
  return errorOf(failed ?? ofItem(0), others.length > 0 ? "VALIDATION" : code, errors);
}

/** Makes the refusal of what writes to a record that is part of another one. */
export function mergedInto(collection: Collection, holder: number): HttpError {
  return errorOf(collection, "MERGED", failureDetails(collection, { code: "MERGED", holder }, ""));
}

function failureDetails(collection: Collection, failure: Failure, pointer: string): ProblemDetail[] {
  const matched = uniquesOf(collection).find(({ name }) => name === failure.field);
  const [named = collection.key] = matched?.fields ?? [];
  const title = matched ? titlesOf(matched.fields) : named.title;
  const atName = { pointer: `${pointer}/${named.name}`, code: failure.code };
  switch (failure.code) {
    case "VALIDATION":
      return toDetails(failure.problems ?? [], pointer);
    case "ALREADY_EXISTS": {
      const href = failure.holder === undefined ? {} : { href: API_ROOT + recordPath(collection.name, failure.holder) };
      return [{ ...atName, detail: `Another ${collection.noun} already has this ${title}.`, ...href }];
    }
    case "DUPLICATE":
      return duplicateDetails(collection, failure.similar ?? [], pointer);
    case "IN_USE":
      return failure.inUse ? [{ ...(pointer !== "" && atName), code: failure.code, ...describeUse(collection, failure.inUse) }] : [];
    case "INSUFFICIENT_SCOPE":
    case "MERGE_FIXED":
      return [{ ...atName, detail: failure.why ?? "" }];
    case "MERGED": {
      const href = failure.holder === undefined ? {} : { href: API_ROOT + recordPath(collection.name, failure.holder) };
      return [{ ...atName, detail: `This ${collection.noun} was merged into another one, to which its address leads.`, ...href }];
    }
    case "DUPLICATE_IN_REQUEST":
      return [{ ...atName, detail: `An earlier record of this request has the same ${title}.` }];
    case "NOT_FOUND":
      return [{ ...atName, detail: `There is no ${collection.noun} with this ${title}.` }];
    case "PRECONDITION_FAILED":
      return [{ ...atName, detail: `The ${collection.noun} was changed meanwhile.`, ...currentOf(collection, failure) }];
    case "CHANGED_BY_OTHERS":
      return [
        {
          ...atName,
          detail: `The ${collection.noun} was made, changed or deleted elsewhere meanwhile.`,
          ...currentOf(collection, failure),
        },
      ];
  }
}

/** Returns what is in the way of a deletion or an erasure, where to find it, and how much it is. */
export function describeUse(own: Collection, { collection, id, child, field, count, reason }: InUse): Omit<ProblemDetail, "code"> {
  const which = collection === own.name ? `this ${own.noun}` : `${id} of ${collection}, which would be deleted with it`;
  if (reason === "request") return { detail: `The same request writes records that refer to ${which}. Delete it by a request of its own.` };
  if (reason === "rights")
    return { detail: `Records of ${child} refer to ${which}, and your rights do not let you change or delete them.` };
  if (reason === "merged") {
    const merged = `${count} ${count === 1 ? "record was" : "records were"} merged into ${which}`;
    return { detail: `${merged}, and the history has what they were. Erase these first, or take the merge apart.`, count };
  }
  const records = `${count} ${count === 1 ? "record" : "records"} of ${child}`;
  const href = `${API_ROOT}${collectionPath(child)}?${field}=${id}`;
  const because = reason === "many" ? "; so many are not deleted or changed along with it" : "";
  return { detail: `${records} refer${count === 1 ? "s" : ""} to ${which}${because}. Delete or change them first.`, href, count };
}
