// Above the grid: the way to the next problem, undo and redo, by button and by the keys that work on the whole step.

import { useEffect, useRef } from "react";
import type { MendingState } from "../upload/mending-state.ts";
import { useDeps } from "./deps.ts";

interface GridToolsProps {
  isGroup: boolean;
  onAll: () => void;
  onNext: () => void;
  mending: MendingState;
}

export function GridTools({ isGroup, onAll, onNext, mending }: GridToolsProps) {
  const { desk } = useDeps();
  return (
    <div className="grid-tools">
      <h2>{isGroup ? "Rows of one group" : "Rows that need a look"}</h2>
      {isGroup && (
        <button type="button" className="button quiet" onClick={onAll}>
          Show all rows
        </button>
      )}
      <span className="end" />
      <button type="button" className="button quiet" aria-keyshortcuts="F8" title="F8; back: Shift+F8" onClick={onNext}>
        Next problem
      </button>
      <Step name="Undo" keys="Control+Z" isThere={mending.canUndo} onStep={() => desk.act({ do: "undo" })} />
      <Step name="Redo" keys="Control+Shift+Z" isThere={mending.canRedo} onStep={() => desk.act({ do: "redo" })} />
    </div>
  );
}

function Step({ name, keys, isThere, onStep }: { name: string; keys: string; isThere: boolean; onStep: () => void }) {
  return (
    <button
      type="button"
      className="button quiet"
      aria-disabled={!isThere}
      aria-keyshortcuts={keys}
      title={keys.replace("Control", "Ctrl")}
      onClick={() => isThere && onStep()}
    >
      {name}
    </button>
  );
}

/** Keys that work on the whole step; inputs keep their own undo. */
export function useShortcuts(onShortcut: (command: "undo" | "redo" | 1 | -1) => void): void {
  const latest = useRef(onShortcut);
  latest.current = onShortcut;
  useEffect(() => {
    function hear(event: KeyboardEvent): void {
      const key = event.key.toLowerCase();
      const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y");
      if (isUndo && event.target instanceof HTMLInputElement) return;
      if (event.key !== "F8" && !isUndo) return;
      event.preventDefault();
      if (isUndo) latest.current(key === "y" || event.shiftKey ? "redo" : "undo");
      else latest.current(event.shiftKey ? -1 : 1);
    }
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, []);
}
