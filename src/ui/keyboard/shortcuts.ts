// Runs the actions of key-map.ts on the current page. The only keydown listener of the window.

import { useEffect, useRef } from "react";
import { KEY_MAP, type KeyId } from "./key-map.ts";

/** Returns false to leave the key to the browser. Without an event when it was chosen in the command palette. */
export type ShortcutAction = (event?: KeyboardEvent) => unknown;

/** An undefined action is not available: its key does nothing, and help and palette leave it out. */
export type ShortcutActions = Partial<Record<KeyId, ShortcutAction | undefined>>;

export interface Shortcuts {
  add(actions: ShortcutActions): () => void;
  /** Returns the actions available on this page, in the order of key-map.ts. */
  list(): KeyId[];
  run(id: KeyId): void;
}

const TYPES_TEXT = "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]";

/** The action that was added last wins. `mayBeSingle`: whether single-character keys are on (WCAG 2.1.4). */
export function createShortcuts(target: Window, mayBeSingle: () => boolean): Shortcuts {
  const registered = new Set<ShortcutActions>();
  const find = (id: KeyId) => [...registered].reverse().find((actions) => actions[id])?.[id];
  const list = () => (Object.keys(KEY_MAP) as KeyId[]).filter(find);
  target.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || target.document.querySelector("dialog[open], :popover-open")) return;
    const chord = chordOf(event);
    const isPlain = !/^(Mod|Alt|Shift|F\d)/.test(chord);
    if (event.key.length === 1 && isPlain && event.key !== " " && !mayBeSingle()) return;
    const from = event.target instanceof Element ? event.target : undefined;
    if (isPlain && from?.closest(`${TYPES_TEXT}, [role=dialog]`)) return;
    const id = list().find((one) => KEY_MAP[one].keys.includes(chord));
    if (!id) return;
    // A key that is held down repeats, except with Mod: it saves once.
    const isRepeat = event.repeat && chord.startsWith("Mod");
    if (isRepeat || find(id)?.(event) !== false) event.preventDefault();
  });
  return {
    add(actions) {
      registered.add(actions);
      return () => registered.delete(actions);
    },
    list,
    run: (id) => void find(id)?.(),
  };
}

/** Shift counts only with Mod, Alt or a named key; otherwise it is part of the character. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isMod = ctrlKey || metaKey;
  const isShift = shiftKey && (isMod || altKey || key.length > 1);
  return `${isMod ? "Mod+" : ""}${altKey ? "Alt+" : ""}${isShift ? "Shift+" : ""}${key.length === 1 ? key.toLowerCase() : key}`;
}

/** Says whether a key types a sign. A German @ is typed with Ctrl and Alt, or with AltGr. */
export function isText({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return key.length === 1 && !metaKey && (!ctrlKey || altKey);
}

/** Registers the page's actions while it is mounted. They always see the latest props and state. */
export function useShortcuts(keys: Shortcuts, actions: ShortcutActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  const names = (Object.keys(actions) as KeyId[]).filter((id) => actions[id]).join(" ");
  useEffect(() => {
    const ids = names.split(" ").filter(Boolean) as KeyId[];
    return keys.add(Object.fromEntries(ids.map((id) => [id, (event?: KeyboardEvent) => latest.current[id]?.(event)])));
  }, [keys, names]);
}
