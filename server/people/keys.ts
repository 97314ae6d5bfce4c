// API keys: administrators manage all, other people their own. The secret is only in the answer that creates the key.

import type { FastifyRequest } from "fastify";
import { type ApiKey, MOST_KEYS_OF_PERSON, SCOPE_WITH_ROLES } from "../../core/contract/keys.ts";
import { API_ROOT, KEYS_PATH } from "../../core/contract/paths.ts";
import { allows, includesWord } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object, SCOPE, type Schema, TIME } from "../http/json-schemas.ts";
import { limitErrors } from "../http/limits.ts";
import { type FieldReader, line, optional, readFields } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { Session } from "./auth/access-tokens.ts";
import { bareId, type KeyOptions, type Keys } from "./auth/api-keys.ts";
import { type Notify, newNotice } from "./auth/notices.ts";
import type { CheckProof } from "./auth/proof-check.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import { scopeField } from "./scope-field.ts";
import type { StoredKey } from "./store/keys.ts";
import type { People } from "./store/people.ts";
import { rolesReader } from "./users.ts";

const MAX_NAME = 100; // characters
const EXPIRY = { ...nullable(TIME), description: "90 days from now unless said; null: never." };
const NAME = { type: "string", maxLength: MAX_NAME, description: "What people call it." };

const ROLES: Schema = {
  ...listOf({ type: "string" }),
  description: "Ids of roles, whose conditions hold for the key. Scope or roles must be there; with both the key may do what both allow.",
};
const NEW_KEY: Schema = { ...object({ name: NAME, scope: SCOPE, roles: ROLES, expiresAt: EXPIRY }, []), additionalProperties: false };

/** Returns what a new key is asked for, by the route and by the command alike. */
export function newKeyFields(collections: readonly Collection[]) {
  return { scope: optional(scopeField(collections)), name: optional(line("name", MAX_NAME, 0)) };
}

export interface KeyParts {
  keys: Keys;
  collections: readonly Collection[];
  people: People;
  checkProof: CheckProof;
  notify: Notify;
}

export function keyRoutes(parts: KeyParts): Route[] {
  const { keys, collections, people } = parts;
  const fields = { ...newKeyFields(collections), expiresAt: expiry };
  return [
    {
      url: API_ROOT + KEYS_PATH,
      GET: {
        scope: "signed-in",
        doc: {
          id: "list_api_keys",
          summary: "API keys without their secrets: all for administrators, their own for other people",
          responses: { 200: object({ keys: listOf(named("ApiKey")) }) },
          errors: [403],
        },
        async handle(_, session) {
          rejectPrograms(session);
          const seen = (await keys.list()).filter((key) => mayManage(session, key));
          return jsonAnswer(200, { keys: seen.map(toWireKey) }, NO_STORE);
        },
      },
      POST: {
        scope: "signed-in",
        acceptedTypes: [JSON_TYPE],
        doc: {
          id: "create_api_key",
          summary: "A new API key; its secret is in this answer and nowhere else. It needs a proof",
          body: NEW_KEY,
          responses: { 201: named("NewApiKey") },
          sentHeaders: { 201: ["Location"] },
          errors: [403, 409, 422],
        },
        async handle(request, session) {
          rejectPrograms(session);
          const given = readFields(request.body, { ...fields, roles: optional(await rolesReader(people)) });
          const { name, expiresAt, roles = [] } = given;
          const scope = scopeOfNewKey(given.scope, roles);
          if (roles.length === 0) rejectMore(session, scope);
          else await rejectOtherRoles(people, session, roles);
          await parts.checkProof(session);
          const stored = await create(parts, request, session, scope, {
            ...(name && { name }),
            roles,
            ...(expiresAt !== undefined && { expiresAt }),
          });
          const { key } = stored;
          return jsonAnswer(201, { ...toWireKey(stored), key }, { ...NO_STORE, location: `${API_ROOT}${KEYS_PATH}/${stored.id}` });
        },
      },
    },
    keyRoute(keys),
  ];
}

/** A key that a person's key makes is that person's as well, so that it ends with all else that is theirs. */
async function create(
  { keys, people, notify }: KeyParts,
  request: FastifyRequest,
  { principal, sessionId, userId }: Session,
  scope: string,
  options: KeyOptions,
): Promise<StoredKey & { key: string }> {
  const maker = { sessionId, keyId: principal.type === "key" ? principal.id : undefined };
  const notice = userId === undefined ? undefined : newNotice("key", userId, sourceOf(request.ip), options.name);
  const made = await keys.createFor(maker, scope, { ...options, userId: userId ?? null }, MOST_KEYS_OF_PERSON, notice);
  if (made === "ended") throw httpErrors.invalidToken();
  if (made === "many") throw limitErrors.tooManyKeys();
  const { key } = made;
  logSecurityEvent(request, "key made", { principal, target: bareId(key) });
  const owner = userId === undefined ? undefined : await people.readUser(userId);
  if (owner) notify(request, owner, notice);
  const stored = await keys.read(key);
  if (!stored) throw new Error("a key just created is not stored");
  return { ...stored, key };
}

function keyRoute(keys: Keys): Route {
  return {
    url: `${API_ROOT}${KEYS_PATH}/:id`,
    GET: {
      scope: "signed-in",
      doc: { id: "read_api_key", summary: "One API key, without its secret", responses: { 200: named("ApiKey") }, errors: [403, 404] },
      async handle(request, session) {
        rejectPrograms(session);
        const key = await keys.read(idOf(request));
        if (!key || !mayManage(session, key)) throw keyNotFound();
        return jsonAnswer(200, toWireKey(key), NO_STORE);
      },
    },
    DELETE: {
      scope: "signed-in",
      doc: {
        id: "revoke_api_key",
        summary: "Revokes a key for good and ends its tokens at once",
        responses: { 204: null },
        errors: [403, 404, 409],
      },
      async handle(request, session) {
        rejectPrograms(session);
        const key = await keys.read(idOf(request));
        if (!key || !mayManage(session, key)) throw keyNotFound();
        switch (await keys.revoke(key.id)) {
          case "revoked":
            logSecurityEvent(request, "key revoked", { principal: session.principal, target: key.id });
            return emptyAnswer(204);
          case "last":
            throw httpErrors.lastAdministrator();
          case "unknown":
            throw keyNotFound();
        }
      },
    },
  };
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

/** A program may manage keys only if it may everything. */
function rejectPrograms({ principal, scope }: Session): void {
  if (principal.type === "key" && !allows(scope, "admin")) throw httpErrors.insufficientScope("admin");
}

function mayManage({ principal, scope }: Session, key: StoredKey): boolean {
  return allows(scope, "admin") || (principal.type === "user" && key.userId === principal.id);
}

/** A key never has more than its maker. */
function rejectMore(session: Session, scope: string): void {
  const missing = scope.split(" ").filter((word) => !includesWord(session.scope, word));
  if (missing.length > 0) throw httpErrors.insufficientScope(missing.join(" "));
}

/** A key has no role that its maker has not. Whoever administers may give any, as to a person. */
async function rejectOtherRoles(people: People, { principal, scope }: Session, roles: readonly string[]): Promise<void> {
  if (allows(scope, "admin")) return;
  const own = (await people.readUser(principal.id))?.roles ?? [];
  const other = roles.find((id) => !own.includes(id));
  if (other !== undefined) throw wrongField("roles", `You do not have the role "${other}", so your key cannot have it.`);
}

export const NOT_BOTH = "A key with roles does not administer. Leave out admin, or the roles.";

/** Throws VALIDATION. A key that administers has all rights, so that a role beside them would say nothing. */
function scopeOfNewKey(scope: string | undefined, roles: readonly string[]): string {
  if (roles.length === 0 && scope === undefined) throw wrongField("scope", "scope or roles are needed: they say what the key may do.");
  if (roles.length > 0 && scope !== undefined && allows(scope, "admin")) throw wrongField("scope", NOT_BOTH);
  return scope ?? SCOPE_WITH_ROLES;
}

function wrongField(name: string, detail: string) {
  return httpErrors.validation([{ pointer: `/${name}`, code: "KIND", detail }]);
}

function keyNotFound() {
  return httpErrors.notFound("There is no API key with this id.");
}

/** Returns the key as the API answers it, without its hash. */
export function toWireKey(key: StoredKey): ApiKey {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: key.id,
    name: key.name,
    owner: key.userId,
    scope: key.scope,
    roles: [...key.roles],
    createdAt: new Date(key.createdAt).toISOString(),
    expiresAt: time(key.expiresAt),
    revokedAt: time(key.revokedAt),
    lastUsedAt: time(key.lastUsedAt),
    lastUsedFrom: key.lastUsedFrom,
  };
}

/** A time to come, null for never, undefined for what is usual; in ms since 1970. */
const expiry: FieldReader<number | null | undefined> = (given) => {
  if (given === undefined || given === null) return { value: given };
  const value = Date.parse(String(KIND_TRAITS.datetime.fromJson(given)));
  return value > Date.now() ? { value } : { problem: "expiresAt must be a date and time to come, with its time zone, or null." };
};
