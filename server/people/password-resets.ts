// Whoever forgot their password asks for a link by mail. Nobody learns from the answer who has an account.

import { API_ROOT, PASSWORD_RESETS_PATH } from "../../core/contract/paths.ts";
import { preferredLanguage } from "../http/content-negotiation.ts";
import { httpErrors } from "../http/errors.ts";
import { object } from "../http/json-schemas.ts";
import { email, readFields } from "../http/read-fields.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { Accounts } from "./auth/accounts.ts";
import { createAttempts } from "./auth/login-attempts.ts";
import { createRateLimiter } from "./auth/rate-limit.ts";
import { logSecurityEvent } from "./auth/security-events.ts";
import { sourceOf } from "./auth/source-address.ts";
import type { SendLink } from "./links.ts";
import { afterAnswer } from "./send-mail.ts";
import { foldEmail } from "./store/addresses.ts";
import { ACCEPTED, ACCEPTED_SCHEMA } from "./wire.ts";

const MAILS_AT_ONCE = 5; // to one address; the last link stays valid, so nobody is locked out by whoever asks in their name
const MAILS_PER_SECOND = 5 / 3_600;

export interface ResetParts {
  accounts: Accounts;
  sendLink: SendLink;
  canMailLinks: boolean;
}

/**
 * The answer waits for the same statements whether somebody has the address (addLinkForEmail), and for no mail. What is not sent
 * because of too many mails depends on the address as it was typed alone.
 */
export function passwordResetRoute({ accounts, sendLink, canMailLinks }: ResetParts): Route {
  const bySource = createAttempts();
  const byAddress = createRateLimiter(MAILS_PER_SECOND, MAILS_AT_ONCE);
  return {
    url: API_ROOT + PASSWORD_RESETS_PATH,
    POST: {
      scope: "open",
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "reset_password",
        summary: "Sends a link for a new password, if somebody has this address",
        body: { ...object({ email: { type: "string" } }), additionalProperties: false },
        responses: { 202: ACCEPTED_SCHEMA },
        errors: [404, 422, 429],
      },
      async handle(request) {
        if (!canMailLinks) throw httpErrors.noMailHere();
        const given = readFields(request.body, { email });
        const wait = bySource.fail([sourceOf(request.ip)]);
        if (wait > 0) throw httpErrors.tooManyFromSource(wait);
        logSecurityEvent(request, "new password asked for");
        if (byAddress.take(foldEmail(given.email)).wait === 0) {
          const reset = await accounts.resetPassword(given.email);
          const language = preferredLanguage(request.headers["accept-language"]) ?? reset?.user.language;
          if (reset && language)
            afterAnswer(request, () =>
              sendLink(reset.user.status === "invited" ? "invitation" : "password", { ...reset.user, language }, reset.link),
            );
        }
        return ACCEPTED;
      },
    },
  };
}
