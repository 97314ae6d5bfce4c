// What an input of each kind is, wherever a value is entered: in a form, a filter or a change of many.

import type { ComponentProps } from "react";
import type { Kind } from "../../core/dictionary/kinds.ts";
import type { TextFormat } from "../../core/dictionary/text-formats.ts";

export const INPUT_ATTRIBUTES: Record<Kind, Pick<ComponentProps<"input">, "type" | "inputMode" | "step" | "dir">> = {
  string: { type: "text", dir: "auto" },
  integer: { type: "text", inputMode: "numeric" },
  number: { type: "text", inputMode: "decimal" },
  decimal: { type: "text", inputMode: "decimal" },
  boolean: { type: "text" }, // where it is no choice
  date: { type: "date" },
  datetime: { type: "datetime-local", step: 1 },
  // No type "time": it shows the browser's form instead of the reader's, and takes no 1405 and no "2 pm".
  time: { type: "text" },
  year: { type: "text", inputMode: "numeric" },
};

/** The keyboard that a phone shows for a format of text. */
export const KEYBOARDS: Record<TextFormat, "email" | "url" | "tel" | "text"> = {
  email: "email",
  uri: "url",
  phone: "tel",
  multiline: "text",
};
