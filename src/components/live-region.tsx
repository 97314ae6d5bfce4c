// What changes often, told to a screen reader now and then.

import { useEffect, useRef, useState } from "react";

const SPEAK_EVERY = 5_000; // ms

/** Told to a screen reader and not shown: the newest of a text that changes often, at most every five seconds. */
export function Spoken({ children }: { children: string }) {
  const [said, setSaid] = useState("");
  const saidAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        saidAt.current = Date.now();
        setSaid(children);
      },
      Math.max(0, saidAt.current + SPEAK_EVERY - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [children]);
  return (
    <span className="hidden" role="status">
      {said}
    </span>
  );
}
