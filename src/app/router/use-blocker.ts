import type { HistoryLocation } from "@tanstack/history";
import { useEffect, useRef } from "react";
import { useRouter } from "./router-context.tsx";

/**
 * `staysOn`: what an address must keep for the user to be on the same page. Only the part after # may differ, as with the link that
 * skips to the content, or the search parameters, too.
 */
export type StaysOn = "address" | "path";

/**
 * Keeps the user on the page while `isBlocked` returns true: links, going back and forward, closing the tab. `mayLeave` can
 * ask and resolve with true to leave; the browser asks by itself before closing the tab.
 */
export function useBlocker(
  isBlocked: () => boolean,
  mayLeave: () => boolean | Promise<boolean> = () => false,
  staysOn: StaysOn = "address",
): void {
  const { history } = useRouter();
  const newest = useRef({ isBlocked, mayLeave, staysOn });
  useEffect(() => {
    newest.current = { isBlocked, mayLeave, staysOn };
  });
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => newest.current.isBlocked(),
        async blockerFn({ currentLocation, nextLocation }) {
          if (isSamePage(currentLocation, nextLocation, newest.current.staysOn) || !newest.current.isBlocked()) return false;
          return !(await newest.current.mayLeave());
        },
      }),
    [history],
  );
}

function isSamePage(one: HistoryLocation, other: HistoryLocation, staysOn: StaysOn): boolean {
  return one.pathname === other.pathname && (staysOn === "path" || one.search === other.search);
}
