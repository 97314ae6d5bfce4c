// The OpenAPI 3.1 document, made from the routes and the dictionary.

import { API_ROOT } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { collectionSchemas, KEY_SCHEMAS, PRINCIPAL, PROBLEM, type Schema } from "../http/json-schemas.ts";
import { methodsOf, type Route, type RouteHandler } from "../http/route.ts";
import { HISTORY_SCHEMAS } from "./history-schemas.ts";
import { PEOPLE_SCHEMAS } from "./people-schemas.ts";
import { RECIPE_SCHEMAS } from "./recipe-schemas.ts";
import { contentOf, type Described, ERROR_RESPONSES, headResponses, optionsResponses, type Responses, responsesOf } from "./responses.ts";
import { WEBHOOK_SCHEMAS } from "./webhook-schemas.ts";

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
  Origin: "The page that asks, as a browser writes it: one of this service, or of its CORS_ORIGINS.",
  "Intake-Session": "`1`: goes with the cookie, and shows that no other site sent the request.",
  "Intake-Source": "How it came in: `form`, `upload; run=<id>` or `batch; run=<id>`. The history keeps it.",
  "Last-Event-ID": "The id of the last event that was seen; the stream goes on after it.",
  "Idempotency-Key": "1 to 255 visible ASCII characters, new for each request; the same again gives the first answer again.",
};

export function createOpenApi(routes: readonly Route[], collections: readonly Collection[]): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const route of routes) {
    const path: Record<string, Operation> = {};
    for (const name of methodsOf(route)) {
      const operation = toOperation(route, name, collections);
      path[name.toLowerCase()] = operation;
      if (name === "GET") path.head = toHead(route, operation);
    }
    const [first] = Object.values(path);
    if (first) path.options = toOptions(route, first);
    paths[route.url.replaceAll(/:(\w+)/g, "{$1}")] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Intake",
      version: API_ROOT.slice(1),
      description:
        "Enter and manage records. Exchange an API key for an access token at `/v1/oauth/token`, then send `Authorization: Bearer <token>`. " +
        "Every error is a problem document (RFC 9457). OPTIONS and HEAD say what an address takes; a method that it does not have is answered " +
        "by 405 with `Allow`, an address that there is not by 404, also one with `//` or `/./` in it. A parameter may be repeated or carry `[]`: both mean " +
        "the list with commas, and `age.gte` is `age[gte]`. A `traceparent` (W3C) comes back as it was sent. " +
        "A resource's body goes out as gzip, and comes in as gzip, only where the header fields say so here.",
    },
    paths,
    components: {
      schemas: {
        ProblemDocument: PROBLEM,
        Principal: PRINCIPAL,
        ...KEY_SCHEMAS,
        ...PEOPLE_SCHEMAS,
        ...HISTORY_SCHEMAS,
        ...WEBHOOK_SCHEMAS,
        ...RECIPE_SCHEMAS,
        ...Object.assign({}, ...collections.map(collectionSchemas)),
      },
      responses: ERROR_RESPONSES,
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function toOperation(route: Route, name: ReturnType<typeof methodsOf>[number], collections: readonly Collection[]): Operation {
  const handler = route[name] as RouteHandler;
  const collection = collections.find((one) => route.url.split("/")[2] === one.name);
  const parameters = [...pathParameters(route, collection), ...queryParameters(handler), ...headerParameters(handler)];
  return {
    operationId: handler.doc.id,
    summary: handler.doc.summary,
    tags: [collection?.title ?? "Service"],
    ...(parameters.length > 0 && { parameters }),
    ...(handler.acceptedTypes && { requestBody: { required: true, content: contentOf(handler.acceptedTypes, handler.doc.body ?? {}) } }),
    responses: responsesOf(handler),
    security: securityOf(handler),
  };
}

/** No entry: open. An empty list: any token. */
function securityOf({ scope }: RouteHandler): Operation["security"] {
  if (scope === "open") return [];
  return [{ token: scope === "signed-in" || scope === "person" ? [] : [scope] }];
}

function toHead(route: Route, get: Operation): Operation {
  const operationId = `${get.operationId}_head`;
  return { ...get, operationId, summary: `${get.summary}: the header fields only`, responses: headResponses(route, get.responses) };
}

/** OPTIONS needs no token, because a browser's preflight has none. */
function toOptions(route: Route, first: Operation): Operation {
  const parameters = (first.parameters ?? []).filter((one) => one.in === "path");
  return {
    operationId: `${first.operationId}_options`,
    summary: "What may be done here",
    tags: first.tags,
    ...(parameters.length > 0 && { parameters }),
    responses: optionsResponses(route),
    security: [],
  };
}

function pathParameters(route: Route, collection: Collection | undefined): Schema[] {
  const schema = collection ? { type: "integer", minimum: collection.key.minimum, maximum: collection.key.maximum } : { type: "string" };
  return route.url.includes(":id") ? [{ name: "id", in: "path", required: true, schema }] : [];
}

function queryParameters({ doc }: RouteHandler): Schema[] {
  return Object.entries(doc.parameters ?? {}).map(([name, { expects, schema }]) => {
    const list = schema.type === "array" ? { style: "form", explode: false } : {};
    return { name, in: "query", description: `${name} must be ${expects}.`, schema, ...list };
  });
}

function headerParameters({ doc, acceptsGzip, compresses }: RouteHandler): Schema[] {
  const names = [...(doc.headers ?? []), ...(acceptsGzip ? ["Content-Encoding"] : []), ...(compresses ? ["Accept-Encoding"] : [])];
  return names.map((name) => ({ name, in: "header", description: HEADERS[name] ?? "", schema: { type: "string" } }));
}
