// Above the grid: the way to the next problem, undo and redo.

import { say } from "../../../../core/i18n/translate.ts";
import type { MendingState } from "../../../../pipeline/correction/correction-state.ts";
import { useDeps } from "../../../context/services.ts";
import { keyName } from "../../../keyboard/key-name.ts";

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
      <h2>{isGroup ? say("Rows of one group") : say("Rows that need a look")}</h2>
      {isGroup && (
        <button type="button" className="button quiet" onClick={onAll}>
          {say("Show all rows")}
        </button>
      )}
      <span className="end" />
      <button type="button" className="button quiet" aria-keyshortcuts="F8" title={say("F8; back: Shift+F8")} onClick={onNext}>
        {say("Next problem")}
      </button>
      <Step name={say("Undo")} keys="Control+Z" isThere={mending.canUndo} onStep={() => desk.act({ do: "undo" })} />
      <Step name={say("Redo")} keys="Control+Shift+Z" isThere={mending.canRedo} onStep={() => desk.act({ do: "redo" })} />
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
      title={keyName(keys.replace("Control", "Mod"))}
      onClick={() => isThere && onStep()}
    >
      {name}
    </button>
  );
}
