// Follows a media query, for what style sheets alone cannot lay out.

import { useCallback, useSyncExternalStore } from "react";

/** Says whether the window matches `query` by now; draws again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
