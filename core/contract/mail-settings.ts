// Reads SMTP_URL and MAIL_FROM, for the service and for the command.

import { isUnencrypted } from "./unencrypted.ts";

export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise by STARTTLS. */
  secure: boolean;
  /** Is true if nothing is sent before STARTTLS. Without it STARTTLS is used where the server offers it. */
  requireTLS: boolean;
  auth?: { user: string; pass: string };
  from: { name: string; address: string };
}

/** A setting cannot be used; the message is a sentence for whoever set it. It never has the password. */
export class InvalidMailSettings extends Error {}

const SUBMISSION_PORT = 587; // RFC 6409
const SUBMISSIONS_PORT = 465; // RFC 8314
/** RFC 3986, section 3.2. This package has no URL: it runs in browsers and in Node, and knows the globals of neither. */
const SERVER = /^(smtps?):\/\/(?:([^:/?#]*)(?::([^/?#]*))?@)?([^\s:/?#@[\]]+|\[[\da-f:.]+\])(?::(\d{1,5}))?\/?$/i;
const NAMED = /^(?:"?([^"<>]*?)"?\s*<)?([^<>]+?)>?$/;

/**
 * Reads the mail server of `smtp://user:password@host:port` or `smtps://…`; undefined without a URL: then no mail is sent. Throws
 * InvalidMailSettings. `from`: "intake@example.org" or "Intake <intake@example.org>".
 */
export function readMailSettings(url: string | undefined, from: string | undefined): MailSettings | undefined {
  if (!url) return undefined;
  if (!/^smtps?:\/\//i.test(url.trim()))
    throw new InvalidMailSettings("SMTP_URL must begin with smtp:// or smtps://, as in smtp://user:password@host:port");
  const [, protocol = "", username = "", password = "", hostname = "", port] = SERVER.exec(url.trim()) ?? [];
  if (hostname === "" || Number(port ?? 0) > 65_535)
    throw new InvalidMailSettings("SMTP_URL must name a mail server and nothing behind it: smtp://user:password@host:port");
  const [, name = "", address = ""] = NAMED.exec(from?.trim() ?? "") ?? [];
  if (!isMailAddress(address))
    throw new InvalidMailSettings(
      'With SMTP_URL, MAIL_FROM must be the sender\'s address: "intake@example.org" or "Intake <intake@example.org>".',
    );
  const secure = protocol.toLowerCase() === "smtps";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT)),
    secure,
    requireTLS: !secure && username !== "" && isUnencrypted(`http://${hostname}`), // a password goes over no network in the clear
    ...(username !== "" && { auth: { user: decode(username), pass: decode(password) } }),
    from: { name: oneLine(name), address },
  };
}

const CONNECT_WITHIN = 5_000; // ms, to look up the name, connect and be greeted
const SILENT_FOR = 10_000; // ms without a byte

/** Returns nodemailer's options: the server, how long it may take, and that no mail may name a file or an address to be fetched. */
export function transportOptions({ from: _, ...server }: MailSettings) {
  return {
    ...server,
    connectionTimeout: CONNECT_WITHIN,
    greetingTimeout: CONNECT_WITHIN,
    dnsTimeout: CONNECT_WITHIN,
    socketTimeout: SILENT_FOR,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Is true of one address, in a form that ends neither its header nor its SMTP command. Whether it exists only the mail server knows. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@<>()[\],;:"\\]+@[^\s\p{Cc}@<>()[\],;:"\\]+$/u.test(text);
}

/** Returns the text without line breaks and other control characters, and not longer than a name needs. */
export function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, 100);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidMailSettings(
      "SMTP_URL has a % in its user name or password that is not followed by two digits of base 16. Write %25 for it.",
    );
  }
}
