import { expect, test } from "vitest";
import { compareNames } from "./compare-names.ts";

test("names with numbers stand in the order of the numbers, and letters with marks beside those without", () => {
  const names = ["Team 100", "Zoe", "Team 2", "Émile", "Team 10", "team 1", "Eva"];
  expect(names.sort((one, other) => compareNames(one, other, "en"))).toEqual([
    "Émile",
    "Eva",
    "team 1",
    "Team 2",
    "Team 10",
    "Team 100",
    "Zoe",
  ]);
});
