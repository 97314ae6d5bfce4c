// Keyboards for formats of text, and dates that are pasted into an input in any form.

import type { TextFormat } from "../../core/dictionary/text-formats.ts";
import { t } from "../../core/i18n/translate.ts";
import { localText, withoutHidden } from "./field-text.ts";
import { currentLocale } from "./format.ts";

/** The keyboard that a phone shows for a format of text. */
export const KEYBOARDS: Record<TextFormat, "email" | "url" | "tel" | "text"> = {
  email: "email",
  uri: "url",
  phone: "tel",
  multiline: "text",
};

// At the document, because Firefox sends what is pasted into a date to the element around the input.
if (typeof document !== "undefined") {
  document.addEventListener("paste", (event) => {
    const input = document.activeElement;
    if (input instanceof HTMLInputElement && input.type.startsWith("date")) pasteDate(event, input);
  });
}

/** Browsers take only their own form of a date, and drop any other without a word. */
function pasteDate(event: ClipboardEvent, input: HTMLInputElement): void {
  const isDay = input.type === "date";
  const kind = isDay ? "date" : "datetime";
  const text = withoutHidden({ kind }, event.clipboardData?.getData("text/plain") ?? "").trim();
  if (text === "" || input.readOnly) return;
  event.preventDefault();
  void import("../../pipeline/forms/pasted-date.ts").then(
    ({ readPastedDate }) => {
      const value = readPastedDate(kind, text, currentLocale(), Intl.DateTimeFormat().resolvedOptions().timeZone);
      if (value === undefined)
        return refuse(input, isDay ? t("“{text}” is not a date.", { text }) : t("“{text}” is not a date with a time.", { text }));
      // React hears of a value only if it is set as the browser sets it.
      const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
      setter?.call(input, isDay ? value : localText(value));
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    () => refuse(input, t("“{text}” could not be read. Check the connection and paste it again.", { text })),
  );
}

/** Says it at the input, until something is typed or the input is left. */
function refuse(input: HTMLInputElement, why: string): void {
  input.setCustomValidity(why);
  input.reportValidity();
  for (const type of ["input", "blur"]) input.addEventListener(type, () => input.setCustomValidity(""), { once: true });
}
