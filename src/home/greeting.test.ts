import { expect, test } from "vitest";
import { greeting } from "./greeting.ts";

test.each([
  [0, "Good evening, Ada Fox"],
  [4, "Good evening, Ada Fox"],
  [5, "Good morning, Ada Fox"],
  [11, "Good morning, Ada Fox"],
  [12, "Good afternoon, Ada Fox"],
  [17, "Good afternoon, Ada Fox"],
  [18, "Good evening, Ada Fox"],
  [23, "Good evening, Ada Fox"],
])("at %i o'clock: %s", (hour, text) => expect(greeting(hour, "Ada Fox")).toBe(text));

test("a program is greeted without a name", () => expect(greeting(9, "")).toBe("Good morning"));
