// The parts of an OpenAPI document that this service writes.

import type { Schema } from "../http/json-schemas.ts";
import type { Tag } from "./tags.ts";

/** By media type. */
export type Content = Record<string, { schema: Schema; examples?: Schema }>;
export interface Described {
  description: string;
  headers?: Record<string, Schema>;
  content?: Content;
}
export type Responses = Record<string, Described | { $ref: string }>;

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Schema[];
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
  components: { schemas: Record<string, Schema>; responses: Record<string, Described>; securitySchemes: Record<string, Schema> };
}
