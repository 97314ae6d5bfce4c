// Errors of every origin to one problem document (RFC 9457). The only place that knows the framework's error codes.

import { STATUS_CODES } from "node:http";
import { MAX_PROBLEMS } from "../../core/contract/limits.ts";
import { PROBLEM_TYPE, type ProblemBody } from "../../core/contract/problems.ts";
import { type Answer, StoreFull, StoreUnavailable } from "../store/store.ts";
import { badRequest, internal, Refusal, storeFull, tooLarge, unavailable, uriTooLong } from "./errors.ts";

export interface Occasion {
  /** Path without the query: a search may hold a name. */
  instance?: string;
  requestId?: string;
}

/** Anything thrown to a refusal; `bodyLimit` is that of the door, in bytes. What is not one of ours or the framework's is a bug and says nothing about itself. */
export function toRefusal(error: unknown, bodyLimit = 0): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreFull) return storeFull();
  if (error instanceof StoreUnavailable) return unavailable();
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return tooLarge(`The body may have at most ${bodyLimit} bytes here.`);
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return badRequest("The body has not the length that Content-Length says.");
    case "FST_ERR_BAD_URL":
      return badRequest("The address has a % that begins no valid character.");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return uriTooLong();
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "The Content-Type header cannot be read.");
    case "FST_ERR_HANDLER_TIMEOUT":
      return unavailable();
  }
  if (statusCode === 429) return new Refusal(429, "TOO_MANY_REQUESTS", "Too many requests.");
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Refusal(statusCode, "BAD_REQUEST", "The request cannot be read.");
  return internal();
}

export function problemBody(refusal: Refusal, occasion: Occasion = {}): ProblemBody {
  const { errors, oauth } = refusal.extra;
  return {
    ...(oauth && { error: oauth, error_description: refusal.message }),
    type: "about:blank", // RFC 9457 section 4.2.1: the status says what it is; `code` says it finer
    title: STATUS_CODES[refusal.status] ?? "Error",
    status: refusal.status,
    detail: refusal.message,
    ...(occasion.instance && { instance: occasion.instance }),
    code: refusal.code,
    ...(errors && { errors: errors.slice(0, MAX_PROBLEMS) }),
    ...(errors && errors.length > MAX_PROBLEMS && { truncated: true as const }),
    ...(occasion.requestId && { requestId: occasion.requestId }),
  };
}

export function problemAnswer(refusal: Refusal, occasion: Occasion): Answer {
  return {
    status: refusal.status,
    headers: { "content-type": PROBLEM_TYPE, "cache-control": "no-store", ...refusal.extra.headers },
    body: JSON.stringify(problemBody(refusal, occasion)),
  };
}
