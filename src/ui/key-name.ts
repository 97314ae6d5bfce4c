// A key as it stands on the keyboard of this computer: "Ctrl+K", on a Mac "⌘K". Listens to none.

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

const NAMES: Readonly<Record<string, string>> = {
  Mod: isMac ? "⌘" : "Ctrl",
  Alt: isMac ? "⌥" : "Alt",
  Shift: isMac ? "⇧" : "Shift",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  PageUp: "Page up",
  PageDown: "Page down",
  Escape: "Esc",
  " ": "Space",
};

export function keyName(chord: string): string {
  const parts = chord.split("+").map((key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key));
  return parts.join(isMac ? "" : "+");
}
