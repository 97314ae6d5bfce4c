// A button that opens a small panel beside it; on a phone the panel lies at the bottom of the screen.

import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import * as buttonStyles from "./button.module.css";
import * as styles from "./panel.module.css";

interface PanelButtonProps {
  /** The content of the button. */
  label: ReactNode;
  /** The accessible name of the panel. */
  title: string;
  className?: string | undefined;
  /** Its label may be an icon alone: then the title also names the button, and is shown beside the pointer. */
  hasTip?: boolean;
  /** The edge of the button that the panel aligns with. */
  align?: "start" | "end";
  /** Is called when the pointer or the focus reaches the button, to preload the panel. */
  onNear?: () => void;
  children: (close: () => void) => ReactNode;
}

/** Escape closes the panel and restores the focus. A click or focus elsewhere only closes it. */
export function PanelButton({
  label,
  title,
  className = buttonStyles.quiet,
  hasTip = false,
  align = "start",
  onNear,
  children,
}: PanelButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", onKey, true);
    };
  }, [isOpen]);
  return (
    <span className={styles.root} ref={root}>
      <button
        type="button"
        ref={button}
        className={className}
        title={hasTip ? title : undefined}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-controls={isOpen ? id : undefined}
        onPointerEnter={onNear}
        onFocus={onNear}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && <Panel id={id} title={title} align={align} content={children(close)} />}
    </span>
  );
}

const TURNED = { start: "end", end: "start" } as const;

function Panel({ id, title, align, content }: { id: string; title: string; align: "start" | "end"; content: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  const [isTurned, setTurned] = useState(false);
  useLayoutEffect(() => {
    const { left = 0, right = 0 } = panel.current?.getBoundingClientRect() ?? {};
    setTurned(left < 0 || right > document.documentElement.clientWidth); // there is no room at this edge of the button
  }, []);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div
      role="dialog"
      aria-label={title}
      id={id}
      ref={panel}
      tabIndex={-1}
      className={styles.panel}
      data-align={isTurned ? TURNED[align] : align}
    >
      {content}
    </div>
  );
}
