// Keys that are typed while what they are meant for is being loaded: they wait, and are then typed into what was opened.

import { afterPaint } from "../components/after-paint.ts";
import { KEY_MAP } from "./key-map.ts";
import { chordOf } from "./shortcuts.ts";

const TYPED: ReadonlySet<string> = new Set(["Enter", "Tab", "Backspace", "Delete", "Home", "End", "Escape"]);
const CHORDS: ReadonlySet<string> = new Set(Object.values(KEY_MAP).flatMap(({ keys }) => keys));

const held: KeyboardEvent[] = [];
let openings = 0;
let isDraining = false;
let round = 0;

/**
 * Holds the keys from a press that opens something until the returned function is called: with true when it is open, with false when
 * it will not open, and then they are dropped. A press of the pointer ends it, too: what is typed next is meant for something else.
 */
export function holdKeys(): (isOpen: boolean) => void {
  const own = round;
  let isOver = false;
  openings++;
  return (isOpen) => {
    if (isOver) return;
    isOver = true;
    if (!isOpen) held.length = 0;
    // What opens takes the focus once it is on the screen.
    afterPaint(() =>
      afterPaint(() => {
        if (own !== round) return;
        openings--;
        void drain();
      }),
    );
  };
}

/** The window's listeners that hold keys. Called once, before anything else listens. */
export function listenForHeldKeys(target: Window): void {
  target.addEventListener(
    "keydown",
    (event) => {
      if (!event.isTrusted || (openings === 0 && !isDraining)) return;
      if (event.key === "Escape" && document.querySelector("dialog[open]")) return giveUp(); // it closes what the keys were meant for
      if (!isHeld(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      held.push(event);
    },
    true,
  );
  target.addEventListener("pointerdown", giveUp, true);
}

function giveUp(): void {
  round++;
  openings = 0;
  held.length = 0;
}

/** Not what is the browser's, such as Ctrl+R. */
function isHeld(event: KeyboardEvent): boolean {
  return !event.isComposing && (isText(event) || TYPED.has(event.key) || CHORDS.has(chordOf(event)));
}

/** A German @ is typed with Ctrl and Alt, or with AltGr. */
function isText({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return key.length === 1 && !metaKey && (!ctrlKey || altKey);
}

/** One after the other, each with time to be drawn. One of them may open something again, and then the others wait for that. */
async function drain(): Promise<void> {
  if (isDraining) return;
  isDraining = true;
  for (let event = held.shift(); event; event = openings === 0 ? held.shift() : undefined) {
    type(event);
    await new Promise((resolve) => setTimeout(resolve));
  }
  isDraining = false;
}

/** Does what the browser does for a key that somebody presses: a made event alone types nothing. */
function type(event: KeyboardEvent): void {
  const at = document.activeElement ?? document.body;
  const { key, code, ctrlKey, altKey, shiftKey, metaKey } = event;
  const made = new KeyboardEvent("keydown", { key, code, ctrlKey, altKey, shiftKey, metaKey, bubbles: true, cancelable: true });
  if (!at.dispatchEvent(made)) return;
  if (key === "Tab") moveFocus(at, shiftKey ? -1 : 1);
  else if (key === "Backspace") document.execCommand("delete");
  else if (key === "Delete") document.execCommand("forwardDelete");
  else if (at.matches("button, a, summary, [type=checkbox]")) (key === "Enter" || key === " ") && (at as HTMLElement).click();
  else if (key === "Enter" && at instanceof HTMLInputElement) at.form?.requestSubmit();
  else if (key === "Enter" || isText(event)) document.execCommand("insertText", false, key === "Enter" ? "\n" : key);
}

function moveFocus(from: Element, by: 1 | -1): void {
  const root = from.closest("dialog") ?? document;
  const all = [...root.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
    (one) => one.tabIndex >= 0 && !one.matches(":disabled") && one.getClientRects().length > 0,
  );
  const next = all.at((all.indexOf(from as HTMLElement) + by) % all.length);
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}
