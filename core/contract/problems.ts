import type { Principal } from "./principals.ts";

export const PROBLEM_TYPE = "application/problem+json";

export type HttpErrorCode =
  | "MALFORMED_JSON"
  | "BAD_PARAMETER"
  | "BAD_CURSOR"
  | "CURSOR_EXPIRED"
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
  | "IN_USE"
  | "IDEMPOTENCY_IN_PROGRESS"
  | "LAST_ADMIN_KEY"
  | "NOT_A_PERSON"
  | "WRONG_PASSWORD"
  | "SESSION_ENDED"
  | "CODE_INVALID"
  | "PASSKEY_REFUSED"
  | "PASSKEY_NEEDED"
  | "PASSKEY_REQUIRED"
  | "PROOF_NEEDED"
  | "TOO_MANY_PASSKEYS"
  | "LAST_PASSKEY"
  | "LINK_INVALID"
  | "SIGN_UP_CLOSED"
  | "NO_MAIL_HERE"
  | "LAST_ADMINISTRATOR"
  | "EMAIL_TAKEN"
  | "USER_DISABLED"
  | "TOO_MANY_KEYS"
  | "TOO_MANY_WEBHOOKS"
  | "RECIPE_NAME_TAKEN"
  | "TOO_MANY_RECIPES"
  | "RECIPE_SHARE_USED"
  | "VIEW_NAME_TAKEN"
  | "TOO_MANY_VIEWS"
  | "VIEW_SHARE_USED"
  | "NAME_CONFUSABLE"
  | "REWRITE_TOO_LONG"
  | "ROLE_IN_USE"
  | "ROLE_BUILT_IN"
  | "PRECONDITION_FAILED"
  | "CHANGED_BY_OTHERS"
  | "TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "VALIDATION"
  | "ID_MISMATCH"
  | "REFERENCE_NOT_FOUND"
  | "DUPLICATE_IN_REQUEST"
  | "IDEMPOTENCY_KEY_REUSED"
  | "TOO_MANY_REQUESTS"
  | "TOO_MANY_EXPORTS"
  | "TOO_MANY_FOLLOWERS"
  | "HEADERS_TOO_LARGE"
  | "URI_TOO_LONG"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "OUTCOME_UNKNOWN"
  | "READ_TOO_COSTLY"
  | "STORE_FULL";

/** `pointer` (RFC 6901) points into the request body as it was sent. */
export interface ProblemDetail {
  pointer?: string;
  parameter?: string;
  header?: string;
  code: string;
  detail: string;
  /** With ALREADY_EXISTS: the existing record. With IN_USE: the records that refer to it. */
  href?: string;
  /** With IN_USE: how many they are. */
  count?: number;
  /** Stands with one record of many, with status 412. */
  current?: CurrentVersion;
}

/** The record that stands against a write with status 412: who wrote it last and when. Only whoever may read it is told. */
export interface CurrentVersion {
  version: number;
  /** RFC 3339. */
  updatedAt: string;
  updatedBy: Principal | null;
  /** Leads to the record; with `/history` behind it to what was changed. */
  href: string;
}

/** The body of an error response (RFC 9457). */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: HttpErrorCode;
  errors?: ProblemDetail[];
  truncated?: true;
  /** With status 412 about one record that is there. */
  current?: CurrentVersion;
  requestId?: string;
}

/** Why a value is not valid. It never holds the value itself, because problems are logged and sent. */
export interface Problem {
  /** The field's name; for an unknown field the name as it was sent. */
  field: string;
  code: ProblemCode;
  /** A whole sentence for people. */
  message: string;
}

export type ProblemCode =
  | "REQUIRED"
  | "KIND"
  | "CHARACTERS"
  | "TOO_SHORT"
  | "TOO_LONG"
  | "TOO_SMALL"
  | "TOO_LARGE"
  | "TOO_PRECISE"
  | "PATTERN"
  | "ENUM"
  | "UNKNOWN_FIELD"
  | "UNIQUE"
  | "REFERENCE_NOT_FOUND"
  | "REFERENCE_MISMATCH"
  | "ID_MISMATCH";
