// The OpenAPI document with all that its description says of every operation of a kind, and HEAD and OPTIONS.

import type { Schema } from "../http/json-schemas.ts";
import { type OpenApi, type Operation, parametersOf, type Reference, type Responses, resolved } from "../openapi/openapi-types.ts";
import { ERROR_RESPONSES, errorReferences, fieldsOf, OAUTH } from "../openapi/responses.ts";

const RESPONSES = "#/components/responses/";
const HEAD = "Head"; // begins the names of errors without a body
// What may be done here depends on the token, and an error may come before that is known.
const MAYBE_CAPABILITIES = ["Allow?", "Accept-Post?", "Accept-Patch?"];

const HEAD_ERRORS = Object.fromEntries(
  Object.entries(ERROR_RESPONSES).map(([name, { description, headers }]) => [
    HEAD + name,
    { description, headers: { ...headers, ...fieldsOf(MAYBE_CAPABILITIES) } },
  ]),
);

type Path = Record<string, Operation>;

/** Answers are held to this one, so that the document stays exact although it does not repeat itself. */
export function wholeDocument(document: OpenApi): OpenApi {
  const paths = Object.entries(document.paths).map(([template, path]): [string, Path] => {
    const own = Object.fromEntries(Object.entries(path).map(([method, one]) => [method, withCommon(document, one)]));
    const [first] = Object.values(own);
    const head = own.get && { head: headOf(path, own.get) };
    return [template, { ...own, ...head, ...(first && { options: optionsOf(document, path, first) }) }];
  });
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, responses: { ...ERROR_RESPONSES, ...HEAD_ERRORS } },
  };
}

function withCommon(document: OpenApi, operation: Operation): Operation {
  const { security, requestBody, responses } = operation;
  const headers = parametersOf(document, operation).flatMap((one) => (one.in === "header" ? one.name : []));
  const isOpen = security.length === 0;
  const isKnowing = security.some((one) => Object.keys(one).length === 0); // also without a token
  const common = [
    "Request-Id",
    ...(isOpen ? [] : ["RateLimit", "RateLimit-Policy"].map((name) => (isKnowing ? `${name}?` : name))),
    ...(headers.includes("Accept-Encoding") ? ["Vary", "Content-Encoding?"] : []),
    ...(headers.includes("Idempotency-Key") ? ["Idempotent-Replayed?"] : []),
  ];
  const own = Object.entries(responses).map(([status, one]) => {
    const response = "$ref" in one && !(nameIn(one) in ERROR_RESPONSES) ? resolved(document, one) : one;
    if ("$ref" in response) return [status, response];
    const fields = fieldsOf([...common, ...(status === "204" ? [] : ["Cache-Control"])]);
    return [status, { ...response, headers: { ...fields, ...response.headers } }];
  });
  const answersBody = Object.values(responses).some(
    (one) => !("$ref" in one && nameIn(one) in ERROR_RESPONSES) && resolved(document, one).content,
  );
  const errors = [
    400,
    ...(isOpen ? [] : isKnowing ? [401, 429] : [401, 403, 429]),
    ...(answersBody ? [406] : []),
    414,
    ...(requestBody ? [413, 415] : []),
  ];
  const kind = nameIn(responses.default as Reference).startsWith(OAUTH) ? OAUTH : "";
  return { ...operation, responses: { ...Object.fromEntries(own), ...errorReferences(errors, kind) } };
}

function nameIn({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** The statuses and header fields of GET, the capabilities of the address, and no body. */
function headOf(path: Path, get: Operation): Operation {
  const known = fieldsOf(capabilities(path).map((name) => (name === "Allow" ? name : `${name}?`)));
  const responses = Object.entries(get.responses).map(([status, response]): [string, Responses[string]] =>
    "$ref" in response
      ? [status, { $ref: `${RESPONSES}${HEAD}${response.$ref.slice(RESPONSES.length)}` }]
      : [status, { description: response.description, headers: { ...response.headers, ...known } }],
  );
  return { ...get, operationId: `${get.operationId}_head`, responses: Object.fromEntries(responses) };
}

function optionsOf(document: OpenApi, path: Path, { requestBody: _, ...first }: Operation): Operation {
  const isInPath = (one: Reference) => document.components.parameters[nameIn(one)]?.in === "path";
  const done = { description: "What this address takes", headers: fieldsOf(["Request-Id", ...capabilities(path)]) };
  return {
    ...first,
    operationId: `${first.operationId}_options`,
    parameters: (first.parameters ?? []).filter(isInPath),
    responses: { 204: done, ...errorReferences([400, 414]) },
    security: [],
  };
}

function capabilities({ post, patch }: Path): string[] {
  return ["Allow", ...(post?.requestBody ? ["Accept-Post"] : []), ...(patch?.requestBody ? ["Accept-Patch"] : [])];
}

/** The schema itself, where there is a reference or an object that is made of others. */
export function mergedSchema(document: OpenApi, schema: Schema): Schema {
  if (typeof schema.$ref === "string") return mergedSchema(document, document.components.schemas[nameIn({ $ref: schema.$ref })] ?? {});
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const parts = [...(allOf as Schema[]).map((one) => mergedSchema(document, one)), own];
  const properties: Record<string, Schema> = {};
  for (const part of parts)
    for (const [name, one] of Object.entries((part.properties ?? {}) as Record<string, Schema>))
      properties[name] = { ...properties[name], ...one };
  const required = parts.flatMap((part) => (part.required ?? []) as string[]);
  return { ...own, properties, ...(required.length > 0 && { required }) };
}
