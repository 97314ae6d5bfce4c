import type { OidcError } from "../../../core/contract/people.ts";
import { message, t } from "../../../core/i18n/translate.ts";

const SENTENCES: Record<OidcError, string> = {
  not_set_up: message("This service is not connected with the sign-in of your organisation. Sign in another way."),
  unreachable: message("The sign-in of your organisation cannot be reached just now. Try again in a minute, or sign in another way."),
  expired: message("This sign-in took too long, was used already, or was begun in another browser. Begin again."),
  cancelled: message("The sign-in was cancelled."),
  not_verified: message("The answer of your organisation’s sign-in could not be verified. If it happens again, tell your administrator."),
  no_email: message("Your organisation’s sign-in names no verified e-mail address for you. Tell your administrator."),
  no_access: message("You are known to your organisation’s sign-in, but have no access here. Ask an administrator."),
};

/** Says why nobody was signed in, and what to do. */
export function oidcSentence(error: OidcError): string {
  return t(SENTENCES[error]);
}
