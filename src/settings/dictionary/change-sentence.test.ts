import { expect, test } from "vitest";
import type { DictionaryChange } from "../../../core/contract/dictionary.ts";
import { changesOf } from "../../../core/dictionary/changes.ts";
import type { Package } from "../../../core/dictionary/packages.ts";
import { changeSentence } from "./change-sentence.ts";

const rule = (name: string, must: string) => ({ name, must, message: `The sentence of ${name}.` });
const packageOf = (rules: object[], words: object): Package => ({
  resources: [
    {
      ...{ id: "c", name: "staff", title: "Staff", rules },
      schema: {
        primaryKey: "id",
        fields: [
          { id: "a", name: "id" },
          { id: "b", name: "end", title: "End", type: "date", ...words },
        ],
      },
    },
  ],
});
const sentences = (before: Package, now: Package) => changesOf(before, now).map((change: DictionaryChange) => changeSentence(change, now));

test("changes of rules name them by their sentences", () => {
  const warning = { severity: "warning" };
  const before = packageOf([rule("kept", "true"), rule("changed", "id > 1"), rule("gone", "true"), rule("mild", "true")], {});
  const now = packageOf(
    [rule("changed", "id > 2"), rule("kept", "true"), { ...rule("mild", "true"), ...warning }, rule("new", "true")],
    {},
  );
  expect(sentences(before, now)).toEqual([
    "Staff: a rule asks for something else: The sentence of changed.",
    "Staff: a rule only warns from now on: The sentence of mild.",
    "Staff: new rule: The sentence of new.",
    "Staff: without the rule: The sentence of gone.",
    "Staff: another order",
  ]);
});

test("changes of conditions have the expressions of before and now", () => {
  const before = packageOf([], { requiredIf: "id > 1", sticky: true });
  const now = packageOf([], {
    requiredIf: "id > 2",
    visibleIf: "id > 0",
    choicesIf: [{ when: "id > 0", values: ["2026-01-01"] }],
    default: "today",
  });
  expect(sentences(before, now).sort()).toEqual([
    "Staff › End: A new record begins with (– → today)",
    "Staff › End: Asked for only where (– → id > 0)",
    "Staff › End: Needed where (id > 1 → id > 2)",
    "Staff › End: Only some values where (– → 1 list)",
    "Staff › End: The form begins with what the same person stored last (yes → –)",
  ]);
});

test("another time zone is said", () => {
  const now = packageOf([], {});
  expect(sentences(now, { ...now, timeZone: "Europe/Berlin" })).toEqual(["“Today” in rules begins and ends as in Europe/Berlin"]);
});
