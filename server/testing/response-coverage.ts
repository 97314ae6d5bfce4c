// Finds a request for each answer that the OpenAPI document promises.

import { MOST_KEYS_OF_PERSON } from "../../core/contract/keys.ts";
import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { ReferenceField } from "../../core/dictionary/fields.ts";
import type { Schema } from "../http/json-schemas.ts";
import type { Operation } from "../openapi/openapi-types.ts";
import { createKeys } from "../people/auth/api-keys.ts";
import { requestOfDraft, retireAdded } from "./response-coverage-dictionary.ts";
import { requestOfImport } from "./response-coverage-imports.ts";
import { requestOfMerge } from "./response-coverage-merges.ts";
import { bodyOf, idOf, isOffered, PAGE, requestOfPerson, tokenFor, WRONG } from "./response-coverage-people.ts";
import type { TestService } from "./service.ts";
import { mergedSchema } from "./whole-document.ts";

/** One answer in the document. */
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
  return Object.entries(checker.whole.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Object.keys(operation.responses)
        .filter((status) => status !== "default")
        .map((status) => ({ method: method.toUpperCase(), template, status: Number(status), operation })),
    ),
  );
}

/** The collection whose records an address is about: of `/v1/customers/{id}/orders` the orders. The first one if it is about none. */
export function collectionOf({ collections }: TestService, template: string): Collection {
  const [, , name, , child] = template.split("/");
  const named = collections.find((one) => one.name === child) ?? collections.find((one) => one.name === name) ?? collections[0];
  if (!named) throw new Error("no collection");
  return named;
}

/** A record made of the examples that the document has for the required fields, with the parents that it needs. */
async function newRecord(collection: Collection, service: TestService): Promise<Record<string, unknown>> {
  const record = exampleOf(collection, service);
  for (const { name, unique } of collection.fields) if (unique && typeof record[name] === "string") record[name] += String(++last);
  for (const { name, required, reference } of collection.references) {
    const parent = service.collections.find((one) => one.name === reference.collection);
    if (required && parent) record[name] = await createRecord(service, parent);
  }
  return record;
}

function exampleOf(collection: Collection, { checker }: TestService): Record<string, unknown> {
  const { schemas } = checker.document.components;
  const schema = Object.entries(schemas).find(([name]) => name.toLowerCase() === `new${collection.singular}`.toLowerCase())?.[1];
  const { required, properties } = mergedSchema(checker.document, schema ?? {}) as {
    required: string[];
    properties: Record<string, { examples?: unknown[] }>;
  };
  return Object.fromEntries(required.map((name) => [name, properties[name]?.examples?.[0]]));
}

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";
let last = 0;

/** Stores what the answer needs and returns the request that gets it. */
export async function requestFor(service: TestService, collection: Collection, promised: Promised): Promise<PlannedRequest> {
  const { status, operation, template } = promised;
  await retireAdded(service);
  const own = await validRequest(service, collection, promised);
  const store = async (of: Collection, fields = {}) => createRecord(service, of, { ...(await newRecord(of, service)), ...fields });
  const ofMerge = status === 429 ? undefined : await requestOfMerge(service, collection, promised, own, store); // nothing can be stored then
  const valid = ofMerge ?? own;
  const ofImport = await requestOfImport(service, promised, valid);
  if (ofImport) return ofImport;
  const ofChosen = isOfChosen(service, promised) && (await requestOfChosen(service, promised, valid));
  if (ofChosen) return ofChosen;
  const scope = scopeOf(operation);
  switch (status) {
    case 429:
      if (promised.method === "DELETE") return { ...valid, path: `${valid.path}?nonsense=1` }; // which ends no session
      if (WRONG[template]) return { ...valid, body: JSON.stringify(WRONG[template]) };
      return scope || isOffered(template) ? valid : { ...valid, body: `${valid.body}x` };
    case 401:
      if (scope) return { ...valid, headers: { ...valid.headers, authorization: "Bearer nobody" } };
      if (template.startsWith("/v1/sessions")) return { ...valid, body: JSON.stringify(WRONG[template]) };
      return { ...valid, body: `${valid.body}x` }; // the secret is the last field of the form
    case 403:
      // Whoever has no right may sign out all the same: that one is refused to API keys alone.
      if (scope === "signed-in" && operation.operationId !== "sign_out")
        return { ...valid, headers: { ...valid.headers, authorization: `Bearer ${(await service.newPerson()).token}` } };
      return {
        ...valid,
        headers: { ...valid.headers, authorization: `Bearer ${await service.tokenFor(scope?.includes(":") ? "nothing:read" : "write")}` },
      };
    case 406:
      return { ...valid, headers: { ...valid.headers, accept: "video/mp4" } };
    case 413:
      return { ...valid, body: " ".repeat(9_000_000) };
    case 414:
      return { ...valid, path: `${valid.path}?q=${"x".repeat(4_096)}` };
    case 415:
      return { ...valid, headers: { ...valid.headers, "content-type": "text/plain" } };
    case 304:
      return { ...valid, headers: { ...valid.headers, "if-none-match": "*" } };
    case 400:
      return operation.requestBody ? { ...valid, body: "{" } : { ...valid, path: `${valid.path}?q=%ff` };
  }
  return ofMerge ?? requestForRecord(service, collection, promised, valid);
}

/** Requests whose answer depends on the stored records. */
async function requestForRecord(
  service: TestService,
  collection: Collection,
  promised: Promised,
  valid: PlannedRequest,
): Promise<PlannedRequest> {
  const { template, method, status } = promised;
  const key = collection.key.name;
  const isDeletion = template.endsWith("/deletions");
  const send = (query: string, body: unknown) => ({ ...valid, path: valid.path + query, body: JSON.stringify(body) });
  const unknown = { [key]: ++last };
  if (template === `/v1/${collection.name}/lookup`) return send("", { field: key, values: status === 422 ? [] : [1] });
  if (template.includes("/exceptions/")) return requestOfException(collection, promised, valid);
  if (template.endsWith("/restore")) return requestOfRestore(service, promised, valid);
  if (template.includes("/duplicates/")) return requestOfDuplicates(service, collection, promised, valid);
  if (template.endsWith("/batch")) return requestOfBatch(service, collection, status, send, valid);
  if (template.endsWith("/undo") && !template.startsWith("/v1/dictionary/")) return send("", { run: status === 422 ? "" : "r1" });
  if (status === 409 && (template.endsWith("/erasure") || method === "DELETE") && (await makeChild(service, collection, template, valid)))
    return valid;
  const isOfCollection = template.startsWith(`/v1/${collection.name}`) || template.endsWith(`}/${collection.name}`);
  if (method === "PUT" && isOfCollection && status === 409) return requestOfUnseen(service, collection, valid);
  if (method === "POST" && isOfCollection && !template.endsWith("/erasure")) {
    const example = { ...(await newRecord(collection, service)), ...(await parentIn(service, collection, template, valid.path)) };
    const stored = { ...example, [key]: await createRecord(service, collection, example) };
    const query = isDeletion ? "?match=version" : "?onConflict=update&match=version";
    if (status === 200) return send(isDeletion ? "" : "?onConflict=skip", [stored]);
    if (status === 207) return send("?onError=continue", [stored, unknown]);
    if (status === 404) return send(isDeletion ? "" : "?onConflict=update&onMissing=error", [unknown]);
    if (status === 409) return send("", stored);
    if (status === 412) return send(query, [{ ...stored, version: 99 }]);
  }
  if (status === 409 && template === "/v1/keys") return requestOfManyKeys(service, valid);
  if (status === 409 && template.startsWith("/v1/keys/")) return requestOfLastAdministrator(service, valid);
  const draft = await requestOfDraft(service, promised, valid);
  if (draft) return draft;
  const special = await requestOfPerson(service, promised, valid);
  if (special) return special;
  if (status === 422) return send("", template.endsWith("/keys") ? {} : []);
  if (status === 410) return requestOfExpiredCursor(service, collection, valid);
  if (status === 412) return { ...valid, headers: { ...valid.headers, "if-match": '"1-99"' } };
  if (status === 404) return { ...valid, path: template.replace("{id}", String(++last)) };
  if (status === 201 && method === "PUT") return { ...valid, path: template.replace("{id}", String(++last)) };
  return valid;
}

/** It is about a field that every record has, so that none breaks it. */
function requestOfException(collection: Collection, { method, status }: Promised, valid: PlannedRequest): PlannedRequest {
  const field = collection.fields.find((one) => one.required && one !== collection.key);
  const rule = status === 404 && method === "DELETE" ? "none" : "required";
  const path = `${valid.path.replace("{rule}", rule)}?field=${field?.name}`;
  return { ...valid, path, ...(method === "PUT" && { body: JSON.stringify({ reason: status === 422 ? "" : "Agreed." }) }) };
}

/** Comes from somebody whose role shows none but their own records. */
async function requestOfUnseen(service: TestService, collection: Collection, valid: PlannedRequest): Promise<PlannedRequest> {
  const { name } = collection;
  const scope = `${name}:read ${name}:create ${name}:update`;
  const conditions = { [name]: { read: { where: "createdBy={me}" } } };
  const { json } = await service.call("POST", "/v1/roles", { name: `Sees own ${name}`, scope, conditions });
  const { token } = await service.newPerson(json.id);
  return { ...valid, headers: { ...valid.headers, authorization: `Bearer ${token}` } };
}

/** Says whether the operation is about the records that filters choose. */
function isOfChosen({ collections }: TestService, { method, template }: Pick<Promised, "method" | "template">): boolean {
  return (method === "PATCH" || method === "DELETE") && collections.some(({ name }) => template === `/v1/${name}`);
}

/** With 200 the second request, which does what the first has tried; with 422 another one under its key, or a body that is none. */
async function requestOfChosen(
  service: TestService,
  { method, status }: Promised,
  valid: PlannedRequest,
): Promise<PlannedRequest | undefined> {
  if (status === 422 && method === "PATCH") return { ...valid, body: "[]" };
  if (status !== 200 && status !== 422) return undefined;
  const withToken = async (limit: number) => {
    const path = `${valid.path}&limit=${limit}`;
    const { json } = await service.raw(method, path, valid.headers, valid.body);
    return { ...valid, path: path.replace("dryRun=true", `token=${json.token}`) };
  };
  if (status === 200) return withToken(1);
  const key = { ...valid.headers, "idempotency-key": `chosen-${++last}` };
  const first = await withToken(1);
  await service.raw(method, first.path, key, first.body);
  return { ...(await withToken(2)), headers: key };
}

async function requestOfBatch(
  service: TestService,
  collection: Collection,
  status: number,
  send: (query: string, body: unknown) => PlannedRequest,
  valid: PlannedRequest,
): Promise<PlannedRequest> {
  const { key } = collection;
  const example = await newRecord(collection, service);
  const stored = { ...example, [key.name]: await createRecord(service, collection, example) };
  const operation = (action: string, record: object) => ({ operations: [{ action, record }] });
  switch (status) {
    case 207:
      return send("?onError=continue", operation("delete", stored));
    case 404:
      return send("", operation("update", { ...example, [key.name]: ++last }));
    case 409:
      return send("", operation("create", stored));
    case 412:
      return send("?match=version", operation("update", { ...stored, version: 99 }));
    case 422:
      return send("", { operations: [] });
    default:
      return valid;
  }
}

/** What was changed after its cursor is no longer kept. */
async function requestOfExpiredCursor(service: TestService, collection: Collection, valid: PlannedRequest): Promise<PlannedRequest> {
  const { status, json, text } = await service.call("GET", "/v1/changes?after=now");
  if (status !== 200) throw new Error(`/v1/changes answered ${status}: ${text}`);
  for (let i = 0; i < 2; i++) await createRecord(service, collection);
  const path = `${valid.path}?after=${json.next}`;
  const later = Date.now() + 60_000;
  do while (await service.store.sweepHistory({ values: later, changes: later }));
  while ((await service.call("GET", path)).status === 200); // it waits for the transactions of other tests on this server
  return { ...valid, path };
}

/** Belongs to a record at version 1, which `valid` names. */
async function requestOfRestore(service: TestService, { status }: Promised, valid: PlannedRequest): Promise<PlannedRequest> {
  const body = JSON.stringify({ version: status === 404 ? 99 : status === 422 ? 0 : 1 });
  if (status === 201) await service.call("DELETE", valid.path.replace(/\/restore$/, ""));
  if (status === 412) return { ...valid, body, headers: { ...valid.headers, "if-match": '"1-99"' } };
  return { ...valid, body };
}

/** A request that succeeds: with the right scope, an existing id and a valid body. */
async function validRequest(
  service: TestService,
  collection: Collection,
  { method, template, operation }: Promised,
): Promise<PlannedRequest> {
  const scope = scopeOf(operation);
  const types = Object.keys(operation.requestBody?.content ?? {});
  const headers: Record<string, string> = {
    ...(scope && { authorization: `Bearer ${await tokenFor(service, template)}` }),
    ...(types[0] && { "content-type": types[0] }),
    ...(operation.parameters?.some(({ $ref }) => $ref.endsWith("/Origin")) && PAGE),
  };
  const parent = service.collections.find(({ name }) => template === `/v1/${name}/{id}/${collection.name}`);
  const id = await idFor(service, parent ?? collection, template);
  const path =
    template.replace("{id}", String(id)).replace("{code}", "VALIDATION") +
    (isOfChosen(service, { method, template }) ? "?dryRun=true" : "");
  const body = await validBody(service, collection, types, { template, path }, method === "POST" ? ++last : undefined);
  return { path, headers, ...(body !== undefined && { body }) };
}

async function idFor(service: TestService, collection: Collection, template: string): Promise<string | number> {
  if (template.startsWith("/v1/keys/")) return (await newKey(service)).id;
  return (await idOf(service, template)) ?? createRecord(service, collection);
}

async function validBody(
  service: TestService,
  collection: Collection,
  types: string[],
  { template, path }: { template: string; path: string },
  id: number | undefined,
) {
  if (types.includes(FORM)) {
    const key = await newKey(service);
    const form = { grant_type: "client_credentials", token: "x", client_id: key.id, client_secret: key.secret };
    return new URLSearchParams(form).toString();
  }
  if (types.includes("*/*")) return "name\nAda\n";
  if (!types.includes(JSON_TYPE)) return undefined;
  const other = await bodyOf(service, template);
  if (other) return JSON.stringify(other);
  const record = { ...(await newRecord(collection, service)), ...(await parentIn(service, collection, template, path)) };
  const sent = { ...record, ...(id !== undefined && { [collection.key.name]: id }) };
  return JSON.stringify(template.endsWith("/batch") ? [{ action: "create", record: sent }] : sent);
}

export function scopeOf({ security }: Operation): string | undefined {
  if (security.length === 0) return undefined;
  return security.find(({ oauth }) => oauth)?.oauth?.[0] ?? "signed-in";
}

/** By a person who has as many keys as one may. */
async function requestOfManyKeys(service: TestService, valid: PlannedRequest): Promise<PlannedRequest> {
  const { id, token } = await service.newPerson("viewer");
  for (let i = 0; i < MOST_KEYS_OF_PERSON; i++) await createKeys(service.store).create("read", { userId: id });
  return { ...valid, headers: { ...valid.headers, authorization: `Bearer ${token}` } };
}

/** Revokes every other administrator's key, that of `service.call` too, and asks to revoke the last one. */
async function requestOfLastAdministrator({ store, newCredentials }: TestService, valid: PlannedRequest): Promise<PlannedRequest> {
  const { keyId, token } = await newCredentials("admin");
  for (const { id } of await store.listKeys()) if (id !== keyId) await store.revokeKey(id, Date.now());
  return { ...valid, path: `/v1/keys/${keyId}`, headers: { ...valid.headers, authorization: `Bearer ${token}` } };
}

/** Creates a record under a new id. */
async function createRecord(service: TestService, collection: Collection, record?: Record<string, unknown>): Promise<number> {
  const id = ++last;
  await service.call("PUT", `/v1/${collection.name}/${id}`, record ?? (await newRecord(collection, service)));
  return id;
}

/** The values with which a record refers to the parent in the path, for an address below one. */
async function parentIn(service: TestService, { references, name }: Collection, template: string, path: string): Promise<object> {
  const [, , parent, id] = path.split("/");
  const field = template.endsWith(`}/${name}`) ? references.find(({ reference }) => reference.collection === parent) : undefined;
  return field ? referring(service, field, Number(id)) : {};
}

/** The reference, and the values in which the record must agree with its parent. */
async function referring(service: TestService, { name, reference }: ReferenceField, id: number): Promise<object> {
  const { json } = await service.call("GET", `/v1/${reference.collection}/${id}`);
  return { ...Object.fromEntries((reference.where ?? []).map(({ own, parent }) => [own, json[parent]])), [name]: id };
}

/** Something that refers to the record in the path and forbids its deletion. False where nothing can. */
async function makeChild(service: TestService, collection: Collection, template: string, { path }: PlannedRequest): Promise<boolean> {
  if (!template.startsWith(`/v1/${collection.name}/`)) return false;
  const children = childrenOf(service.collections, collection);
  const { child, field } = children.find((one) => one.field.reference.onDelete === "restrict") ?? children[0] ?? {};
  if (!child || !field) return false;
  await createRecord(service, child, {
    ...(await newRecord(child, service)),
    ...(await referring(service, field, Number(path.split("/")[3]))),
  });
  return true;
}

async function newKey({ store }: TestService): Promise<{ id: string; secret: string }> {
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(await createKeys(store).create("read")) ?? [];
  return { id, secret };
}

/** The examples anywhere in a schema, each with the schema that it belongs to. */
export function examplesIn(schema: Schema): [schema: Schema, example: unknown][] {
  const own = (Array.isArray(schema.examples) ? (schema.examples as unknown[]) : []).map((example): [Schema, unknown] => [schema, example]);
  const inner = Object.values(schema).filter((value): value is Schema => typeof value === "object" && value !== null);
  return [...own, ...inner.flatMap(examplesIn)];
}

/** Two records are set apart, or a record is compared that is not stored. */
async function requestOfDuplicates(
  service: TestService,
  collection: Collection,
  { template, status, method }: Promised,
  valid: PlannedRequest,
): Promise<PlannedRequest> {
  if (template.endsWith("/search")) return { ...valid, body: JSON.stringify(status === 422 ? [] : { [collection.singular]: {} }) };
  const [one, other] = [await createRecord(service, collection), await createRecord(service, collection)];
  const path = template.replace("{pair}", status === 404 ? "1-1" : `${one}-${other}`);
  return { ...valid, path, ...(method === "PUT" && { body: JSON.stringify({ same: status === 422 }) }) };
}
