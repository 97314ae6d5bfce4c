// The parts of an OpenAPI document that this service writes.

import type { Schema } from "../http/json-schemas.ts";
import type { Tag } from "./tags.ts";

/** Maps media types to their schemas. */
export type Content = Record<string, { schema: Schema; examples?: Schema }>;
export interface Described {
  description: string;
  headers?: Record<string, Schema>;
  content?: Content;
}
export interface Reference {
  $ref: string;
}
export type Responses = Record<string, Described | Reference>;
/** One in a path, a query or a header. */
export type Parameter = Schema & { name: string; in: "path" | "query" | "header" };

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Reference[];
  requestBody?: { required: true; content: Content };
  responses: Responses;
  security: Record<string, string[]>[];
}

export interface OpenApi {
  openapi: "3.1.0";
  info: Schema & { title: string; version: string; description: string };
  servers: { url: string; description: string }[];
  tags: Tag[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Schema>;
    responses: Record<string, Described>;
    securitySchemes: Record<string, Schema>;
  };
}

/** Returns the parameters of an operation, to which it refers. */
export function parametersOf({ components }: OpenApi, { parameters = [] }: Operation): Parameter[] {
  return parameters.flatMap(({ $ref }) => components.parameters[$ref.slice($ref.lastIndexOf("/") + 1)] ?? []);
}

/** Returns the response itself, where an operation refers to it. */
export function resolved({ components }: OpenApi, response: Described | Reference): Described {
  if (!("$ref" in response)) return response;
  const found = components.responses[response.$ref.slice(response.$ref.lastIndexOf("/") + 1)];
  if (!found) throw new Error(`no response ${response.$ref}`);
  return found;
}
