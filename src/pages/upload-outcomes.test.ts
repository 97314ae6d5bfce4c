// The two columns of a report that was undone later.

import { expect, test } from "vitest";
import { beforeAndNow } from "./upload-outcomes.ts";

test("what became of the rows before an undo and after it both add up to the rows read", () => {
  const counts = { created: 6, updated: 3, unchanged: 1, skipped: 0, failed: 2, inDoubt: 0, notSent: 4 };
  const parts = beforeAndNow(counts, { reversed: 7, kept: 1, failed: 1 });
  const sum = (of: "before" | "count") => parts.reduce((total, part) => total + part[of], 0);
  expect([sum("before"), sum("count")]).toEqual([16, 16]);
  expect(parts.slice(0, 2).map(({ before, count }) => [before, count])).toEqual([
    [9, 2],
    [0, 7],
  ]);
});
