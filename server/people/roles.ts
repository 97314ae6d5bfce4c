// Roles, for administrators. Five are built in.

import type { FastifyRequest } from "fastify";
import { API_ROOT, ROLES_PATH } from "../../core/contract/paths.ts";
import { MAX_PERSON_NAME, type Role } from "../../core/contract/people.ts";
import { BUILT_IN_ROLES } from "../../core/contract/roles.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { openCatalogue } from "../../core/i18n/languages.ts";
import type { Answer } from "../engine/store.ts";
import { OFFERED_LANGUAGES } from "../http/content-negotiation.ts";
import { type HttpError, httpErrors } from "../http/errors.ts";
import { listOf, named, object, SCOPE, type Schema } from "../http/json-schemas.ts";
import { ifMatchTags } from "../http/preconditions.ts";
import { type FieldReader, line, optional, readFields } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route } from "../http/route.ts";
import type { CheckProof } from "./auth/proof-check.ts";
import { randomId } from "./auth/random-codes.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { scopeField } from "./scope-field.ts";
import type { Confusable } from "./store/confusable-names.ts";
import type { People } from "./store/people.ts";
import { type RoleFailure, roleTag, type StoredRole } from "./store/users.ts";
import { allRoles } from "./wire.ts";

const ROLE: Schema = { ...object({ name: { type: "string" }, scope: SCOPE }), additionalProperties: false };

export interface RoleParts {
  people: People;
  checkProof: CheckProof;
}

export function roleRoutes(parts: RoleParts, collections: readonly Collection[]): Route[] {
  const scope = scopeField(collections);
  return [rolesRoute(parts, scope), roleRoute(parts, scope)];
}

function rolesRoute({ people, checkProof }: RoleParts, scope: FieldReader<string>): Route {
  return {
    url: API_ROOT + ROLES_PATH,
    GET: {
      scope: "admin",
      doc: {
        id: "list_roles",
        summary: "All roles, the built-in ones first",
        responses: { 200: object({ roles: listOf(named("IntakeRole")) }) },
      },
      async handle() {
        return jsonAnswer(200, { roles: await allRoles(people) }, NO_STORE);
      },
    },
    POST: {
      scope: "admin",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "create_role",
        summary: "A new role. It needs a proof",
        body: ROLE,
        responses: { 201: named("IntakeRole") },
        sentHeaders: { 201: ["ETag", "Location"] },
        errors: [409, 422],
      },
      async handle(request, session) {
        const role = { id: randomId(), ...readFields(request.body, { name, scope }) };
        await checkProof(session);
        const { principal } = session;
        const outcome = await people.addRole(role, await reservedNames());
        if (outcome !== "added") throw errorOf(outcome);
        logSecurityEvent(request, "role made", { principal, target: role.id });
        return roleAnswer(201, { ...role, isBuiltIn: false });
      },
    },
  };
}

function roleRoute({ people, checkProof }: RoleParts, scope: FieldReader<string>): Route {
  return {
    url: `${API_ROOT}${ROLES_PATH}/:id`,
    GET: {
      scope: "admin",
      doc: {
        id: "read_role",
        summary: "One role",
        responses: { 200: named("IntakeRole") },
        sentHeaders: { 200: ["ETag"] },
        errors: [404],
      },
      async handle(request) {
        const role = (await allRoles(people)).find(({ id }) => id === idOf(request));
        if (!role) throw roleNotFound();
        return roleAnswer(200, role);
      },
    },
    PATCH: {
      scope: "admin",
      acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
      doc: {
        id: "change_role",
        summary: "Changes a role; rights that it loses end with the next request. Other rights need a proof",
        headers: ["If-Match"],
        body: { ...ROLE, required: [] },
        responses: { 200: named("IntakeRole") },
        sentHeaders: { 200: ["ETag"] },
        errors: [404, 409, 412, 422],
      },
      async handle(request, session) {
        const given = readFields(request.body, { name: optional(name), scope: optional(scope) });
        if (given.scope) await checkProof(session);
        const { principal } = session;
        const { id } = await roleOf(people, request);
        const change = { ...(given.name !== undefined && { name: given.name }), ...(given.scope && { scope: given.scope }) };
        const changed = await people.changeRole(id, change, await reservedNames(), ifMatchTags(request));
        if (typeof changed === "string" || "confusableWith" in changed) throw errorOf(changed);
        logSecurityEvent(request, "role changed", { principal, target: id });
        return roleAnswer(200, { ...changed, isBuiltIn: false });
      },
    },
    DELETE: {
      scope: "admin",
      doc: {
        id: "delete_role",
        summary: "Deletes a role that nobody has",
        headers: ["If-Match"],
        responses: { 204: null },
        errors: [404, 409, 412],
      },
      async handle(request, { principal }) {
        const { id } = await roleOf(people, request);
        const outcome = await people.deleteRole(id, ifMatchTags(request));
        if (outcome !== "done") throw errorOf(outcome);
        logSecurityEvent(request, "role deleted", { principal, target: id });
        return emptyAnswer(204);
      },
    },
  };
}

function roleAnswer(status: 200 | 201, role: Role): Answer {
  const location = status === 201 && { location: `${API_ROOT}${ROLES_PATH}/${role.id}` };
  return jsonAnswer(status, role, { ...NO_STORE, ...location, etag: roleTag(role) });
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

const name = line("name", MAX_PERSON_NAME);

/** Names of the built-in roles in every language, and their ids, which stand in OIDC_ROLES: nobody could tell another role from them. */
async function reservedNames(): Promise<string[]> {
  return (await builtInNames()).flatMap(({ id, names }) => [id, ...names]);
}

/** The built-in roles with their names in every language. */
export async function builtInNames(): Promise<{ id: string; names: string[] }[]> {
  const catalogues = await Promise.all(OFFERED_LANGUAGES.map(openCatalogue));
  return BUILT_IN_ROLES.map(({ id, name }) => ({
    id,
    names: [name, ...catalogues.map((catalogue) => String(catalogue?.texts[name] ?? name))],
  }));
}

async function roleOf(people: People, request: FastifyRequest): Promise<StoredRole> {
  const id = idOf(request);
  if (BUILT_IN_ROLES.some((role) => role.id === id)) throw httpErrors.roleBuiltIn();
  const role = (await people.listRoles()).find((one) => one.id === id);
  if (!role) throw roleNotFound();
  return role;
}

function roleNotFound() {
  return httpErrors.notFound("There is no role with this id.");
}

function errorOf(why: RoleFailure | Confusable): HttpError {
  if (typeof why === "object") return httpErrors.nameConfusable(why);
  switch (why) {
    case "unknown":
      return roleNotFound();
    case "last":
      return httpErrors.lastPersonWhoAdministers();
    case "used":
      return httpErrors.roleInUse();
    case "stale":
      return httpErrors.changedMeanwhile("role");
    case "taken":
      return httpErrors.validation([
        { pointer: "/name", code: "KIND", detail: "There is already a role with this name. Choose another name." },
      ]);
  }
}
