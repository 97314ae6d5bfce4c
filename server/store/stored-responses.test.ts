import { expect, test } from "vitest";
import { createSweep } from "./stored-responses.ts";

const HOUR = 3_600_000; // ms

test("the time is a whole number while the clock is ahead of the process by a fraction of a millisecond", () => {
  let elapsed = 0.25;
  const sweep = createSweep(
    () => 1_000_000 * HOUR + 2 * elapsed,
    () => elapsed,
  );
  sweep();
  elapsed = HOUR + 0.5;
  expect(sweep()).toBe((1_000_000 + 1 - 48) * HOUR);
});

test.each([
  ["is right", 0, 0],
  ["is set ahead by two days", 48, 0],
  ["is set back by two days", -48, -48],
])("while the clock %s, no response younger than 48 hours is deleted", (_, set, expected) => {
  let elapsed = 0;
  let ahead = 0;
  const sweep = createSweep(
    () => 1_000_000 * HOUR + elapsed + ahead,
    () => elapsed,
  );
  expect(sweep()).toBeUndefined(); // a machine that starts may not have the right time yet
  elapsed = HOUR;
  ahead = set * HOUR;
  expect(sweep()).toBe((1_000_000 + 1 - 48 + expected) * HOUR);
  expect(sweep()).toBeUndefined();
  elapsed = 2 * HOUR;
  expect(sweep()).toBeDefined();
});
