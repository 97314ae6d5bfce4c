// The keys that do something on a page: each registered with its words, so that a help dialog can list them. Knows no page.

import { useEffect, useRef } from "react";

export interface Shortcut {
  /** As `KeyboardEvent.key` says it: "/", "n", "ArrowDown". */
  key: string;
  /** What it does, for people: "Search". */
  label: string;
  /** False: not now; the key then does what it always does. */
  run(event: KeyboardEvent): boolean | undefined;
}

export interface Keys {
  add(shortcuts: readonly Shortcut[]): () => void;
  list(): readonly Shortcut[];
  isOn(): boolean;
  /** WCAG 2.1.4: keys of one character can be turned off. Kept on this computer. */
  turn(isOn: boolean): void;
}

const STORED = "intake.keys";
const TYPES_TEXT = "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]";

/** Listens on the window once. The shortcut registered last goes first. */
export function createKeys(target: Window, storage: Pick<Storage, "getItem" | "setItem">): Keys {
  const held = new Set<readonly Shortcut[]>();
  let isOn = readIsOn(storage);
  const list = () => [...held].reverse().flat();
  target.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.length === 1 && !isOn && event.key !== " ") return;
    const from = event.target instanceof Element ? event.target : undefined;
    if (from?.closest(`${TYPES_TEXT}, [role=dialog]`) || target.document.querySelector("dialog[open]")) return;
    const shortcut = list().find((one) => one.key === event.key.toLowerCase() || one.key === event.key);
    if (shortcut && shortcut.run(event) !== false) event.preventDefault();
  });
  return {
    add(shortcuts) {
      held.add(shortcuts);
      return () => held.delete(shortcuts);
    },
    list,
    isOn: () => isOn,
    turn(next) {
      isOn = next;
      try {
        storage.setItem(STORED, next ? "on" : "off");
      } catch {
        // It holds for this tab all the same.
      }
    },
  };
}

/** The page's shortcuts while it is shown; they always see what was drawn last. */
export function useShortcuts(keys: Keys, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map(({ key }) => key).join("\n");
  useEffect(() => {
    const standing = names.split("\n").map((name, i): Shortcut => {
      const at = () => latest.current[i];
      return { key: at()?.key ?? name, label: at()?.label ?? "", run: (event) => at()?.run(event) };
    });
    return keys.add(standing);
  }, [keys, names]);
}

function readIsOn(storage: Pick<Storage, "getItem">): boolean {
  try {
    return storage.getItem(STORED) !== "off";
  } catch {
    return true;
  }
}
