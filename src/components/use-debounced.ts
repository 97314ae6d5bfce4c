import { useEffect, useState } from "react";

/** The text once it has not changed for `pauseMs`; until then what it was before, at first `initial`. */
export function useDebounced(text: string, pauseMs: number, initial = text): string {
  const [debounced, setDebounced] = useState(initial);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return debounced;
}
