import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Field } from "../../core/dictionary/fields.ts";
import { Pill } from "./pill.tsx";

const VALUES = ["Prospect", "Active", "Paused", "Closed", "Lost", "Merged", "Test"];
const FIELD: Field = {
  name: "status",
  title: "Status",
  description: "",
  kind: "string",
  example: "Active",
  aliases: [],
  required: false,
  unique: false,
  enum: VALUES,
};

test("a value of a closed list has the hue of its place in the list, and one that left the list has the first", () => {
  render([...VALUES, "Gone"].map((value) => <Pill key={value} field={FIELD} value={value} text={value} />));
  const hues = [...VALUES, "Gone"].map((value) => screen.getByText(value).dataset.hue);
  expect(hues).toEqual(["0", "1", "2", "3", "4", "5", "0", "0"]);
});
