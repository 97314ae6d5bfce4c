// Moves the focus when the element that had it is removed.

import { useEffect, useState } from "react";

/** When the calling component unmounts with the focus in it, moves the focus to `selector`. With another page its heading has the focus. */
export function useFocusFallback(selector = "h1"): void {
  useEffect(() => {
    const heading = document.querySelector("h1");
    return () => {
      // Cleanup runs after the nodes are removed: by then the focus is on the body.
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>(heading?.isConnected === false ? "h1" : selector)?.focus();
    };
  }, [selector]);
}

/** Serves as a `ref` of what takes the place of an element: gets the focus if that had it. Needs `tabIndex={-1}`. */
export function takeFocus(element: HTMLElement | null): void {
  // Refs are set when what is replaced has been removed: by then the focus is on the body.
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

/** Moves it unless something else has the focus. */
export function focusHeading(): void {
  if (document.activeElement === document.body) document.querySelector("h1")?.focus({ preventScroll: true });
}

/**
 * Serves a dialog that unmounts while open: restores the focus, or moves it to the heading when what had it is gone. Browsers do that
 * only when a dialog is closed.
 */
export function useRestoreFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (!before?.isConnected) focusHeading();
      else if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
