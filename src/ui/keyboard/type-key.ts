import { isText } from "./shortcuts.ts";

/** Does what the browser does for a key that somebody presses: a made event alone types nothing. */
export function typeKey(event: KeyboardEvent): void {
  const at = document.activeElement ?? document.body;
  const { key, code, repeat, ctrlKey, altKey, shiftKey, metaKey } = event;
  const made = new KeyboardEvent("keydown", { key, code, repeat, ctrlKey, altKey, shiftKey, metaKey, bubbles: true, cancelable: true });
  if (!at.dispatchEvent(made)) return;
  if (key === "Tab") moveFocus(at, shiftKey ? -1 : 1);
  else if (key === "Backspace") document.execCommand("delete");
  else if (key === "Delete") document.execCommand("forwardDelete");
  else if (at.matches("button, a, summary, [type=checkbox], [type=file]")) (key === "Enter" || key === " ") && (at as HTMLElement).click();
  else if (key === "Enter" && at instanceof HTMLInputElement) at.form?.requestSubmit();
  else if (key === "Enter" || isText(event)) document.execCommand("insertText", false, key === "Enter" ? "\n" : key);
}

function moveFocus(from: Element, by: 1 | -1): void {
  const root = from.closest("dialog") ?? document;
  const all = [...root.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
    (one) => one === from || (one.tabIndex >= 0 && !one.matches(":disabled") && one.getClientRects().length > 0),
  );
  const next = all.at((all.indexOf(from as HTMLElement) + by) % all.length);
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}
