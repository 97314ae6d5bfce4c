// Checks answers against the service's own OpenAPI document: status, media type, header fields, body.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Schema } from "../http/json-schemas.ts";
import type { Described, OpenApi } from "../openapi/openapi-types.ts";
import { ERROR_RESPONSES, HEADER_FIELDS } from "../openapi/responses.ts";
import { wholeDocument } from "./whole-document.ts";

export interface Answered {
  method: string;
  path: string;
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  /** The body, unzipped. */
  text: string;
}

export interface OpenApiChecker {
  document: OpenApi;
  /** The document with what follows from its description. */
  whole: OpenApi;
  /** "GET /v1/customers/{id}" for a request that the document knows. */
  operationOf(method: string, path: string): string | undefined;
  /** Says what in an answer is not documented, one sentence each. */
  faultsOf(answered: Answered): string[];
}

// The fields of HTTP itself, of CORS and of browser security; traceparent is sent back.
const COMMON_FIELDS =
  /^(date|connection|keep-alive|content-length|content-type|content-language|transfer-encoding|vary|traceparent|dictionary-version|intake-renamed|deprecation|intake-rights|access-control-[a-z-]+|x-content-type-options|referrer-policy|cross-origin-(?:opener|resource)-policy|strict-transport-security|permissions-policy|content-security-policy)$/;
// Documented as `default`. Every other status must be documented by itself.
const RARE = new Set([408, 431, 500, 503, 507]);
/** The possible answers to an unknown address, or to a method that an address does not have. */
const NOT_HERE: Record<number, string> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  414: "UriTooLong",
  429: "TooManyRequests",
};

const checkers = new Map<string, OpenApiChecker>();

/** One checker for each document, so that its schemas are compiled once. */
export function checkerFor(text: string): OpenApiChecker {
  const checker = checkers.get(text) ?? createChecker(text);
  checkers.set(text, checker);
  return checker;
}

type Validator = (schema: object) => ValidateFunction;

/** Strict Ajv: unknown keywords and formats are errors. */
export function createValidator(document: OpenApi): Validator {
  const ajv = new Ajv2020({ strict: true, code: { optimize: false } }); // optimised code takes half as long again to be made
  addFormats.default(ajv);
  ajv.addFormat("idn-email", /^[^@\s]+@[^@\s]+$/u); // ajv-formats has only the formats of ASCII
  ajv.addFormat("iri", /^[a-z][a-z0-9+.-]*:\S+$/iu);
  const elsewhere = (text: string) => JSON.parse(text.replaceAll("#/components/schemas/", "document#/$defs/"));
  ajv.addSchema({ $id: "document", $defs: elsewhere(JSON.stringify(document.components.schemas)) });
  const compiled = new Map<string, ValidateFunction>(); // by their text: hundreds of answers have the same header fields
  const known = new WeakMap<object, ValidateFunction>();
  return (schema) => {
    const found = known.get(schema);
    if (found) return found;
    const text = JSON.stringify(schema);
    const validate = compiled.get(text) ?? ajv.compile(elsewhere(text));
    compiled.set(text, validate);
    known.set(schema, validate);
    return validate;
  };
}

function createChecker(text: string): OpenApiChecker {
  const document: OpenApi = JSON.parse(text);
  // Answers may have nothing undocumented, although the document allows clients to meet more.
  const closed = wholeDocument(closeSchemas(document));
  const validator = createValidator(closed);
  const templates = Object.keys(document.paths)
    .sort((a, b) => Number(a.includes("{")) - Number(b.includes("{"))) // fixed paths go before paths with parameters
    .map((template) => ({ template, pattern: new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));
  const templateOf = (path: string) => {
    const decoded = decode(path.split(/[?#]/, 1)[0] ?? "");
    return templates.find(({ pattern }) => pattern.test(decoded))?.template;
  };
  const operationOf = (method: string, path: string) => {
    const template = templateOf(path);
    return template && closed.paths[template]?.[method.toLowerCase()] ? `${method} ${template}` : undefined;
  };
  const responseFor = ({ method, path, status }: Answered): Described | undefined => {
    const operation = closed.paths[templateOf(path) ?? ""]?.[method.toLowerCase()];
    // No operation has the 405 among its answers: it is the answer to a method that there is not.
    if (!operation) return closed.components.responses[NOT_HERE[status] ?? ""] ?? ERROR_RESPONSES[NOT_HERE[status] ?? ""];
    const response = operation.responses[status] ?? (RARE.has(status) ? operation.responses.default : undefined);
    return response && "$ref" in response ? closed.components.responses[response.$ref.split("/").at(-1) ?? ""] : response;
  };
  return {
    document,
    whole: wholeDocument(document),
    operationOf,
    faultsOf(answered) {
      if (!templateOf(answered.path) && answered.status < 400 && !answered.path.startsWith("/v1/")) return []; // the app's own files
      if (answered.path.startsWith("/v1/scim/")) return []; // it describes itself
      const response = responseFor(answered);
      if (!response) return [`the status ${answered.status} is not documented`];
      return [...headerFaults(validator, response, answered), ...bodyFaults(validator, response, answered)];
    },
  };
}

/** The same, with no object open but those that others are made of, which are closed as a whole. */
function closeSchemas(document: OpenApi): OpenApi {
  const parts = new Set<unknown>();
  JSON.stringify(document, (key, value) => {
    if (key === "allOf") for (const { $ref } of value) parts.add(document.components.schemas[String($ref).split("/").at(-1) ?? ""]);
    return value;
  });
  const close = (value: unknown, isPart: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => close(one, isPart));
    if (typeof value !== "object" || value === null) return value;
    const inner = Object.entries(value).map(([key, one]) => [key, close(one, key === "allOf" || parts.has(one))]);
    const closed: Schema = Object.fromEntries(inner);
    if (isPart) {
      const { unevaluatedProperties: _, ...open } = closed;
      return open;
    }
    if (closed.allOf) return { ...closed, unevaluatedProperties: false };
    const isOpen = closed.type === "object" && closed.properties !== undefined && closed.additionalProperties === undefined;
    return isOpen ? { ...closed, additionalProperties: false } : closed;
  };
  return close(document, false) as OpenApi;
}

/** Decodes as the router does it; text that cannot be decoded stays as it is. */
function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

interface Rule {
  name: string;
  required: boolean;
  isNumber: boolean;
  validate: ValidateFunction;
}

const rules = new WeakMap<Described, Map<string, Rule>>();

/** A response's header fields by their names in lower case, made once. */
function rulesOf(validator: Validator, response: Described): Map<string, Rule> {
  const made = rules.get(response);
  if (made) return made;
  const entries = Object.entries(response.headers ?? {}).map(([name, { $ref }]): [string, Rule] => {
    const { required, schema } = HEADER_FIELDS[String($ref).split("/").at(-1) ?? ""] ?? {};
    const isNumber = (schema as { type?: string }).type === "integer";
    return [name.toLowerCase(), { name, required: required === true, isNumber, validate: validator(schema as object) }];
  });
  const own = new Map(entries);
  rules.set(response, own);
  return own;
}

function headerFaults(validator: Validator, response: Described, { headers }: Answered): string[] {
  const known = rulesOf(validator, response);
  const faults = Object.keys(headers)
    .filter((name) => !known.has(name) && !COMMON_FIELDS.test(name))
    .map((name) => `the header field ${name} is not documented`);
  for (const [key, { name, required, isNumber, validate }] of known) {
    const text = headers[key];
    if (text === undefined && required) faults.push(`the header field ${name} is missing`);
    if (text !== undefined && !validate(isNumber ? Number(text) : text)) {
      faults.push(`the header field ${name} is ${JSON.stringify(text)}, which its schema refuses`);
    }
  }
  return faults;
}

function bodyFaults(validator: Validator, { content }: Described, answered: Answered): string[] {
  const { method, status, headers, text } = answered;
  const type = (headers["content-type"] ?? "").split(";", 1)[0] ?? "";
  if (method === "HEAD" || !content) {
    const isTyped = method !== "HEAD" && type !== "";
    return [...(text !== "" ? ["there is a body"] : []), ...(isTyped ? [`no body, and yet the type ${type}`] : [])];
  }
  if (status >= 400 && type === "text/html") return text.startsWith("<!doctype html>") ? [] : ["the error is no page"]; // to a navigation
  const schema = (content[type] ?? (status < 400 ? content["*/*"] : undefined))?.schema; // the content of a file has its own type
  if (!schema) return [`the media type ${JSON.stringify(type)} is not documented`];
  const value = type.endsWith("json") ? parse(text) : text;
  const validate = validator(schema);
  if (!validate(value)) {
    const [first] = validate.errors ?? [];
    return [`the body is not as documented: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`];
  }
  const bodyStatus = type === "application/problem+json" ? (value as { status: number }).status : status;
  return bodyStatus === status ? [] : [`the problem says ${bodyStatus}`];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
