// API keys, for administrators. The secret is only in the answer that creates the key.

import type { FastifyRequest } from "fastify";
import type { ApiKey } from "../../core/contract/keys.ts";
import { API_ROOT, KEYS_PATH } from "../../core/contract/paths.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { KINDS } from "../../core/dictionary/kinds.ts";
import type { Keys } from "../auth/api-keys.ts";
import { SCOPES, type Scope } from "../auth/scopes.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object, type Schema, TIME } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { parseJson } from "../http/parse-json-body.ts";
import { readParameters } from "../http/query-parameters.ts";
import { emptyAnswer, jsonAnswer } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { StoredKey } from "../store/store.ts";

const NO_STORE = { "cache-control": "no-store" };

const NEW_KEY: Schema = { ...object({ scope: { enum: SCOPES }, expiresAt: nullable(TIME) }, ["scope"]), additionalProperties: false };

export function keyRoutes(keys: Keys, limits: Limits): Route[] {
  return [
    {
      url: API_ROOT + KEYS_PATH,
      GET: {
        scope: "admin",
        doc: {
          id: "list_api_keys",
          summary: "All API keys, without their secrets",
          responses: { 200: object({ keys: listOf(named("ApiKey")) }) },
        },
        async handle(request) {
          readParameters(request.query, {});
          return jsonAnswer(200, { keys: (await keys.list()).map(toWireKey) }, NO_STORE);
        },
      },
      POST: {
        scope: "admin",
        acceptedTypes: [JSON_TYPE],
        bodyLimit: limits.recordBytes,
        doc: {
          id: "create_api_key",
          summary: "A new API key; its secret is in this answer and nowhere else",
          body: NEW_KEY,
          responses: { 201: named("NewApiKey") },
          sentHeaders: { 201: ["Location"] },
          errors: [422],
        },
        async handle(request) {
          readParameters(request.query, {});
          const { scope, expiresAt } = readNewKey(parseJson(request.body));
          const key = await keys.create(scope, expiresAt);
          const stored = await keys.read(key);
          if (!stored) throw new Error("a key just created is not stored");
          return jsonAnswer(201, { ...toWireKey(stored), key }, { ...NO_STORE, location: `${API_ROOT}${KEYS_PATH}/${stored.id}` });
        },
      },
    },
    {
      url: `${API_ROOT}${KEYS_PATH}/:id`,
      GET: {
        scope: "admin",
        doc: { id: "read_api_key", summary: "One API key, without its secret", responses: { 200: named("ApiKey") }, errors: [404] },
        async handle(request) {
          readParameters(request.query, {});
          const key = await keys.read(idOf(request));
          if (!key) throw keyNotFound();
          return jsonAnswer(200, toWireKey(key), NO_STORE);
        },
      },
      DELETE: {
        scope: "admin",
        doc: {
          id: "revoke_api_key",
          summary: "Revokes a key for good and ends its tokens at once",
          responses: { 204: null },
          errors: [404, 409],
        },
        async handle(request) {
          readParameters(request.query, {});
          switch (await keys.revoke(idOf(request))) {
            case "revoked":
              return emptyAnswer(204);
            case "last":
              throw httpErrors.lastAdministrator();
            case "unknown":
              throw keyNotFound();
          }
        },
      },
    },
  ];
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

function keyNotFound() {
  return httpErrors.notFound("There is no API key with this id.");
}

/** The key as the API answers it, without its hash. */
export function toWireKey(key: StoredKey): ApiKey {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: key.id,
    scope: key.scope,
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: time(key.expiresAt),
    revokedAt: time(key.revokedAt),
    lastUsedAt: time(key.lastUsedAt),
  };
}

/** The body of a POST. Throws VALIDATION with everything that is wrong. */
function readNewKey(body: unknown): { scope: Scope; expiresAt?: number } {
  if (!isObject(body)) throw httpErrors.validation([{ pointer: "", code: "FORM", detail: 'Send an object such as {"scope":"write"}.' }]);
  const errors: ProblemDetail[] = [];
  const scope = SCOPES.find((name) => name === body.scope);
  if (!scope) errors.push({ pointer: "/scope", code: "ENUM", detail: `scope must be one of ${SCOPES.join(", ")}.` });
  const given = body.expiresAt ?? null;
  const expiresAt = given === null ? undefined : Date.parse(String(KINDS.datetime.fromJson(given)));
  if (expiresAt !== undefined && !(expiresAt > Date.now())) {
    errors.push({ pointer: "/expiresAt", code: "KIND", detail: "expiresAt must be a date and time to come, with its time zone." });
  }
  for (const name of Object.keys(body)) {
    if (name !== "scope" && name !== "expiresAt")
      errors.push({
        pointer: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        code: "UNKNOWN_FIELD",
        detail: "A key has no field of this name.",
      });
  }
  if (!scope || errors.length > 0) throw httpErrors.validation(errors);
  return { scope, ...(expiresAt !== undefined && { expiresAt }) };
}
