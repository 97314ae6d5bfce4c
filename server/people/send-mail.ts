import type { Mailer, Recipient } from "../mail/mailer.ts";
import type { MailContent } from "../mail/messages.ts";
import type { NoticedRequest } from "./auth/notices.ts";

/**
 * Does what no answer waits for, so that its time tells nothing about who has an account. A failure is logged under the request's id.
 */
export function afterAnswer(request: NoticedRequest, work: () => Promise<unknown>): void {
  void work().catch((error: unknown) => request.log.error({ err: error, requestId: request.id }, "work after the answer failed"));
}

/** Says what is logged of a mail that was not sent: codes alone. */
export interface MailLog {
  warn(fields: object, message: string): void;
}

/** Sends a mail and logs why it could not. Answers whether it was sent; `off` without a mail server. */
export async function sendMail(mailer: Mailer, log: MailLog, content: MailContent, to: Recipient): Promise<"sent" | "failed" | "off"> {
  const sent = await mailer.send(content, to);
  if (sent.sent) return "sent";
  if (sent.code === "MAIL_NOT_SET_UP") return "off";
  log.warn({ kind: content.kind, code: sent.code, cause: sent.cause }, "mail not sent");
  return "failed";
}
