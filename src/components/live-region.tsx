import { useEffect, useRef, useState } from "react";

const ANNOUNCE_EVERY = 5_000; // ms

/** Told to a screen reader and not shown: the newest of a text that changes often, at most every five seconds. */
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
    <span className="hidden" role="status">
      {announcement}
    </span>
  );
}
