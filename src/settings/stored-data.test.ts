import { expect, test } from "vitest";
import { bytesOf } from "./stored-data.ts";

test("the size of stored data counts nested texts, numbers, files and lists", () => {
  expect(bytesOf("four")).toBe(4);
  expect(bytesOf({ a: 1, bc: [true, "x"] })).toBe(1 + 8 + 2 + (1 + 8) + (1 + 1));
  expect(bytesOf([new Blob(["12345"]), new Float64Array(3), null])).toBe(1 + 5 + 1 + 24 + 1 + 8);
});
