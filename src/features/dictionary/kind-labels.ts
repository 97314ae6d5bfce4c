import type { Kind } from "../../../core/dictionary/kinds.ts";
import { message } from "../../../core/i18n/translate.ts";

export const KIND_LABELS: Record<Kind, string> = {
  string: message("Text"),
  integer: message("Whole number"),
  number: message("Number"),
  decimal: message("Exact number"),
  boolean: message("Yes or no"),
  date: message("Date"),
  datetime: message("Date and time"),
};
