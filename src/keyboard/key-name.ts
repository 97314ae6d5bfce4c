// A key as it stands on the keyboard of this computer: "Ctrl+K", on a Mac "⌘K". Listens to none.

import { say, toSay } from "../../core/i18n/translate.ts";

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

const NAMES: Readonly<Record<string, string>> = {
  Mod: isMac ? "⌘" : toSay("Ctrl"),
  Alt: isMac ? "⌥" : toSay("Alt"),
  Shift: isMac ? "⇧" : toSay("Shift"),
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  PageUp: toSay("Page up"),
  PageDown: toSay("Page down"),
  Escape: toSay("Esc"),
  " ": toSay("Space"),
  Home: toSay("Home"),
  End: toSay("End"),
  Enter: toSay("Enter"),
  Delete: toSay("Del"),
  Backspace: toSay("Backspace"),
};

export function keyName(chord: string): string {
  const parts = chord.split("+").map((key) => (NAMES[key] ? say(NAMES[key]) : key.length === 1 ? key.toUpperCase() : key));
  return parts.join(isMac ? "" : "+");
}
