import type { Field } from "../../../core/dictionary/fields.ts";
import type { Kind } from "../../../core/dictionary/kinds.ts";
import type { TextFormat } from "../../../core/dictionary/text-formats.ts";
import { message, t } from "../../../core/i18n/translate.ts";

const KIND_LABELS: Record<Kind, string> = {
  string: message("Text"),
  integer: message("Whole number"),
  number: message("Number"),
  decimal: message("Exact number"),
  boolean: message("Yes or no"),
  date: message("Date"),
  datetime: message("Date and time"),
  time: message("Time of day"),
  year: message("Year"),
};

const FORMAT_LABELS: Record<TextFormat, string> = {
  email: message("E-mail address"),
  uri: message("Web address"),
  phone: message("Phone number"),
  multiline: message("Text of several lines"),
};

/** Says what sort of value the field holds, for people. */
export function labelOfKind({ kind, format }: Field): string {
  return t(format ? FORMAT_LABELS[format] : KIND_LABELS[kind]);
}
