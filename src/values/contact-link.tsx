// Links to what a person does with an address or a number: write, open, call.

import type { Field } from "../../core/dictionary/fields.ts";
import { FORMATS, type TextFormat } from "../../core/dictionary/text-formats.ts";
import { message, t } from "../../core/i18n/translate.ts";

interface LinkRule {
  words: string;
  /** Returns undefined where there is nothing to open safely. */
  hrefOf(text: string): string | undefined;
}

const LINKS: Record<TextFormat, LinkRule | undefined> = {
  email: { words: message("Write e-mail"), hrefOf: (text) => `mailto:${encodeURIComponent(text).replaceAll("%40", "@")}` },
  uri: { words: message("Open page"), hrefOf: (text) => (/^https?:\/\//i.test(text) ? text : undefined) },
  phone: { words: message("Call"), hrefOf: telephone },
  multiline: undefined,
};

/** Returns the address for mailto:, tel: or the web; undefined for other fields, and for text that is none. */
export function hrefOf({ format }: Field, text: string): string | undefined {
  return format && FORMATS[format].accepts(text.trim()) ? LINKS[format]?.hrefOf(text.trim()) : undefined;
}

/** RFC 3966. The zero in "+49 (0) 30" is dialled only within the country. */
function telephone(text: string): string {
  const [number = "", extension = ""] = text.replace(/^(\+.*?)\(0\)/, "$1").split(/(?:ext\.?|x|#)/i);
  const digits = number.replace(/[^\d+]/g, "");
  return `tel:${digits}${extension.trim() && `;ext=${extension.trim()}`}`;
}

export interface ContactLinkProps {
  field: Field;
  text: string;
  /** Is shown instead of "Call" and the like. */
  children?: React.ReactNode;
}

/** Draws nothing where the text is no address or number. */
export function ContactLink({ field, text, children }: ContactLinkProps) {
  const href = hrefOf(field, text);
  const words = field.format && LINKS[field.format]?.words;
  if (href === undefined || words === undefined) return children;
  const isPage = field.format === "uri";
  return (
    <a
      href={href}
      {...(isPage && { target: "_blank", rel: "noopener noreferrer" })}
      aria-label={children ? undefined : `${t(words)}: ${text}`}
    >
      {children ?? t(words)}
    </a>
  );
}
