// Moves the focus when the element that had it is removed.

import { useEffect, useState } from "react";
import { afterPaint } from "./after-paint.ts";

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

/** For a page that removes what was pressed, also later, such as when the service has answered: moves the focus to the heading. */
export function useKeptFocus(): void {
  useEffect(() => {
    const page = document.getElementById("main");
    if (!page) return;
    let focused: Node | undefined;
    const remember = ({ target }: FocusEvent) => {
      focused = target as Node;
    };
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected) return;
      focused = undefined;
      afterPaint(() => focusHeading()); // by then a closed dialog has restored the focus
    });
    page.addEventListener("focusin", remember);
    observer.observe(page, { childList: true, subtree: true });
    return () => {
      page.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, []);
}

function focusHeading(): void {
  if (document.activeElement === document.body) document.querySelector("h1")?.focus({ preventScroll: true });
}

/**
 * For a dialog that unmounts while open: restores the focus, or moves it to the heading when what had it is gone. Browsers do that
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
