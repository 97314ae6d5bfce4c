import { t, tCode } from "./translate.ts";

// Of a response. The upload worker needs no more: it has its own text for a missing one.
export const responseMessages = {
  problem: (code: string, detail: string, field?: string): string => tCode(code, detail, { field }),
  status: (status: number): string => t("The service answered {status}.", { status }),
};

/** The messages of the REST client's errors, in the language of the app. */
export const translatedMessages = {
  ...responseMessages,
  noReply: (): string => t("The service cannot be reached. Check the connection; nothing you typed is lost."),
};
