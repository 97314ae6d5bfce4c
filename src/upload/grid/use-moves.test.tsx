import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { type Moves, useMoves } from "./use-moves.ts";

let moves: Moves;
const user = userEvent.setup();

function Place() {
  moves = useMoves();
  return (
    <>
      <input aria-label="cell" />
      <input aria-label="search" />
      <button type="button">Next problem</button>
    </>
  );
}

beforeEach(() => {
  render(<Place />);
});

test("someone who waits has not moved", async () => {
  await user.click(screen.getByRole("button"));
  const hasMoved = moves.watchMoves();
  expect(hasMoved()).toBe(false);
});

test.each([
  ["goes to another cell", async () => moves.noteMove()],
  ["types on in the cell", async () => user.keyboard("b")],
  ["goes to another input", async () => user.click(screen.getByRole("textbox", { name: "search" }))],
])("someone who %s has moved", async (_, go) => {
  await user.type(screen.getByRole("textbox", { name: "cell" }), "a");
  const hasMoved = moves.watchMoves();
  expect(hasMoved()).toBe(false);
  await go();
  expect(hasMoved()).toBe(true);
});
