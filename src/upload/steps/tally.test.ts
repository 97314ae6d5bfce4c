import { afterAll, beforeAll, expect, test } from "vitest";
import type { Preview } from "../../../pipeline/correction/correction-state.ts";
import { setLocale } from "../../values/format.ts";
import { describeCost } from "./tally.ts";

beforeAll(() => setLocale("en-US")); // otherwise numbers are written as the machine writes them
afterAll(() => setLocale(""));

const at = (rowsPerSecond: number) => ({ is: "done", rowsPerSecond }) as Preview;

test.each([
  [1, at(0), "1 row will be uploaded."],
  [999, at(10_000), "Uploading 999 rows takes a moment."],
  [2_500, at(0), "2,500 rows will be uploaded. That is about 3 calls to the service."],
  [1_000_000, at(25_000), "Uploading 1,000,000 rows takes about 40 s. That is about 1,000 calls to the service."],
])("the cost of uploading %i rows is shown", (ready, preview, expected) => {
  expect(describeCost(ready, preview)).toBe(expected);
});
