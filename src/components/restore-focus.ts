// Moves the focus when the element that had it is removed.

import { useEffect, useState } from "react";

/** When the calling component unmounts with the focus in it, moves the focus to `selector`. */
export function useFocusFallback(selector = "h1"): void {
  useEffect(
    () => () => {
      // Cleanup runs after the nodes are removed: by then the focus is on the body.
      if (document.activeElement === document.body) document.querySelector<HTMLElement>(selector)?.focus();
    },
    [selector],
  );
}

/** For a dialog that unmounts while open: restores the focus. Browsers do that only when a dialog is closed. */
export function useRestoreFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
}
