// Roles, for administrators. Four are built in.

import type { FastifyRequest } from "fastify";
import { API_ROOT, ROLES_PATH } from "../../../core/contract/paths.ts";
import { MAX_PERSON_NAME } from "../../../core/contract/people.ts";
import { BUILT_IN_ROLES } from "../../../core/contract/roles.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { openCatalogue } from "../../../core/i18n/languages.ts";
import { randomId } from "../../auth/random-codes.ts";
import { logSecurityEvent } from "../../auth/security-events.ts";
import { OFFERED_LANGUAGES } from "../../http/content-negotiation.ts";
import { httpErrors } from "../../http/errors.ts";
import { listOf, named, object, SCOPE, type Schema } from "../../http/json-schemas.ts";
import type { Limits } from "../../http/limits.ts";
import { readParameters } from "../../http/query-parameters.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route } from "../../http/route.ts";
import type { People } from "../../store/people/people.ts";
import type { RoleChange, StoredRole } from "../../store/people/users.ts";
import { type FieldReader, line, optional, readFields } from "../read-fields.ts";
import { scopeField } from "../scope-field.ts";
import { allRoles } from "./wire.ts";

const ROLE: Schema = { ...object({ name: { type: "string" }, scope: SCOPE }), additionalProperties: false };

export function roleRoutes(people: People, collections: readonly Collection[], limits: Limits): Route[] {
  const scope = scopeField(collections);
  return [
    {
      url: API_ROOT + ROLES_PATH,
      GET: {
        scope: "admin",
        doc: {
          id: "list_roles",
          summary: "All roles, the built-in ones first",
          responses: { 200: object({ roles: listOf(named("IntakeRole")) }) },
        },
        async handle(request) {
          readParameters(request.query, {});
          return jsonAnswer(200, { roles: await allRoles(people) }, NO_STORE);
        },
      },
      POST: {
        scope: "admin",
        acceptedTypes: [JSON_TYPE],
        bodyLimit: limits.recordBytes,
        doc: { id: "create_role", summary: "A new role", body: ROLE, responses: { 201: named("IntakeRole") }, errors: [422] },
        async handle(request, { principal }) {
          readParameters(request.query, {});
          const role = { id: randomId(), ...readFields(request.body, { name: await nameReader(people), scope }) };
          await people.addRole(role);
          logSecurityEvent(request, "role made", { principal, target: role.id });
          return jsonAnswer(201, { ...role, isBuiltIn: false }, NO_STORE);
        },
      },
    },
    {
      url: `${API_ROOT}${ROLES_PATH}/:id`,
      PATCH: {
        scope: "admin",
        acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
        bodyLimit: limits.recordBytes,
        doc: {
          id: "change_role",
          summary: "Changes a role; rights that it loses end with the next request",
          body: { ...ROLE, required: [] },
          responses: { 200: named("IntakeRole") },
          errors: [404, 409, 422],
        },
        async handle(request, { principal }) {
          readParameters(request.query, {});
          const name = optional(await nameReader(people, idOf(request)));
          const given = readFields(request.body, { name, scope: optional(scope) });
          const before = await roleOf(people, request);
          const role = { ...before, ...(given.name !== undefined && { name: given.name }), ...(given.scope && { scope: given.scope }) };
          refuse(await people.changeRole(role));
          logSecurityEvent(request, "role changed", { principal, target: role.id });
          return jsonAnswer(200, { ...role, isBuiltIn: false }, NO_STORE);
        },
      },
      DELETE: {
        scope: "admin",
        doc: { id: "delete_role", summary: "Deletes a role that nobody has", responses: { 204: null }, errors: [404, 409] },
        async handle(request, { principal }) {
          readParameters(request.query, {});
          const { id } = await roleOf(people, request);
          refuse(await people.deleteRole(id));
          logSecurityEvent(request, "role deleted", { principal, target: id });
          return emptyAnswer(204);
        },
      },
    },
  ];
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

/**
 * A name that no role but that of `ownId` has, in any case, and no built-in role in any language: people could not tell them apart,
 * nor could OIDC_ROLES.
 */
async function nameReader(people: People, ownId?: string): Promise<FieldReader<string>> {
  const read = line("name", MAX_PERSON_NAME);
  const roles = await people.listRoles();
  const others = roles.filter(({ id }) => id !== ownId).map(({ name }) => name);
  const own = roles.find(({ id }) => id === ownId)?.name; // of an earlier version, which took any
  const taken = new Set([...(await builtInNames()), ...others].map((name) => name.toLowerCase()));
  return (given) => {
    const result = read(given);
    const isTaken = "value" in result && result.value !== own && taken.has(result.value.toLowerCase());
    return isTaken ? { problem: "There is already a role with this name. Choose another name." } : result;
  };
}

/** Their ids, too, which stand in OIDC_ROLES. */
async function builtInNames(): Promise<string[]> {
  const catalogues = await Promise.all(OFFERED_LANGUAGES.map(openCatalogue));
  return BUILT_IN_ROLES.flatMap(({ id, name }) => [id, name, ...catalogues.map((catalogue) => String(catalogue?.texts[name] ?? name))]);
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

function refuse(outcome: RoleChange): void {
  switch (outcome) {
    case "done":
      return;
    case "unknown":
      throw roleNotFound();
    case "last":
      throw httpErrors.lastPersonWhoAdministers();
    case "used":
      throw httpErrors.roleInUse();
  }
}
