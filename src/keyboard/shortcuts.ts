// Runs the actions of key-map.ts on the current page. The only keydown listener of the window.

import { useEffect, useRef } from "react";
import { KEY_MAP, type KeyId } from "./key-map.ts";

/** False: not now; the key then does what it always does. Without an event when it was chosen from the palette. */
export type ShortcutAction = (event?: KeyboardEvent) => unknown;

/** What is undefined cannot be done now: its key does nothing, and nobody is told of it. */
export type ShortcutActions = Partial<Record<KeyId, ShortcutAction | undefined>>;

export interface Shortcuts {
  add(actions: ShortcutActions): () => void;
  /** What can be done on this page, in the order of the map. */
  list(): KeyId[];
  run(id: KeyId): void;
}

const TYPES_TEXT = "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]";

/** Listens on the window once; what was added last goes first. `mayBeSingle`: keys of one character do something (WCAG 2.1.4). */
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
    // A key that is held down walks on, but it saves once.
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

/** Shift belongs to a character; only beside other keys it is one of its own. */
function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isMod = ctrlKey || metaKey;
  const isShift = shiftKey && (isMod || altKey || key.length > 1);
  return `${isMod ? "Mod+" : ""}${altKey ? "Alt+" : ""}${isShift ? "Shift+" : ""}${key.length === 1 ? key.toLowerCase() : key}`;
}

/** What the page can do while it is shown; it always sees what was drawn last. */
export function useShortcuts(keys: Shortcuts, actions: ShortcutActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  const names = (Object.keys(actions) as KeyId[]).filter((id) => actions[id]).join(" ");
  useEffect(() => {
    const ids = names.split(" ").filter(Boolean) as KeyId[];
    return keys.add(Object.fromEntries(ids.map((id) => [id, (event?: KeyboardEvent) => latest.current[id]?.(event)])));
  }, [keys, names]);
}
