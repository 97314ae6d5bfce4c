import { expect, test } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { huesOf } from "./collection-mark.tsx";

const collections = (...given: [name: string, color?: Collection["color"]][]) =>
  given.map(([name, color]) => ({ name, ...(color && { color }) }) as Collection);

test("six collections have six hues, and the dictionary's own words count", () => {
  const six = collections(["customers"], ["contacts"], ["orders", "blue"], ["items"], ["prices"], ["places"]);
  expect(new Set(huesOf(six).values()).size).toBe(6);
  expect(huesOf(six).get("orders")).toBe(0);
});

test("more than six share them, and one at the end changes none before it", () => {
  const names = Array.from({ length: 40 }, (_, i): [string] => [`things${i}`]);
  const [all, fewer] = [huesOf(collections(...names)), huesOf(collections(...names.slice(0, 39)))];
  expect([...fewer].every(([name, hue]) => all.get(name) === hue)).toBe(true);
  expect([...all.values()].every((hue) => hue >= 0 && hue < 6)).toBe(true);
});
