// Random valid requests made from the OpenAPI document.

import fc from "fast-check";
import { API_ROOT, BACKUP_PATH } from "../../core/contract/paths.ts";
import { OPERATORS_OF } from "../../core/dictionary/filters.ts";
import type { Schema } from "../http/json-schemas.ts";
import { type OpenApi, type Operation, type Parameter, parametersOf } from "../openapi/openapi-types.ts";
import { mergedSchema } from "./whole-document.ts";

export interface Drawn {
  method: string;
  path: string;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  /** Sent as JSON; a text is sent as it is. */
  body: unknown;
}

/** Stands for the last cursor that a list gave. */
export const CURSOR = "last-cursor";
const IDS = 8; // few, so that requests meet each other's records

/** Paths with more methods are drawn more often. */
export function drawRequests(document: OpenApi, tokens: readonly string[], keyIds: readonly string[]): fc.Arbitrary<Drawn> {
  // Backups exclude each other and have the time in their names; they have tests of their own.
  const paths = Object.entries(document.paths).filter(([template]) => template !== API_ROOT + BACKUP_PATH);
  const operations = paths.flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      arbitrary: drawFrom(document, method.toUpperCase(), template, operation, tokens, keyIds),
      weight: weightOf(method, template, isOfRecords(document, template)),
    })),
  );
  return fc.oneof(...operations);
}

/** Says whether the address is below a collection: only those have a list with a template. */
function isOfRecords({ paths }: OpenApi, template: string): boolean {
  return paths[`${template.split("/", 3).join("/")}/template.csv`] !== undefined;
}

/** Mostly requests that create and change records; few deletions, which would empty the store. */
function weightOf(method: string, template: string, isOfRecords: boolean): number {
  if (!isOfRecords || template.endsWith(".csv") || method === "options") return 1;
  if (template.endsWith("/deletions")) return 4;
  return { post: 40, put: 40, patch: 30, get: 16, delete: 6 }[method] ?? 4;
}

function drawFrom(
  document: OpenApi,
  method: string,
  template: string,
  operation: Operation,
  tokens: readonly string[],
  keyIds: readonly string[],
): fc.Arbitrary<Drawn> {
  const parameters = parametersOf(document, operation) as (Parameter & { schema: Schema })[];
  const draw = (schema: Schema) => drawValue(document, schema);
  const id = parameters.find((one) => one.in === "path");
  const anId = id?.schema.type === "integer" ? draw(id.schema).map(String) : fc.constantFrom(...keyIds);
  const query = some(
    parameters.filter((one) => one.in === "query" && one.name !== "wait"), // which keeps a request for seconds
    ({ name, schema }) =>
      fc
        .tuple(name === "cursor" ? fc.constant(CURSOR) : draw(schema), fc.boolean())
        .map(([value, isNested]) => pairsFor(name, value, isNested)),
  );
  const fields = some(
    parameters.filter((one) => one.in === "header"),
    ({ name }) => drawField(name).map((value): [string, string] => [name.toLowerCase(), value]),
  );
  const [type, { schema } = { schema: {} }] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const body = type === undefined ? fc.constant(undefined) : draw(schema);
  return fc
    .record({ id: anId, query, fields, body, token: fc.constantFrom(...tokens), keepsKey: fc.integer({ min: 0, max: 3 }) })
    .map(({ id: given, query: drawn, fields: header, body: sent, token, keepsKey }) => ({
      method,
      path: template.replace("{id}", given),
      query: drawn.flat(),
      headers: {
        ...(operation.security.length > 0 && { authorization: `Bearer ${token}` }),
        ...(type && { "content-type": type }),
        ...Object.fromEntries(header),
      },
      body: type?.endsWith("urlencoded") ? asForm(sent) : keepsKey > 0 && id && type ? withoutIntegers(sent) : sent,
    }));
}

function pairsFor(name: string, value: unknown, isNested: boolean): Pair[] {
  if (name === "filter") return pairsOf(value, isNested);
  if (name !== "or") return [[name, asText(value)]];
  return Object.values(value as object).flatMap((way, i) => pairsOf(way, false).map(([own, text]): Pair => [`or[${i}].${own}`, text]));
}

/** None of them, one or two. */
function some<T, U>(all: readonly T[], draw: (one: T) => fc.Arbitrary<U>): fc.Arbitrary<U[]> {
  if (all.length === 0) return fc.constant([]);
  const one = fc.oneof(...all.map(draw));
  return fc.oneof({ weight: 3, arbitrary: fc.constant<U[]>([]) }, { weight: 2, arbitrary: fc.array(one, { maxLength: 2 }) });
}

function drawField(name: string): fc.Arbitrary<string> {
  const tag = fc.tuple(fc.integer({ min: 1, max: IDS }), fc.integer({ min: 1, max: 4 })).map(([id, version]) => `"${id}-${version}"`);
  switch (name) {
    case "Idempotency-Key":
      return fc.integer({ min: 1, max: 300 }).map((n) => `key-${n}`);
    case "Accept-Encoding":
    case "Content-Encoding":
      return fc.constant("gzip");
    default:
      return fc.oneof(fc.constant("*"), tag, fc.tuple(tag, tag).map(String));
  }
}

const NAMES = ["Ek", "Åberg", "van 't Hoff", "O’Brien", "王", "=1+1", "007", "null", "a,b", '"q"', "%", "\u200d"];

/** A value that the schema allows. Texts and lists are short; there are few integers, so that ids meet. */
export function drawValue(document: OpenApi, schema: Schema): fc.Arbitrary<unknown> {
  const draw = (one: unknown) => drawValue(document, one as Schema);
  if (schema.$ref !== undefined || schema.allOf) return draw(mergedSchema(document, schema));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => draw({ ...schema, type })));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as unknown[]).map(draw));
  const { minimum = -10, maximum = Number.MAX_SAFE_INTEGER } = schema as { minimum?: number; maximum?: number };
  switch (schema.type) {
    case "integer":
      return fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + IDS - 1) }) },
        { weight: 1, arbitrary: fc.maxSafeInteger().map((n) => Math.min(maximum, Math.max(minimum, n))) },
      );
    case "number":
      return fc.double({ min: minimum, max: 1e9, noNaN: true });
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(draw(schema.items), {
        minLength: (schema.minItems as number) ?? 0,
        maxLength: Math.min((schema.maxItems as number) ?? 3, 3),
      });
    case "object": {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).filter(([, one]) => !one.readOnly);
      const requiredKeys = (schema.required ?? []) as string[];
      const drawn = Object.fromEntries(properties.map(([name, one]) => [name, draw(one)]));
      return fc.oneof(fc.record(drawn), fc.record(drawn, { requiredKeys }));
    }
    default:
      return drawText(schema);
  }
}

function drawText({ format, pattern, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<unknown> {
  const date = fc.date({ min: new Date("1950-01-01"), max: new Date("2040-01-01"), noInvalidDate: true }).map((day) => day.toISOString());
  if (format === "date-time") return date;
  if (format === "date") return date.map((text) => text.slice(0, 10));
  if (pattern) return fc.stringMatching(new RegExp(pattern as string, "u"));
  const [least, most] = [minLength as number, Math.min(maxLength as number, 20)];
  const known = fc.constantFrom(...NAMES.filter((name) => name.length >= least && name.length <= most));
  return fc.oneof(known, fc.string({ unit: "grapheme-composite", minLength: least, maxLength: most }));
}

type Pair = [name: string, value: string];

/** The parameters of an object of filters: as `filter[gte][age]`, or as `age[gte]`. */
function pairsOf(value: unknown, isNested: boolean, path: readonly string[] = []): Pair[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, one]) => pairsOf(one, isNested, [...path, name]));
  const [operator] = path.filter((part) => OPERATORS_OF.text.some((one) => one === part));
  const field = path.filter((part) => part !== operator).join(".");
  const name = isNested ? `filter${path.map((part) => `[${part}]`).join("")}` : `${field}${operator ? `[${operator}]` : ""}`;
  return [[name, asText(value)]];
}

function asText(value: unknown): string {
  return Array.isArray(value) ? [...new Set(value.map(String))].join(",") : String(value);
}

function asForm(value: unknown): string {
  return new URLSearchParams(value as Record<string, string>).toString();
}

/** Without ids: another id in the body than in the address would be refused. */
function withoutIntegers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIntegers);
  if (typeof value !== "object" || value === null) return value;
  const others = Object.entries(value).filter(([name, one]) => !(Number.isInteger(one) && /^(?:object)?id$/i.test(name)));
  return Object.fromEntries(others.map(([name, one]) => [name, typeof one === "object" ? withoutIntegers(one) : one]));
}
