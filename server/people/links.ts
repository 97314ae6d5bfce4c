// One-time links: what one is for, and using it up. Open to everybody: the link is the proof.

import type { FastifyRequest } from "fastify";
import { API_ROOT, LINKS_PATH } from "../../core/contract/paths.ts";
import { type LinkInfo, MAX_PERSON_NAME, type NewLink } from "../../core/contract/people.ts";
import { httpErrors } from "../http/errors.ts";
import { named, object, type Schema } from "../http/json-schemas.ts";
import { email, line, optional, readFields, text } from "../http/read-fields.ts";
import { jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { MailContent } from "../mail/messages.ts";
import { type AccessParts, KEEP_SCHEMA, keepField, listEndable, logEnded } from "./access.ts";
import type { Accounts, ShownLink } from "./auth/accounts.ts";
import { type Guesses, limitOfSource } from "./auth/guesses.ts";
import type { Notify } from "./auth/notices.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import { type MailLog, sendMail } from "./send-mail.ts";
import type { StartSession } from "./sessions.ts";
import { SIGN_IN_OPTION_SCHEMAS, SIGN_IN_OPTIONS } from "./sign-in-options.ts";
import type { StoredUser } from "./store/users.ts";
import { timeOf, toLink } from "./wire.ts";

/** Says why somebody gets a link. `approved`: they asked for access. */
export type MailPurpose = "invitation" | "password" | "approved";

/** Sends a link by mail if the service can, in the person's language, and answers it for whoever made it. */
export type SendLink = (purpose: MailPurpose, user: StoredUser, link: ShownLink, by?: string) => Promise<NewLink>;

/** `base`: where people find the app, without a slash at the end; empty if the service does not know. */
export function createSendLink(mailer: Mailer, base: string, log: MailLog): SendLink {
  return async (purpose, { email, name, language }, { code, expiresAt }, by = "") => {
    const link = toLink(code, expiresAt, base, "off");
    if (base === "") return link; // a mail must have the whole address
    const content: Record<MailPurpose, MailContent> = {
      invitation: { kind: "invitation", invitedBy: by, link: link.url, expiresAt },
      password: { kind: "new-password", link: link.url, expiresAt },
      approved: { kind: "access-approved", link: link.url, expiresAt },
    };
    return { ...link, mail: await sendMail(mailer, log, content[purpose], { email, name, language }) };
  };
}

const CODE = text("code", 100);
const TEXT: Schema = { type: "string" };

export interface LinkParts extends AccessParts {
  accounts: Accounts;
  guesses: Guesses;
  startSession: StartSession;
  notify: Notify;
}

export function linkRoutes(parts: LinkParts): Route[] {
  return [
    { url: `${API_ROOT}${LINKS_PATH}/lookup`, POST: lookUpHandler(parts) },
    { url: `${API_ROOT}${LINKS_PATH}/use`, POST: redeemHandler(parts) },
  ];
}

const OPEN = { scope: "open", acceptedTypes: [JSON_TYPE] } as const;

function lookUpHandler(parts: LinkParts): RouteHandler {
  const { accounts, guesses } = parts;
  return {
    ...OPEN,
    doc: {
      id: "look_up_link",
      summary: "What a one-time link is for, and for whom",
      body: { ...object({ code: TEXT }), additionalProperties: false },
      responses: { 200: named("IntakeLinkInfo") },
      errors: [404, 422, 429],
    },
    async handle(request) {
      const { code } = readFields(request.body, { code: CODE });
      const found = await guesses.run([limitOfSource(sourceOf(request.ip))], () => accounts.lookUp(code));
      if (!found) throw refused(request);
      const { link, user } = found;
      const info: LinkInfo = {
        purpose: link.purpose,
        email: user?.email ?? null,
        name: user?.name ?? null,
        expiresAt: timeOf(link.expiresAt),
        access: user && link.purpose === "password" ? await listEndable(parts, user.id) : [],
      };
      return jsonAnswer(200, info, NO_STORE);
    },
  };
}

function redeemHandler({ accounts, guesses, startSession, isRequired, notify }: LinkParts): RouteHandler {
  return {
    ...OPEN,
    doc: {
      id: "use_link",
      summary:
        "Uses a one-time link up: sets the password and signs in. Sessions, API keys, passkeys and webhooks of the person end but for what is kept. A set-up link makes the first administrator",
      body: {
        ...object({ code: TEXT, email: TEXT, name: TEXT, password: TEXT, keep: KEEP_SCHEMA, ...SIGN_IN_OPTION_SCHEMAS }, [
          "code",
          "password",
        ]),
        additionalProperties: false,
      },
      responses: { 201: named("IntakeSession") },
      sentHeaders: { 201: ["Set-Cookie?"] },
      errors: [404, 422, 429],
    },
    async handle(request) {
      const {
        code,
        keep = [],
        cookie,
        browser,
        ...form
      } = readFields(request.body, {
        code: CODE,
        email: optional(email),
        name: optional(line("name", MAX_PERSON_NAME)),
        password: text("password", 1_000),
        keep: keepField,
        ...SIGN_IN_OPTIONS,
      });
      const filled = { password: form.password, email: form.email ?? "", name: form.name ?? "" };
      // Where passkeys are compulsory they stay: without them whoever reads the mail would come in, and add one of their own.
      const change = { kept: { ids: keep, hasPasskeys: isRequired }, source: sourceOf(request.ip) };
      const used = await guesses.run([limitOfSource(change.source)], async (rank) => {
        const found = await accounts.lookUp(code);
        if (found?.link.purpose === "set-up") rejectIncomplete(form);
        return found && accounts.redeemLink(code, filled, { ...change, rank });
      });
      if (!used) throw refused(request);
      if ("detail" in used) throw httpErrors.validation([{ pointer: "/password", ...used }]);
      const principal = { type: "user", id: used.user.id, name: used.user.name } as const;
      logSecurityEvent(request, "password changed", { principal });
      logEnded(request, used.ended, { principal });
      notify(request, used.user, used.notice);
      return startSession(request, used.user, "password", { cookie, browser });
    },
  };
}

function refused(request: FastifyRequest) {
  logSecurityEvent(request, "link refused");
  return httpErrors.linkInvalid();
}

function rejectIncomplete(form: { email: string | undefined; name: string | undefined }): void {
  const missing = (["email", "name"] as const).filter((name) => form[name] === undefined);
  const errors = missing.map((name) => ({ pointer: `/${name}`, code: "REQUIRED", detail: `The first administrator needs ${name}.` }));
  if (errors.length > 0) throw httpErrors.validation(errors);
}
