// A press that comes while what it would do is still being asked waits for the answer, so that it is never lost.

import { useEffect, useRef, useState } from "react";

interface HeldPressOptions {
  /** Names what would be done, as JSON: a press is for this and for nothing that is chosen later. */
  asked: string;
  /** Holds what the page says about it, as JSON, or about what was asked before while this is asked; undefined before the first answer. */
  shown: string | undefined;
  /** The answer to `asked` is not there yet. */
  isAsking: boolean;
  /** Is called for a press once the answer is there, if it is what the page said when the button was pressed. */
  act: () => void;
}

/**
 * `state` says what became of the last press: "waits" while the answer is not there, and "shown anew" when the page says something else now, so
 * that the button has to be pressed again.
 */
export function useHeldPress({ asked, shown, isAsking, act }: HeldPressOptions): {
  press: () => void;
  state: "rests" | "waits" | "shown anew";
} {
  const [held, setHeld] = useState<{ asked: string; shown: string | undefined }>();
  const [anew, setAnew] = useState<string>();
  const latest = useRef(act);
  latest.current = act;
  const isHeld = held?.asked === asked;
  useEffect(() => {
    if (!held || (isHeld && isAsking)) return;
    setHeld(undefined); // it is over also where something else was chosen after the press
    if (!isHeld) return;
    if (held.shown === shown) latest.current();
    else setAnew(asked);
  }, [held, isHeld, isAsking, asked, shown]);
  return {
    press() {
      setAnew(undefined);
      if (isAsking) setHeld({ asked, shown });
      else act();
    },
    state: isHeld && isAsking ? "waits" : anew === asked ? "shown anew" : "rests",
  };
}
