// Tests the letters and the hue of a monogram.

import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { hueOf, initials, Monogram } from "./monogram.tsx";

test.each([
  ["Ada Fox", "AF"],
  ["Zoë van ’t Hoff", "ZH"],
  ["Ирина Петрова", "ИП"],
  ["Çağla", "Ç"],
  ["Müller & Berg GmbH", "MG"],
  ["ada.fox@example.org", "AO"],
  ["42 Ltd", "4L"],
  ["  ", "·"],
  ["—", "·"],
])("%s is %s", (name, letters) => expect(initials(name)).toBe(letters));

test("a thing has one letter", () => expect(initials("Customer orders", 1)).toBe("C"));

test("the hue of a name is always the same, and names are spread over all six", () => {
  const names = Array.from({ length: 300 }, (_, i) => `Person ${i}`);
  expect(names.map(hueOf)).toEqual(names.map(hueOf));
  expect(new Set(names.map(hueOf))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

test("a screen reader hears nothing of it", () => {
  render(<Monogram name="Ada Fox" />);
  expect(screen.getByText("AF").getAttribute("aria-hidden")).toBe("true");
});
