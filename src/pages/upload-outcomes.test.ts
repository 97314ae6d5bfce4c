import { expect, test } from "vitest";
import { leftToUndo, outcomeParts, partsAfterUndo } from "./upload-outcomes.ts";

const counts = { created: 6, updated: 3, unchanged: 1, skipped: 0, failed: 2, inDoubt: 0, notSent: 4 };

test("after an undo the bar shows what was taken back, and its parts are still all rows", () => {
  const parts = partsAfterUndo(counts, { reversed: 7, kept: 1, failed: 1 });
  expect(parts.filter(({ count }) => count > 0).map(({ label, count }) => `${label} ${count}`)).toEqual([
    "Undone 7",
    "Not undone 2",
    "Unchanged 1",
    "Failed 2",
    "Not sent 4",
  ]);
  const sum = (bar: typeof parts) => bar.reduce((all, { count }) => all + count, 0);
  expect(sum(parts)).toBe(sum(outcomeParts(counts)));
});

test("of an undo that was cut off, what is left is what it did not come to and can still take back", () => {
  const before = { reversed: 2, kept: 1, failed: 0 };
  expect(leftToUndo(counts, undefined, before)).toBe(6);
  expect(leftToUndo(counts, { created: 1, updated: 1 }, before)).toBe(4);
});
