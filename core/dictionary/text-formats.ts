// Formats of text: what an e-mail address, a web address and a phone number look like, and text of several lines.

import { message } from "../i18n/translate.ts";

/** `email` and `uri` are Table Schema's (Data Package v2, "string"); `phone` and `multiline` are our own. */
export const FORMAT_NAMES = ["email", "uri", "phone", "multiline"] as const;
export type TextFormat = (typeof FORMAT_NAMES)[number];

interface FormatRule {
  /** Says what sort of text it is, for people. */
  title: string;
  /** Says what the value must be, to end the sentence "E-mail must be …". */
  expects: string;
  example: string;
  /** Says whether the text is plausible: whether anybody answers there, nobody can know from the text. */
  accepts(text: string): boolean;
}

export const FORMATS: Record<TextFormat, FormatRule> = {
  email: {
    title: message("E-mail address"),
    expects: message("an e-mail address, such as {example}"),
    example: "name@example.com",
    accepts: isEmail,
  },
  uri: {
    title: message("Web address"),
    expects: message("a web address, such as {example}"),
    example: "https://example.com",
    accepts: isAddress,
  },
  phone: {
    title: message("Phone number"),
    expects: message("a phone number, such as {example}"),
    example: "+49 30 123456",
    accepts: isPhone,
  },
  multiline: { title: message("Text of several lines"), expects: message("text"), example: "", accepts: () => true },
};

const MAILBOX = /^[^\s@<>()[\]\\,;:"]{1,64}$/; // without the quoted forms of RFC 5321, which nobody has on paper
const HOST = /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}-]{2,63}$/u;
const LONGEST_EMAIL = 254; // RFC 5321, errata 1690

/** Takes letters beyond ASCII as well (RFC 6531). */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [mailbox, host] = [text.slice(0, at), text.slice(at + 1)];
  return at > 0 && text.length <= LONGEST_EMAIL && MAILBOX.test(mailbox) && !/^\.|\.\.|\.$/.test(mailbox) && HOST.test(host);
}

// It follows RFC 3986 and 3987: a scheme, and no character that an address may not have.
const ADDRESS = /^([a-z][a-z0-9+.-]*):[^\s<>"{}|\\^`]+$/i;
const WEB = /^https?:\/\/[^\s/?#@]+(?:[/?#]|$)/i;
const SCRIPTS = /^(?:javascript|vbscript|data):/i;

/** Is true of an absolute address of any scheme; of the web, it needs a host and carries no password. Scripts are no addresses. */
function isAddress(text: string): boolean {
  if (!ADDRESS.test(text) || SCRIPTS.test(text)) return false;
  return WEB.test(text) || !/^https?:/i.test(text);
}

const PHONE = /^\+?[\d\s()/.–-]+(?:(?:ext\.?|x|#)\s*\d{1,6})?$/i;

/** Fits a number as people write it, with spaces, brackets, points, slashes and an extension. E.164 has at most 15 digits. */
function isPhone(text: string): boolean {
  if (!PHONE.test(text)) return false;
  const digits = (text.split(/[ex#]/i)[0] ?? "").replace(/\D/g, "").length;
  return digits >= 3 && digits <= 15 + (text.startsWith("00") ? 2 : 0) + (text.includes("(0)") ? 1 : 0);
}
