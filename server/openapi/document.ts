// The doors and the dictionary as an OpenAPI 3.1 document. Says nothing that a door does not say of itself.

import { API_ROOT } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { collectionSchemas, KEY_SCHEMAS, PROBLEM, type Schema } from "../http/json-schemas.ts";
import { type Door, type Way, waysOf } from "../http/route.ts";
import { contentOf, type Described, headResponses, optionsResponses, REFUSAL_RESPONSES, type Responses, responsesOf } from "./responses.ts";

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: Schema[];
  requestBody?: { required: true; content: Record<string, { schema: Schema }> };
  responses: Responses;
  security: Record<string, string[]>[];
}

export interface OpenApi {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Described>; securitySchemes: Record<string, Schema> };
}

const HEADERS: Record<string, string> = {
  "Accept-Encoding": "`gzip`: a long answer may be compressed.",
  "Content-Encoding": "`gzip` if the body is compressed.",
  "If-Match": "ETag of the version that is meant; another one is refused with 412.",
  "If-None-Match": "On GET the ETag that is known already (304); on PUT `*`: create only.",
  "Idempotency-Key": "1 to 255 visible ASCII characters, new for each request; the same again gives the first answer again.",
};

export function describe(doors: readonly Door[], collections: readonly Collection[]): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const door of doors) {
    const path: Record<string, Operation> = {};
    for (const name of waysOf(door)) {
      const operation = toOperation(door, name, collections);
      path[name.toLowerCase()] = operation;
      if (name === "GET") path.head = toHead(door, operation);
    }
    const [first] = Object.values(path);
    if (first) path.options = toOptions(door, first);
    paths[door.url.replaceAll(/:(\w+)/g, "{$1}")] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Intake",
      version: API_ROOT.slice(1),
      description:
        "Enter and manage records. Exchange an API key for an access token at `/v1/oauth/token`, then send `Authorization: Bearer <token>`. " +
        "Every error is a problem document (RFC 9457). OPTIONS and HEAD say what an address takes; a method that it does not have is answered " +
        "by 405 with `Allow`, an address that there is not by 404. A `traceparent` (W3C) comes back as it was sent. " +
        "A resource's body goes out as gzip, and comes in as gzip, only where the header fields say so here.",
    },
    paths,
    components: {
      schemas: { ProblemDocument: PROBLEM, ...KEY_SCHEMAS, ...Object.assign({}, ...collections.map(collectionSchemas)) },
      responses: REFUSAL_RESPONSES,
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

function toHead(door: Door, get: Operation): Operation {
  const operationId = `${get.operationId}_head`;
  return { ...get, operationId, summary: `${get.summary}: the header fields only`, responses: headResponses(door, get.responses) };
}

/** Preflights have no token, so nobody needs one. */
function toOptions(door: Door, first: Operation): Operation {
  const parameters = (first.parameters ?? []).filter((one) => one.in === "path");
  return {
    operationId: `${first.operationId}_options`,
    summary: "What may be done here",
    tags: first.tags,
    ...(parameters.length > 0 && { parameters }),
    responses: optionsResponses(door),
    security: [],
  };
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

function headerParameters({ doc, unzips, compresses }: Way): Schema[] {
  const names = [...(doc.headers ?? []), ...(unzips ? ["Content-Encoding"] : []), ...(compresses ? ["Accept-Encoding"] : [])];
  return names.map((name) => ({ name, in: "header", description: HEADERS[name] ?? "", schema: { type: "string" } }));
}
