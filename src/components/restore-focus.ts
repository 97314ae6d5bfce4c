// Moves the focus when the element that had it is removed.

import { useEffect, useState } from "react";

/** When the piece that calls this disappears with the focus in it, `heir` takes it over; else it would be nowhere. */
export function useFocusFallback(selector = "h1"): void {
  useEffect(
    () => () => {
      // An effect's end runs after its nodes have left the page: the focus has fallen to the body by then.
      if (document.activeElement === document.body) document.querySelector<HTMLElement>(selector)?.focus();
    },
    [selector],
  );
}

/** For a dialog that is taken off the page: what had the focus before it has it again. A browser sees to that only when one is closed. */
export function useRestoreFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
}
