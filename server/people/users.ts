// People, for administrators: invite, change, disable, and make new links.

import type { FastifyRequest } from "fastify";
import { DEFAULT_PAGE, MAX_PAGE, MAX_SEARCH } from "../../core/contract/limits.ts";
import { API_ROOT, PASSKEYS_PATH, USERS_PATH } from "../../core/contract/paths.ts";
import { MAX_PERSON_NAME, type NewLink, type UserStatus } from "../../core/contract/people.ts";
import { BUILT_IN_ROLES } from "../../core/contract/roles.ts";
import type { Answer } from "../engine/store.ts";
import { OFFERED_LANGUAGES, preferredLanguage } from "../http/content-negotiation.ts";
import type { Cursors } from "../http/cursor.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, nullable, object, type Schema } from "../http/json-schemas.ts";
import { ifMatchTags } from "../http/preconditions.ts";
import { clampedCount, readParameters, text } from "../http/query-parameters.ts";
import { email, type FieldReader, line, listOfIds, oneWord, optional, readFields } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route } from "../http/route.ts";
import { type AccessParts, KEEP, KEEP_SCHEMA, keepField, logEnded } from "./access.ts";
import { attributesClaimed, attributesField, tooManyAttributes } from "./attributes-field.ts";
import type { Session } from "./auth/access-tokens.ts";
import type { Accounts } from "./auth/accounts.ts";
import { type Notify, newNotice } from "./auth/notices.ts";
import type { CheckProof } from "./auth/proof-check.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import { findUsers } from "./find-users.ts";
import type { SendLink } from "./links.ts";
import { userNotFound, userOf } from "./persons.ts";
import { foldEmail } from "./store/addresses.ts";
import type { People } from "./store/people.ts";
import { type ChangeOptions, type StoredUser, type UserChange, userTag } from "./store/users.ts";
import { toWireUser } from "./wire.ts";

const TEXT: Schema = { type: "string" };
const COUNT: Schema = { type: "integer", minimum: 0 };
const PAGE = { q: text(MAX_SEARCH), limit: clampedCount(MAX_PAGE), cursor: text(4_000) };
const NEW_USER: Schema = {
  ...object(
    {
      email: TEXT,
      name: TEXT,
      roles: listOf(TEXT),
      language: { enum: OFFERED_LANGUAGES, description: "Of the mails; that of Accept-Language unless given." },
    },
    ["email", "name", "roles"],
  ),
  additionalProperties: false,
};
const ATTRIBUTES: Schema = {
  type: "object",
  description: "By name. Those that are not named stay; null or an empty list takes one away.",
  additionalProperties: nullable(listOf(TEXT)),
};
const CHANGE: Schema = {
  ...object(
    { email: TEXT, name: TEXT, roles: listOf(TEXT), status: { enum: ["active", "disabled"] }, attributes: ATTRIBUTES, keep: KEEP_SCHEMA },
    [],
  ),
  additionalProperties: false,
};

export interface UserParts extends AccessParts {
  accounts: Accounts;
  cursors: Cursors;
  sendLink: SendLink;
  checkProof: CheckProof;
  notify: Notify;
  /** Names of the attributes that the organisation's own sign-in says. */
  claims: readonly string[];
}

export function userRoutes(parts: UserParts): Route[] {
  return [usersRoute(parts), userRoute(parts), userLinksRoute(parts), userPasskeysRoute(parts)];
}

function usersRoute({ people, accounts, cursors, sendLink, checkProof }: UserParts): Route {
  return {
    url: API_ROOT + USERS_PATH,
    GET: {
      scope: "admin",
      doc: {
        id: "list_users",
        summary: "A page of people by their names; `q` searches names, addresses and roles, and `total` counts those of all pages",
        parameters: PAGE,
        responses: { 200: object({ users: listOf(named("IntakeUser")), total: COUNT, next: TEXT }, ["users", "total"]) },
      },
      async handle(request) {
        const { q = "", limit = DEFAULT_PAGE, cursor } = readParameters(request.query, PAGE);
        const { users, ...rest } = await findUsers(people, cursors, { q, limit, cursor });
        return jsonAnswer(200, { users: users.map(toWireUser), ...rest }, NO_STORE);
      },
    },
    POST: {
      scope: "admin",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "invite_user",
        summary: "Invites a person: the answer has the one-time link, which is also sent by mail if the service can. It needs a proof",
        body: NEW_USER,
        responses: { 201: object({ user: named("IntakeUser"), link: named("IntakeLink") }) },
        sentHeaders: { 201: ["ETag", "Location"] },
        errors: [409, 422],
      },
      async handle(request, session) {
        const { language = preferredLanguage(request.headers["accept-language"]), ...person } = readFields(request.body, {
          email,
          name: line("name", MAX_PERSON_NAME),
          roles: await rolesReader(people),
          language: optional(oneWord("language", ...OFFERED_LANGUAGES)),
        });
        await checkProof(session);
        const { principal } = session;
        const invited = await accounts.invite({ ...person, ...(language && { language }) });
        if (!invited) throw httpErrors.emailTaken();
        const { user, link } = invited;
        logSecurityEvent(request, "person invited", { principal, target: user.id });
        return invitedAnswer(user, await sendLink("invitation", user, link, principal.name));
      },
    },
  };
}

/** Returns the status that somebody gets: whoever was disabled before they ever came in is invited again. */
export function statusOf({ status, lastSeenAt, password }: StoredUser, asked: "active" | "disabled"): UserStatus {
  const isInvited = status === "invited" || (status === "disabled" && lastSeenAt === null && password === null);
  return asked === "active" && isInvited ? "invited" : asked;
}

/** Changes a person, notes it, and tells them if their address is another one. "stale": the person has none of the ETags that are allowed. */
export async function changePerson(
  { people, notify }: Pick<UserParts, "people" | "notify">,
  request: FastifyRequest,
  { principal }: Session,
  user: StoredUser,
  change: UserChange,
  options: Omit<ChangeOptions, "notice">,
): Promise<StoredUser | "stale"> {
  const notice = newNotice("address", user.id, sourceOf(request.ip), user.email);
  const changed = await people.changeUser(user.id, change, { ...options, notice });
  if (changed === "last") throw httpErrors.lastPersonWhoAdministers();
  if (changed === "taken") throw httpErrors.emailTaken();
  if (changed === "claimed") throw attributesClaimed();
  if (changed === "many") throw tooManyAttributes();
  if (!changed) throw userNotFound();
  if (changed === "stale") return changed;
  logSecurityEvent(request, "person changed", { principal, target: user.id });
  // It goes to the address of before: whoever took the account over reads the new one.
  if (foldEmail(changed.email) !== foldEmail(user.email)) notify(request, user, notice);
  return changed;
}

function userRoute({ people, checkProof, notify, claims }: UserParts): Route {
  return {
    url: `${API_ROOT}${USERS_PATH}/:id`,
    GET: {
      scope: "admin",
      doc: {
        id: "read_user",
        summary: "One person",
        responses: { 200: named("IntakeUser") },
        sentHeaders: { 200: ["ETag"] },
        errors: [404],
      },
      async handle(request) {
        return userAnswer(await userOf(people, request));
      },
    },
    PATCH: {
      scope: "admin",
      acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
      doc: {
        id: "change_user",
        summary:
          "Changes address, name, roles, attributes or status. Who is disabled is signed out everywhere at once, and their API keys and webhooks end but for what is kept; links sent to the address before end. Roles, attributes, an address and enabling need a proof",
        headers: ["If-Match"],
        body: CHANGE,
        responses: { 200: named("IntakeUser") },
        sentHeaders: { 200: ["ETag"] },
        errors: [404, 409, 412, 422],
      },
      async handle(request, session) {
        const given = readFields(request.body, {
          email: optional(email),
          name: optional(line("name", MAX_PERSON_NAME)),
          roles: optional(await rolesReader(people)),
          status: optional(oneWord("status", "active", "disabled")),
          attributes: optional(attributesField),
          keep: keepField,
        });
        // A proof is needed by what is asked for, not by what would change, which could be another thing by then. Disabling waits for nothing.
        if (given.roles || given.attributes || given.email !== undefined || given.status === "active") await checkProof(session);
        const user = await userOf(people, request);
        const { email: address, name, roles, status, attributes, keep } = given;
        const change: UserChange = {
          ...(address !== undefined && { email: address }),
          ...(name !== undefined && { name }),
          ...(roles && { roles }),
          ...(status && { status: statusOf(user, status) }),
          ...(attributes && { attributes }),
        };
        const changed = await changePerson({ people, notify }, request, session, user, change, {
          allowed: ifMatchTags(request),
          keep,
          claims,
        });
        if (changed === "stale") throw httpErrors.changedMeanwhile("person");
        return userAnswer(changed);
      },
    },
  };
}

function userLinksRoute({ people, accounts, sendLink, checkProof }: UserParts): Route {
  return {
    url: `${API_ROOT}${USERS_PATH}/:id/links`,
    POST: {
      scope: "admin",
      doc: {
        id: "create_user_link",
        summary: "A new invitation for somebody invited, or a link that sets a new password; it ends the one before. It needs a proof",
        responses: { 201: named("IntakeLink") },
        errors: [404, 409],
      },
      async handle(request, session) {
        const user = await userOf(people, request);
        await checkProof(session);
        const { principal } = session;
        if (user.status === "disabled") throw httpErrors.userDisabled();
        const purpose = user.status === "invited" ? "invitation" : "password";
        const link = await sendLink(purpose, user, await accounts.renewLink(user), principal.name);
        logSecurityEvent(request, "link made", { principal, target: user.id });
        return jsonAnswer(201, link, NO_STORE);
      },
    },
  };
}

function userAnswer(user: StoredUser): Answer {
  return jsonAnswer(200, toWireUser(user), { ...NO_STORE, etag: userTag(user) });
}

/** Returns the new person and the link, for the administrator who may have to pass it on. */
export function invitedAnswer(user: StoredUser, link: NewLink): Answer {
  const location = `${API_ROOT}${USERS_PATH}/${user.id}`;
  return jsonAnswer(201, { user: toWireUser(user), link }, { ...NO_STORE, location, etag: userTag(user) });
}

function userPasskeysRoute({ people, checkProof }: UserParts): Route {
  return {
    url: `${API_ROOT}${USERS_PATH}/:id${PASSKEYS_PATH}`,
    DELETE: {
      scope: "admin",
      doc: {
        id: "remove_user_passkeys",
        summary:
          "Removes all passkeys of a person, for somebody who has lost a device. Sessions, API keys and webhooks end but for what is kept. It needs a proof",
        parameters: { keep: KEEP },
        responses: { 204: null },
        errors: [404],
      },
      async handle(request, session) {
        const { keep = [] } = readParameters(request.query, { keep: KEEP });
        const { id } = await userOf(people, request);
        await checkProof(session); // without a passkey the account opens with less
        const ended = await people.removePasskeys(id, { ids: keep, hasPasskeys: true }, Date.now());
        logSecurityEvent(request, "passkeys removed", { principal: session.principal, target: id });
        logEnded(request, ended, session);
        return emptyAnswer(204);
      },
    },
  };
}

/** Ids of roles that exist. */
export async function rolesReader(people: People): Promise<FieldReader<string[]>> {
  const known = [...BUILT_IN_ROLES, ...(await people.listRoles())].map(({ id }) => id);
  const read = listOfIds("roles");
  return (given) => {
    const result = read(given);
    const unknown = "value" in result ? result.value.find((id) => !known.includes(id)) : undefined;
    return unknown === undefined ? result : { problem: `There is no role "${unknown}". There are: ${known.join(", ")}.` };
  };
}
