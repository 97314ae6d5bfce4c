import type { TextFormat } from "../../core/dictionary/text-formats.ts";

/** The keyboard that a phone shows for a format of text. */
export const KEYBOARDS: Record<TextFormat, "email" | "url" | "tel" | "text"> = {
  email: "email",
  uri: "url",
  phone: "tel",
  multiline: "text",
};
