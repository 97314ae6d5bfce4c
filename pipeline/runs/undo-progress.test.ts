import { expect, test } from "vitest";
import { leftToUndo, notUndone } from "./undo-progress.ts";

const counts = { created: 6, updated: 3, unchanged: 1, skipped: 0, failed: 2, inDoubt: 0, notSent: 4 };

test("the rows that an undo reversed and the others are all rows that the upload stored", () => {
  const undo = { reversed: 7, kept: 1, failed: 1 };
  expect(notUndone(counts, undo)).toBe(2);
  expect(leftToUndo(counts, undo)).toBe(0);
});

test("an interrupted undo has left the rows that it did not reach", () => {
  const before = { reversed: 2, kept: 1, failed: 0 };
  expect(leftToUndo(counts, before)).toBe(6);
});
