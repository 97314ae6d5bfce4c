import fc from "fast-check";
import { expect, test } from "vitest";
import { contrast, shadesOf } from "./accent-shades.ts";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((one) => `#${one.toString(16).padStart(6, "0")}`);

test("any colour has a shade that can be read on light pages, and one on dark pages", () => {
  fc.assert(
    fc.property(colour, (accent) => {
      const { light, dark } = shadesOf(accent);
      for (const surface of ["#ffffff", "#fbfaf7", "#f1efe8"]) expect(contrast(light, surface)).toBeGreaterThanOrEqual(4.5);
      for (const surface of ["#1d2024", "#23272c", "#16181b", "#10203c"]) expect(contrast(dark, surface)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test("a colour that can be read stays as it was chosen", () => {
  expect(shadesOf("#c8102e").light).toBe("#c8102e");
  expect(shadesOf("#8fb4ff").dark).toBe("#8fb4ff");
});

test("one that is too light or too dark keeps its hue", () => {
  expect(shadesOf("#ffd500").light).toMatch(/^#[67]\w[56]\w00$/);
  expect(shadesOf("#000080").dark).toMatch(/^#(\w\w)\1\w\w$/);
  expect(shadesOf("#000000").dark).toMatch(/^#(\w\w)\1\1$/);
});

test("the contrast is WCAG's", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});
