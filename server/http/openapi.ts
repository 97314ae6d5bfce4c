// The doors and the dictionary as an OpenAPI 3.1 document. Says nothing that a door does not say of itself.

import type { Collection } from "../../dictionary/collections.ts";
import { API_ROOT, PROBLEM_TYPE } from "../../dictionary/wire.ts";
import { type Door, JSON_TYPE, MERGE_PATCH_TYPE, type Way, waysOf } from "./door.ts";
import { KEY_SCHEMA } from "./keys-doors.ts";
import { collectionSchemas, named, PROBLEM, type Schema } from "./schemas.ts";

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: Schema[];
  requestBody?: { required: true; content: Record<string, { schema: Schema }> };
  responses: Record<string, Schema>;
  security: Record<string, string[]>[];
}

export interface OpenApi {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Schema> };
}

const HEADERS: Record<string, string> = {
  "If-Match": "ETag of the version that is meant; another one is refused with 412.",
  "If-None-Match": "On GET the ETag that is known already (304); on PUT `*`: create only.",
  "Idempotency-Key": "1 to 255 visible ASCII characters, new for each request; the same again gives the first answer again.",
};

const MEANINGS: Record<number, string> = {
  200: "Done",
  201: "Created",
  204: "Done; no body",
  207: "Each record for itself; the results say what became of it",
  304: "Not changed since the ETag that was sent",
  400: "The request cannot be read; nothing was done",
  401: "No token, or one that is unknown or expired",
  403: "The token's scope is too little",
  404: "There is no such record",
  406: "The Accept header leaves out what this answers",
  409: "Exists already, or the same Idempotency-Key is still running",
  412: "Changed meanwhile: the version is another one",
  413: "The body is too large",
  415: "The body has another media type or encoding",
  422: "Read, but refused; the errors say where and why",
  429: "Too many requests; Retry-After says how long to wait",
  503: "Not just now; nothing was written",
  507: "No room left on the disk; nothing was written",
};

export function describe(doors: readonly Door[], collections: readonly Collection[]): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const door of doors) {
    const path: Record<string, Operation> = {};
    for (const name of waysOf(door)) {
      const operation = toOperation(door, name, collections);
      path[name.toLowerCase()] = operation;
      if (name === "GET") path.head = toHead(operation);
    }
    paths[door.url.replaceAll(/:(\w+)/g, "{$1}")] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Intake",
      version: API_ROOT.slice(1),
      description:
        "Enter and manage records. Exchange an API key for an access token at `/v1/oauth/token`, then send `Authorization: Bearer <token>`. " +
        "Every error is a problem document (RFC 9457). OPTIONS and HEAD say what an address takes.",
    },
    paths,
    components: {
      schemas: { Problem: PROBLEM, Key: KEY_SCHEMA, ...Object.assign({}, ...collections.map(collectionSchemas)) },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function toOperation(door: Door, name: ReturnType<typeof waysOf>[number], collections: readonly Collection[]): Operation {
  const way = door[name] as Way;
  const collection = collections.find((one) => door.url.split("/")[2] === one.name);
  const parameters = [...pathParameters(door, collection), ...queryParameters(way), ...headerParameters(way)];
  return {
    operationId: way.doc.id,
    summary: way.doc.summary,
    tags: [collection?.title ?? "Service"],
    ...(parameters.length > 0 && { parameters }),
    ...(way.takes && { requestBody: { required: true, content: contentOf(way.takes, way.doc.body ?? {}) } }),
    responses: responsesOf(way),
    security: way.scope === "open" ? [] : [{ token: [way.scope] }],
  };
}

/** The very status of GET, and no body, whatever it is. */
function toHead(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]) => [status, { description: response.description }]);
  const operationId = `${operation.operationId}_head`;
  return { ...operation, operationId, summary: `${operation.summary}: the header fields only`, responses: Object.fromEntries(responses) };
}

/** The statuses that a way answers: its own, and those that every way of its kind has. */
function responsesOf(way: Way): Record<string, Schema> {
  const responses: Record<string, Schema> = {};
  for (const [status, schema] of Object.entries(way.doc.answers)) {
    const description = MEANINGS[Number(status)] ?? status;
    responses[status] = schema === null ? { description } : { description, content: contentOf(way.gives ?? [JSON_TYPE], schema) };
  }
  for (const status of refusalsOf(way)) responses[status] = { description: MEANINGS[status] ?? String(status), content: problem() };
  responses.default = { description: "Any other refusal", content: problem() };
  return responses;
}

function refusalsOf(way: Way): number[] {
  const common = [406, ...(way.scope === "open" ? [] : [401, 403, 429]), ...(way.takes ? [400, 413, 415] : [])];
  // Every token may read, so nobody is refused a reading door for want of scope.
  return [...new Set([...common, ...(way.doc.refuses ?? [])])].filter((status) => !(status === 403 && way.scope === "read")).sort();
}

function problem(): Record<string, { schema: Schema }> {
  return contentOf([PROBLEM_TYPE], named("Problem"));
}

function contentOf(types: readonly string[], schema: Schema): Record<string, { schema: Schema }> {
  const isJson = (type: string) => type.endsWith("json") || type.endsWith("urlencoded") || type === MERGE_PATCH_TYPE;
  return Object.fromEntries(types.map((type) => [type, { schema: isJson(type) ? schema : { type: "string" } }]));
}

function pathParameters(door: Door, collection: Collection | undefined): Schema[] {
  const schema = collection ? { type: "integer", minimum: collection.key.minimum, maximum: collection.key.maximum } : { type: "string" };
  return door.url.includes(":id") ? [{ name: "id", in: "path", required: true, schema }] : [];
}

function queryParameters({ doc }: Way): Schema[] {
  return Object.entries(doc.parameters ?? {}).map(([name, { expects, schema }]) => {
    const list = schema.type === "array" ? { style: "form", explode: false } : {};
    return { name, in: "query", description: `${name} must be ${expects}.`, schema, ...list };
  });
}

function headerParameters({ doc }: Way): Schema[] {
  return (doc.headers ?? []).map((name) => ({ name, in: "header", description: HEADERS[name] ?? "", schema: { type: "string" } }));
}
