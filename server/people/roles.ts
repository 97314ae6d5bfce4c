// Roles, for administrators. Five are built in.

import type { FastifyRequest } from "fastify";
import { API_ROOT, ROLES_PATH } from "../../core/contract/paths.ts";
import { MAX_PERSON_NAME, type Role } from "../../core/contract/people.ts";
import { BUILT_IN_ROLES } from "../../core/contract/roles.ts";
import { openCatalogue } from "../../core/i18n/languages.ts";
import type { Access } from "../access/access.ts";
import { CONDITIONS, conditionsField, wireConditions, withUnnamed } from "../access/role-conditions.ts";
import type { Answer } from "../engine/store.ts";
import { OFFERED_LANGUAGES } from "../http/content-negotiation.ts";
import { type HttpError, httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object, SCOPE, type Schema } from "../http/json-schemas.ts";
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

const ROLE: Schema = {
  ...object({ name: { type: "string" }, scope: SCOPE, conditions: nullable(CONDITIONS) }, ["name", "scope"]),
  additionalProperties: false,
};

export interface RoleParts {
  people: People;
  checkProof: CheckProof;
}

/** Says what the dictionary knows of the fields of a role. */
interface RoleFields {
  scope: FieldReader<string>;
  conditions: FieldReader<string>;
  toWire(role: StoredRole): Role;
  dictionary: Access;
}

export function roleRoutes(parts: RoleParts, dictionary: Access): Route[] {
  const { collections } = dictionary;
  const fields: RoleFields = {
    scope: scopeField(collections),
    conditions: conditionsField(dictionary),
    toWire({ conditions: stored, ...role }) {
      const conditions = wireConditions(stored, dictionary);
      return { ...role, ...(conditions && { conditions }), isBuiltIn: false };
    },
    dictionary,
  };
  return [rolesRoute(parts, fields), roleRoute(parts, fields)];
}

function rolesRoute({ people, checkProof }: RoleParts, { scope, conditions, toWire }: RoleFields): Route {
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
        return jsonAnswer(200, { roles: [...BUILT_IN_ROLES, ...(await people.listRoles()).map(toWire)] }, NO_STORE);
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
        const given = readFields(request.body, { name: roleName, scope, conditions: optional(conditions) });
        const role = { id: randomId(), ...given, conditions: given.conditions ?? "" };
        await checkProof(session);
        const { principal } = session;
        const outcome = await people.addRole(role, await reservedNames());
        if (outcome !== "added") throw errorOf(outcome);
        logSecurityEvent(request, "role made", { principal, target: role.id });
        return roleAnswer(201, toWire(role), roleTag(role));
      },
    },
  };
}

function roleRoute({ people, checkProof }: RoleParts, { scope, conditions, toWire, dictionary }: RoleFields): Route {
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
        const id = idOf(request);
        const builtIn = BUILT_IN_ROLES.find((role) => role.id === id);
        if (builtIn) return roleAnswer(200, builtIn, roleTag({ ...builtIn, conditions: "" }));
        const role = (await people.listRoles()).find((one) => one.id === id);
        if (!role) throw roleNotFound();
        return roleAnswer(200, toWire(role), roleTag(role));
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
        const given = readFields(request.body, { name: optional(roleName), scope: optional(scope), conditions: optional(conditions) });
        if (given.scope || given.conditions !== undefined) await checkProof(session);
        const { principal } = session;
        const before = await roleOf(people, request);
        const { id } = before;
        if (given.conditions !== undefined) given.conditions = withUnnamed(given.conditions, before.conditions, dictionary);
        const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        const changed = await people.changeRole(id, change, await reservedNames(), ifMatchTags(request));
        if (typeof changed === "string" || "confusableWith" in changed) throw errorOf(changed);
        logSecurityEvent(request, "role changed", { principal, target: id });
        return roleAnswer(200, toWire(changed), roleTag(changed));
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

function roleAnswer(status: 200 | 201, role: Role, etag: string): Answer {
  const location = status === 201 && { location: `${API_ROOT}${ROLES_PATH}/${role.id}` };
  return jsonAnswer(status, role, { ...NO_STORE, ...location, etag });
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

export const roleName = line("name", MAX_PERSON_NAME);

/** Names of the built-in roles in every language, and their ids, which stand in OIDC_ROLES: nobody could tell another role from them. */
export async function reservedNames(): Promise<string[]> {
  return (await builtInNames()).flatMap(({ id, names }) => [id, ...names]);
}

/** Returns the built-in roles with their names in every language. */
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

export function errorOf(why: RoleFailure | Confusable): HttpError {
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
