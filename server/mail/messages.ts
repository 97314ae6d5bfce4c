// The texts of the mails, as plain text and as HTML.

import { oneLine } from "../../core/contract/mail-settings.ts";
import type { NoticeKind } from "../../core/contract/people.ts";
import { LANGUAGES, type Language, openCatalogue } from "../../core/i18n/languages.ts";
import { inCatalogue, t } from "../../core/i18n/translate.ts";

/** `link` is a whole address. `expiresAt` is in ms since 1970. */
export type MailContent =
  | { kind: "invitation"; invitedBy: string; link: string; expiresAt: number }
  | { kind: "new-password"; link: string; expiresAt: number }
  /** Goes to those who decide. Whoever asks wrote all three texts. */
  | { kind: "access-request"; name: string; email: string; message: string; link: string }
  | { kind: "access-approved"; link: string; expiresAt: number }
  /** Goes to whom an account belongs. `at` is in ms since 1970; `name` is a key's or passkey's, and may be empty. */
  | { kind: "security-notice"; what: NoticeKind; at: number; source: string; name: string; link: string };

export interface WrittenMail {
  subject: string;
  text: string;
  html: string;
}

interface Parts {
  /** Never has a text that somebody sent: it is a header, and what the mail program shows first. */
  subject: string;
  before: string[];
  quote?: string;
  button: string;
  after: string[];
}

const LONGEST_MESSAGE = 1_000; // characters of what a stranger wrote

/** Writes a mail in a language. `name`: the reader's, if known. */
export async function writeMail(content: MailContent, name: string, language: Language): Promise<WrittenMail> {
  const catalogue = await openCatalogue(language);
  return inCatalogue(catalogue, () => {
    const parts = partsOf(content, language);
    const greeting = name.trim() === "" ? t("Hello,") : t("Hello {name},", { name: oneLine(name) });
    return { subject: parts.subject, text: toText(greeting, parts, content.link), html: toHtml(greeting, parts, content.link, language) };
  });
}

function partsOf(content: MailContent, language: Language): Parts {
  switch (content.kind) {
    case "invitation":
      return {
        subject: t("You are invited to Intake"),
        before: [
          t("{name} invites you to Intake, where your organisation enters and manages its records.", { name: oneLine(content.invitedBy) }),
        ],
        button: t("Accept the invitation"),
        after: [worksOnce(content.expiresAt, language), t("If you did not expect this, delete this mail. Nothing happens then.")],
      };
    case "new-password":
      return {
        subject: t("Set a new password for Intake"),
        before: [t("With this link you set a new password for Intake.")],
        button: t("Set a new password"),
        after: [worksOnce(content.expiresAt, language), t("If you did not ask for it, delete this mail. Your password stays as it is.")],
      };
    case "access-request":
      return {
        subject: t("Somebody asks for access to Intake"),
        before: [t("{name} ({email}) asks for access to Intake.", { name: oneLine(content.name), email: oneLine(content.email) })],
        quote: content.message.replace(/\r\n?/g, "\n").trim().slice(0, LONGEST_MESSAGE),
        button: t("Decide about the request"),
        after: [t("Nobody has checked the name, the address or the message. Approve only whom you know.")],
      };
    case "access-approved":
      return {
        subject: t("You have access to Intake"),
        before: [t("Your request for access to Intake was approved. One step is left: choose how you sign in.")],
        button: t("Choose how you sign in"),
        after: [worksOnce(content.expiresAt, language)],
      };
    case "security-notice":
      return {
        subject: t("Something about your Intake account has changed"),
        before: [happened(content, language), t("Was it you? Then there is nothing to do.")],
        button: t("Look at your account"),
        after: [t("Was it not you? Change your password at once, and end everything that you do not know. Then tell your administrator.")],
      };
  }
}

/** The address of before is not named: it is the one that the mail goes to. */
function happened({ what, at, source, name }: MailContent & { kind: "security-notice" }, language: Language): string {
  const when = { time: timeIn(at, language), source };
  switch (what) {
    case "key":
      return name === ""
        ? t("A new API key was made for your account on {time} (UTC), from {source}.", when)
        : t("The new API key “{name}” was made for your account on {time} (UTC), from {source}.", { name: oneLine(name), ...when });
    case "passkey":
      return t("The new passkey “{name}” was added to your account on {time} (UTC), from {source}.", { name: oneLine(name), ...when });
    case "password":
      return t("Your password was changed on {time} (UTC), from {source}.", when);
    case "address":
      return t("The e-mail address of your account was changed on {time} (UTC), from {source}. This mail goes to the one before.", when);
    case "device":
      return t("Somebody signed in to your account with a browser that was not used for it before, on {time} (UTC), from {source}.", when);
  }
}

function worksOnce(expiresAt: number, language: Language): string {
  return t("The link works once, until {time} (UTC).", { time: timeIn(expiresAt, language) });
}

/** Uses UTC: the reader's time zone is not known. */
function timeIn(ms: number, language: Language): string {
  const format = new Intl.DateTimeFormat(language === "pseudo" ? "en" : language, {
    dateStyle: "long",
    timeStyle: "short",
    hourCycle: "h23",
    timeZone: "UTC",
  });
  return format.format(ms);
}

function toText(greeting: string, { before, quote, button, after }: Parts, link: string): string {
  const quoted = quote ? [quote.replace(/^/gm, "> ")] : [];
  return `${[greeting, ...before, ...quoted, `${button}:\n${link}`, ...after].join("\n\n")}\n`;
}

function toHtml(greeting: string, { before, quote, button, after }: Parts, link: string, language: Language): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const body = [
    ...[greeting, ...before].map(paragraph),
    ...(quote ? [`<blockquote style="white-space:pre-line">${escapeHtml(quote)}</blockquote>`] : []),
    `<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p>`,
    ...after.map(paragraph),
  ].join("\n");
  const direction = LANGUAGES[language].direction ?? "ltr";
  return `<!doctype html>\n<html lang="${language}" dir="${direction}">\n<body style="font-family:sans-serif;line-height:1.5">\n${body}\n</body>\n</html>\n`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
