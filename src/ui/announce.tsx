import { useEffect, useState } from "react";
import * as textStyles from "./text.module.css";

const PAUSE_MS = 700; // while someone types, only the last of many results is announced

export function Announce({ text }: { text: string }) {
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAnnouncement(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className={textStyles.hidden} role="status">
      {announcement}
    </span>
  );
}
