export const PROBLEM_TYPE = "application/problem+json";

export type HttpErrorCode =
  | "MALFORMED_JSON"
  | "BAD_PARAMETER"
  | "BAD_CURSOR"
  | "BAD_HEADER"
  | "BAD_REQUEST"
  | "UNAUTHENTICATED"
  | "INVALID_TOKEN"
  | "INVALID_CLIENT"
  | "INSUFFICIENT_SCOPE"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "NOT_ACCEPTABLE"
  | "REQUEST_TIMEOUT"
  | "ALREADY_EXISTS"
  | "IDEMPOTENCY_IN_PROGRESS"
  | "PRECONDITION_FAILED"
  | "TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "VALIDATION"
  | "ID_MISMATCH"
  | "DUPLICATE_IN_REQUEST"
  | "IDEMPOTENCY_KEY_REUSED"
  | "TOO_MANY_REQUESTS"
  | "HEADERS_TOO_LARGE"
  | "URI_TOO_LONG"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "STORE_FULL";

/** One detail of a problem. `pointer` (RFC 6901) points into what was sent, in the form it was sent. */
export interface ProblemDetail {
  pointer?: string;
  parameter?: string;
  header?: string;
  code: string;
  detail: string;
  /** The record that stands in the way, with ALREADY_EXISTS. */
  href?: string;
}

/** RFC 9457. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: HttpErrorCode;
  errors?: ProblemDetail[];
  truncated?: true;
  requestId?: string;
}
