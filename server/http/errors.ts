// Every way in which the service says no, one function per refusal. Knows no request: problem.ts makes the body.

import type { HttpErrorCode, ProblemDetail } from "../../core/contract/problems.ts";
import { MAX_FAILED, WINDOW_SECONDS } from "../auth/login-attempts.ts";

interface Extra {
  errors?: ProblemDetail[];
  headers?: Record<string, string>;
  /** The error code of RFC 6749 section 5.2. */
  oauth?: string;
}

export class HttpError extends Error {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly extra: Extra;

  constructor(status: number, code: HttpErrorCode, detail: string, extra: Extra = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

export const REALM = "intake";

export function malformed(detail: string): HttpError {
  return new HttpError(400, "MALFORMED_JSON", detail);
}

export function badRequest(detail: string): HttpError {
  return new HttpError(400, "BAD_REQUEST", detail);
}

export function badParameters(errors: ProblemDetail[]): HttpError {
  return new HttpError(400, "BAD_PARAMETER", "The address has a parameter that cannot be used.", { errors });
}

export function badCursor(): HttpError {
  const errors = [{ parameter: "cursor", code: "BAD_CURSOR", detail: "Start again without a cursor." }];
  return new HttpError(400, "BAD_CURSOR", "The cursor was not made for this list, order and search.", { errors });
}

export function badHeader(header: string, detail: string): HttpError {
  return new HttpError(400, "BAD_HEADER", detail, { errors: [{ header, code: "BAD_HEADER", detail }] });
}

/** No credentials at all: no error code, only how to come back (RFC 6750 section 3.1). */
export function unauthenticated(): HttpError {
  return new HttpError(401, "UNAUTHENTICATED", "Send an access token: Authorization: Bearer <token>.", {
    headers: { "WWW-Authenticate": `Bearer realm="${REALM}"` },
  });
}

export function invalidToken(): HttpError {
  return new HttpError(401, "INVALID_TOKEN", "The access token is unknown or has expired. Exchange the API key for a new one.", {
    headers: { "WWW-Authenticate": `Bearer realm="${REALM}", error="invalid_token"` },
  });
}

export function insufficientScope(scope: string): HttpError {
  return new HttpError(403, "INSUFFICIENT_SCOPE", `This needs a key with the scope "${scope}".`, {
    headers: { "WWW-Authenticate": `Bearer realm="${REALM}", error="insufficient_scope", scope="${scope}"` },
  });
}

/** RFC 6749 section 5.2: a client that came by Basic is told so, every failed one gets 401. */
export function invalidClient(): HttpError {
  return new HttpError(401, "INVALID_CLIENT", "The API key is not known, or was revoked.", {
    oauth: "invalid_client",
    headers: { "WWW-Authenticate": `Basic realm="${REALM}"` },
  });
}

export function badTokenRequest(oauth: "invalid_request" | "unsupported_grant_type" | "invalid_scope", detail: string): HttpError {
  return new HttpError(400, "BAD_REQUEST", detail, { oauth });
}

export function tooManyRequests(seconds: number): HttpError {
  return new HttpError(429, "TOO_MANY_REQUESTS", `Too many failed attempts. Try again in ${seconds} seconds.`, {
    headers: {
      "Retry-After": String(seconds),
      "RateLimit-Policy": `"attempts";q=${MAX_FAILED};w=${WINDOW_SECONDS}`,
      RateLimit: `"attempts";r=0;t=${seconds}`,
    },
  });
}

/** More requests than the key may send. */
export function overRate(seconds: number, perSecond: number): HttpError {
  return new HttpError(429, "TOO_MANY_REQUESTS", `This API key may send ${perSecond} requests a second. Wait ${seconds} s.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

export function notFound(detail = "There is nothing at this address."): HttpError {
  return new HttpError(404, "NOT_FOUND", detail);
}

export function notAllowed(method: string, allow: string): HttpError {
  return new HttpError(405, "METHOD_NOT_ALLOWED", `${method} is not possible here. Possible: ${allow}.`, { headers: { Allow: allow } });
}

export function notAcceptable(type: string): HttpError {
  return new HttpError(406, "NOT_ACCEPTABLE", `The answer is ${type}, which the Accept header leaves out.`);
}

export function tooLarge(detail: string): HttpError {
  return new HttpError(413, "TOO_LARGE", detail);
}

export function uriTooLong(): HttpError {
  return new HttpError(414, "URI_TOO_LONG", "The address is longer than the service takes.");
}

export function unsupportedType(accepted: readonly string[], method: string): HttpError {
  return new HttpError(415, "UNSUPPORTED_MEDIA_TYPE", `Send the body as ${accepted.join(" or ")}.`, {
    headers: { [method === "PATCH" ? "Accept-Patch" : "Accept-Post"]: accepted.join(", ") },
  });
}

/** RFC 9110 section 15.5.16: what is taken stands in Accept-Encoding. */
export function unsupportedCoding(unzips: boolean): HttpError {
  return new HttpError(415, "UNSUPPORTED_MEDIA_TYPE", `Send the body ${unzips ? "plain or as gzip" : "not compressed"}.`, {
    headers: { "Accept-Encoding": unzips ? "gzip, identity" : "identity" },
  });
}

/** The data is refused; `errors` say where and why. */
export function invalid(errors: ProblemDetail[], code: HttpErrorCode = "VALIDATION"): HttpError {
  const count = errors.length === 1 ? "one problem" : `${errors.length} problems`;
  return new HttpError(422, code, errors.length === 1 ? (errors[0]?.detail ?? "") : `The request has ${count}; nothing was written.`, {
    errors,
  });
}

export function alreadyExists(errors: ProblemDetail[]): HttpError {
  return new HttpError(409, "ALREADY_EXISTS", errors[0]?.detail ?? "It exists already.", { errors });
}

export function preconditionFailed(detail = "The record was changed meanwhile: its ETag is another one now."): HttpError {
  return new HttpError(412, "PRECONDITION_FAILED", detail);
}

export function keyReused(): HttpError {
  const detail = "This Idempotency-Key was used with another request. Use a new key for a new request.";
  return new HttpError(422, "IDEMPOTENCY_KEY_REUSED", detail, {
    errors: [{ header: "Idempotency-Key", code: "IDEMPOTENCY_KEY_REUSED", detail }],
  });
}

export function keyInProgress(): HttpError {
  return new HttpError(409, "IDEMPOTENCY_IN_PROGRESS", "The first request with this Idempotency-Key is still running.", {
    headers: { "Retry-After": "1" },
  });
}

export function unavailable(): HttpError {
  return new HttpError(503, "UNAVAILABLE", "The service cannot do this just now. Nothing was written; send the same request again.", {
    headers: { "Retry-After": "2" },
  });
}

/** RFC 4918 section 11.5. */
export function storeFull(): HttpError {
  return new HttpError(507, "STORE_FULL", "The service has no room left to store this. Nothing was written.");
}

export function internal(): HttpError {
  return new HttpError(500, "INTERNAL", "Something went wrong in the service. The request id says which case it was.");
}
