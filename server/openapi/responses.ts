// The answers of the routes as OpenAPI responses: bodies, header fields, and the errors that every route can answer.

import { PROBLEM_TYPE } from "../../core/contract/problems.ts";
import { named, type Schema } from "../http/json-schemas.ts";
import { JSON_TYPE, type RouteHandler } from "../http/route.ts";
import { problemExample } from "./examples.ts";
import type { Content, Described, Responses } from "./openapi-types.ts";

const TEXT: Schema = { type: "string" };
const RESPONSES = "#/components/responses/";

/** Every header field that an answer may have, besides those of HTTP itself, CORS and browser security. */
const FIELDS: Record<string, [description: string, schema: Schema]> = {
  "Accept-Encoding": ["The codings that a body may have here.", TEXT],
  "Accept-Patch": ["The media types that PATCH takes here.", TEXT],
  "Accept-Post": ["The media types that POST takes here.", TEXT],
  Allow: ["The methods that this address has.", TEXT],
  "Accept-Ranges": ["Parts may be asked for, by bytes.", { const: "bytes" }],
  "Cache-Control": ["Who may keep the answer.", TEXT],
  "Content-Disposition": ["The file name to save it under.", TEXT],
  "Content-Encoding": ["`gzip` for long answers to clients that take it.", { const: "gzip" }],
  "Content-Range": ["Which bytes of the file these are, and how many it has.", TEXT],
  "Dictionary-Version": ["The version of the data dictionary by which the request was answered.", { type: "integer", minimum: 1 }],
  ETag: [
    "Names this version, for If-Match and If-None-Match. A weak one (W/) is for If-None-Match alone.",
    { type: "string", pattern: '^(W/)?"[^"]+"$' },
  ],
  "Idempotency-Key": ["The key that came along: idempotency keys get here.", TEXT],
  "Idempotent-Replayed": [
    "The first answer to this Idempotency-Key again; nothing was done now. Of a record that was erased since, all values are null.",
    { const: "true" },
  ],
  "Intake-Renamed": ["Former names of fields that the request has, with the names of today: `phone=mobile`.", TEXT],
  "Intake-Rights": ["Is another one once the rights of the caller are others: then a client forgets what it has read.", TEXT],
  Link: ["The list's first page and, if there is one, the next (RFC 8288).", TEXT],
  Location: ["The address of what was created, or where to go on.", { type: "string", format: "uri-reference" }],
  Pragma: ["For caches of HTTP/1.0.", { const: "no-cache" }],
  RateLimit: ["How many requests are left, and the seconds until there are all again.", TEXT],
  "RateLimit-Policy": ["How many requests may be sent in how many seconds.", TEXT],
  "Request-Id": ["Names this request, also in problems and in the service's log.", { type: "string", format: "uuid" }],
  "Retry-After": ["Seconds to wait before the same request.", { type: "integer", minimum: 1 }],
  "Set-Cookie": ["The refresh token, for whoever asked for a cookie; or a sign-in under way.", TEXT],
  "Tus-Resumable": ["The version of the tus protocol.", { const: "1.0.0" }],
  "Upload-Expires": ["Until when the file may be gone on with.", TEXT],
  "Upload-Length": ["How many bytes the whole file has.", { type: "integer", minimum: 1 }],
  "Upload-Offset": ["How many bytes of the file are kept.", { type: "integer", minimum: 0 }],
  Vary: ["The request's header fields that the answer depends on.", TEXT],
  "X-Accel-Buffering": ["With Server-Sent Events: a proxy passes each on at once.", { const: "no" }],
  "WWW-Authenticate": ["How to come back, and what was wrong (RFC 6750).", TEXT],
};

const MEANINGS: Record<number, string> = {
  200: "Done",
  201: "Created",
  202: "Taken; what becomes of it is not in this answer",
  204: "Done; no body",
  206: "The part that was asked for",
  207: "Each record for itself; the results say what became of it",
  302: "Go on at Location",
  304: "Not changed since the ETag that was sent",
};

/** Status → name among the components, meaning, header fields; `?`: not always there. */
const ERRORS: Record<string, [name: string, meaning: string, fields?: readonly string[]]> = {
  400: ["BadRequest", "The request cannot be read; nothing was done"],
  401: ["Unauthorized", "No token, or one that is unknown or expired", ["WWW-Authenticate"]],
  403: ["Forbidden", "The token's scope is too little", ["WWW-Authenticate"]],
  404: ["NotFound", "There is no such record", ["Idempotent-Replayed?"]],
  405: ["MethodNotAllowed", "The address has other methods than this", ["Allow"]],
  406: ["NotAcceptable", "The Accept header leaves out what this answers"],
  409: [
    "Conflict",
    "Exists already, other records refer to it, the same Idempotency-Key is still running, or it is the last administrator's key",
    ["Idempotent-Replayed?", "Retry-After?"],
  ],
  410: ["Gone", "What was asked for is no longer kept"],
  412: ["PreconditionFailed", "Changed meanwhile: the version is another one", ["Idempotent-Replayed?"]],
  413: ["ContentTooLarge", "The body is too large, or has too many records"],
  414: ["UriTooLong", "The address is too long"],
  415: ["UnsupportedMediaType", "The body has another media type or encoding", ["Accept-Post?", "Accept-Patch?", "Accept-Encoding?"]],
  416: ["RangeNotSatisfiable", "The file has no such part", ["Content-Range"]],
  422: [
    "Unprocessable",
    "Read, but refused; the errors say where and why, for all or nothing every record in the way, whatever its class",
    ["Idempotent-Replayed?"],
  ],
  429: ["TooManyRequests", "Too many requests; Retry-After says how long to wait", ["Retry-After", "RateLimit", "RateLimit-Policy"]],
  503: ["Unavailable", "Not just now; the code says whether anything can have been written", ["Retry-After"]],
  default: [
    "Other",
    "Not this address's own. 400 (the request cannot be read), 401 (no token, or one that is unknown or expired), 403 (its scope is too little) and 429 (too many requests) where a token is needed, 406 where there is " +
      "a body in the answer, 413 and 415 where there is one in the request, 414 (the address is too long) everywhere. Rare: 408 the request came too slowly, 431 its header is too large, " +
      "500 a fault of the service, 503 not just now, or a read that takes too long (Retry-After; the code says which), 507 no room left",
    ["Retry-After?", "WWW-Authenticate?", "Accept-Post?", "Accept-Patch?", "Accept-Encoding?", "Idempotent-Replayed?"],
  ],
};

export const OAUTH = "OAuth"; // begins the names of those whose type OAuth clients read

/** The error responses of the document, by name. */
export const ERROR_RESPONSES: Record<string, Described> = Object.fromEntries(
  Object.entries(ERRORS).flatMap(([status, [name, description, fields = []]]) => {
    const headers = fieldsOf(["Request-Id", "Cache-Control", "RateLimit?", "RateLimit-Policy?", ...fields]);
    const problem = { description, headers, content: withExample(errorContent(PROBLEM_TYPE), problemExample(Number(status))) };
    return [
      [name, problem],
      [OAUTH + name, { description, headers, content: errorContent(JSON_TYPE) }],
    ];
  }),
);

function errorContent(type: string): Content {
  return contentOf([type], named("ProblemDocument"));
}

function withExample(content: Content, value: unknown): Content {
  if (value === undefined) return content;
  return Object.fromEntries(Object.entries(content).map(([type, media]) => [type, { ...media, examples: { problem: { value } } }]));
}

/**
 * Returns the responses of a handler: its own, and one for the errors and header fields that every handler of its kind has. They follow from
 * the rest of the operation, as the document's description says, so that they are not repeated hundreds of times.
 */
export function responsesOf(handler: RouteHandler): Responses {
  const responses: Responses = {};
  for (const [status, schema] of Object.entries(handler.doc.responses)) {
    const names = handler.doc.sentHeaders?.[Number(status)] ?? [];
    responses[status] = {
      description: MEANINGS[Number(status)] ?? status,
      ...(names.length > 0 && { headers: fieldsOf(names) }),
      ...(schema && { content: contentOf(handler.produces ?? [JSON_TYPE], schema) }),
    };
  }
  return { ...responses, ...errorReferences(handler.doc.errors ?? [], handler.errorsFor === "oauth" ? OAUTH : "") };
}

export function contentOf(types: readonly string[], schema: Schema): Content {
  const isJson = (type: string) => type.endsWith("json") || type.endsWith("urlencoded");
  return Object.fromEntries(types.map((type) => [type, { schema: isJson(type) ? schema : TEXT }]));
}

/** `kind`: OAUTH for those whose type OAuth clients read. */
export function errorReferences(statuses: readonly number[], kind = ""): Responses {
  const names = [...statuses.map(String), "default"];
  return Object.fromEntries(names.map((status) => [status, { $ref: `${RESPONSES}${kind}${ERRORS[status]?.[0]}` }]));
}

/** The header fields of the document's answers, by name; those that are not always there end with `.optional`. */
export const HEADER_FIELDS: Record<string, Schema> = Object.fromEntries(
  Object.entries(FIELDS).flatMap(([name, [description, schema]]) => [
    [name, { description, required: true, schema }],
    [`${name}.optional`, { description, schema }],
  ]),
);

/** References to header fields; `ETag?` is not always there. */
export function fieldsOf(names: readonly string[]): Record<string, Schema> {
  // A later name replaces an earlier one: `Retry-After` after `Retry-After?` means that it is always there.
  return Object.fromEntries(
    names.map((text) => [text.replace("?", ""), { $ref: `#/components/headers/${text.replace("?", ".optional")}` }]),
  );
}
