import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { type Field, readField } from "../../core/dictionary/fields.ts";
import { readCategories } from "../../core/dictionary/read-categories.ts";
import { Pill } from "./pill.tsx";

const STATES = ["Prospect", "Active", "Paused", "Closed", "Lost", "Merged"];

/** The colour of each value, undefined for plain text. */
function huesOf(values: readonly string[], list: object): (string | undefined)[] {
  const field = readField({ name: "status", ...list }, "", () => undefined, "", { readCategories }) as Field;
  render(values.map((value) => <Pill key={value} field={field} value={value} text={value} />));
  return values.map((value) => screen.getByText(value).dataset.hue);
}

test("each of a few categories has a colour of its own, and a value that left the list has none", () => {
  const hues = huesOf([...STATES, "Gone"], { categories: STATES });
  expect(hues.pop()).toBeUndefined();
  expect(new Set(hues)).toEqual(new Set(["0", "1", "2", "3", "4", "5"]));
});

test("of more categories than there are colours some share one, and a list without labels has them as well", () => {
  const countries = ["AT", "CH", "DE", "DK", "FR", "NL", "PL"];
  expect(huesOf(countries, { categories: countries })).toEqual(["0", "1", "2", "3", "4", "5", "0"]);
  expect(huesOf(["Utrecht", "Seoul"], { constraints: { enum: ["Utrecht", "Seoul"] } })).toEqual(["0", "1"]);
});
