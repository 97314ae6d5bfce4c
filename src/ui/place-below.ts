import { type RefObject, useLayoutEffect } from "react";

const GAP = 4; // px

/** Shows the box in the top layer, where nothing cuts it: below the input, or above it where there is more room. */
export function usePlaceBelow(box: RefObject<HTMLElement | null>, input: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const [shown, anchor] = [box.current, input.current];
    if (!isOpen || !shown || !anchor) return;
    const place = () => {
      const { left, top, bottom, width } = anchor.getBoundingClientRect();
      const least = Math.max(width, 240);
      const start = Math.max(GAP, Math.min(left, window.innerWidth - least - GAP));
      const [above, below] = [top - 2 * GAP, window.innerHeight - bottom - 2 * GAP];
      const isAbove = below < 200 && above > below;
      Object.assign(shown.style, {
        left: `${start}px`,
        minWidth: `${least}px`,
        maxWidth: `${window.innerWidth - start - GAP}px`,
        maxHeight: `${Math.min(360, isAbove ? above : below)}px`,
        top: isAbove ? "auto" : `${bottom + GAP}px`,
        bottom: isAbove ? `${window.innerHeight - top + GAP}px` : "auto",
      });
    };
    shown.showPopover?.();
    place();
    window.addEventListener("scroll", place, true);
    window.addEventListener("resize", place);
    return () => {
      shown.hidePopover?.();
      window.removeEventListener("scroll", place, true);
      window.removeEventListener("resize", place);
    };
  }, [box, input, isOpen]);
}
