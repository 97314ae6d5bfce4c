// People and roles for the organisation's directory, which enters who comes and disables who leaves (RFC 7644).

import type { FastifyRequest } from "fastify";
import { API_ROOT, SCIM_PATH } from "../../../core/contract/paths.ts";
import { MAX_PERSON_NAME } from "../../../core/contract/people.ts";
import { BUILT_IN_ROLES, isAdministrator } from "../../../core/contract/roles.ts";
import { allows, PROVISION } from "../../../core/contract/scopes.ts";
import { preferredLanguage } from "../../http/content-negotiation.ts";
import { httpErrors } from "../../http/errors.ts";
import { parseJson } from "../../http/parse-json-body.ts";
import { SCIM_TYPE } from "../../http/problem.ts";
import { parameterText } from "../../http/query-parameters.ts";
import { email, line } from "../../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../../http/responses.ts";
import { JSON_TYPE, type Route, type RouteHandler } from "../../http/route.ts";
import type { Session } from "../auth/access-tokens.ts";
import { randomId } from "../auth/random-codes.ts";
import { logSecurityEvent } from "../auth/security-events.ts";
import { errorOf, reservedNames } from "../roles.ts";
import { foldEmail } from "../store/addresses.ts";
import { type StoredRole, type StoredUser, type UserChange, userTag } from "../store/users.ts";
import { changePerson, statusOf, type UserParts } from "../users.ts";
import { discoveryRoutes } from "./discovery.ts";
import { readFilter } from "./filter.ts";
import {
  type AskedGroup,
  type AskedUser,
  type KnownUser,
  LIST_SCHEMA,
  MOST_RESOURCES,
  readGroup,
  readGroupPatch,
  readUser,
  readUserPatch,
  toScimGroup,
  toScimUser,
} from "./forms.ts";

export interface ScimParts extends UserParts {
  /** The service's own address as others have it; empty if it does not know. */
  publicUrl: string;
  /** Says whether people need a link to come in, and the service can send one. */
  sendsLinks: boolean;
}

const ROOT = API_ROOT + SCIM_PATH;
const COMMON = {
  scope: PROVISION,
  errorsFor: "scim",
  produces: [SCIM_TYPE, JSON_TYPE],
  ignoresParameters: true,
} as const satisfies Partial<RouteHandler>;
const WRITES = { ...COMMON, acceptedTypes: [SCIM_TYPE, JSON_TYPE] } as const;

export function scimRoutes(parts: ScimParts): Route[] {
  const routes = [usersRoute(parts), userRoute(parts), groupsRoute(parts), groupRoute(parts), ...discoveryRoutes(parts.publicUrl + ROOT)];
  return routes.map((route) => ({ ...route, describesItself: true }));
}

function docOf(id: string, summary: string) {
  return { id, summary, responses: {} };
}

function usersRoute(parts: ScimParts): Route {
  const { people, accounts, publicUrl, sendLink, sendsLinks } = parts;
  return {
    url: `${ROOT}/Users`,
    GET: {
      ...COMMON,
      doc: docOf("scim_list_users", 'People, as a directory has them; `filter=userName eq "anna@example.org"` finds one'),
      async handle(request) {
        const [all, roles] = [await knownUsers(parts), await grantedRoles(people)];
        const isFound = readFilter(parameterText(request.query, "filter"), [
          "id",
          "username",
          "externalid",
          "displayname",
          "emails",
          "active",
        ]);
        const found = all.filter(({ user, externalId }) => {
          const { id, email: username, name, status } = user;
          const emails = [username.toLowerCase()];
          return isFound({ id, username, externalid: externalId, displayname: name, emails, active: status !== "disabled" });
        });
        return listAnswer(request, found, (one) => toScimUser(one, roles, publicUrl + ROOT));
      },
    },
    POST: {
      ...WRITES,
      doc: docOf(
        "scim_create_user",
        "Enters a person, without roles. They come in by the organisation's own sign-in, or by the link that is sent to them if there is none",
      ),
      async handle(request, session) {
        const asked = checkedUser(readUser(parseJson(request.body)));
        if (asked.email === undefined) throw httpErrors.scim("invalidValue", "userName is needed: the address of the person.");
        const language = preferredLanguage(request.headers["accept-language"]);
        const person = { email: asked.email, name: asked.name ?? asked.email, roles: [], ...(language && { language }) };
        const invited = await accounts.invite(person);
        const gone = invited ? undefined : await goneUser(parts, asked.email);
        if (!invited && !gone) throw httpErrors.emailTaken();
        const entered = invited?.user ?? (gone as StoredUser);
        const status = statusOf(entered, asked.isActive === false ? "disabled" : "active");
        if (gone?.status === "disabled" && status !== "disabled") await requireEnabling(parts, gone);
        const user =
          status === entered.status && invited ? entered : await change(parts, request, session, entered, { ...nameOf(asked), status });
        await people.putDirectoryName({ userId: user.id, externalId: asked.externalId ?? "", isGone: false });
        if (invited) logSecurityEvent(request, "person invited", { principal: session.principal, target: user.id });
        if (invited && sendsLinks && status === "invited") await sendLink("invitation", user, invited.link, session.principal.name);
        return userAnswer(parts, 201, { user, externalId: asked.externalId ?? "" });
      },
    },
  };
}

function userRoute(parts: ScimParts): Route {
  const { people } = parts;
  const write = (id: string, summary: string, read: (body: unknown) => AskedUser): RouteHandler => ({
    ...WRITES,
    doc: docOf(id, summary),
    async handle(request, session) {
      const known = await knownUser(parts, request);
      const asked = checkedUser(read(parseJson(request.body)));
      const { email: address, isActive, externalId = known.externalId } = asked;
      const isOther = address !== undefined && foldEmail(address) !== foldEmail(known.user.email);
      if (isOther && isAdministrator(known.user.roles, await people.listRoles()))
        throw httpErrors.forbiddenByRoles("The address of somebody who administers is changed in Intake alone.");
      const status =
        isActive !== undefined && isActive !== (known.user.status !== "disabled")
          ? statusOf(known.user, isActive ? "active" : "disabled")
          : undefined;
      if (status !== undefined && status !== "disabled") await requireEnabling(parts, known.user);
      const wanted: UserChange = { ...nameOf(asked), ...(address !== undefined && { email: address }), ...(status && { status }) };
      const isSame = Object.entries(wanted).every(([name, value]) => known.user[name as keyof StoredUser] === value);
      const user = isSame ? known.user : await change(parts, request, session, known.user, wanted);
      if (externalId !== known.externalId) await people.putDirectoryName({ userId: user.id, externalId, isGone: false });
      return userAnswer(parts, 200, { user, externalId });
    },
  });
  return {
    url: `${ROOT}/Users/:id`,
    GET: {
      ...COMMON,
      doc: docOf("scim_read_user", "One person, as a directory has them"),
      handle: async (request) => userAnswer(parts, 200, await knownUser(parts, request)),
    },
    PUT: write(
      "scim_replace_user",
      "Changes a person. Who is not active any more is signed out at once, and their keys and webhooks end",
      readUser,
    ),
    PATCH: write("scim_change_user", "The same for some attributes", readUserPatch),
    DELETE: {
      ...COMMON,
      doc: docOf(
        "scim_delete_user",
        "Disables the account, which no directory sees any more unless it enters the same address again. What the person did stays theirs",
      ),
      async handle(request, session) {
        const { user, externalId } = await knownUser(parts, request);
        if (user.status !== "disabled") await change(parts, request, session, user, { status: "disabled" });
        await people.putDirectoryName({ userId: user.id, externalId, isGone: true });
        return emptyAnswer(204);
      },
    },
  };
}

function groupsRoute(parts: ScimParts): Route {
  const { people, publicUrl } = parts;
  return {
    url: `${ROOT}/Groups`,
    GET: {
      ...COMMON,
      doc: docOf("scim_list_groups", 'Roles that do not administer, with who has them; `filter=displayName eq "Front desk"` finds one'),
      async handle(request) {
        const users = (await knownUsers(parts)).map(({ user }) => user);
        const isFound = readFilter(parameterText(request.query, "filter"), ["id", "displayname", "externalid", "members"]);
        const members = (id: string) => users.filter(({ roles }) => roles.includes(id)).map((user) => user.id.toLowerCase());
        const found = (await grantedRoles(people)).filter(({ id, name }) =>
          isFound({ id, displayname: name, externalid: "", members: members(id) }),
        );
        const hasMembers = !/\bmembers\b/i.test(parameterText(request.query, "excludedAttributes") ?? "");
        return listAnswer(request, found, (role) => {
          const { members: all, ...group } = toScimGroup(role, users, publicUrl + ROOT);
          return hasMembers ? { ...group, members: all } : group;
        });
      },
    },
    POST: {
      ...WRITES,
      doc: docOf("scim_create_group", "Makes a role that allows nothing until an administrator gives it rights"),
      async handle(request, session) {
        const asked = readGroup(parseJson(request.body));
        const role = { id: randomId(), name: checkedName(asked.name ?? ""), scope: "", conditions: "" };
        const outcome = await people.addRole(role, await reservedNames());
        if (outcome === "taken") throw httpErrors.scimTaken();
        if (outcome !== "added") throw errorOf(outcome);
        logSecurityEvent(request, "role made", { principal: session.principal, target: role.id });
        await moveMembers(parts, request, session, role.id, asked);
        return groupAnswer(parts, 201, role);
      },
    },
  };
}

function groupRoute(parts: ScimParts): Route {
  const { people } = parts;
  const write = (id: string, summary: string, read: (body: unknown) => AskedGroup): RouteHandler => ({
    ...WRITES,
    doc: docOf(id, summary),
    async handle(request, session) {
      const role = await grantedRole(parts, request);
      const asked = read(parseJson(request.body));
      const name = asked.name === undefined ? role.name : checkedName(asked.name);
      if (name !== role.name) {
        if (BUILT_IN_ROLES.some((one) => one.id === role.id)) throw httpErrors.roleBuiltIn();
        const changed = await people.changeRole(role.id, { name }, await reservedNames());
        if (changed === "taken") throw httpErrors.scimTaken();
        if (typeof changed === "string" || "confusableWith" in changed) throw errorOf(changed);
        logSecurityEvent(request, "role changed", { principal: session.principal, target: role.id });
      }
      await moveMembers(parts, request, session, role.id, asked);
      return groupAnswer(parts, 200, { ...role, name });
    },
  });
  return {
    url: `${ROOT}/Groups/:id`,
    GET: {
      ...COMMON,
      doc: docOf("scim_read_group", "One role, with who has it"),
      handle: async (request) => groupAnswer(parts, 200, await grantedRole(parts, request)),
    },
    PUT: write("scim_replace_group", "Names a role, and says who has it", readGroup),
    PATCH: write("scim_change_group", "Gives a role to people, or takes it from them", readGroupPatch),
    DELETE: {
      ...COMMON,
      doc: docOf(
        "scim_delete_group",
        "Takes a role from everybody, and deletes it if it allows nothing. One with rights is deleted in Intake alone",
      ),
      async handle(request, session) {
        const role = await grantedRole(parts, request);
        if (role.scope !== "")
          throw httpErrors.forbiddenByRoles(
            "This role has rights that were given in Intake. Delete it there; here it can be taken from people.",
          );
        await moveMembers(parts, request, session, role.id, { members: [], added: [], removed: [] });
        const outcome = await people.deleteRole(role.id);
        if (outcome !== "done") throw errorOf(outcome);
        logSecurityEvent(request, "role deleted", { principal: session.principal, target: role.id });
        return emptyAnswer(204);
      },
    },
  };
}

/** Lists everybody whom the directory has not deleted, in the order in which they came. */
async function knownUsers({ people }: ScimParts): Promise<KnownUser[]> {
  const names = new Map((await people.listDirectoryNames()).map((one) => [one.userId, one]));
  const users = (await people.listUsers()).filter(({ id }) => !names.get(id)?.isGone);
  return users.map((user) => ({ user, externalId: names.get(user.id)?.externalId ?? "" }));
}

async function knownUser(parts: ScimParts, request: FastifyRequest): Promise<KnownUser> {
  const known = (await knownUsers(parts)).find(({ user }) => user.id === idOf(request));
  if (!known) throw httpErrors.notFound("There is no person with this id.");
  return known;
}

/** Finds who has this address and was deleted by the directory before: who comes back has the account of before. */
async function goneUser({ people }: ScimParts, address: string): Promise<StoredUser | undefined> {
  const user = await people.readUserByEmail(address);
  const isGone = (await people.listDirectoryNames()).some((one) => one.userId === user?.id && one.isGone);
  return isGone ? user : undefined;
}

/** Throws 403 for somebody who administers: whoever has disabled them in Intake wants them to administer no more. */
async function requireEnabling({ people }: ScimParts, { roles }: StoredUser): Promise<void> {
  if (isAdministrator(roles, await people.listRoles()))
    throw httpErrors.forbiddenByRoles("The account of somebody who administers is enabled in Intake alone.");
}

/** Roles that a directory may give: those with which nobody gets at the rights of others. */
async function grantedRoles(people: ScimParts["people"]): Promise<StoredRole[]> {
  const all = [...BUILT_IN_ROLES.map((role) => ({ ...role, conditions: "" })), ...(await people.listRoles())];
  return all.filter(({ scope }) => !allows(scope, "admin") && !allows(scope, PROVISION));
}

async function grantedRole({ people }: ScimParts, request: FastifyRequest): Promise<StoredRole> {
  const role = (await grantedRoles(people)).find(({ id }) => id === idOf(request));
  if (!role) throw httpErrors.notFound("There is no role with this id that a directory may give.");
  return role;
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}

const readName = line("The name", MAX_PERSON_NAME);

/** Names and addresses are held to what they are when people enter them. */
function checkedUser({ email: address, name, ...asked }: AskedUser): AskedUser {
  const read = address === undefined ? undefined : email(address);
  if (read && "problem" in read) throw httpErrors.scim("invalidValue", `userName is the address of the person. ${read.problem}`);
  return { ...asked, ...(read && { email: read.value }), ...(name !== undefined && { name: checkedName(name) }) };
}

function checkedName(name: string): string {
  const read = readName(name);
  if ("problem" in read) throw httpErrors.scim("invalidValue", read.problem);
  return read.value;
}

function nameOf({ name }: AskedUser): UserChange {
  return name === undefined ? {} : { name };
}

async function change(
  parts: ScimParts,
  request: FastifyRequest,
  session: Session,
  user: StoredUser,
  asked: UserChange,
): Promise<StoredUser> {
  const changed = await changePerson(parts, request, session, user, asked, { claims: parts.claims });
  if (changed === "stale") throw httpErrors.changedMeanwhile("person");
  return changed;
}

/** Other roles of the people stay, also those that they get at the same moment. Throws 400 when somebody is not known who should come. */
async function moveMembers(
  parts: ScimParts,
  request: FastifyRequest,
  session: Session,
  role: string,
  { members, added, removed }: AskedGroup,
): Promise<void> {
  const users = (await knownUsers(parts)).map(({ user }) => user);
  const [coming, going] = [new Set([...(members ?? []), ...added]), new Set(removed)];
  const unknown = [...coming].find((id) => !going.has(id) && !users.some((user) => user.id === id));
  if (unknown !== undefined) throw httpErrors.scim("invalidValue", "One of the members is not the id of a person.");
  for (const user of users) {
    const isIn = user.roles.includes(role);
    const stays = members ? coming.has(user.id) : isIn || coming.has(user.id);
    if ((stays && !going.has(user.id)) !== isIn) await move(parts, request, session, user.id, role, !isIn);
  }
}

async function move(parts: ScimParts, request: FastifyRequest, session: Session, id: string, role: string, comes: boolean): Promise<void> {
  for (;;) {
    const user = await parts.people.readUser(id);
    if (!user || user.roles.includes(role) === comes) return;
    const roles = comes ? [...user.roles, role] : user.roles.filter((one) => one !== role);
    const changed = await changePerson(parts, request, session, user, { roles }, { allowed: [userTag(user)] });
    if (changed !== "stale") return;
  }
}

async function userAnswer({ people, publicUrl }: ScimParts, status: 200 | 201, known: KnownUser) {
  return scimAnswer(status, toScimUser(known, await grantedRoles(people), publicUrl + ROOT));
}

async function groupAnswer(parts: ScimParts, status: 200 | 201, role: StoredRole) {
  const users = (await knownUsers(parts)).map(({ user }) => user);
  return scimAnswer(status, toScimGroup(role, users, parts.publicUrl + ROOT));
}

function scimAnswer(status: 200 | 201, resource: { meta: { location: string } }) {
  return jsonAnswer(status, resource, {
    ...NO_STORE,
    "content-type": SCIM_TYPE,
    ...(status === 201 && { location: resource.meta.location }),
  });
}

/** Returns one page (RFC 7644 section 3.4.2.4): the first resource has the number 1. */
function listAnswer<T>(request: FastifyRequest, found: readonly T[], toResource: (one: T) => object) {
  const numberOf = (name: string, otherwise: number) => Math.trunc(Number(parameterText(request.query, name) ?? otherwise)) || 0;
  const start = Math.max(1, numberOf("startIndex", 1));
  const count = Math.min(Math.max(0, numberOf("count", MOST_RESOURCES)), MOST_RESOURCES);
  const page = found.slice(start - 1, start - 1 + count);
  const body = {
    schemas: [LIST_SCHEMA],
    totalResults: found.length,
    startIndex: start,
    itemsPerPage: page.length,
    Resources: page.map(toResource),
  };
  return jsonAnswer(200, body, { ...NO_STORE, "content-type": SCIM_TYPE });
}
