// Says what callers may know and change of themselves.

import { API_ROOT, ME_PATH } from "../../core/contract/paths.ts";
import { MAX_PERSON_NAME, type Me, type SessionInfo } from "../../core/contract/people.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object, type Schema } from "../http/json-schemas.ts";
import { line, readFields, text } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route } from "../http/route.ts";
import { type AccessParts, endOwnAccess, KEEP_SCHEMA, keepField, logEnded } from "./access.ts";
import type { Session } from "./auth/access-tokens.ts";
import type { Accounts } from "./auth/accounts.ts";
import { type Guesses, limitOfPerson } from "./auth/guesses.ts";
import type { Notify } from "./auth/notices.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import { personOf } from "./persons.ts";
import type { People } from "./store/people.ts";
import type { StoredSession } from "./store/sessions.ts";
import { allRoles, timeOf } from "./wire.ts";

const TEXT: Schema = { type: "string" };

export interface MeParts extends AccessParts {
  accounts: Accounts;
  guesses: Guesses;
  notify: Notify;
}

export function meRoutes(parts: MeParts): Route[] {
  return [meRoute(parts), passwordRoute(parts), ...ownSessionRoutes(parts)];
}

async function toMe(people: People, { principal, scope, attributes = {}, narrowed, mustAddPasskey = false, viewer }: Session): Promise<Me> {
  const user = principal.type === "user" ? await people.readUser(principal.id) : undefined;
  const roles = user ? (await allRoles(people)).filter(({ id }) => user.roles.includes(id)) : [];
  const who = { principal: { ...principal, ...(user && { name: user.name }) }, email: user?.email ?? null };
  return { ...who, roles, scope, attributes, unexported: [...(narrowed?.unexported ?? [])], mustAddPasskey, ...(viewer && { viewer }) };
}

function meRoute({ people }: MeParts): Route {
  return {
    url: API_ROOT + ME_PATH,
    GET: {
      scope: "signed-in",
      isBeforePasskey: true,
      doc: { id: "me", summary: "Who the caller is, and what they may do", responses: { 200: named("IntakeMe") } },
      async handle(_, session) {
        return jsonAnswer(200, await toMe(people, session), NO_STORE);
      },
    },
    PATCH: {
      scope: "person",
      acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
      doc: {
        id: "change_me",
        summary: "Changes one's own name",
        body: { ...object({ name: TEXT }), additionalProperties: false },
        responses: { 200: named("IntakeMe") },
        errors: [422],
      },
      async handle(request, session) {
        const { id } = await personOf(people, session);
        await people.changeUser(id, readFields(request.body, { name: line("name", MAX_PERSON_NAME) }));
        return jsonAnswer(200, await toMe(people, session), NO_STORE);
      },
    },
  };
}

function passwordRoute({ people, accounts, guesses, isRequired, notify }: MeParts): Route {
  return {
    url: `${API_ROOT}${ME_PATH}/password`,
    PUT: {
      scope: "person",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "change_password",
        summary: "Changes one's own password. Other sessions, API keys, passkeys and webhooks of one's own end but for what is kept",
        body: { ...object({ current: TEXT, password: TEXT, keep: KEEP_SCHEMA }, ["current", "password"]), additionalProperties: false },
        responses: { 204: null },
        errors: [422],
      },
      async handle(request, session) {
        const user = await personOf(people, session);
        const fields = { current: text("current", 1_000), password: text("password", 1_000), keep: keepField };
        const { current, password, keep = [] } = readFields(request.body, fields);
        const kept = { ids: [...keep, session.sessionId ?? ""], hasPasskeys: isRequired };
        const outcome = await guesses.run([limitOfPerson(user.id)], async (rank) => {
          return (await accounts.changePassword(user, current, password, { kept, source: sourceOf(request.ip), rank })) || undefined;
        });
        if (outcome && "ended" in outcome) {
          logSecurityEvent(request, "password changed", { principal: session.principal });
          logEnded(request, outcome.ended, session);
          notify(request, user, outcome.notice);
          return emptyAnswer(204);
        }
        if (outcome) throw httpErrors.validation([{ pointer: "/password", ...outcome }]);
        logSecurityEvent(request, "password change refused", { principal: session.principal });
        throw httpErrors.validation([{ pointer: "/current", code: "WRONG_PASSWORD", detail: "This is not your current password." }]);
      },
    },
  };
}

function ownSessionRoutes(parts: MeParts): Route[] {
  const { people, sessions } = parts;
  return [
    {
      url: `${API_ROOT}${ME_PATH}/sessions`,
      GET: {
        scope: "person",
        doc: {
          id: "list_own_sessions",
          summary: "One's own sessions, the one used last first",
          responses: { 200: object({ sessions: listOf(named("IntakeSessionInfo")) }) },
        },
        async handle(_, session) {
          const { id } = await personOf(people, session);
          const own = await sessions.list(id);
          return jsonAnswer(200, { sessions: own.map((one) => toInfo(one, session)) }, NO_STORE);
        },
      },
      DELETE: endOwnAccess(parts),
    },
    {
      url: `${API_ROOT}${ME_PATH}/sessions/:id`,
      DELETE: {
        scope: "person",
        doc: { id: "end_own_session", summary: "Ends one of one's own sessions", responses: { 204: null }, errors: [404] },
        async handle(request, session) {
          const { id } = await personOf(people, session);
          const target = idOf(request);
          if (!(await sessions.end(target, id))) throw httpErrors.notFound("You have no session with this id.");
          logSecurityEvent(request, "session ended", { principal: session.principal, target });
          return emptyAnswer(204);
        },
      },
    },
  ];
}

function toInfo(session: StoredSession, { sessionId }: Session): SessionInfo {
  const { id, method, agent, source } = session;
  const times = { createdAt: timeOf(session.createdAt), lastSeenAt: timeOf(session.seenAt), expiresAt: timeOf(session.expiresAt) };
  return { id, isCurrent: id === sessionId, method, agent, source, ...times };
}
