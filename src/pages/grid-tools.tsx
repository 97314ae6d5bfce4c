// Above the grid: the way to the next problem, undo and redo.

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
