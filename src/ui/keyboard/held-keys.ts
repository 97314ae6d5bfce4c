// Keys that are typed while what they are meant for is being loaded: they wait, and are then typed into what was opened.

import { KEY_MAP } from "./key-map.ts";
import { chordOf, isText } from "./shortcuts.ts";

const CHORDS: ReadonlySet<string> = new Set(Object.values(KEY_MAP).flatMap(({ keys }) => keys));
const MOST_WAIT = 10_000; // ms without an answer, after which the keyboard is the page's again

const held: KeyboardEvent[] = [];
let openings = 0;
let isDraining = false;
let round = 0;
let limit: ReturnType<typeof setTimeout> | undefined;
/** Comes beside what the first keys wait for. */
let typing: Promise<typeof import("./type-key.ts")> | undefined;

/**
 * Holds the keys from a press that opens something until the returned function is called, once: with true when it is open, with false when
 * it will not open, and then they are dropped. A press of the pointer ends it, too: what is typed next is meant for something else. So do
 * 10 s in which nothing else is opened.
 */
export function holdKeys(): (isOpen: boolean) => void {
  const own = round;
  openings++;
  clearTimeout(limit);
  limit = setTimeout(giveUp, MOST_WAIT);
  function end(): void {
    if (own !== round) return;
    if (--openings === 0) clearTimeout(limit);
    void drain();
  }
  return (isOpen) => {
    if (!isOpen && own === round) held.length = 0;
    // What opens takes the focus once it is on the screen, which is the second frame from now.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(end)));
  };
}

/** Adds the window's listeners that hold keys. Is called once, before anything else listens. */
export function listenForHeldKeys(): void {
  addEventListener(
    "keydown",
    (event) => {
      if (!event.isTrusted || (openings === 0 && !isDraining)) return;
      if (event.key === "Escape" && document.querySelector("dialog[open]")) return giveUp(); // it closes what the keys were meant for
      if (!isHeld(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === "Escape") held.length = 0; // it waits alone, and closes what opens
      held.push(event);
      typing ??= import("./type-key.ts");
    },
    true,
  );
  addEventListener("pointerdown", giveUp, true);
}

function giveUp(): void {
  round++;
  openings = 0;
  isDraining = false;
  held.length = 0;
}

/** Leaves what is the browser's, such as Ctrl+R. */
function isHeld(event: KeyboardEvent): boolean {
  return !event.isComposing && (isText(event) || event.key === "Tab" || CHORDS.has(chordOf(event)));
}

/** Types one key after the other, each with time to be drawn. One of them may open something again, and then the others wait for that. */
async function drain(): Promise<void> {
  if (isDraining) return;
  isDraining = true;
  const own = round;
  const next = () => (openings === 0 && own === round ? held.shift() : undefined);
  try {
    const code = await typing;
    for (let event = next(); event; event = next()) {
      code?.typeKey(event);
      await new Promise((resolve) => setTimeout(resolve));
    }
  } catch (error) {
    if (own === round) giveUp();
    typing = undefined;
    throw error;
  } finally {
    if (own === round) isDraining = false;
  }
}
