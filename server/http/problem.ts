// Problem documents (RFC 9457) for errors of every origin: ours, the store's, Fastify's, and bugs.

import { STATUS_CODES } from "node:http";
import { MAX_PROBLEMS } from "../../core/contract/limits.ts";
import { PROBLEM_CATALOGUE, problemPath } from "../../core/contract/problem-catalogue.ts";
import { PROBLEM_TYPE, type ProblemBody } from "../../core/contract/problems.ts";
import { type Answer, StoreFull, StoreInDoubt, StoreOutdated, StoreTooCostly, StoreUnavailable } from "../engine/store.ts";
import { QueueFull } from "../people/auth/bounded-queue.ts";
import { TooManyGuesses } from "../people/auth/guesses.ts";
import { HttpError, httpErrors } from "./errors.ts";

export interface ProblemContext {
  /** Path without the query: a search may hold a name. */
  instance?: string;
  requestId?: string;
  /** Unset for those who read problem documents. */
  errorsFor?: ErrorReader | undefined;
}

/** `oauth`: clients that read an `error` besides (RFC 6749 section 5.2). `scim`: directories, which read only what RFC 7644 section 3.12 has. */
export type ErrorReader = "oauth" | "scim";

export const SCIM_TYPE = "application/scim+json"; // RFC 7644 section 3.1
const TYPES: Record<ErrorReader, string> = { oauth: "application/json", scim: SCIM_TYPE };

/**
 * Returns the HTTP error for anything thrown. What is neither ours nor the framework's is a bug and becomes a 500 without details. The
 * answer to a read does not speak of writing.
 */
export function toHttpError(error: unknown, isRead = false): HttpError {
  if (error instanceof StoreOutdated) return httpErrors.outdated(error.message);
  const found = meaningOf(error);
  return isRead && found.code === "UNAVAILABLE" ? httpErrors.readUnavailable() : found;
}

function meaningOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StoreFull) return httpErrors.storeFull();
  if (error instanceof StoreUnavailable) return httpErrors.unavailable();
  if (error instanceof TooManyGuesses) return httpErrors.tooManySignIns(error.seconds);
  if (error instanceof QueueFull) return httpErrors.busyWithPasswords();
  if (error instanceof StoreInDoubt) return httpErrors.outcomeUnknown();
  if (error instanceof StoreTooCostly) return httpErrors.readTooCostly();
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  switch (code) {
    case "FST_ERR_BAD_URL":
      return httpErrors.undecodableAddress();
    case "FST_ERR_MAX_PARAM_LENGTH":
      return httpErrors.uriTooLong();
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new HttpError("UNSUPPORTED_MEDIA_TYPE", "The Content-Type header cannot be read.");
  }
  if (statusCode === 429) return new HttpError("TOO_MANY_REQUESTS", "Too many requests.");
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new HttpError("BAD_REQUEST", "The request cannot be read.", { status: statusCode });
  return httpErrors.internal();
}

// Node's list has the names that RFC 9110 replaced.
const NEW_REASONS: Record<number, string> = { 413: "Content Too Large", 422: "Unprocessable Content" };

/** Returns the reason phrase of a status. */
export function reasonOf(status: number): string {
  return NEW_REASONS[status] ?? STATUS_CODES[status] ?? "Error";
}

export function problemBody(httpError: HttpError, context: ProblemContext = {}): ProblemBody {
  const { errors, current, fields, oauth = context.errorsFor === "oauth" ? "invalid_request" : undefined } = httpError.extra;
  return {
    ...(oauth && { error: oauth, error_description: httpError.message }),
    type: problemPath(httpError.code),
    title: PROBLEM_CATALOGUE[httpError.code].title,
    status: httpError.status,
    detail: httpError.message,
    ...(context.instance && { instance: context.instance }),
    code: httpError.code,
    ...(errors && { errors: errors.slice(0, MAX_PROBLEMS) }),
    ...(errors && errors.length > MAX_PROBLEMS && { truncated: true as const }),
    ...(current && { current }),
    ...(fields && { fields }),
    ...(context.requestId && { requestId: context.requestId }),
  };
}

function scimError({ status, code, message: detail, extra }: HttpError) {
  const scimType = extra.scim ?? (code === "EMAIL_TAKEN" ? "uniqueness" : undefined);
  return { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: String(status), ...(scimType && { scimType }), detail };
}

export function problemAnswer(httpError: HttpError, context: ProblemContext): Answer {
  return {
    status: httpError.status,
    headers: {
      "content-type": context.errorsFor ? TYPES[context.errorsFor] : PROBLEM_TYPE,
      "cache-control": "no-store",
      ...httpError.extra.headers,
    },
    body: JSON.stringify(context.errorsFor === "scim" ? scimError(httpError) : problemBody(httpError, context)),
  };
}
