import fc from "fast-check";
import { expect, test } from "vitest";
import { RowSet } from "./row-set.ts";

test("a row set has the rows that were added and not deleted, also as ranges", () => {
  const step = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 80 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const [rows, set] = [new RowSet(), new Set<number>()];
      for (const [isIn, from, length] of steps) {
        for (let row = from; row <= from + length; row++) {
          if (isIn) [rows.add(row), set.add(row)];
          else [rows.delete(row), set.delete(row)];
        }
      }
      expect(rows.size).toBe(set.size);
      const copy = RowSet.of(rows.bits());
      expect(copy.size).toBe(set.size);
      expect(Array.from({ length: 400 }, (_, row) => row).filter((row) => copy.has(row) !== set.has(row))).toEqual([]);
      const { ranges, more } = rows.ranges(3);
      const named = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
      expect(named).toEqual([...set].sort((a, b) => a - b).slice(0, named.length));
      expect(more).toBe(set.size - named.length);
      if (more > 0) expect(ranges).toHaveLength(3);
    }),
    { numRuns: 500, interruptAfterTimeLimit: 5_000 },
  );
});
