import { t, tCode } from "./translate.ts";

// These are the texts about a response. The upload worker needs no more: it has its own text for a missing one.
export const responseMessages = {
  // The service's sentence about a missing right names a scope, which only programs know.
  problem: (code: string, detail: string, field?: string): string =>
    code === "INSUFFICIENT_SCOPE"
      ? t("You do not have the right to do this. Ask an administrator if you need it.")
      : tCode(code, detail, { field, name: quotedIn(detail) }),
  status: (status: number): string => t("The service answered {status}.", { status }),
};

/** Returns the name that the service's sentence quotes, for a translation that quotes it, too. */
function quotedIn(detail: string): string | undefined {
  return /“(.*)”/s.exec(detail)?.[1];
}

/** The messages of the REST client's errors, in the language of the app. */
export const translatedMessages = {
  ...responseMessages,
  noReply: (): string => t("The service cannot be reached. Check the connection; nothing you typed is lost."),
};
