import { expect, test } from "vitest";
import { isWhollyUndone, leftToUndo, notUndone, runSizes } from "./undo-progress.ts";

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

test("an undo with as many changes as its run is whole; other collections do not count", () => {
  const part = (collection: string, type: "batch" | "undo", size: number) => ({
    ...{ collection, size, source: { type, run: "r" }, by: null, others: [] },
    ...{ from: "2026-01-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" },
  });
  const parts = [part("customers", "batch", 3), part("customers", "undo", 2), part("orders", "undo", 4)];
  expect(runSizes(parts, "customers")).toEqual({ made: 3, undone: 2 });
  expect([parts, [...parts, part("customers", "undo", 1)], []].map((some) => isWhollyUndone(runSizes(some, "customers")))).toEqual([
    ...[false, true, false],
  ]);
});
