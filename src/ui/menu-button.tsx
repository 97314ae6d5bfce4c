// A button that opens a menu of actions (ARIA APG, menu button).

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { keyName } from "./keyboard/key-name.ts";
import * as styles from "./menu-button.module.css";

export interface MenuItem {
  label: string;
  /** The shortcut for the same action, as spelled in key-map.ts. */
  chord?: string | undefined;
  run: () => void;
}

interface MenuButtonProps {
  /** The accessible name of the button and of its menu. */
  title: string;
  /** The content of the button. */
  children: ReactNode;
  className?: string | undefined;
  items: readonly MenuItem[];
}

/** The arrow keys, Home and End move within the menu. Escape and a choice give the focus back; a press or focus elsewhere closes it. */
export function MenuButton({ title, children, className, items }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const itemsOf = () => [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];

  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const leave = ({ target }: Event) => target instanceof Node && !root.current?.contains(target) && setOpen(false);
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [isOpen]);

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!isOpen) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setOpen(true);
      return;
    }
    const all = itemsOf();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) all.at(to % all.length)?.focus();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button and its items have the focus
    <span
      className={styles.root}
      ref={root}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget, currentTarget }) => relatedTarget && !currentTarget.contains(relatedTarget) && setOpen(false)}
    >
      <button
        type="button"
        ref={button}
        className={className}
        aria-label={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div role="menu" id={id} aria-label={title} className={styles.menu}>
          {items.map(({ label, chord, run }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              data-keys={chord && keyName(chord)}
              aria-keyshortcuts={chord?.replace("Mod", "Control")}
              onClick={() => {
                close();
                run();
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </span>
  );
}
