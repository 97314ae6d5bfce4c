// Whether a page is still the one that is shown: whoever left while an answer was on its way is not taken elsewhere when it comes.

import { useCallback, useEffect, useRef } from "react";

export function useIsMounted(): () => boolean {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(() => isHere.current, []);
}
