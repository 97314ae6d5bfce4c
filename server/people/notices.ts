// Tells people about their own accounts: by mail, and in the app until they dismiss it.

import { API_ROOT, ME_PATH, NOTICES_PATH } from "../../core/contract/paths.ts";
import type { SecurityNotice } from "../../core/contract/people.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Notify } from "./auth/notices.ts";
import { personOf } from "./persons.ts";
import { afterAnswer, type MailLog, sendMail } from "./send-mail.ts";
import type { StoredNotice } from "./store/notices.ts";
import type { People } from "./store/people.ts";
import { timeOf } from "./wire.ts";

/** `base`: where people find the app; without it nothing is sent, as with links. */
export function createNotify(mailer: Mailer, base: string, log: MailLog): Notify {
  return (request, to, notice) => {
    if (!notice || base === "" || !mailer.isSetUp) return;
    const { kind, at, source, name } = notice;
    const content = { kind: "security-notice", what: kind, at, source, name, link: `${base}/settings/account` } as const;
    afterAnswer(request, () => sendMail(mailer, log, content, to));
  };
}

export function noticeRoutes(people: People): Route[] {
  return [
    {
      url: `${API_ROOT}${ME_PATH}${NOTICES_PATH}`,
      GET: {
        scope: "person",
        doc: {
          id: "list_notices",
          summary: "What happened to one's own account that one may not have done oneself, the latest first, until it is dismissed",
          responses: { 200: object({ notices: listOf(named("IntakeNotice")) }) },
        },
        async handle(_, session) {
          const { id } = await personOf(people, session);
          return jsonAnswer(200, { notices: (await people.listNotices(id)).map(toWire) }, NO_STORE);
        },
      },
    },
    {
      url: `${API_ROOT}${ME_PATH}${NOTICES_PATH}/:id`,
      DELETE: {
        scope: "person",
        doc: { id: "dismiss_notice", summary: "Dismisses a notice", responses: { 204: null }, errors: [404] },
        async handle(request, session) {
          const { id } = await personOf(people, session);
          if (!(await people.dismissNotice(idOf(request), id))) throw httpErrors.notFound("You have no notice with this id.");
          return emptyAnswer(204);
        },
      },
    },
  ];
}

function toWire({ id, kind, at, source, name }: StoredNotice): SecurityNotice {
  return { id, kind, at: timeOf(at), source, name };
}
