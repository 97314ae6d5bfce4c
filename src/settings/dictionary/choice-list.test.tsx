// The values of a closed list: what stored records have stays what it is, whatever it is called.

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import type { PackageField } from "../../../core/dictionary/packages.ts";
import { ChoiceList } from "./choice-list.tsx";
import { choicesOf, choiceWords } from "./field-kinds.ts";
import { withWords } from "./package-edits.ts";

let now: PackageField;

function Edited({ first }: { first: PackageField }) {
  const [field, setField] = useState(first);
  now = field;
  return <ChoiceList choices={choicesOf(field)} isText onChange={(next) => setField(withWords(field, choiceWords(field, next)))} />;
}

const value = (n: number) => screen.getByLabelText(`Value ${n}`);

test("a new value may begin like one that is there, before or after it", async () => {
  const user = userEvent.setup();
  render(<Edited first={{ name: "region", type: "string", categories: ["north", "south"] }} />);
  await user.click(screen.getByRole("button", { name: "Add value" }));
  await user.type(value(3), "northeast");
  expect(now.categories).toEqual(["north", "south", "northeast"]);
  await user.click(value(1));
  await user.keyboard("{Enter}");
  await user.type(value(2), "southwest");
  expect(now.categories).toEqual(["north", "southwest", "south", "northeast"]);
  await user.clear(value(3));
  await user.type(value(3), "South");
  expect(now.categories).toEqual(["north", "southwest", { value: "south", label: "South" }, "northeast"]);
});

test("a value of a list without labels stays in its records when it is called otherwise", async () => {
  const user = userEvent.setup();
  render(<Edited first={{ name: "region", type: "string", constraints: { required: true, enum: ["north", "south"] } }} />);
  await user.click(screen.getByRole("button", { name: "Add value" }));
  await user.type(value(3), "west");
  expect(now.constraints).toEqual({ required: true, enum: ["north", "south", "west"] });
  await user.type(value(1), " side");
  expect(now.constraints).toEqual({ required: true });
  expect(now.categories).toEqual([{ value: "north", label: "north side" }, "south", "west"]);
});

test("a list of numbers stays one when a value is taken out", async () => {
  const user = userEvent.setup();
  render(<Edited first={{ name: "size", type: "integer", constraints: { enum: [1, 2, 3] } }} />);
  await user.click(screen.getByRole("button", { name: "Remove 2" }));
  expect(now.constraints).toEqual({ enum: [1, 3] });
});
