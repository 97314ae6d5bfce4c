import { expect, test } from "vitest";
import type { Package } from "../../../core/dictionary/packages.ts";
import { moveRule, putRule, removeRule, rulesOf } from "./rule-edits.ts";

const rule = (name: string) => ({ name, must: "true", message: `${name}.` });
const schema = { fields: [{ name: "id" }], primaryKey: "id" };
const ALL: Package = {
  resources: [
    { name: "one", schema },
    { name: "two", schema, rules: [rule("a"), rule("b"), rule("c")] },
  ],
};
const names = (all: Package, at = 1) => rulesOf(all.resources[at] ?? { name: "", schema }).map(({ name }) => name);

test("a rule is put in its place by its name, also where others have moved it meanwhile", () => {
  expect(names(putRule(ALL, 1, undefined, rule("d")))).toEqual(["a", "b", "c", "d"]);
  expect(names(putRule(moveRule(ALL, 1, 1, 0), 1, "b", rule("e")))).toEqual(["e", "a", "c"]);
  expect(names(putRule(removeRule(ALL, 1, "b"), 1, "b", rule("b")))).toEqual(["a", "c", "b"]);
  expect(names(putRule(ALL, 0, undefined, rule("d")), 0)).toEqual(["d"]);
});

test("without rules the collection has no list of them", () => {
  expect("rules" in (removeRule(putRule(ALL, 0, undefined, rule("d")), 0, "d").resources[0] ?? {})).toBe(false);
  expect(rulesOf({ name: "odd", schema, rules: [null, "text", rule("a")] })).toEqual([rule("a")]);
  expect(rulesOf({ name: "odd", schema, rules: [{ name: "b", must: 5, when: 7 }] })).toEqual([{ name: "b", must: "", message: "" }]);
});

test("what was written by hand in another shape is left out, and a rule without a name is changed and removed as others are", () => {
  const odd = { ...rule("b"), fields: "salary", translations: { de: "b.", fr: { message: "b." } } };
  expect(rulesOf({ name: "odd", schema, rules: [odd] })).toEqual([{ ...rule("b"), translations: { fr: { message: "b." } } }]);
  const all: Package = { resources: [{ name: "one", schema, rules: [{ must: "true", message: "One." }, rule("a")] }] };
  expect(names(putRule(all, 0, undefined, rule("d")), 0)).toEqual(["", "a", "d"]);
  expect(names(putRule(all, 0, "", rule("b")), 0)).toEqual(["b", "a"]);
  expect(names(removeRule(all, 0, ""), 0)).toEqual(["a"]);
});
