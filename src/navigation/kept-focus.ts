// Keeps the focus on a page that removes what was pressed.

import { useEffect } from "react";
import { afterPaint } from "../components/after-paint.ts";
import { focusHeading } from "../components/restore-focus.ts";

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
