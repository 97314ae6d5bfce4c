import { useEffect, useState } from "react";

/** A fast typist's letters are that far apart; answers that come late are given up anyway. */
export const TYPING_PAUSE_MS = 60;

/** Returns the value once it has not changed for `pauseMs`; until then what it was before, at first `initial`. */
export function useDebounced<T>(text: T, pauseMs: number, initial = text): T {
  const [debounced, setDebounced] = useState(initial);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return debounced;
}
