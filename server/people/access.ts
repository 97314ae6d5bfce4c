// All that gives a person access besides the password: seeing it, and ending it everywhere.

import type { FastifyRequest } from "fastify";
import { ACCESS_PATH, API_ROOT, ME_PATH, SESSIONS_PATH, USERS_PATH, VIEW_PATH } from "../../core/contract/paths.ts";
import type { LastingAccess } from "../../core/contract/people.ts";
import { isAdministrator } from "../../core/contract/roles.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object, type Schema } from "../http/json-schemas.ts";
import { type Parameter, readParameters } from "../http/query-parameters.ts";
import { listOfIds, optional } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { Route, RouteHandler } from "../http/route.ts";
import type { Session } from "./auth/access-tokens.ts";
import { logSecurityEvent, type SecurityEvent } from "./auth/security-events.ts";
import type { Sessions } from "./auth/sessions.ts";
import { personOf, userOf } from "./persons.ts";
import type { EndedAccess, StoredAccess } from "./store/access.ts";
import type { People } from "./store/people.ts";
import { timeOf, timeOrNull } from "./wire.ts";

export interface AccessParts {
  people: People;
  sessions: Sessions;
  /**
   * REQUIRE_PASSKEY. Passkeys end there one by one alone, by their owner or an administrator: a person without one comes in by the
   * password, and whoever has that could then add a passkey of their own.
   */
  isRequired: boolean;
}

const TEXT: Schema = { type: "string" };
const MOST_KEPT = 100; // ids
const KEPT = "Ids of what does not end, from the list of what gives access. All else ends.";

/** The field `keep` of a body. */
export const keepField = optional(listOfIds("keep"));
export const KEEP_SCHEMA: Schema = { ...listOf({ type: "string" }), description: KEPT };

/** The parameter `keep`, where there is no body. */
export const KEEP: Parameter<string[]> = {
  meaning: KEPT,
  expects: `up to ${MOST_KEPT} ids with commas between`,
  schema: { type: "array", items: { type: "string" }, maxItems: MOST_KEPT },
  read(given) {
    const ids = given === "" ? [] : given.split(",");
    return ids.length <= MOST_KEPT && ids.every((id) => /^[\w-]{1,64}$/.test(id)) ? ids : undefined;
  },
};

export const LISTED: Schema = object({ access: listOf(named("IntakeAccess")) });

export function toWireAccess({ createdAt, lastUsedAt, ...access }: StoredAccess): LastingAccess {
  return { ...access, createdAt: timeOf(createdAt), lastUsedAt: timeOrNull(lastUsedAt) };
}

/** Returns what ends unless it is kept: all but the session that asks, and the passkeys where those stay. */
export async function listEndable({ people, sessions, isRequired }: AccessParts, userId: string, own?: string): Promise<LastingAccess[]> {
  const access = await people.listAccess(userId, Date.now(), sessions.idleMs);
  return access.filter(({ kind, id }) => id !== own && !(isRequired && kind === "passkey")).map(toWireAccess);
}

const EVENTS: Record<StoredAccess["kind"], SecurityEvent> = {
  session: "session ended",
  key: "key revoked",
  passkey: "passkey removed",
  webhook: "webhook switched off",
};

/** Writes one line for each thing that has ended. */
export function logEnded(request: FastifyRequest, ended: EndedAccess, { principal }: Pick<Session, "principal">): void {
  for (const { kind, id } of ended) logSecurityEvent(request, EVENTS[kind], { principal, target: id });
}

export function accessRoutes(parts: AccessParts): Route[] {
  const { people } = parts;
  return [
    {
      url: `${API_ROOT}${ME_PATH}${ACCESS_PATH}`,
      GET: {
        scope: "person",
        doc: {
          id: "list_own_access",
          summary: "What else gives access to one's account besides this session: it ends with a new password and the like, unless kept",
          responses: { 200: LISTED },
        },
        async handle(_, session) {
          const { id } = await personOf(people, session);
          return jsonAnswer(200, { access: await listEndable(parts, id, session.sessionId) }, NO_STORE);
        },
      },
    },
    {
      url: `${API_ROOT}${USERS_PATH}/:id${ACCESS_PATH}`,
      GET: {
        scope: "admin",
        doc: { id: "list_user_access", summary: "What gives access to a person's account", responses: { 200: LISTED }, errors: [404] },
        async handle(request) {
          const { id } = await userOf(people, request);
          return jsonAnswer(200, { access: await listEndable(parts, id) }, NO_STORE);
        },
      },
    },
    { url: `${API_ROOT}${USERS_PATH}/:id${SESSIONS_PATH}`, DELETE: endUserAccess(parts) },
    { url: `${API_ROOT}${USERS_PATH}/:id${VIEW_PATH}`, POST: viewAsUser(parts) },
  ];
}

/** The token reads what the person reads, and nothing is changed with it. Nobody looks as an administrator, who sees all there is. */
function viewAsUser({ people, sessions }: AccessParts): RouteHandler {
  return {
    scope: "admin",
    doc: {
      id: "view_as_user",
      summary:
        "A token with which an administrator looks at the app as this person, without changing anything; its beginning and its end are logged",
      responses: { 201: object({ access_token: TEXT, token_type: { const: "Bearer" }, expires_in: { type: "integer" } }) },
      errors: [404],
    },
    async handle(request, session) {
      const user = await userOf(people, request);
      if (session.sessionId === undefined) throw httpErrors.notAPerson();
      if (isAdministrator(user.roles, await people.listRoles()))
        throw httpErrors.forbiddenByRoles("An administrator sees everything, as you do: there is nothing to look at.");
      const begun = await sessions.view(session.sessionId, user.id);
      if (!begun) throw httpErrors.invalidToken();
      logSecurityEvent(request, "view begun", { principal: session.principal, target: user.id });
      return jsonAnswer(201, { access_token: begun.token, token_type: "Bearer", expires_in: begun.seconds }, NO_STORE);
    },
  };
}

/** Ending is never made harder by a proof: it takes access away, and can be made good. */
export function endOwnAccess({ people, isRequired }: AccessParts): RouteHandler {
  return {
    scope: "person",
    doc: {
      id: "end_other_sessions",
      summary: "Signs oneself out everywhere else: other sessions, API keys, passkeys and webhooks end but for what is kept",
      parameters: { keep: KEEP },
      responses: { 204: null },
    },
    async handle(request, session) {
      const { keep = [] } = readParameters(request.query, { keep: KEEP });
      const { id } = await personOf(people, session);
      const ids = [...keep, session.sessionId ?? ""];
      logEnded(request, await people.endAllAccess(id, { ids, hasPasskeys: isRequired }, Date.now()), session);
      return emptyAnswer(204);
    },
  };
}

function endUserAccess({ people, isRequired }: AccessParts): RouteHandler {
  return {
    scope: "admin",
    doc: {
      id: "end_user_sessions",
      summary: "Signs a person out everywhere: sessions, API keys, passkeys and webhooks end but for what is kept",
      parameters: { keep: KEEP },
      responses: { 204: null },
      errors: [404],
    },
    async handle(request, session) {
      const { keep = [] } = readParameters(request.query, { keep: KEEP });
      const { id } = await userOf(people, request);
      const ended = await people.endAllAccess(id, { ids: keep, hasPasskeys: isRequired }, Date.now());
      logSecurityEvent(request, "sessions ended", { principal: session.principal, target: id });
      logEnded(request, ended, session);
      return emptyAnswer(204);
    },
  };
}
