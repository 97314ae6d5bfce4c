// Keeps the focus on a page that removes what was pressed.

import { useEffect } from "react";
import { afterPaint } from "./after-paint.ts";
import { focusHeading } from "./restore-focus.ts";

/**
 * Serves a page that removes what was pressed, also later, such as when the service has answered: moves the focus to the same place in
 * the row that follows, and otherwise to the heading.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const page = document.getElementById("main");
    if (!page) return;
    let focused: Element | undefined;
    let place: Place | undefined;
    const remember = ({ target }: FocusEvent) => {
      focused = target as Element;
      place = placeOf(focused);
    };
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected) return;
      focused = undefined;
      afterPaint(() => {
        if (document.activeElement === document.body) followerOf(place)?.focus(); // otherwise a closed dialog has restored the focus
        focusHeading();
      });
    });
    page.addEventListener("focusin", remember);
    observer.observe(page, { childList: true, subtree: true });
    return () => {
      page.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, []);
}

/** A button, link or input within the rows of a table. */
interface Place {
  rows: Element;
  row: number;
  nth: number;
}

const CONTROLS = "a, button, input";

function placeOf(control: Element): Place | undefined {
  const row = control.closest("tr");
  const rows = row?.closest("tbody");
  return row && rows
    ? { rows, row: [...rows.children].indexOf(row), nth: [...row.querySelectorAll(CONTROLS)].indexOf(control) }
    : undefined;
}

/** Returns what is there now, once the row is gone; in the last row after the last one. */
function followerOf(place: Place | undefined): HTMLElement | undefined {
  if (!place?.rows.isConnected) return undefined;
  const { rows, row, nth } = place;
  return rows.children[Math.min(row, rows.children.length - 1)]?.querySelectorAll<HTMLElement>(CONTROLS)[nth];
}
