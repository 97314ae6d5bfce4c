import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashOf, hashOfCells, KeySet } from "./key-set.ts";

const MOST = Number.MAX_SAFE_INTEGER;

describe("a set of keys", () => {
  test.each([
    ["whatever they are", false],
    ["also where it looks for no dense ones", true],
  ])("has the same numbers as a Set, %s", (_, areHashes) => {
    const run = fc.tuple(
      fc.oneof(fc.integer({ min: 0, max: 9_000 }), fc.maxSafeInteger(), fc.constantFrom(-MOST, -4_097, MOST - 60_000)),
      fc.constantFrom(1, 2, 7, 31, 32, 33, 100, 4_096, 2 ** 32),
      fc.constantFrom(1, 10, 100, 60_000),
    );
    fc.assert(
      fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
        const [keys, set] = [new KeySet(areHashes), new Set<number>()];
        const wrong: number[] = [];
        for (const [first, step, length] of runs) {
          for (let i = 0; i < length; i++) {
            const id = first + i * step;
            if (!Number.isSafeInteger(id)) break;
            if (keys.has(id) !== set.has(id) || keys.add(id) === set.has(id) || !keys.has(id)) wrong.push(id);
            set.add(id);
          }
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 60, interruptAfterTimeLimit: 5_000 },
    );
  });

  test.each([1, 7, 63, 65, 4_096, 2 ** 31])("holds 200,000 ids in steps of %i, each of them once, in any order", (step) => {
    const keys = new KeySet();
    const added = (order: (i: number) => number) =>
      Array.from({ length: 200_000 }, (_, i) => keys.add(order(i) * step)).filter(Boolean).length;
    expect([added((i) => (i * 77_773) % 200_000), added((i) => i)]).toEqual([200_000, 0]);
  });
});

test("the number of cells tells where one ends, and takes those at the places alone", () => {
  const numberOf = (...cells: string[]) => hashOfCells(cells, [...cells.keys()]);
  const all = [numberOf("ab", "c"), numberOf("a", "bc"), numberOf("abc"), numberOf("abc", ""), numberOf("", "abc"), numberOf("")];
  expect(new Set(all).size).toBe(all.length);
  expect(hashOfCells(["x", "ab", "y", "c"], [1, 3])).toBe(all[0]);
  expect(hashOfCells(["ab"], [0, 5])).toBe(numberOf("ab", "")); // a cell that the row lacks is empty
  expect(hashOf("abc")).toBe(all[2]);
});
