// Duplicates among people of 20 languages are found as well as the documents say.

import { expect, test } from "vitest";
import { measureDuplicates, measurePairs, measureRegister } from "../measure/duplicates.ts";
import { KINDS, labelledPeople, PEOPLE_MATCH } from "./labelled-people.ts";
import { SLIPS } from "./registered-people.ts";

test("of those that are called the same 97 % are, and 95 % of all twins are found", () => {
  const { twins, precision, recall, byKind } = measureDuplicates(5_000);
  expect(twins).toBe(500);
  expect(precision).toBeGreaterThanOrEqual(0.97);
  expect(recall).toBeGreaterThanOrEqual(0.95);
  for (const kind of KINDS) expect({ kind, isFound: (byKind[kind] ?? 0) >= 0.9 }).toEqual({ kind, isFound: true });
});

test("the figures fall where less is compared", () => {
  const [name] = PEOPLE_MATCH.comparisons;
  const byName = { comparisons: name ? [name] : [], same: 6, maybe: 5 };
  expect(measurePairs(labelledPeople(2_000, 200), byName).precision).toBeLessThan(0.9);
});

test("of people of a register with up to four slips each, too", () => {
  const { precision, recall, byKind } = measureRegister(2_000);
  expect(precision).toBeGreaterThanOrEqual(0.97);
  expect(recall).toBeGreaterThanOrEqual(0.95);
  for (const kind of SLIPS) expect({ kind, isFound: (byKind[kind] ?? 0) >= 0.9 }).toEqual({ kind, isFound: true });
});

test("the same seed gives the same people", () => {
  expect(labelledPeople(500, 50, 7)).toEqual(labelledPeople(500, 50, 7));
  expect(labelledPeople(500, 50, 7)).not.toEqual(labelledPeople(500, 50, 8));
});
