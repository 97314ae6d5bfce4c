import type { HistoryLocation } from "@tanstack/history";
import { useEffect, useRef } from "react";
import { useRouter } from "./router-context.tsx";

/**
 * Keeps the user on the page while `isBlocked` returns true: links, going back and forward, closing the tab. `mayLeave` can
 * ask and resolve with true to leave; the browser asks by itself before closing the tab.
 */
export function useBlocker(isBlocked: () => boolean, mayLeave: () => boolean | Promise<boolean> = () => false): void {
  const { history } = useRouter();
  const newest = useRef({ isBlocked, mayLeave });
  useEffect(() => {
    newest.current = { isBlocked, mayLeave };
  });
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => newest.current.isBlocked(),
        async blockerFn({ currentLocation, nextLocation }) {
          if (isSamePage(currentLocation, nextLocation) || !newest.current.isBlocked()) return false;
          return !(await newest.current.mayLeave());
        },
      }),
    [history],
  );
}

/** Only the part after # differs, as with the link that skips to the content. */
function isSamePage(one: HistoryLocation, other: HistoryLocation): boolean {
  return one.pathname === other.pathname && one.search === other.search;
}
