// Asking for access, and deciding about it. SIGN_UP says whether people may ask, and whether somebody decides.

import { ACCESS_REQUESTS_PATH, API_ROOT } from "../../core/contract/paths.ts";
import { type AccessRequest, MAX_ACCESS_MESSAGE, MAX_PERSON_NAME, type SignUp } from "../../core/contract/people.ts";
import { isAdministrator } from "../../core/contract/roles.ts";
import { SOURCE_LANGUAGE } from "../../core/i18n/translate.ts";
import { preferredLanguage } from "../http/content-negotiation.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object, type Schema } from "../http/json-schemas.ts";
import { email, line, lines, optional, readFields } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { Mailer } from "../mail/mailer.ts";
import { createAttempts } from "./auth/login-attempts.ts";
import { randomId } from "./auth/random-codes.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import { afterAnswer, type MailLog, sendMail } from "./send-mail.ts";
import type { StoredAccessRequest } from "./store/access-requests.ts";
import type { StoredUser } from "./store/users.ts";
import { invitedAnswer, rolesReader, type UserParts } from "./users.ts";
import { ACCEPTED, ACCEPTED_SCHEMA, timeOf } from "./wire.ts";

const MOST_WAITING = 1_000; // requests; beyond that new ones are answered alike, but not stored
const KEPT_FOR = 30 * 86_400_000; // ms
const NOTICE_EVERY = 3_600_000; // ms between two mails to administrators
const OPEN_ROLES = ["viewer"];
const TEXT: Schema = { type: "string" };

export interface AccessRequestParts extends UserParts {
  signUp: SignUp;
  /** Tells an administrator of a request. */
  sendNotice: SendNotice;
}

type SendNotice = (asked: StoredAccessRequest, to: StoredUser) => Promise<unknown>;

/** `base`: where people find the app; without it nothing is sent, as with links. */
export function createSendNotice(mailer: Mailer, base: string, log: MailLog): SendNotice {
  return async ({ name, email, message }, to) => {
    if (base === "") return;
    await sendMail(mailer, log, { kind: "access-request", name, email, message, link: `${base}/settings/requests` }, to);
  };
}

export function accessRequestRoutes(parts: AccessRequestParts): Route[] {
  return [requestsRoute(parts), approvalRoute(parts), requestRoute(parts)];
}

function toWire({ id, email, name, message, askedAt, hasAccount }: StoredAccessRequest): AccessRequest {
  return { id, email, name, message, askedAt: timeOf(askedAt), hasAccount };
}

function requestsRoute(parts: AccessRequestParts): Route {
  const { people, signUp } = parts;
  const bySource = createAttempts();
  return {
    url: API_ROOT + ACCESS_REQUESTS_PATH,
    GET: {
      scope: "admin",
      doc: {
        id: "list_access_requests",
        summary: "Everybody who asked for access and waits, the one who waits longest first",
        responses: { 200: object({ accessRequests: listOf(named("IntakeAccessRequest")) }) },
      },
      async handle() {
        return jsonAnswer(200, { accessRequests: (await people.listAccessRequests()).map(toWire) }, NO_STORE);
      },
    },
    POST: {
      scope: "open",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "request_access",
        summary: "Asks for access; a second request from one address takes the place of the first",
        body: { ...object({ email: TEXT, name: TEXT, message: TEXT }, ["email", "name"]), additionalProperties: false },
        responses: { 202: ACCEPTED_SCHEMA },
        errors: [404, 422, 429],
      },
      async handle(request) {
        if (signUp === "invite") throw httpErrors.signUpClosed();
        const { message = "", ...person } = readFields(request.body, {
          email,
          name: line("name", MAX_PERSON_NAME),
          message: optional(lines("message", MAX_ACCESS_MESSAGE)),
        });
        const wait = bySource.fail([sourceOf(request.ip)]);
        if (wait > 0) throw httpErrors.tooManyFromSource(wait);
        const language = preferredLanguage(request.headers["accept-language"]) ?? SOURCE_LANGUAGE;
        const now = Date.now();
        const asked: StoredAccessRequest = { id: randomId(), ...person, message, language, askedAt: now, hasAccount: false };
        const isStored = await people.addAccessRequest(asked, MOST_WAITING, now - KEPT_FOR);
        logSecurityEvent(request, isStored ? "access asked for" : "access request dropped");
        if (isStored) afterAnswer(request, () => (signUp === "open" ? openAccount(parts, asked) : mailAdministrators(parts, asked)));
        return ACCEPTED;
      },
    },
  };
}

/** Runs with SIGN_UP=open. Whoever has an account already gets a link for it, so that only the owner of the address learns of it. */
async function openAccount({ accounts, people, sendLink }: AccessRequestParts, { id, email }: StoredAccessRequest): Promise<void> {
  const approved = await accounts.approve(id, OPEN_ROLES);
  if (typeof approved === "object") return void (await sendLink("approved", approved.user, approved.link));
  await people.deleteAccessRequest(id);
  const known = await accounts.resetPassword(email);
  if (known) await sendLink(known.user.status === "invited" ? "approved" : "password", known.user, known.link);
}

async function mailAdministrators({ people, sendNotice }: AccessRequestParts, asked: StoredAccessRequest): Promise<void> {
  if (!(await people.claimRequestNotice(Date.now(), NOTICE_EVERY))) return;
  const custom = await people.listRoles();
  const administrators = (await people.listUsers()).filter(({ status, roles }) => status === "active" && isAdministrator(roles, custom));
  for (const user of administrators) await sendNotice(asked, user);
}

function approvalRoute({ people, accounts, sendLink, checkProof }: AccessRequestParts): Route {
  return {
    url: `${API_ROOT}${ACCESS_REQUESTS_PATH}/:id/approve`,
    POST: {
      scope: "admin",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "approve_access_request",
        summary:
          "Makes the account of whoever asked: the answer has the one-time link, which is also sent by mail if the service can. It needs a proof",
        body: { ...object({ roles: listOf(TEXT) }), additionalProperties: false },
        responses: { 201: object({ user: named("IntakeUser"), link: named("IntakeLink") }) },
        sentHeaders: { 201: ["ETag", "Location"] },
        errors: [404, 409, 422],
      },
      async handle(request, session) {
        const { roles } = readFields(request.body, { roles: await rolesReader(people) });
        await checkProof(session);
        const { principal } = session;
        const approved = await accounts.approve(idOf(request), roles);
        if (!approved) throw noSuchRequest();
        if (approved === "taken") throw httpErrors.emailTaken();
        const { user, link } = approved;
        logSecurityEvent(request, "access approved", { principal, target: user.id });
        return invitedAnswer(user, await sendLink("approved", user, link));
      },
    },
  };
}

function requestRoute({ people }: AccessRequestParts): Route {
  return {
    url: `${API_ROOT}${ACCESS_REQUESTS_PATH}/:id`,
    DELETE: {
      scope: "admin",
      doc: { id: "decline_access_request", summary: "Declines a request; nobody is told", responses: { 204: null }, errors: [404] },
      async handle(request, { principal }) {
        const id = idOf(request);
        if (!(await people.deleteAccessRequest(id))) throw noSuchRequest();
        logSecurityEvent(request, "access declined", { principal, target: id });
        return emptyAnswer(204);
      },
    },
  };
}

function noSuchRequest() {
  return httpErrors.notFound("There is no such request any more: it was decided, or asked anew with other words. Read the list again.");
}
