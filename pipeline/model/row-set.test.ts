import fc from "fast-check";
import { expect, test } from "vitest";
import { RowSet } from "./row-set.ts";

test("rows that come and go are read out as the ranges that are left", () => {
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
      const kept = RowSet.of(rows.bits());
      expect(kept.size).toBe(set.size);
      for (let row = 0; row < 400; row++) expect(kept.has(row)).toBe(set.has(row));
      const { ranges, more } = rows.ranges(3);
      const named = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
      expect(named).toEqual([...set].sort((a, b) => a - b).slice(0, named.length));
      expect(more).toBe(set.size - named.length);
      if (more > 0) expect(ranges).toHaveLength(3);
    }),
    { numRuns: 500 },
  );
});
