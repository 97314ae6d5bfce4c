// A note at the cell under the pointer or the focus: why it is wrong, and what is in the file.

import { type RefObject, useEffect, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import type { CellPlace } from "../../../pipeline/correction/correction-state.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as styles from "./cell-note.module.css";

interface Shown extends CellPlace {
  rect: DOMRect;
}

interface CellNoteProps {
  /** The scrolling area and, around it, what also keeps the note. */
  area: RefObject<HTMLElement | null>;
  /** Undefined: the cell needs no note. */
  noteOf: (place: CellPlace) => { reasons: readonly string[]; inFile: string | undefined } | undefined;
  onRestore: (place: CellPlace) => void;
  /** Changes when cells may have moved or changed. */
  version: unknown;
}

/** Escape closes it, the pointer can enter it, and it stays until focus and pointer leave (WCAG 1.4.13). */
export function CellNote({ area, noteOf, onRestore, version }: CellNoteProps) {
  const shown = useCellInHand(area, version);
  const note = shown && noteOf(shown);
  if (!shown || !note) return null;
  const { rect } = shown;
  const isAbove = rect.bottom + ROOM > innerHeight;
  return (
    <div
      className={styles.note}
      data-cell-note
      onMouseDown={(event) => event.preventDefault()} // the focus stays in the cell
      aria-hidden="true" // the cell has the same text as its description
      style={{
        left: Math.max(8, Math.min(rect.left, innerWidth - WIDTH - 8)),
        ...(isAbove ? { bottom: innerHeight - rect.top } : { top: rect.bottom }),
      }}
    >
      {note.reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {note.inFile !== undefined && (
        <p className={styles.inFile}>
          {note.inFile === "" ? t("It is empty in the file.") : t("In the file: {text}", { text: shorten(note.inFile) })}{" "}
          <button type="button" className={buttonStyles.quiet} tabIndex={-1} onClick={() => onRestore(shown)}>
            {t("Restore")}
          </button>
        </p>
      )}
    </div>
  );
}

const WIDTH = 320; // px, as in the style sheet
const ROOM = 110; // px below a cell that most notes need
const LONGEST = 120; // characters

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Returns the cell under the pointer, else the focused one. */
function useCellInHand(area: RefObject<HTMLElement | null>, version: unknown): Shown | undefined {
  const [shown, setShown] = useState<Shown>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version may have moved the cell
  useEffect(() => {
    const { current } = area;
    if (!current) return;
    let isDismissed = false;
    const show = (cell: Element | null | undefined) => {
      const [index, field] = (cell?.getAttribute("data-place") ?? "").split(" ").map(Number);
      const isCell = cell?.tagName === "TD" && index !== undefined && field !== undefined;
      setShown(isCell && !isDismissed ? { index, field, rect: cell.getBoundingClientRect() } : undefined);
    };
    const focused = () => document.activeElement?.closest("td[data-place]") ?? null;
    const onPoint = ({ target, type }: Event) => {
      if (type === "focusin") isDismissed = false;
      const element = target instanceof Element ? target : null;
      if (element?.closest("[data-cell-note]")) return;
      show(element?.closest("td[data-place]") ?? focused());
    };
    const onLeave = () => show(focused());
    const onKey = ({ key }: KeyboardEvent) => {
      isDismissed = key === "Escape";
      if (isDismissed) setShown(undefined);
    };
    show(focused());
    current.addEventListener("mouseover", onPoint);
    current.addEventListener("focusin", onPoint);
    current.addEventListener("focusout", onLeave);
    current.addEventListener("mouseleave", onLeave);
    current.addEventListener("keydown", onKey);
    document.addEventListener("scroll", onLeave, { capture: true, passive: true });
    return () => {
      current.removeEventListener("mouseover", onPoint);
      current.removeEventListener("focusin", onPoint);
      current.removeEventListener("focusout", onLeave);
      current.removeEventListener("mouseleave", onLeave);
      current.removeEventListener("keydown", onKey);
      document.removeEventListener("scroll", onLeave, { capture: true });
    };
  }, [area, version]);
  return shown;
}
