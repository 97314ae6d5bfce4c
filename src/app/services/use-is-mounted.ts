import { useCallback, useEffect, useRef } from "react";

/** Guards what a late answer does: nothing happens once the component is gone, such as closing a dialog that was opened meanwhile. */
export function useWhileMounted(act: () => void): () => void {
  const isMounted = useIsMounted();
  return () => {
    if (isMounted()) act();
  };
}

export function useIsMounted(): () => boolean {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return useCallback(() => isMounted.current, []);
}
