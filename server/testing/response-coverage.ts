// For each answer that the OpenAPI document promises, the request that gets it. For tests only.

import type { Collection } from "../../core/dictionary/collections.ts";
import { createKeys } from "../auth/api-keys.ts";
import type { Schema } from "../http/json-schemas.ts";
import type { Operation } from "../openapi/document.ts";
import type { TestService } from "./service.ts";

/** One answer that the document promises. */
export interface Promised {
  method: string;
  template: string;
  status: number;
  operation: Operation;
}

export interface PlannedRequest {
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export function promisedBy({ checker }: TestService): Promised[] {
  return Object.entries(checker.document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Object.keys(operation.responses)
        .filter((status) => status !== "default")
        .map((status) => ({ method: method.toUpperCase(), template, status: Number(status), operation })),
    ),
  );
}

/** A record of the examples that the document gives for its required fields. */
export function exampleOf(collection: Collection, { checker }: TestService): Record<string, unknown> {
  const { schemas } = checker.document.components;
  const schema = Object.entries(schemas).find(([name]) => name.toLowerCase() === `new${collection.singular}`.toLowerCase())?.[1];
  const { required, properties } = schema as { required: string[]; properties: Record<string, { examples?: unknown[] }> };
  return Object.fromEntries(required.map((name) => [name, properties[name]?.examples?.[0]]));
}

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";
let last = 0;

/** Makes what the answer needs to stand in the store, and says what to ask then. */
export async function requestFor(service: TestService, collection: Collection, promised: Promised): Promise<PlannedRequest> {
  const { status, operation } = promised;
  const asked = await usual(service, collection, promised);
  const scope = scopeOf(operation);
  switch (status) {
    case 429:
      return scope ? asked : { ...asked, body: `${asked.body}x` };
    case 401:
      if (scope) return { ...asked, headers: { ...asked.headers, authorization: "Bearer nobody" } };
      return { ...asked, body: `${asked.body}x` }; // the last of the form's fields is the secret
    case 403:
      return {
        ...asked,
        headers: { ...asked.headers, authorization: `Bearer ${await service.tokenFor(scope === "admin" ? "write" : "read")}` },
      };
    case 406:
      return { ...asked, headers: { ...asked.headers, accept: "image/png" } };
    case 413:
      return { ...asked, body: " ".repeat(9_000_000) };
    case 414:
      return { ...asked, path: `${asked.path}?q=${"x".repeat(4_096)}` };
    case 415:
      return { ...asked, headers: { ...asked.headers, "content-type": "text/plain" } };
    case 304:
      return { ...asked, headers: { ...asked.headers, "if-none-match": "*" } };
    case 400:
      return operation.requestBody ? { ...asked, body: "{" } : { ...asked, path: `${asked.path}?q=%ff` };
  }
  return ofRecord(service, collection, promised, asked);
}

/** What depends on what stands in the store. */
async function ofRecord(service: TestService, collection: Collection, promised: Promised, asked: PlannedRequest): Promise<PlannedRequest> {
  const { template, method, status } = promised;
  const key = collection.key.name;
  const isDeletion = template.endsWith("/deletions");
  const send = (query: string, body: unknown) => ({ ...asked, path: asked.path + query, body: JSON.stringify(body) });
  const unknown = { [key]: ++last };
  if (method === "POST" && template.startsWith(`/v1/${collection.name}`)) {
    const held = { ...exampleOf(collection, service), [key]: await make(service, collection) };
    const query = isDeletion ? "?match=version" : "?onConflict=update&match=version";
    if (status === 200) return send(isDeletion ? "" : "?onConflict=skip", [held]);
    if (status === 207) return send("?onError=continue", [held, unknown]);
    if (status === 404) return send(isDeletion ? "" : "?onConflict=update&onMissing=error", [unknown]);
    if (status === 409) return send("", held);
    if (status === 412) return send(query, [{ ...held, version: 99 }]);
  }
  if (status === 422) return send("", template.endsWith("/keys") ? {} : []);
  if (status === 412) return { ...asked, headers: { ...asked.headers, "if-match": '"1-99"' } };
  if (status === 404) return { ...asked, path: template.replace("{id}", String(++last)) };
  if (status === 201 && method === "PUT") return { ...asked, path: template.replace("{id}", String(++last)) };
  return asked;
}

/** What succeeds: a token that may, an id that is there, a body as it should be. */
async function usual(service: TestService, collection: Collection, { method, template, operation }: Promised): Promise<PlannedRequest> {
  const scope = scopeOf(operation);
  const types = Object.keys(operation.requestBody?.content ?? {});
  const headers: Record<string, string> = {
    ...(scope && { authorization: `Bearer ${await service.tokenFor(scope)}` }),
    ...(types[0] && { "content-type": types[0] }),
  };
  const id = template.startsWith("/v1/keys/") ? (await newKey(service)).id : await make(service, collection);
  const body = await usualBody(service, collection, types, template, method === "POST" ? ++last : undefined);
  return { path: template.replace("{id}", String(id)), headers, ...(body !== undefined && { body }) };
}

async function usualBody(service: TestService, collection: Collection, types: string[], template: string, id: number | undefined) {
  if (types.includes(FORM)) {
    const key = await newKey(service);
    const form = { grant_type: "client_credentials", token: "x", client_id: key.id, client_secret: key.secret };
    return new URLSearchParams(form).toString();
  }
  if (!types.includes(JSON_TYPE)) return undefined;
  if (template.endsWith("/keys")) return JSON.stringify({ scope: "read" });
  return JSON.stringify({ ...exampleOf(collection, service), ...(id !== undefined && { [collection.key.name]: id }) });
}

export function scopeOf({ security }: Operation): string | undefined {
  return security[0]?.token?.[0];
}

/** A record under an id of its own. */
async function make(service: TestService, collection: Collection): Promise<number> {
  const id = ++last;
  await service.call("PUT", `/v1/${collection.name}/${id}`, exampleOf(collection, service));
  return id;
}

async function newKey({ store }: TestService): Promise<{ id: string; secret: string }> {
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(await createKeys(store).create("read")) ?? [];
  return { id, secret };
}

/** The examples in a schema, each with the schema that it is an example of. */
export function examplesIn(schema: Schema): [schema: Schema, example: unknown][] {
  const own = ((schema.examples ?? []) as unknown[]).map((example): [Schema, unknown] => [schema, example]);
  const inner = Object.values(schema).filter((value): value is Schema => typeof value === "object" && value !== null);
  return [...own, ...inner.flatMap(examplesIn)];
}
