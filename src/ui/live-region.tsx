import { useEffect, useRef, useState } from "react";
import * as textStyles from "./text.module.css";

const ANNOUNCE_EVERY = 5_000; // ms

/** Announces a text that changes often to screen readers, at most every five seconds. Not visible. */
export function LiveRegion({ children }: { children: string }) {
  const [announcement, setAnnouncement] = useState("");
  const announcedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        announcedAt.current = Date.now();
        setAnnouncement(children);
      },
      Math.max(0, announcedAt.current + ANNOUNCE_EVERY - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [children]);
  return (
    <span className={textStyles.hidden} role="status">
      {announcement}
    </span>
  );
}
