import { message, t } from "../../../core/i18n/translate.ts";

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

const NAMES: Readonly<Record<string, string>> = {
  Mod: isMac ? "⌘" : message("Ctrl"),
  Alt: isMac ? "⌥" : message("Alt"),
  Shift: isMac ? "⇧" : message("Shift"),
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  PageUp: message("Page up"),
  PageDown: message("Page down"),
  Escape: message("Esc"),
  " ": message("Space"),
  Home: message("Home"),
  End: message("End"),
  Enter: message("Enter"),
  Delete: message("Del"),
  Backspace: message("Backspace"),
};

export function keyName(chord: string): string {
  const parts = chord.split("+").map((key) => (NAMES[key] ? t(NAMES[key]) : key.length === 1 ? key.toUpperCase() : key));
  return parts.join(isMac ? "" : "+");
}
