// The handle at the corner of the selected cells: dragged up or down, it continues them.

import { type MouseEvent, useEffect, useRef, useState } from "react";
import type { Block } from "../../values/cell-block.ts";

export interface FillHandle {
  /** Holds, while it is dragged, the selected cells and those that will be filled. */
  target: Block | undefined;
  begin(event: MouseEvent): void;
  /** The mouse is at this row. */
  reach(index: number): void;
  /** Fills down to the last row. */
  toEnd(): void;
}

export function useFillHandle(selected: Block, total: number, fillTo: (index: number) => void): FillHandle {
  const [reached, setReached] = useState<number>();
  const isDragged = reached !== undefined;
  const end = useRef<() => void>(undefined);
  end.current = () => {
    setReached(undefined);
    if (reached !== undefined) fillTo(reached);
  };
  useEffect(() => {
    if (!isDragged) return;
    const letGo = () => end.current?.();
    const giveUp = (event: KeyboardEvent) => event.key === "Escape" && setReached(undefined);
    window.addEventListener("mouseup", letGo);
    window.addEventListener("keydown", giveUp);
    return () => {
      window.removeEventListener("mouseup", letGo);
      window.removeEventListener("keydown", giveUp);
    };
  }, [isDragged]);
  return {
    target: isDragged ? { ...selected, rows: [Math.min(selected.rows[0], reached), Math.max(selected.rows[1], reached)] } : undefined,
    begin(event) {
      if (event.button !== 0) return;
      event.preventDefault(); // the browser would begin to select text
      event.stopPropagation(); // the cell would become the selection
      setReached(selected.rows[1]);
    },
    reach: setReached,
    toEnd: () => fillTo(total - 1),
  };
}
