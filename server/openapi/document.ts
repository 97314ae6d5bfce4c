// The OpenAPI 3.1 document, made from the routes and the dictionary.

import { IDEMPOTENCY_HOURS } from "../../core/contract/limits.ts";
import { API_ROOT, TOKEN_PATH } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { ANY_KEY, KEY_SCHEMAS, PRINCIPAL, PROBLEM, recordSchemas, type Schema } from "../http/json-schemas.ts";
import { ANY_TYPE, JSON_TYPE, MERGE_PATCH_TYPE, methodsOf, type Route, type RouteHandler } from "../http/route.ts";
import { createDescriptions, type Describe, describeParameter } from "./descriptions.ts";
import { DICTIONARY_SCHEMAS } from "./dictionary-schemas.ts";
import { EXAMPLE_ID, type Example, examplesOf } from "./examples.ts";
import { filterSchemas } from "./filter-schemas.ts";
import { HISTORY_SCHEMAS } from "./history-schemas.ts";
import { createNameBodies, withTypes } from "./named-schemas.ts";
import type { Content, Described, OpenApi, Operation, Parameter, Reference } from "./openapi-types.ts";
import { PEOPLE_SCHEMAS } from "./people-schemas.ts";
import { ORGANISATION_SCHEMAS, RECIPE_SCHEMAS, VIEW_SCHEMAS } from "./recipe-schemas.ts";
import { contentOf, ERROR_RESPONSES, HEADER_FIELDS, responsesOf } from "./responses.ts";
import { RUN_SCHEMAS } from "./run-schemas.ts";
import { collectionOf, tagOf, tagsOf } from "./tags.ts";
import { WEBHOOK_SCHEMAS } from "./webhook-schemas.ts";

const PARAMETERS = "#/components/parameters/";

const HEADERS: Record<string, string> = {
  "Accept-Encoding": "`gzip`: a long answer may be compressed.",
  "Content-Encoding": "`gzip` if the body is compressed.",
  "If-Match": "ETag of the version that is meant; another one is refused with 412.",
  "If-None-Match": "On GET the ETag that is known already (304); on PUT `*`: create only.",
  "If-Range": "With `Range`: the ETag of the file of which a part is known. Of another one, all is answered.",
  Range: "`bytes=0-99` or `bytes=100-`: only this part (RFC 9110 section 14.2).",
  Origin: "The page that asks, as a browser writes it: one of this service, or of its CORS_ORIGINS.",
  "Intake-Activity": "`background`: nobody asked for it, so that it does not count as use of the session.",
  "Intake-Session": "`1`: goes with the cookie, and shows that no other site sent the request.",
  "Intake-Source": "How it came in: `form`, `upload; run=<id>` or `batch; run=<id>`. The history keeps it.",
  "Upload-Length": "How many bytes the whole file has.",
  "Upload-Metadata": "As tus has it: of its words, `filename` counts where there is no `name`.",
  "Upload-Offset": "From which byte of the file on this goes on: how many the service has.",
  "Last-Event-ID": "The id of the last event that was seen; the stream goes on after it.",
  "Idempotency-Key": `1 to 255 visible ASCII characters, new for each request. The same again within ${IDEMPOTENCY_HOURS} hours gives the first answer again, and is done once.`,
};

/** `address`: where people and programs find the service, if it is known. */
export function createOpenApi(all: readonly Route[], collections: readonly Collection[], address: string): OpenApi {
  const routes = all.filter(({ describesItself }) => !describesItself);
  const paths: OpenApi["paths"] = {};
  const schemas = schemasOf(collections);
  const parameters = createParameters();
  const examples = collections.flatMap(examplesOf);
  const nameBodies = createNameBodies(schemas);
  const describe = createDescriptions();
  const depth = ({ url }: Route) => url.split("/").length; // a list names its bodies before the same list below a parent
  for (const route of [...routes].sort((a, b) => depth(a) - depth(b))) {
    const operations = methodsOf(route).map((name): [string, Operation] => {
      const operation = toOperation(route, name, { collections, refer: parameters.refer, describe });
      return [name.toLowerCase(), nameBodies(withExamples(operation, examples), collectionOf(route.url, collections))];
    });
    paths[pathOf(route)] = Object.fromEntries(operations);
  }
  const shared = shareResponses(Object.values(paths).flatMap((path) => Object.values(path)));
  const responses = { ...used(ERROR_RESPONSES, "responses", paths), ...shared };
  const known = Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags));
  return withTypes({
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: address || "/", description: "This service" }],
    tags: tagsOf(collections).filter(({ name }) => known.includes(name)),
    paths: Object.fromEntries(routes.map(pathOf).map((path) => [path, paths[path] ?? {}])),
    components: {
      schemas,
      parameters: parameters.known,
      headers: used(HEADER_FIELDS, "headers", [paths, responses]),
      responses,
      securitySchemes: securitySchemes(collections),
    },
  });
}

function pathOf({ url }: Route): string {
  return url.replaceAll(/:(\w+)/g, "{$1}");
}

const INFO: OpenApi["info"] = {
  title: "Intake",
  version: API_ROOT.slice(1),
  description:
    "Enter and manage records. Exchange an API key for an access token at `/v1/oauth/token`, then send `Authorization: Bearer <token>`. " +
    "Every error is a problem document (RFC 9457); its `type` leads to an explanation. Its sentences, as those of results and warnings, are in the language that `Accept-Language` prefers, or in English (`Content-Language`); codes stay. A browser that navigates is shown the error as a page. What is the same everywhere is said here once. Every answer has a `Request-Id`, and `Cache-Control` if it has a body; one that is no error has `Dictionary-Version`, and `Intake-Renamed` where the request has names that fields had before, with `Deprecation` (RFC 9745), which says since when they are; where a token is needed it has `Intake-Rights`, which is another one once the caller's rights are others, and `RateLimit` and `RateLimit-Policy`, " +
    "where `Idempotency-Key` may be sent `Idempotent-Replayed` on a repetition, where `Accept-Encoding` counts `Vary`, and `Content-Encoding` if it is compressed. Errors that follow from the kind of an operation are its `default`. " +
    "Directories use `/v1/scim` (RFC 7644), which describes itself at `/v1/scim/Schemas`. " +
    "HEAD answers as GET does, without the body, and says in `Allow`, `Accept-Post` and `Accept-Patch` what the caller may do here; OPTIONS answers 204 with the same for everybody and needs no token, as a browser's preflight has none. A method that " +
    "an address does not have is answered by 405 with `Allow`, an address that there is not by 404, also one with `//` or `/./` in it. A parameter may " +
    "be repeated or carry `[]`: both mean the list with commas, and `age.gte` is `age[gte]`. A `traceparent` (W3C) comes back as it was sent. " +
    "A decimal number is text, so that no digit is lost, and a time of day is `hh:mm:ss`. With a person's token a request counts as use of the session, but not with `Intake-Activity: background`. " +
    "A resource's body goes out as gzip, and comes in as gzip, only where the header fields say so here.",
  contact: { name: "The operator of this service" },
};

function schemasOf(collections: readonly Collection[]): Record<string, Schema> {
  return {
    ProblemDocument: PROBLEM,
    Principal: PRINCIPAL,
    ...KEY_SCHEMAS,
    ...PEOPLE_SCHEMAS,
    ...HISTORY_SCHEMAS,
    ...WEBHOOK_SCHEMAS,
    ...RECIPE_SCHEMAS,
    ...RUN_SCHEMAS,
    ...VIEW_SCHEMAS,
    ...ORGANISATION_SCHEMAS,
    ...DICTIONARY_SCHEMAS,
    ...recordSchemas(collections),
    ...filterSchemas(collections),
  };
}

/** Puts a reference in the place of each response that several operations have, and returns these by name: the first operation's and the status. */
function shareResponses(operations: readonly Operation[]): Record<string, Described> {
  const places = new Map<string, [operation: Operation, status: string][]>(); // by the response's text
  for (const operation of operations)
    for (const [status, response] of Object.entries(operation.responses)) {
      const text = JSON.stringify(response);
      if (!("$ref" in response)) places.set(text, [...(places.get(text) ?? []), [operation, status]]);
    }
  const shared: Record<string, Described> = {};
  for (const [text, equal] of places) {
    const [[{ operationId }, first] = [{ operationId: "" }, ""]] = equal;
    if (equal.length === 1) continue;
    shared[`${operationId}_${first}`] = JSON.parse(text);
    for (const [{ responses }, status] of equal) responses[status] = { $ref: `#/components/responses/${operationId}_${first}` };
  }
  return shared;
}

/** Returns the components to which some part refers. */
function used<T>(components: Record<string, T>, kind: "headers" | "responses", parts: unknown): Record<string, T> {
  const text = JSON.stringify(parts);
  return Object.fromEntries(Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
}

type Refer = (parameter: Parameter) => Reference;

/** Each parameter stands in the document once, under its name; another one of that name has a number behind it. */
function createParameters(): { known: Record<string, Parameter>; refer: Refer } {
  const known: Record<string, Parameter> = {};
  const names = new Map<string, string>(); // by the parameter's text
  const refer: Refer = (parameter) => {
    const text = JSON.stringify(parameter);
    const wanted = parameter.name.replaceAll(/[^A-Za-z0-9._-]+/g, ".").replace(/\.$/, "");
    let name = names.get(text) ?? wanted;
    for (let n = 2; !names.has(text) && known[name]; n++) name = `${wanted}-${n}`;
    names.set(text, name);
    known[name] = parameter;
    return { $ref: `${PARAMETERS}${name}` };
  };
  return { known, refer };
}

/** Describes the token itself, and how programs get one. */
function securitySchemes(collections: readonly Collection[]): Record<string, Schema> {
  const rights: Record<string, string> = { read: "reading", create: "creating", update: "changing", delete: "deleting" };
  const own = ["*", ...collections.map(({ name }) => name)].flatMap((name) =>
    Object.entries(rights).map(([right, doing]) => [`${name}:${right}`, `${doing} records of ${name === "*" ? "every collection" : name}`]),
  );
  const scopes = {
    read: "reading everything",
    write: "reading and writing every collection",
    admin: "administering",
    dictionary: "shaping the data dictionary",
    provision: "entering people and giving roles, by SCIM",
    ...Object.fromEntries(own),
  };
  const tokenUrl = API_ROOT + TOKEN_PATH;
  return {
    token: { type: "http", scheme: "bearer", description: "An access token, or an API key `ink_…` itself." },
    oauth: {
      type: "oauth2",
      description: "The two parts of an API key as client id and secret.",
      flows: { clientCredentials: { tokenUrl, scopes } },
    },
  };
}

interface OperationParts {
  collections: readonly Collection[];
  refer: Refer;
  describe: Describe;
}

function toOperation(
  route: Route,
  name: ReturnType<typeof methodsOf>[number],
  { collections, refer, describe }: OperationParts,
): Operation {
  const handler = route[name] as RouteHandler;
  const collection = collectionOf(route.url, collections);
  const parameters = [...pathParameters(route, collection), ...queryParameters(handler), ...headerParameters(handler)];
  const [first, ...others] = handler.acceptedTypes ?? [];
  const types = first === undefined ? [] : others.includes(MERGE_PATCH_TYPE) ? [first] : [first, ...others]; // PATCH has two names for one thing
  return {
    operationId: handler.doc.id,
    summary: handler.doc.summary,
    description: describe(name, route.url, collection, handler),
    tags: [tagOf(route.url, collection)],
    ...(parameters.length > 0 && { parameters: parameters.map(refer) }),
    ...(types.length > 0 && { requestBody: { required: true, content: contentOf(types, handler.doc.body ?? {}) } }),
    responses: responsesOf(handler),
    security: securityOf(handler),
  };
}

/** Returns the operation with the examples of its body and of its answers. */
function withExamples(operation: Operation, all: readonly Example[]): Operation {
  const own = all.filter(({ operationId }) => operationId === operation.operationId);
  if (own.length === 0) return operation;
  const sent = own.filter(({ body }) => body !== undefined).map((one) => [one.name, { summary: one.summary, value: one.body }]);
  const add = (content: Content | undefined, examples: unknown[][]): Content =>
    Object.fromEntries(
      Object.entries(content ?? {}).map(([type, media]) => [
        type,
        (type === JSON_TYPE || type === ANY_TYPE) && examples.length > 0 ? { ...media, examples: Object.fromEntries(examples) } : media,
      ]),
    );
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    if ("$ref" in response || !response.content) return [status, response];
    const answers = own.filter((one) => String(one.status) === status && one.answer !== undefined);
    const examples = answers.map((one) => [one.name, { summary: one.summary, value: one.answer }]);
    return [status, { ...response, content: add(response.content, examples) }];
  });
  const { requestBody } = operation;
  return {
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content: add(requestBody.content, sent) } }),
    responses: Object.fromEntries(responses),
  };
}

/**
 * Returns no entry for an open one. An empty one: also without a token. Only OAuth 2.0 has scopes in OpenAPI; the bearer token is what
 * comes of it. An empty list: any token.
 */
function securityOf({ scope, knowsCaller, needsOneOf }: RouteHandler): Operation["security"] {
  if (scope === "open") return knowsCaller ? [{}, { token: [] }, { oauth: [] }] : [];
  if (needsOneOf) return [{ token: [] }, ...needsOneOf.map((one) => ({ oauth: [one] }))];
  const scopes = scope === "signed-in" || scope === "person" ? [] : [scope];
  return scope === "person" ? [{ token: [] }] : [{ token: [] }, { oauth: scopes }];
}

function pathParameters(route: Route, collection: Collection | undefined): Parameter[] {
  return [...route.url.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const isKey = collection !== undefined && name === "id";
    const schema = isKey ? { type: "integer", ...ANY_KEY } : { type: "string" };
    return {
      name,
      in: "path",
      required: true,
      description: isKey ? `The ${collection.key.title} of the record.` : `Names it (${name}).`,
      schema,
      ...(isKey && { example: EXAMPLE_ID }),
    };
  });
}

function queryParameters({ doc }: RouteHandler): Parameter[] {
  return Object.entries(doc.parameters ?? {}).map(([name, parameter]) => {
    const { schema } = parameter;
    // An object of objects: what serializers of queries write as filter[gte][age], though OpenAPI leaves the second step open.
    const style = { array: { style: "form", explode: false }, object: { style: "deepObject", explode: true } }[typeIn(schema)];
    return { name, in: "query", description: describeParameter(name, parameter), schema, ...style };
  });
}

function typeIn({ type, $ref, allOf }: Schema): string {
  return $ref === undefined && allOf === undefined ? String(type) : "object";
}

function headerParameters({ doc, acceptsGzip, compresses }: RouteHandler): Parameter[] {
  const names = [...(doc.headers ?? []), ...(acceptsGzip ? ["Content-Encoding"] : []), ...(compresses ? ["Accept-Encoding"] : [])];
  return names.map((name) => ({ name, in: "header", description: HEADERS[name] ?? "", schema: { type: "string" } }));
}
