// Sends mails by the mail server of SMTP_URL. No failure of it fails the request that sends a mail.

import { isMailAddress, type MailSettings, oneLine, transportOptions } from "../../core/contract/mail-settings.ts";
import type { Language } from "../../core/i18n/languages.ts";
import { createQueue, QueueFull } from "../people/auth/bounded-queue.ts";
import { type MailContent, writeMail } from "./messages.ts";

export interface Recipient {
  email: string;
  /** Is empty if not known. */
  name: string;
  language: Language;
}

/** `reason` is a sentence for whoever wanted to send it. `cause` is for the log: codes alone, no address and no text of the server. */
export type Sent = { sent: true } | { sent: false; code: MailFailure; reason: string; cause?: string };

export interface Mailer {
  /** Says whether there is a mail server at all. */
  isSetUp: boolean;
  /** Sends a mail, and never throws for what the mail server does. Answers when the server has taken the mail, within 15 s. */
  send(content: MailContent, to: Recipient): Promise<Sent>;
}

type MailFailure = keyof typeof REASONS;
const REASONS = {
  MAIL_NOT_SET_UP: "No mail was sent, because no mail server is set up (SMTP_URL).",
  MAIL_BAD_ADDRESS: "No mail was sent, because this is not a mail address.",
  MAIL_BUSY: "No mail was sent, because too many are on their way already.",
  MAIL_UNREACHABLE: "No mail was sent, because the mail server cannot be reached.",
  MAIL_TOO_SLOW: "The mail server did not answer in time, so it is not known whether the mail was sent.",
  MAIL_TLS: "No mail was sent, because the connection to the mail server could not be encrypted.",
  MAIL_SIGN_IN: "No mail was sent, because the mail server refused our user name and password.",
  MAIL_ADDRESS_REFUSED: "No mail was sent, because the mail server refused the sender's or the recipient's address.",
  MAIL_REFUSED: "No mail was sent, because the mail server refused it.",
};

const SEND_WITHIN = 15_000; // ms for all of it; less than HANDLING_SECONDS, so that the request is still answered
const AT_ONCE = 4; // connections
const MOST_WAITING = 100; // mails

/**
 * Without settings every mail is answered with MAIL_NOT_SET_UP. `trustedCertificates` (PEM) stand in for the usual authorities, and
 * `sendWithin` (ms) for the usual limit: both for tests.
 */
export function createMailer(
  settings: MailSettings | undefined,
  { trustedCertificates, sendWithin = SEND_WITHIN }: { trustedCertificates?: string; sendWithin?: number } = {},
): Mailer {
  const inTurn = createQueue(AT_ONCE, MOST_WAITING);

  async function submit(settings: MailSettings, content: MailContent, { email, name, language }: Recipient): Promise<void> {
    const { createTransport } = await import("nodemailer"); // not loaded by a service that sends none
    const transport = createTransport({
      ...transportOptions(settings),
      ...(trustedCertificates !== undefined && { tls: { ca: trustedCertificates } }),
    });
    await transport.sendMail({
      ...(await writeMail(content, name, language)),
      from: settings.from,
      to: { name: oneLine(name), address: email },
      xMailer: false,
      headers: { "Auto-Submitted": "auto-generated" }, // RFC 3834: no out-of-office reply comes back
      signal: AbortSignal.timeout(sendWithin),
    });
  }

  return {
    isSetUp: settings !== undefined,
    async send(content, to) {
      if (!settings) return notSent("MAIL_NOT_SET_UP");
      if (!isMailAddress(to.email)) return notSent("MAIL_BAD_ADDRESS");
      try {
        await inTurn(() => submit(settings, content, to));
        return { sent: true };
      } catch (error) {
        return notSent(classify(error), causeOf(error));
      }
    },
  };
}

function notSent(code: MailFailure, cause?: string): Sent {
  return { sent: false, code, reason: REASONS[code], ...(cause && { cause }) };
}

/** Says what nodemailer calls the failures of a mail server. An error without a code is a bug and is thrown. */
const FAILURES: Record<string, MailFailure> = {
  ECONNECTION: "MAIL_UNREACHABLE",
  ESOCKET: "MAIL_UNREACHABLE",
  EDNS: "MAIL_UNREACHABLE",
  EPROXY: "MAIL_UNREACHABLE",
  ETIMEDOUT: "MAIL_TOO_SLOW",
  EABORT: "MAIL_TOO_SLOW",
  ETLS: "MAIL_TLS",
  EAUTH: "MAIL_SIGN_IN",
  ENOAUTH: "MAIL_SIGN_IN",
  EENVELOPE: "MAIL_ADDRESS_REFUSED",
};

/** Is nodemailer's kind of error: `originalCode` is what Node said of the socket. */
interface MailError {
  code?: unknown;
  originalCode?: string;
  responseCode?: number;
}

function classify(error: unknown): MailFailure {
  if (error instanceof QueueFull) return "MAIL_BUSY";
  const { code, originalCode } = error as MailError;
  if (typeof code !== "string") throw error;
  if (code === "ESOCKET" && originalCode && !isSystemError(originalCode)) return "MAIL_TLS"; // such as DEPTH_ZERO_SELF_SIGNED_CERT
  return FAILURES[code] ?? "MAIL_REFUSED";
}

/** Is true of codes such as ECONNREFUSED. OpenSSL's own errors come as EPROTO. */
function isSystemError(code: string): boolean {
  return /^E[A-Z]+$/.test(code) && code !== "EPROTO";
}

function causeOf(error: unknown): string {
  const { code, originalCode, responseCode } = error as MailError;
  return [code, originalCode, responseCode].filter((part) => part !== undefined).join(" ");
}
