// Tells whether a person has gone on while the worker was asked. They would lose the cell that they edit by now.

import { useRef } from "react";

export interface Moves {
  /** The person moves the focus, edits or selects. */
  noteMove(): void;
  /** Call it before the worker is asked. The function that it returns tells whether there was a move or something typed since. */
  watchMoves(): () => boolean;
}

export function useMoves(): Moves {
  const moves = useRef(0);
  const now = () => [moves.current, ...textInput()];
  return {
    noteMove() {
      moves.current += 1;
    },
    watchMoves() {
      const before = now();
      return () => now().some((part, i) => part !== before[i]);
    },
  };
}

/** Returns the input that has the focus, and its text. */
function textInput(): [Element | undefined, string | undefined] {
  const { activeElement: input } = document;
  return input?.matches("input, textarea, select") ? [input, (input as HTMLInputElement).value] : [undefined, undefined];
}
