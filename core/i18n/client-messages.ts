import { t, tCode } from "./translate.ts";

/** The messages of the REST client's errors, in the language of the app. */
export const translatedMessages = {
  problem: (code: string, detail: string, field?: string): string => tCode(code, detail, { field }),
  status: (status: number): string => t("The service answered {status}.", { status }),
  noReply: (): string => t("The service cannot be reached. Check the connection; nothing you typed is lost."),
  wrongService: (address: string): string => t("No Intake service answers at {address}. The address is set in config.json.", { address }),
};
